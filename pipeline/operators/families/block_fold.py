"""BlockFold, of the program's own domain: largest, smallest or product of each block of each group of elements."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from pipeline.operators.base import Array, Call, Constant, Evaluation, Kernel, Operator
from pipeline.operators.reduction import viewed_axes
from pipeline.operators.rounding import gamma
from pipeline.oracle.own.block_fold import FOLDS, in_blocks


class BlockFold(Operator):
    """One element of each block of each group: its largest, its smallest, or the product of all."""

    op_types = ("BlockFold",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """One element walks one block."""
        assert call.attribute("fold") in FOLDS
        groups, block = viewed_axes(call), int(call.attribute("block"))
        constants: dict[str, Constant] = {"BLOCK": block, "BLOCKS": -(-groups.count // block), **groups.constants()}
        shaders = ("reduce/places.glsl", f"elementwise/{call.attribute('fold')}.glsl", "block_fold.glsl")
        return Kernel(shaders, {"X": call.node.inputs[0]}, MappingProxyType(constants), turns=block)

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """An extreme is exact and moves by its block's largest error; a product has γ over its factors."""
        x = np.asarray(evaluation.inputs[0], dtype=np.float64)
        fold, attributes = str(call.attribute("fold")), call.node.attributes
        error = evaluation.errors[0]
        shape = evaluation.output.shape
        if fold != "mul":
            return np.zeros(shape) if error is None else in_blocks(error, {**attributes, "fold": "max"}).reshape(shape)
        size = np.abs(np.asarray(evaluation.output, dtype=np.float64))
        bound = 2.0 * gamma(int(call.attribute("block")), evaluation.unit) * size
        if error is None:
            return np.asarray(bound)
        return np.asarray(bound + in_blocks(np.abs(x) + error, attributes).reshape(shape) - size)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """The block of the group."""
        return {0: viewed_axes(call).block_elements(element, int(call.attribute("block")))}


OPERATORS = (BlockFold(),)
