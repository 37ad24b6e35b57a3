"""Expands layers that ONNX Runtime fuses with what stands beside them: an activation, or pads as an input."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

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
_OF_GEMM = ("alpha", "beta", "transA", "transB")
_OF_TRANSPOSE = ("auto_pad", "dilations", "group", "kernel_shape", "output_padding", "strides")


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
    """Expands FusedConv: y = f(W ∗ x + b + z), a convolution with what follows it.

    Takes X, W, B and Z, which is added before the activation.
    """
    inputs = [node.x(position) for position in range(3) if node.has(position)]
    y = node.add("Conv", *inputs, **{name: node.attribute(name, None) for name in _OF_CONV})
    if node.has(3):
        y = node.add("Add", y, node.x(3))
    node.result(0, activated(node, y, node.attribute("activation_params", ())))


def fused_gemm(node: Writer) -> None:
    """Expands FusedGemm: y = f(α·A'·B' + β·C), a Gemm with the activation that follows it.

    Takes A [M, K], B [K, N] and C, each as Gemm has them.
    """
    inputs = [node.x(position) for position in range(3) if node.has(position)]
    y = node.add("Gemm", *inputs, **{name: node.attribute(name, None) for name in _OF_GEMM})
    given = (node.attribute(f"activation_{name}", None) for name in ("alpha", "beta", "gamma"))
    node.result(0, activated(node, y, [value for value in given if value is not None]))


def conv_transpose_with_dynamic_pads(node: Writer) -> None:
    """Expands ConvTransposeWithDynamicPads: ConvTranspose whose pads are an input.

    Takes X, W, pads int64 [2 · spatial axes] or none, bias or none.
    """
    pads = [int(pad) for pad in node.value(2, "pads").reshape(-1)] if node.has(2) else None
    bias = (node.x(3),) if node.has(3) else ()
    said = {name: node.attribute(name, None) for name in _OF_TRANSPOSE}
    node.result(0, node.add("ConvTranspose", node.x(0), node.x(1), *bias, pads=pads, **said))


OPERATORS: Mapping[str, Write] = {
    "FusedConv": fused_conv,
    "FusedGemm": fused_gemm,
    "ConvTransposeWithDynamicPads": conv_transpose_with_dynamic_pads,
}
