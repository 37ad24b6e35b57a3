"""The table of modes as text and as JSON."""

from __future__ import annotations

import json
import math

from texelscope.layouts.outside_text import in_cell, in_json, one_line
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.modes.table import ModeResult, ModeTable

_MARKS = {"match": "●", "precision": "●"}
_WRONG, _NOT_RUN = "✗", "–"
# Beyond this a ratio says no more than that it is wrong.
_MOST = 1e6


def render(table: ModeTable) -> str:
    """A row a mode, a column a pack: error over what the mode may be off, and what is wrong where."""
    rows = [("", *(f"pack {pack}" for pack in table.packs))]
    for mode in table.modes:
        rows.append((mode, *(cell_text(table.at(mode, pack)) for pack in table.packs)))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    reasons = dict.fromkeys(one_line(f"{_NOT_RUN} {cell.reason}") for cell in table.cells if cell.reason)
    wrong = [
        f"{_WRONG} {cell.mode}, pack {cell.pack}: {cell.verdict} in '{in_cell(cell.worst)}'"
        for cell in table.cells
        if cell.is_wrong
    ]
    heading = f"{in_cell(table.target)} on {table.renderer}: error over the bound of each mode"
    return "\n".join([heading, *lines, *wrong, *reasons, table.conclusion])


def cell_text(cell: ModeResult | None) -> str:
    """`● 0.08`, `✗ 31000`, or a dash where nothing ran."""
    if cell is None or cell.ratio is None:
        return _NOT_RUN
    mark = _MARKS.get(cell.verdict, _WRONG)
    return f"{mark} {cell.ratio:.3g}" if cell.ratio <= _MOST else f"{mark} >1e6"


def as_json(table: ModeTable) -> str:
    """`{"version": 1, "target", "device", "conclusion", "cells": [{"mode", "pack", "verdict", "bound_ratio", …}]}`."""
    cells = [
        {
            "mode": cell.mode, "pack": cell.pack, "verdict": cell.verdict, "wrong": cell.is_wrong,
            "bound_ratio": cell.ratio if cell.ratio is None or math.isfinite(cell.ratio) else None,
            "pass": cell.worst or None, "reason": cell.reason or None,
        }
        for cell in table.cells
    ]  # fmt: skip
    whole = {
        "version": 1, "target": table.target, "device": table.renderer, "conclusion": table.conclusion, "cells": cells,
    }  # fmt: skip
    return in_json(whole, indent=2)


def table_of(text: str) -> ModeTable:
    """The table that `as_json` wrote. Raises TexelscopeError for anything else."""
    try:
        whole = json.loads(text)
        cells = tuple(
            ModeResult(
                each["mode"], each["pack"], each["verdict"],
                math.inf if each["wrong"] and each["bound_ratio"] is None else each["bound_ratio"],
                each["pass"] or "", each["reason"] or "",
            )
            for each in whole["cells"]
        )  # fmt: skip
        return ModeTable(whole["target"], whole["device"], cells)
    except (ValueError, KeyError, TypeError) as error:
        raise TexelscopeError(
            "a table of modes", "JSON as 'modes --json' writes it", str(error), "Write it anew."
        ) from error
