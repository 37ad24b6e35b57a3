"""Converts the file's literals and expressions to the numbers that the shader declares as uniforms."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.frames import Moment
from texelscope.pipeline.pipeline_file.declarations import Uniform
from texelscope.pipeline.pipeline_file.expressions import Number, evaluate
from texelscope.pipeline.plan import StoredTensor, UniformValue

# Integers that fit a double, and 64 bits.
_LARGEST = 1 << 63


def uniform_value(
    raw: Any, declared: Uniform | None, tensors: Mapping[str, StoredTensor], moment: Moment | None = None
) -> UniformValue:
    """Returns the flat value in the declared type; in the numbers' own type where no declaration was found.

    Without a `moment` what changes from frame to frame is an error.

    Raises TexelscopeError for a value that is no number, a wrong count, or a fraction for an integer.
    """
    numbers = _flat(raw, tensors, moment)
    who = "the value" if declared is None else f"'{declared.name}'"
    for number in numbers:
        if isinstance(number, int) and abs(number) > _LARGEST:
            got = f"a number of {int(math.log10(abs(number))) + 1} digits"
            raise TexelscopeError(who, "numbers that a uniform can hold", got, "Correct it.")
    if declared is None:
        return _packed(numbers)
    if declared.kind is None:
        raise TexelscopeError(
            f"'{declared.name}'",
            "a scalar, vector or matrix type",
            declared.type,
            "Only these can be set from the file.",
        )
    expected = declared.component_count
    if declared.array_count is None:
        whole = len(numbers) % expected == 0
        described = f"a multiple of {expected} numbers"
    else:
        whole = len(numbers) == expected * declared.array_count
        described = _described(declared)
    if not whole:
        raise TexelscopeError(
            f"'{declared.name}'", described, f"{len(numbers)}", "Give as many as the shader declares."
        )
    return _packed([_typed(number, declared) for number in numbers])


def _flat(raw: Any, tensors: Mapping[str, StoredTensor], moment: Moment | None) -> list[Number]:
    if isinstance(raw, str):
        return list(evaluate(raw, tensors, moment))
    if isinstance(raw, bool | int | float):
        return [raw]
    if isinstance(raw, list):
        return [number for item in raw for number in _flat(item, tensors, moment)]
    raise TexelscopeError("the value", "a number, an expression or an array of them", f"{raw!r}", "Correct it.")


def _typed(number: Number, declared: Uniform) -> Number:
    if declared.kind == "float":
        return float(number)
    if declared.kind == "bool":
        return bool(number)
    if isinstance(number, float) and not (math.isfinite(number) and number == int(number)):
        raise TexelscopeError(
            f"'{declared.name}'", f"whole numbers for {declared.type}", str(number), "Change one of them."
        )
    held = np.iinfo(np.uint32 if declared.kind == "uint" else np.int32)
    if not held.min <= int(number) <= held.max:
        raise TexelscopeError(
            f"'{declared.name}'", f"{held.min} to {held.max} for {declared.type}", str(number), "Correct it."
        )
    return int(number)


def _described(declared: Uniform) -> str:
    numbers = declared.component_count * (declared.array_count or 1)
    array = f"[{declared.array_count}]" if declared.array_count != 1 else ""
    return f"{numbers} number{'s' if numbers != 1 else ''} for {declared.type}{array}"


def _packed(numbers: list[Any]) -> UniformValue:
    return numbers[0] if len(numbers) == 1 else tuple(numbers)
