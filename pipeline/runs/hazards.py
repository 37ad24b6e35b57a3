"""Finds compute passes that are right here but may fail elsewhere: shared memory that no barrier orders."""

from __future__ import annotations

from dataclasses import replace

from texelscope.pipeline.compare.report import Finding, PassReport, Report
from texelscope.pipeline.diagnose.naming import WRONG
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.read_trace.dispatch_reads import Hazard
from texelscope.pipeline.read_trace.recorder import ReadRecorder

_REMEDY = "Put barrier(); between the two, where all invocations of the work group come by."


def with_hazards(report: Report, session: Session) -> Report:
    """Adds a finding `missing_barrier` for each pass without one in which a work group showed the hazard.

    The diagnosis of a wrong pass stays; a pass whose accesses cannot be recorded is left out.
    """
    recorder = ReadRecorder(session)
    try:
        passes = tuple(
            _with_finding(each, _hazards(session, recorder, each.name))
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


def _with_finding(report: PassReport, found: list[Hazard]) -> PassReport:
    if not found or report.findings:
        return report
    first = found[0]
    words = (
        f"'{first.name}' is written at {first.wrote.file}:{first.wrote.line} and touched by another invocation at "
        f"{first.touched.file}:{first.touched.line}, with no barrier() between"
    )
    finding = Finding("missing_barrier", {}, 1.0, 0.0, first.wrote.file, first.wrote.line, f"{words}.", _REMEDY)
    return replace(report, message=f"{report.message} {words}.".strip(), findings=(finding,))
