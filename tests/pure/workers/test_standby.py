"""Tests a standby process: many calls, one process; one that dies is reported, and another replaces it."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

import psutil
import pytest

from tests.checkout import ROOT
from texelscope.pipeline.workers.apart import WorkerEndedError
from texelscope.pipeline.workers.standby import SpareStandbys, Standby


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


@pytest.fixture
def spares() -> Iterator[SpareStandbys]:
    made = SpareStandbys("os:getpid", "an errand", 2 << 30, most=1, seconds=60.0, most_calls=3)
    yield made
    made.close()


def number_of(standby: Standby) -> int:
    """Returns the number of its process."""
    number: int = standby.call(seconds=20.0)
    return number


def test_a_process_that_was_given_back_serves_the_next_until_its_calls_are_used_up(spares: SpareStandbys) -> None:
    numbers = []
    for _ in range(4):
        standby = spares.take()
        numbers.append(number_of(standby))
        spares.give_back(standby)
    assert numbers[:3] == numbers[:1] * 3
    assert numbers[3] != numbers[0]
    assert not psutil.pid_exists(numbers[0])


def test_no_two_callers_share_a_process_and_one_too_many_is_ended(spares: SpareStandbys) -> None:
    one, other = spares.take(), spares.take()
    numbers = number_of(one), number_of(other)
    assert numbers[0] != numbers[1]
    spares.give_back(one)
    spares.give_back(other)
    assert [psutil.pid_exists(number) for number in numbers] == [False, True]
    assert number_of(spares.take()) == numbers[1]


def test_a_dead_process_and_one_that_still_works_are_not_given_to_the_next() -> None:
    spares = SpareStandbys("time:sleep", "a nap", 2 << 30, most=2, seconds=60.0, most_calls=9)
    asleep, dead = spares.take(), spares.take()
    asleep.ask(60.0)
    with pytest.raises(WorkerEndedError):
        dead.call("no number", seconds=20.0)
    try:
        for each in (asleep, dead):
            spares.give_back(each)
        taken = spares.take()
        assert taken not in (asleep, dead)
        taken.close()
    finally:
        spares.close()


def test_an_answer_that_nobody_asked_for_is_not_the_next_caller_s(spares: SpareStandbys) -> None:
    standby = spares.take()
    standby.ask()
    while not standby.has_answered:
        time.sleep(0.01)
    spares.give_back(standby)
    again = spares.take()
    assert again is standby
    assert not again.has_answered
    spares.give_back(again)


def test_spare_processes_end_when_nobody_comes_for_them() -> None:
    spares = SpareStandbys("os:getpid", "an errand", 2 << 30, most=1, seconds=0.1, most_calls=9)
    standby = spares.take()
    number = number_of(standby)
    spares.give_back(standby)
    until = time.monotonic() + 20.0
    while psutil.pid_exists(number):
        assert time.monotonic() < until
        time.sleep(0.02)


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
