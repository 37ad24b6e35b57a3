"""BlockArg, of the program's own domain: where in each block of each group of elements the best one lies."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.operators.base import Array, Call, Constant, Evaluation, Kernel, Operator
from texelscope.pipeline.operators.facts import Rows
from texelscope.pipeline.operators.reduction import viewed_axes


class BlockArg(Operator):
    """The place of the best element of each block, or of the best among one candidate a block."""

    op_types = ("BlockArg",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """One element walks one block, or the candidates of one group."""
        groups, block = viewed_axes(call), int(call.attribute("block"))
        candidates = call.shape(1)[-1] if call.has(1) else 1
        constants: dict[str, Constant] = {
            "BLOCK": block,
            "BLOCKS": -(-groups.count // block),
            "CANDIDATES": candidates,
            "SIGN": float(call.attribute("sign")),
            "LAST": bool(call.attribute("last")),
            **groups.constants(),
        }
        reads: dict[str, str | tuple[str, ...]] = {"X": call.node.inputs[0]}
        if call.has(1):
            reads["C"] = call.node.inputs[1]
        turns = candidates if call.has(1) else block
        return Kernel(("reduce/places.glsl", "reduce/block_arg.glsl"), reads, MappingProxyType(constants), turns=turns)

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Exact; with errors of x, anywhere in the block among those that they let win."""
        error = evaluation.errors[0]
        if error is None:
            return np.zeros(evaluation.output.shape)
        groups, block = Rows(tuple(call.attribute("view")), tuple(call.attribute("axes"))), int(call.attribute("block"))
        x = float(call.attribute("sign")) * groups.of(np.asarray(evaluation.inputs[0], dtype=np.float64))
        reach = groups.of(error)
        starts = np.arange(0, x.shape[1], block)
        least = np.repeat(np.maximum.reduceat(x - reach, starts, axis=1), block, axis=1)[:, : x.shape[1]]
        chosen = np.repeat(np.asarray(evaluation.output).reshape(len(x), -1), block, axis=1)[:, : x.shape[1]]
        far = np.where(x + reach >= least, np.abs(np.arange(x.shape[1]) - chosen), 0.0)
        return np.asarray(np.maximum.reduceat(far, starts, axis=1).reshape(evaluation.output.shape))

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]] | None:
        """The block of the group; which elements candidates stand for is not known before the run."""
        if call.has(1):
            return None
        return {0: viewed_axes(call).block_elements(element, int(call.attribute("block")))}


OPERATORS = (BlockArg(),)
