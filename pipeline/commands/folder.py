"""Compares many targets with the oracle, each in its own process and GL context, and lists them in one table."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from texelscope.layouts.outside_text import in_cell, in_json, one_line
from texelscope.pipeline.commands.diff import FAILED, MATCH, MISMATCH, ComparisonExtras, diff, exit_code
from texelscope.pipeline.compare.report import SIGNS, Report
from texelscope.pipeline.diagnose.naming import DiagnosisRequest
from texelscope.pipeline.export.junit import joined, junit_of_failure, junit_of_report
from texelscope.pipeline.installation import command
from texelscope.pipeline.quotas import allowing
from texelscope.pipeline.target import Target, sendable
from texelscope.pipeline.workers.several import Answer, CallApart, in_processes

VERSION = 1
_HEADINGS = ("", "target", "passes that match", "verdict", "first wrong pass", "cause", "seconds")
_FIGURES = ("passes that match", "seconds")


@dataclass(frozen=True)
class ComparedTarget:
    """The comparison of one target, `path` as it was named: its report, or a `message` why it could not run."""

    path: str
    seconds: float
    report: Report | None = None
    message: str = ""

    @property
    def code(self) -> int:
        """Returns the exit code of `diff` for this target alone."""
        return FAILED if self.report is None else exit_code(self.report)

    @property
    def why(self) -> str:
        """Returns why it could not run or be compared; an empty text where it was."""
        if self.report is None or self.code != FAILED:
            return self.message
        unjudged = (each for each in self.report.passes if each.verdict in ("not_run", "not_compared"))
        return next((f"'{each.name}': {each.message}" for each in unjudged if each.message), "")


def compare_targets(
    targets: Sequence[Target],
    jobs: int,
    asked: DiagnosisRequest | None = None,
    done: Callable[[ComparedTarget], None] = lambda _each: None,
) -> tuple[ComparedTarget, ...]:
    """Compares the targets, `jobs` of them at a time, and returns the results in their order.

    `done` gets each as it ends, in another thread. Where this is interrupted, the processes are ended.
    """
    function = f"{compared.__module__}:{compared.__name__}"
    calls = [CallApart(function, (sendable(each), asked), each.path) for each in targets]
    answers = in_processes(calls, jobs, lambda number, answer: done(_compared(targets[number], answer)))
    return tuple(map(_compared, targets, answers))


def _compared(target: Target, answer: Answer) -> ComparedTarget:
    message = "" if answer.error is None else str(answer.error)
    return ComparedTarget(target.path, answer.seconds, answer.result, message)


def compared(target: Target, asked: DiagnosisRequest | None) -> Report:
    """Returns the report of a target; called in its process."""
    with allowing(target.options.quotas):
        return diff(target, extras=ComparisonExtras(asked)).report


def exit_code_of(found: Sequence[ComparedTarget]) -> int:
    """Returns 1 if any target is wrong, else 2 if any could not run or be compared, else 0."""
    codes = {each.code for each in found}
    return MISMATCH if MISMATCH in codes else FAILED if FAILED in codes else MATCH


def render(found: Sequence[ComparedTarget], jobs: int, seconds: float) -> str:
    """Formats a row for each target, why some could not run, and the numbers of right and wrong ones."""
    rows = [_HEADINGS, *map(_row, found)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADINGS))]
    lines = []
    for row in rows:
        cells = zip(row, widths, _HEADINGS, strict=True)
        lines.append("  ".join(c.rjust(w) if head in _FIGURES else c.ljust(w) for c, w, head in cells).rstrip())
    messages = [f"{_sign(each)} {in_cell(each.path)}: {one_line(each.why)}" for each in found if each.why]
    return "\n".join([*lines, *([""] if messages else []), *messages, "", *_conclusion(found, jobs, seconds)])


def _row(each: ComparedTarget) -> tuple[str, ...]:
    report = each.report
    if report is None:
        return _sign(each), in_cell(each.path), "", "error", "", "", f"{each.seconds:.1f}"
    matching = sum(one.verdict == "match" for one in report.passes)
    culprit = report.find(report.culprit) if report.culprit is not None else None
    finding = culprit.findings[0] if culprit is not None and culprit.findings else None
    cause = f"{finding.cause} at {finding.place}" if finding is not None else ""
    if culprit is not None and finding is None:
        cause = "not diagnosed" if culprit.name in report.undiagnosed else "unexplained"
    return (
        _sign(each),
        in_cell(each.path),
        f"{matching} of {len(report.passes)}",
        report.verdict,
        in_cell(culprit.name) if culprit is not None else "",
        in_cell(cause),
        f"{each.seconds:.1f}",
    )


def _sign(each: ComparedTarget) -> str:
    return SIGNS["error"] if each.report is None else SIGNS[each.report.verdict]


def _conclusion(found: Sequence[ComparedTarget], jobs: int, seconds: float) -> list[str]:
    counts = {code: sum(each.code == code for each in found) for code in (MATCH, MISMATCH, FAILED)}
    said = [f"{counts[MATCH]} of {len(found)} targets match."]
    if counts[MISMATCH]:
        said.append(f"{counts[MISMATCH]} {_verb(counts[MISMATCH])} wrong.")
    if counts[FAILED]:
        said.append(f"{counts[FAILED]} could not run or be compared.")
    at_once = f", {min(jobs, len(found))} targets at a time" if min(jobs, len(found)) > 1 else ""
    said.append(f"This took {seconds:.1f} s{at_once}.")
    lines = [" ".join(said)]
    wrong = next((each for each in found if each.code == MISMATCH), None)
    if wrong is not None:
        lines.append(f"'{command()} diff {in_cell(wrong.path)}' shows the passes of the first wrong one.")
    return lines


def _verb(count: int) -> str:
    return "is" if count == 1 else "are"


def as_json(found: Sequence[ComparedTarget]) -> str:
    """Returns strict JSON text: each target with its exit code, seconds, and its report as `diff --json` writes it."""
    targets: list[Mapping[str, Any]] = [
        {
            "path": each.path,
            "exit_code": each.code,
            "seconds": each.seconds,
            "message": each.message,
            "report": None if each.report is None else json.loads(each.report.as_json()),
        }
        for each in found
    ]
    return in_json({"version": VERSION, "targets": targets}, indent=2)


def as_junit(found: Sequence[ComparedTarget]) -> str:
    """Returns JUnit XML with a test suite for each target."""
    return joined(
        [
            junit_of_failure(each.path, each.message) if each.report is None else junit_of_report(each.report)
            for each in found
        ]
    )
