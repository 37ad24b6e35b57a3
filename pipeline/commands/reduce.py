"""Formats the result of `reduce` for a terminal."""

from __future__ import annotations

from texelscope.layouts.outside_text import in_cell, one_line
from texelscope.pipeline.installation import command
from texelscope.pipeline.reduce.issue_text import shape_text
from texelscope.pipeline.reduce.reduction import ISSUE, ReductionResult


def render(reduced: ReductionResult, folder: str) -> str:
    """Formats the table of sizes, what is wrong, and the next step."""
    rows = [("tensor", "in the target", "here")]
    rows += [(in_cell(each.tensor), shape_text(each.before), shape_text(each.now)) for each in reduced.sizes]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join(
        [
            *lines,
            "",
            one_line(f"{reduced.title}. {reduced.tried} candidates in {reduced.seconds:.0f} s."),
            *map(one_line, reduced.notes),
            one_line(
                f"{len(reduced.files)} files in {folder}, {ISSUE} ready to post. See it fail: "
                f"{command()} diff {folder}/pipeline.toml"
            ),
        ]
    )
