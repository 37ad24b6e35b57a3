"""Drives headless Chromium over its DevTools pipe: JSON messages that end in a zero byte."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

# WebGL 2 and WebGPU in software, the same on every machine; no sandbox, because tests run as root in containers.
_FLAGS = (
    "--headless", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--disable-gpu-watchdog", "--disable-dev-shm-usage",
    "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--host-resolver-rules=MAP * ~NOTFOUND", "--window-size=1100,1300", "--remote-debugging-pipe",
)  # fmt: skip
_NAMES = ("chromium", "chromium-browser", "google-chrome")
# A start takes seconds on a busy machine, a page less.
SECONDS = 120.0


class BrowserError(Exception):
    """The browser refuses a command, or a script of a page throws an error."""


class Chromium:
    """One browser with one page, closed at the end of a `with` block. Downloads go to `downloads`."""

    def __init__(self, folder: Path) -> None:
        program = next((found for name in _NAMES if (found := shutil.which(name))), None)
        if program is None:
            raise BrowserError("expected Chromium, got none. Run: tools/setup.sh python3 .venv browser")
        self.downloads = folder / "downloads"
        self.downloads.mkdir()
        for_input, self._out = os.pipe()
        self._in, for_output = os.pipe()
        # The browser reads from descriptor 3 and writes to 4; ours are moved out of the way of those first.
        theirs = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, 10) for descriptor in (for_input, for_output)]
        self._process = subprocess.Popen(
            [program, *_FLAGS, f"--user-data-dir={folder / 'profile'}", "about:blank"],
            preexec_fn=lambda: (os.dup2(theirs[0], 3), os.dup2(theirs[1], 4)),
            pass_fds=(3, 4), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        for descriptor in (for_input, for_output, *theirs):
            os.close(descriptor)
        self._received = b""
        self._number = 0
        self._heard: list[tuple[str, dict[str, Any]]] = []
        self._session: str | None = None
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._call("Page.enable")
        self._call(
            "Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads), eventsEnabled=False
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.wait(timeout=SECONDS)
        os.close(self._in)
        os.close(self._out)

    def open(self, page: Path, *, until: str = "document.readyState === 'complete'") -> None:
        """Loads a file and waits until the expression holds in it."""
        self._call("Page.navigate", url=page.as_uri())
        self.wait(until)

    def wait(self, until: str) -> None:
        """Waits until the expression holds in the page."""
        end = time.monotonic() + SECONDS
        while not self.evaluate(f"Boolean(document.body && ({until}))"):
            if time.monotonic() > end:
                raise BrowserError(f"it never came to: {until}")
            time.sleep(0.05)

    def evaluate(self, expression: str) -> Any:
        """The value of an expression in the page, waited for if it is a promise. Raises BrowserError if it throws."""
        answer = self._call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    # -- a person's hand and eye -----------------------------------------------------------------------------------

    def click(self, selector: str, across: float = 0.5, down: float = 0.5) -> None:
        """Scrolls an element into view, and clicks it at a share of its width and height."""
        element = f"document.querySelector({json.dumps(selector)})"
        self.wait(element)
        x, y, width, height = self.evaluate(
            f"(() => {{ const each = {element}; each.scrollIntoView({{block: 'center'}});"
            " const box = each.getBoundingClientRect(); return [box.x, box.y, box.width, box.height]; })()"
        )
        at = {"x": x + across * width, "y": y + down * height, "button": "left", "clickCount": 1}
        for kind in ("mousePressed", "mouseReleased"):
            self._call("Input.dispatchMouseEvent", type=kind, **at)

    def press(self, key: str) -> None:
        """Presses and releases a key, called as in `KeyboardEvent.key`."""
        letters = {"text": key} if len(key) == 1 else {}
        code = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Home": 36, "End": 35}.get(key)
        named = {"windowsVirtualKeyCode": code} if code is not None else {}
        self._call("Input.dispatchKeyEvent", type="keyDown", key=key, **named, **letters)
        self._call("Input.dispatchKeyEvent", type="keyUp", key=key, **named)

    def listen(self) -> None:
        """Notes from now on what pages request, and what they write on the console or throw."""
        for domain in ("Network", "Runtime", "Log"):
            self._call(f"{domain}.enable")
        self._heard.clear()

    @property
    def requests(self) -> list[str]:
        """The addresses that were requested since `listen`."""
        return [told["request"]["url"] for event, told in self._heard if event == "Network.requestWillBeSent"]

    @property
    def complaints(self) -> list[str]:
        """What stood on the console, and what was thrown, since `listen`."""
        kinds = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
        return [json.dumps(told) for event, told in self._heard if event in kinds]

    def picture(self, path: Path, width: int, height: int, *, dark: bool = False, before: str = "") -> None:
        """Writes what the page looks like in a window of that size, after an expression in it, as PNG."""
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self._call("Emulation.setEmulatedMedia", features=scheme)
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        drawn = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        for expression in (drawn, before, drawn):
            self.evaluate(expression)
        path.write_bytes(base64.b64decode(self._call("Page.captureScreenshot", format="png")["data"]))
        self._call("Emulation.clearDeviceMetricsOverride")

    def downloaded(self, name: str) -> Path:
        """The file of that name, once it has been downloaded whole."""
        path, end = self.downloads / name, time.monotonic() + SECONDS
        while not path.is_file() or list(self.downloads.glob("*.crdownload")):
            if time.monotonic() > end:
                raise BrowserError(f"'{name}' was not downloaded")
            time.sleep(0.05)
        return path

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']['message']}")
                return dict(answer["result"])
            if "method" in answer:
                self._heard.append((answer["method"], answer.get("params", {})))

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._received:
            piece = os.read(self._in, 1 << 20)
            if not piece:
                raise BrowserError("the browser ended")
            self._received += piece
        text, self._received = self._received.split(b"\0", 1)
        return dict(json.loads(text))
