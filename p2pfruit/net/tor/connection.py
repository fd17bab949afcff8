"""A control connection: commands are answered in order, and events go to whoever waits for them."""

import math
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

import trio

from p2pfruit.language import text as _
from p2pfruit.net import limits
from p2pfruit.net.tor.control import ControlError, RefusedCommand, Replies, Reply, command


class Control:
    """`lost` is set when the connection has ended, and `why` then says why.

    `run` must be running, as it reads all that comes.
    """

    def __init__(self, stream: trio.SocketStream) -> None:
        self.lost = trio.Event()
        self.why = ""
        self._stream = stream
        self._replies = Replies()
        self._asked: deque[_Question] = deque()
        self._sending = trio.Lock()
        self._listeners: dict[str, trio.MemorySendChannel[Reply]] = {}

    async def run(self) -> None:
        """Read until the connection ends, or its other end talks nonsense."""
        try:
            while data := await self._stream.receive_some(limits.READ_SIZE_MOST):
                for reply in self._replies.feed(bytes(data)):
                    self._take(reply)
            self._end(_closed())
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            self._end(_closed())
        except ControlError as error:
            self._end(str(error))
        finally:
            self._end(_closed())
            await trio.aclose_forcefully(self._stream)

    async def ask(self, *words: str, wait_s: float = math.inf) -> Reply:
        """Send a command and return the reply. Raises ControlError."""
        question = _Question()
        try:
            with trio.fail_after(min(wait_s, limits.TOR_ANSWER_S)):
                async with self._sending:
                    if self.lost.is_set():
                        raise ControlError(self.why)
                    self._asked.append(question)  # also if we are cancelled: its reply comes
                    await self._stream.send_all(command(*words))
                await question.answered.wait()
        except trio.TooSlowError:
            raise ControlError(_("it does not answer")) from None
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise ControlError(_closed()) from None
        reply = question.reply
        if reply is None:
            raise ControlError(self.why)
        if reply.code // 100 != 2:
            raise RefusedCommand(reply.code, reply.lines[-1])
        return reply

    @contextmanager
    def events(self, kind: str) -> Iterator[trio.MemoryReceiveChannel[Reply]]:
        """Provide the events of this kind. Tor must have been asked for them.

        Those that come while too many wait to be read are dropped. The channel ends with the
        connection.
        """
        assert kind not in self._listeners
        send, receive = trio.open_memory_channel[Reply](limits.TOR_EVENTS_MOST)
        if self.lost.is_set():
            send.close()
        self._listeners[kind] = send
        try:
            with receive:
                yield receive
        finally:
            del self._listeners[kind]
            send.close()

    async def aclose(self) -> None:
        await trio.aclose_forcefully(self._stream)

    def _take(self, reply: Reply) -> None:
        if not reply.is_event:
            if not self._asked:
                raise ControlError(_("it does not talk like tor"))
            self._asked.popleft().answer(reply)
            return
        listener = self._listeners.get(reply.lines[0].partition(" ")[0])
        if listener is not None:
            try:
                listener.send_nowait(reply)
            except (trio.WouldBlock, trio.BrokenResourceError):
                return

    def _end(self, why: str) -> None:
        if self.lost.is_set():
            return
        self.why = why
        self.lost.set()
        for question in self._asked:
            question.answer(None)
        self._asked.clear()
        for listener in self._listeners.values():
            listener.close()


def _closed() -> str:
    return _("it has closed the control connection")


class _Question:
    def __init__(self) -> None:
        self.answered = trio.Event()
        self.reply: Reply | None = None

    def answer(self, reply: Reply | None) -> None:
        self.reply = reply
        self.answered.set()
