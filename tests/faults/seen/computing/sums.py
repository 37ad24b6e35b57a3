"""Planted bugs in sums and what they are divided by: accumulators, counts, epsilons."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit, Uniform
from tests.faults.fault import Fault
from tests.faults.models import noise, single, whole
from tests.faults.seen.subjects import convolutions, elements, layers, pictures, rows
from tests.faults.subjects import FLAT, RGBA, UNPACKED, generated

FAULTS: tuple[Fault, ...] = (
    Fault(
        "a sum that goes on from lane to lane",
        "accumulator_not_reset",
        convolutions.conv_rgba,
        (
            Edit(
                "float convolve(int feature, ivec2 p) {\n    float sum = 0.0;",
                "float sum = 0.0;\nfloat convolve(int feature, ivec2 p) {",
            ),
        ),
        where=("sum += dot(", "return sum;"),
    ),
    Fault(
        "a global sum",
        "accumulator_not_reset",
        lambda: generated(models.conv((1, 3, 6, 8), 5), "row_major_rgba"),
        (
            Edit("float compute(ivec4 at) {", "float sum = 0.0;\nfloat compute(ivec4 at) {"),
            Edit("    float sum = 0.0;\n\n    for (int i", "\n    for (int i"),
        ),
        where=("sum += X(ivec4(", "return sum;"),
    ),
    Fault(
        "a matrix product's sum kept between the elements of a texel",
        "accumulator_not_reset",
        rows.gemm_flat,
        (
            Edit("float multiply(int index) {", "float sum = 0.0;\nfloat multiply(int index) {"),
            Edit("    float sum = 0.0;\n    for (int k", "    for (int k"),
        ),
        where=("sum += element(A", "return sum + element(C"),
        seen_at="MNN#464",
    ),
    Fault(
        "rows of a pool that go on from row to row",
        "accumulator_not_reset",
        lambda: generated(models.pool("AveragePool", (1, 3, 9, 10))),
        (Edit("    sum += row;\n    row = 0.0;", "    sum += row;"),),
        {"of": "rows"},
    ),
    Fault(
        "a sum kept from lane to lane under a root",
        "accumulator_not_reset",
        lambda: generated(single("ReduceL2", (2, 5, 4, 6), {"axes": whole(1)}, keepdims=1), "row_major_rgba"),
        (
            Edit(
                "float compute(ivec4 at) {\n    int first", "float sum = 0.0;\nfloat compute(ivec4 at) {\n    int first"
            ),
            Edit("    float sum = 0.0;\n    for", "    for"),
        ),
        {"of": "lanes"},
        ("sum += x * x",),
    ),
    Fault(
        "scores that go on from component to component",
        "accumulator_not_reset",
        rows.attention_getx,
        (
            Edit("  float result = 0.0;\n", "  float result = 0.0, total = 0.0;\n"),
            Edit(
                "getK(head, d, j);\n  }\n  return result;",
                "getK(head, d, j);\n    total += result;\n  }\n  return total;",
            ),
        ),
        where=("result += getQ(",),
    ),
    Fault(
        "largest values that go on from lane to lane",
        "accumulator_not_reset",
        pictures.maxpool_lanes,
        (Edit("    best = -1e30;\n", ""),),
        where=("best = max(best,",),
    ),
    Fault(
        "four sums that go on from element to element",
        "accumulator_not_reset",
        rows.dense_flat,
        (
            Edit("float dense(int index) {", "vec4 sum = vec4(0.0);\nfloat dense(int index) {"),
            Edit("    vec4 sum = vec4(0.0);\n    for", "    for"),
        ),
        where=("sum += quad(x", "return dot(sum"),
    ),
    Fault(
        "a mean that counts the padding",
        "average_count",
        pictures.avgpool_fetch,
        (Edit("y_out = total / float(count);", "y_out = total / 9.0;"),),
        seen_at="webml-polyfill#167",
    ),
    Fault(
        "a mean that counts the padding, packed",
        "average_count",
        lambda: generated(models.pool("AveragePool", (1, 5, 8, 9)), "channel_tiles_rgba"),
        (Edit("const bool COUNT_PADDING = false;", "const bool COUNT_PADDING = true;"),),
        where=("return sum / float(COUNT_PADDING",),
    ),
    Fault(
        "a mean that leaves the padding out",
        "average_count",
        lambda: generated(models.pool("AveragePool", count_include_pad=1)),
        (Edit("const bool COUNT_PADDING = true;", "const bool COUNT_PADDING = false;"),),
        where=("return sum / float(COUNT_PADDING",),
    ),
    Fault(
        "averages divided by seven",
        "average_count",
        lambda: generated(models.pool("AveragePool"), "tfjs_unpacked"),
        (Edit("float(COUNT_PADDING ? taps : count)", "7.0"),),
        {"got": 7},
    ),
    Fault(
        "an average by all nine",
        "average_count",
        pictures.avgpool_uv,
        (Edit("mean = sum / count;", "mean = sum / 9.0;"),),
    ),
    Fault(
        "a count that goes on through the rows of a window",
        "average_count",
        pictures.avgpool_uv,
        (Edit("mean = sum / count;", "mean = sum / 6.0;"),),
        {"got": 6},
    ),
    Fault(
        "a variance divided by one less",
        "average_count",
        rows.layernorm_getx,
        (Edit("squares / float(rowLength);", "squares / float(rowLength - 1);"),),
        where=("float normal =",),
    ),
    Fault(
        "a mean over a picture that takes it for a square",
        "average_count",
        pictures.global_mean_rgba,
        (Edit("float(u_size.x * u_size.y)", "float(u_size.x * u_size.x)"),),
        alternatives=("scale",),  # one count for all elements is one factor
    ),
    Fault(
        "another framework's epsilon",
        "epsilon",
        elements.batchnorm_tiles,
        (Uniform("u_epsilon", 1e-5),),
        {"got": 1e-5},
        ("float normal = (x - mean)",),
    ),
    Fault(
        "epsilon a hundred times too large",
        "epsilon",
        lambda: generated(models.batch_norm(), "tfjs_packed"),
        (Edit("const float EPSILON = 9.99999975e-06;", "const float EPSILON = 0.001;"),),
        {"got": 1e-3},
        ("float factor = SCALE_linear",),
    ),
    Fault(
        "no epsilon",
        "epsilon",
        lambda: generated(models.batch_norm(epsilon=1e-3)),
        (Edit("sqrt(VARIANCE_linear(c) + EPSILON)", "sqrt(VARIANCE_linear(c))"),),
        {"got": 0.0},
    ),
    Fault(
        "epsilon added to the deviation",
        "epsilon",
        lambda: generated(models.batch_norm(epsilon=1e-2), FLAT),
        (Edit("sqrt(VARIANCE_linear(c) + EPSILON)", "(sqrt(VARIANCE_linear(c)) + EPSILON)"),),
    ),
    Fault(
        "epsilon squared",
        "epsilon",
        lambda: generated(models.batch_norm(epsilon=1e-2), RGBA),
        (Edit("sqrt(VARIANCE_linear(c) + EPSILON)", "sqrt(VARIANCE_linear(c) + EPSILON * EPSILON)"),),
    ),
    Fault(
        "an instance normalisation without epsilon",
        "epsilon",
        lambda: layers.instance_norm(),
        (Edit(": sqrt(variance + EPSILON)", ": sqrt(variance)"),),
    ),
    Fault(
        "another constant in a layer normalisation",
        "epsilon",
        layers.layer_norm,
        (Edit(": sqrt(variance + EPSILON)", ": sqrt(variance + 0.0003)"),),
        {"got": 3e-4},
    ),
    Fault(
        "epsilon as the least variance",
        "epsilon",
        lambda: layers.layer_norm(UNPACKED),
        (Edit(": sqrt(variance + EPSILON)", ": sqrt(max(variance, EPSILON))"),),
    ),
    Fault(
        "epsilon added to the inverse root",
        "epsilon",
        lambda: generated(models.batch_norm(epsilon=1e-2), UNPACKED),
        (Edit("/ sqrt(VARIANCE_linear(c) + EPSILON)", "* (inversesqrt(VARIANCE_linear(c)) + EPSILON)"),),
    ),
    Fault(
        "a group's epsilon that follows from half precision",
        "epsilon",
        elements.group_norm_tiles,
        (Edit("inversesqrt(variance + EPSILON)", "inversesqrt(variance + 0.00097656)"),),
    ),
    Fault(
        "epsilon outside of the root",
        "epsilon",
        lambda: generated(
            single(
                "LayerNormalization",
                (2, 3, 4, 10),
                {"s": noise(10, seed=1), "b": noise(10, seed=2)},
                scale=0.3,
                axis=-1,
                epsilon=1e-2,
            ),
            "row_major_rgba",
        ),
        (Edit("const bool OUTSIDE = false;", "const bool OUTSIDE = true;"),),
        where=("y /= OUTSIDE",),
    ),
    Fault(
        "a variance of nodes, divided by one less",
        "average_count",
        rows.layernorm_nodes,
        (Edit("variance = squares / float(rowLength);", "variance = squares / float(rowLength - 1);"),),
        {"got": 9},
    ),
    Fault(
        "an epsilon outside of a root of nodes",
        "epsilon",
        rows.layernorm_nodes,
        (Edit("sqrt(variance + epsilon)", "(sqrt(variance) + epsilon)"),),
    ),
    Fault(
        "a deviation of nodes without its root",
        "activation_missing",
        rows.layernorm_nodes,
        (Edit("sqrt(variance + epsilon)", "(variance + epsilon)"),),
        {"activation": "Sqrt"},
    ),
    Fault(
        "a softmax divided by its largest power",
        "wrong_function",
        rows.softmax_flat,
        (Edit("sum += exp(value(first + i) - largest);", "sum = max(sum, exp(value(first + i) - largest));"),),
        {"function": "divided by the largest power"},
        where=("largest) / sum;",),
    ),
    Fault(
        "magnitudes for squares in a variance",
        "wrong_function",
        rows.layernorm_nodes,
        (Edit("squares += d * d;", "squares += abs(d);"),),
        alternatives=("activation_extra",),  # the root of a square
    ),
)
