"""Holds the result of a comparison: the report, and for each tensor the oracle's side of every picture."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.outside_text import said_by
from texelscope.pipeline.compare.convention_fits import ConventionFit, convention_fits
from texelscope.pipeline.compare.report import SEVERITY, PassReport, Report, Verdict
from texelscope.pipeline.errors import CancelledError
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import Pass, Plan, ProgramSource
from texelscope.viewer.document.early_verdicts import EarlyVerdicts
from texelscope.viewer.document.jobs import Job, Worker

if TYPE_CHECKING:
    from texelscope.pipeline.compare.capture import Capture
    from texelscope.pipeline.compare.comparer import Comparer
    from texelscope.pipeline.compare.isolated import IsolatedReport

HISTOGRAM_BINS = 96

# Log texts by verdict, for verdicts that are no fault of the shader.
_PROBLEMS = {"error": "is wired wrongly", "not_compared": "could not be compared"}

Found = TypeVar("Found")


@dataclass(frozen=True)
class Statistics:
    """Holds the finite ranges of the actual and of the oracle's tensor, and a histogram of the actual values."""

    low: float
    high: float
    oracle_low: float
    oracle_high: float
    histogram: NDArray[np.float32]
    nan_count: int
    infinite_count: int

    @property
    def shared(self) -> tuple[float, float]:
        """The range that covers both, with which both pictures are shown."""
        return min(self.low, self.oracle_low), max(self.high, self.oracle_high)


@dataclass(frozen=True)
class Comparison:
    """One finished comparison. `expected` has chained values by key, `isolated` those on the pass's own inputs.

    `number` grows from one comparison to the next, over all sessions of a window, and identifies pictures made from it.
    `revision` is that of the document when the tensors were read back. For operators that frameworks define
    differently, `conventions` has by pass the distance of its result from each definition. `problems` are lines on what
    could not be determined. `plan` and the `programs` by pass made the tensors.
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
        inside = f", {len(self.capture.inside)} inside fused passes" if self.capture.inside else ""
        return f"Compared: {matching} of {len(judged)} passes match{inside}{culprit}.{jumps}"

    @property
    def judged(self) -> tuple[PassReport, ...]:
        """The passes without those that a fused run did not store."""
        return tuple(each for each in self.report.passes if each.name not in self.capture.inside)

    @property
    def verdict(self) -> Verdict:
        """The worst verdict of the judged passes."""
        return max((each.verdict for each in self.judged), key=SEVERITY.index, default="match")

    def statistics_of(self, key: str, actual: NDArray[np.float32], own: Expected | None) -> Statistics | None:
        """Returns the statistics of a tensor if they are of this array and this oracle value; else None."""
        if self.capture.tensors.get(key) is not actual or self.isolated.get(key, self.expected.get(key)) is not own:
            return None
        return self.statistics.get(key)

    def oracle(self, key: str, *, chained: bool) -> Expected | None:
        """Returns the oracle's tensor behind `key`, end to end or on the pass's actual inputs."""
        own = self.isolated.get(key)
        return self.expected.get(key) if chained or own is None else own


@dataclass(frozen=True)
class Question:
    """The input of a comparison. `last` is the newest one by the same comparer, if there is one.

    `early` gets the verdicts one by one; `needed` returns the names of the passes that are to be judged next.
    """

    plan: Plan
    comparer: Comparer
    capture: Capture
    early: EarlyVerdicts
    needed: Callable[[], Collection[str]]
    programs: Mapping[str, ProgramSource]
    last: Comparison | None = None

    def asks_as(self, comparer: Comparer, capture: Capture, revision: int) -> bool:
        """Returns whether the answer is valid for these arguments too."""
        return self.comparer is comparer and self.capture is capture and self.early.revision == revision


def compare(question: Question, worker: Worker[Comparison], job: Job[Comparison]) -> Comparison:
    """Does one comparison in the worker's thread. Raises CancelledError when the job is cancelled.

    What cannot be determined beside the verdicts is left out and listed in `problems`. Unchanged results are taken from
    the last comparison.
    """
    from texelscope.pipeline.compare.following import Following
    from texelscope.pipeline.compare.isolated import NO_ORACLE

    plan, comparer, capture, last = question.plan, question.comparer, question.capture, question.last

    early = question.early

    def report_share(share: float) -> None:
        if job.cancel.is_set():
            raise CancelledError
        early.share = share
        worker.report(job, early.progress)

    def judged(alone: IsolatedReport) -> None:
        if job.cancel.is_set():  # what was broken off is no verdict
            raise CancelledError
        early.add(alone)
        worker.report(job, early.progress, at_once=alone.report.name in question.needed())

    before = comparer.last_capture
    following = Following(question.needed, judged, lambda share: report_share(0.8 * share))
    report = comparer.compare(capture, following=following, cancel=job.cancel)
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
    statistics = _found(
        "range", statistics_of, capture.tensors, lambda share: report_share(0.8 + 0.1 * share), problems
    )
    names = [each.name for each in plan.passes]
    fits = _found("conventions", conventions_of, names, lambda share: report_share(0.9 + 0.1 * share), problems)
    conventions = {name: found for name, found in fits.items() if found}
    return Comparison(
        early.number,
        early.revision,
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
    what: str,
    find: Callable[[str], Found],
    names: Collection[str],
    report_share: Callable[[float], None],
    problems: list[str],
) -> dict[str, Found]:
    """Returns `find` of each name; a name that it fails on is left out and listed in `problems`."""
    found = {}
    for done, name in enumerate(names):
        report_share(done / len(names))
        try:
            found[name] = find(name)
        except Exception as error:  # noqa: BLE001 - the verdicts are valid without it
            problems.append(f"The {what} of '{name}' could not be determined: {said_by(error, with_type=True)}")
    return found


def compares_alike(old: Plan | None, new: Plan) -> bool:
    """Returns whether a comparer of one plan is valid for another: they differ only in shaders, or in the frame."""
    if old is None or old.graph is not new.graph or old.textures != new.textures:
        return False
    return [_wiring(each) for each in old.passes] == [_wiring(each) for each in new.passes]


def _wiring(shader_pass: Pass) -> tuple[object, ...]:
    of_file = {name: value for name, value in shader_pass.uniforms.items() if name not in shader_pass.by_frame}
    by_frame = dict(shader_pass.by_frame)
    bound = shader_pass.samplers, shader_pass.dispatch
    return shader_pass.name, shader_pass.outputs, bound, shader_pass.nodes, of_file, by_frame


def summarise(actual: NDArray[np.float32], oracle: NDArray[np.generic]) -> Statistics:
    """Returns range and histogram of a tensor and its oracle; empty ranges become [0, 1]. Takes any numbers."""
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
    """Counts the finite numbers in each of `HISTOGRAM_BINS` equal parts of their range; a single value in the first.

    `np.histogram` rejects a range too narrow for its edges to differ, as for nothing but 1e20.
    """
    # In double precision there is room between neighbouring float32 numbers, and the ends do not overflow.
    finite = values[np.isfinite(values)].astype(np.float64)
    width = high - low if high > low else 1.0
    bins = np.minimum((finite - low) / width * HISTOGRAM_BINS, HISTOGRAM_BINS - 1).astype(np.int64)
    return np.bincount(bins, minlength=HISTOGRAM_BINS).astype(np.float32)
