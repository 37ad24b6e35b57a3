"""TensorScatter: a run of new elements put into a cache, where each batch entry says."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.operators.affine import strides_of
from texelscope.pipeline.operators.base import Array, Call, Evaluation, Kernel, Operator
from texelscope.pipeline.operators.rounding import movement


class TensorScatter(Operator):
    """The newer of the cache's element and the update's."""

    op_types = ("TensorScatter",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Where its batch entry begins to write, and one element."""
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
        """Exact."""
        return movement(evaluation)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]] | None:
        """The element, or its update; not known where the places depend on the run."""
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


OPERATORS = (TensorScatter(),)
