"""Tests the window of the installed program, on a virtual display."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.gui.virtual_display import VirtualDisplay
from tests.installed.environment import Environment
from texelscope.viewer.shell.probe import VARIABLE

pytestmark = pytest.mark.timeout(600)

PATIENCE_SECONDS = 60.0


def wait_until_compared(probe: Path, window: subprocess.Popen[str]) -> dict[str, Any]:
    """Returns what the window shows once it has compared its runs."""
    end = time.monotonic() + PATIENCE_SECONDS
    seen: dict[str, Any] = {}
    while window.poll() is None and time.monotonic() < end:
        seen = json.loads(probe.read_text(encoding="utf-8")) if probe.is_file() else {}
        if seen and seen["verdicts"] and not seen["busy"] and not seen["running"]:
            return seen
        time.sleep(0.05)
    window.kill()
    raise AssertionError(f"no comparison; last seen: {seen}; printed: {window.communicate()[0]}")


def test_the_first_start_opens_the_demo_with_its_planted_bug(installed: Environment, tmp_path: Path) -> None:
    probe = tmp_path / "probe.json"
    for name in ("pipeline", "layouts", "viewer", "shaders"):  # a user's own scripts in the working folder
        (tmp_path / f"{name}.py").write_text("raise SystemExit('a file of the user was imported')", encoding="utf-8")
    with VirtualDisplay() as display:
        surroundings = {**installed.surroundings(tmp_path), "DISPLAY": display.name, VARIABLE: str(probe)}
        command = [installed.commands / "texelscope"]
        with subprocess.Popen(
            command, cwd=tmp_path, env=surroundings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
        ) as window:
            seen = wait_until_compared(probe, window)
            # The class by which a menu knows that the window is that of its entry.
            search = ["xdotool", "search", "--class", "^Texelscope$"]
            windows = subprocess.run(search, env=surroundings, capture_output=True, encoding="utf-8", check=False)
            window.terminate()
    assert Path(seen["target"]).is_relative_to(installed.packages / "texelscope" / "examples")
    assert windows.stdout.split()
    assert sorted(set(seen["verdicts"].values())) == ["match", "mismatch"]
