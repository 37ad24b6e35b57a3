"""Expands layers: fused with their neighbours, or of eight-bit codes, perhaps with channels in the last axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from texelscope.pipeline.graph import Shape
from texelscope.pipeline.model_file.contrib.quantised import codes, real
from texelscope.pipeline.model_file.contrib.writer import Write, Writer

# Maps an operator to its attributes in the order of a list of parameters.
_PARAMETERS = {
    "Elu": ("alpha",),
    "HardSigmoid": ("alpha", "beta"),
    "LeakyRelu": ("alpha",),
    "Relu": (),
    "Selu": ("alpha", "gamma"),
    "Sigmoid": (),
    "Softplus": (),
    "Softsign": (),
    "Tanh": (),
    "ThresholdedRelu": ("alpha",),
}
_OF_CONV = ("auto_pad", "dilations", "group", "kernel_shape", "pads", "strides")
# Longer sequences give more passes than anybody inspects.
MAX_STEPS = 256
_FLOAT = 1  # TensorProto.FLOAT
_X, _W, _R, _B, _LENGTHS, _H, _C, _P, _W_SCALE, _W_ZERO, _R_SCALE, _R_ZERO = range(12)


def channels_first(node: Writer, x: str, rank: int) -> str:
    """Moves [N, spatial…, C] to [N, C, spatial…]."""
    return node.add("Transpose", x, perm=[0, rank - 1, *range(1, rank - 1)], label="channels_first")


def channels_last(node: Writer, x: str, rank: int) -> str:
    """Moves [N, C, spatial…] to [N, spatial…, C]."""
    return node.add("Transpose", x, perm=[0, *range(2, rank), 1], label="channels_last")


def activated(node: Writer, y: str, parameters: Sequence[float]) -> str:
    """Applies the attribute `activation` to `y`, with as many parameters as are given; returns `y` itself if none."""
    kind = str(node.attribute("activation", ""))
    if kind == "Clip":
        low, high = parameters
        return node.add("Clip", y, node.constant(low, label="low"), node.constant(high, label="high"))
    if not kind:
        return y
    if kind not in _PARAMETERS:
        raise node.refusal(f"an activation out of {', '.join(sorted((*_PARAMETERS, 'Clip')))}", f"'{kind}'")
    said: dict[str, Any] = dict(zip(_PARAMETERS[kind], map(float, parameters), strict=False))
    return node.add(kind, y, **said)


def fused_conv(node: Writer) -> None:
    """Expands FusedConv: y = f(W ∗ x + b + z), a convolution with what follows it. Takes X, W, B and Z."""
    inputs = [node.x(position) for position in range(3) if node.has(position)]
    y = node.add("Conv", *inputs, **node.some(*_OF_CONV))
    if node.has(3):
        y = node.add("Add", y, node.x(3))
    node.result(0, activated(node, y, node.attribute("activation_params", ())))


def fused_gemm(node: Writer) -> None:
    """Expands FusedGemm: y = f(α·A'·B' + β·C), a Gemm with the activation that follows it. Takes Gemm's inputs."""
    inputs = [node.x(position) for position in range(3) if node.has(position)]
    y = node.add("Gemm", *inputs, **node.some("alpha", "beta", "transA", "transB"))
    given = (node.attribute(f"activation_{name}", None) for name in ("alpha", "beta", "gamma"))
    node.result(0, activated(node, y, [value for value in given if value is not None]))


def conv_transpose_with_dynamic_pads(node: Writer) -> None:
    """Expands ConvTransposeWithDynamicPads: ConvTranspose whose pads are an input.

    Takes X, W, pads int64 [2 · spatial axes] or none, bias or none.
    """
    pads = [int(pad) for pad in node.value(2, "pads").reshape(-1)] if node.has(2) else None
    bias = (node.x(3),) if node.has(3) else ()
    said = node.some("auto_pad", "dilations", "group", "kernel_shape", "output_padding", "strides")
    node.result(0, node.add("ConvTranspose", node.x(0), node.x(1), *bias, pads=pads, **said))


def qlinear_conv(node: Writer) -> None:
    """Expands QLinearConv of com.microsoft: as ONNX's, also for channels in the last axis.

    Takes ONNX's inputs; with `channels_last` x is [N, spatial…, C], the weights are unchanged.
    """
    x, rank, turned = node.x(0), node.given(0).rank, bool(node.attribute("channels_last", 0))
    others = [node.x(position) for position in range(1, 9) if node.has(position)]
    y = node.add("QLinearConv", channels_first(node, x, rank) if turned else x, *others, **node.some(*_OF_CONV))
    node.result(0, channels_last(node, y, rank) if turned else y)


def qlinear_average_pool(node: Writer) -> None:
    """Expands QLinearAveragePool: an average pool of a quantised tensor, quantised.

    Takes X with scale and zero point, then those of Y; with `channels_last` [N, spatial…, C].
    """
    attributes = node.some("auto_pad", "ceil_mode", "count_include_pad", "kernel_shape", "pads", "strides")
    _pool_of_codes(node, "AveragePool", attributes)


def qlinear_global_average_pool(node: Writer) -> None:
    """Expands QLinearGlobalAveragePool: the mean of each channel of a quantised tensor, quantised.

    Takes X with scale and zero point, then those of Y; with `channels_last` [N, spatial…, C].
    """
    _pool_of_codes(node, "GlobalAveragePool", {})


def _pool_of_codes(node: Writer, op_type: str, attributes: Mapping[str, Any]) -> None:
    x, rank, turned = real(node, 0, 1, 2), node.given(0).rank, bool(node.attribute("channels_last", 0))
    mean = node.add(op_type, channels_first(node, x, rank) if turned else x, label="mean", **attributes)
    node.result(0, codes(node, channels_last(node, mean, rank) if turned else mean, 3, 4, node.given(0).dtype))


def nhwc_max_pool(node: Writer) -> None:
    """Expands NhwcMaxPool: a maximum pool of eight-bit codes with channels in the last axis. Takes X [N, …, C]."""
    rank = node.given(0).rank
    said = node.some("auto_pad", "ceil_mode", "dilations", "kernel_shape", "pads", "strides")
    node.result(0, channels_last(node, node.add("MaxPool", channels_first(node, node.x(0), rank), **said), rank))


def dynamic_quantize_lstm(node: Writer) -> None:
    """Expands DynamicQuantizeLSTM: an LSTM with quantised weights; operands are quantised by their own range, per step.

    Takes X [n, b, i], codes W [d, i, 4h] and R [d, h, 4h], B [d, 8h] → Y [n, d, b, h], Y_h and Y_c [d, b, h]. Gates are
    in the order input, output, forget, cell. X is quantised as a whole, the state anew in every step. Raises
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
    "FusedConv": fused_conv,
    "FusedGemm": fused_gemm,
    "ConvTransposeWithDynamicPads": conv_transpose_with_dynamic_pads,
    "QLinearConv": qlinear_conv,
    "QLinearAveragePool": qlinear_average_pool,
    "QLinearGlobalAveragePool": qlinear_global_average_pool,
    "NhwcMaxPool": nhwc_max_pool,
    "DynamicQuantizeLSTM": dynamic_quantize_lstm,
}
