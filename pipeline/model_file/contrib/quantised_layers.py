"""Expands layers of eight-bit codes: convolutions and pools, perhaps with channels in the last axis, and an LSTM."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from texelscope.pipeline.graph import Shape
from texelscope.pipeline.model_file.contrib.channels import first, last
from texelscope.pipeline.model_file.contrib.quantised import codes, real
from texelscope.pipeline.model_file.contrib.writer import Write, Writer

_OF_CONV = ("auto_pad", "dilations", "group", "kernel_shape", "pads", "strides")
_OF_AVERAGE_POOL = ("auto_pad", "ceil_mode", "count_include_pad", "kernel_shape", "pads", "strides")
_OF_MAX_POOL = ("auto_pad", "ceil_mode", "dilations", "kernel_shape", "pads", "strides")
# Longer sequences give more passes than anybody inspects.
MAX_STEPS = 256
_FLOAT = 1  # TensorProto.FLOAT
_X, _W, _R, _B, _LENGTHS, _H, _C, _P, _W_SCALE, _W_ZERO, _R_SCALE, _R_ZERO = range(12)


def qlinear_conv(node: Writer) -> None:
    """Expands QLinearConv of com.microsoft: as ONNX's, also for channels in the last axis.

    Takes ONNX's inputs; with `channels_last` x is [N, spatial…, C], the weights are unchanged.
    """
    x, rank, turned = node.x(0), node.given(0).rank, bool(node.attribute("channels_last", 0))
    others = [node.x(position) for position in range(1, 9) if node.has(position)]
    said = {name: node.attribute(name, None) for name in _OF_CONV}
    y = node.add("QLinearConv", first(node, x, rank) if turned else x, *others, **said)
    node.result(0, last(node, y, rank) if turned else y)


def qlinear_average_pool(node: Writer) -> None:
    """Expands QLinearAveragePool: an average pool of a quantised tensor, quantised.

    Takes X with scale and zero point, then those of Y; with `channels_last` [N, spatial…, C].
    """
    x, rank, turned = real(node, 0, 1, 2), node.given(0).rank, bool(node.attribute("channels_last", 0))
    said = {name: node.attribute(name, None) for name in _OF_AVERAGE_POOL}
    mean = node.add("AveragePool", first(node, x, rank) if turned else x, label="mean", **said)
    node.result(0, codes(node, last(node, mean, rank) if turned else mean, 3, 4, node.given(0).dtype))


def qlinear_global_average_pool(node: Writer) -> None:
    """Expands QLinearGlobalAveragePool: the mean of each channel of a quantised tensor, quantised.

    Takes X with scale and zero point, then those of Y; with `channels_last` [N, spatial…, C].
    """
    x, rank, turned = real(node, 0, 1, 2), node.given(0).rank, bool(node.attribute("channels_last", 0))
    mean = node.add("GlobalAveragePool", first(node, x, rank) if turned else x, label="mean")
    node.result(0, codes(node, last(node, mean, rank) if turned else mean, 3, 4, node.given(0).dtype))


def nhwc_max_pool(node: Writer) -> None:
    """Expands NhwcMaxPool: a maximum pool of eight-bit codes with channels in the last axis. Takes X [N, …, C]."""
    rank = node.given(0).rank
    said = {name: node.attribute(name, None) for name in _OF_MAX_POOL}
    node.result(0, last(node, node.add("MaxPool", first(node, node.x(0), rank), **said), rank))


def dynamic_quantize_lstm(node: Writer) -> None:
    """Expands DynamicQuantizeLSTM: an LSTM with quantised weights; operands are quantised by their own range, per step.

    Takes X [n, b, i], codes W [d, i, 4h] and R [d, h, 4h], B [d, 8h] → Y [n, d, b, h], Y_h and Y_c [d, b, h].

    Gates are in the order input, output, forget, cell. X is quantised as a whole, the state anew in every step. Raises
    UnsupportedError for lengths of sequences, peepholes, other activations, and too many steps.
    """
    (n, b, i), (directions, _, wide) = node.given(_X).shape, node.given(_W).shape
    h = wide // 4
    _check(node, n)
    made: list[list[str]] = []
    last: list[tuple[str, str]] = []
    for d in range(directions):
        shares = _product(node, node.reshape(node.x(_X), n * b, i), d, _W, (i, wide))
        if node.has(_B):
            both = _of(node, _B, d, (2, wide))
            shares = node.add("Add", shares, node.add("ReduceSum", both, node.whole(0, label="axes"), keepdims=0))
        shares = node.reshape(shares, n, b, wide)
        state = _first(node, _H, d, (b, h)), _first(node, _C, d, (b, h))
        states = [""] * n
        backward = d == 1 or node.attribute("direction", "forward") == "reverse"
        for t in reversed(range(n)) if backward else range(n):
            share = node.reshape(
                node.add("Gather", shares, node.whole(t, label="step"), axis=0), b, wide, label=f"{t}/share"
            )
            sums = node.add("Add", share, _product(node, state[0], d, _R, (h, wide)), label=f"{t}/sums")
            state = _step(node, sums, state[1])
            states[t] = state[0]
        made.append(states)
        last.append(state)
    node.result(0, _joined(node, [_joined(node, at, (1, 1, b, h), 1) for at in zip(*made, strict=True)], (), 0))
    for position, ends in enumerate(zip(*last, strict=True), 1):
        node.result(position, _joined(node, ends, (1, b, h), 0))


def _check(node: Writer, steps: int) -> None:
    for position, what in ((_LENGTHS, "sequence lengths"), (_P, "peepholes")):
        if node.has(position):
            raise node.refusal("sequences of one length, without peepholes", what)
    for name in ("activations", "clip", "input_forget", "layout"):
        said = node.attribute(name, None)
        if said and tuple(said if isinstance(said, tuple) else ()) not in (
            ("Sigmoid", "Tanh", "Tanh") * k for k in (1, 2)
        ):
            raise node.refusal("an LSTM of sigmoids and hyperbolic tangents", f"{name} = {said}")
    if steps > MAX_STEPS:
        raise node.refusal(f"at most {MAX_STEPS} steps", str(steps), "Use a smaller --shape.")


def _of(node: Writer, position: int, direction: int, shape: Shape) -> str:
    """Returns the input's part for a direction, in a shape; whole numbers stay whole."""
    return node.reshape(node.add("Gather", node.x(position), node.whole(direction, label="direction"), axis=0), *shape)


