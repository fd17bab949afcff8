"""What players are told before they sit down: the real programs, and a deck that lies."""

from pathlib import Path

from tests.p2pfruit.games.test_terms import doctored
from tests.processes.hall import Hall, invited

OWN = 'cards: own cards, not the ones shipped: "as shipped" ('


def test_a_deck_that_calls_itself_shipped_is_shown_as_what_it_is(
    hall: Hall, tmp_path: Path
) -> None:
    deck = tmp_path / "deck.toml"
    deck.write_text(doctored(), encoding="utf-8")
    host = hall.host("anna", "fruitoplay", 2, "--content", str(deck), "--no-chat")
    offered = host.tells("lobby")
    assert offered["options"] == {"ties": "contending"}
    assert offered["limits"]["chat"] == 0
    assert offered["cards"]["title"] == "as shipped"
    assert offered["cards"]["shipped"] is False
    guest = hall.start("ben", "join", invited(host), "--auto", "greedy", "--plain")
    for line in ("game: fruitoplay for 2 players", "options: ties (among contenders)", OWN):
        guest.says(line)
    guest.says("limits: ")
    guest.says("no chat")
    done = host.tells("done")
    assert done["cards"] == host.tells("table")["cards"] == offered["cards"]
    assert "cards: as shipped" not in "\n".join(guest.lines)
    verify = hall.start("cleo", "verify", done["file"])
    assert verify.ends() == 0
    assert OWN + offered["cards"]["sha256"][:12] in "\n".join(verify.lines)
    assert "cards: as shipped" not in "\n".join(verify.lines)
