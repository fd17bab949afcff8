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


def test_mute_hides_somebody_until_unmute(hall: Hall) -> None:
    host = hall.host("anna", "punnet", 3)
    reader = hall.start("ben", "join", invited(host), "--plain")
    talker = hall.start("cleo", "join", invited(host), "--plain")
    for person in (reader, talker):
        person.says("punnet, 3 players")
    reader.types("mute cleo")
    reader.says("cleo is muted")
    for line in ("say one", "say two", "quit"):
        talker.types(line)
    reader.says("cleo left at step")  # said after the rest
    reader.types("unmute")
    reader.says("cleo is heard again")
    reader.says("not shown: 2 lines of cleo")
    assert not [line for line in reader.lines if "<cleo>" in line]


def test_at_a_silent_table_nobody_talks(hall: Hall) -> None:
    host = hall.host("anna", "punnet", 2, "--no-chat")
    person = hall.start("ben", "join", invited(host), "--plain")
    person.says("punnet, 2 players")
    person.types("say hello")
    person.says("chat is off at this table")
    assert host.events("chat") == []
