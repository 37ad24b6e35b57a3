"""Normalisations by statistics of the input itself: a pass for the mean, one for the variance, one that normalises."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.graph import Shape, TensorInfo
from texelscope.pipeline.operators.base import Call, Composite, Rewrite
from texelscope.pipeline.operators.facts import Facts
from texelscope.pipeline.operators.group_statistics import ElementGroups, add_mean, add_variance
from texelscope.pipeline.operators.rewriting import Passes


class InstanceNormalization(Composite):
    """Every channel of every instance by its own mean and variance."""

    op_types = ("InstanceNormalization",)
    facts = Facts(addend=2)

    def passes(self, call: Call) -> Rewrite:
        """Groups are the spatial axes."""
        n, c, *spatial = call.shape(0)
        view = (n, c, math.prod(spatial))
        return _centred(call, view, (2,), parameters=(1, c, 1))


class GroupNormalization(Composite):
    """Groups of channels by their own mean and variance."""

    op_types = ("GroupNormalization",)
    facts = Facts(addend=2)

    def passes(self, call: Call) -> Rewrite:
        """Parameters are one a group in opset 18 and one a channel since 21."""
        n, c, *spatial = call.shape(0)
        groups = int(call.attribute("num_groups"))
        view = (n, groups, c // groups, math.prod(spatial))
        per_channel = call.shape(1) == (c,) and call.node.opset >= 21
        parameters = (1, groups, c // groups if per_channel else 1, 1)
        return _centred(call, view, (2, 3), parameters=parameters)


class LayerNormalization(Composite):
    """The axes from one on by their own mean and variance."""

    op_types = ("LayerNormalization",)
    facts = Facts(addend=2)

    def passes(self, call: Call) -> Rewrite:
        """Mean and 1 / √(variance + ε) are outputs too, if they are asked for."""
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
    """The axes from one on by the root of their mean square."""

    op_types = ("RMSNormalization",)

    def passes(self, call: Call) -> Rewrite:
        """No mean is taken away."""
        shape, axis = call.shape(0), call.axis(default=-1)
        passes = Passes(call.node.name)
        groups = ElementGroups(call.node.inputs[0], shape, tuple(range(axis, len(shape))))
        kept = (*shape[:axis], *(1,) * (len(shape) - axis))
        square = add_variance(passes, groups, TensorInfo(f"{call.node.name}/square", kept))
        _add_normalise(passes, call, groups, ("", square), parameters=_aligned(call, 1))
        return passes.rewrite()


class MeanVarianceNormalization(Composite):
    """Any axes by their own mean and deviation."""

    op_types = ("MeanVarianceNormalization",)

    def passes(self, call: Call) -> Rewrite:
        """ONNX adds 1e-9 to the deviation, not to the variance."""
        shape = call.shape(0)
        axes = tuple(sorted(axis % len(shape) for axis in call.attribute("axes") or (0, 2, 3)))
        return _centred(call, shape, axes, outside=True, epsilon=1e-9)


class LpNormalization(Composite):
    """One axis by its sum of absolute values or by the root of its sum of squares."""

    op_types = ("LpNormalization",)

    def passes(self, call: Call) -> Rewrite:
        """A norm of 0 leaves zeros: the division by it is by 1 instead."""
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
    """BatchNormalization in training mode: by the statistics of the batch, which are mixed into the running ones.

    Before opset 14 the batch's own are outputs too, the fourth and fifth.
    """
    name, shape = call.node.name, call.shape(0)
    view = (shape[0], shape[1], math.prod(shape[2:]))
    passes = Passes(name)
    groups = ElementGroups(call.node.inputs[0], view, (0, 2))
    channels = (shape[1],)
    # A training export names all statistics, whether or not somebody reads them.
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
    """Mean, variance and the normalising pass for groups along `axes` of the input seen as `view`."""
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
    """The last pass; `parameters` is the shape in which the node's second and third input meet the view."""
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
    """The shape of a parameter with as many axes as the first input."""
    shape = call.shape(position)
    return (1,) * (len(call.shape(0)) - len(shape)) + shape


OPERATORS = (
    InstanceNormalization(),
    GroupNormalization(),
    LayerNormalization(),
    RMSNormalization(),
    MeanVarianceNormalization(),
    LpNormalization(),
)
