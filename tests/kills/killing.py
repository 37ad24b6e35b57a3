"""Processes that write again and again, and are killed at a moment drawn at random."""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import sys
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path

from tests.kills.found import Content, content, damage, files_in, incomplete, mixed, unfinished_in
from tests.kills.works import EXACT, WORKS

# A kill comes within so many times what a step takes.
_STEPS = 2.0
_LONGEST_SECONDS = 120.0


@dataclass
class Killed:
    """Reports one work: moments tried, files that were read, leftovers, and problems."""

    name: str
    kills: int = 0
    files: int = 0
    left: int = 0
    step_seconds: float = 0.0
    problems: list[str] = field(default_factory=list)


def killed(name: str, folder: Path, kills: int, draw: random.Random) -> Killed:
    """Does a work of `WORKS` in `folder`, kills it so often, and looks at what lies there each time."""
    outcome = Killed(name)
    folder.mkdir(parents=True)
    whole, outcome.step_seconds = _whole(name, folder)
    for number in range(kills):
        _kill_once(name, folder, number, draw.uniform(0.0, _STEPS * outcome.step_seconds))
        outcome.kills += 1
        now = [*files_in(folder)]
        outcome.files += len(now)
        outcome.left += bool(unfinished_in(folder))
        outcome.problems += [f"kill {number}: {problem}" for problem in map(damage, now) if problem]
        strange = mixed if name in EXACT else incomplete
        outcome.problems += [f"kill {number}: {problem}" for problem in strange(content(folder), whole)]
    _whole(name, folder)
    outcome.problems += [f"left for ever: {path.name}" for path in unfinished_in(folder)]
    return outcome


def _whole(name: str, folder: Path) -> tuple[list[Content], float]:
    """Returns the files of two uninterrupted steps, and one's duration. Raises RuntimeError if they fail."""
    told = folder.with_name(f"{folder.name}.told")
    process = _forked(name, folder, told)
    _, status = os.waitpid(process, 0)
    if status:
        raise RuntimeError(f"{name} failed: {told.read_text()}")
    contents, seconds = json.loads(told.read_text())
    return contents, seconds


def _kill_once(name: str, folder: Path, number: int, seconds: float) -> None:
    ready, tell = os.pipe()
    process = _forked(name, folder, None, start=number + 1, ready=tell)
    os.close(tell)
    try:
        said = os.read(ready, 1)
        time.sleep(seconds)
        os.kill(process, signal.SIGKILL)
        _, status = os.waitpid(process, 0)
    finally:
        os.close(ready)
    if not said or not os.WIFSIGNALED(status):
        raise RuntimeError(f"{name} ended by itself")


def _forked(name: str, folder: Path, told: Path | None, start: int = 0, ready: int = -1) -> int:
    """Starts the work in a copy of this process, which has imported what takes long; two steps, or without end."""
    sys.stdout.flush()
    process = os.fork()
    if process:
        return process
    try:
        signal.alarm(int(_LONGEST_SECONDS))
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        step = WORKS[name](folder)
        if told is None:
            os.write(ready, b"r")
            for number in itertools.count(start):
                step(number)
        assert told is not None
        contents, began = [], time.monotonic()
        for number in range(2):
            step(number)
            contents.append(content(folder))
        told.write_text(json.dumps((contents, (time.monotonic() - began) / 2)))
    except BaseException:  # noqa: BLE001 - a copy of a process ends here, whatever it is
        if told is not None:
            told.write_text(traceback.format_exc())
        os._exit(1)
    os._exit(0)
