"""Finds passes whose results change though their inputs do not: in repeated runs here, or on another driver."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.report import Finding, PassReport, Repeated, Report
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.naming import WRONG
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.plan import Pass
from texelscope.pipeline.read_trace.dispatch_reads import Hazard
from texelscope.pipeline.read_trace.recorder import ReadRecorder

# `nondeterministic`: even successive draws over a cleared target differ; `earlier_run`: those agree, so that
# results of an earlier run show in it.
Reason = Literal["nondeterministic", "earlier_run", "inherited"]
_RERUNS_OF_ONE = 3


@dataclass
class _Seen:
    """Collects the results of one pass: which elements ever differed, and whether its inputs then did too."""

    elements: NDArray[np.bool_]
    largest: float = 0.0
    is_own: bool = False


def repeat(session: Session, runs: int) -> tuple[Repeated, ...]:
    """Runs everything until it has run `runs` times, the session's last run included; returns variations in order.

    A pass that varied while all its inputs stayed the same, bit for bit, varies by itself; then it is drawn a few times
    over a cleared target, which separates the remains of an earlier run from all else.
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
    session: Session,
    shader_pass: Pass,
    first: Mapping[str, NDArray[np.float32]],
    changed: set[str],
    seen: dict[str, _Seen],
) -> None:
    for key in shader_pass.outputs:
        now = session.tensor(key)
        differ = now.view(np.uint32) != first[key].view(np.uint32)
        if not differ.any():
            continue
        changed.add(key)
        with np.errstate(all="ignore"):
            error = np.abs(now.astype(np.float64) - first[key])[differ]
        varied = seen.setdefault(shader_pass.name, _Seen(np.zeros(now.shape, dtype=bool)))
        if key == shader_pass.output:
            varied.elements |= differ
        varied.largest = max(varied.largest, float(np.nan_to_num(error, nan=np.inf).max()))
        varied.is_own |= changed.isdisjoint(shader_pass.reads)


def _reason(session: Session, shader_pass: Pass, varied: _Seen) -> Reason:
    if not varied.is_own:
        return "inherited"
    results = []
    for _ in range(_RERUNS_OF_ONE):
        session.clear([shader_pass.name])
        session.run_pass(shader_pass.name)
        results.append(session.tensor(shader_pass.output).view(np.uint32))
    return "earlier_run" if all(np.array_equal(results[0], other) for other in results) else "nondeterministic"


def with_repeats(report: Report, repeated: tuple[Repeated, ...]) -> Report:
    """Adds what varied, and a finding `nondeterministic` for each such pass that has none."""
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
    if any(found.cause == causes.NONDETERMINISTIC.name for found in report.findings) or report.verdict in WRONG:
        return report  # a wrong pass has been diagnosed, by repeated runs among others
    return replace(
        report,
        findings=(
            Finding(
                causes.NONDETERMINISTIC.name, {}, 1.0, 0.0, report.name, None, words, causes.NONDETERMINISTIC.remedy
            ),
        ),
    )


_REMEDY = "Put barrier(); between the two, where all invocations of the work group come by."


def with_hazards(report: Report, session: Session) -> Report:
    """Adds a finding `missing_barrier` for each pass without one in which a work group showed the hazard.

    The diagnosis of a wrong pass stays; a pass whose accesses cannot be recorded is left out.
    """
    recorder = ReadRecorder(session)
    try:
        passes = tuple(
            _with_hazard(each, _hazards(session, recorder, each.name))
            if each.verdict not in WRONG and session.plan.find(each.name) is not None
            else each
            for each in report.passes
        )
    finally:
        recorder.release()
    return replace(report, passes=passes)


def _hazards(session: Session, recorder: ReadRecorder, name: str) -> list[Hazard]:
    each = session.plan.pass_called(name)
    if each.dispatch is None or not session.has_run(each.name):
        return []
    try:
        return recorder.hazards(each)
    except TexelscopeError:
        return []


def _with_hazard(report: PassReport, found: list[Hazard]) -> PassReport:
    if not found or report.findings:
        return report
    first = found[0]
    words = (
        f"'{first.name}' is written at {first.wrote.file}:{first.wrote.line} and touched by another invocation at "
        f"{first.touched.file}:{first.touched.line}, with no barrier() between"
    )
    finding = Finding(
        causes.MISSING_BARRIER.name, {}, 1.0, 0.0, first.wrote.file, first.wrote.line, f"{words}.", _REMEDY
    )
    return replace(report, message=f"{report.message} {words}.".strip(), findings=(finding,))
