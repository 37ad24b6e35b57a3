"""FusedConv: "the same as Conv besides it includes an attribute activation"; Z is added before that."""

from __future__ import annotations

import dataclasses

from texelscope.pipeline.oracle.arithmetic.curves import activation
from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs
from texelscope.pipeline.oracle.fast import conv

OPERATOR = "FusedConv"


def evaluate(invocation: Invocation) -> Outputs:
    """X, W, B or None, Z of the output's shape or None → [N, O, spatial…]."""
    found = conv.evaluate(dataclasses.replace(invocation, inputs=invocation.inputs[:3]))
    if found is None:
        raise ValueError("no convolution of these shapes and types")
    y, z = found[0], invocation.input(3)
    total = y if z is None else y + z
    parameters = invocation.attribute("activation_params") or ()
    return (activation(invocation.attribute("activation"), total, parameters).astype(y.dtype),)
