"use strict";
// Draws the parts of a frame. `view` says what is shown: spoken() is the replay in the chosen
// language, words() are the words of the page itself, `open` is true if hands are shown, `at` is the
// frame that is shown, from 0, `last` is true for the last one. Every text is inserted as text, never as markup.
function parts(view) {
  const SVG = "http://www.w3.org/2000/svg";
  const { spoken, words } = view;
  let told = null; // whether the words are unfolded; null: as suits the frame
  let explained = false; // whether the legend is unfolded
  let analysed = false; // whether the analysis is unfolded

  // Elements.

  function make(name, given, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(given || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (key === "class") element.className = value;
      else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
      else element.setAttribute(key, value === true ? "" : value);
    }
    put(element, children);
    return element;
  }

  function put(element, children) {
    for (const child of children.flat()) {
      if (child !== null && child !== undefined) element.append(child);
    }
  }

  function drawn(name, given, text) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(given)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return element;
  }

  function filled(text, values) {
    return text.replace(/\{(\w+)\}/g, (_all, name) => String(values[name]));
  }

  // Names come from other people: they keep their own writing direction, isolated from the rest.
  const nameOf = (text) => make("bdi", { class: "name" }, text);

  // Cards.

  const SIGNS = { target: "▶", wins: "★", void: "✗", past: "", barred: "–", "": "" };

  function tile(number, { closed = false, large = false, placed = false } = {}) {
    const one = spoken().tiles[number];
    const hidden = closed || one.text === "";
    if (hidden) {
      const name = one.text === "" ? one.name : words().closed;
      return make("span", { class: "tile closed", role: "img", "aria-label": name, title: name });
    }
    const suit = one.suit === null ? null : spoken().suits[one.suit];
    const mute = placed && one.mood === "past"; // an empty place, as its name says
    const says = one.mood && !mute ? `${one.name}, ${words()[one.mood]}` : one.name;
    const kinds = ["tile", one.mood && `mood-${one.mood}`, suit && `suit-${suit.colour}`];
    if (large) kinds.push("large");
    if (one.text.length > 4) kinds.push("wordy");
    else if (one.text.length > 2) kinds.push("tight");
    return make(
      "span",
      { class: kinds.filter(Boolean).join(" "), role: "img", "aria-label": says, title: says },
      suit && make("span", { class: "suit" }, `${suit.shape} ${suit.letters}`),
      make("span", { class: "text" }, one.text),
      make(
        "span",
        { class: "foot" },
        SIGNS[one.mood] ? make("span", { class: "mood" }, SIGNS[one.mood]) : null,
        make("span", { class: "mark" }, one.mark),
      ),
    );
  }

  function badge(number) {
    const suit = spoken().suits[number];
    return make(
      "span",
      { class: `badge suit-${suit.colour}`, title: suit.name, role: "img", "aria-label": suit.name },
      `${suit.shape} ${suit.letters}`,
    );
  }

  // The parts of a frame.

  function aside(frame) {
    if (!frame.aside.length) return null;
    const lines = frame.aside.map((line) => make("p", {}, line));
    return make("section", { class: "panel lost" }, lines);
  }

  function strips(frame) {
    return frame.strips.map((strip) =>
      make(
        "section",
        { class: "strip", "aria-label": strip.label },
        make("h3", {}, strip.label),
        make("div", { class: "tiles" }, strip.tiles.map((number) => tile(number, { large: true }))),
      ),
    );
  }

  function moment(frame) {
    if (!frame.moment) return null;
    const { title, target, played, verdict } = frame.moment;
    return make(
      "section",
      { class: "panel moment" },
      make("h3", {}, title),
      make(
        "div",
        { class: "reveal" },
        target === null ? null : make("div", { class: "aim" }, tile(target, { large: true })),
        make(
          "ul",
          {},
          played.map((one) =>
            make(
              "li",
              { class: one.wins ? "winner" : null },
              tile(one.tile, { large: true }),
              make("span", { class: "who" }, nameOf(one.name), one.wins ? " ★" : null),
              make("span", { class: "why" }, one.why),
            ),
          ),
        ),
      ),
      make("p", { class: "verdict" }, verdict),
    );
  }

  function reckoning(frame) {
    if (!frame.reckoning) return null;
    return make(
      "section",
      { class: "panel reckoning" },
      make("h3", {}, frame.reckoning.title),
      make(
        "div",
        { class: "accounts" },
        frame.reckoning.accounts.map((one) =>
          make(
            "div",
            { class: "account" },
            make("h4", {}, nameOf(one.name), make("b", {}, one.points < 0 ? `${one.points}` : `+${one.points}`)),
            make("ol", {}, one.steps.map((step) => make("li", {}, step))),
            make("p", {}, filled(words().in_all, one)),
          ),
        ),
      ),
    );
  }

  function cell(heading, [text, sign, name]) {
    const label = `${heading.text}: ${name || text + sign}`;
    return make(
      "span",
      { class: "cell", title: label, role: "img", "aria-label": label },
      heading.suit === null ? make("span", { class: "badge" }, heading.text) : badge(heading.suit),
      make("b", {}, text),
      sign ? make("span", { class: "sign" }, sign) : null,
    );
  }

  function player(frame, one) {
    const projection = one.projection[view.open ? 1 : 0];
    return make(
      "section",
      { class: one.gone ? "player gone" : "player" },
      make(
        "h3",
        {},
        nameOf(one.name),
        make("span", { class: "score", title: words().points }, String(one.score)),
        projection === null
          ? null
          : make("span", { class: "projection", title: words().projection }, `${words().now} ${projection}`),
      ),
      one.gone ? make("p", { class: "aside" }, words().gone) : null,
      one.cells.length
        ? make("div", { class: "cells" }, one.cells.map((each, n) => cell(frame.headings[n], each)))
        : null,
      one.hand.length
        ? make(
            "div",
            { class: "tiles", role: "group", "aria-label": words().hand },
            one.hand.map((number) => tile(number, { closed: !view.open })),
          )
        : null,
    );
  }

  function players(frame) {
    const kind = frame.players.length % 3 ? "players" : "players thirds";
    return make("div", { class: kind }, frame.players.map((one) => player(frame, one)));
  }

  // The boards of the players: rows of tiles, and empty places.
  function boards(frame) {
    if (!frame.boards.length) return null;
    return make("div", { class: "boards" }, frame.boards.map(board));
  }

  function board(one) {
    const free = () => make("span", { class: "tile free", "aria-hidden": "true" });
    return make(
      "section",
      { class: "board", "aria-label": one.label },
      make("h3", {}, nameOf(one.label)),
      one.rows.map((row) =>
        make(
          "div",
          { class: "row" },
          row.map((number) => (number === null ? free() : tile(number, { placed: true }))),
        ),
      ),
    );
  }

  // The legend of the symbols on the boards.
  function legend(frame) {
    if (!frame.legend.length) return null;
    const meaning = (number) => spoken().tiles[number].name;
    const details = make(
      "details",
      { class: "told", open: explained },
      make("summary", {}, words().signs),
      make(
        "ul",
        { class: "legend" },
        frame.legend.map((number) => make("li", {}, tile(number), make("span", {}, meaning(number)))),
      ),
    );
    details.addEventListener("toggle", () => {
      explained = details.open;
    });
    return details;
  }

  function notes(frame) {
    const lines = [...frame.notes];
    if (view.open && frame.closed) lines.push(filled(words().never, { count: frame.closed }));
    return lines.map((line) => make("p", { class: "aside" }, line));
  }

  function inWords(frame) {
    if (!frame.told.length) return null;
    const unfolded = told === null ? !(frame.moment || frame.reckoning) : told;
    const details = make(
      "details",
      { class: "told", open: unfolded },
      make("summary", {}, words().told),
      make("pre", {}, frame.told.join("\n")),
    );
    details.addEventListener("toggle", () => {
      if (details.open !== unfolded || told !== null) told = details.open;
    });
    return details;
  }

  // The result.

  function result() {
    const rows = spoken().ranking;
    if (!view.last || !rows.length || !(rows[0].place || rows[0].rounds.length)) return null;
    const ended = Boolean(rows[0].place);
    const rounds = rows[0].rounds.map((_points, n) => n + 1);
    const head = [
      ended ? column(words().place) : null,
      column(words().name, { class: "who" }),
      column(words().total),
      ...rounds.map((round) => {
        const label = filled(words().round, { round });
        return column(String(round), { title: label, "aria-label": label });
      }),
    ];
    return make(
      "section",
      { class: "panel result" },
      make("h3", {}, ended ? words().ranking : words().standing),
      make(
        "div",
        { class: "wide", tabindex: "0", role: "group", "aria-label": words().ranking },
        make(
          "table",
          {},
          make("thead", {}, make("tr", {}, head)),
          make("tbody", {}, rows.map((row) => standing(row, ended))),
        ),
      ),
      rounds.length ? chart(rows) : null,
    );
  }

  const column = (text, given) => make("th", { scope: "col", ...given }, text);

  function standing(row, ended) {
    const first = /^1=?$/.test(row.place);
    return make(
      "tr",
      { class: first ? "first" : null },
      ended ? make("td", {}, row.place) : null,
      make("th", { scope: "row" }, nameOf(row.name), first ? " ★" : null),
      make("td", {}, make("b", {}, String(row.total))),
      row.rounds.map((points) => make("td", {}, String(points))),
    );
  }

  // One bar for each player, one piece for each round, with the points in it or beside it.
  function chart(rows) {
    const length = (row) => row.rounds.reduce((sum, points) => sum + Math.max(points, 0), 0);
    const most = Math.max(1, ...rows.map(length));
    return make(
      "figure",
      { class: "chart" },
      make("figcaption", {}, rows[0].rounds.map((_points, n) => key(n))),
      rows.map((row) =>
        make("div", { class: "bar" }, nameOf(row.name), bar(row, most), make("b", {}, String(row.total))),
      ),
    );
  }

  function key(n) {
    return make("span", { class: `key piece-${n % 3}` }, filled(words().round, { round: n + 1 }));
  }

  function bar(row, most) {
    const says = row.rounds
      .map((points, n) => `${filled(words().round, { round: n + 1 })}: ${points}`)
      .join(", ");
    const picture = drawn("svg", { role: "img", "aria-label": says, width: "100%", height: "28" });
    picture.append(drawn("title", {}, says));
    let from = 0;
    row.rounds.forEach((points, n) => {
      const wide = (100 * Math.max(points, 0)) / most;
      if (wide > 0) {
        const box = { x: `${from}%`, y: "2", width: `${wide}%`, height: "24", class: `piece-${n % 3}` };
        picture.append(drawn("rect", box));
        const middle = { x: `${from + wide / 2}%`, y: "19", "text-anchor": "middle" };
        if (wide > 3) picture.append(drawn("text", middle, String(points)));
      }
      from += wide;
    });
    return picture;
  }

  // What the expert would have done: a mark at the decision, and all of them, the worst first.
  function mark() {
    const found = spoken().analysis;
    const here = found ? found.remarks.filter((one) => one.frame === view.at + 1) : [];
    return here.map((one) => make("p", { class: one.clear ? "judged clear" : "judged" }, one.text));
  }

  function analysis() {
    const found = spoken().analysis;
    if (!found) return null;
    const link = (one) =>
      make(
        "li",
        { class: one.clear ? "clear" : null },
        make("a", { href: `#${one.frame}` }, `${words().frame} ${one.frame}`),
        ` ${one.text}`,
      );
    const details = make(
      "details",
      { class: "analysis", open: analysed },
      make("summary", {}, words().expert),
      found.told.map((text) => make("p", {}, text)),
      make("ol", {}, found.remarks.map(link)),
    );
    details.addEventListener("toggle", () => {
      analysed = details.open;
    });
    return details;
  }

  function all(frame) {
    return [
      make("p", { class: "where" }, frame.where.map((part) => make("span", {}, part))),
      aside(frame),
      mark(),
      moment(frame),
      reckoning(frame),
      result(),
      strips(frame),
      players(frame),
      boards(frame),
      legend(frame),
      notes(frame),
      inWords(frame),
      analysis(),
    ];
  }

  return { all, filled, make, put };
}
