"""External bots: any program that reads lines of JSON and answers with lines of JSON.

    game     once, before all else: the game, and the bot's seat
    events   what happened
    choose   a decision: the table, what this seat knows, all legal moves; the bot answers with one
    error    the last answer was bad, and why; the bot may answer the same question once more
    done     how the game ended

docs/bots.md describes every field. Three rules hold:

- The program is started without a shell, in a session of its own. Nothing of it is left running at
  the end, however the game ends.
- The program costs bounded time and memory, no matter what it writes or does not read.
- Each question has a number, and so has its answer. A question that we no longer wait for is
  withdrawn. Its answer may still arrive, and is ignored.
"""

import json
import os
import shlex
import shutil
import signal
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import fields, is_dataclass
from functools import partial
from subprocess import PIPE
from typing import Any, Self

import trio

from engine.game import Game
from engine.moves import Event, Move
from engine.needs import Done, Seat
from engine.record import State
from engine.views import View
from p2pfruit.bots import limits
from p2pfruit.exits import USAGE, Refusal
from p2pfruit.language import text as _
from p2pfruit.text import places
from p2pfruit.text.safe import shortened, shown

PROTOCOL = 1

_EXAMPLE = '{"number": 7, "move": "play #31"}'


class BotFailed(Refusal):
    """The program cannot go on playing. The message says what it did."""


class _BadAnswer(Exception):
    """The line is not an answer to the question."""

    def __init__(self, why: str, line: bytes) -> None:
        said = shortened(line.decode(errors="replace").strip())
        super().__init__(_("{why}: {said}").format(why=why, said=said))


def split_command(command: str) -> list[str]:
    """Return the words of a command line. Raises Refusal if it does not name a program."""
    try:
        words = shlex.split(command)
    except ValueError:
        raise _cannot_start(command, _("a quotation mark is not closed")) from None
    if not words:
        raise _cannot_start(command, _("the command is empty"))
    if shutil.which(words[0]) is None:
        why = _("there is no program {name}").format(name=shortened(words[0]))
        raise _cannot_start(command, why)
    return words


