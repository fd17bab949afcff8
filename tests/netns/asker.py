"""python -m tests.netns.asker PORT [LIFETIME]: asks the router for a port, and answers there.

Each answer of the router is printed as one line of JSON, "back" when all has been given back. It
ends when its standard input does, or when it is told to by SIGTERM: then by being cancelled.
"""

import json
import signal
import sys

import trio

from p2pfruit.net import limits
from p2pfruit.net.router.answers import Answer
from p2pfruit.net.router.asking import asked


def say(answer: Answer) -> None:
    said = {
        "granted": [f"{grant.how} {grant.address}" for grant in answer.granted],
        "tried": [f"{attempt.how} {attempt.reason.value}" for attempt in answer.tried],
        "why": [attempt.why for attempt in answer.tried],
        "carrier": answer.carrier,
    }
    print(json.dumps(said), flush=True)


async def echo(stream: trio.SocketStream) -> None:
    async for data in stream:
        await stream.send_all(data)


async def main(port: int) -> None:
    async with trio.open_nursery() as nursery:
        for host in ("0.0.0.0", "::"):
            [listener] = await trio.open_tcp_listeners(port, host=host)
            nursery.start_soon(trio.serve_listeners, echo, [listener])
        nursery.start_soon(end_when_told, nursery.cancel_scope)
        async with asked(port, say) as answer:
            say(answer)
            while await trio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True):
                pass
        nursery.cancel_scope.cancel()
    print("back", flush=True)


async def end_when_told(scope: trio.CancelScope) -> None:
    with trio.open_signal_receiver(signal.SIGTERM) as signals:
        async for _number in signals:
            scope.cancel()


if __name__ == "__main__":
    if sys.argv[2:]:
        limits.ROUTER_LIFETIME_S = int(sys.argv[2])
        limits.ROUTER_RENEW_LEAST_S = 0.0
    trio.run(main, int(sys.argv[1]))
