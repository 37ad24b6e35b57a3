"""Writes what a failed check says. The words of findings are those of the command line."""

from __future__ import annotations

from pathlib import Path

from texelscope.checking.goldens import GoldenPath
from texelscope.checking.option_words import with_keywords
from texelscope.checking.request import CheckRequest
from texelscope.layouts.outside_text import in_cell, one_line, printable_lines
from texelscope.pipeline.commands.diff import Outcome
from texelscope.pipeline.commands.findings_text import ScriptWaysOn, wrapped
from texelscope.pipeline.commands.table import conclusion, messages
from texelscope.pipeline.compare.report import PassReport, Report
from texelscope.pipeline.compare.words import finding_words, frames_words, ratio_words
from texelscope.pipeline.diagnose.naming import WRONG
from texelscope.pipeline.runs.difference import DIFFERENT, RunDifference
from texelscope.pipeline.runs.table import render_different

# Letters in a row, beside what a test runner puts in front of it.
_WIDTH = 110
# Rows of tensors that differ from a golden.
_MOST_TENSORS = 12


def wrong_text(outcome: Outcome, request: CheckRequest) -> str:
    """Returns the culprit, its cause and its place in the first line, then all findings, then the patch."""
    report = outcome.report
    lines = [_headline(report, request.title), *_frames(report), *messages(report, _WIDTH), *_conclusion(report)]
    return _text(lines, outcome, request)


def explanation(report: Report) -> list[str]:
    """Returns lines about a report that a person has only seen the verdict of."""
    return printable_lines("\n".join([*messages(report, _WIDTH), *_conclusion(report)])).split("\n")


def not_compared_text(report: Report, request: CheckRequest) -> str:
    """Returns why a run cannot be judged: what did not run, or that nothing was compared."""
    reasons = [each for each in report.passes if each.verdict in ("not_run", "not_compared") and each.message]
    said = reasons[0].message if reasons else "nothing states what its passes should give."
    head = one_line(f"{in_cell(request.title)} could not be compared: {said}")
    lines = [head, *_frames(report), *messages(report, _WIDTH), *_conclusion(report)]
    return printable_lines(with_keywords("\n".join(lines)))


def different_text(found: RunDifference, golden: GoldenPath, outcome: Outcome, request: CheckRequest) -> str:
    """Returns what differs from the golden, then what the oracle says of the same run, with the patch."""
    report = outcome.report
    first = next(each for each in found.tensors if each.sameness in DIFFERENT)
    lines = [
        one_line(f"pass '{in_cell(found.first or first.name)}' differs from the golden {golden.path}"),
        *_whole_rows(render_different(found, _MOST_TENSORS)),
        *wrapped(golden.update, _WIDTH),
        "",
        "Compared with the oracle:",
        *messages(report, _WIDTH),
        *_conclusion(report),
    ]
    return _text(lines, outcome, request)


def _whole_rows(table: str) -> list[str]:
    """Wraps the sentences below a table, not its rows."""
    rows, _, sentences = table.partition("\n\n")
    return [*rows.split("\n"), "", *(line for each in sentences.split("\n") for line in wrapped(each, _WIDTH))]


def _headline(report: Report, title: str) -> str:
    culprit = report.find(report.culprit) if report.culprit is not None else None
    if culprit is None:
        return one_line(f"{in_cell(title)} is wrong")
    return one_line(f"pass '{in_cell(culprit.name)}' of {in_cell(title)} {_fault(culprit)}")


def _fault(culprit: PassReport) -> str:
    if culprit.verdict == "error":
        return f"did not run: {culprit.message}"
    if culprit.findings:
        return f"is wrong: {finding_words(culprit.findings[0])}, {culprit.findings[0].place}"
    figures = culprit.isolated
    error = f"; its largest error is {ratio_words(figures.bound_ratio)}" if figures is not None else ""
    return f"is wrong ({culprit.verdict}){error}"


def _frames(report: Report) -> list[str]:
    return wrapped(frames_words(report), _WIDTH) if report.frames is not None else []


def _conclusion(report: Report) -> list[str]:
    return conclusion(report, _WIDTH, ScriptWaysOn())


def _text(lines: list[str], outcome: Outcome, request: CheckRequest) -> str:
    patch = outcome.patch
    lines = with_keywords("\n".join(lines)).split("\n")
    is_wrong = any(each.verdict in WRONG for each in outcome.report.passes)
    if patch is not None and (patch.text or is_wrong):
        where = f", for patch -p1 in {Path(request.target.path).resolve().parent}" if patch.text else ""
        lines += ["", *wrapped(f"Patch{where}: {patch.says}", _WIDTH), *_longer(outcome.report, request)]
        lines += patch.text.rstrip("\n").split("\n") if patch.text else []
    return printable_lines("\n".join(lines))


def _longer(report: Report, request: CheckRequest) -> list[str]:
    """Returns the line that says how to search on for a repair of the culprit, if none was found in limited time."""
    culprit = report.find(report.culprit) if report.culprit is not None else None
    if request.seconds is None or culprit is None or culprit.verdict not in WRONG or culprit.repairs:
        return []
    if any(each.repair is not None for each in culprit.findings):
        return []
    return [f"The search ended after {request.seconds:g} s: a longer one, as with seconds=60, may find more."]
