"""Evaluates sizes and counts of a pipeline file: numbers, expressions or arrays of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.pipeline_file.expressions import Number, evaluate
from texelscope.pipeline.pipeline_file.table import Problems
from texelscope.pipeline.plan import StoredTensor

# Along x, y and z.
AXES = 3


def whole_numbers(
    problems: Problems, title: str, key: str, raw: Any, lengths: Sequence[int], tensors: Mapping[str, StoredTensor]
) -> tuple[int, ...] | None:
    """Returns numbers above 0, fractions rounded up, as many as one of `lengths`; None, with the problem recorded."""
    try:
        numbers = _flat(raw, tensors)
    except TexelscopeError as error:
        got = f"{error.got} in {error.who}" if error.who.startswith("expression") else error.got
        problems.add(title, key, error.expected, got, error.do_next)
        return None
    if len(numbers) not in lengths:
        what = f"{lengths[0]} to {lengths[-1]} numbers" if len(lengths) > 1 else f"{lengths[0]} numbers"
        problems.add(title, key, what, str(len(numbers)), "Along x, y and z.")
        return None
    if any(not 0 < number < math.inf for number in numbers):
        problems.add(title, key, "numbers above 0", str(numbers), "Correct it.")
        return None
    return tuple(math.ceil(number) for number in numbers)


def _flat(raw: Any, tensors: Mapping[str, StoredTensor]) -> list[Number]:
    if isinstance(raw, str):
        return list(evaluate(raw, tensors))
    if isinstance(raw, int | float) and not isinstance(raw, bool):
        return [raw]
    if isinstance(raw, list):
        return [number for item in raw for number in _flat(item, tensors)]
    raise TexelscopeError("the value", "a number, an expression or an array of them", f"{raw!r}", "Correct it.")
