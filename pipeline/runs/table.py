"""Formats two runs as a table for a terminal: a row a tensor, then the first pass that differs."""

from __future__ import annotations

from texelscope.layouts.outside_text import in_cell, one_line
from texelscope.pipeline.runs.difference import DIFFERENT, RunDifference, RunSide, Sameness, TensorDifference
from texelscope.pipeline.short_text import BEGINNING, cut, short_operator

_SIGNS: dict[Sameness, str] = {
    "equal": "●",
    "within": "◐",
    "only_here": "○",
    "only_there": "○",
    "differs": "✗",
    "other_shape": "✗",
}
_HEADINGS = ("", "tensor", "operator", "shape", "", "max |diff|", "of largest", "unequal", "beyond")
_GAP = "  "
_LEAST_NAME, _WIDEST_OPERATOR = 16, 30


def render(found: RunDifference, width: int | None = None) -> str:
    """Formats the difference in rows of at most `width` letters; tensors of the other side alone are only counted."""
    rows = [_HEADINGS, *(_row(each) for each in found.tensors if each.sameness != "only_there")]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADINGS))]
    if width is not None:
        room = width - (sum(widths) + len(_GAP) * (len(widths) - 1) - widths[1])
        widths[1] = min(widths[1], max(room, _LEAST_NAME))
    lines = [_line(row, widths) for row in rows]
    return "\n".join([*lines, "", *_conclusion(found)])


def render_different(found: RunDifference, most: int) -> str:
    """Formats the first tensors that differ, at most so many, in a row each, and the last lines of the whole table."""
    different = [each for each in found.tensors if each.sameness in DIFFERENT]
    rows = [_HEADINGS, *map(_row, different[:most])]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADINGS))]
    left = len(different) - most
    more = [f"… and {left} more that differ"] if left > 0 else []
    return "\n".join([*(_line(row, widths) for row in rows), *more, "", *_conclusion(found)])


def _row(each: TensorDifference) -> tuple[str, ...]:
    measured = each.max_abs is not None
    name = f"{each.name} ~ {each.there}" if each.there and each.there != each.name else each.name
    return (
        _SIGNS[each.sameness],
        in_cell(name),
        in_cell(short_operator(each.operator, _WIDEST_OPERATOR)),
        "x".join(map(str, each.shape)) or "scalar",
        each.sameness.replace("_", " "),
        f"{each.max_abs:.1e}" if measured else "",
        f"{each.of_largest:.1e}" if measured else "",
        f"{each.unequal}" if measured else "",
        f"{each.beyond}" if measured else "",
    )


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    cells = [cut(cell, width, beginning=BEGINNING) for cell, width in zip(row, widths, strict=True)]
    padded = [
        cell.rjust(width) if column >= len(row) - 4 else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return _GAP.join(padded).rstrip()


def _conclusion(found: RunDifference) -> list[str]:
    compared = [each for each in found.tensors if each.max_abs is not None]
    equal = sum(each.sameness == "equal" for each in compared)
    within = sum(each.sameness == "within" for each in compared)
    lines = [f"Here: {_side(found.here)}", f"There: {_side(found.there)}", *map(one_line, found.notes)]
    lines.append(f"{equal} of {len(compared)} tensors are equal bit for bit, {within} more within their tolerance.")
    differing = next((each for each in compared if each.unequal), None)
    if found.first is not None:
        lines.append(f"First pass that differs: {in_cell(found.first)}")
    elif differing is not None:
        lines.append(f"First tensor with another bit: {in_cell(differing.name)}")
    return lines


def _side(side: RunSide) -> str:
    settings = ", ".join(f"{name} {value}" for name, value in side.settings.items())
    return one_line(f"{in_cell(side.target)} on {side.renderer}, {settings}")
