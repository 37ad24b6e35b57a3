"""Measures what the device can do at most, counts the work of each pass, and keeps GPU times over the last runs."""

from __future__ import annotations

import statistics
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING
from weakref import ref

from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.plan import Plan

if TYPE_CHECKING:
    from texelscope.pipeline.lowerings.fusion.fusing import Item
    from texelscope.pipeline.roofline.chart import Chart
    from texelscope.pipeline.roofline.peaks import PeakMeasurement, Peaks
    from texelscope.pipeline.roofline.work import PassWork

_BUDGET_SECONDS = 0.01


class Roofline:
    """Holds the device's peaks, measured once on request, and the work of each pass, counted for each plan."""

    def __init__(self) -> None:
        self._measurement: PeakMeasurement | None = None
        self._peaks: Peaks | None = None
        self._plan: Plan | None = None
        self._works: dict[str, PassWork] = {}
        self._shown: tuple[Mapping[str, float], Chart | None] = ({}, None)

    @property
    def is_under_way(self) -> bool:
        """Whether the device is being measured."""
        return self._measurement is not None

    @property
    def peaks(self) -> Peaks | None:
        """The measured peaks of the device; None before."""
        return self._peaks

    def measure(self, measurement: PeakMeasurement) -> None:
        """Measures the device, from the next `advance` on."""
        self._measurement = measurement

    def advance(self, session: Session | None) -> bool:
        """Measures one figure, or counts the work of some passes; True if it did."""
        if self._measurement is not None:
            self._peaks = self._measurement.step()
            if self._peaks is not None:
                self._measurement = None
            return True
        if self._peaks is None or session is None:
            return False
        from texelscope.pipeline.roofline.work import work_of

        if session.plan is not self._plan:
            self._plan, self._works, self._shown = session.plan, {}, ({}, None)
        missing = [each for each in session.plan.passes if each.name not in self._works]
        deadline = time.perf_counter() + _BUDGET_SECONDS
        for each in missing:
            self._works[each.name] = work_of(session.plan, each)
            if time.perf_counter() > deadline:
                break
        return bool(missing)

    def chart(self, session: Session, gpu_ms: Mapping[str, float]) -> Chart | None:
        """Returns the chart for those times by pass; None before the device is measured and every pass is counted."""
        if self._peaks is None or session.plan is not self._plan or len(self._works) < len(session.plan.passes):
            return None
        from texelscope.pipeline.roofline.chart import chart_of
        from texelscope.pipeline.roofline.work import dispatched

        if self._shown[0] != gpu_ms:
            chart = chart_of(session.plan, gpu_ms, self._peaks, works=self._works, in_compute=dispatched(session))
            self._shown = (dict(gpu_ms), chart)
        return self._shown[1]


HISTORY_RUNS = 120
# A pass's time is the median over this many of its last runs: software drivers share their cores with others.
MEDIAN_RUNS = 15


class Timings:
    """Milliseconds by pass, or by form of a fused run, one entry a run; whole runs oldest first."""

    def __init__(self) -> None:
        # A hidden panel must not keep a closed session alive.
        self._session: Callable[[], Session | None] = lambda: None
        self._generations: dict[str, int] = {}
        self._by_pass: dict[str, deque[float]] = {}

    def update(self, session: Session, items: Collection[Item] = (), untimed: Collection[str] = ()) -> None:
        """Records what has run since the last call: passes, or the `items` of fused runs.

        For passes that last ran `untimed` an earlier time counts, once. Starts anew for another session.
        """
        if session is not self._session():
            self._session = ref(session)
            self._generations.clear()
            self._by_pass.clear()
        outputs = {each.name: each.output for each in session.plan.passes}
        rows = _written(items, outputs) if items else outputs
        for gone in self._by_pass.keys() - rows:
            del self._by_pass[gone], self._generations[gone]
        for name, key in rows.items():
            if name in untimed and name in self._by_pass:
                continue
            generation = session.generation(key)
            if generation != self._generations.get(name) and (name not in outputs or session.has_run(name)):
                self._generations[name] = generation
                elapsed = session.gpu_ms(name)
                if elapsed is not None:
                    self._by_pass.setdefault(name, deque(maxlen=HISTORY_RUNS)).append(elapsed)

    def median_ms(self, name: str) -> float | None:
        """Returns the pass's time; None if it never ran."""
        times = self._by_pass.get(name)
        return statistics.median(list(times)[-MEDIAN_RUNS:]) if times else None

    def history_ms(self, name: str) -> tuple[float, ...]:
        """Returns the times of the pass's last runs, newest last."""
        return tuple(self._by_pass.get(name, ()))

    def total_ms(self) -> float:
        """Returns the sum of all passes' times."""
        return sum(self.median_ms(name) or 0.0 for name in self._by_pass)

    def totals_ms(self) -> tuple[float, ...]:
        """Returns the times of whole runs: sums over all passes, for as many runs as every pass has."""
        if not self._by_pass:
            return ()
        count = min(len(times) for times in self._by_pass.values())
        return tuple(sum(run) for run in zip(*(list(times)[-count:] for times in self._by_pass.values()), strict=True))


def row_name(item: Item) -> str:
    """Returns the name under which a session keeps the time of an item of a fused run."""
    return item.name if isinstance(item, Lowering) else item


def whole_ms(session: Session, names: Iterable[str]) -> float | None:
    """Returns the GPU time of the last runs of all those passes or forms; None if one of them has none."""
    times = [session.gpu_ms(name) for name in names]
    known = [elapsed for elapsed in times if elapsed is not None]
    return sum(known) if known and len(known) == len(times) else None


def _written(items: Collection[Item], outputs: Mapping[str, str]) -> dict[str, str]:
    """Returns for each item a tensor that it writes."""
    return {
        row_name(item): (*item.writes, *item.parts)[0] if isinstance(item, Lowering) else outputs[item]
        for item in items
    }
