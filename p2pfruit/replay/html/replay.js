"use strict";
// The position in the replay, and the controls that change it.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const root = document.getElementById("replay");
  const AUTOPLAY_MS = 2500;

  let language = data.language;
  const count = Math.min(...Object.values(data.languages).map((one) => one.frames.length));

  let at = count - 1; // the ranking is what people want to see first
  let open = true;
  let timer = null;

  const spoken = () => data.languages[language];
  const words = () => spoken().words;
  const { all, filled, make, put } = parts({
    spoken,
    words,
    get open() {
      return open;
    },
    get at() {
      return at;
    },
    get last() {
      return at === count - 1;
    },
  });

  // The page.

  const frameBox = make("main", { tabindex: "-1" });
  const progress = make("p", { class: "progress", role: "status", "aria-live": "polite" });
  const headline = make("p", { class: "headline" });
  const title = make("h1", {});
  const terms = make("p", { class: "terms" });
  const slider = make("input", { type: "range", min: "1", max: String(count), step: "1" });
  const dark = make("button", { type: "button", id: "dark", onclick: switchTheme });
  const tongues = make("span", { class: "tongues", role: "group" });
  const hands = make("button", { type: "button", id: "hands", onclick: () => showHands(!open) });
  const start = make("button", { type: "button", id: "start", onclick: () => go(firstCard()) });
  const buttons = {
    first: button("first", "|‹", () => go(0)),
    round_back: button("round_back", "«", () => go(roundBack())),
    back: button("back", "‹", () => go(at - 1)),
    play: button("play", "", () => autoplay(timer === null)),
    forward: button("forward", "›", () => go(at + 1)),
    round_forward: button("round_forward", "»", () => go(roundForward())),
    last: button("last", "›|", () => go(count - 1)),
  };
  slider.addEventListener("input", () => go(Number(slider.value) - 1));

  function button(id, sign, act) {
    return make("button", { type: "button", id, onclick: act }, sign);
  }

  function name(element, text) {
    element.setAttribute("aria-label", text);
    element.title = text;
  }

  for (const code of Object.keys(data.languages)) {
    const each = make("button", { type: "button", id: `speak-${code}`, lang: code });
    each.textContent = data.languages[code].words.self;
    each.addEventListener("click", () => speak(code));
    tongues.append(each);
  }
  put(root, [
    make(
      "header",
      {},
      make("div", { class: "heading" }, title, headline, terms),
      make("div", { class: "tools" }, tongues, dark),
    ),
    start,
    frameBox,
    make(
      "nav",
      {},
      make("div", { class: "line" }, progress, hands),
      slider,
      make("div", { class: "steps" }, Object.values(buttons)),
    ),
  ]);

  function draw() {
    const frame = spoken().frames[at];
    frameBox.replaceChildren();
    put(frameBox, all(frame));
    const values = { number: at + 1, count, round: frame.round };
    progress.textContent = filled(words().progress, values);
    slider.value = String(at + 1);
    start.hidden = at < count - 1 || firstCard() === at;
    slider.setAttribute("aria-valuetext", progress.textContent);
    for (const id of ["first", "back", "round_back"]) buttons[id].disabled = at === 0;
    for (const id of ["last", "forward", "round_forward"]) buttons[id].disabled = at === count - 1;
  }

  function drawAround() {
    document.documentElement.lang = language;
    document.title = spoken().title;
    title.textContent = spoken().title;
    headline.textContent = `${spoken().sound ? words().verified : "!"} ${spoken().headline}`;
    headline.className = spoken().sound ? "headline sound" : "headline";
    terms.textContent = spoken().terms.join(" · ");
    for (const [id, element] of Object.entries(buttons)) name(element, words()[id]);
    name(buttons.play, timer === null ? words().play : words().pause);
    buttons.play.textContent = timer === null ? "▷" : "‖";
    name(slider, words().frame);
    start.textContent = words().start;
    name(tongues, words().language);
    hands.textContent = words().hands;
    hands.title = words().hands_key;
    hands.setAttribute("aria-pressed", String(open));
    dark.textContent = words().dark;
    dark.setAttribute("aria-pressed", String(isDark()));
    for (const each of tongues.children) {
      each.setAttribute("aria-pressed", String(each.lang === language));
    }
  }

  // Controls.

  function go(to) {
    const wanted = Math.max(0, Math.min(count - 1, to));
    if (wanted === at) return;
    at = wanted;
    if (at === count - 1) autoplay(false);
    draw();
    remember();
  }

  // Where the first cards were turned up, or else where the game begins.
  function firstCard() {
    return Math.max(0, spoken().frames.findIndex((frame) => frame.moment));
  }

  function roundStart(from) {
    const frames = spoken().frames;
    let start = from;
    while (start > 0 && frames[start - 1].round === frames[from].round) start -= 1;
    return start;
  }

  function roundBack() {
    const start = roundStart(at);
    return start < at ? start : roundStart(Math.max(0, at - 1));
  }

  function roundForward() {
    const frames = spoken().frames;
    let to = at;
    while (to < count - 1 && frames[to].round === frames[at].round) to += 1;
    return to;
  }

  function autoplay(on) {
    if (timer !== null) clearInterval(timer);
    timer = on && at < count - 1 ? setInterval(() => go(at + 1), AUTOPLAY_MS) : null;
    drawAround();
  }

  function showHands(on) {
    open = on;
    drawAround();
    draw();
  }

  function speak(code) {
    language = code;
    drawAround();
    draw();
  }

  function isDark() {
    const wished = document.documentElement.dataset.theme;
    return wished ? wished === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  }

  function switchTheme() {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    drawAround();
  }

  // The number of the frame is in the address, so that a link can point at a frame.
  function remember() {
    try {
      history.replaceState(null, "", `#${at + 1}`);
    } catch {
      // some browsers keep the address of a file as it is
    }
  }

  function recall() {
    const number = Number.parseInt(location.hash.slice(1), 10);
    if (number >= 1 && number <= count) at = number - 1;
  }

  const keys = {
    ArrowLeft: () => go(at - 1),
    ArrowRight: () => go(at + 1),
    PageUp: () => go(roundBack()),
    PageDown: () => go(roundForward()),
    Home: () => go(0),
    End: () => go(count - 1),
    h: () => showHands(!open),
    " ": () => autoplay(timer === null),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !(event.key in keys)) return;
    const pressing = event.target.closest?.("button, summary");
    if (event.key === " " && pressing) return; // the key presses the focused button
    event.preventDefault();
    keys[event.key]();
  });
  window.addEventListener("hashchange", () => {
    recall();
    draw();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAround);

  recall();
  drawAround();
  draw();
})();
