"""Lobbies of real programs: what the host changes, whom it sends away, and who agrees."""

from tests.processes.hall import Event, Hall, Program, invited


def players(program: Program, count: int, *, agreed: int | None = None) -> Event:
    """Waits until so many players are there, of whom so many have agreed."""

    def holds(lobby: Event) -> bool:
        yes = sum(player["agreed"] for player in lobby["players"])
        return len(lobby["players"]) == count and agreed in (None, yes)

    return program.sees("lobby", holds)


def asked(program: Program, **fields: object) -> str:
    """Waits until its player is asked about an offer; its id."""
    offer = program.sees("lobby", lambda lobby: lobby["asked"] and fields.items() <= lobby.items())[
        "offer"
    ]
    assert isinstance(offer, str)
    return offer


def test_a_table_that_starts_early_with_other_options_and_a_bot(hall: Hall) -> None:
    host = hall.host("anna", "punnet", 4)
    guest = hall.join("ben", host)
    lobby = players(host, 2)
    assert lobby["players"][1]["from"] == "machine"
    assert host.tells("invitation")["reach"] == "machine"
    host.types("options ties=all turn=90")
    first = asked(guest)
    guest.types("agree ffff")  # another offer
    guest.tells("reply", lines=["the host has changed the offer again"])
    guest.types(f"agree {first}")
    players(host, 2, agreed=2)
    host.types("bot random")
    assert players(host, 3)["players"][2]["bot"]
    host.types("start")
    guest.types(f"agree {asked(guest, seats=3)}")
    for program in (host, guest):
        done = program.tells("done")
        assert done["verdict"] == "final"
        assert done["options"] == {"ties": "all"}
        assert done["limits"]["turn_s"] == 90
        assert len(done["seats"]) == 3
        assert program.ends() == 0
    hall.the_same(["anna", "ben"])
    code, _reports = hall.verify("anna")
    assert code == 0


def test_a_person_sees_what_has_changed_and_agrees_with_a_word(hall: Hall) -> None:
    host = hall.host("anna", "punnet", 3)
    person = hall.start("ben", "join", invited(host), "--plain")
    person.says("2 of 3 players are here: anna, ben")
    person.types("say hello \x1b[31mthere")
    assert host.tells("lobby_chat")["text"] == "hello \x1b[31mthere"
    host.types("say welcome")
    person.says("(lobby) <anna> welcome")
    host.types("options ties=all")
    person.says("anna has changed what is played:")
    person.says("ties: contending -> all")
    person.says("type agree to play on")
    person.types("who")
    person.says("anna: this computer")
    person.types("agree")
    players(host, 2, agreed=2)
    host.types("start")
    person.says("anna starts with 2 players")
    person.types("agree")
    person.says("punnet, 2 players")
    person.types("quit")
    assert host.ends() != 1


def test_a_guest_who_never_agrees_is_sent_away_and_does_not_come_back(hall: Hall) -> None:
    host = hall.host("anna", "punnet", 4)
    guest = hall.join("cleo", host)
    idle = hall.start("ben", "join", invited(host), "--plain")
    players(host, 3)
    host.types("start")
    guest.types(f"agree {asked(guest)}")
    players(host, 3, agreed=2)
    host.types("free ben")
    host.tells("reply", lines=["the seat of ben is free"])
    assert idle.ends() == 1
    idle.says("the host has freed your seat")
    idle.says("hint: ")
    host.types("start")
    guest.types(f"agree {asked(guest, seats=2)}")
    assert host.ends() == guest.ends() == 0
    assert len(hall.table("anna").roster.players) == 2


def test_a_bot_is_removed_and_a_player_comes_with_the_same_invitation(hall: Hall) -> None:
    host = hall.host("anna", "punnet", 3, "--bots", "random")
    lobby = players(host, 2)
    assert lobby["players"][1]["name"] == "bot Ada"
    host.types("remove bot Ada")
    host.types("start")
    host.sees("reply", lambda reply: "punnet is for 2 to" in "".join(reply["lines"]))
    guests = [hall.join(name, host) for name in ("ben", "cleo")]
    for program in (host, *guests):
        assert program.tells("done")["verdict"] == "final"
        assert program.ends() == 0
    names = {player.name for player in hall.table("anna").roster.players}
    assert names == {"anna", "ben", "cleo"}
