"""Measures how soon a large network has its verdicts in the window, and the frames that are drawn meanwhile.

    .venv/bin/python -m benchmarks.comparing [PASSES [CHANNELS [SIZE]]]

The network is a chain of 3x3 convolutions of [1, CHANNELS, SIZE, SIZE]; a pass in its middle is selected. Without a
display one is made (Xvfb). Prints the driver with the figures.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

import onnx

from benchmarks.scaling import chain
from tests.gui.virtual_display import VirtualDisplay
from texelscope.pipeline.target import Target
from texelscope.viewer.document.document import Document

SETTLE_SECONDS = 600.0


@dataclass(frozen=True)
class Figures:
    """Holds seconds since all passes had run, and the duration of each frame drawn in that time."""

    driver: str
    selected_seconds: float
    passes_seconds: float
    complete_seconds: float
    frames_ms: Sequence[float]


class _Watch:
    """Notes when verdicts are known, and how long frames take, whenever the window's loop asks."""

    def __init__(self, document: Document, selected: str) -> None:
        self._document, self._selected = document, selected
        self._began: float | None = None
        self.seconds: dict[str, float] = {}
        self.frames_ms: list[float] = []

    def look(self, frame_ms: float) -> bool:
        """Returns whether the comparison is complete; `frame_ms` is the last frame's duration."""
        document, early = self._document, self._document.early
        if self._began is None:
            if document.passes and not document.run.is_under_way:
                self._began = time.perf_counter()
            return False
        if frame_ms not in self.frames_ms[-1:]:
            self.frames_ms.append(frame_ms)
        if document.report_of(self._selected) is not None:
            self._note("selected")
        if document.is_compared or (early is not None and early.count == early.total):
            self._note("passes")
        if document.is_compared and document.settled:
            self._note("complete")
        return "complete" in self.seconds

    def _note(self, what: str) -> None:
        assert self._began is not None
        self.seconds.setdefault(what, time.perf_counter() - self._began)


def measure(passes: int, channels: int, size: int) -> Figures:
    """Opens the window on the chain, and waits until it is compared end to end."""
    from texelscope.viewer.window import MainWindow  # needs a display to be there

    selected = f"conv{passes // 2}"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chain.onnx"
        onnx.save(chain(channels=channels, size=size, layers=passes), path)
        window = MainWindow()
        try:
            app = window.app
            app.document.open(Target(str(path)))
            app.state.select(selected)
            watch = _Watch(app.document, selected)
            window.run(until=lambda: watch.look(app.display.frame_ms), timeout_s=SETTLE_SECONDS)
            found = watch.seconds
            return Figures(window.driver, found["selected"], found["passes"], found["complete"], watch.frames_ms)
        finally:
            window.close()


def main() -> None:
    """Measures and prints."""
    given = [int(text) for text in sys.argv[1:]]
    passes, channels, size = (*given, *(668, 24, 48)[len(given) :])
    display: AbstractContextManager[object] = nullcontext() if os.environ.get("DISPLAY") else VirtualDisplay()
    with display as server:
        if isinstance(server, VirtualDisplay):
            os.environ["DISPLAY"] = server.name
        figures = measure(passes, channels, size)
    frames = figures.frames_ms
    print(f"{figures.driver}; {passes} passes of [1, {channels}, {size}, {size}]")
    print(f"the selected pass's verdict after {figures.selected_seconds:.1f} s")
    print(
        f"every pass's verdict after {figures.passes_seconds:.1f} s, end to end after {figures.complete_seconds:.1f} s"
    )
    print(f"{len(frames)} frames meanwhile: median {statistics.median(frames):.1f} ms, longest {max(frames):.1f} ms")


if __name__ == "__main__":
    main()
