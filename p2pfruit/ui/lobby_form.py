"""The form with which a host changes what is played, before the game begins."""

from p2pfruit.language import text as _
from p2pfruit.seat.offers import GAME, GAMES, LIMITS, POINTS, SEATS, SERIES, options_of
from p2pfruit.seat.series_plans import words_of
from p2pfruit.ui.forms import Answers, Field, Form
from p2pfruit.ui.table_fields import (
    called,
    drop_field,
    game_field,
    option_fields,
    option_key,
    series_fields,
    switch,
    turn_field,
)
from protocol.limits import TIMES_S
from protocol.peer.offer import Offer


def offer_form(offer: Offer, here: int) -> Form:
    """Return the form for this offer. `here`: so many players have a seat already."""
    now = dict(offer.limits)
    started = {option_key(offer.game, option.name): option.name for option in options_of(offer)}
    chosen = dict(offer.options)

    def further(answers: Answers) -> list[Field]:
        return [
            _starting(field, chosen[started[field.name]]) if field.name in started else field
            for field in option_fields(answers)
        ]

    return Form(
        title=_("What is played"),
        take=_("offer this"),
        intro=_("All players are asked whether they agree. Nobody needs a new invitation."),
        fields=(
            game_field(offer.game),
            _seats_field(offer.seats, here),
            turn_field(now.get(LIMITS["turn"], TIMES_S[LIMITS["turn"]])),
            Field(
                name="chat",
                label=_("chat"),
                start=now.get(LIMITS["chat"], 1) != 0,
                offered=switch,
                about=_("off: for everyone at the table"),
            ),
            Field(
                name="spectators",
                label=_("spectators"),
                start=now.get(LIMITS["spectators"], 1) != 0,
                offered=switch,
                about=_("on: anyone with the WATCH- invitation can watch"),
            ),
            drop_field(now.get(LIMITS["drop"], 1)),
            *_series_fields(offer),
        ),
        further=further,
    )


def _series_fields(offer: Offer) -> list[Field]:
    """Return what is asked about a series, until its contract is signed."""
    if offer.series is None:
        return series_fields()
    if offer.series.signed is not None:
        return []
    length, games, points = words_of(offer.series.plan)
    return series_fields(length, games, points)


def _starting(field: Field, start: str) -> Field:
    return Field(
        name=field.name,
        label=field.label,
        start=start,
        about=field.about,
        offered=field.offered,
    )


def _seats_field(start: int, here: int) -> Field:
    from engine import registry

    def offered(answers: Answers) -> list[tuple[int, str]]:
        seats = registry.find(answers[GAME]).game.seats
        return list(called(*([count for count in seats if count >= here] or seats)))

    return Field(
        name=SEATS,
        label=_("players"),
        start=start,
        offered=offered,
        about=_("number of players, including you"),
    )


def chosen_of(answers: Answers) -> dict[str, str]:
    """Return the names and values that the answers to this form mean."""
    game = answers[GAME]
    prefix = option_key(game, "")
    options = {
        name.removeprefix(prefix): value
        for name, value in answers.items()
        if name.startswith(prefix)
    }
    return {
        GAME: game,
        SEATS: str(answers[SEATS]),
        "turn": str(answers["turn"]),
        "chat": "yes" if answers["chat"] else "no",
        "spectators": "yes" if answers["spectators"] else "no",
        "drop": str(answers["drop"]),
        **_series_chosen(answers),
        **options,
    }


def _series_chosen(answers: Answers) -> dict[str, str]:
    length = answers.get(SERIES)
    if length is None:
        return {}
    if not length:
        return {SERIES: "no"}
    others = [name for name in answers[GAMES].split(",") if name and name != answers[GAME]]
    games = ",".join([answers[GAME], *others])
    return {SERIES: length, GAMES: games, POINTS: answers[POINTS]}
