"""Lists the values that a uniform of a pipeline file is likely to have: sizes of tensors, and numbers of the model.

Each value comes with the text that a person writes into the file for it: an expression over tensors, or numbers.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.graph import Node
from texelscope.pipeline.pipeline_file.expressions import FUNCTIONS
from texelscope.pipeline.plan import Pass, Plan, StoredTensor, UniformValue, UnsetUniform

# Components of the functions that have several numbers.
_PARTS = {"shape": "whcn", "grid": "xy", "size": "xy", "texel_size": "xy"}
# A tensor's name that needs no quotes in an expression.
_PLAIN = re.compile(r'[^()"\s]+')
# Small whole numbers that people set: counts, steps, switches, directions.
_SMALL = (1, 2, 3, 4, -1)
# A graph with more nodes is a model, of which a pass covers a part.
_FEW_NODES = 24
# At most this many numbers of the model, and none that means infinity.
_MOST_NUMBERS, _BEYOND = 24, 1e6
# Numbers as near as this are equal.
_NEAR = 1e-6

Numbers = tuple[float, ...]


@dataclass(frozen=True)
class LikelyValue:
    """Holds a value, flat, with the text of it in a pipeline file."""

    numbers: Numbers
    text: str

    def order(self) -> tuple[bool, float]:
        """Returns the sort key of whole numbers: those with a negative one last, then by the largest magnitude."""
        return min(self.numbers) < 0.0, max(map(abs, self.numbers))


def as_uniform_value(uniform: UnsetUniform, numbers: Sequence[float]) -> UniformValue:
    """Returns numbers in the uniform's own type, as a plan holds them."""
    typed = tuple(_typed(uniform.kind, number) for number in numbers)
    return typed[0] if len(typed) == 1 else typed


def _typed(kind: str, number: float) -> float:
    return bool(number) if kind == "bool" else float(number) if kind == "float" else int(number)


def written(uniform: UnsetUniform, value: UniformValue) -> str:
    """Returns a value as a pipeline file has it, in numbers."""
    texts = [_written(uniform.kind, number) for number in (value if isinstance(value, tuple) else (value,))]
    return texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"


def _written(kind: str, number: float) -> str:
    if kind != "float":
        return str(bool(number)).lower() if kind == "bool" else str(int(number))
    text = f"{number:.9g}"
    return text if "." in text or "e" in text else f"{text}.0"


def likely_values(plan: Plan, shader_pass: Pass, uniform: UnsetUniform) -> list[LikelyValue]:
    """Returns likely values of a uniform, each once: sizes of the pass's tensors first, then numbers of its nodes."""
    found: dict[Numbers, LikelyValue] = {}
    for each in (*_sizes(plan, shader_pass, uniform), *_of_numbers(plan, shader_pass, uniform)):
        if any(each.numbers) and _can_hold(uniform.kind, each.numbers):
            found.setdefault(each.numbers, each)
    # A count is more often small than large and never negative, and small ones are quickly tried.
    return list(found.values()) if uniform.kind == "float" else sorted(found.values(), key=LikelyValue.order)


def expressions_of(plan: Plan, shader_pass: Pass, uniform: UnsetUniform, value: UniformValue) -> list[str]:
    """Returns the texts of the sizes that have a value, those that come first in the pass first."""
    sizes = _sizes(plan, shader_pass, uniform)
    return [each.text for each in sizes if np.allclose(each.numbers, value, rtol=_NEAR, atol=0.0)]


def _can_hold(kind: str, numbers: Numbers) -> bool:
    if kind == "bool":
        return {*numbers} <= {0.0, 1.0}
    is_whole = all(float(number).is_integer() for number in numbers)
    return kind == "float" or (is_whole and (kind == "int" or min(numbers) >= 0))


