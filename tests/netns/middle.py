"""python -m tests.netns.middle MODE: an attacker on the local network, between guests and a host.

It hears the host's announcement and announces a table of the same name at its own address. Whoever
calls there:

    passes    is connected to the host, and not a byte is changed
    swaps     is connected to the host, with the attacker's key in the place of the caller's
    answers   is connected to the host, with the attacker's share in the place of the host's
    claims    is told that the attacker is the host, who has its own key and guesses the code

It prints "ready" when it announces, and each code of a refusal that it sees as a false host.
"""

import sys
from dataclasses import replace
from secrets import token_bytes

import trio

from p2pfruit.net.addresses import Address
from p2pfruit.net.beacon import Announcement, Found, announce, listen
from protocol.crypto.identity import Identity
from protocol.errors import RemoteProtocolError
from protocol.link.codes import CodeEntry, Doorkeeper
from protocol.link.link import Link

MALLORY = Identity(bytes([77]) * 32)
AT_KEY, AT_SHARE = 19, 2  # where these stand in the first bytes of a caller, and of a host


async def hear_host() -> Found:
    heard: list[Found] = []
    with trio.CancelScope() as scope:

        def found(announced: Found) -> None:
            heard.append(announced)
            scope.cancel()

        await listen(found)
    return heard[0]


class Middle:
    def __init__(self, mode: str, host: Found) -> None:
        self.mode = mode
        self.host = host
        entrance = host.announcement.entrance
        assert entrance is not None
        self.entrance = entrance
        self.keeper = Doorkeeper(
            host=MALLORY.key,
            offer=entrance.offer,
            draw=token_bytes,
            knows=lambda _key: True,
            renewed=lambda _why: None,
        )

    def announcement(self, port: int) -> Announcement:
        entrance = self.keeper.entrance if self.mode == "claims" else self.entrance
        return replace(self.host.announcement, port=port, entrance=entrance)

    async def serve(self, caller: trio.SocketStream) -> None:
        try:
            await (self.pretend(caller) if self.mode == "claims" else self.pass_on(caller))
        except* (trio.BrokenResourceError, trio.ClosedResourceError):
            pass

    async def pass_on(self, caller: trio.SocketStream) -> None:
        share = CodeEntry(self.entrance, MALLORY.key, "0000", token_bytes(32)).hello[32:]
        there = MALLORY.key if self.mode == "swaps" else b""
        back = share if self.mode == "answers" else b""
        host = await trio.open_tcp_stream(*self.host.address)
        async with host, trio.open_nursery() as nursery:
            nursery.start_soon(carry, caller, host, there, AT_KEY)
            await carry(host, caller, back, AT_SHARE)
            nursery.cancel_scope.cancel()

    async def pretend(self, caller: trio.SocketStream) -> None:
        link = Link(
            keys=(),
            identity=MALLORY,
            instance=token_bytes(16),
            ephemeral=token_bytes(32),
            dialling=False,
            entrance_id=self.keeper.entrance.id,
        )
        async for data in caller:
            try:
                link.receive(bytes(data))
                if link.asks:
                    link.admit(self.keeper.answer(self.keeper.entrance.id, link.hello))
                await caller.send_all(link.pending())
            except RemoteProtocolError as error:
                print(error.code, flush=True)
                return


async def carry(
    source: trio.SocketStream, target: trio.SocketStream, instead: bytes, at: int
) -> None:
    """Carry bytes; once, put other ones at a place of the first part."""
    async for data in source:
        part = bytes(data)
        if instead:
            part, instead = part[:at] + instead + part[at + len(instead) :], b""
        await target.send_all(part)


async def main(mode: str) -> None:
    middle = Middle(mode, await hear_host())
    async with trio.open_nursery() as nursery:
        listeners = await nursery.start(trio.serve_tcp, middle.serve, 0)
        port = Address(*listeners[0].socket.getsockname()[:2]).port
        nursery.start_soon(announce, lambda: middle.announcement(port))
        print(f"ready {port}", flush=True)


if __name__ == "__main__":
    trio.run(main, sys.argv[1])
