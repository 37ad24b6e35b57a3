"""BlockFold, of the program's own domain: largest, smallest or product of each block of each group of elements."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.operators.base import Array, Call, Constant, Evaluation, Kernel, Operator
from texelscope.pipeline.operators.facts import Rows
from texelscope.pipeline.operators.reduction import viewed_axes
from texelscope.pipeline.operators.rounding import gamma

_FOLDS = ("max", "min", "mul")


class BlockFold(Operator):
    """One element of each block of each group: its largest, its smallest, or the product of all."""

    op_types = ("BlockFold",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """One element walks one block."""
        assert call.attribute("fold") in _FOLDS
        groups, block = viewed_axes(call), int(call.attribute("block"))
        constants: dict[str, Constant] = {"BLOCK": block, "BLOCKS": -(-groups.count // block), **groups.constants()}
        shaders = ("reduce/places.glsl", f"elementwise/{call.attribute('fold')}.glsl", "block_fold.glsl")
        return Kernel(shaders, {"X": call.node.inputs[0]}, MappingProxyType(constants), turns=block)

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """An extreme is exact and moves by its block's largest error; a product has γ over its factors."""
        error = evaluation.errors[0]
        shape = evaluation.output.shape
        if call.attribute("fold") != "mul":
            return np.zeros(shape) if error is None else _over_blocks(call, np.maximum, error).reshape(shape)
        size = np.abs(np.asarray(evaluation.output, dtype=np.float64))
        bound = 2.0 * gamma(int(call.attribute("block")), evaluation.unit) * size
        if error is None:
            return np.asarray(bound)
        reach = np.abs(np.asarray(evaluation.inputs[0], dtype=np.float64)) + error
        return np.asarray(bound + _over_blocks(call, np.multiply, reach).reshape(shape) - size)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """The block of the group."""
        return {0: viewed_axes(call).block_elements(element, int(call.attribute("block")))}


def _over_blocks(call: Call, join: np.ufunc, values: Array) -> NDArray[np.float64]:
    """[groups, blocks]: what each block of each group comes to."""
    groups = Rows(tuple(call.attribute("view")), tuple(call.attribute("axes"))).of(values)
    block = int(call.attribute("block"))
    parts = [groups[:, start : start + block] for start in range(0, groups.shape[1], block)]
    return np.stack([join.reduce(part, axis=1, dtype=np.float64) for part in parts], axis=1)


OPERATORS = (BlockFold(),)
