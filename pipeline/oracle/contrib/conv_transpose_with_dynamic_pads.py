"""ConvTransposeWithDynamicPads: ConvTranspose whose pads are an input."""

from __future__ import annotations

import dataclasses

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs
from texelscope.pipeline.oracle.fast import conv_transpose

OPERATOR = "ConvTransposeWithDynamicPads"


def evaluate(invocation: Invocation) -> Outputs | None:
    """X, W, pads or None, bias or None → [N, O, spatial…]."""
    pads, said = invocation.input(2), dict(invocation.attributes)
    if pads is not None:
        said["pads"] = tuple(int(pad) for pad in pads.reshape(-1))
    inputs = (*invocation.inputs[:2], invocation.input(3))
    return conv_transpose.evaluate(dataclasses.replace(invocation, inputs=inputs, attributes=said))
