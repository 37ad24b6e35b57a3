"""ReverseSequence: the first elements along a time axis turned round, as many as each batch entry says."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.operators.affine import strides_of
from texelscope.pipeline.operators.base import Array, Call, Evaluation, Kernel, Operator
from texelscope.pipeline.operators.rounding import movement


class ReverseSequence(Operator):
    """One element for each, from the other end of its sequence."""

    op_types = ("ReverseSequence",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """The length of its sequence, and one element."""
        time, batch = call.axis("time_axis"), call.axis("batch_axis", 1)
        shape, strides = call.shape(0), strides_of(call.shape(0))
        return Kernel(
            ("reverse_sequence.glsl",),
            {"X": call.node.inputs[0], "LENGTH": call.node.inputs[1]},
            MappingProxyType(
                {
                    "TIME_COUNT": shape[time],
                    "TIME_STRIDE": strides[time],
                    "BATCH_COUNT": shape[batch],
                    "BATCH_STRIDE": strides[batch],
                }
            ),
        )

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Exact."""
        return movement(evaluation)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]] | None:
        """The length and one element; not known where lengths depend on the run."""
        lengths = call.constant(1)
        if lengths is None:
            return None
        time, batch = call.axis("time_axis"), call.axis("batch_axis", 1)
        place = [int(i) for i in np.unravel_index(element, call.shape(0))]
        entry = place[batch]
        if place[time] < lengths[entry]:
            place[time] = int(lengths[entry]) - 1 - place[time]
        from_ = np.ravel_multi_index(place, call.shape(0))
        return {0: np.array([from_], dtype=np.int64), 1: np.array([entry], dtype=np.int64)}


OPERATORS = (ReverseSequence(),)
