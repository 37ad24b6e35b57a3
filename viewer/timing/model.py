"""Measures what the device can do at most and counts the work of each pass, piece by piece between two frames."""

from __future__ import annotations

import time
from collections.abc import Mapping

from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.roofline.chart import Chart, chart_of
from texelscope.pipeline.roofline.peaks import PeakMeasurement, Peaks
from texelscope.pipeline.roofline.work import PassWork, dispatched, work_of

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
        if self._shown[0] != gpu_ms:
            chart = chart_of(session.plan, gpu_ms, self._peaks, works=self._works, in_compute=dispatched(session))
            self._shown = (dict(gpu_ms), chart)
        return self._shown[1]
