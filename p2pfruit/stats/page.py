"""Statistics as one self-contained page for a browser, in the language of the program.

It has no script, and its policy forbids everything but its one style. All texts are escaped.
"""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files

from p2pfruit import language
from p2pfruit.language import text as _
from p2pfruit.replay.html.page import filled, source
from p2pfruit.stats import words
from p2pfruit.stats.counting import Statistics, Tally

_STRETCHED = 'viewBox="0 0 100 1" preserveAspectRatio="none"'


def page(found: Statistics, people: Mapping[str, str], title: str) -> str:
    style = _file("page.css")
    gaps = {
        "language": language.current(),
        "policy": f"default-src 'none'; style-src {source(style)}; base-uri 'none';"
        " form-action 'none'",
        "title": escape(title),
        "style": style,
        "body": "\n".join(_body(found, people)),
    }
    return filled(_file("page.html"), gaps)


def _file(name: str) -> str:
    return files("p2pfruit.stats").joinpath(name).read_text(encoding="utf-8")


def _body(found: Statistics, people: Mapping[str, str]) -> Iterable[str]:
    for told in [*words.headline(found.whole), *filter(None, [words.analysed(found.analysed)])]:
        yield f"<p>{escape(told)}</p>"
    games = [words.game_row(name, tally) for name, tally in found.by_game.items()]
    if len(games) > 1:
        games.append(words.game_row(_("all"), found.whole))
    yield from _section(_("by game"), _table(words.game_heads(), games))
    if found.whole.places:
        yield from _section(_("how often each place was taken"), _bars(found.whole))
    if found.latest:
        places = " ".join(str(game.place) for game in found.latest)
        words_of = _("the places of all games, the newest last: {places}")
        yield f'<p class="quiet">{escape(words_of.format(places=places))}</p>'
    names = words.opponent_names(found.opponents, people)
    opponents = [
        words.opponent_row(name, one) for name, one in zip(names, found.opponents, strict=True)
    ]
    if opponents:
        yield from _section(_("by opponent"), _table(words.opponent_heads(), opponents))


def _section(title: str, rows: Iterable[str]) -> Iterable[str]:
    yield f"<h2>{escape(title)}</h2>"
    yield '<div class="wide">'
    yield from rows
    yield "</div>"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterable[str]:
    yield "<table>"
    cells = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    yield f"<thead><tr>{cells}</tr></thead>"
    yield "<tbody>"
    for name, *figures in rows:
        cells = "".join(f"<td>{escape(figure)}</td>" for figure in figures)
        yield f'<tr><th scope="row">{escape(name)}</th>{cells}</tr>'
    yield "</tbody>"
    yield "</table>"


def _bars(tally: Tally) -> Iterable[str]:
    """Draw a bar for each place. It is an attribute that says how long, since styles are fixed."""
    largest = max(tally.places.values())
    yield '<table class="bars"><tbody>'
    for place in range(1, max(tally.places) + 1):
        often = tally.places.get(place, 0)
        bar = f'<rect width="{100 * often / largest:.1f}" height="1"/>'
        drawn = f'<svg {_STRETCHED} aria-hidden="true">{bar}</svg>'
        yield f'<tr><th scope="row">{place}</th><td>{drawn}</td><td>{often}</td></tr>'
    yield "</tbody></table>"
