"""What players say to each other."""

from tests.processes.hall import Hall, invited


def test_chat_goes_to_everybody_and_is_shown_harmless(hall: Hall) -> None:
    host = hall.host("anna", "punnet", 3)
    person = hall.start("ben", "join", invited(host), "--plain")
    reader = hall.start("cleo", "join", invited(host), "--auto", "greedy")
    person.says("punnet, 3 players")
    person.types("say hello \x1b[31m{name}")
    assert host.tells("chat")["text"] == "hello \x1b[31m{name}"
    line = reader.says("<ben> hello ")
    assert "\x1b" not in line
    assert "[31m{name}" in line
