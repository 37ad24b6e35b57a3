"""Knows the values that the open target lets its user set, which of them are changed, and what may be typed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from texelscope.pipeline.errors import TexelscopeError
from texelscope.viewer.app import App
from texelscope.viewer.document.plan_kinds import as_drafted_plan, as_file_plan, as_shader_plan

if TYPE_CHECKING:
    from texelscope.pipeline.dialects.mpv.blocks import HookParameter
    from texelscope.pipeline.pipeline_file.file_plan import FilePlan
    from texelscope.pipeline.pipeline_values.pass_values import PassValue, ValueKind

# Numbers that stand in one line, and lines of one value; longer arrays are changed in the file.
NUMBERS_IN_LINE, MOST_LINES = 4, 16
# The numbers that a type of GLSL holds; floats are those of 32 bits.
_LIMITS: Mapping[str, tuple[float, float]] = {
    "float": (-3.4028235e38, 3.4028235e38),
    "int": (-(1 << 31), (1 << 31) - 1),
    "uint": (0, (1 << 32) - 1),
}
# Longer whole numbers are read as floats, which Python does at once.
_MOST_DIGITS = 40
_WORDS = {"float": "a number", "int": "a whole number", "uint": "a whole number from 0 on"}


def parameters_of(app: App) -> tuple[HookParameter, ...]:
    """Returns the parameters of the open shader, with their present values; none of anything else."""
    plan = as_shader_plan(app.document.session.plan) if app.document.session is not None else None
    return plan.parameters if plan is not None else ()


def file_plan(app: App) -> FilePlan | None:
    """Returns the plan of the open pipeline file or draft, whose passes have values; None for anything else."""
    return as_file_plan(app.document.session.plan) if app.document.session is not None else None


def unsaved_values(app: App) -> dict[str, str]:
    """Returns the values, by key, that are changed and not in the open pipeline file, nor in the opened bundle.

    Those of a draft are not: they are in no file until it is written.
    """
    plan, target = file_plan(app), app.document.target
    if plan is None or target is None or as_drafted_plan(plan) is not None:
        return {}
    kept = app.saving.kept_values
    return {key: text for key, text in target.options.dialect.items() if kept.get(key) != text}


def lines_of(value: PassValue) -> list[list[int]]:
    """Returns the places of a value's numbers line by line as they are shown: matrices by rows, vectors one a line.

    Lines beyond `MOST_LINES` are left out.
    """
    count = len(value.numbers or ())
    if value.per_element == 1:
        numbers = list(range(count))
        lines = [numbers[at : at + NUMBERS_IN_LINE] for at in range(0, count, NUMBERS_IN_LINE)]
        return lines[:MOST_LINES]
    rows = value.per_element // value.columns
    lines = []
    for start in range(0, count, value.per_element):
        element = range(start, min(start + value.per_element, count))
        if value.columns == 1:
            lines.append(list(element))
        else:
            lines += [list(element[row::rows]) for row in range(rows)]
    return lines[:MOST_LINES]


def count_shown(lines: Sequence[Sequence[int]]) -> int:
    """Returns how many numbers lines have."""
    return sum(map(len, lines))


def typed_number(key: str, kind: ValueKind, typed: str) -> float:
    """Returns the number that a person typed for a value of a kind.

    Raises TexelscopeError, naming the value, for a text that is no number, is not finite, or is none of that kind.
    """
    text = typed.strip().replace("_", "")
    try:
        number: float = int(text) if _is_whole(text) else float(text)
    except (ValueError, OverflowError):
        raise _refused(key, kind, typed, "For example 0.5 or 1e-3." if kind == "float" else "For example 3.") from None
    if not isinstance(number, int) and not math.isfinite(number):
        raise _refused(key, kind, typed, "Type a finite one.")
    if kind in ("int", "uint") and number != int(number):
        raise _refused(key, kind, typed, "Round it.")
    low, high = _LIMITS.get(kind, (-math.inf, math.inf))
    if not low <= number <= high:
        got = f"'{typed.strip()[:40]}'"
        expected = f"a number of type {kind}, from {low:.10g} to {high:.10g}"
        raise TexelscopeError(key, expected, got, "Type another one.")
    return int(number) if kind in ("int", "uint") else number


def _is_whole(text: str) -> bool:
    digits = text.lstrip("+-")
    return len(digits) <= _MOST_DIGITS and digits.isascii() and digits.isdecimal()


def _refused(key: str, kind: ValueKind, typed: str, advice: str) -> TexelscopeError:
    shown = typed.strip()[:40]
    return TexelscopeError(key, f"{_WORDS.get(kind, 'a number')} that is finite", f"'{shown}'", advice)
