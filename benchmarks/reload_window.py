"""Measures the time from a save to a frame of the real window that shows it; a part of `benchmarks.reload`."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.reload_cases import Case, copied, edited, write
from tests.gui.virtual_display import VirtualDisplay
from texelscope.pipeline.target import Target

if TYPE_CHECKING:  # needs a display to be there
    from texelscope.viewer.window import MainWindow

FRAMES = ("first frame", "last frame")
SETTLE_SECONDS = 120.0


def measure(case: Case, saves: int) -> list[Mapping[str, float]]:
    """Returns milliseconds to the frames that show a save, for each but the first.

    It runs in another process: a context without a window rules out one with a window.
    """
    with VirtualDisplay() if not os.environ.get("DISPLAY") else nullcontext() as server:
        if isinstance(server, VirtualDisplay):
            os.environ["DISPLAY"] = server.name
        return _in_window(case, saves)


def _in_window(case: Case, saves: int) -> list[Mapping[str, float]]:
    """Returns milliseconds to the frames that show a save, of each but the first."""
    from texelscope.viewer.window import MainWindow

    with copied(case.source, case.layout) as target:
        window = MainWindow()
        try:
            window.app.document.open(Target(str(target)))
            _settle(window)
            times = []
            for number in range(saves + 1):
                file, name = case.shaders[number % len(case.shaders)]
                window.app.state.selected = name
                _settle(window)
                times.append(_save_in_window(window, target.with_name(file), name))
            return times[1:]
        finally:
            window.close()


def _settle(window: MainWindow) -> None:
    app = window.app
    window.draw_frame()
    window.run(until=lambda: app.document.settled and app.analyses.diagnoses.current is None, timeout_s=SETTLE_SECONDS)
    window.run(timeout_s=0.2)  # the frames in which an interface comes to rest
    window.finish()


def _save_in_window(window: MainWindow, path: Path, name: str) -> Mapping[str, float]:
    """Saves once; returns milliseconds to two frames. The loop draws after it has worked, so that results are shown."""
    document = window.app.document
    session = document.session
    assert session is not None
    key, last = session.plan.passes[session.plan.position(name)].output, session.plan.passes[-1].output
    before = {each: session.generation(each) for each in (key, last)}
    text = edited(path.read_text(encoding="utf-8"))
    frames = []
    start = time.perf_counter()
    write(path, text)
    for each in (key, last):
        window.run(until=lambda each=each: session.generation(each) > before[each], timeout_s=10.0)  # type: ignore[misc]
        window.finish()
        frames.append((time.perf_counter() - start) * 1e3)
        if session.generation(each) == before[each]:
            raise SystemExit(f"the save of {path.name} led to nothing")
    return dict(zip(FRAMES, frames, strict=True))
