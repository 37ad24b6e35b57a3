"""Implements normalisations by statistics of the input: passes for the mean, for the variance, and to normalise.

BatchNormalization for inference has given statistics; training uses those of the batch.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.graph import Shape, TensorInfo
from texelscope.pipeline.operators.base import Array, Call, Composite, Evaluation, Kernel, Operator, Rewrite
from texelscope.pipeline.operators.facts import Facts
from texelscope.pipeline.operators.group_statistics import ElementGroups, add_mean, add_variance
from texelscope.pipeline.operators.rewriting import Passes
from texelscope.pipeline.operators.rounding import SMALLEST_NORMAL, pointwise

# Roundings of the factor and what it multiplies: x − mean, var + ε (half of it), √ (4.5 ulp), / (2.5 ulp), ·.
FACTOR_ROUNDINGS = 18.0


class BatchNormalization(Operator):
    """Shifts and scales every channel by its statistics."""

    op_types = ("BatchNormalization",)
    facts = Facts(by_channel=True, addend=2, neutral=(0.0, 1.0, 0.0, 0.0, 1.0))

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """Uses the batch's statistics in training mode, in separate passes."""
        return (
            None if is_inference(call) or _extent(call)[0] != math.prod(call.shape(0)[2:]) else batch_statistics(call)
        )

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads each input once. Raises UnsupportedError for training by statistics of every element."""
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
        """Bounds the roundings of (x − mean) · factor relative to it, and of the sum with the bias relative to both."""
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
        """Returns the same element and its channel's parameters."""
        inner, parameters = _extent(call)
        channel = np.array([element // inner % parameters], dtype=np.int64)
        return {0: np.array([element], dtype=np.int64), 1: channel, 2: channel, 3: channel, 4: channel}

    def undo(self, call: Call, inputs: Sequence[Array | None], position: int, y: Array) -> Array | None:
        """Returns the picture, for given statistics."""
        if position or not is_inference(call):
            return None
        inner, parameters = _extent(call)
        place = (np.arange(np.size(y)) // inner % parameters).reshape(np.shape(y))
        scale, bias, mean, variance = (np.asarray(v, dtype=np.float64).reshape(-1)[place] for v in inputs[1:5])
        factor = scale / np.sqrt(variance + float(call.attribute("epsilon", 1e-5)))
        return np.asarray((y - bias) / factor + mean)


def is_inference(call: Call) -> bool:
    """Reports whether the node uses given statistics; how a node says so depends on the opset."""
    if call.node.opset >= 14:
        return not call.attribute("training_mode", 0)
    if call.node.opset >= 7:
        return sum(bool(name) for name in call.node.outputs) == 1
    return bool(call.attribute("is_test", 0))


def _extent(call: Call) -> tuple[int, int]:
    """Returns elements that share a parameter, and number of parameters: per channel, or before opset 9 per element."""
    shape = call.shape(0)
    if call.node.opset < 9 and call.attribute("spatial", 1) == 0:
        return 1, math.prod(shape[1:])
    return math.prod(shape[2:]), shape[1] if len(shape) > 1 else 1


class InstanceNormalization(Composite):
    """Normalises every channel of every instance by its own mean and variance."""

    op_types = ("InstanceNormalization",)
    facts = Facts(addend=2)

    def passes(self, call: Call) -> Rewrite:
        """Groups by the spatial axes."""
        n, c, *spatial = call.shape(0)
        view = (n, c, math.prod(spatial))
        return _centred(call, view, (2,), parameters=(1, c, 1))


class GroupNormalization(Composite):
    """Normalises groups of channels by their own mean and variance."""

    op_types = ("GroupNormalization",)
    facts = Facts(addend=2)

    def passes(self, call: Call) -> Rewrite:
        """Uses parameters per group in opset 18 and per channel since 21."""
        n, c, *spatial = call.shape(0)
        groups = int(call.attribute("num_groups"))
        view = (n, groups, c // groups, math.prod(spatial))
        per_channel = call.shape(1) == (c,) and call.node.opset >= 21
        parameters = (1, groups, c // groups if per_channel else 1, 1)
        return _centred(call, view, (2, 3), parameters=parameters)


class LayerNormalization(Composite):
    """Normalises the axes from one on by their own mean and variance."""

    op_types = ("LayerNormalization",)
    facts = Facts(addend=2)

    def passes(self, call: Call) -> Rewrite:
        """Adds mean and 1 / √(variance + ε) as outputs too, if wanted."""
        shape, axis = call.shape(0), call.axis(default=-1)
        passes = Passes(call.node.name)
        groups = ElementGroups(call.node.inputs[0], shape, tuple(range(axis, len(shape))))
        outputs = (*call.node.outputs, "", "")
        kept = (*shape[:axis], *(1,) * (len(shape) - axis))
        mean = add_mean(passes, groups, TensorInfo(outputs[1] or f"{call.node.name}/mean", kept))
        variance = add_variance(passes, groups, TensorInfo(f"{call.node.name}/variance", kept), mean)
        _add_normalise(passes, call, groups, (mean, variance), parameters=_aligned(call, 1))
        if outputs[2]:
            epsilon = passes.constant("epsilon", np.array(call.attribute("epsilon", 1e-5), dtype=np.float32))
            shifted = passes.add_onnx("Add", (variance, epsilon), TensorInfo(f"{call.node.name}/shifted", kept))
            root = passes.add_onnx("Sqrt", (shifted,), TensorInfo(f"{call.node.name}/deviation", kept))
            passes.add_onnx("Reciprocal", (root,), call.output_info(2))
        return passes.rewrite()


class RMSNormalization(Composite):
    """Normalises the axes from one on by the root of their mean square."""

    op_types = ("RMSNormalization",)

    def passes(self, call: Call) -> Rewrite:
        """Subtracts no mean."""
        shape, axis = call.shape(0), call.axis(default=-1)
        passes = Passes(call.node.name)
        groups = ElementGroups(call.node.inputs[0], shape, tuple(range(axis, len(shape))))
        kept = (*shape[:axis], *(1,) * (len(shape) - axis))
        square = add_variance(passes, groups, TensorInfo(f"{call.node.name}/square", kept))
        _add_normalise(passes, call, groups, ("", square), parameters=_aligned(call, 1))
        return passes.rewrite()


class MeanVarianceNormalization(Composite):
    """Normalises any axes by their own mean and deviation."""

    op_types = ("MeanVarianceNormalization",)

    def passes(self, call: Call) -> Rewrite:
        """Adds 1e-9 to the deviation, as ONNX does, not to the variance."""
        shape, stated = call.shape(0), tuple(call.attribute("axes") or (0, 2, 3))
        rank = len(shape)
        axes = tuple(sorted({axis % rank for axis in stated if -rank <= axis < rank}))
        if len(axes) < len(stated):
            raise UnsupportedError(
                call.who,
                f"axes of a tensor of rank {rank}, each once",
                str(list(stated)),
                "Correct the attribute axes.",
            )
        return _centred(call, shape, axes, outside=True, epsilon=1e-9)


class LpNormalization(Composite):
    """Normalises one axis by its sum of absolute values or by the root of its sum of squares."""

    op_types = ("LpNormalization",)

    def passes(self, call: Call) -> Rewrite:
        """Divides by 1 instead of a norm of 0, which leaves zeros."""
        axis, p = call.axis(default=-1), int(call.attribute("p", 2))
        if p not in (1, 2):
            raise UnsupportedError(call.who, "p of 1 or 2", str(p), "Use Abs, Pow and ReduceSum.")
        name, x = call.node.name, call.node.inputs[0]
        kept = tuple(1 if i == axis else size for i, size in enumerate(call.shape(0)))
        passes = Passes(name)
        axes = passes.constant("axes", np.array([axis], dtype=np.int64))
        reduce = "ReduceL1" if p == 1 else "ReduceL2"
        norm = passes.add_onnx(reduce, (x, axes), TensorInfo(f"{name}/norm", kept), keepdims=1)
        zero = passes.constant("zero", np.zeros((), dtype=np.float32))
        one = passes.constant("one", np.ones((), dtype=np.float32))
        empty = passes.add_onnx("Equal", (norm, zero), TensorInfo(f"{name}/empty", kept, "bool"))
        safe = passes.add_onnx("Where", (empty, one, norm), TensorInfo(f"{name}/divisor", kept))
        passes.add_onnx("Div", (x, safe), call.output_info())
        return passes.rewrite()


def batch_statistics(call: Call) -> Rewrite:
    """Writes BatchNormalization in training mode: by the batch's statistics, which are mixed into the running ones.

    Before opset 14 the batch's own are outputs too, the fourth and fifth.
    """
    name, shape = call.node.name, call.shape(0)
    view = (shape[0], shape[1], math.prod(shape[2:]))
    passes = Passes(name)
    groups = ElementGroups(call.node.inputs[0], view, (0, 2))
    channels = (shape[1],)
    # A training export names all statistics, whether they are used or not.
    read = {name for node in call.graph.nodes for name in node.inputs} | set(call.graph.outputs)
    outputs = tuple(output if output in read else "" for output in (*call.node.outputs, *("",) * 5))
    mean = add_mean(passes, groups, TensorInfo(outputs[3] or f"{name}/mean", channels))
    variance = add_variance(passes, groups, TensorInfo(outputs[4] or f"{name}/variance", channels), mean)
    _add_normalise(passes, call, groups, (mean, variance), parameters=(1, shape[1], 1))
    momentum = float(call.attribute("momentum", 0.9))
    keep = passes.constant("momentum", np.array(momentum, dtype=np.float32))
    take = passes.constant("rest", np.array(1.0 - momentum, dtype=np.float32))
    for position, (old, new) in enumerate(zip(call.node.inputs[3:5], (mean, variance), strict=True), start=1):
        if outputs[position]:
            kept = passes.add_onnx("Mul", (old, keep), TensorInfo(f"{new}/kept", channels))
            taken = passes.add_onnx("Mul", (new, take), TensorInfo(f"{new}/taken", channels))
            passes.add_onnx("Add", (kept, taken), call.output_info(position))
    return passes.rewrite()


def _centred(
    call: Call, view: Shape, axes: tuple[int, ...], parameters: Shape = (), **options: float | bool
) -> Rewrite:
    """Adds mean, variance and the normalising pass for groups along `axes` of the input seen as `view`."""
    name = call.node.name
    passes = Passes(name)
    groups = ElementGroups(call.node.inputs[0], view, axes)
    mean = add_mean(passes, groups, TensorInfo(f"{name}/mean", (groups.count,)))
    variance = add_variance(passes, groups, TensorInfo(f"{name}/variance", (groups.count,)), mean)
    _add_normalise(passes, call, groups, (mean, variance), parameters=parameters, **options)
    return passes.rewrite()


def _add_normalise(
    passes: Passes,
    call: Call,
    groups: ElementGroups,
    statistics: tuple[str, str],
    *,
    parameters: Shape = (),
    **options: float | bool,
) -> None:
    """Adds the last pass; `parameters` is the shape in which the node's second and third input match the view."""
    epsilon = float(options.get("epsilon", call.attribute("epsilon", 1e-5)))
    attributes: Mapping[str, Any] = {
        "view": groups.view,
        "axes": groups.axes,
        "parameters": parameters or (1,) * len(groups.view),
        "epsilon": epsilon,
        "outside": bool(options.get("outside", False)),
    }
    inputs = (groups.x, *statistics, *call.node.inputs[1:3])
    output = call.output_info()
    if not call.has(2) or call.shape(1) == call.shape(2):
        passes.add("Normalise", inputs, output, **attributes)
        return
    scaled = passes.add("Normalise", inputs[:4], TensorInfo(f"{call.node.name}/scaled", output.shape), **attributes)
    passes.add_onnx("Add", (scaled, call.node.inputs[2]), output)


def _aligned(call: Call, position: int) -> Shape:
    """Returns the shape of a parameter with as many axes as the first input."""
    shape = call.shape(position)
    return (1,) * (len(call.shape(0)) - len(shape)) + shape


OPERATORS = (
    BatchNormalization(),
    InstanceNormalization(),
    GroupNormalization(),
    LayerNormalization(),
    RMSNormalization(),
    MeanVarianceNormalization(),
    LpNormalization(),
)
