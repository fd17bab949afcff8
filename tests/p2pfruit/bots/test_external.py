"""Programs in a seat: what they hear, what they may answer, and that nothing is left of them."""

import json
import os
import shlex
import signal
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio

from engine import registry
from engine.dealer import Dealer
from engine.moves import Event, Move
from engine.needs import FINISHED, Done
from engine.views import View
from p2pfruit.bots import limits
from p2pfruit.bots.external import BotFailed, ExternalBot, split_command
from p2pfruit.exits import FAILED, USAGE, Refusal
from tests.games import registered

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "docs" / "examples" / "mybot.py"
GAME = registry.build("fruitoplay")

Complain = Callable[[str], None]
Run = AbstractAsyncContextManager[ExternalBot]

# What the programs below have in common: `told` is what came in, `say` a line that goes out.
BEGINNING = """
import json, os, signal, sys

def told():
    return json.loads(sys.stdin.readline())

def asked():
    while (message := told())["what"] != "choose":
        pass
    return message

def say(message):
    print(message if isinstance(message, str) else json.dumps(message), flush=True)

def remark(text):
    print(text, file=sys.stderr, flush=True)

def play():
    for line in sys.stdin:
        question = json.loads(line)
        if question["what"] == "choose":
            say({"number": question["number"], "choose": 0})
"""


class Said(list[str]):
    """What a bot wrote to stderr, and a way to wait for it."""

    def __init__(self) -> None:
        super().__init__()
        self._more = trio.Event()

    def __call__(self, line: str) -> None:
        self.append(line.removeprefix("bot: "))
        self._more.set()
        self._more = trio.Event()

    async def wait_for(self, line: str) -> None:
        while line not in self:
            await self._more.wait()


@pytest.fixture(autouse=True)
def long_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine an end takes its time; what is tested is how it ends, not how soon."""
    monkeypatch.setattr(limits, "EXTERNAL_GRACE_S", 60.0)


def ignore(line: str) -> None:
    pass


def view() -> View[Any]:
    return Dealer(GAME, GAME.start(2), Random("cards")).view(1)


# A clock that jumps passes over the time of a decision, which is then infinite where the bot has
# to do something first.
def run(script: str, complain: Complain = ignore, timeout_s: float = 60) -> Run:
    # -S: without site-packages it starts at once.
    command = shlex.join([sys.executable, "-S", "-c", BEGINNING + script])
    return ExternalBot.run(command, GAME, seat=1, seats=2, timeout_s=timeout_s, complain=complain)


async def choose(script: str, complain: Complain = ignore) -> Move:
    async with run(script, complain) as bot:
        return await bot.choose(view())


async def failure(script: str) -> BotFailed:
    with pytest.raises(BotFailed) as raised:
        await choose(script)
    assert raised.value.code == FAILED
    return raised.value


async def test_the_example_plays_a_whole_game() -> None:
    command = shlex.join([sys.executable, str(EXAMPLE)])
    dealer = Dealer(GAME, GAME.start(3), Random("a game"))
    rng = Random("the others")
    said = Said()
    async with ExternalBot.run(command, GAME, seat=1, seats=3, timeout_s=60, complain=said) as bot:
        while asked := dealer.asked:
            await bot.tell(dealer.take_events())
            moves = {seat: rng.choice(dealer.view(seat).moves()) for seat in asked}
            if 1 in asked:
                moves[1] = await bot.choose(dealer.view(1))
            dealer.answer([moves[seat] for seat in asked])
        await bot.done(dealer.state)
    assert isinstance(dealer.state.need, Done)
    assert dealer.state.need.ended == FINISHED
    assert said == []


def test_the_page_shows_the_example() -> None:
    assert EXAMPLE.read_text("utf-8") in (ROOT / "docs" / "bots.md").read_text("utf-8")


async def test_what_it_is_told(tmp_path: Path) -> None:
    log = tmp_path / "log"
    script = f"""
with open({str(log)!r}, "w") as log:
    for line in sys.stdin:
        log.write(line)
        if json.loads(line)["what"] == "choose":
            say({{"number": 1, "choose": 2}})
