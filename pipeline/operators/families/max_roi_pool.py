"""MaxRoiPool: regions of a picture pooled to a grid of cells."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.operators.base import Array, Call, Evaluation, Kernel, Operator, turns_of
from texelscope.pipeline.operators.rounding import movement


class MaxRoiPool(Operator):
    """The largest element of each cell of each region."""

    op_types = ("MaxRoiPool",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """One element walks its cell, whose bounds are whole numbers."""
        constants = {"SPATIAL_SCALE": float(call.attribute("spatial_scale", 1.0))}
        reads = {"X": call.node.inputs[0], "R": call.node.inputs[1]}
        turns = turns_of(*cell_of_picture(call))
        return Kernel(("max_roi_pool.glsl",), reads, MappingProxyType(constants), turns=turns)

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Exact: the largest error of the cell is as far as its largest element can move."""
        x_error = evaluation.errors[0]
        if x_error is None:
            return np.zeros(evaluation.output.shape)
        alone = Evaluation(
            evaluation.inputs, (x_error, None), evaluation.output,
            lambda values: evaluation.run([values[0], evaluation.inputs[1]]), evaluation.unit,
        )  # fmt: skip
        return movement(alone)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]] | None:
        """Not known before the run: the regions say it."""
        return None


def cell_of_picture(call: Call) -> tuple[int, int]:
    """Rows and columns of a cell, at most, of a region as large as the picture."""
    pairs = zip(call.shape(0)[2:], call.output_shape()[2:], strict=True)
    height, width = (-(-size // cells) + 1 for size, cells in pairs)
    return height, width


OPERATORS = (MaxRoiPool(),)
