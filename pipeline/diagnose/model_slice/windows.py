"""Converts nodes to window sums: convolutions, transposed ones, products, pools."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.diagnose.model_slice.window_sum import WindowSum
from texelscope.pipeline.graph import Graph, Node, Shape
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.operators.facts import WindowKind
from texelscope.pipeline.operators.families.convolution import window_of
from texelscope.pipeline.operators.families.registry import facts_of
from texelscope.pipeline.operators.windows import Window, window

Array = NDArray[Any]
Values = Sequence[Array | None]


def window_sum(node: Node, graph: Graph, inputs: Values) -> WindowSum | None:
    """Returns the window of a node over its input values; None for an operator, or a rank, without one."""
    kind = facts_of(node).window
    return None if kind is None else _MADE[kind](Call(node, graph), inputs)


def in_view(value: Array, shape: Shape) -> Array:
    """Returns a window's result [N, O, y, x] in the 4-d view of the output's shape (a product has [M, N, 1, 1])."""
    return value.reshape(as_nchw(shape))


def _conv(call: Call, inputs: Values) -> WindowSum | None:
    x, w = inputs[0], inputs[1]
    if x is None or w is None or x.ndim != 4:
        return None
    own, groups = window(call, w.shape[2:]), int(call.attribute("group", 1))
    outputs, per_group = w.shape[:2]
    return WindowSum(
        weights=w, bias=inputs[2] if len(inputs) > 2 else None, channels=_grouped(outputs, per_group, groups),
        kind="sum", source=x, groups=groups, **_geometry(call, own),
    )  # fmt: skip


def _geometry(call: Call, window: Window) -> dict[str, Any]:
    shape = call.output_shape()
    return {
        "node": call.node.name,
        "kernel": (window.kernel[0], window.kernel[1]),
        "stride": (window.stride[0], window.stride[1]),
        "dilation": (window.dilation[0], window.dilation[1]),
        "first": (-window.pad_before[0], -window.pad_before[1]),
        "size": (shape[2], shape[3]),
        "shape": shape,
    }


def _grouped(outputs: int, inputs: int, groups: int) -> NDArray[np.int64]:
    """Returns int [O, I]: the input channels of each output channel."""
    group = np.arange(outputs) // max(outputs // groups, 1)
    return np.asarray(group[:, None] * inputs + np.arange(inputs))


def _conv_transpose(call: Call, inputs: Values) -> WindowSum | None:
    x, w = inputs[0], inputs[1]
    if x is None or w is None or x.ndim != 4:
        return None
    window = window_of(call)  # its padding may follow from the output's shape
    groups = int(call.attribute("group", 1))
    per_input, per_output = w.shape[0] // groups, w.shape[1]
    turned = w.reshape(groups, per_input, per_output, *w.shape[2:]).transpose(0, 2, 1, 3, 4)[..., ::-1, ::-1]
    geometry = _geometry(call, window)
    first = [pad - (k - 1) * d for pad, k, d in zip(window.pad_before, w.shape[2:], window.dilation, strict=True)]
    geometry |= {"stride": (1, 1), "first": (first[0], first[1])}
    outputs = groups * per_output
    return WindowSum(
        kind="sum", source=x, weights=turned.reshape(outputs, per_input, *w.shape[2:]), groups=groups,
        bias=inputs[2] if len(inputs) > 2 else None, channels=_grouped(outputs, per_input, groups),
        inner=(window.stride[0] - 1, window.stride[1] - 1), **geometry,
    )  # fmt: skip


def _pool(kind: Literal["largest", "mean"]) -> Callable[[Call, Values], WindowSum | None]:
    def make(call: Call, inputs: Values) -> WindowSum | None:
        x = inputs[0]
        if x is None or x.ndim != 4:
            return None
        own = window(call, tuple(call.attribute("kernel_shape") or x.shape[2:]))
        return WindowSum(
            kind=kind, source=x, weights=None, bias=None, channels=np.arange(x.shape[1])[:, None], groups=x.shape[1],
            outside=-np.inf if kind == "largest" else 0.0,
            count="all" if call.attribute("count_include_pad", 0) else "inside", **_geometry(call, own),
        )  # fmt: skip

    return make


def _product(call: Call, inputs: Values) -> WindowSum | None:
    """Returns rows of A [M, K] times columns of B [K, N] as a 1x1 convolution of M pictures of one element."""
    a, b = inputs[0], inputs[1]
    if a is None or b is None or a.ndim != 2 or b.ndim != 2:
        return None
    a = a.T if call.attribute("transA", 0) else a
    b = b if call.attribute("transB", 0) else b.T
    bias = inputs[2] if len(inputs) > 2 else None
    outputs = b.shape[0]
    if bias is not None and bias.size not in (1, outputs):
        return None
    factor = np.float32(call.attribute("beta", 1.0))
    row = None if bias is None else np.broadcast_to(bias.reshape(-1), (outputs,)) * factor
    weights = b * np.float32(call.attribute("alpha", 1.0))
    return WindowSum(
        node=call.node.name, kind="sum", source=a[:, :, None, None], channels=_grouped(outputs, b.shape[1], 1),
        weights=weights[:, :, None, None], bias=row, kernel=(1, 1), stride=(1, 1), dilation=(1, 1), first=(0, 0),
        size=(1, 1), shape=call.output_shape(),
    )  # fmt: skip


_MADE: Mapping[WindowKind, Callable[[Call, Values], WindowSum | None]] = MappingProxyType(
    {
        "convolution": _conv,
        "transposed": _conv_transpose,
        "largest": _pool("largest"),
        "mean": _pool("mean"),
        "product": _product,
    }
)
