"""Gather, GatherElements and GatherND: elements picked by index tensors, which may depend on the run."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.operators.affine import strides_of
from texelscope.pipeline.operators.base import Array, Call, Constant, Evaluation, Kernel, Operator
from texelscope.pipeline.operators.rounding import movement


class _Picked(Operator):
    """One element of the first input for each output element, where the second one says."""

    shader: str

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """The indices, and one element."""
        return Kernel(
            (self.shader,),
            {"X": call.node.inputs[0], "I": call.node.inputs[1]},
            MappingProxyType(self.constants(call)),
        )

    @abstractmethod
    def constants(self, call: Call) -> dict[str, Constant]:
        """What the shader has to know."""

    @abstractmethod
    def index_reads(self, call: Call, element: int) -> NDArray[np.int64]:
        """Linear indices into the second input for an output element."""

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Exact."""
        return movement(evaluation)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]] | None:
        """The indices and the element; not known where the indices depend on the run."""
        indices = call.constant(1)
        if indices is None:
            return None
        return {0: np.array([self.source(call, element, indices)], dtype=np.int64), 1: self.index_reads(call, element)}

    @abstractmethod
    def source(self, call: Call, element: int, indices: Array) -> int:
        """Linear index of the element of the first input."""


class Gather(_Picked):
    """Slices along one axis, picked by index."""

    op_types = ("Gather",)
    shader = "gather/gather.glsl"

    def constants(self, call: Call) -> dict[str, Constant]:
        """The picked axis, and the elements of a slice."""
        axis = call.axis()
        return {
            "AXIS_COUNT": call.shape(0)[axis],
            "INNER_COUNT": int(np.prod(call.shape(0)[axis + 1 :], dtype=np.int64)),
            "INDEX_COUNT": call.info(1).count,
        }

    def index_reads(self, call: Call, element: int) -> NDArray[np.int64]:
        """One index."""
        c = self.constants(call)
        return np.array([element // c["INNER_COUNT"] % c["INDEX_COUNT"]], dtype=np.int64)  # type: ignore[operator]

    def source(self, call: Call, element: int, indices: Array) -> int:
        """The same place in the picked slice."""
        axis = call.axis()
        shape = call.shape(0)
        inner = int(np.prod(shape[axis + 1 :], dtype=np.int64))
        picked = int(indices.ravel()[self.index_reads(call, element)[0]]) % shape[axis]
        return (element // inner // indices.size * shape[axis] + picked) * inner + element % inner


class GatherElements(_Picked):
    """Each element from its own place but for one axis, where an index says."""

    op_types = ("GatherElements",)
    shader = "gather/elements.glsl"

    def constants(self, call: Call) -> dict[str, Constant]:
        """Strides of the first input along the output's axes; 0 along the picked one."""
        axis, strides = call.axis(), list(strides_of(call.shape(0)))
        stride, strides[axis] = strides[axis], 0
        return {
            "RANK": len(strides),
            "SIZES": call.output_shape(),
            "STRIDES": tuple(strides),
            "AXIS_COUNT": call.shape(0)[axis],
            "AXIS_STRIDE": stride,
        }

    def index_reads(self, call: Call, element: int) -> NDArray[np.int64]:
        """The index at the same place."""
        return np.array([element], dtype=np.int64)

    def source(self, call: Call, element: int, indices: Array) -> int:
        """The same place but for the picked axis."""
        axis = call.axis()
        place = [int(i) for i in np.unravel_index(element, call.output_shape())]
        place[axis] = int(indices.ravel()[element]) % call.shape(0)[axis]
        return int(np.ravel_multi_index(place, call.shape(0)))


class GatherND(_Picked):
    """Slices picked by tuples of indices."""

    op_types = ("GatherND",)
    shader = "gather/nd.glsl"

    def constants(self, call: Call) -> dict[str, Constant]:
        """Sizes and strides of the picked axes; the elements of a slice; tuples and elements of a batch."""
        batch = int(call.attribute("batch_dims", 0))
        length = call.shape(1)[-1]
        shape = call.shape(0)
        return {
            "TUPLE_LENGTH": length,
            "SIZES": shape[batch : batch + length],
            "STRIDES": strides_of(shape)[batch : batch + length],
            "INNER_COUNT": int(np.prod(shape[batch + length :], dtype=np.int64)),
            "TUPLES_PER_BATCH": int(np.prod(call.shape(1)[batch:-1], dtype=np.int64)),
            "BATCH_COUNT": int(np.prod(shape[batch:], dtype=np.int64)),
        }

    def index_reads(self, call: Call, element: int) -> NDArray[np.int64]:
        """One tuple."""
        length = call.shape(1)[-1]
        inner = int(np.prod(call.shape(0)[int(call.attribute("batch_dims", 0)) + length :], dtype=np.int64))
        return np.arange(length, dtype=np.int64) + element // inner * length

    def source(self, call: Call, element: int, indices: Array) -> int:
        """The same place in the picked slice."""
        batch, shape = int(call.attribute("batch_dims", 0)), call.shape(0)
        length = call.shape(1)[-1]
        inner = int(np.prod(shape[batch + length :], dtype=np.int64))
        per_batch = int(np.prod(call.shape(1)[batch:-1], dtype=np.int64))
        from_ = element // inner // per_batch * int(np.prod(shape[batch:], dtype=np.int64)) + element % inner
        for axis, index in enumerate(indices.ravel()[self.index_reads(call, element)], start=batch):
            from_ += int(index) % shape[axis] * strides_of(shape)[axis]
        return from_


OPERATORS = (Gather(), GatherElements(), GatherND())
