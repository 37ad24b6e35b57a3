"""Planted bugs in numbers: NaN, infinity, rounding, and results that change from run to run."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit, OnBindDo
from tests.faults.fault import Fault
from tests.faults.seen.subjects import convolutions as seen_subjects
from tests.faults.states import bound_in_turns, ticking
from tests.faults.subjects import generated

FAULTS = (
    Fault(
        "a softmax that does not subtract its largest",
        "nan_source",
        lambda: seen_subjects.softmax_flat(3, 10, 80.0),
        (
            Edit("sum += exp(value(first + i) - largest);", "sum += exp(value(first + i));"),
            Edit("return exp(value(index) - largest) / sum;", "return exp(value(index)) / sum;"),
        ),
    ),
    Fault(
        "a product by logarithms",
        "nan_source",
        seen_subjects.batchnorm_tiles,
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
        "a mean of nine divided by a remainder",
        "inf_source",
        seen_subjects.avgpool_fetch,
        (Edit("y_out = total / float(count);", "y_out = total / float(count % 9);"),),
    ),
    Fault(
        "an exponential outside its range",
        "inf_source",
        lambda: generated(models.pointwise("Softplus", scale=60.0), "channel_tiles_rgba"),
        (Edit("return softplus(x);", "return log(1.0 + exp(x));"),),
    ),
    Fault(
        "a sum that starts far from zero",
        "precision",
        lambda: generated(models.conv((1, 4, 6, 7), 5)),
        (
            Edit("    float sum = 0.0;\n\n    for (int i", "    float sum = 3000.0;\n\n    for (int i"),
            Edit("return sum;", "return sum - 3000.0;"),
        ),
        where=("sum += X(ivec4(", "sum += B("),
    ),
    Fault(
        "an exponential by its limit",
        "precision",
        seen_subjects.softmax_flat,
        (
            Edit(
                "return exp(value(index) - largest) / sum;",
                "return pow(1.0 + (value(index) - largest) / 65536.0, 65536.0) / sum;",
            ),
        ),
    ),
    Fault(
        "noise from a clock",
        "nondeterministic",
        seen_subjects.conv_tiles,
        (
            Edit("out float color;", "out float color;\nuniform float u_time;"),
            Edit("color = sum + bias;", "color = sum + bias + 0.01 * sin(u_time * 12.9 + gl_FragCoord.x);"),
            OnBindDo(ticking("u_time")),
        ),
        runs=2,
    ),
    Fault(
        "two buffers swapped once too often",
        "nondeterministic",
        lambda: generated(models.branches(), name="r"),
        (OnBindDo(bound_in_turns("t_X", "q")),),
        runs=2,
    ),
)
