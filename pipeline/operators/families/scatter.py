"""ScatterElements, Scatter and ScatterND: updates put, or folded, into a copy of the first input.

A fragment cannot write elsewhere than its own texel, so every output element looks for the updates that are
meant for it, in order.
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

# What becomes of two values that meet: a shader of `shaders/operators/elementwise`.
_FOLDS = {"none": "second", "add": "add", "mul": "mul", "max": "max", "min": "min"}


class _Scattered(Operator):
    """The first input with updates folded in at indices."""

    shader: str

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """The element, the indices that might mean it, and the updates that do."""
        x, indices, updates = call.node.inputs
        return Kernel(
            (f"elementwise/{_FOLDS[_reduction(call)]}.glsl", self.shader),
            {"X": x, "I": indices, "U": updates},
            MappingProxyType(self.constants(call)),
            turns=self.turns(call),
        )

    def constants(self, call: Call) -> dict[str, Constant]:
        """What the shader has to know."""
        raise NotImplementedError

    def turns(self, call: Call) -> int:
        """How many updates an element asks."""
        raise NotImplementedError

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """γ(k) for k updates where they are added or multiplied; otherwise exact."""
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
    """The data as they are, where there is no index."""
    if 0 not in call.shape(1):
        return None
    return Rewrite((Node(call.node.name, "Identity", call.node.inputs[:1], call.node.outputs[:1], opset=13),))


class ScatterElements(_Scattered):
    """Updates put along one axis."""

    op_types = ("ScatterElements", "Scatter")
    shader = "scatter/elements.glsl"

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """Scatter, as opsets 9 and 10 call it, under its newer name, which is the one that the oracle knows."""
        if call.node.op_type != "Scatter" or 0 in call.shape(1):
            return _without_updates(call)
        return Rewrite((dataclasses.replace(call.node, op_type="ScatterElements", opset=13),))

    def constants(self, call: Call) -> dict[str, Constant]:
        """Sizes of the output and of the indices, and the latter's strides."""
        return {
            "RANK": len(call.shape(0)),
            "SIZES": call.shape(0),
            "INDEX_SIZES": call.shape(1),
            "INDEX_STRIDES": strides_of(call.shape(1)),
            "AXIS": call.axis(),
        }

    def turns(self, call: Call) -> int:
        """A column of indices."""
        return call.shape(1)[call.axis()]

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]] | None:
        """The element, a column of indices, and the updates meant for it; not known if the indices are not."""
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
    """Slices put where tuples of indices say."""

    op_types = ("ScatterND",)
    shader = "scatter/nd.glsl"

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """Nothing but the data, where there is no index."""
        return _without_updates(call)

    def constants(self, call: Call) -> dict[str, Constant]:
        """Sizes and strides of the axes that tuples index, and the elements of a slice."""
        length = call.shape(1)[-1]
        return {
            "TUPLES": call.info(1).count // length,
            "TUPLE_LENGTH": length,
            "SIZES": call.shape(0)[:length],
            "STRIDES": strides_of(call.shape(0)[:length]),
            "INNER_COUNT": int(np.prod(call.shape(0)[length:], dtype=np.int64)),
        }

    def turns(self, call: Call) -> int:
        """All tuples."""
        return turns_of(call.info(1).count // call.shape(1)[-1], call.shape(1)[-1])

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]] | None:
        """The element, all indices, and the updates meant for it; not known if the indices are not."""
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


OPERATORS = (ScatterElements(), ScatterND())
