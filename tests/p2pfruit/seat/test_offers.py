"""What a host types to change its offer."""

import pytest

from engine import registry
from p2pfruit.exits import Refusal
from p2pfruit.seat.offers import changed_offer, options_of
from protocol.peer.lobby import Offer

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
