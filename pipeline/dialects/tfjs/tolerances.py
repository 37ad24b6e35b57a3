"""Allows right programs of TensorFlow.js what their formulas are off by, beyond the rounding of their meaning.

Only what is known to be coarse gets an allowance: a recorded error of any other program may be its bug.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.dialects.tfjs.meanings.step import NodeBuilder
from texelscope.pipeline.graph import Graph, TensorInfo
from texelscope.pipeline.operators.rounding import UNIT_ROUNDOFF
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.plan import Storage, Tolerance

# Operators that move numbers and change none.
MOVES = frozenset({"Identity", "Reshape", "Transpose", "Slice", "Concat", "Pad", "Tile", "DepthToSpace", "Where"})
# Operators with formulas, TensorFlow.js's or a driver's, that are coarser than the function. A quotient of
# exponentials, for example, gives tanh with fewer digits than tanh itself.
_COARSE = frozenset({
    "Tanh", "Sigmoid", "Exp", "Log", "Sqrt", "Softplus", "Erf", "Sin", "Cos", "Elu", "Pow", "Div", "Reciprocal",
    "Tan", "Sinh", "Cosh", "Asinh", "Acosh", "Atanh", "Selu",
})  # fmt: skip
# Operators that may stand beside those in one kernel, such as the 1 that Expm1 subtracts.
_BESIDE = frozenset({"Add", "Sub"})
# Functions of GLSL that drivers may compute with an error of 4,096 units in the last place: the table "Precision of
# GLSL.std.450 Instructions" of the Vulkan specification, which the driver of the page need not use up.
_INVERSE, _SPECIFIED = frozenset({"Asin", "Acos", "Atan"}), 4096.0
# Another driver's formula may be off by more than the recorded one, but not by much more.
_AS_MUCH = 4.0
# A coordinate of a resized image is rounded as often: the scale, the half, the product and the difference.
_ROUNDINGS_OF_COORDINATE, _AXES = 4, 2

Values = Mapping[str, NDArray[np.float32]]


def tolerance_of(
    name: str, step: NodeBuilder, values: Values, storage: Storage, *, reproduces: bool
) -> Tolerance | None:
    """Returns the allowance of a program with output `name`; None if its meaning's rounding is enough.

    `reproduces` says that the page has the meaning's values but for a small error, which then counts as its formula's.
    Of textures of fewer bits only what drivers may be off by is allowed: their rounding is judged separately.
    """
    kinds = {node.op_type for node in step.nodes} - MOVES
    if reproduces and kinds and kinds <= _INVERSE and storage in UNIT_ROUNDOFF:
        return _as_specified(_expected(name, step, values), storage)
    if storage != "float32":
        return None
    if reproduces and kinds & _COARSE and kinds <= _COARSE | _BESIDE:
        return _of_formula(_expected(name, step, values), values[name])
    if kinds == {"Resize"}:
        return _of_coordinates(_expected(name, step, values), step)
    return None


def _expected(name: str, step: NodeBuilder, values: Values) -> Expected:
    infos = {tensor: TensorInfo(tensor, tuple(value.shape), value.dtype.name) for tensor, value in step.values.items()}
    part = Graph(name, tuple(step.nodes), infos, (), (name,), step.constants)
    given = {tensor: values[tensor] for tensor in step.values if tensor in values and tensor != name}
    expected = GraphOracle(part).isolated(given, name)
    assert expected is not None
    return expected


def _of_formula(expected: Expected, recorded: NDArray[np.float32]) -> Tolerance | None:
    with np.errstate(invalid="ignore"):
        apart = np.abs(np.asarray(expected.value, dtype=np.float64) - recorded)
    largest = float(np.max(apart, initial=0.0, where=np.isfinite(apart)))
    if expected.bound is None or not bool((apart > expected.bound).any()):
        return None
    return Tolerance(atol=_AS_MUCH * largest)


def _as_specified(expected: Expected, storage: Storage) -> Tolerance:
    value = np.asarray(expected.value, dtype=np.float64)
    largest = float(np.max(np.abs(value), initial=0.0, where=np.isfinite(value)))
    stored = 2.0 * UNIT_ROUNDOFF[storage] if storage != "float32" else 0.0  # drivers may cut off instead of round
    return Tolerance(rtol=stored, atol=_SPECIFIED * UNIT_ROUNDOFF["float32"] * largest)


def _of_coordinates(expected: Expected, step: NodeBuilder) -> Tolerance | None:
    """Allows what coordinates in float32 are off by, times the steepest slope between two pixels."""
    resize = next(node for node in step.nodes if node.op_type == "Resize")
    if resize.attributes["mode"] != "linear" or expected.bound is None:
        return None
    image = step.values[resize.inputs[0]]
    finite = image[np.isfinite(image)]
    if not finite.size:
        return None
    off = _ROUNDINGS_OF_COORDINATE * UNIT_ROUNDOFF["float32"] * max(image.shape[2:])
    slope = float(finite.max()) - float(finite.min())
    return Tolerance(atol=_AXES * off * slope + float(np.max(expected.bound, initial=0.0)))
