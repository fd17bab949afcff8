from contextlib import suppress

import pytest
import trio

from p2pfruit.net import limits
from p2pfruit.net.tor.control import ControlError, RefusedCommand
from tests.p2pfruit.net.tor.scripted import OK, Script, connected

EVENT = "650 HS_DESC CREATED x"


async def test_commands_are_answered_in_order() -> None:
    async with connected(Script(ONE="250 1", TWO="250 2")) as control:
        found = {}

        async def ask(word: str) -> None:
            found[word] = (await control.ask(word)).lines

        async with trio.open_nursery() as nursery:
            nursery.start_soon(ask, "ONE")
            nursery.start_soon(ask, "TWO")
        assert found == {"ONE": ("1",), "TWO": ("2",)}


async def test_the_answer_to_a_cancelled_question_is_not_that_to_the_next() -> None:
    script = Script(SLOW="", NEXT="250 slow\r\n250 next")
    async with connected(script) as control:
        with trio.move_on_after(0.01):
            await control.ask("SLOW")
        assert (await control.ask("NEXT")).lines == ("next",)


async def test_a_refused_command_is_not_the_end() -> None:
    async with connected(Script(BAD="552 Unrecognized option", GOOD=OK)) as control:
        with pytest.raises(RefusedCommand, match="Unrecognized option") as caught:
            await control.ask("BAD")
        assert caught.value.code == 552
        await control.ask("GOOD")


@pytest.mark.parametrize("answer", ["HTTP/1.1 400 Bad Request", "250 a\r\n250 unasked", None])
async def test_nonsense_and_silence_end_it(answer: str | None) -> None:
    script = Script(ASK=lambda _line: answer, AGAIN=OK)
    async with connected(script) as control:
        with suppress(ControlError):  # the reply comes before the nonsense, or does not
            await control.ask("ASK")
        await control.lost.wait()
        await script.closed.wait()
        with pytest.raises(ControlError) as caught:
            await control.ask("AGAIN")
        assert str(caught.value) == control.why != ""


async def test_a_question_has_a_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TOR_ANSWER_S", 0)
    async with connected(Script(ASK="")) as control:
        with pytest.raises(ControlError, match="does not answer"):
            await control.ask("ASK")


async def test_events_go_to_those_who_wait_for_them() -> None:
    script = Script(ASK=f"{EVENT}1\r\n650 OTHER\r\n{EVENT}2\r\n250 OK", END=lambda _line: None)
    async with connected(script) as control:
        await control.ask("ASK")  # nobody waits yet
        with control.events("HS_DESC") as events:
            await control.ask("ASK")
            assert [(await events.receive()).lines[0][-1] for _two in range(2)] == ["1", "2"]
            with pytest.raises(ControlError):
                await control.ask("END")
            with pytest.raises(trio.EndOfChannel):
                await events.receive()
        with control.events("HS_DESC") as events, pytest.raises(trio.EndOfChannel):
            await events.receive()


async def test_a_flood_of_events_is_dropped() -> None:
    flood = f"{EVENT}\r\n" * (limits.TOR_EVENTS_MOST + 10) + OK
    async with connected(Script(ASK=flood)) as control:
        with control.events("HS_DESC") as events:
            await control.ask("ASK")
            assert events.statistics().current_buffer_used == limits.TOR_EVENTS_MOST
