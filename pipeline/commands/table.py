"""Formats the table of passes for a terminal."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from texelscope.layouts.outside_text import in_cell, one_line, printable
from texelscope.pipeline.compare.comparer import NO_ORACLE
from texelscope.pipeline.compare.repairs import Repair
from texelscope.pipeline.compare.report import SIGNS, Finding, PassReport, Report, ratio_text
from texelscope.pipeline.compare.words import (
    beside_verdict,
    finding_words,
    frames_words,
    native_words,
    other_repairs,
    page_words,
    repair_words,
    repairs_of,
    surety_words,
)
from texelscope.pipeline.installation import command
from texelscope.pipeline.short_text import BEGINNING, cut, short_operator

_HEADINGS = ("", "pass", "operator", "shape", "verdict", "max |error|", "error/bound", "chained", "GPU ms")
# The last columns, if an engine that recorded the passes also recorded their values and times.
_PAGE, _RECORDED, _NATIVE = "page", "there ms", "native"
# Columns from this one on are figures and align to the right.
_FIRST_FIGURE = _HEADINGS.index("max |error|")
_GAP = "  "


_LEGEND = (
    "error/bound: the largest error over its rounding bound, on the pass's own inputs",
    "chained: the same from the model's inputs on (end to end)",
)
_LEGENDS = {
    _PAGE: "page: whether the recorded values are the same, as meant, as here (and not as meant), or others",
    _NATIVE: "native: whether the pass gives the same untranslated, bit for bit, or within its bound",
}
# Limits where the width of the table is unknown: a file or a pipe.
_WIDEST_NAME, _WIDEST_OPERATOR = 120, 60
# A table narrower than its figures grows; names and operators keep this many letters.
_LEAST_NAME, _LEAST_OPERATOR = 16, 10
# The operators' share of the space for names and operators, if neither fits.
_OPERATORS_SHARE = 0.5


def render(report: Report, width: int | None = None) -> str:
    """Formats the report: a row per pass, then the verdict, the culprit and its findings.

    Rows fit into `width` letters: operators, then names are shortened in their middle; JSON and page keep them whole.
    """
    headings, rows = _without_empty((*_HEADINGS, _PAGE, _RECORDED, _NATIVE), [_row(each) for each in report.passes])
    rows = [headings, *_fitting(headings, rows, width)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(headings))]
    lines = [_line(row, widths) for row in rows]
    for each in report.passes:
        if each.message and not each.message.startswith("Needs "):  # those only follow from others
            lines.append(one_line(f"{SIGNS[each.verdict]} {in_cell(each.name)}: {each.message}"))
    legend = (*_LEGEND, *(said for heading, said in _LEGENDS.items() if heading in headings))
    return "\n".join([*_of_frames(report), *lines, "", *legend, "", *_conclusion(report)])


def _of_frames(report: Report) -> list[str]:
    return [] if report.frames is None else [one_line(frames_words(report)), ""]


def _without_empty(
    headings: tuple[str, ...], rows: Sequence[tuple[str, ...]]
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Leaves out the last columns where no pass has them."""
    kept = [i for i, heading in enumerate(headings) if heading in _HEADINGS or any(row[i] for row in rows)]
    return tuple(headings[i] for i in kept), [tuple(row[i] for i in kept) for row in rows]


def _fitting(headings: Sequence[str], rows: Sequence[tuple[str, ...]], width: int | None) -> list[tuple[str, ...]]:
    """Returns the rows with names and operators cut to the space that the other columns leave."""
    widths = [max(len(heading), *(len(row[i]) for row in rows), 0) for i, heading in enumerate(headings)]
    name, operator = min(widths[1], _WIDEST_NAME), min(widths[2], _WIDEST_OPERATOR)
    if width is not None:
        room = width - sum(widths) - len(_GAP) * (len(widths) - 1) + widths[1] + widths[2]
        operator = min(operator, max(room - name, int(room * _OPERATORS_SHARE), _LEAST_OPERATOR))
        name = max(min(name, room - operator), min(name, _LEAST_NAME))
    return [
        (row[0], cut(row[1], name, beginning=BEGINNING), short_operator(row[2], operator), *row[3:]) for row in rows
    ]


