"""Decisions that tip: a difference of the last place on one side of a border makes another whole number, or choice.

A claim is made only if every element that differs is seen to lie at its border, on both sides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.graph import Graph, Node
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.operators.element_types import is_integer
from texelscope.pipeline.operators.families.quantize import quotients
from texelscope.pipeline.operators.rounding import UNIT_ROUNDOFF

Array = NDArray[Any]
# By how many units of its size a quotient may be off where it was divided in float32 (2.5 ulp), on either side.
_DIVISION = 8.0 * UNIT_ROUNDOFF["float32"]


@dataclass(frozen=True)
class Decision:
    """What tipped (`rounding_decision`, `comparison`, `choice`), the sentence, and of how many elements."""

    cause: str
    evidence: str
    elements: int


def tipped(node: Node, graph: Graph, had: Mapping[str, Array], known: Mapping[str, Array]) -> Decision | None:
    """The decision of `node` that fell otherwise on the values it `had` than on those `known`, if one did.

    Both hold the node's inputs, those that are not constant, and its first output.
    """
    read = _READERS.get(node.op_type)
    if read is None:
        return None
    names = [name for name in node.inputs if name]
    sides = [[side.get(name, graph.constants.get(name)) for name in names] for side in (had, known)]
    if any(value is None for side in sides for value in side):
        return None
    first, second = ([np.asarray(value) for value in side] for side in sides)
    results = [np.asarray(side[node.outputs[0]]) for side in (had, known)]
    differ = results[0] != results[1]
    if not differ.any():
        return None
    with np.errstate(all="ignore"):
        return read(Call(node, graph), (first, second), (results[0], results[1]), differ)


Sides = tuple[list[Array], list[Array]]


def _rounding(call: Call, sides: Sides, results: tuple[Array, Array], differ: Array) -> Decision | None:
    op_type = call.node.op_type
    if op_type == "Cast" and not is_integer(call.output_info().dtype):
        return None
    if op_type == "QuantizeLinear":
        if not is_integer(call.output_info().dtype):
            return None
        a, b = (quotients(call, side[0], side[1]) for side in sides)
    else:
        a, b = (np.asarray(side[0], dtype=np.float64) for side in sides)
    a, b = a[differ], b[differ]
    middle = (a + b) / 2.0
    half = op_type in ("QuantizeLinear", "Round")
    border = np.floor(middle) + 0.5 if half else np.rint(middle)
    near = np.maximum(np.abs(a - border), np.abs(b - border))
    steps = np.abs(results[0][differ].astype(np.float64) - results[1][differ].astype(np.float64))
    if not (((a - border) * (b - border) <= 0.0) | (near <= _DIVISION * np.abs(border))).all() or steps.max() > 1.0:
        return None
    what = "x/scale" if op_type == "QuantizeLinear" else "x"
    return Decision(
        "rounding_decision",
        f"A rounding decision that tipped: {differ.sum()} of {differ.size} elements of '{call.node.outputs[0]}' round "
        f"to the other number; |{what} − k{' − 0.5' if half else ''}| ≤ {near.max():.1e} there.",
        int(differ.sum()),
    )


def _comparison(call: Call, sides: Sides, _: tuple[Array, Array], differ: Array) -> Decision | None:
    a, b = (_difference(side)[differ] for side in sides)
    if not (np.sign(a) != np.sign(b)).all():
        return None
    near = np.maximum(np.abs(a), np.abs(b)).max()
    between = "what is compared differs" if len(sides[0]) > 1 else "x is from 0"
    return Decision(
        "comparison",
        f"A comparison that tipped: {differ.sum()} of {differ.size} elements of '{call.node.outputs[0]}' fall the "
        f"other way; {between} by {near:.1e} at most there.",
        int(differ.sum()),
    )


def _difference(inputs: list[Array]) -> NDArray[np.float64]:
    first = np.asarray(inputs[0], dtype=np.float64)
    other = np.asarray(inputs[1], dtype=np.float64) if len(inputs) > 1 else np.zeros(())
    return np.broadcast_to(first - other, np.broadcast_shapes(first.shape, other.shape))


def _choice(call: Call, sides: Sides, results: tuple[Array, Array], differ: Array) -> Decision | None:
    axis, x = call.axis(), [np.asarray(side[0], dtype=np.float64) for side in sides]
    places = [np.asarray(r, dtype=np.int64) for r in results]
    if not call.attribute("keepdims", 1):
        places, differ = [np.expand_dims(p, axis) for p in places], np.expand_dims(differ, axis)
    gaps = [np.abs(np.take_along_axis(v, places[0], axis) - np.take_along_axis(v, places[1], axis)) for v in x]
    moved = np.max(np.abs(x[0] - x[1]), axis=axis, keepdims=True)
    gap = np.maximum(*gaps)[differ]
    if not (gap <= 2.0 * moved[differ]).all():
        return None
    return Decision(
        "choice",
        f"A choice that tipped: {differ.sum()} of {differ.size} elements of '{call.node.outputs[0]}' point elsewhere; "
        f"the two values differ by {gap.max():.1e} at most.",
        int(differ.sum()),
    )


_Reader = Callable[[Call, Sides, tuple[Array, Array], Array], Decision | None]
_READERS: Mapping[str, _Reader] = {
    **dict.fromkeys(("QuantizeLinear", "Round", "Floor", "Ceil", "Cast"), _rounding),
    **dict.fromkeys(("Less", "Greater", "LessOrEqual", "GreaterOrEqual", "Equal", "Sign"), _comparison),
    **dict.fromkeys(("ArgMax", "ArgMin"), _choice),
}
