"""Implements ScatterElements, Scatter and ScatterND: updates written, or folded, into a copy of the first input.

A fragment cannot write elsewhere than its own texel, so every output element searches for its own updates,
in order.

TensorScatter writes new elements into a cache, from each batch entry's own place on.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import Limits
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.affine import strides_of
from texelscope.pipeline.operators.base import Array, Call, Constant, Evaluation, Kernel, Operator, Rewrite, turns_of
from texelscope.pipeline.operators.rounding import gamma, movement, pointwise

# The function of two values at one place: a shader of `shaders/operators/elementwise`.
_FOLDS = {"none": "second", "add": "add", "mul": "mul", "max": "max", "min": "min"}


class _Scattered(Operator):
    """Folds updates into the first input at indices."""

    shader: str

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads the element, the indices that may select it, and its updates."""
        x, indices, updates = call.node.inputs
        return Kernel(
            (f"elementwise/{_FOLDS[_reduction(call)]}.glsl", self.shader),
            {"X": x, "I": indices, "U": updates},
            MappingProxyType(self.constants(call)),
            turns=self.turns(call),
        )

    def constants(self, call: Call) -> dict[str, Constant]:
        """Returns the shader's constants."""
        raise NotImplementedError

    def turns(self, call: Call) -> int:
        """Counts the updates that an element checks."""
        raise NotImplementedError

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Bounds by γ(k) for k updates where they are added or multiplied; otherwise without rounding."""
        reduction = _reduction(call)
        if reduction == "none":
            return movement(evaluation)
        x, indices, updates = evaluation.inputs
        assert x is not None
        assert updates is not None
        magnitude = np.abs(evaluation.run([np.abs(x), indices, np.abs(updates)]).astype(np.float64))
        rounds = reduction in ("add", "mul")
        own = gamma(updates.size + 1, evaluation.unit) * magnitude if rounds else np.zeros(magnitude.shape)
        return 2.0 * own + movement(evaluation) if reduction == "add" else pointwise(evaluation, own)


def _without_updates(call: Call) -> Rewrite | None:
    """Returns the unchanged data, if there is no index."""
    if 0 not in call.shape(1):
        return None
    return Rewrite((Node(call.node.name, "Identity", call.node.inputs[:1], call.node.outputs[:1], opset=13),))


class ScatterElements(_Scattered):
    """Writes updates along one axis."""

    op_types = ("ScatterElements", "Scatter")
    shader = "scatter/elements.glsl"

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """Renames Scatter, as opsets 9 and 10 call it, to its newer name, which the oracle knows."""
        if call.node.op_type != "Scatter" or 0 in call.shape(1):
            return _without_updates(call)
        return Rewrite((dataclasses.replace(call.node, op_type="ScatterElements", opset=13),))

    def constants(self, call: Call) -> dict[str, Constant]:
        """Returns sizes of the output and of the indices, and the latter's strides."""
        return {
            "RANK": len(call.shape(0)),
            "SIZES": call.shape(0),
            "INDEX_SIZES": call.shape(1),
            "INDEX_STRIDES": strides_of(call.shape(1)),
            "AXIS": call.axis(),
        }

    def turns(self, call: Call) -> int:
        """Counts a column of indices."""
        return call.shape(1)[call.axis()]

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]] | None:
        """Returns the element, a column of indices, and its updates; None if the indices are unknown."""
        indices = call.constant(1)
        if indices is None:
            return None
        axis = call.axis()
        place = [int(i) for i in np.unravel_index(element, call.shape(0))]
        own = np.array([element], dtype=np.int64)
        if any(i >= size for d, (i, size) in enumerate(zip(place, indices.shape, strict=True)) if d != axis):
            return {0: own}
        column = np.array(
            [
                np.ravel_multi_index([*place[:axis], j, *place[axis + 1 :]], indices.shape)
                for j in range(indices.shape[axis])
            ],
            dtype=np.int64,
        )
        meant = indices.ravel()[column] % call.shape(0)[axis] == place[axis]
        return {0: own, 1: column, 2: column[meant]}


class ScatterND(_Scattered):
    """Writes slices at tuples of indices."""

    op_types = ("ScatterND",)
    shader = "scatter/nd.glsl"

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """Returns the data if there is no index."""
        return _without_updates(call)

    def constants(self, call: Call) -> dict[str, Constant]:
        """Returns sizes and strides of the indexed axes, and the elements of a slice."""
        length = call.shape(1)[-1]
        return {
            "TUPLES": call.info(1).count // length,
            "TUPLE_LENGTH": length,
            "SIZES": call.shape(0)[:length],
            "STRIDES": strides_of(call.shape(0)[:length]),
            "INNER_COUNT": int(np.prod(call.shape(0)[length:], dtype=np.int64)),
        }

    def turns(self, call: Call) -> int:
        """Counts all tuples."""
        return turns_of(call.info(1).count // call.shape(1)[-1], call.shape(1)[-1])

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]] | None:
        """Returns the element, all indices, and its updates; None if the indices are unknown."""
        indices = call.constant(1)
        if indices is None:
            return None
        length = indices.shape[-1]
        inner = int(np.prod(call.shape(0)[length:], dtype=np.int64))
        sizes = np.array(call.shape(0)[:length])
        places = (indices.reshape(-1, length) % sizes) @ np.array(strides_of(call.shape(0)[:length]))
        meant = np.flatnonzero(places == element // inner)
        return {
            0: np.array([element], dtype=np.int64),
            1: np.arange(indices.size, dtype=np.int64),
            2: meant * inner + element % inner,
        }


def _reduction(call: Call) -> str:
    return str(call.attribute("reduction", "none"))


class TensorScatter(Operator):
    """Writes updates into a cache."""

    op_types = ("TensorScatter",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads its batch entry's first place, and one element."""
        axis, shape = call.axis(default=-2), call.shape(0)
        reads: dict[str, str | tuple[str, ...]] = {"X": call.node.inputs[0], "U": call.node.inputs[1]}
        if call.has(2):
            reads["FIRST"] = call.node.inputs[2]
        return Kernel(
            ("scatter/tensor.glsl",),
            reads,
            MappingProxyType(
                {
                    "AXIS_COUNT": shape[axis],
                    "UPDATE_COUNT": call.shape(1)[axis],
                    "INNER_COUNT": strides_of(shape)[axis],
                    "BATCH_COUNT": strides_of(shape)[0],
                    "CIRCULAR": call.attribute("mode", "linear") == "circular",
                }
            ),
        )

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Adds no rounding error."""
        return movement(evaluation)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]] | None:
        """Returns the element, or its update; None if the places depend on the run."""
        if call.has(2) and call.constant(2) is None:
            return None
        axis, shape = call.axis(default=-2), call.shape(0)
        batch = element // strides_of(shape)[0]
        starts = call.constant(2)
        place = [int(i) for i in np.unravel_index(element, shape)]
        j = place[axis] - (int(starts[batch]) if starts is not None else 0)
        if call.attribute("mode", "linear") == "circular":
            j %= shape[axis]
        reads = {2: np.array([batch], dtype=np.int64)} if call.has(2) else {}
        if not 0 <= j < call.shape(1)[axis]:
            return {**reads, 0: np.array([element], dtype=np.int64)}
        place[axis] = j
        return {**reads, 1: np.array([np.ravel_multi_index(place, call.shape(1))], dtype=np.int64)}


OPERATORS = (ScatterElements(), ScatterND(), TensorScatter())
