"""DequantizeLinear of com.microsoft: y = (x − x_zero_point) · x_scale."""

from __future__ import annotations

from texelscope.pipeline.oracle.arithmetic.codes import along
from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "DequantizeLinear"


def evaluate(invocation: Invocation) -> Outputs:
    """Codes, scale and zero point, one for all or one for each place of `axis` → the codes' shape."""
    x, scale, zero = invocation.required(0), invocation.required(1), invocation.input(2)
    steps = x.astype("float64") - (0.0 if zero is None else along(invocation, zero, x.ndim))
    return ((steps * along(invocation, scale, x.ndim)).astype(scale.dtype),)
