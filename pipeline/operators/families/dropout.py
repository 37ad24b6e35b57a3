"""Dropout at inference: the input as it is, and a mask of ones."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.operators.affine import same_order
from texelscope.pipeline.operators.base import Array, Call, Evaluation, Kernel, Operator, Rewrite
from texelscope.pipeline.operators.facts import Facts
from texelscope.pipeline.operators.rounding import movement


class Dropout(Operator):
    """The input as it is: nothing is dropped outside training."""

    op_types = ("Dropout",)
    facts = Facts(pointwise=True, operands=1, moves=True, keeps_order=True)

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """The mask is known before the run."""
        if len(call.node.outputs) < 2 or not call.node.outputs[1] or not _is_inference(call):
            return None
        mask = call.output_info(1)
        alone = dataclasses.replace(call.node, outputs=call.node.outputs[:1])
        return Rewrite((alone,), constants=MappingProxyType({mask.name: np.ones(mask.shape, dtype=mask.dtype)}))

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """One read an element. Raises UnsupportedError for training, which draws random numbers."""
        if not _is_inference(call):
            raise UnsupportedError(call.who, "inference", "training mode", "Export the model for inference.")
        constants = same_order(call.output_shape()).simplified().constants()
        return Kernel(("affine.glsl",), {"X": call.node.inputs[0]}, MappingProxyType(constants))

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Exact."""
        return movement(evaluation)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """The same element."""
        return {0: np.array([element], dtype=np.int64)}

    def undo(self, call: Call, inputs: Sequence[Array | None], position: int, y: Array) -> Array | None:
        """The same."""
        return y


def _is_inference(call: Call) -> bool:
    """Whether nothing is dropped. Before opset 7 a node does not say so reliably, and nothing here trains."""
    if call.node.opset < 12 or not call.has(2):
        return True
    training = call.constant(2)
    ratio = call.constant(1) if call.has(1) else np.float32(0.5)
    return training is not None and (not training.any() or (ratio is not None and not np.any(ratio)))


OPERATORS = (Dropout(),)
