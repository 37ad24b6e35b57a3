"""Where the threads draw that Mesa's software driver has: each on a core of its own."""

from __future__ import annotations

import os
import subprocess
import sys

import moderngl
import pytest

from texelscope.pipeline.gl import driver_threads
from texelscope.pipeline.gl.driver_threads import drawing_threads, spread
from texelscope.pipeline.gl.state import is_llvmpipe

_PRINT = """
import os
from texelscope.pipeline.gl.context import headless_context
from texelscope.pipeline.gl.driver_threads import drawing_threads
context = headless_context()
for number, tasks in sorted(drawing_threads().items()):
    print(number, *(sorted(os.sched_getaffinity(task)) for task in tasks))
print("main", len(os.sched_getaffinity(0)))
"""


@pytest.fixture
def software(gl: moderngl.Context) -> moderngl.Context:
    if sys.platform != "linux" or not is_llvmpipe(gl):
        pytest.skip("only on Linux with llvmpipe: LIBGL_ALWAYS_SOFTWARE=1")
    return gl


def _cores_told(**environment: str) -> list[str]:
    run = subprocess.run(
        [sys.executable, "-c", _PRINT], env={**os.environ, **environment}, capture_output=True, text=True, check=True
    )
    return run.stdout.splitlines()


def test_each_thread_has_one_core_and_the_program_keeps_all(software: moderngl.Context) -> None:
    cores = sorted(os.sched_getaffinity(0))
    if not 1 < len(cores) <= 16:
        pytest.skip(f"needs 2 to 16 cores, this machine has {len(cores)}")
    told = _cores_told()
    assert told == [*(f"{number} [{core}]" for number, core in enumerate(cores)), f"main {len(cores)}"]


def test_threads_that_were_counted_by_hand_are_left_to_the_system(software: moderngl.Context) -> None:
    cores = sorted(os.sched_getaffinity(0))
    assert _cores_told(LP_NUM_THREADS="1") == [f"0 {cores}", f"main {len(cores)}"]


def test_with_fewer_threads_than_cores_the_system_places_them(
    software: moderngl.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _task: set(range(16)))
    bound: list[int] = []
    monkeypatch.setattr(os, "sched_setaffinity", lambda task, _cores: bound.append(task))
    monkeypatch.setattr(driver_threads, "drawing_threads", lambda: {0: [1], 1: [2]})
    spread(software)
    assert bound == []


def test_a_system_that_forbids_it_is_no_error(software: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_task: int, _cores: set[int]) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "sched_setaffinity", refuse)
    threads = drawing_threads()
    spread(software)
    assert drawing_threads() == threads