class ExternalBot:
    """One external bot in one seat. `run` starts it."""

    def __init__(
        self, process: trio.Process, timeout_s: float, complain: Callable[[str], None]
    ) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._process = process
        self._stdin = process.stdin
        self._stdout = _Lines(process.stdout)
        self._stderr = _Lines(process.stderr)
        self._timeout_s = timeout_s
        self._complain = complain
        self._send, self._sent = trio.open_memory_channel[bytes](limits.EXTERNAL_LINES_WAITING_MOST)
        self._heard_out = trio.Event()  # set when all of its stderr was passed on
        self._number = 0
        self._unanswered: set[int] = set()

    @classmethod
    @asynccontextmanager
    async def run(
        cls,
        command: str,
        game: Game[Any],
        *,
        seat: Seat,
        seats: int,
        timeout_s: float = limits.EXTERNAL_ANSWER_S,
        complain: Callable[[str], None],
    ) -> AsyncIterator[Self]:
        """Start the program and tell it about the game; end it when the block is left.

        `timeout_s` is for each decision. `complain` gets what the program writes to stderr, line by
        line.
        """
        bot = cls(await _start(command), timeout_s, complain)
        failure = None
        async with bot._stdout.stream, bot._stderr.stream, trio.open_nursery() as nursery:
            nursery.start_soon(bot._write)
            nursery.start_soon(bot._pass_on)
            try:
                await bot._say(_game_line(game, seat, seats))
                yield bot
                await bot._let_go()
            except Exception as error:  # raised after the nursery, which would wrap it in a group
                failure = error
            finally:
                with trio.CancelScope(shield=True):
                    await bot._end()
            nursery.cancel_scope.cancel()
        if failure is not None:
            raise failure

    async def choose(self, view: View[Any]) -> Move:
        """Ask the bot for a move of this view. After a bad answer it gets one more try."""
        self._number += 1
        number = self._number
        moves = {str(move): move for move in view.moves()}
        assert moves, "only a seat that can move is asked"
        failed = _("the bot did not answer within {seconds} s")
        with self._in_time(failed.format(seconds=self._timeout_s)):
            self._unanswered.add(number)
            await self._say(_choose_line(number, view, list(moves)))
            try:
                move = await self._answer(number, moves)
            except _BadAnswer as bad:
                await self._say({"what": "error", "number": number, "message": str(bad)})
                move = await self._second_answer(number, moves)
            self._unanswered.discard(number)
            return move

    async def tell(self, events: Sequence[Event]) -> None:
        """Tell the bot what happened. It need not answer, but it must read."""
        with self._in_time(_("the bot does not read its input")):
            await self._say({"what": "events", "events": [event._asdict() for event in events]})

    async def done(self, state: State) -> None:
        """Tell the bot how the game ended. This is the last line that it gets."""
        need = state.need
        assert isinstance(need, Done)
        with self._in_time(_("the bot does not read its input")):
            await self._say(
                {
                    "what": "done",
                    "ended": need.ended,
                    "places": places.plain(need.places),
                    "scores": state.scores,
                }
            )

    # Output to the bot.

    @contextmanager
    def _in_time(self, failed: str) -> Iterator[None]:
        try:
            with trio.fail_after(self._timeout_s):
                yield
        except trio.TooSlowError:
            raise _failed(failed) from None

    async def _say(self, message: Mapping[str, object]) -> None:
        """Send a message. It is sent whole or not at all, even if we are cancelled.

        Another task writes it.
        """
        try:
            await self._send.send(json.dumps(message).encode() + b"\n")
        except trio.BrokenResourceError:
            raise await self._gone() from None

    async def _write(self) -> None:
        async with self._stdin, self._sent:
            with suppress(trio.BrokenResourceError):
                async for line in self._sent:
                    await self._stdin.send_all(line)

    # Input from the bot.

    async def _answer(self, number: int, moves: Mapping[str, Move]) -> Move:
        while True:
            line = await self._stdout.next(limits.EXTERNAL_LINE_BYTES_MOST)
            if not line:
                raise await self._gone()
            if len(line) == limits.EXTERNAL_LINE_BYTES_MOST and not line.endswith(b"\n"):
                failed = _("the bot wrote a line of more than {most} bytes")
                raise _failed(failed.format(most=limits.EXTERNAL_LINE_BYTES_MOST))
            answer = _parse(line)
            if not self._is_withdrawn(answer, number):
                try:
                    return _read(answer, number, moves)
                except ValueError as error:
                    raise _BadAnswer(str(error), line) from None

    async def _second_answer(self, number: int, moves: Mapping[str, Move]) -> Move:
        try:
            return await self._answer(number, moves)
        except _BadAnswer as bad:
            failed = _("the bot gave two bad answers; the second: {why}")
            raise _failed(failed.format(why=bad)) from None

    def _is_withdrawn(self, answer: Mapping[str, Any], number: int) -> bool:
        """Return True if this answers a question for which we no longer wait."""
        said = answer.get("number")
        if type(said) is not int or said == number or said not in self._unanswered:
            return False
        self._unanswered.discard(said)
        return True

    async def _pass_on(self) -> None:
        try:
            for _remark in range(limits.EXTERNAL_REMARKS_MOST):
                line = await self._stderr.next(limits.EXTERNAL_REMARK_BYTES_MOST)
                if not line:
                    return
                said = shown(line.decode(errors="replace").rstrip().expandtabs())
                self._complain(_("bot: {said}").format(said=said))
            if await self._stderr.next(1):
                self._complain(_("bot: any more output is not shown"))
            while await self._stderr.next(limits.EXTERNAL_REMARK_BYTES_MOST):
                pass
        finally:
            self._heard_out.set()

    # The end of the bot.

    async def _gone(self) -> BotFailed:
        """Return the error for a bot that ended, or that closed its input or output."""
        with trio.move_on_after(limits.EXTERNAL_GRACE_S):
            await self._process.wait()
            await self._heard_out.wait()  # its own explanation is shown before the failure
        code = self._process.returncode
        if code is None:
            message = _("the bot closed its input or output")
        elif code < 0:
            message = _("the bot was killed by signal {number}").format(number=-code)
        else:
            message = _("the bot ended with exit code {code}").format(code=code)
        hint = _("a bot must run until its input ends; what it wrote to stderr is shown above")
        return BotFailed(message, hint=hint)

    async def _let_go(self) -> None:
        """Close the bot's input and wait a little. Most programs end with their input."""
        self._send.close()
        with trio.move_on_after(limits.EXTERNAL_GRACE_S):
            await self._process.wait()

    async def _end(self) -> None:
        if self._process.returncode is None:
            self._signal(signal.SIGTERM)
            with trio.move_on_after(limits.EXTERNAL_GRACE_S):
                await self._process.wait()
        self._signal(signal.SIGKILL)  # this also kills processes that the bot started
        await self._process.wait()
        with trio.move_on_after(limits.EXTERNAL_GRACE_S):
            await self._heard_out.wait()

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):  # no process is left, or only zombies
            os.killpg(self._process.pid, number)


