"""How far a start has come: steps in their order, counted from the very start of the process."""

from __future__ import annotations

import io
import logging
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.startup import step_of
from tests.checkout import ROOT
from texelscope.pipeline.start_marks import SayMarks, StartMarks, mark, process_start


def test_marks_are_collected_in_order_and_the_first_of_a_step_counts() -> None:
    before = time.time() - process_start()
    with StartMarks() as collected:
        mark("read")
        mark("planned")
        first = collected.marks
        mark("read")
    assert [each.step for each in collected.marks] == ["read", "planned"]
    assert collected.marks == first
    assert before <= first[0].wall <= first[1].wall
    assert 0 < first[0].cpu <= first[1].cpu


def test_nobody_listens_afterwards() -> None:
    with StartMarks() as collected:
        pass
    mark("read")
    assert not collected.marks
    assert not logging.getLogger("texelscope.start").isEnabledFor(logging.DEBUG)


def test_they_are_said_once_a_line_each() -> None:
    stream = io.StringIO()
    with SayMarks(stream):
        for _ in range(2):
            mark("read")
        mark("first picture")
    lines = stream.getvalue().splitlines()
    told = [step_of(line) for line in lines]
    assert [each.step for each in told if each is not None] == ["read", "first picture"]
    assert step_of("texelscope: no TARGET is given") is None


def test_the_time_counts_from_the_very_start_of_the_process() -> None:
    tell = "from texelscope.pipeline.start_marks import process_start; print(process_start())"
    before = time.time()
    child = subprocess.Popen([sys.executable, "-c", tell], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    after = time.time()
    said, _ = child.communicate()
    assert before - 0.05 < float(said) < after + 0.05


def test_where_the_system_does_not_tell_its_start_the_time_counts_from_the_import(tmp_path: Path) -> None:
    assert process_start() < process_start(tmp_path) < time.time()
