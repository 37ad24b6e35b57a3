"""Evaluates layers that ONNX Runtime fuses with what stands beside them: an activation, or pads as an input."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Evaluate, Invocation, Outputs
from texelscope.pipeline.oracle.contrib.activations import activation
from texelscope.pipeline.oracle.fast.convolutions import conv, conv_transpose


def fused_conv(invocation: Invocation) -> Outputs:
    """Evaluates FusedConv: "the same as Conv besides it includes an attribute activation"; Z is added before that.

    Maps X, W, B or None, Z of the output's shape or None → [N, O, spatial…].
    """
    found = conv(dataclasses.replace(invocation, inputs=invocation.inputs[:3]))
    if found is None:
        raise ValueError("no convolution of these shapes and types")
    y, z = found[0], invocation.input(3)
    total = y if z is None else y + z
    parameters = invocation.attribute("activation_params") or ()
    return (activation(invocation.attribute("activation"), total, parameters).astype(y.dtype),)


def fused_gemm(invocation: Invocation) -> Outputs:
    """Evaluates FusedGemm: "the same as Gemm besides it includes attributes activation" and its parameters.

    Maps A [M, K] and B [K, N], or turned over; C that broadcasts to [M, N] or None → [M, N].
    """
    a, b, c = invocation.required(0), invocation.required(1), invocation.input(2)
    said = invocation.attributes
    left = a.T if said.get("transA", 0) else a
    right = b.T if said.get("transB", 0) else b
    y = float(said.get("alpha", 1.0)) * (left.astype(np.float64) @ right.astype(np.float64))
    if c is not None:
        y = y + float(said.get("beta", 1.0)) * c
    given = [said[f"activation_{name}"] for name in ("alpha", "beta", "gamma") if f"activation_{name}" in said]
    return (activation(said.get("activation"), y, given).astype(a.dtype),)


def conv_transpose_with_dynamic_pads(invocation: Invocation) -> Outputs | None:
    """Maps X, W, pads or None, bias or None → [N, O, spatial…]: ConvTranspose whose pads are an input."""
    pads, said = invocation.input(2), dict(invocation.attributes)
    if pads is not None:
        said["pads"] = tuple(int(pad) for pad in pads.reshape(-1))
    inputs = (*invocation.inputs[:2], invocation.input(3))
    return conv_transpose(dataclasses.replace(invocation, inputs=inputs, attributes=said))


OPERATORS: Mapping[str, Evaluate] = {
    "FusedConv": fused_conv,
    "FusedGemm": fused_gemm,
    "ConvTransposeWithDynamicPads": conv_transpose_with_dynamic_pads,
}
