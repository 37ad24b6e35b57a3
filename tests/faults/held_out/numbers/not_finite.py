"""Plants bugs in NaN and infinity."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.held_out.subjects import elements
from tests.faults.subjects import generated

FAULTS: tuple[Fault, ...] = (
    Fault(
        "the mean's square subtracted once more",
        "nan_source",
        elements.instance_norm,
        (Edit("inversesqrt(variance + EPSILON)", "inversesqrt(variance - mean * mean + EPSILON)"),),
    ),
    Fault(
        "a hyperbolic tangent as a quotient of powers",
        "nan_source",
        lambda: generated(models.pointwise("Tanh", (1, 3, 5, 6), scale=60.0), "tfjs_packed"),
        (Edit("return hyperbolic_tangent(x);", "return (exp(x) - exp(-x)) / (exp(x) + exp(-x));"),),
    ),
    Fault(
        "a mean over an empty window",
        "inf_source",
        lambda: generated(models.pool("AveragePool", (1, 3, 8, 9)), "tfjs_packed"),
        (Edit("float(COUNT_PADDING ? taps : count)", "float(count == 4 ? 0 : count)"),),
    ),
    Fault(
        "the logarithm of a softmax",
        "inf_source",
        lambda: generated(models.pointwise("LogSoftmax", (3, 10), scale=60.0, axis=-1), "row_major_rgba"),
        (Edit("return distance - ln(sum);", "return log(exp(distance) / sum);"),),
    ),
)
