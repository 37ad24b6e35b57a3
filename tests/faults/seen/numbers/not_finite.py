"""Plants bugs in NaN and infinity."""

from __future__ import annotations

import numpy as np

from tests.faults import models
from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.models import single, whole
from tests.faults.seen.subjects import elements, pictures, rows
from tests.faults.subjects import Subject, generated


def flat_channel() -> Subject:
    """Instance normalisation of a picture one channel of which is the same everywhere."""
    subject = generated(models.instance_norm((1, 3, 6, 7), epsilon=1e-3), "tfjs_unpacked")
    x = np.array(subject.inputs["x"])
    x[0, 1] = 0.5
    return subject.fed(x=x)


FAULTS: tuple[Fault, ...] = (
    Fault(
        "a softmax that does not subtract its largest",
        "nan_source",
        lambda: rows.softmax_flat(3, 10, 80.0),
        (
            Edit("sum += exp(value(first + i) - largest);", "sum += exp(value(first + i));"),
            Edit("return exp(value(index) - largest) / sum;", "return exp(value(index)) / sum;"),
        ),
    ),
    Fault(
        "a product by logarithms",
        "nan_source",
        elements.batchnorm_tiles,
        (Edit("shifted * u_slope : shifted;", "exp(log(shifted) + log(u_slope)) : shifted;"),),
    ),
    Fault(
        "a sigmoid by e^x / (1 + e^x)",
        "nan_source",
        lambda: generated(models.pointwise("Sigmoid", scale=70.0)),
        (Edit("return 1.0 / (1.0 + exp(-x));", "return exp(x) / (1.0 + exp(x));"),),
        where=("return sigmoid(x);",),
    ),
    Fault(
        "a softmax of large scores without their largest",
        "nan_source",
        lambda: rows.softmax_rgba(90.0),
        (
            Edit("exp(scores(group, p) - top)", "exp(scores(group, p))"),
            Edit("exp(texelFetch(t_scores, texel, 0) - top)", "exp(texelFetch(t_scores, texel, 0))"),
        ),
    ),
    Fault(
        "a flat channel normalised without epsilon",
        "nan_source",
        flat_channel,
        (Edit("sqrt(variance + EPSILON)", "sqrt(variance)"),),
        alternatives=("epsilon",),  # that it is left out is why 0 is divided by 0
    ),
    Fault(
        "both branches of an exponential unit times zero or one",
        "nan_source",
        lambda: generated(single("Elu", (1, 3, 5, 6), scale=70.0, alpha=1.3), "row_major_rgba"),
        (
            Edit(
                "return x < 0.0 ? ALPHA * expm1(x) : x;",
                "float low = step(x, 0.0);\n    return low * ALPHA * (exp(x) - 1.0) + (1.0 - low) * x;",
            ),
        ),
    ),
    Fault(
        "a mean of nine divided by a remainder",
        "inf_source",
        pictures.avgpool_fetch,
        (Edit("y_out = total / float(count);", "y_out = total / float(count % 9);"),),
    ),
    Fault(
        "an exponential outside its range",
        "inf_source",
        lambda: generated(models.pointwise("Softplus", scale=60.0), "channel_tiles_rgba"),
        (Edit("return softplus(x);", "return log(1.0 + exp(x));"),),
    ),
    Fault(
        "a logarithm of a sum of powers as it is written",
        "inf_source",
        lambda: generated(
            single("ReduceLogSumExp", (1, 4, 5, 6), {"axes": whole(1)}, scale=60.0, keepdims=1), "tfjs_packed"
        ),
        (
            Edit("sum += exp(X_linear(first + place_of(k)) - most);", "sum += exp(X_linear(first + place_of(k)));"),
            Edit("return most + ln(sum);", "return ln(sum);"),
        ),
    ),
)