"""
    seen = view()
    over = Dealer(GAME, GAME.start(2), Random("over"))
    over.retire([0])
    async with run(script) as bot:
        await bot.tell([Event("round", None, (1,)), Event("plays", 0, ("fig-3",))])
        assert await bot.choose(seen) == seen.moves()[2]
        await bot.done(over.state)
    game, events, question, done = map(json.loads, log.read_text().splitlines())
    assert game == {
        "what": "game",
        "protocol": 1,
        "game": "fruitoplay",
        "rules_id": GAME.rules_id,
        "options": GAME.chosen,
        "content": "even spread",
        "tables": GAME.content.tables,
        "seats": 2,
        "me": 1,
    }
    assert events["events"] == [
        {"what": "round", "seat": None, "data": [1]},
        {"what": "plays", "seat": 0, "data": ["fig-3"]},
    ]
    assert question["number"] == 1
    assert question["state"]["need"] == {"what": "card", "seats": [0, 1], "secret": True}
    assert question["state"]["river"] == list(seen.state.river)
    assert question["hand"] == list(seen.hand)
    assert question["moves"] == [str(move) for move in seen.moves()]
    assert question["view"]["me"] == 1
    faces = {int(slot): face for slot, face in question["view"]["faces"].items()}
    opened = {slot for slot in range(seen.state.made) if seen.state.faces[slot]}
    assert set(faces) == opened | set(seen.hand)
    assert all(face == seen.face(slot) for slot, face in faces.items())
    assert done == {"what": "done", "ended": "abandoned", "places": [2, 1], "scores": []}


async def test_any_game_can_be_told() -> None:
    with registered():
        game = registry.build("brambles")
    dealer = Dealer(game, game.start(3), Random("brambles"))
    command = shlex.join([sys.executable, "-S", "-c", BEGINNING + "play()"])
    async with ExternalBot.run(command, game, seat=0, seats=3, complain=Said()) as bot:
        while asked := dealer.asked:
            moves = [dealer.view(seat).moves()[0] for seat in asked]
            if 0 in asked:
                assert await bot.choose(dealer.view(0)) == moves[asked.index(0)]
            dealer.answer(moves)


@pytest.mark.parametrize("number", range(2))
async def test_a_move_by_its_text(number: int) -> None:
    script = f'question = asked(); say({{"number": 1, "move": question["moves"][{number}]}})'
    assert await choose(script) == view().moves()[number]


async def test_the_last_line_needs_no_line_feed() -> None:
    script = """asked(); sys.stdout.write('{"number": 1, "choose": 0}')"""
    assert await choose(script) == view().moves()[0]


MOVES = len(view().moves())

BAD = {
    "hello": "not a JSON object: hello",
    "[1]": "not a JSON object: [1]",
    "[" * 5000: "not a JSON object: [[[[",
    "1" * 5000: "not a JSON object: 1111",
    r"\x1b[2J": r"not a JSON object: \x1b[2J",
    '{"choose": 0}': 'the number is not 1: {"choose": 0}',
    '{"number": 2, "choose": 0}': "the number is not 1: ",
    '{"number": true, "choose": 0}': "the number is not 1: ",
    '{"number": [1], "choose": 0}': "the number is not 1: ",
    '{"number": 1}': 'neither move nor choose: {"number": 1}',
    '{"number": 1, "choose": 99}': f"not one of the {MOVES} moves: ",
    '{"number": 1, "choose": -1}': f"not one of the {MOVES} moves: ",
    '{"number": 1, "choose": true}': f"not one of the {MOVES} moves: ",
    '{"number": 1, "move": "play #99"}': f"not one of the {MOVES} moves: ",
    '{"number": 1, "move": ["play #0"]}': f"not one of the {MOVES} moves: ",
}


@pytest.mark.parametrize("answer", BAD, ids=lambda answer: answer[:40])
async def test_a_bad_answer_is_told_once_then_it_has_failed(answer: str) -> None:
    said = Said()
    script = f"""
