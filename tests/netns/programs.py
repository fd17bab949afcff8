"""Tiny programs that tests run inside hosts; -S, so that they start at once."""

import subprocess
import sys

from tests.netns.hosts import Hosts

PORT = 4000

# Says when it can be reached; answers bytes with the same bytes, over TCP and over UDP.
_ECHO = """
import selectors, socket, sys
place = (sys.argv[1], int(sys.argv[2]))
family = socket.AF_INET6 if ":" in place[0] else socket.AF_INET
tcp = socket.create_server(place, family=family)
udp = socket.socket(family, socket.SOCK_DGRAM)
udp.bind(place)
selector = selectors.DefaultSelector()
for each in (tcp, udp):
    selector.register(each, selectors.EVENT_READ)
print("ready", flush=True)
while True:
    for key, _ in selector.select():
        if key.fileobj is tcp:
            stream, _ = tcp.accept()
            stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            selector.register(stream, selectors.EVENT_READ)
        elif key.fileobj is udp:
            udp.sendto(*udp.recvfrom(65536))
        elif data := key.fileobj.recv(65536):
            key.fileobj.sendall(data)
        else:
            selector.unregister(key.fileobj)
            key.fileobj.close()
"""

# Says when it can be reached; tells each caller over TCP from where the call came.
_MIRROR = """
import socket, sys
server = socket.create_server((sys.argv[1], int(sys.argv[2])))
print("ready", flush=True)
while True:
    stream, caller = server.accept()
    with stream:
        stream.sendall(f"{caller[0]}:{caller[1]}".encode())
"""

# Says when it can be reached; answers whoever searches for a router by UPnP, and describes itself.
_FALSE_ROUTER = """
import socket, sys, threading
host = sys.argv[1]
kinds = ("InternetGatewayDevice", "WANDevice", "WANConnectionDevice")
xml = "<serviceList><service>"
xml += "<serviceType>urn:schemas-upnp-org:service:WANIPConnection:1</serviceType>"
xml += "<serviceId>urn:upnp-org:serviceId:WANIPConn1</serviceId><controlURL>/c</controlURL>"
xml += "<eventSubURL>/e</eventSubURL><SCPDURL>/s</SCPDURL></service></serviceList>"
for kind in reversed(kinds):
    name = f"<deviceType>urn:schemas-upnp-org:device:{kind}:1</deviceType>"
    xml = f"<device>{name}{xml}</device>"
    if kind != kinds[0]:
        xml = f"<deviceList>{xml}</deviceList>"
xml = f'<?xml version="1.0"?><root xmlns="urn:schemas-upnp-org:device-1-0">{xml}</root>'

pages = socket.create_server((host, 0))

def serve():
    while True:
        stream, _ = pages.accept()
        with stream:
            stream.recv(65536)
            head = f"HTTP/1.1 200 OK\\r\\nConnection: close\\r\\nContent-Length: {len(xml)}"
            stream.sendall(f"{head}\\r\\n\\r\\n{xml}".encode())

threading.Thread(target=serve, daemon=True).start()
group = socket.inet_aton("239.255.255.250") + socket.inet_aton(host)
searches = socket.socket(type=socket.SOCK_DGRAM)
searches.bind(("", 1900))
searches.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group)
print("ready", flush=True)
while True:
    data, asker = searches.recvfrom(65536)
    kind = data.partition(b"ST:")[2].split(b"\\r\\n")[0].strip().decode()
    place = f"http://{host}:{pages.getsockname()[1]}/d.xml"
    answer = f"HTTP/1.1 200 OK\\r\\nLOCATION: {place}\\r\\nST: {kind}\\r\\nUSN: x\\r\\n\\r\\n"
    searches.sendto(answer.encode(), asker)
"""

# What the programs of tests begin with.
_CALLER = """
import socket, sys, time
place = (sys.argv[1], int(sys.argv[2]))

def call(timeout_s=60):
    stream = socket.create_connection(place, timeout_s)
    stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return stream

def echo(stream, data):
    stream.sendall(data)
    back = b""
    while len(back) < len(data):
        back += stream.recv(65536)
    assert back == data
"""

# What `call` runs to learn whether somebody can be reached. Half a second is for ever: the same
# call is answered within some milliseconds.
TRY = """
try:
    call(0.5)
except OSError as error:
    print(type(error).__name__)
"""


def start_echo(net: Hosts, host: int, at: str | None = None) -> None:
    """`at`: one of its addresses, where that is not the one at which the others find it."""
    _wait_until_ready(_start(net, host, _ECHO, at or net.address(host)))


def start_mirror(net: Hosts, host: int) -> None:
    _wait_until_ready(_start(net, host, _MIRROR, net.address(host)))


def start_false_router(net: Hosts, host: int) -> None:
    _wait_until_ready(_start(net, host, _FALSE_ROUTER, net.address(host)))


def start_call(net: Hosts, host: int, other: int | str, script: str) -> subprocess.Popen[str]:
    """A program inside a host that calls another host, or an address."""
    address = other if isinstance(other, str) else net.address(other)
    return _start(net, host, _CALLER + script, address)


def call(net: Hosts, host: int, other: int | str, script: str) -> str:
    """What it prints until it ends."""
    return start_call(net, host, other, script).communicate(timeout=60)[0]


def _wait_until_ready(program: subprocess.Popen[str]) -> None:
    assert program.stdout is not None
    assert program.stdout.readline() == "ready\n"


def _start(net: Hosts, host: int, script: str, address: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-S", "-c", script, address, str(PORT)]
    return net.popen(host, command, stdout=subprocess.PIPE, text=True)
