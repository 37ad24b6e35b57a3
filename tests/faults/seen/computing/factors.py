"""Planted bugs in what a shader computes: biases, factors, activations, accumulators, means."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit, Uniform, Weights
from tests.faults.fault import Fault
from tests.faults.seen.subjects import convolutions as seen_subjects
from tests.faults.subjects import generated

BIASES = (
    Fault(
        "a bias that is read and not added",
        "bias_missing",
        seen_subjects.conv_tiles,
        (Edit("color = sum + bias;", "color = sum;"),),
    ),
    Fault(
        "a bias never read",
        "bias_missing",
        lambda: generated(models.conv((1, 3, 6, 7), 5), "tfjs_packed"),
        (Edit("    sum += B(ivec4(0, 0, 0, at.y));\n", ""),),
        where=("return sum;",),
    ),
    Fault(
        "a matrix product without its row",
        "bias_missing",
        seen_subjects.gemm_flat,
        (Edit("return sum + element(C, column);", "return sum;"),),
    ),
    Fault(
        "a bias added twice under a ReLU",
        "bias_doubled",
        seen_subjects.conv_relu_fetch,
        (Edit("acc += texelFetch(u_b, ivec2(o, 0), 0).r;", "acc += 2.0 * texelFetch(u_b, ivec2(o, 0), 0).r;"),),
    ),
    Fault(
        "a sum that starts at the bias and gets it again",
        "bias_doubled",
        lambda: generated(models.conv((1, 3, 6, 7), 5)),
        (Edit("    float sum = 0.0;\n\n    for (int i", "    float sum = B(ivec4(0, 0, 0, at.y));\n\n    for (int i"),),
        where=("sum += B(",),
    ),
    Fault(
        "the next output's bias",
        "bias_offset",
        seen_subjects.conv_tiles,
        (Edit("vec2((feature + 0.5) / float(textureSize(u_bias", "vec2((feature + 1.5) / float(textureSize(u_bias"),),
    ),
    Fault(
        "the first bias for all",
        "bias_offset",
        lambda: generated(models.conv_transpose(), "row_major_rgba"),
        (Edit("sum += B(ivec4(0, 0, 0, at.y));", "sum += B(ivec4(0, 0, 0, 0));"),),
    ),
    Fault(
        "biases by row instead of by column",
        "bias_offset",
        seen_subjects.gemm_flat,
        (Edit("element(C, column)", "element(C, row)"),),
    ),
)

FACTORS = (
    Fault(
        "half of everything",
        "scale",
        lambda: generated(models.conv((1, 3, 6, 7), 5, bias=False)),
        (Edit("return sum;", "return sum * 0.5;"),),
        {"factor": 0.5},
    ),
    Fault(
        "bytes where shares were meant",
        "scale",
        seen_subjects.leaky_uv,
        (Edit("texture(u_picture, v_uv).r;", "texture(u_picture, v_uv).r * 255.0;"),),
        {"factor": 255.0},
        ("color = x > 0.0",),
    ),
    Fault(
        "a matrix product scaled twice",
        "scale",
        lambda: generated(models.gemm(bias=False), "tfjs_unpacked"),
        (Edit("const float ALPHA = 1.0;", "const float ALPHA = 3.0;"),),
        {"factor": 3.0},
        ("sum *= ALPHA;", "return sum;"),
    ),
    Fault(
        "−1 … 1 shown as 0 … 1",
        "affine",
        lambda: generated(models.pointwise("Tanh")),
        (Edit("return hyperbolic_tangent(x);", "return hyperbolic_tangent(x) * 0.5 + 0.5;"),),
        {"scale": 0.5, "offset": 0.5},
    ),
    Fault(
        "an output normalised once more",
        "affine",
        seen_subjects.conv_rgba,
        (Edit("result = total;", "result = (total - 0.45) / 0.225;"),),
        {"scale": 1.0 / 0.225, "offset": -2.0},
    ),
    Fault(
        "a leaky ReLU ten times too steep",
        "alpha",
        seen_subjects.batchnorm_tiles,
        (Uniform("u_slope", 0.02),),
        {"got": 0.02},
        ("y = shifted < 0.0",),
    ),
    Fault(
        "the default slope instead of the model's",
        "alpha",
        lambda: generated(models.pointwise("LeakyRelu", alpha=0.1), "channel_tiles_rgba"),
        (Edit("const float ALPHA = 0.100000001;", "const float ALPHA = 0.01;"),),
        {"got": 0.01},
        ("return x < 0.0 ? ALPHA",),
    ),
    Fault(
        "a slope of a third where three tenths were meant",
        "alpha",
        seen_subjects.leaky_uv,
        (Edit("const float SLOPE = 0.3;", "const float SLOPE = 0.33;"),),
        {"got": 0.33},
        ("color = x > 0.0",),
    ),
    Fault(
        "another framework's epsilon",
        "epsilon",
        seen_subjects.batchnorm_tiles,
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
        "a mean that counts the padding",
        "average_count",
        seen_subjects.avgpool_fetch,
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
)

ACTIVATIONS = (
    Fault(
        "a ReLU left out",
        "activation_missing",
        seen_subjects.conv_relu_fetch,
        (Edit("y_out = max(acc, 0.0);", "y_out = acc;"),),
    ),
    Fault(
        "a leaky ReLU left out",
        "activation_missing",
        seen_subjects.batchnorm_tiles,
        (Edit("y = shifted < 0.0 ? shifted * u_slope : shifted;", "y = shifted;"),),
    ),
    Fault(
        "a ReLU too many",
        "activation_extra",
        seen_subjects.conv_tiles,
        (Edit("color = sum + bias;", "color = max(sum + bias, 0.0);"),),
        alternatives=("clamped_nonnegative",),  # the same function of the same values
    ),
    Fault(
        "a hyperbolic tangent too many",
        "activation_extra",
        seen_subjects.conv_rgba,
        (Edit("result = total;", "result = tanh(total);"),),
    ),
    Fault(
        "a sigmoid too many",
        "activation_extra",
        lambda: generated(models.conv((1, 3, 6, 7), 5), "tfjs_unpacked"),
        (Edit("return sum;", "return 1.0 / (1.0 + exp(-sum));"),),
    ),
    Fault(
        "the bias after the ReLU",
        "activation_before_bias",
        seen_subjects.conv_relu_fetch,
        (
            Edit(
                "    acc += texelFetch(u_b, ivec2(o, 0), 0).r;\n    y_out = max(acc, 0.0);",
                "    y_out = max(acc, 0.0) + texelFetch(u_b, ivec2(o, 0), 0).r;",
            ),
        ),
    ),
    Fault(
        "the shift after the leaky ReLU",
        "activation_before_bias",
        seen_subjects.batchnorm_tiles,
        (
            Edit(
                "y = shifted < 0.0 ? shifted * u_slope : shifted;",
                "y = (scaled < 0.0 ? scaled * u_slope : scaled) + shifted - scaled;",
            ),
        ),
    ),
)

SUMS = (
    Fault(
        "a sum that goes on from lane to lane",
        "accumulator_not_reset",
        seen_subjects.conv_rgba,
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
        seen_subjects.gemm_flat,
        (
            Edit("float multiply(int index) {", "float sum = 0.0;\nfloat multiply(int index) {"),
            Edit("    float sum = 0.0;\n    for (int k", "    for (int k"),
        ),
        where=("sum += element(A", "return sum + element(C"),
        seen_at="MNN#464",
    ),
    Fault(
        "biases uploaded in another order",
        "bias_offset",
        lambda: generated(models.conv((1, 3, 6, 7), 5)),
        (Weights("b", lambda b: b[::-1]),),
    ),
)

FAULTS = (*BIASES, *FACTORS, *ACTIVATIONS, *SUMS)
