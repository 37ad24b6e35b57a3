"""Formats a shader's numbers: short for a table, exact, and as bits."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np

from texelscope.pipeline.step_trace.trace import Number

LANES = "xyzw"
# Digits of a float in a table: float32 holds 6 to 9.
DIGITS = 7
_MATRIX = re.compile(r"d?mat([234])(?:x([234]))?")
_VECTOR = re.compile(r"([biud]?)vec([234])")
_KINDS = {"b": "bool", "i": "int", "u": "uint", "d": "double", "": "float"}

# A lane that nothing has been assigned to yet.
Lane = Number | None


def kind_of(type_name: str) -> str:
    """Returns the type of a GLSL type's lanes: float, double, int, uint or bool; empty for a struct or an array."""
    if type_name in ("float", "double", "int", "uint", "bool"):
        return type_name
    vector, matrix = _VECTOR.fullmatch(type_name), _MATRIX.fullmatch(type_name)
    if vector is not None:
        return _KINDS[vector[1]]
    return ("double" if type_name.startswith("d") else "float") if matrix is not None else ""


def lanes_of(type_name: str) -> int:
    """Returns how many lanes a GLSL type has; 0 for a struct or an array."""
    vector, matrix = _VECTOR.fullmatch(type_name), _MATRIX.fullmatch(type_name)
    if vector is not None:
        return int(vector[2])
    if matrix is not None:
        return int(matrix[1]) * int(matrix[2] or matrix[1])
    return 1 if kind_of(type_name) else 0


def rows_of(type_name: str) -> int:
    """Returns how many rows each column of a matrix has; 0 for other types."""
    matrix = _MATRIX.fullmatch(type_name)
    return int(matrix[2] or matrix[1]) if matrix is not None else 0


def short(value: Lane, digits: int = DIGITS) -> str:
    """Formats a number for a table: with at most that many digits, and a point in every float."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if not math.isfinite(value):
        return exact(value)
    text = f"{value:.{digits}g}"
    return text if any(sign in text for sign in ".en") else f"{text}.0"


def exact(value: Lane) -> str:
    """Returns the shortest text that reads back as the same float32; a word for a non-finite number."""
    if value is None or isinstance(value, int):
        return short(value)
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Inf" if value > 0 else "-Inf"
    return str(np.float32(value))


def bits(value: Lane, kind: str = "float") -> str:
    """Formats the 32 bits of a lane in hex, as `0x3f800000`; a bool's is 0 or 1."""
    if value is None:
        return ""
    if kind in ("float", "double"):
        return f"0x{int(np.float32(value).view(np.uint32)):08x}"
    return f"0x{int(value) & 0xFFFFFFFF:08x}"


def lanes_text(type_name: str, value: Sequence[Lane], digits: int = DIGITS) -> str:
    """Formats all lanes on a line; a matrix column by column."""
    rows = rows_of(type_name)
    texts = [short(lane, digits) for lane in value]
    if rows:
        columns = [", ".join(texts[start : start + rows]) for start in range(0, len(texts), rows)]
        return " | ".join(columns)
    return ", ".join(texts)


def exact_text(type_name: str, value: Sequence[Lane]) -> str:
    """Formats the value as in GLSL: `vec2(0.1, -2.0)`, each float32 exactly."""
    inside = ", ".join(exact(lane) for lane in value)
    return inside if len(value) == 1 else f"{type_name or 'value'}({inside})"


def lane_lines(type_name: str, value: Sequence[Lane]) -> tuple[str, ...]:
    """Formats a line for each lane: its name, exactly, and as bits."""
    kind, rows = kind_of(type_name) or "float", rows_of(type_name)
    lines = []
    for number, lane in enumerate(value):
        name = f"[{number // rows}].{LANES[number % rows]}" if rows else LANES[number] if number < 4 else str(number)
        head = f"{name}  " if len(value) > 1 else ""
        lines.append(f"{head}{exact(lane)}  {bits(lane, kind)}".rstrip())
    return tuple(lines)


def colour_of(type_name: str, value: Sequence[Lane]) -> tuple[float, float, float, float] | None:
    """Returns a vec3 or vec4 within 0 to 1 as a colour; None for anything else."""
    if type_name not in ("vec3", "vec4") or not value:
        return None
    lanes = [float(lane) for lane in value if lane is not None]
    if len(lanes) != lanes_of(type_name) or not all(0.0 <= lane <= 1.0 for lane in lanes):
        return None
    red, green, blue = lanes[:3]
    return red, green, blue, lanes[3] if len(lanes) == 4 else 1.0
