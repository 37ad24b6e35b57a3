"""Drives headless Chromium over its DevTools pipe: JSON messages that end in a zero byte."""

from __future__ import annotations

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

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._received:
            piece = os.read(self._in, 1 << 20)
            if not piece:
                raise BrowserError("the browser ended")
            self._received += piece
        text, self._received = self._received.split(b"\0", 1)
        return dict(json.loads(text))
