"""MaxUnpool: MaxPool's partial inverse, elements put back where its second output says that they were."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import Limits
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.operators.base import Array, Call, Constant, Evaluation, Kernel, Operator, Rewrite, turns_of
from texelscope.pipeline.operators.rounding import movement
from texelscope.pipeline.operators.windows import in_two_dimensions, spatial_shape


class MaxUnpool(Operator):
    """Elements put back to where they were largest in their window; zeros elsewhere."""

    op_types = ("MaxUnpool",)

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """One spatial axis is run as two."""
        plane = in_two_dimensions(call, planes=(0, 1))
        if plane is None or not call.has(2):
            return plane
        name = f"{call.node.name}/shape[2d]"
        n, c, length = call.output_shape()
        shape = np.array((n, c, 1, length), dtype=np.int64)
        nodes = tuple(
            dataclasses.replace(node, inputs=(*node.inputs[:2], name)) if node.op_type == "MaxUnpool" else node
            for node in plane.nodes
        )
        return Rewrite(nodes, plane.tensors, MappingProxyType({**plane.constants, name: shape}))

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """One element asks the windows that it lies in."""
        spatial = spatial_shape(call)
        rank = len(spatial)
        strides = tuple(call.attribute("strides") or (1,) * rank)
        pads = tuple(call.attribute("pads") or (0,) * (2 * rank))
        constants: dict[str, Constant] = {
            "SOLID": rank == 3,
            "KERNEL": _three(tuple(call.attribute("kernel_shape")), 1),
            "STRIDES": _three(strides, 1),
            "PADS": _three(pads[:rank], 0),
            "UNPOOLED": _three(_unpooled(call, strides, pads), 1),
        }
        reads = {"X": call.node.inputs[0], "I": call.node.inputs[1]}
        windows = zip(call.attribute("kernel_shape"), strides, strict=True)
        turns = turns_of(*(size // stride + 1 for size, stride in windows))
        return Kernel(("max_unpool.glsl",), reads, MappingProxyType(constants), turns=turns)

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Exact."""
        return movement(evaluation)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]] | None:
        """Not known before the run: the indices say it."""
        return None


def _unpooled(call: Call, strides: Shape, pads: Shape) -> Shape:
    """The spatial shape in which the indices count: that which the windows cover, whatever the output's is."""
    kernel, rank = call.attribute("kernel_shape"), len(strides)
    return tuple(
        (size - 1) * strides[i] - pads[i] - pads[rank + i] + kernel[i] for i, size in enumerate(call.shape(0)[2:])
    )


def _three(values: Shape, neutral: int) -> Shape:
    return (neutral,) * (3 - len(values)) + values


OPERATORS = (MaxUnpool(),)
