"""Plays the editor of a debug adapter: starts one as a process and speaks the protocol with it, by debugpy's client."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from debugpy.common.messaging import JsonIOStream, JsonMessageChannel, MessageHandlers, OutgoingRequest

from tests.checkout import ROOT

# So long an answer may take, in seconds, on a machine that has more to do.
WAIT = 120.0


class Editor:
    """One conversation. `events` are those that came and were not waited for, `output` the text of output events."""

    def __init__(self, python_path: Path | None = None) -> None:
        """Starts an adapter, which finds modules and plug-ins in `python_path` too."""
        more = {"PYTHONPATH": str(python_path)} if python_path is not None else {}
        self.process = subprocess.Popen(
            [sys.executable, str(ROOT / "app.py"), "debug-adapter"],
            cwd=ROOT, env={**os.environ, **more}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self.output: list[str] = []
        self._events: queue.Queue[Any] = queue.Queue()
        stream = JsonIOStream.from_process(self.process, "adapter")
        self._channel = JsonMessageChannel(stream, MessageHandlers(event=self._events.put, disconnect=lambda: None))
        self._channel.start()

    def __enter__(self) -> Editor:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self._channel.close()
        self.process.wait(WAIT)
        if self.process.stderr is not None:
            self.process.stderr.close()

    def request(self, command: str, **arguments: Any) -> dict[str, Any]:
        """Returns the body of the response; raises what debugpy makes of a refusal."""
        body: dict[str, Any] = self._channel.request(command, arguments)
        return body

    def send(self, command: str, **arguments: Any) -> OutgoingRequest:
        """Sends a request and waits for nothing."""
        request: OutgoingRequest = self._channel.send_request(command, arguments)
        return request

    def refusal(self, command: str, **arguments: Any) -> str:
        """Returns the message of a response without success."""
        request = self.send(command, **arguments)
        body = request.wait_for_response(raise_if_failed=False)
        assert isinstance(body, Exception), body
        assert request.response is not None
        assert not request.response.success
        return str(body)

    def event(self, name: str) -> dict[str, Any]:
        """Waits for an event of that name; output on the way is kept."""
        while True:
            found = self._events.get(timeout=WAIT)
            if found.event == "output":
                self.output.append(found.body["output"])
            if found.event == name:
                body: dict[str, Any] = found.body
                return body

    def begin(self, breakpoints: Mapping[str, list[dict[str, Any]]] | None = None, /, **launch: Any) -> dict[str, Any]:
        """Goes through the beginning as editors do; returns the first stop. Breakpoints are by path."""
        self.request("initialize", adapterID="texelscope", linesStartAt1=True, pathFormat="path")
        self.request("launch", **launch)
        self.event("initialized")
        for path, points in (breakpoints or {}).items():
            self.request("setBreakpoints", source={"path": path}, breakpoints=points)
        self.request("configurationDone")
        return self.event("stopped")

    def go(self, command: str, **more: Any) -> dict[str, Any]:
        """Makes a motion; returns where it stops."""
        self.request(command, threadId=1, **more)
        return self.event("stopped")

    @property
    def top(self) -> dict[str, Any]:
        """The innermost frame."""
        frame: dict[str, Any] = self.request("stackTrace", threadId=1)["stackFrames"][0]
        return frame

    def scope(self, name: str) -> dict[str, dict[str, Any]]:
        """Returns the variables of a scope of the innermost frame, by name; none if it is not there."""
        scopes = self.request("scopes", frameId=self.top["id"])["scopes"]
        reference = next((each["variablesReference"] for each in scopes if each["name"] == name), None)
        return self.inside(reference) if reference is not None else {}

    def inside(self, reference: int) -> dict[str, dict[str, Any]]:
        """Returns the variables behind a reference, by name."""
        return {each["name"]: each for each in self.request("variables", variablesReference=reference)["variables"]}

    def end(self) -> str:
        """Ends the session; returns what it printed on standard error."""
        self.request("disconnect")
        assert self.process.wait(WAIT) == 0
        assert self.process.stderr is not None
        return self.process.stderr.read().decode()
