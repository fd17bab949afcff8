"""A real browser without a window: Chromium, spoken to over two pipes.

Every wait is for an answer or an event of the browser, with a generous limit; nothing sleeps.
"""

import base64
import json
import os
import select
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

LIMIT_S = 60
NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--remote-debugging-pipe",
)
KEYS = {
    "ArrowLeft": 37,
    "ArrowRight": 39,
    "PageUp": 33,
    "PageDown": 34,
    "Home": 36,
    "End": 35,
    "h": 72,
    " ": 32,
}

Answer = dict[str, Any]


class Browser:
    def __init__(self, folder: Path) -> None:
        """`folder`: for its profile, which nobody else uses."""
        program = next(path for name in NAMES if (path := shutil.which(name)))
        there, self._out = os.pipe()
        self._in, back = os.pipe()
        self._process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={folder}", "about:blank"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            close_fds=False,
            preexec_fn=lambda: _take_pipes(there, back),  # noqa: PLW1509 - there are no threads
        )
        os.close(there)
        os.close(back)
        self._rest = b""
        self._number = 0
        self.events: list[Answer] = []

    def close(self) -> None:
        try:
            self.call("Browser.close")
            self._process.wait(LIMIT_S)
        finally:
            self._process.kill()
            self._process.wait()
            os.close(self._in)
            os.close(self._out)

    def call(self, method: str, session: str | None = None, **parameters: Any) -> Answer:
        self._number += 1
        message: Answer = {"id": self._number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                result: Answer = answer["result"]
                return result
            self.events.append(answer)

    def wait_for(self, session: str, method: str) -> None:
        while not any(
            event.get("method") == method and event.get("sessionId") == session
            for event in self.events
        ):
            self.events.append(self._read())

    def _read(self) -> Answer:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._in], [], [], LIMIT_S)
            assert ready, "the browser does not answer"
            data = os.read(self._in, 1 << 20)
            assert data, "the browser has ended"
            self._rest += data
        message, _, self._rest = self._rest.partition(b"\0")
        answer: Answer = json.loads(message)
        return answer


def _take_pipes(there: int, back: int) -> None:
    """Chromium reads from descriptor 3 and writes to 4."""
    there, back = os.dup(there), os.dup(back)
    while min(there, back) <= 4:
        there, back = os.dup(there), os.dup(back)
    os.dup2(there, 3)
    os.dup2(back, 4)


class Tab:
    """One page of its own, as large as it is asked to be."""

    def __init__(
        self, browser: Browser, *, width: int, height: int, dark: bool, still: bool = True
    ) -> None:
        self._browser = browser
        self._target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        attached = browser.call("Target.attachToTarget", targetId=self._target, flatten=True)
        self._session: str = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 500,
        )
        features = [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"},
        ]
        self.call("Emulation.setEmulatedMedia", features=features)

    def call(self, method: str, **parameters: Any) -> Answer:
        return self._browser.call(method, self._session, **parameters)

    def open(self, path: Path) -> None:
        """What happened before is forgotten."""
        events = self._browser.events
        events[:] = [event for event in events if event.get("sessionId") != self._session]
        self.call("Page.navigate", url=path.as_uri())
        self._browser.wait_for(self._session, "Page.loadEventFired")

    def close(self) -> None:
        self._browser.call("Target.closeTarget", targetId=self._target)

    def evaluate(self, expression: str) -> Any:
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def text(self, selector: str) -> str:
        return str(self.evaluate(f"document.querySelector({json.dumps(selector)}).innerText"))

    def texts(self, selector: str) -> list[str]:
        """The texts of all elements that fit, in their order."""
        query = f"[...document.querySelectorAll({json.dumps(selector)})].map((e) => e.textContent)"
        found: list[str] = self.evaluate(query)
        return found

    def press(self, key: str) -> None:
        given: Answer = {"key": key, "windowsVirtualKeyCode": KEYS[key]}
        text = {"text": key} if len(key) == 1 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", **given, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", **given)

    def click(self, selector: str) -> None:
        box = self.evaluate(
            f"(() => {{ const box = document.querySelector({json.dumps(selector)})"
            ".getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call(
                "Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left",
                clickCount=1,
            )  # fmt: skip

    def screenshot(self, path: Path) -> None:
        data = self.call("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(data))

    # What it did.

    def happened(self, method: str) -> list[Answer]:
        return [
            event["params"]
            for event in self._browser.events
            if event.get("sessionId") == self._session and event["method"] == method
        ]

    def complaints(self) -> list[Answer]:
        """Errors and warnings on the console, of whatever kind."""
        said = self.happened("Runtime.consoleAPICalled")
        return [
            *self.happened("Runtime.exceptionThrown"),
            *self.happened("Log.entryAdded"),
            *(one for one in said if one["type"] in ("error", "warning", "assert")),
        ]

    def requests(self) -> list[str]:
        return [one["request"]["url"] for one in self.happened("Network.requestWillBeSent")]


@contextmanager
def browsing(folder: Path) -> Iterator[Browser]:
    browser = Browser(folder)
    try:
        yield browser
    finally:
        browser.close()
