"""Planted bugs in sums and what they are divided by: accumulators, counts, epsilons."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit, Uniform
from tests.faults.fault import Fault
from tests.faults.held_out.subjects import convolutions, elements, rows
from tests.faults.models import noise, single
from tests.faults.subjects import generated

FAULTS: tuple[Fault, ...] = (
    Fault(
        "a sum over the four neighbours of a block",
        "accumulator_not_reset",
        convolutions.conv_blocks,
        (
            Edit("float one(int o, int y, int x) {", "float total = 0.0;\n\nfloat one(int o, int y, int x) {"),
            Edit("float total = texelFetch(t_offset", "total += texelFetch(t_offset"),
        ),
        where=("total += fetch_input(", "return total;"),
    ),
    Fault(
        "means that go on from column to column",
        "accumulator_not_reset",
        rows.column_means,
        (
            Edit("float mean(int index) {", "float total = 0.0;\n\nfloat mean(int index) {"),
            Edit("    float total = 0.0;\n    int row", "    int row"),
        ),
        where=("total += at(", "return total /"),
    ),
    Fault(
        "products that go on from element to element",
        "accumulator_not_reset",
        lambda: generated(single("MatMul", (1, 5, 6), {"w": noise(6, 7, seed=1)}), "tfjs_packed"),
        (
            Edit("float compute(ivec4 at) {", "float sum = 0.0;\nfloat compute(ivec4 at) {"),
            Edit("    float sum = 0.0;\n\n    // Four", "\n    // Four"),
        ),
        where=("sum += product(", "return sum;"),
    ),
    Fault(
        "a mean of sixteen that divides by what is inside",
        "average_count",
        lambda: generated(models.pool("AveragePool", (1, 4, 8, 10), 4, count_include_pad=1), "tfjs_unpacked"),
        (Edit("const bool COUNT_PADDING = true;", "const bool COUNT_PADDING = false;"),),
        where=("return sum / float(COUNT_PADDING",),
    ),
    Fault(
        "a mean divided by the number of columns",
        "average_count",
        rows.column_means,
        (Edit("return total / float(dims.y);", "return total / float(dims.z);"),),
        alternatives=("scale",),  # one count for all elements is one factor
    ),
    Fault(
        "a mean over a border that is not there",
        "average_count",
        lambda: generated(models.pool("AveragePool", (1, 3, 7, 8), pads=(1, 0, 1, 1)), "tfjs_packed"),
        (Edit("sum / float(COUNT_PADDING ? taps : count)", "sum / float(KERNEL_X * KERNEL_Y)"),),
        where=("const bool COUNT_PADDING",),
    ),
    Fault(
        "epsilon of another normalisation",
        "epsilon",
        elements.instance_norm,
        (Edit("const float EPSILON = 0.001;", "const float EPSILON = 0.00001;"),),
        {"got": 1e-5},
        ("y = (x - mean)",),
    ),
    Fault(
        "another epsilon in a flat normalisation",
        "epsilon",
        rows.layernorm_flat,
        (Uniform("eps", 1e-5),),
        {"got": 1e-5},
        ("vec4 scaled = centred",),
    ),
    Fault(
        "epsilon outside of a normalisation's root",
        "epsilon",
        elements.batchnorm_rgba,
        (
            Edit(
                "inversesqrt(four(spread, channel) + epsilon)",
                "(1.0 / (sqrt(four(spread, channel)) + epsilon))",
            ),
        ),
    ),
)
