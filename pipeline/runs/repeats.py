"""The same run again: passes whose results change though their inputs do not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.report import Finding, PassReport, Repeated, Report
from texelscope.pipeline.diagnose.naming import WRONG
from texelscope.pipeline.diagnose.rules.observed import REMEDY
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.plan import Pass

# `nondeterministic`: not even draws one after the other over a cleared target agree; `earlier_run`: those do, so that
# what an earlier run left shows in it.
Reason = Literal["nondeterministic", "earlier_run", "inherited"]
_RERUNS_OF_ONE = 3


@dataclass
class _Seen:
    """What the runs of one pass gave: which elements were ever otherwise, and whether its inputs always were too."""

    elements: NDArray[np.bool_]
    largest: float = 0.0
    is_own: bool = False


def repeat(session: Session, runs: int) -> tuple[Repeated, ...]:
    """Runs everything until it has run `runs` times, the session's last run being the first; what varied, in order.

    A pass that varied while everything that it read stayed as it was, bit for bit, varies on its own account; then it
    is drawn a few times over a cleared target, which tells what an earlier run left from all else.
    """
    passes = [each for each in session.plan.passes if session.has_run(each.name)]
    first = {key: session.tensor(key) for each in passes for key in each.outputs}
    seen: dict[str, _Seen] = {}
    for _ in range(runs - 1):
        changed: set[str] = set()
        for each in passes:
            session.run_pass(each.name)
            _look(session, each, first, changed, seen)
    found = []
    for each in passes:
        if each.name in seen:
            varied = seen[each.name]
            count, reason = int(np.count_nonzero(varied.elements)), _reason(session, each, varied)
            found.append(Repeated(each.name, reason, runs, count, varied.elements.size, varied.largest))
    return tuple(found)


def _look(
    session: Session, each: Pass, first: Mapping[str, NDArray[np.float32]], changed: set[str], seen: dict[str, _Seen]
) -> None:
    for key in each.outputs:
        now = session.tensor(key)
        differ = now.view(np.uint32) != first[key].view(np.uint32)
        if not differ.any():
            continue
        changed.add(key)
        with np.errstate(all="ignore"):
            error = np.abs(now.astype(np.float64) - first[key])[differ]
        varied = seen.setdefault(each.name, _Seen(np.zeros(now.shape, dtype=bool)))
        if key == each.output:
            varied.elements |= differ
        varied.largest = max(varied.largest, float(np.nan_to_num(error, nan=np.inf).max()))
        varied.is_own |= changed.isdisjoint(each.reads)


def _reason(session: Session, each: Pass, varied: _Seen) -> Reason:
    if not varied.is_own:
        return "inherited"
    results = []
    for _ in range(_RERUNS_OF_ONE):
        session.clear([each.name])
        session.run_pass(each.name)
        results.append(session.tensor(each.output).view(np.uint32))
    return "earlier_run" if all(np.array_equal(results[0], other) for other in results) else "nondeterministic"


def with_repeats(report: Report, repeated: tuple[Repeated, ...]) -> Report:
    """The report with what varied, and a finding `nondeterministic` for each pass that is and has none."""
    by_name = {each.name: each for each in repeated}
    passes = tuple(_with_finding(each, by_name.get(each.name)) for each in report.passes)
    return replace(report, passes=passes, repeated=repeated)


def _with_finding(report: PassReport, varied: Repeated | None) -> PassReport:
    if varied is None or varied.reason == "inherited":
        return report
    words = f"{varied.elements} of {varied.count} elements differ between {varied.runs} runs on the same inputs"
    if varied.reason == "earlier_run":
        message = f"{words}: an earlier run shows in it (blending, feedback, a copy that lags, texels left unwritten)."
        return replace(report, message=f"{report.message} {message}".strip())
    message = f"{words}, by {varied.max_abs:.1e} at most."
    report = replace(report, message=f"{report.message} {message}".strip())
    if any(found.cause == "nondeterministic" for found in report.findings) or report.verdict in WRONG:
        return report  # a wrong pass has been diagnosed, by the same runs among others
    return replace(report, findings=(Finding("nondeterministic", {}, 1.0, 0.0, report.name, None, words, REMEDY),))
