"""What a comparison gives the window: the report, and per tensor the oracle's side of every picture."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.outside_text import said_by
from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.comparer import NO_ORACLE, Comparer
from texelscope.pipeline.compare.convention_fits import ConventionFit, convention_fits
from texelscope.pipeline.compare.report import SEVERITY, PassReport, Report, Verdict
from texelscope.pipeline.errors import CancelledError
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import Pass, Plan, ProgramSource
from texelscope.viewer.document.jobs import Job, Worker

HISTOGRAM_BINS = 96

# What the log says of a pass by its verdict, where that is no fault of its shader.
_PROBLEMS = {"error": "is wired wrongly", "not_compared": "could not be compared"}

Found = TypeVar("Found")


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

    `number` grows from one comparison to the next, over all sessions of a window: a picture made from this one is told
    by it from any other. `revision` is that of the document when the tensors were read back. `conventions` says by
    pass, for operators that frameworks define differently, how far its result is from each definition. `problems` are
    what could not be found out, a line each. `plan` and the `programs` by pass are those that made the tensors.
    """

    number: int
    revision: int
    plan: Plan
    programs: Mapping[str, ProgramSource]
    report: Report
    capture: Capture
    expected: Mapping[str, Expected]
    isolated: Mapping[str, Expected]
    statistics: Mapping[str, Statistics]
    conventions: Mapping[str, tuple[ConventionFit, ...]]
    problems: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        """One line on all passes, for the log."""
        judged = self.judged
        matching = sum(each.verdict == "match" for each in judged)
        culprit = f", first wrong: {self.report.culprit}" if self.report.culprit else ""
        whole = self.report.end_to_end
        jumps = f" {whole.message}" if whole is not None and whole.jump is not None else ""
        inside = f", {len(self.capture.inside)} inside of forms" if self.capture.inside else ""
        return f"Compared: {matching} of {len(judged)} passes match{inside}{culprit}.{jumps}"

    @property
    def judged(self) -> tuple[PassReport, ...]:
        """The passes without those that a fused run did not store."""
        return tuple(each for each in self.report.passes if each.name not in self.capture.inside)

    @property
    def verdict(self) -> Verdict:
        """The worst one of what is judged."""
        return max((each.verdict for each in self.judged), key=SEVERITY.index, default="match")

    def statistics_of(self, key: str, actual: NDArray[np.float32], own: Expected | None) -> Statistics | None:
        """Those of a tensor if they are of that very array, beside that value of the oracle; else None."""
        if self.capture.tensors.get(key) is not actual or self.isolated.get(key, self.expected.get(key)) is not own:
            return None
        return self.statistics.get(key)

    def oracle(self, key: str, *, chained: bool) -> Expected | None:
        """The oracle's tensor behind `key`, end to end or on the inputs that the pass really had."""
        own = self.isolated.get(key)
        return self.expected.get(key) if chained or own is None else own


@dataclass(frozen=True)
class Question:
    """What is to be compared. `last` is the newest comparison by the same comparer, if there is one."""

    plan: Plan
    comparer: Comparer
    capture: Capture
    number: int
    revision: int
    programs: Mapping[str, ProgramSource]
    last: Comparison | None = None

    def asks_as(self, comparer: Comparer, capture: Capture, revision: int) -> bool:
        """Whether the answer goes for that too."""
        return self.comparer is comparer and self.capture is capture and self.revision == revision


