"""Formats the table of passes for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from texelscope.layouts.outside_text import in_cell, one_line, printable
from texelscope.pipeline.commands.findings_text import COMMAND_LINE, WaysOn, named_passes, wrapped
from texelscope.pipeline.compare.isolated import NO_ORACLE
from texelscope.pipeline.compare.report import SIGNS, PassReport, Report, ratio_text
from texelscope.pipeline.compare.words import (
    beside_verdict,
    frames_words,
    native_words,
    page_words,
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
# What the sign in front of a row says; several verdicts share the cross.
_OF_SIGNS: Mapping[str, str] = MappingProxyType(
    {
        "●": "matches",
        "◐": "off by the storage's rounding alone",
        "✗": "wrong by itself",
        "!": "failed",
        "?": "not compared",
        "○": "did not run",
    }
)
_LEGENDS = {
    _PAGE: "page: whether the recorded values are the same, as meant, as here (and not as meant), or others",
    _NATIVE: "native: whether the pass gives the same untranslated, bit for bit, or within its bound",
}
# Messages that are not printed: the first only follow from those of other passes, the last line lists the second.
_SAID_ELSEWHERE = ("Needs ", "Not diagnosed: ")
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
    lines += messages(report, width)
    return "\n".join(
        [*_of_frames(report), *lines, "", *_legend(report, headings, width), "", *conclusion(report, width)]
    )


def messages(report: Report, width: int | None = None) -> list[str]:
    """Returns lines with what is said of single passes, such as why one did not run."""
    return _all_wrapped(
        [
            f"{SIGNS[each.verdict]} {in_cell(each.name)}: {each.message}"
            for each in report.passes
            if each.message and not each.message.startswith(_SAID_ELSEWHERE)
        ],
        width,
    )


def _legend(report: Report, headings: Sequence[str], width: int | None) -> list[str]:
    """Returns what the signs and columns of the table mean, of those that it has."""
    there = {SIGNS[each.verdict] for each in report.passes}
    signs = ", ".join(f"{sign} {words}" for sign, words in _OF_SIGNS.items() if sign in there)
    columns = (words for heading, words in _LEGENDS.items() if heading in headings)
    return _all_wrapped([f"signs: {signs}"] * bool(signs) + [*_LEGEND, *columns], width)


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


def conclusion(report: Report, width: int | None = None, ways_on: WaysOn = COMMAND_LINE) -> list[str]:
    """Returns the lines below the table: how many passes match, the findings, and what was left out.

    `ways_on` are the words that say how to go on.
    """
    if report.passes and all(each.message == NO_ORACLE for each in report.passes):
        count = len(report.passes)
        return _all_wrapped(
            [
                f"{count} {'pass' if count == 1 else 'passes'} ran on {report.device.renderer}.",
                f"Nothing to compare with: '{command()} draft SHADER --model MODEL --to DIR' compares with a model.",
            ],
            width,
        )
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
    last = _repeated(report)
    if report.undiagnosed:
        first, more = report.undiagnosed[0], len(report.undiagnosed) - 1
        others = f" and {more} more" if more else ""
        last.append(f"Not diagnosed: '{in_cell(first)}'{others}. {ways_on.to_diagnose(first)}")
    return [*_all_wrapped(lines, width), *named_passes(report, width, ways_on), *_all_wrapped(last, width)]


def _all_wrapped(sentences: Sequence[str], width: int | None) -> list[str]:
    return [line for sentence in sentences for line in wrapped(sentence, width)]


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