asked()
say({answer!r})
error = told()
remark(error["what"] + str(error["number"]) + error["message"])
say({{"number": 1, "choose": 1}})
"""
    assert await choose(script, said) == view().moves()[1]
    [remark] = said
    assert remark.replace("\\\\", "\\").startswith(f"error1{BAD[answer]}")
    failed = await failure(f"asked(); say({answer!r}); told(); say({answer!r}); told()")
    assert f"the bot gave two bad answers; the second: {BAD[answer]}" in str(failed)
    assert '{"number": 7, "move": "play #31"}' in str(failed.hint)


async def test_bytes_that_are_no_text() -> None:
    script = r"asked(); [os.write(1, b'\xff\n') for _ in range(2)]; told(); told()"
    assert "not a JSON object: �" in str(await failure(script))


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("sys.exit(3)", "the bot ended with exit code 3"),
        ("asked(); sys.exit(0)", "the bot ended with exit code 0"),
        ("asked(); os.kill(os.getpid(), 9)", "the bot was killed by signal 9"),
        ("asked(); say('x' * 20_000)", "the bot wrote a line of more than 16384 bytes"),
    ],
)
async def test_a_failure_says_what_it_did(script: str, message: str) -> None:
    assert str(await failure(script)) == message


async def test_its_last_words_come_before_its_failure() -> None:
    said = Said()
    with pytest.raises(BotFailed, match="exit code 1"):
        await choose("asked(); raise KeyError('fig')", said)
    assert said[0] == "Traceback (most recent call last):"
    assert said[-1] == "KeyError: 'fig'"


async def tell_without_end(bot: ExternalBot, event: Event) -> None:
    while True:
        await bot.tell([event])


async def test_it_is_gone_before_it_is_told() -> None:
    async with run("sys.exit(3)") as bot:
        with pytest.raises(BotFailed, match="the bot ended with exit code 3"):
            await tell_without_end(bot, Event("round", None, (1,)))


async def test_it_goes_silent(autojump_clock: trio.testing.MockClock) -> None:
    async with run("asked(); os.close(1); signal.pause()", timeout_s=inf) as bot:
        with pytest.raises(BotFailed, match="closed its input or output"):
            await bot.choose(view())


async def test_it_never_answers(autojump_clock: trio.testing.MockClock) -> None:
    async with run("signal.pause()", timeout_s=7.5) as bot:
        began = trio.current_time()
        with pytest.raises(BotFailed, match=r"did not answer within 7\.5 s"):
            await bot.choose(view())
        assert trio.current_time() - began == pytest.approx(7.5)


async def test_the_second_try_has_no_time_of_its_own(
    autojump_clock: trio.testing.MockClock,
) -> None:
    with pytest.raises(BotFailed, match="did not answer within"):
        await choose("asked(); say('what?'); signal.pause()")


async def test_it_never_reads(autojump_clock: trio.testing.MockClock) -> None:
    async with run("signal.pause()") as bot:
        with pytest.raises(BotFailed, match="does not read its input"):
            await tell_without_end(bot, Event("plays", 0, ("fig-3",) * 1000))


async def test_what_it_remarks_is_shown_and_not_obeyed() -> None:
    said = Said()
    script = r"""
sys.stderr.buffer.write(b"\x1b]0;title\x07 a\tb \xff\n" + b"x" * 700 + b"\n")
play()
"""
    await choose(script, said)
    assert said == [r"\x1b]0;title\x07 a    b �", "x" * 500, "x" * 200]


async def test_a_flood_of_remarks_ends() -> None:
    said = Said()
    await choose("[remark('more') for _ in range(100_000)]; play()", said)
    assert len(said) == limits.EXTERNAL_REMARKS_MOST + 1
    assert said[-1] == "any more output is not shown"


async def test_as_many_remarks_as_are_shown() -> None:
    said = Said()
    await choose(f"[remark('ok') for _ in range({limits.EXTERNAL_REMARKS_MOST})]; play()", said)
    assert said == ["ok"] * limits.EXTERNAL_REMARKS_MOST


async def test_a_late_answer_to_a_withdrawn_question_is_passed_over() -> None:
    said = Said()
    script = """
