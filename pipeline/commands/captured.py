"""Implements diff --captured: compares what another program dumped with the oracle, and diagnoses it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from texelscope.layouts.outside_text import logger
from texelscope.pipeline.captured.judging import NO_TOLERANCES, judge
from texelscope.pipeline.captured.own_run import OwnRun
from texelscope.pipeline.captured.reading import read_captured
from texelscope.pipeline.commands.diff import FAILED, Outcome, exit_code
from texelscope.pipeline.compare.report import Report
from texelscope.pipeline.diagnose.naming import DiagnosisRequest
from texelscope.pipeline.export.html_report import render as render_page
from texelscope.pipeline.export.live_page.contents import PageSubject
from texelscope.pipeline.opening import named_inputs, open_session
from texelscope.pipeline.plan import Tolerance
from texelscope.pipeline.target import Target

_LOG = logger(__name__)


def diff_captured(
    target: Target,
    path: Path,
    *,
    with_page: bool = False,
    asked: DiagnosisRequest | None = None,
    tolerances: Mapping[str, Tolerance] = NO_TOLERANCES,
) -> Outcome:
    """Compares the capture at `path` (a folder, or its manifest) with the target's oracle.

    The target's inputs replace those that the manifest lacks. Raises TexelscopeError for an unreadable
    target or capture.
    """
    with open_session(target.path, target.options) as session:
        captured = read_captured(path, session.plan, named_inputs(session.plan, target))
        for note in captured.notes:
            _LOG.warning("%s", note)
        own = {session.plan.pass_called(name).name: each for name, each in tolerances.items()}
        judged = judge(
            captured,
            OwnRun(session, captured) if captured.runs_target else None,
            asked=asked,
            tolerances=own,
        )
        expected = judged.comparer.isolated_values()
        subject = PageSubject(judged.report, captured.plan, captured.capture, expected, tolerances=own)
        page = render_page(subject) if with_page else None
    return Outcome(judged.report, page)


def captured_exit_code(report: Report) -> int:
    """Returns `exit_code` for the captured passes; others are no failure, unless nothing was captured."""
    passes = tuple(each for each in report.passes if each.verdict != "not_run")
    return exit_code(replace(report, passes=passes)) if passes else FAILED
