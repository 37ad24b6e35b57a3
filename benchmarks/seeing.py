"""Measures what it costs to see everything: all intermediates kept, thumbnails, verdicts, against the plain run.

    python -m benchmarks.seeing [--ngf N] [--runs N]

It measures the U-Net generator with N channels at first (16 by default), in one process and in turns: the plain run
(fused, the output alone); every tensor kept, each pass alone and timed, as for the Timing panel; every tensor kept as
in the window once it has run a few times, in forms; with a thumbnail of every tensor, drawn as the window draws them;
with the verdicts of a further run on the same inputs, as the window has them; and, for comparison, with everything read
back and judged anew. *On and on* are runs of a second, each after the other: plain ones, and as the window does it,
with thumbnails drawn five times a second and verdicts computed once.

A figure is the median of the runs in milliseconds, of the wall and, on a software driver, of the processor over all its
threads, which holds on a busy machine too; beside each its ratio to the plain run of its kind, and the ratio of the
shortest.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from benchmarks.unet import build
from texelscope import pipeline
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.gl.context import device_of, headless_context
from texelscope.pipeline.gl.session_lowerings import RUNS_BEFORE_TUNING
from texelscope.pipeline.incremental_compare.judged import IncrementalJudge
from texelscope.viewer.canvas.canvas import Canvas
from texelscope.viewer.canvas.thumbnails import LIVE_SECONDS
from texelscope.viewer.document.comparing import COMPARE_EVERY_SECONDS
from texelscope.viewer.document.log import MessageLog
from texelscope.viewer.document.run import RUN_BUDGET_MS, DocumentRun

_LIVE_SECONDS = 5
_PLAIN = "plain run"
_ANEW = "kept, thumbnails, judged anew"
_PLAIN_LIVE = "plain run, on and on"
_LIVE = "everything, on and on"
_ANEW_RUNS = 3
_KINDS = ("", "processor ")


@dataclass
class Seen:
    """Holds a session with all its observers, and the ways to run it."""

    session: DebugSession
    run: DocumentRun
    judged: IncrementalJudge
    comparer: Comparer
    canvas: Canvas
    times: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    drawn_at: float = 0.0
    asked_at: float = 0.0

    @property
    def ways(self) -> Mapping[str, Callable[[], None]]:
        """The measured runs, by title."""
        return {
            _PLAIN: self._plain,
            "kept, each pass alone": self._alone,
            "kept": self._kept,
            "kept, thumbnails": self._with_thumbnails,
            "kept, thumbnails, verdicts": self._with_verdicts,
        }

    @property
    def on_and_on(self) -> Mapping[str, Callable[[], None]]:
        """The measured sequences of runs, by title."""
        return {_PLAIN_LIVE: self._plain, _LIVE: self._live}

    @property
    def parts(self) -> Mapping[str, Callable[[], None]]:
        """The parts of a run with everything on that are no run, by title."""
        return {"of it thumbnails": self._thumbnails, "of it verdicts": self._verdicts}

    def measure(self, title: str, way: Callable[[], None]) -> None:
        """Measures one run, with the GPU finished before and after."""
        self.session.finish()
        wall, used = time.perf_counter(), time.process_time()
        way()
        self.session.finish()
        spent = (time.perf_counter() - wall) * 1e3, (time.process_time() - used) * 1e3
        self.times.setdefault(title, []).append(spent)

    def measure_on_and_on(self, title: str, way: Callable[[], None]) -> None:
        """Measures runs for a second; returns the time of one."""
        self.session.finish()
        wall, used, count = time.perf_counter(), time.process_time(), 0
        while (now := time.perf_counter()) - wall < COMPARE_EVERY_SECONDS:
            way()
            self.session.finish()
            count += 1
        spent = (now - wall) * 1e3 / count, (time.process_time() - used) * 1e3 / count
        self.times.setdefault(title, []).append(spent)

    def _live(self) -> None:
        """Runs as the window does continuously: with work due whose interval is over."""
        self._kept()
        now = time.perf_counter()
        if now - self.drawn_at > LIVE_SECONDS:
            self.drawn_at = now
            self._thumbnails()
        if now - self.asked_at > COMPARE_EVERY_SECONDS:
            self.asked_at = now
            self._verdicts()

    def _plain(self) -> None:
        with self.session.untimed():
            self.session.run_fused()

    def _alone(self) -> None:
        self.run.wants_times = True
        self._kept()

    def _kept(self) -> None:
        self.run.everything()
        while self.run.is_under_way:
            self.run.advance(RUN_BUDGET_MS)

    def _with_thumbnails(self) -> None:
        self._kept()
        self._thumbnails()

    def _with_verdicts(self) -> None:
        self._kept()
        self._thumbnails()
        self._verdicts()

    def judge_anew(self) -> None:
        """Runs with a thumbnail of each tensor, and every verdict found anew."""
        self._kept()
        self._thumbnails()
        Comparer(self.session.plan).compare(self.session.capture())

    def _thumbnails(self) -> None:
        session, thumbnails = self.session, self.canvas.thumbnails
        for key in session.computed:
            thumbnails.of(session.plan.textures[key], session.texture(key), session.generation(key), (-1.0, 1.0))
        thumbnails.draw()

    def _verdicts(self) -> None:
        capture = self.judged.capture()
        if capture is not self.comparer.last_capture:
            self.comparer.compare(capture)
        self.judged.hold()


def measure(ngf: int, runs: int) -> Seen:
    """Opens the model, warms every way up, and measures them in turns; the caller releases nothing."""
    session = pipeline.open(build(ngf=ngf), context=headless_context())  # kept current, as the window's is
    shape = session.plan.textures["image"].shape
    session.set_input("image", np.random.default_rng(0).standard_normal(shape, dtype=np.float32))
    judged = IncrementalJudge(session)
    run = DocumentRun(MessageLog(), judged.hold, lambda: True)
    run.take_up(session)
    seen = Seen(session, run, judged, Comparer(session.plan), Canvas(session.context))
    for _ in range(RUNS_BEFORE_TUNING + 2 * len(session.plan.passes)):  # a form a run is taken, then one is tuned
        seen.ways["kept"]()
    for way in seen.ways.values():
        way()
    while session.tune(after=1):
        pass
    for _ in range(runs):
        for title, way in seen.ways.items():
            seen.measure(title, way)
        seen.ways["kept"]()
        for title, part in seen.parts.items():
            seen.measure(title, part)
    for _ in range(_LIVE_SECONDS):
        for title, way in seen.on_and_on.items():
            way()  # what the other one left otherwise
            seen.measure_on_and_on(title, way)
    for _ in range(_ANEW_RUNS):  # last: a GPU slows down while it waits so long
        seen.measure(_ANEW, seen.judge_anew)
    return seen


def _figures(name: str, i: int, times: list[tuple[float, float]], plain: list[tuple[float, float]]) -> str:
    """Returns of the times of kind `i` the median, and its ratio and the least one's to those of the plain run."""
    own, other = ([each[i] for each in all_] for all_ in (times, plain))
    median = statistics.median(own)
    return f"{name}{median:9.1f} ms x{median / statistics.median(other):.2f} (least x{min(own) / min(other):.2f})"


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--ngf", type=int, default=16, metavar="N", help="channels of the first level")
    parser.add_argument("--runs", type=int, default=15, metavar="N", help="runs of each way")
    options = parser.parse_args()
    seen = measure(options.ngf, options.runs)
    device = device_of(seen.session.context)
    print(f"{device.renderer}; U-Net, ngf {options.ngf}, {len(seen.session.computed)} tensors, {options.runs} runs")
    for title, times in seen.times.items():
        plain = seen.times[_PLAIN_LIVE if title in seen.on_and_on else _PLAIN]
        print(f"{title:32}", "   ".join(_figures(name, i, times, plain) for i, name in enumerate(_KINDS)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
