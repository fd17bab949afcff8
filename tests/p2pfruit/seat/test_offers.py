"""What a host types to change its offer."""

from dataclasses import replace

import pytest

from engine import registry
from p2pfruit.exits import Refusal
from p2pfruit.seat.offers import changed_offer, options_of
from p2pfruit.seat.series_plans import words_of
from protocol.feed.roster import InSeries
from protocol.peer.offer import Offer
from protocol.peer.series_offer import SeriesOffer
from protocol.series.contract import Plan
from tests.protocol.series.evenings import evening

OFFER = Offer.of(registry.build("fruitoplay"), 4, (("chat", 1), ("turn_s", 60)))


def test_options_seats_and_limits() -> None:
    assert changed_offer(OFFER, {}).same_conditions(OFFER)
    chosen = {"ties": "all", "seats": "3", "turn": "90", "chat": "off", "reserve": "0", "drop": "1"}
    changed = changed_offer(OFFER, chosen)
    assert dict(changed.options) == {"ties": "all"}
    assert changed.seats == 3
    assert dict(changed.limits) == {"chat": 0, "drop": 1, "reserve_s": 0, "turn_s": 90}
    changed.build()
    assert [option.name for option in options_of(changed)] == ["ties"]


def test_another_game_has_its_own_options_and_cards() -> None:
    content = registry.find("fruitoplay").content()
    own = Offer.of(registry.build("fruitoplay", {"ties": "all"}, content), 4, (), "own")
    changed = changed_offer(own, {"game": "bastos"})
    assert (changed.game, changed.content) == ("bastos", "")
    assert "ties" not in dict(changed.options)
    changed.build()


@pytest.mark.parametrize(
    ("chosen", "why"),
    [
        ({"seats": "99"}, "is for 2 to 6 players, not 99"),
        ({"seats": "\x1b[2J"}, "seats is a number"),
        ({"seats": "-1"}, "seats is a number"),
        ({"turn": "0"}, "turn must be between 1 and"),
        ({"turn": "9" * 30}, "turn is a number"),
        ({"drop": "3"}, "drop must be between 1 and 1, not 3"),
        ({"chat": "perhaps"}, "chat is yes or no, not 'perhaps'"),
        ({"game": "chess"}, "that cannot be played"),
        ({"ties": "none"}, "that cannot be played"),
        ({"nothing": "x"}, "that cannot be played"),
    ],
)
def test_what_cannot_be_offered(chosen: dict[str, str], why: str) -> None:
    with pytest.raises(Refusal) as caught:
        changed_offer(OFFER, chosen)
    assert why in str(caught.value)
    assert "\x1b" not in str(caught.value)


# A series.


def plan_of(offer: Offer) -> Plan:
    assert offer.series is not None
    offer.series.check(offer)
    return offer.series.plan


def games(offer: Offer) -> list[str]:
    return [game.game for game in plan_of(offer).games]


def test_a_series_is_planned_and_changes_with_the_table() -> None:
    chosen = {"series": "best-of-3", "games": "fruitoplay,pixies", "points": "3,1"}
    planned = changed_offer(OFFER, chosen)
    assert words_of(plan_of(planned)) == ("best of 3", "fruitoplay,pixies", "3,1")
    slower = changed_offer(planned, {"turn": "90", "ties": "all"})
    assert {dict(game.limits)["turn_s"] for game in plan_of(slower).games} == {90}
    assert games(changed_offer(planned, {"game": "bastos"})) == ["bastos", "pixies"]
    assert games(changed_offer(planned, {"game": "pixies"})) == ["pixies"]
    assert games(changed_offer(planned, {"games": "tindahan"})) == ["tindahan"]
    assert plan_of(changed_offer(planned, {"series": "5"})).count == 5
    assert changed_offer(planned, {"series": "no"}).series is None


@pytest.mark.parametrize(
    ("chosen", "why"),
    [
        ({"points": "1"}, "points is about a series"),
        ({"series": "\x1b[2J"}, 'a series is "best of N"'),
        ({"series": "3", "points": "x"}, "points are a list of numbers"),
        ({"series": "3", "points": "1,2"}, "such a series is not possible"),
        ({"series": "3", "games": "fruitoplay,chess"}, "that cannot be played"),
        ({"series": "3", "games": "fruitoplay,frutopia", "seats": "5"}, "frutopia is for 2 to 4"),
        ({"series": "3", "game": "pixies", "games": "bastos,pixies"}, "the one of the table"),
    ],
)
def test_no_such_series(chosen: dict[str, str], why: str) -> None:
    with pytest.raises(Refusal) as caught:
        changed_offer(OFFER, chosen)
    assert why in str(caught.value)
    assert "\x1b" not in str(caught.value)


def test_a_contract_that_all_have_signed_stays_as_it_is() -> None:
    signed = evening()[0]
    game = signed.contract.plan.game(2)
    place = InSeries(signed.contract.id, 2, bytes(32))
    offer = Offer.of(registry.build(game.game, dict(game.options)), 3, game.limits)
    offer = replace(offer, series=SeriesOffer.following(signed, place))
    assert changed_offer(offer, {"seats": "4"}).series == offer.series
    for word, value in (("series", "5"), ("games", "pebbles"), ("points", "9")):
        with pytest.raises(Refusal, match="have signed the contract"):
            changed_offer(offer, {word: value})
    assert changed_offer(offer, {"series": "no"}).series is None
    assert changed_offer(offer, {"turn": "90"}).series is None