def _first(node: Writer, position: int, direction: int, shape: Shape) -> str:
    if node.has(position):
        return _of(node, position, direction, shape)
    return node.add("ConstantOfShape", node.whole(*shape))


def _product(node: Writer, x: str, direction: int, weights: int, shape: Shape) -> str:
    """Multiplies rows of real numbers, quantised together, by a matrix of codes, to real numbers."""
    codes, scale, zero = node.add_several("DynamicQuantizeLinear", x, labels=("codes", "scale", "zero"))
    shifted = node.add("Sub", *(node.add("Cast", each, to=_FLOAT) for each in (codes, zero)), label="codes/shifted")
    matrix = node.add("Cast", _of(node, weights, direction, shape), to=_FLOAT)
    scales, zeros = (_W_SCALE, _W_ZERO) if weights == _W else (_R_SCALE, _R_ZERO)
    if node.has(zeros):
        matrix = node.add("Sub", matrix, node.add("Cast", _of(node, zeros, direction, (-1,)), to=_FLOAT))
    together = node.add("Mul", scale, _of(node, scales, direction, (-1,)), label="scales")
    return node.add("Mul", node.add("MatMul", shifted, matrix, label="product"), together, label="scaled")


def _step(node: Writer, sums: str, cell: str) -> tuple[str, str]:
    """Returns the state and the cell after a step: c = f·c + i·g, h = o·tanh c."""
    given, output, forget, new = node.add_several("Split", sums, labels=("i", "o", "f", "g"), axis=1, num_outputs=4)
    opened = [node.add("Sigmoid", gate) for gate in (given, output, forget)]
    kept = node.add("Mul", opened[2], cell, label="kept")
    cell = node.add("Add", kept, node.add("Mul", opened[0], node.add("Tanh", new)), label="cell")
    return node.add("Mul", opened[1], node.add("Tanh", cell), label="state"), cell


def _joined(node: Writer, tensors: Sequence[str], shape: Shape, axis: int) -> str:
    parts = [node.reshape(each, *shape) for each in tensors] if shape else tensors
    return node.add("Concat", *parts, axis=axis)


OPERATORS: Mapping[str, Write] = {
    "QLinearConv": qlinear_conv,
    "QLinearAveragePool": qlinear_average_pool,
    "QLinearGlobalAveragePool": qlinear_global_average_pool,
    "NhwcMaxPool": nhwc_max_pool,
    "DynamicQuantizeLSTM": dynamic_quantize_lstm,
}
