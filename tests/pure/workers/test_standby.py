"""Tests a standby process: many calls, one process; one that dies is reported, and another replaces it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.checkout import ROOT
from texelscope.pipeline.workers.apart import WorkerEndedError
from texelscope.pipeline.workers.standby import Standby


def test_calls_are_answered_by_one_process_and_a_dead_one_is_replaced() -> None:
    standby = Standby("os:strerror", "an errand", 2 << 30)
    try:
        assert [standby.call(number, seconds=20.0) for number in (1, 2)] == [
            "Operation not permitted",
            "No such file or directory",
        ]
        with pytest.raises(
            WorkerEndedError, match="an errand: expected work that comes to its end, got a process that died"
        ):
            standby.call("no number", seconds=20.0)
        assert standby.call(1, seconds=20.0) == "Operation not permitted"
    finally:
        standby.close()


def test_a_call_that_takes_too_long_is_ended() -> None:
    standby = Standby("time:sleep", "a nap", 2 << 30)
    try:
        with pytest.raises(WorkerEndedError, match="a nap: expected work that comes to its end"):
            standby.call(60.0, seconds=0.2)
    finally:
        standby.close()


# A cycle, because the interpreter collects it only after its threads have stopped.
AT_EXIT = """
from texelscope.pipeline.workers.standby import Standby

def kept():
    standby = Standby("os:strerror", "an errand", 2 << 30)
    try:
        standby.call(1, seconds=20.0)
        yield
    finally:
        standby.close()

class Cycle: pass
cycle = Cycle()
cycle.itself, cycle.steps = cycle, kept()
next(cycle.steps)
"""


def test_one_that_is_closed_while_the_interpreter_ends_does_not_abort_it() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", AT_EXIT], capture_output=True, text=True, timeout=60, check=False, cwd=ROOT
    )
    assert (ended.returncode, ended.stderr) == (0, "")
