"""The star: the hub can be reached, nobody else can, and nothing gets out."""

import subprocess
from collections.abc import Iterator

import pytest

from tests.netns.programs import TRY, call, start_echo
from tests.netns.star import Star

pytestmark = pytest.mark.needs("namespaces")

TALK = "echo(call(), b'hello'); print('heard')"


@pytest.fixture(scope="module")
def star() -> Iterator[Star]:
    with Star(hosts=3) as net:
        for host in net.hosts:
            start_echo(net, host)
        yield net


@pytest.mark.parametrize("host", [1, 2, 3])
def test_all_reach_the_hub(star: Star, host: int) -> None:
    assert call(star, host, 1, TALK) == "heard\n"


def test_the_hub_reaches_all(star: Star) -> None:
    assert call(star, 1, 3, TALK) == "heard\n"


def test_a_leaf_cannot_reach_a_leaf(star: Star) -> None:
    assert call(star, 2, 3, TRY) == "TimeoutError\n"


def test_nothing_gets_out(star: Star) -> None:
    assert call(star, 1, "192.0.2.1", TRY) == "OSError\n"  # network unreachable
    assert call(star, 2, "192.0.2.1", TRY) == "TimeoutError\n"  # as far as the hub


def test_all_is_deleted_also_after_a_failure() -> None:
    def fail() -> None:
        with Star(hosts=2) as net:
            names.append(net.namespace(1))
            started.append(net.popen(1, ["sh", "-c", "sleep 600 & exec sleep 600"]))
            raise KeyError("a test failed")

    names: list[str] = []
    started: list[subprocess.Popen[bytes]] = []
    with pytest.raises(KeyError):
        fail()
    assert started[0].returncode != 0
    listed = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=True)
    assert names[0] not in listed.stdout


def test_a_failure_while_laying_links_deletes_all(monkeypatch: pytest.MonkeyPatch) -> None:
    net = Star(hosts=2)
    monkeypatch.setattr(net, "connect", lambda: net.ip(1, "link", "set", "nothing", "up"))
    with pytest.raises(OSError, match="nothing"):
        net.__enter__()
    listed = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=True)
    assert net.namespace(1) not in listed.stdout
