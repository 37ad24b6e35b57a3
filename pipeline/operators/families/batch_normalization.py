"""BatchNormalization at inference, with statistics that were gathered before; training takes those of the batch."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.operators.base import Array, Call, Evaluation, Kernel, Operator, Rewrite
from texelscope.pipeline.operators.facts import Facts
from texelscope.pipeline.operators.families.normalization import batch_statistics
from texelscope.pipeline.operators.rounding import SMALLEST_NORMAL, pointwise

# Roundings of the factor and what it multiplies: x − mean, var + ε (half of it), √ (4.5 ulp), / (2.5 ulp), ·.
FACTOR_ROUNDINGS = 18.0


class BatchNormalization(Operator):
    """Shifts and scales every channel by its statistics."""

    op_types = ("BatchNormalization",)
    facts = Facts(by_channel=True, addend=2, neutral=(0.0, 1.0, 0.0, 0.0, 1.0))

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """In training mode the statistics are those of the batch, and take passes of their own."""
        return (
            None if is_inference(call) or _extent(call)[0] != math.prod(call.shape(0)[2:]) else batch_statistics(call)
        )

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """One read of each input. Raises UnsupportedError for training by statistics of every element."""
        if not is_inference(call):
            raise UnsupportedError(
                call.who, "statistics of channels in training", "spatial of 0", "Export the model for inference."
            )
        names = ("X", "SCALE", "BIAS", "MEAN", "VARIANCE")
        inner, parameters = _extent(call)
        constants = {
            "INNER_COUNT": inner,
            "PARAMETER_COUNT": parameters,
            "EPSILON": float(call.attribute("epsilon", 1e-5)),
        }
        reads = dict(zip(names, call.node.inputs, strict=True))
        by_channel = parameters == as_nchw(call.shape(0))[1]
        return Kernel(("batch_normalization.glsl",), reads, MappingProxyType(constants), may_be_hot=by_channel)

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Roundings of (x − mean) · factor relative to it, and of the sum with the bias relative to both."""
        x, scale, bias, mean, variance = (np.asarray(v, dtype=np.float64) for v in evaluation.inputs)
        inner, parameters = _extent(call)

        def spread(parameter: Array) -> NDArray[np.float64]:
            place = np.arange(evaluation.output.size) // inner % parameters
            return np.asarray(parameter.reshape(-1)[place].reshape(evaluation.output.shape), dtype=np.float64)

        factor = scale / np.sqrt(variance + float(call.attribute("epsilon", 1e-5)))
        product = np.abs((x - spread(mean)) * spread(factor))
        own = evaluation.unit * ((FACTOR_ROUNDINGS + 1.0) * product + np.abs(spread(bias))) + 4.0 * SMALLEST_NORMAL
        return pointwise(evaluation, own)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """The same element and its channel's parameters."""
        inner, parameters = _extent(call)
        channel = np.array([element // inner % parameters], dtype=np.int64)
        return {0: np.array([element], dtype=np.int64), 1: channel, 2: channel, 3: channel, 4: channel}

    def undo(self, call: Call, inputs: Sequence[Array | None], position: int, y: Array) -> Array | None:
        """The picture, of statistics that were given."""
        if position or not is_inference(call):
            return None
        inner, parameters = _extent(call)
        place = (np.arange(np.size(y)) // inner % parameters).reshape(np.shape(y))
        scale, bias, mean, variance = (np.asarray(v, dtype=np.float64).reshape(-1)[place] for v in inputs[1:5])
        factor = scale / np.sqrt(variance + float(call.attribute("epsilon", 1e-5)))
        return np.asarray((y - bias) / factor + mean)


def is_inference(call: Call) -> bool:
    """Whether the node uses the statistics that it is given; how a node says so depends on the opset."""
    if call.node.opset >= 14:
        return not call.attribute("training_mode", 0)
    if call.node.opset >= 7:
        return sum(bool(name) for name in call.node.outputs) == 1
    return bool(call.attribute("is_test", 0))


def _extent(call: Call) -> tuple[int, int]:
    """Elements that share a parameter, and number of parameters: one a channel, or before opset 9 one an element."""
    shape = call.shape(0)
    if call.node.opset < 9 and call.attribute("spatial", 1) == 0:
        return 1, math.prod(shape[1:])
    return math.prod(shape[2:]), shape[1] if len(shape) > 1 else 1


OPERATORS = (BatchNormalization(),)
