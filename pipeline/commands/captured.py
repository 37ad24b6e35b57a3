"""diff --captured: what another program dumped, compared with the oracle and diagnosed."""

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
    """The capture at `path` (a folder, or its manifest) against the target's oracle.

    The target's inputs stand for those that the manifest says nothing of. Raises TexelscopeError for a
    target or a capture that cannot be read.
    """
    with open_session(target.path, target.options) as session:
        captured = read_captured(path, session.plan, named_inputs(session.plan, target))
        for note in captured.notes:
            _LOG.warning("%s", note)
        judged = judge(
            captured,
            OwnRun(session, captured) if captured.runs_target else None,
            asked=asked,
            tolerances={session.plan.pass_called(name).name: each for name, each in tolerances.items()},
        )
        expected = judged.comparer.isolated_values()
        page = render_page(judged.report, captured.plan, captured.capture, expected) if with_page else None
    return Outcome(judged.report, page)


def captured_exit_code(report: Report) -> int:
    """As `exit_code`, of what was captured: the rest is nobody's failure, unless nothing was."""
    passes = tuple(each for each in report.passes if each.verdict != "not_run")
    return exit_code(replace(report, passes=passes)) if passes else FAILED
