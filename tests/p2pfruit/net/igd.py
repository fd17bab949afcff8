"""A router on loopback that speaks UPnP: just enough to lend a port, and to say no."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

_SERVICE = "urn:schemas-upnp-org:service:WANIPConnection:1"
_NO, _CONFLICT, _NO_ENTRY = 725, 718, 714
_DEVICES = ("InternetGatewayDevice", "WANDevice", "WANConnectionDevice")


def _description() -> str:
    xml = (
        f"<serviceList><service><serviceType>{_SERVICE}</serviceType>"
        "<serviceId>urn:upnp-org:serviceId:WANIPConn1</serviceId><controlURL>/control</controlURL>"
        "<eventSubURL>/events</eventSubURL><SCPDURL>/service</SCPDURL></service></serviceList>"
    )
    for device in reversed(_DEVICES):
        kind = f"<deviceType>urn:schemas-upnp-org:device:{device}:1</deviceType>"
        xml = f"<device>{kind}{xml}</device>"
        if device != _DEVICES[0]:
            xml = f"<deviceList>{xml}</deviceList>"
    return f'<?xml version="1.0"?><root xmlns="urn:schemas-upnp-org:device-1-0">{xml}</root>'


class Igd:
    def __init__(self, external: str, *, leases: bool, lends: bool) -> None:
        self.external = external
        self.leases = leases
        self.lends = lends
        self.description = ""  # where it is
        self.lent: dict[int, int] = {}  # ports, and for how long
        self.taken: dict[int, str] = {}  # ports that another host has
        self.tells = True  # who has a port
        self.asked: list[str] = []

    def answer(self, action: str, body: str) -> str | int:
        """What stands in the answer, or the number of an error."""
        self.asked.append(action)
        if action == "GetExternalIPAddress":
            return f"<NewExternalIPAddress>{self.external}</NewExternalIPAddress>"
        port = int(_field(body, "NewExternalPort"))
        if action == "GetSpecificPortMappingEntry":
            return self._entry(port)
        if action == "AddPortMapping":
            lease = int(_field(body, "NewLeaseDuration"))
            if port in self.taken:
                return _CONFLICT
            if not self.lends or (lease and not self.leases):
                return _NO
            self.lent[port] = lease
        elif self.lent.pop(port, None) is None:
            return _NO
        return ""

    def _entry(self, port: int) -> str | int:
        if not self.tells:
            return _NO
        if port not in self.taken:
            return _NO_ENTRY
        return (
            f"<NewInternalPort>{port}</NewInternalPort>"
            f"<NewInternalClient>{self.taken[port]}</NewInternalClient><NewEnabled>1</NewEnabled>"
            "<NewPortMappingDescription>x</NewPortMappingDescription>"
            "<NewLeaseDuration>0</NewLeaseDuration>"
        )


def _field(body: str, name: str) -> str:
    found = re.search(f"<{name}>(.*?)</{name}>", body)
    assert found is not None
    return found[1]


class _Handler(BaseHTTPRequestHandler):
    igd: Igd

    def log_message(self, format: str, *arguments: object) -> None:
        pass

    def do_GET(self) -> None:
        self._reply(200, _description())

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        action = self.headers["SOAPAction"].strip('"').partition("#")[2]
        inner = self.igd.answer(action, body)
        if isinstance(inner, int):
            fault = f"<errorCode>{inner}</errorCode><errorDescription>no</errorDescription>"
            self._reply(500, f"<s:Fault><detail><UPnPError>{fault}</UPnPError></detail></s:Fault>")
            return
        self._reply(200, f'<u:{action}Response xmlns:u="{_SERVICE}">{inner}</u:{action}Response>')

    def _reply(self, status: int, body: str) -> None:
        if self.command == "POST":
            envelope = "http://schemas.xmlsoap.org/soap/envelope/"
            body = f'<s:Envelope xmlns:s="{envelope}"><s:Body>{body}</s:Body></s:Envelope>'
        data = body.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@contextmanager
def routed(external: str = "8.8.8.8", *, leases: bool = True, lends: bool = True) -> Iterator[Igd]:
    igd = Igd(external, leases=leases, lends=lends)
    handler = type("Handler", (_Handler,), {"igd": igd})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        igd.description = f"http://127.0.0.1:{server.server_port}/description.xml"
        thread = threading.Thread(target=server.serve_forever, args=[0.01])
        thread.start()
        try:
            yield igd
        finally:
            server.shutdown()
            thread.join()