def compare(question: Question, worker: Worker[Comparison], job: Job[Comparison]) -> Comparison:
    """Does one comparison, in the worker's thread. Raises CancelledError when the job is cancelled.

    What cannot be found out beside the verdicts is left out, and is one of its `problems`. What is as in the last
    comparison is taken from there.
    """
    plan, comparer, capture, last = question.plan, question.comparer, question.capture, question.last

    def tell(share: float) -> None:
        if job.cancel.is_set():
            raise CancelledError
        worker.report(job, share)

    before = comparer.last_capture
    report = comparer.compare(capture, progress=lambda share: tell(0.8 * share), cancel=job.cancel)
    by_tensor = comparer.expected(comparer.given(capture))
    expected = {key: by_tensor[stored.tensor] for key, stored in plan.textures.items() if stored.tensor in by_tensor}
    isolated = comparer.isolated_values()

    def statistics_of(key: str) -> Statistics:
        actual, own = capture.tensors[key], isolated.get(key, expected.get(key))
        known = last.statistics_of(key, actual, own) if last is not None else None
        return summarise(actual, own.value if own is not None else actual) if known is None else known

    def conventions_of(name: str) -> tuple[ConventionFit, ...]:
        if last is not None and last.capture is before and name in comparer.stood:
            return last.conventions.get(name, ())
        return convention_fits(plan, capture, name)

    known = {NO_ORACLE, *plan.warnings, *plan.unjudged.values()}
    problems = [
        f"'{each.name}' {_PROBLEMS[each.verdict]}: {each.message}"
        for each in report.passes
        if each.verdict in _PROBLEMS
        and each.name not in {*capture.errors, *capture.inside}
        and each.message not in known
    ]
    statistics = _found("range", statistics_of, capture.tensors, lambda share: tell(0.8 + 0.1 * share), problems)
    names = [each.name for each in plan.passes]
    fits = _found("conventions", conventions_of, names, lambda share: tell(0.9 + 0.1 * share), problems)
    conventions = {name: found for name, found in fits.items() if found}
    return Comparison(
        question.number,
        question.revision,
        plan,
        question.programs,
        report,
        capture,
        expected,
        dict(isolated),
        statistics,
        conventions,
        tuple(problems),
    )


def _found(
    what: str, find: Callable[[str], Found], names: Collection[str], tell: Callable[[float], None], problems: list[str]
) -> dict[str, Found]:
    """What `find` says of each of the names; one that it breaks down on is left out, and is one of the `problems`."""
    found = {}
    for done, name in enumerate(names):
        tell(done / len(names))
        try:
            found[name] = find(name)
        except Exception as error:  # noqa: BLE001 - the verdicts stand without it
            problems.append(f"The {what} of '{name}' could not be found out: {said_by(error, with_type=True)}")
    return found


def compares_alike(old: Plan | None, new: Plan) -> bool:
    """Whether what was made to compare one plan goes for another: they differ in nothing but shaders."""
    if old is None or old.graph is not new.graph or old.textures != new.textures:
        return False
    return [_wiring(each) for each in old.passes] == [_wiring(each) for each in new.passes]


def _wiring(each: Pass) -> tuple[object, ...]:
    return each.name, each.outputs, each.samplers, each.dispatch, each.nodes


def summarise(actual: NDArray[np.float32], oracle: NDArray[np.generic]) -> Statistics:
    """Range and histogram of a tensor beside its oracle; empty ranges become [0, 1]. Takes any numbers."""
    with np.errstate(over="ignore"):  # the oracle computes in double precision, and its texture holds float32
        wanted = np.asarray(oracle, dtype=np.float32)
    low, high = _finite_range(actual)
    oracle_low, oracle_high = _finite_range(wanted)
    return Statistics(
        low,
        high,
        oracle_low,
        oracle_high,
        _histogram(actual, low, high),
        int(np.count_nonzero(np.isnan(actual))),
        int(np.count_nonzero(np.isinf(actual))),
    )


def _finite_range(values: NDArray[np.float32]) -> tuple[float, float]:
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)


def _histogram(values: NDArray[np.float32], low: float, high: float) -> NDArray[np.float32]:
    """How many of the finite numbers lie in each of `HISTOGRAM_BINS` equal parts of their range; of one, in the first.

    `np.histogram` refuses a range that is too narrow for its edges to differ, as that of 1e20 and nothing else.
    """
    # In double precision neighbouring float32 numbers have room between them, and their ends no overflow.
    finite = values[np.isfinite(values)].astype(np.float64)
    width = high - low if high > low else 1.0
    bins = np.minimum((finite - low) / width * HISTOGRAM_BINS, HISTOGRAM_BINS - 1).astype(np.int64)
    return np.bincount(bins, minlength=HISTOGRAM_BINS).astype(np.float32)
