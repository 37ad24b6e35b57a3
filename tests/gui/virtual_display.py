"""An X server without a screen (Xvfb), with GL, on a display number that nobody else has."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import Self

SCREEN = "1600x1000x24"
START_SECONDS = 20


class VirtualDisplay:
    """While entered, an X server runs; `name` is what DISPLAY must hold to reach it."""

    def __init__(self) -> None:
        self.name = ""
        self._server: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        for tool in ("Xvfb", "xdotool"):
            assert shutil.which(tool), f"{tool} is missing: `make setup` says how to install it"
        # The server looks for a free number itself and writes it when it is ready: no race, no waiting loop.
        read_end, write_end = os.pipe()
        command = ["Xvfb", "-displayfd", str(write_end), "-screen", "0", SCREEN, "+extension", "GLX"]
        command += ["-nolisten", "tcp", "-noreset", "-r"]  # a key that is held long by a slow machine does not repeat
        self._server = subprocess.Popen(command, pass_fds=[write_end], stderr=subprocess.DEVNULL)
        os.close(write_end)
        with os.fdopen(read_end, encoding="ascii") as ready:
            number = ready.readline().strip()
        assert number, "Xvfb ended without a display"
        self.name = f":{number}"
        return self

    def __exit__(self, *exception: object) -> None:
        if self._server is not None:
            self._server.terminate()
            self._server.wait(START_SECONDS)
