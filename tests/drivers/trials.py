"""Runs the program on a driver: the demo, a comparison, a trace of steps and a fix, each in a process of its own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.checkout import ROOT
from texelscope.pipeline.commands.diff import MATCH, MISMATCH

# A trial that takes longer has no result.
MOST_SECONDS = 600
_FIX, _FIX_SECONDS = "`--fix`", 240
_EXAMPLE = ROOT / "examples" / "webgl_cnn"
_DRIVER = re.compile(r"OpenGL without a window +(?P<driver>.+)")
_MATCHING = re.compile(r"(?P<right>\d+) of (?P<all>\d+) passes match")
_NAMED = re.compile(r"First wrong pass: (?P<name>\S+)\n +(?P<cause>[^\n]*?) explains [^\n]*?\.frag:(?P<line>\d+)")
_STEPS = re.compile(r": (?P<steps>[\d,]+) steps")
_FIXED = re.compile(r"with that (?P<right>\d+) of (?P<all>\d+) passes match")


@dataclass(frozen=True)
class Result:
    """What one trial showed, in a few words, whether that is what it should show, and how long it took."""

    words: str
    passed: bool
    seconds: float


@dataclass(frozen=True)
class Trial:
    """A trial by the heading of its column: the words of its command, its exit code, and what its output shows."""

    heading: str
    command: Sequence[str]
    code: int
    shown: Callable[[str], str]
    expected: str


Run = Callable[[Sequence[str], float], "subprocess.CompletedProcess[str] | None"]


@dataclass(frozen=True)
class Place:
    """Where commands run: `run` runs one, and files for it lie in `folder`, which it calls by `name`."""

    run: Run
    folder: Path
    name: str


def _all_of(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return f"{found['right']} of {found['all']} match" if found else ""


def _named(text: str) -> str:
    found = _NAMED.search(text)
    return f"{found['name']}: {found['cause']}, line {found['line']}" if found else ""


def _steps(text: str) -> str:
    found = _STEPS.search(text)
    return f"{found['steps']} steps" if found else ""


def trials(example: str, patch: str) -> tuple[Trial, ...]:
    """Returns the trials on the copy of an example at a path, of which `--fix` writes a patch."""
    broken = f"{example}/broken.toml"
    return (
        Trial("demo", ("diff", "--diagnose-seconds", "0"), MATCH,
              lambda text: _all_of(_MATCHING, text), "30 of 30 match"),
        Trial("`diff`", ("diff", broken, "--diagnose", "down1"), MISMATCH, _named, "down1: shift by (1, 1), line 36"),
        Trial("`step`", ("step", broken, "--pass", "down1", "--texel", "5,6"), MATCH, _steps, "684 steps"),
        Trial(_FIX, ("diff", broken, "--fix", patch, "--diagnose-seconds", str(_FIX_SECONDS)), MISMATCH,
              lambda text: _all_of(_FIXED, text), "6 of 6 match"),
    )  # fmt: skip


def here(environment: Mapping[str, str]) -> Run:
    """Returns how a command runs in a process of an environment beside this one's, from the checkout."""

    def run(words: Sequence[str], seconds: float) -> subprocess.CompletedProcess[str] | None:
        own = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        try:
            return subprocess.run(
                [sys.executable, "app.py", *words], cwd=ROOT, env={**own, **environment}, capture_output=True,
                encoding="utf-8", errors="backslashreplace", check=False, timeout=seconds,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return None

    return run


def driver_of(run: Run) -> str:
    """Returns what `doctor` calls the driver; empty where there is none."""
    done = run(("doctor",), MOST_SECONDS)
    found = _DRIVER.search(done.stdout) if done is not None and done.returncode == 0 else None
    return found["driver"].strip() if found else ""


def results(place: Place, *, is_slow: bool = False) -> dict[str, Result]:
    """Returns the result of each trial, by its heading; a slow driver may fix less in the time for it."""
    shutil.copytree(_EXAMPLE, place.folder / "example")
    found = {}
    for each in trials(f"{place.name}/example", f"{place.name}/fix.patch"):
        found[each.heading] = result(place.run, each)
        if is_slow and each.heading == _FIX and not found[each.heading].passed:
            words = f"{found[each.heading].words} in {_FIX_SECONDS} s: give it more by --diagnose-seconds"
            found[each.heading] = Result(words, passed=True, seconds=found[each.heading].seconds)
    return found


def result(run: Run, trial: Trial) -> Result:
    """Runs one trial."""
    started = time.monotonic()
    done = run(trial.command, MOST_SECONDS)
    seconds = time.monotonic() - started
    if done is None:
        return Result(f"not within {MOST_SECONDS // 60} minutes", passed=False, seconds=seconds)
    shown = trial.shown(done.stdout + done.stderr)
    if not shown:
        lines = (done.stderr.strip() or done.stdout.strip() or "nothing").splitlines()
        return Result(lines[-1].removeprefix("texelscope: "), passed=False, seconds=seconds)
    return Result(shown, passed=done.returncode == trial.code and shown == trial.expected, seconds=seconds)
