"""What a comparison gives the window: the report, and per tensor the oracle's side of every picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipeline.compare.capture import Capture
from pipeline.compare.comparer import Comparer
from pipeline.compare.convention_fits import ConventionFit, convention_fits
from pipeline.compare.report import Report
from pipeline.oracle.expected import Expected
from pipeline.plan import Pass, Plan
from viewer.document.jobs import Job, Worker

HISTOGRAM_BINS = 96


@dataclass(frozen=True)
class Statistics:
    """Finite range of the actual tensor and of the oracle's, and a histogram of the actual values."""

    low: float
    high: float
    oracle_low: float
    oracle_high: float
    histogram: NDArray[np.float32]
    nan_count: int
    infinite_count: int

    @property
    def shared(self) -> tuple[float, float]:
        """The range that covers both: what both pictures are shown with."""
        return min(self.low, self.oracle_low), max(self.high, self.oracle_high)


@dataclass(frozen=True)
class Comparison:
    """One finished comparison. `expected` by key: chained values, `isolated` those on the pass's own inputs.

    `revision` is that of the document when its tensors were read back. `conventions` says by pass, for operators that
    frameworks define differently, how far its result is from each definition.
    """

    revision: int
    report: Report
    capture: Capture
    expected: Mapping[str, Expected]
    isolated: Mapping[str, Expected]
    statistics: Mapping[str, Statistics]
    conventions: Mapping[str, tuple[ConventionFit, ...]]

    @property
    def summary(self) -> str:
        """One line on all passes, for the log."""
        matching = sum(each.verdict == "match" for each in self.report.passes)
        culprit = f", first wrong: {self.report.culprit}" if self.report.culprit else ""
        return f"Compared: {matching} of {len(self.report.passes)} passes match{culprit}."

    def oracle(self, key: str, *, chained: bool) -> Expected | None:
        """The oracle's tensor behind `key`, end to end or on the inputs that the pass really had."""
        own = self.isolated.get(key)
        return self.expected.get(key) if chained or own is None else own


def compare(
    plan: Plan,
    comparer: Comparer,
    capture: Capture,
    worker: Worker[Comparison],
    revision: int,
    job: Job[Comparison],
) -> Comparison:
    """Does one comparison, in the worker's thread. Raises CancelledError when the job is cancelled."""
    report = comparer.compare(capture, progress=lambda share: worker.report(job, share * 0.8), cancel=job.cancel)
    inputs = {plan.textures[key].tensor: capture.tensors[key] for key in plan.inputs if key in capture.tensors}
    by_tensor = comparer.expected(inputs)
    expected = {key: by_tensor[stored.tensor] for key, stored in plan.textures.items() if stored.tensor in by_tensor}
    isolated = comparer.isolated_values()
    statistics = {}
    for done, (key, actual) in enumerate(capture.tensors.items()):
        own = isolated.get(key, expected.get(key))
        statistics[key] = summarise(actual, own.value if own is not None else actual)
        worker.report(job, 0.8 + 0.2 * (done + 1) / len(capture.tensors))
    fits = {each.name: convention_fits(plan, capture, each.name) for each in plan.passes}
    conventions = {name: found for name, found in fits.items() if found}
    return Comparison(revision, report, capture, expected, dict(isolated), statistics, conventions)


def compares_alike(old: Plan | None, new: Plan) -> bool:
    """Whether what was made to compare one plan goes for another: they differ in nothing but shaders."""
    if old is None or old.graph is not new.graph or old.textures != new.textures:
        return False
    return [_wiring(each) for each in old.passes] == [_wiring(each) for each in new.passes]


def _wiring(each: Pass) -> tuple[object, ...]:
    return each.name, each.outputs, each.samplers, each.nodes


def summarise(actual: NDArray[np.float32], oracle: NDArray[np.generic]) -> Statistics:
    """Range and histogram of a tensor beside its oracle; empty ranges become [0, 1]."""
    low, high = _finite_range(actual)
    oracle_low, oracle_high = _finite_range(np.asarray(oracle, dtype=np.float32))
    finite = actual[np.isfinite(actual)]
    span = (low, high if high > low else low + 1.0)
    # In double precision, since neighbouring float32 numbers leave no room for bins between them.
    counts, _ = np.histogram(finite.astype(np.float64), bins=HISTOGRAM_BINS, range=span)
    return Statistics(
        low,
        high,
        oracle_low,
        oracle_high,
        counts.astype(np.float32),
        int(np.count_nonzero(np.isnan(actual))),
        int(np.count_nonzero(np.isinf(actual))),
    )


def _finite_range(values: NDArray[np.float32]) -> tuple[float, float]:
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
