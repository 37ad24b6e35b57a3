"""Reads `scale`, `zero_point` and `axis` of a tensor of 8 bits."""

from __future__ import annotations

from typing import Any

from texelscope.pipeline.pipeline_file.table import Table
from texelscope.pipeline.quantization import Quantization, is_number

KEYS = ("scale", "zero_point", "axis")
_ADVICE = "For example scale = 0.05, or scale = [0.05, 0.1] with a number for each channel."


def read_quantization(table: Table, dtype: str) -> Quantization | None:
    """Returns what the table says of its steps; None if it says nothing, or something wrong, which is recorded."""
    given = [key for key in KEYS if key in table.values]
    if not given:
        return None
    if dtype != "uint8":
        table.problem(given[0], 'dtype = "uint8" beside it', f"'{dtype}'" if dtype else "none", "Write both, or none.")
        return None
    if "scale" not in table.values:
        table.problem("scale", "the size of a step", "nothing", _ADVICE)
        return None
    scales, zero_points = _numbers(table, "scale", 1.0), _numbers(table, "zero_point", 0.0)
    axis = table.values.get("axis", 1)
    if not isinstance(axis, int) or isinstance(axis, bool):
        table.problem("axis", "the number of an axis", f"{axis!r}", "0 is the first; 1, the channels, is the default.")
        return None
    if scales is None or zero_points is None:
        return None
    return Quantization(scales, zero_points, axis)


def _numbers(table: Table, key: str, default: float) -> tuple[float, ...] | None:
    value: Any = table.values.get(key, default)
    numbers = value if isinstance(value, list) and value else [value]
    if not all(is_number(each) and (key != "scale" or each > 0) for each in numbers):
        above = " above 0" if key == "scale" else ""
        table.problem(key, f"a number{above}, or an array of them", f"{value!r}"[:120], _ADVICE)
        return None
    return tuple(float(each) for each in numbers)
