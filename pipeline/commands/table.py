"""The table of passes that a terminal shows."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.compare.report import SIGNS, Finding, PassReport, Report, ratio_text
from pipeline.errors import printable

_HEADINGS = ("", "pass", "operator", "shape", "verdict", "max |error|", "error/bound", "chained", "GPU ms")


def render(report: Report) -> str:
    """The report as text: a row a pass, then the verdict, the culprit and its findings."""
    rows = [_HEADINGS, *(_row(each) for each in report.passes)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADINGS))]
    lines = [_line(row, widths) for row in rows]
    for each in report.passes:
        if each.message and not each.message.startswith("Needs "):  # those only follow from others
            lines.append(f"{SIGNS[each.verdict]} {printable(f'{each.name}: {each.message}')}")
    return "\n".join([*lines, "", *_conclusion(report)])


def _row(each: PassReport) -> tuple[str, ...]:
    isolated, chained = each.isolated, each.chained
    return (
        SIGNS[each.verdict],
        printable(each.name),
        printable(each.operator),
        "x".join(map(str, each.shape)) or "scalar",
        f"{each.verdict} (inherits)" if each.inherited else each.verdict,
        f"{isolated.max_abs:.1e}" if isolated else "",
        ratio_text(isolated.bound_ratio) if isolated else "",
        ratio_text(chained.bound_ratio) if chained else "",
        f"{each.gpu_ms:.2f}" if each.gpu_ms is not None else "",
    )


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = [
        cell.rjust(width) if column >= len(row) - 4 else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
    return "  ".join(cells).rstrip()


def _conclusion(report: Report) -> list[str]:
    matching = sum(each.verdict == "match" for each in report.passes)
    lines = [f"{matching} of {len(report.passes)} passes match on {report.device.renderer}."]
    unjudged = sum(each.verdict == "not_compared" for each in report.passes)
    if unjudged:
        lines.append(f"{unjudged} could not be compared, so nothing is said of them.")
    if report.end_to_end is not None:
        lines.append(printable(report.end_to_end.message))
    culprit = report.find(report.culprit) if report.culprit is not None else None
    if culprit is not None:
        name = printable(culprit.name)
        is_rounding = culprit.verdict == "precision"
        lines.append(f"Only rounded by its storage, first: {name}" if is_rounding else f"First wrong pass: {name}")
        lines.extend(_finding(found) for found in culprit.findings)
    return lines


def _finding(found: Finding) -> str:
    parameters = ", ".join(f"{name}={value}" for name, value in found.parameters.items())
    place = f"{found.shader}:{found.line}" if found.line is not None else found.shader
    head = f"  {found.cause}{f' ({parameters})' if parameters else ''} explains {found.explained:.1%}, {place}"
    return f"{head}\n    {found.evidence}\n    {found.remedy}"