class _Lines:
    """The lines of a stream, cut at a maximal length."""

    def __init__(self, stream: trio.abc.ReceiveStream) -> None:
        self.stream = stream
        self._buffer = bytearray()

    async def next(self, most: int) -> bytes:
        """Return the next line with its line feed; b"" at the end of the stream.

        A line without a line feed is longer than `most`, or the last one.
        """
        while (end := self._buffer.find(b"\n", 0, most)) < 0 and len(self._buffer) < most:
            piece = await self.stream.receive_some(most)
            if not piece:
                break
            self._buffer += piece
        size = end + 1 if end >= 0 else most
        line = bytes(self._buffer[:size])
        del self._buffer[:size]
        return line


async def _start(command: str) -> trio.Process:
    words = split_command(command)
    start = partial(trio.lowlevel.open_process, stdin=PIPE, stdout=PIPE, stderr=PIPE)
    try:
        return await start(words, start_new_session=True)
    except OSError as error:
        raise _cannot_start(command, error.strerror or str(error)) from None


def _cannot_start(command: str, why: str) -> Refusal:
    message = _("cannot start the bot {command}: {why}")
    return Refusal(
        message.format(command=repr(shortened(command)), why=why),
        hint=_("give a program with its arguments: {example}").format(
            example='--bot "python mybot.py"'
        ),
        code=USAGE,
    )


def _failed(message: str) -> BotFailed:
    hint = _("an answer is one line of JSON: {example}; see docs/bots.md")
    return BotFailed(message, hint=hint.format(example=_EXAMPLE))


def _game_line(game: Game[Any], seat: Seat, seats: int) -> dict[str, object]:
    return {
        "what": "game",
        "protocol": PROTOCOL,
        "game": game.name,
        "rules_id": game.rules_id,
        "options": game.chosen,
        "content": game.content.title,
        "tables": game.content.tables,
        "seats": seats,
        "me": seat,
    }


def _choose_line(number: int, view: View[Any], moves: list[str]) -> dict[str, object]:
    state = view.state
    faces = {slot: view.face(slot) for slot in range(state.first, state.made)}
    return {
        "what": "choose",
        "number": number,
        "state": _plain(state),
        "view": {
            "me": view.seat,
            "faces": {slot: face for slot, face in faces.items() if face is not None},
        },
        "hand": view.hand,
        "moves": moves,
    }


def _plain(value: Any) -> Any:
    """Return a value for JSON: records become objects with their fields by name."""
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    return value


def _parse(line: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(line.decode())
    except (ValueError, RecursionError):  # a RecursionError means that lists are nested too deep
        answer = None
    if not isinstance(answer, dict):
        raise _BadAnswer(_("not a JSON object"), line)
    return answer


def _read(answer: Mapping[str, Any], number: int, moves: Mapping[str, Move]) -> Move:
    """Return the move of an answer. Raises ValueError with what is wrong."""
    said = answer.get("number")
    if type(said) is not int or said != number:
        raise ValueError(_("the number is not {number}").format(number=number))
    match answer:
        case {"move": str(text)} if text in moves:
            return moves[text]
        case {"choose": int(at)} if type(at) is int and 0 <= at < len(moves):
            return list(moves.values())[at]
        case {"move": _wrong} | {"choose": _wrong}:
            raise ValueError(_("not one of the {count} moves").format(count=len(moves)))
    raise ValueError(_("neither move nor choose"))
