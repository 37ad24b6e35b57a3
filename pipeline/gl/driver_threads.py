"""Gives each thread of Mesa's software driver a processor core of its own, where the system lets a program do so.

llvmpipe draws with one thread a core. Linux often wakes two of them on one core after a pause, and leaves them there
for the whole run, while the other core is idle: a run of short draws then takes up to twice as long. See
docs/decisions/software-threads-have-cores.md.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections import defaultdict
from pathlib import Path

import moderngl

from texelscope.pipeline.gl.state import is_llvmpipe

# Whoever sets this has counted the threads, for several processes side by side perhaps, and places them as well.
_COUNT_BY_HAND = "LP_NUM_THREADS"
# Mesa makes no more threads on larger machines, so that cores remain that an unlucky thread can be moved to.
_MOST_CORES = 16
# A new thread gives itself its name, a little after it was made.
_PATIENCE_SECONDS = 0.02
_TASKS = Path("/proc/self/task")


def spread(context: moderngl.Context) -> None:
    """Binds the driver's drawing threads of this process to cores, thread 0 to the first core that it may use.

    Does nothing on other drivers and systems, and if there are not as many threads as cores.
    """
    if not (sys.platform == "linux" and is_llvmpipe(context)) or _COUNT_BY_HAND in os.environ:
        return
    cores = sorted(os.sched_getaffinity(0))
    if not 1 < len(cores) <= _MOST_CORES:
        return
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while len(threads := drawing_threads()) < len(cores) and time.monotonic() < deadline:
        time.sleep(_PATIENCE_SECONDS / 20)
    if len(threads) == len(cores):
        for number, tasks in threads.items():
            for task in tasks:
                _bind(task, cores[number])


def drawing_threads() -> dict[int, list[int]]:
    """Returns the ids of this process's threads that llvmpipe draws with, by number.

    A number has several threads if the driver was loaded for several displays.
    """
    found = defaultdict(list)
    for task in _TASKS.iterdir():
        try:
            name = (task / "comm").read_text()
        except OSError:  # it has ended
            continue
        if match := re.fullmatch(r"llvmpipe-(\d+)\n", name):
            found[int(match[1])].append(int(task.name))
    return dict(found)


def _bind(task: int, core: int) -> None:
    try:
        os.sched_setaffinity(task, {core})
    except OSError:  # it has ended, or the system forbids it: it draws where it is
        return
