"""Reports a sweep in words: a table, a line of conclusion, and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from texelscope.layouts.outside_text import in_cell, in_json, one_line
from texelscope.pipeline.compare.report import SIGNS
from texelscope.pipeline.sweep.points import SweepPoint
from texelscope.pipeline.sweep.sweeping import OWN, Sweep, SweepRow

VERSION = 1
# More layouts than these are counted.
_MOST_NAMED = 3
_HEADINGS = ("", "layout", "precision", "wrong from", "right at", "pass", "verdict", "cause", "tried", "device")


def render(sweep: Sweep) -> str:
    """Formats the table, a row a layout and precision, and the conclusion."""
    rows = [_HEADINGS, *(_row(each) for each in sweep.rows)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADINGS))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    lines += [
        "",
        *(f"Tried: {text}" for text in dict.fromkeys(tried(row) for row in sweep.rows)),
        *map(one_line, sweep.notes),
    ]
    return "\n".join([*lines, conclusion(sweep)])


def conclusion(sweep: Sweep) -> str:
    """Returns the conclusion in a line."""
    wrong = [row for row in sweep.rows if row.smallest is not None]
    ran = [row for row in sweep.rows if any(point.state != "not run" for point in row.points)]
    if not ran:
        reason = next((point.message for row in sweep.rows for point in row.points), "")
        return f"Nothing ran. {one_line(reason)}".rstrip()
    if not wrong:
        return f"No pass is wrong at any size that was tried, in {_where(ran)}.{_late(sweep)}"
    first = min(wrong, key=lambda row: tuple(row.smallest.sizes.values()) if row.smallest is not None else ())
    same = [row for row in wrong if row.smallest is not None and _alike(row, first)]
    point = first.smallest
    assert point is not None
    assert point.wrong is not None
    name = in_cell(f"{point.wrong.operator} '{point.wrong.name}'")
    begin = f" from {_shape(point)} on" if point.sizes and first.right is not None else _at(point)
    right = f" ({_value(first.right, point)} is right)" if first.right is not None else ""
    fine = [row for row in ran if row.smallest is None]
    besides = f", not in {_where(fine)}" if fine else ""
    cause = f": {point.findings[0].cause}" if point.findings else ""
    return f"{name} is wrong{begin}{right}, in {_where(same)}{besides}{cause}.{_late(sweep)}"


def tried(row: SweepRow) -> str:
    """Lists the sizes in the order of their trying, with their results."""
    signs = {"right": SIGNS["match"], "wrong": SIGNS["mismatch"], "not run": SIGNS["not_run"]}
    return " ".join(f"{signs[point.state]}{_sizes(point)}" for point in row.points)


def as_json(sweep: Sweep) -> str:
    """Returns everything as JSON text; fields are added, never renamed."""
    values = {
        "version": VERSION,
        "target": sweep.target,
        "braces": [brace.text for brace in sweep.braces],
        "conclusion": conclusion(sweep),
        "seconds": round(sweep.seconds, 1),
        "notes": list(sweep.notes),
        "rows": [_row_values(row) for row in sweep.rows],
    }
    return in_json(values, indent=2)


def _row_values(row: SweepRow) -> dict[str, Any]:
    return {
        "layout": row.layout,
        "precision": row.precision,
        "device": {"renderer": row.device.renderer, "version": row.device.version},
        "smallest_wrong": None if row.smallest is None else _point_values(row.smallest),
        "right_below": None if row.right is None else _point_values(row.right),
        "points": [_point_values(point) for point in row.points],
        "ended": row.ended,
    }


def _point_values(point: SweepPoint) -> dict[str, Any]:
    wrong = point.wrong
    return {
        "sizes": dict(point.sizes),
        "shapes": {name: list(shape) for name, shape in point.shapes.items()},
        "state": point.state,
        "pass": wrong.name if wrong is not None else None,
        "operator": wrong.operator if wrong is not None else None,
        "verdict": wrong.verdict if wrong is not None else None,
        "causes": [found.cause for found in point.findings],
        "message": point.message,
    }


def _row(row: SweepRow) -> tuple[str, ...]:
    point = row.smallest
    states = {each.state for each in row.points}
    sign = SIGNS["mismatch"] if point is not None else SIGNS["match"] if "right" in states else SIGNS["not_run"]
    wrong = point.wrong if point is not None else None
    return (
        sign,
        in_cell(row.layout),
        row.precision,
        (_shape(point) or "yes") if point is not None else "-" if "right" in states else "did not run",
        _shape(row.right) if row.right is not None else "",
        in_cell(wrong.name) if wrong is not None else "",
        wrong.verdict if wrong is not None else "",
        ", ".join(found.cause for found in point.findings[:1]) if point is not None else "",
        f"{len(row.points)}{' (time ran out)' if row.ended else ''}",
        row.device.renderer,
    )


def _shape(point: SweepPoint) -> str:
    return ", ".join("x".join(map(str, shape)) for shape in point.shapes.values())


def _at(point: SweepPoint) -> str:
    return f" at {_shape(point)}, the smallest requested" if point.sizes else ""


def _sizes(point: SweepPoint) -> str:
    return "/".join(map(str, point.sizes.values())) or "as it is"


def _value(right: SweepPoint, wrong: SweepPoint) -> str:
    return "/".join(str(value) for text, value in right.sizes.items() if value != wrong.sizes[text]) or _sizes(right)


def _alike(row: SweepRow, first: SweepRow) -> bool:
    assert row.smallest is not None
    assert first.smallest is not None
    return row.smallest.sizes == first.smallest.sizes


def _where(rows: Sequence[SweepRow]) -> str:
    """Names layouts with precisions, together where all pairs are there."""
    if any(row.layout == OWN for row in rows):
        return "its own layouts and precision"
    layouts = list(dict.fromkeys(row.layout for row in rows))
    precisions = list(dict.fromkeys(row.precision for row in rows))
    if {(row.layout, row.precision) for row in rows} == {(a, b) for a in layouts for b in precisions}:
        several = f"{len(layouts)} layouts" if len(layouts) > _MOST_NAMED else ", ".join(layouts)
        return f"{several} with {' and '.join(precisions)}"
    return "; ".join(dict.fromkeys(f"{row.layout} with {row.precision}" for row in rows))


def _late(sweep: Sweep) -> str:
    return " Time ran out (--seconds)." if any(row.ended for row in sweep.rows) else ""
