import base64
from collections.abc import Sequence

import pytest

from p2pfruit.net import limits
from p2pfruit.net.addresses import Address
from p2pfruit.net.onions import BadOnion
from p2pfruit.net.tor.progress import NoTor, Progress
from p2pfruit.net.tor.publishing import KEY_SIZE, Onion, address_of, publish, withdraw
from tests.p2pfruit.net.tor.scripted import (
    HOST,
    NAME,
    OK,
    REFUSED,
    SECRET,
    SPELLED,
    Answer,
    connected,
    opened,
    unheard,
)

KEY = bytes(range(32)) + SECRET


def event(action: str, descriptor: str = "", relay: str = "$AA~a", name: str = NAME) -> str:
    return f"650 HS_DESC {action} {name} UNKNOWN {relay} {descriptor}".rstrip()


GOOD = [
    event("CREATED", "one", "UNKNOWN"),
    event("CREATED", "two", "UNKNOWN"),
    event("UPLOAD", "one"),
    event("UPLOADED"),
    event("UPLOAD", "two"),
    event("UPLOADED", name="b" * 56),
    event("UPLOADED"),
]


def added(events: Sequence[str], reply: str = "") -> Answer:
    reply = reply or f"250-ServiceID={NAME}\r\n250-PrivateKey=ED25519-V3:{SPELLED}\r\n250 OK"
    return "\r\n".join([*events[:1], reply, *events[1:]])


async def test_a_new_key() -> None:
    script = opened(ADD_ONION=added(GOOD))
    told: list[Progress] = []
    async with connected(script) as control:
        onion = await publish(control, None, 4000, told.append)
        assert onion == Onion(address=Address(HOST, limits.ONION_PORT), key=KEY)
        assert address_of(onion.key) == onion.address
        await withdraw(control, onion)
    where = f"Port={limits.ONION_PORT},127.0.0.1:4000"
    assert script.heard == [
        "SETEVENTS HS_DESC",
        f"ADD_ONION NEW:ED25519-V3 {where}",
        "SETEVENTS",
        f"DEL_ONION {NAME}",
    ]
    assert [one.percent for one in told] == [0, 50, 50, 50, 100]
    assert "SECRET" not in repr(onion)
    assert SPELLED not in repr(onion)


async def test_a_kept_key() -> None:
    script = opened(ADD_ONION=added(GOOD, f"250-ServiceID={NAME}\r\n250 OK"))
    async with connected(script) as control:
        assert (await publish(control, KEY, 4000, unheard)).key == KEY
    assert script.heard[1].startswith(f"ADD_ONION ED25519-V3:{SPELLED} Port=")


async def test_an_upload_that_fails_is_not_waited_for() -> None:
    events = [*GOOD[:3], event("FAILED", "one"), *GOOD[4:5], event("UPLOADED")]
    async with connected(opened(ADD_ONION=added(events))) as control:
        await publish(control, None, 4000, unheard)


async def test_the_rest_of_the_uploads_has_a_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TOR_PUBLISH_REST_S", 0)
    async with connected(opened(ADD_ONION=added(GOOD[:4]))) as control:
        await publish(control, None, 4000, unheard)


async def test_the_first_upload_has_a_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TOR_PUBLISH_S", 0)
    script = opened(ADD_ONION=added([event("FAILED", "one")]))
    async with connected(script) as control:
        with pytest.raises(NoTor, match="in time") as caught:
            await publish(control, None, 4000, unheard)
    assert caught.value.hint
    assert f"DEL_ONION {NAME}" in script.heard
    assert script.heard[-1] == "SETEVENTS"


def reply(service: str = NAME, key: str = f"ED25519-V3:{SPELLED}") -> str:
    return f"250-ServiceID={service}\r\n250-PrivateKey={key}\r\n250 OK"


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (REFUSED.strip(), "no"),
        (OK, "no ServiceID"),
        (reply(service="a" * 56), "no onion address"),
        (reply(service="../../x"), "no onion address"),
        (reply(service=NAME.upper()), "no onion address"),
        (f"250-ServiceID={NAME}\r\n250 OK", "no PrivateKey"),
        (reply(key="RSA1024:AAAA"), "no key"),
        (reply(key="ED25519-V3:!!"), "no key"),
        (reply(key="ED25519-V3:" + base64.b64encode(bytes(63)).decode()), "no key"),
    ],
)
async def test_a_tor_that_does_not(answer: str, why: str) -> None:
    async with connected(opened(ADD_ONION=answer)) as control:
        with pytest.raises(NoTor, match=f"did not publish the onion address: .*{why}") as caught:
            await publish(control, None, 4000, unheard)
        assert not control.lost.is_set()
    assert "p2pfruit then starts one of its own" in str(caught.value.hint)


async def test_another_address_than_that_of_the_key() -> None:
    other = bytes(32) + SECRET
    async with connected(opened(ADD_ONION=added(GOOD))) as control:
        with pytest.raises(NoTor, match="another address"):
            await publish(control, other, 4000, unheard)


async def test_a_tor_that_ends_meanwhile() -> None:
    async with connected(opened(ADD_ONION=lambda _line: None)) as control:
        with pytest.raises(NoTor, match="closed the control connection"):
            await publish(control, None, 4000, unheard)


@pytest.mark.parametrize("size", [0, KEY_SIZE - 1, KEY_SIZE + 1])
async def test_a_damaged_key(size: int) -> None:
    with pytest.raises(BadOnion):
        address_of(bytes(size))
    async with connected(opened()) as control:
        with pytest.raises(NoTor, match="is damaged") as caught:
            await publish(control, bytes(size), 4000, unheard)
    assert caught.value.hint
