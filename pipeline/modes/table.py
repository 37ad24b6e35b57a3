"""Holds the results of a shader in every mode and pack as data, and formats them as text and as JSON."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass

from texelscope.layouts.outside_text import in_cell, in_json, one_line
from texelscope.pipeline.compare.report import UNBLAMED
from texelscope.pipeline.errors import TexelscopeError


@dataclass(frozen=True)
class ModeResult:
    """Describes one mode with one pack. `ratio` is the largest |error| over the bound of the mode's storage, `worst`
    its pass; None if nothing ran, for the `reason` given."""

    mode: str
    pack: int
    verdict: str
    ratio: float | None = None
    worst: str = ""
    reason: str = ""

    @property
    def is_wrong(self) -> bool:
        """Reports whether it ran and a pass is off by more than the mode rounds."""
        return self.ratio is not None and self.verdict not in UNBLAMED


@dataclass(frozen=True)
class ModeTable:
    """Holds all cells, packs first within a mode."""

    target: str
    renderer: str
    cells: tuple[ModeResult, ...]

    @property
    def modes(self) -> tuple[str, ...]:
        """Modes in order."""
        return tuple(dict.fromkeys(cell.mode for cell in self.cells))

    @property
    def packs(self) -> tuple[int, ...]:
        """Returns packs in order."""
        return tuple(dict.fromkeys(cell.pack for cell in self.cells))

    def at(self, mode: str, pack: int) -> ModeResult | None:
        """Returns the cell of a mode and a pack."""
        return next((cell for cell in self.cells if (cell.mode, cell.pack) == (mode, pack)), None)

    @property
    def conclusion(self) -> str:
        """Says in one line where the shader is wrong."""
        wrong = [cell for cell in self.cells if cell.is_wrong]
        ran = [cell for cell in self.cells if cell.ratio is not None]
        if not ran:
            return "Nothing ran."
        if not wrong:
            return f"Right in each of the {len(ran)} that ran."
        modes, packs = (sorted({getattr(cell, name) for cell in wrong}) for name in ("mode", "pack"))
        if len(wrong) == len(ran):
            return "Wrong in each that ran."
        if len(wrong) == 1:
            return f"Only wrong in {wrong[0].mode} with pack {wrong[0].pack}."
        whole = [cell for cell in ran if cell.pack in packs and cell.mode in modes]
        if len(whole) == len(wrong):
            in_modes = "" if len(modes) == len({cell.mode for cell in ran}) else f" in {_listed(modes)}"
            with_packs = "" if len(packs) == len({cell.pack for cell in ran}) else f" with pack {_listed(packs)}"
            return f"Only wrong{in_modes}{with_packs}."
        return f"Wrong in {len(wrong)} of the {len(ran)} that ran."


def _listed(values: list[str] | list[int]) -> str:
    return " and ".join(map(str, values)) if len(values) < 3 else f"{', '.join(map(str, values[:-1]))} and {values[-1]}"


_MARKS = {"match": "●", "precision": "●"}
_WRONG, _NOT_RUN = "✗", "–"
# Larger ratios are only reported as large.
_MOST = 1e6


def render(table: ModeTable) -> str:
    """Formats a row per mode and a column per pack: error over the mode's bound, and what is wrong where."""
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
    """Formats a cell: `● 0.08`, `✗ 31000`, or a dash where nothing ran."""
    if cell is None or cell.ratio is None:
        return _NOT_RUN
    mark = _MARKS.get(cell.verdict, _WRONG)
    return f"{mark} {cell.ratio:.3g}" if cell.ratio <= _MOST else f"{mark} >1e6"


def as_json(table: ModeTable) -> str:
    """Returns {"version": 1, "target", "device", "conclusion", "cells": [{"mode", "pack", "verdict", …}]}."""
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
    """Parses the table that `as_json` wrote. Raises TexelscopeError for anything else."""
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
