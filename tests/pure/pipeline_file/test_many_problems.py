"""Tests that a file with very many problems is reported as soon as one with few."""

from __future__ import annotations

import time

from texelscope.pipeline.pipeline_file.table import Problems


def test_each_problem_is_noted_once_however_many_there_are() -> None:
    problems = Problems("pipeline.toml")
    before = time.process_time()
    for number in (*range(40_000), 7, 7):
        problems.add(f"[[pass]] number {number}", "name", "a string", "nothing", "Add it.")
    # Compared with each other, one by one, they would take minutes.
    assert [problems.count, time.process_time() - before < 10.0] == [40_000, True]
