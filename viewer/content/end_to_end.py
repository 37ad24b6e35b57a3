"""What the inspector says of the whole: beside the pass where the end-to-end error jumps, and beside the last one."""

from __future__ import annotations

from texelscope.pipeline.compare.report import PassReport, Report


def jump_line(report: Report, each: PassReport) -> str:
    """The line for one pass; empty for a pass that has no part in it, and for one whose verdict says it already."""
    whole = report.end_to_end
    if whole is None or whole.jump is None or each.verdict != "match":
        return ""
    if each.name == whole.jump.name:
        found = whole.jump
        share = f" It accounts for {found.explained:.0%} of the outputs' error." if found.explained is not None else ""
        return f"The end-to-end error jumps here. {found.evidence}{share if found.cause != 'unexplained' else ''}"
    return whole.message if report.passes and each.name == report.passes[-1].name else ""