def _sizes(plan: Plan, shader_pass: Pass, uniform: UnsetUniform) -> Iterator[LikelyValue]:
    """Yields expressions over the tensors of a pass that have as many numbers as the uniform."""
    if uniform.kind == "bool":
        return
    for name, stored in _tensors(plan, shader_pass):
        for text, numbers in _expressions(name, stored):
            if len(numbers) == uniform.count:
                yield LikelyValue(tuple(map(float, numbers)), f'"{text}"')


def _tensors(plan: Plan, shader_pass: Pass) -> Iterator[tuple[str, StoredTensor]]:
    """Yields the pass's tensors by the names of a pipeline file, constants of a model by their sampler."""
    named: dict[str, str] = {}
    for sampler, key in shader_pass.bound_reads:
        named.setdefault(key, sampler if plan.textures[key].role == "constant" else key)
    for key in (*named, *shader_pass.outputs):
        name = named.get(key, key)
        if _PLAIN.fullmatch(name):
            yield name, plan.textures[key]


def _expressions(name: str, stored: StoredTensor) -> Iterator[tuple[str, Sequence[float]]]:
    for function, evaluate in FUNCTIONS.items():
        numbers = evaluate(stored)
        yield f"{function}({name})", numbers
        for part in _PARTS.get(function, ""):
            yield f"{function}({name}).{part}", (numbers["xyzw".find(part) if part in "xy" else "nchw".find(part)],)
    (width, height), (columns, rows) = FUNCTIONS["size"](stored), FUNCTIONS["grid"](stored)
    if (columns, rows) != (1, 1):
        yield f"size({name}) / grid({name})", (width / columns, height / rows)


def _of_numbers(plan: Plan, shader_pass: Pass, uniform: UnsetUniform) -> Iterator[LikelyValue]:
    """Yields numbers of the model, and small ones: for all lanes the same, or an attribute's in either order."""
    single, rows = _numbers_of(plan, shader_pass)
    for row in rows:
        for numbers in (row, row[::-1]):
            for cut in (numbers, numbers[: len(numbers) // 2], numbers[len(numbers) // 2 :]):
                if len(cut) == uniform.count > 1:
                    yield LikelyValue(cut, written(uniform, cut))
    whole = (1,) if uniform.kind == "bool" else _SMALL if uniform.kind != "float" else ()
    for number in (*single, *whole):
        numbers = (float(number),) * uniform.count
        if uniform.kind == "float" or float(number).is_integer():
            yield LikelyValue(numbers, written(uniform, numbers))


def _numbers_of(plan: Plan, shader_pass: Pass) -> tuple[list[float], list[Numbers]]:
    """Returns single numbers of the pass's nodes, and attributes with several numbers."""
    single: dict[float, None] = {}
    rows: dict[Numbers, None] = {}
    for node in _nodes(plan, shader_pass):
        for value in node.attributes.values():
            if isinstance(value, list | tuple) and value and all(isinstance(each, int | float) for each in value):
                rows.setdefault(tuple(map(float, value)))
                single.update(dict.fromkeys(map(float, value)))
            elif isinstance(value, int | float):
                single.setdefault(_in_float32(value))
        constants = (plan.graph.constants.get(name) for name in node.inputs) if plan.graph is not None else ()
        single.update(dict.fromkeys(_in_float32(each.reshape(-1)[0]) for each in constants if _is_a_number(each)))
    kept = [number for number in single if number and math.isfinite(number) and abs(number) < _BEYOND]
    return kept[:_MOST_NUMBERS], list(itertools.islice(rows, _MOST_NUMBERS))


def _in_float32(number: float) -> float:
    """Returns the number in the digits that float32 has."""
    return float(f"{number:.7g}")


def _is_a_number(value: NDArray[Any] | None) -> TypeGuard[NDArray[Any]]:
    return value is not None and value.size == 1 and value.dtype.kind in "fiu"


def _nodes(plan: Plan, shader_pass: Pass) -> tuple[Node, ...]:
    nodes = plan.graph.nodes if plan.graph is not None else ()
    own = tuple(node for node in nodes if node.name in shader_pass.nodes)
    return own or (tuple(nodes) if len(nodes) <= _FEW_NODES else ())
