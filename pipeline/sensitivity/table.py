"""Sensitivities as a table for a terminal, the most sensitive pass first."""

from __future__ import annotations

from texelscope.layouts.outside_text import in_cell, one_line
from texelscope.pipeline.compare.report import ratio_text
from texelscope.pipeline.sensitivity.effects import LATE, Effect, Sensitivity
from texelscope.pipeline.short_text import BEGINNING, cut, short_operator

_HEADINGS = ("pass", "operator", "shape", "in half: of largest", "max |change|", "change/bound", "condition")
_GAP = "  "
_LEAST_NAME, _WIDEST_OPERATOR = 16, 26


def render(found: Sensitivity, width: int | None = None) -> str:
    """The table, in rows of at most `width` letters, and what it says in a sentence."""
    rows = [_HEADINGS]
    for each in found.passes:
        condition = f"{each.condition:.3g}" if each.condition is not None else ""
        shape = "x".join(map(str, each.shape)) or "scalar"
        operator = in_cell(short_operator(each.operator, _WIDEST_OPERATOR))
        rows.append((in_cell(each.name), operator, shape, *_figures(each.half), condition))
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADINGS))]
    if width is not None:
        room = width - (sum(widths) + len(_GAP) * (len(widths) - 1) - widths[0])
        widths[0] = min(widths[0], max(room, _LEAST_NAME))
    lines = []
    for row in rows:
        cells = [cut(cell, widths[i], beginning=BEGINNING) for i, cell in enumerate(row)]
        padded = [c.ljust(widths[i]) if i < 3 else c.rjust(widths[i]) for i, c in enumerate(cells)]
        lines.append(_GAP.join(padded).rstrip())
    return "\n".join([*lines, "", _sentence(found)])


def _figures(effect: Effect | None) -> tuple[str, str, str]:
    if effect is None:
        return "", "", ""
    ratio = "" if effect.bound_ratio is None else ratio_text(effect.bound_ratio)
    return f"{effect.of_largest:.1e}", f"{effect.max_abs:.1e}", ratio


def _sentence(found: Sensitivity) -> str:
    measured = [each for each in found.passes if each.half is not None]
    if not measured:
        return "No pass has floats to round."
    first = measured[0]
    assert first.half is not None
    late = [each.message for each in found.passes if each.message.startswith(LATE)]
    left = f" {len(late)} of {len(found.passes)} passes, the first ones, are not among these. {late[0]}" if late else ""
    return one_line(
        f"In half precision alone '{in_cell(first.name)}' moves the outputs most, by {first.half.of_largest:.1e} of "
        f"their largest value: keep it in 32 bits first.{left}"
    )