def _row(each: PassReport) -> tuple[str, ...]:
    isolated, chained = each.isolated, each.chained
    return (
        SIGNS[each.verdict],
        printable(each.name),
        printable(each.operator),
        "x".join(map(str, each.shape)) or "scalar",
        f"{each.verdict}{beside_verdict(each)}",
        f"{isolated.max_abs:.1e}" if isolated else "",
        ratio_text(isolated.bound_ratio) if isolated else "",
        ratio_text(chained.bound_ratio) if chained else "",
        f"{each.gpu_ms:.2f}" if each.gpu_ms is not None else "",
        page_words(each),
        f"{each.recorded_ms:.2f}" if each.recorded_ms is not None else "",
        native_words(each),
    )


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = [
        cell.rjust(width) if column >= _FIRST_FIGURE else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
    return _GAP.join(cells).rstrip()


def _conclusion(report: Report) -> list[str]:
    if report.passes and all(each.message == NO_ORACLE for each in report.passes):
        count = len(report.passes)
        return [
            f"{count} {'pass' if count == 1 else 'passes'} ran on {report.device.renderer}.",
            f"Nothing to compare with: '{command()} draft SHADER --model MODEL --to DIR' compares with a model.",
        ]
    matching = sum(each.verdict == "match" for each in report.passes)
    lines = [f"{matching} of {len(report.passes)} passes match on {report.device.renderer}."]
    unjudged = sum(each.verdict == "not_compared" for each in report.passes)
    if unjudged:
        lines.append(f"{unjudged} could not be compared: they may be right or wrong.")
    recorded = sum(each.compared_with == "recording" and each.isolated is not None for each in report.passes)
    if recorded:
        lines.append(f"{recorded} could be compared with what was recorded alone: nothing states their meaning.")
    if report.end_to_end is not None:
        lines.append(report.end_to_end.message)
    culprit = report.find(report.culprit) if report.culprit is not None else None
    if culprit is not None:
        name = in_cell(culprit.name)
        is_rounding = culprit.verdict == "precision"
        lines.append(f"Only off by storage rounding, first: {name}" if is_rounding else f"First wrong pass: {name}")
        lines.extend(_finding(found, culprit.repairs) for found in culprit.findings)
        others = other_repairs(culprit.findings, culprit.repairs)
        lines.extend(f"  With this edit it matches: {repair_words(each)}" for each in others)
        lines.extend(f"  {sentence}" for sentence in _left_open(culprit, report))
    lines.extend(_repeated(report))
    if report.undiagnosed:
        first, more = report.undiagnosed[0], len(report.undiagnosed) - 1
        lines.append(
            f"Not diagnosed: '{in_cell(first)}'{f' and {more} more' if more else ''}. --diagnose "
            f"{in_cell(shlex.quote(first))} diagnoses "
            "one without a time limit; --diagnose-seconds 60 gives all of them more time."
        )
    return lines


def _left_open(culprit: PassReport, report: Report) -> list[str]:
    """Returns what is to be said where no finding names the first wrong pass's bug, and how to go on."""
    if culprit.verdict in ("error", "not_run"):
        return ["It did not run: its message above says why."]
    if culprit.name in report.undiagnosed and not culprit.findings:
        return ["It was not diagnosed."]
    said = []
    if not culprit.findings and culprit.verdict == "precision":
        said.append("Its errors are no larger than what its storage rounds.")
    elif not culprit.findings:
        repaired = ", though an edit makes it match" if culprit.repairs else ""
        name = in_cell(shlex.quote(culprit.name))
        frame = f"--frame {report.frames.shown} " if report.frames is not None else ""
        said.append(
            f"No known cause explains it{repaired}. Follow a wrong texel: step {frame}--pass {name} --texel X,Y"
        )
    if culprit.was_cut:
        said.append("The search for its cause ran out of time: --diagnose-seconds 120 gives it more.")
    return said


def _repeated(report: Report) -> list[str]:
    if report.repeated is None:
        return []
    own = [each for each in report.repeated if each.reason != "inherited"]
    if not report.repeated:
        return ["Every run gave the same bits."]
    return [
        f"{in_cell(each.name)}: {each.elements} of {each.count} elements change from run to run ({each.reason})."
        for each in own or report.repeated[:1]
    ]


def _finding(found: Finding, repairs: Sequence[Repair]) -> str:
    surety = surety_words(found)
    head = f"{finding_words(found)} explains {found.explained:.1%}, {found.place}{f'; {surety}' if surety else ''}"
    words = (f"{'or ' * bool(number)}{repair_words(each, found.shader)}" for number, each in
             enumerate(repairs_of(found, repairs)))  # fmt: skip
    return "\n    ".join([f"  {one_line(head)}", found.evidence, found.remedy, *words])