asked()
remark("thinking")
asked()
say({"number": 1, "choose": 0})
say({"number": 2, "choose": 3})
play()
"""
    async with run(script, said) as bot:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(bot.choose, view())
            await said.wait_for("thinking")
            nursery.cancel_scope.cancel()
        assert await bot.choose(view()) == view().moves()[3]
        assert await bot.choose(view()) == view().moves()[0]


async def test_an_answer_given_twice_is_a_bad_one() -> None:
    script = """
asked()
say({"number": 1, "choose": 0})
say({"number": 1, "choose": 0})
remark(told()["what"])
remark(told()["message"])
play()
"""
    said = Said()
    async with run(script, said) as bot:
        await bot.choose(view())
        async with trio.open_nursery() as nursery:
            nursery.start_soon(bot.choose, view())
            await said.wait_for('the number is not 2: {"number": 1, "choose": 0}')
            nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("", "cannot start the bot '': the command is empty"),
        ("python 'mybot.py", "a quotation mark is not closed"),
        ("no-such-program at all", "there is no program no-such-program"),
    ],
)
def test_a_command_that_cannot_be_started(command: str, why: str) -> None:
    with pytest.raises(Refusal, match=why) as raised:
        split_command(command)
    assert raised.value.code == USAGE
    assert '--bot "python mybot.py"' in str(raised.value.hint)


async def test_a_file_that_is_no_program(tmp_path: Path) -> None:
    path = tmp_path / "bot"
    path.write_bytes(b"\0\1\2")
    path.chmod(0o755)
    with pytest.raises(Refusal, match="Exec format error"):
        async with ExternalBot.run(str(path), GAME, seat=0, seats=2, complain=Said()):
            pass


# Nothing of it is left.


class Witness:
    """A pipe that ends when every process that was given its other end is gone."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.stream = trio.lowlevel.FdStream(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
        self.hold = f"witness = os.open({str(path)!r}, os.O_WRONLY); os.set_inheritable(witness, 1)"

    async def wait(self) -> None:
        with trio.fail_after(60):
            assert await self.stream.receive_some() == b""
        await self.stream.aclose()


@pytest.fixture
def witness(tmp_path: Path) -> Witness:
    return Witness(tmp_path / "witness")


@pytest.fixture
def little_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "EXTERNAL_GRACE_S", 0.01)


STUBBORN = "signal.signal(signal.SIGTERM, signal.SIG_IGN)"
PARENT = "os.spawnv(os.P_NOWAIT, sys.executable, ['child', '-Sc', 'import signal; signal.pause()'])"


@pytest.mark.parametrize("character", ["pass", STUBBORN, PARENT, f"{PARENT}; {STUBBORN}"])
async def test_cancelled_it_is_gone(witness: Witness, character: str, little_grace: None) -> None:
    said = Said()
    script = f"{witness.hold}; {character}; remark('here'); asked(); signal.pause()"
    async with trio.open_nursery() as nursery:

        async def play() -> None:
            async with run(script, said) as bot:
                await bot.choose(view())

        nursery.start_soon(play)
        await said.wait_for("here")
        nursery.cancel_scope.cancel()
    await witness.wait()


async def test_it_ends_by_itself_when_all_is_said() -> None:
    said = Said()
    script = """
signal.signal(signal.SIGTERM, lambda *_: remark("terminated"))
play()
remark("goodbye")
"""
    assert await choose(script, said) == view().moves()[0]
    assert said == ["goodbye"]


async def test_one_that_stays_is_ended(witness: Witness, little_grace: None) -> None:
    said = Said()
    async with run(f"{witness.hold}; remark('here'); signal.pause()", said):
        await said.wait_for("here")
    await witness.wait()


async def test_an_error_of_ours_comes_out_as_itself(witness: Witness) -> None:
    said = Said()

    async def err() -> None:
        async with run(f"{witness.hold}; remark('here'); signal.pause()", said):
            await said.wait_for("here")
            raise KeyError("ours")

    with pytest.raises(KeyError, match="ours"):
        await err()
    await witness.wait()


async def test_no_zombie_is_left() -> None:
    said = Said()
    async with run("remark(os.getpid()); play()", said) as bot:
        await bot.choose(view())
    with pytest.raises(ProcessLookupError):
        os.kill(int(said[0]), signal.SIGCONT)
