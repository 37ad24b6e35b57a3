"""How long the window takes for a frame in which nothing changes, and how much CPU it uses while idle.

    .venv/bin/python -m benchmarks.window [TARGET]

Without a display one is made (Xvfb), as large as the window. Prints the driver with the figures.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.gui.virtual_display import VirtualDisplay
from texelscope.arguments import demo
from texelscope.pipeline.target import Target

if TYPE_CHECKING:  # needs a display to be there
    from texelscope.viewer.window import MainWindow

RUNS = 5
FRAMES_PER_RUN = 60
IDLE_SECONDS = 5.0
SETTLE_SECONDS = 60.0


@dataclass(frozen=True)
class Figures:
    """`frame_ms` are medians, one a run, of frames finished on the GPU; `idle_cpu` is CPU time over wall time."""

    driver: str
    size: tuple[int, int]
    frame_ms: tuple[float, ...]
    idle_cpu: float


def measure(path: str | None = None) -> Figures:
    """Opens the window on a model (the bundled demo by default), waits until everything is compared, measures."""
    from texelscope.viewer.window import MainWindow  # needs a display to be there

    window = MainWindow()
    try:
        window.app.document.open(Target(path) if path else demo())
        window.run(until=lambda: window.app.document.settled, timeout_s=SETTLE_SECONDS)
        medians = [_frame_ms(window) for _ in range(RUNS)]
        started, used = time.perf_counter(), time.process_time()
        window.run(until=lambda: time.perf_counter() - started >= IDLE_SECONDS, timeout_s=IDLE_SECONDS)
        idle = (time.process_time() - used) / (time.perf_counter() - started)
        return Figures(window.driver, window.size, tuple(medians), idle)
    finally:
        window.close()


def _frame_ms(window: MainWindow) -> float:
    times = []
    for _ in range(FRAMES_PER_RUN):
        start = time.perf_counter()
        window.draw_frame()
        window.finish()
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


def main() -> None:
    """Measures and prints."""
    display: AbstractContextManager[object] = nullcontext() if os.environ.get("DISPLAY") else VirtualDisplay()
    with display as server:
        if isinstance(server, VirtualDisplay):
            os.environ["DISPLAY"] = server.name
        figures = measure(sys.argv[1] if len(sys.argv) > 1 else None)
    runs = ", ".join(f"{each:.1f}" for each in sorted(figures.frame_ms))
    print(f"{figures.driver}, {figures.size[0]} x {figures.size[1]}")
    print(f"frame, nothing changing: {statistics.median(figures.frame_ms):.1f} ms (medians of {RUNS} runs: {runs})")
    print(f"idle: {figures.idle_cpu:.1%} of one core over {IDLE_SECONDS:.0f} s")


if __name__ == "__main__":
    main()
