"""The same causes in other operators, layouts and words: biases and activations."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.models_more import conv_of
from tests.faults.seen.subjects import pictures as seen_more_subjects
from tests.faults.seen.subjects.layers import (
    FLAT,
    PACKED,
    RGBA,
    UNPACKED,
    added,
    conv_rgba,
    deconv_rgba,
    instance_norm,
    matmul,
)
from tests.faults.subjects import generated

LANE_BIAS = "sum[lane] += B(ivec4(0, 0, 0, o[lane]));"

BIASES = (
    Fault(
        "the last lane of four without its bias",
        "bias_missing",
        conv_rgba,
        (
            Edit(
                "for (int lane = 0; lane < 4; lane++) sum[lane] +=", "for (int lane = 0; lane < 3; lane++) sum[lane] +="
            ),
        ),
        where=("return sum;",),
    ),
    Fault(
        "biases of the first group of four alone",
        "bias_missing",
        conv_rgba,
        (Edit(LANE_BIAS, f"if (at.y < 4) {LANE_BIAS}"),),
        where=("return sum;",),
    ),
    Fault(
        "a batch normalisation without its shift, unpacked",
        "bias_missing",
        lambda: generated(models.batch_norm(), UNPACKED),
        (Edit("* factor + BIAS_linear(c);", "* factor;"),),
    ),
    Fault(
        "an instance normalisation without its shift",
        "bias_missing",
        instance_norm,
        (Edit("    y += B_linear(parameter_of(index));\n", ""),),
        where=("return y;",),
    ),
    Fault(
        "a matrix product without its row, in tiles",
        "bias_missing",
        lambda: generated(models.gemm()),
        (Edit("    sum += BETA * C(min(at, C_shape - 1));\n", ""),),
        where=("return sum;",),
    ),
    Fault(
        "the second picture's biases forgotten",
        "bias_missing",
        lambda: generated(conv_of((2, 3, 5, 6), (4, 3, 1, 1)), FLAT),
        (Edit("sum += B(", "if (at.x == 0) sum += B("),),
        where=("return sum;",),
    ),
    Fault(
        "a constant that is not added",
        "bias_missing",
        added,
        (Edit("return a + b;", "return a;"),),
        where=("return binary(",),
    ),
    Fault(
        "a transposed convolution without its biases",
        "bias_missing",
        deconv_rgba,
        (Edit("sum[lane] += B(ivec4(0, 0, 0, min(at.y + lane, OUTPUT_CHANNELS - 1)));", ";"),),
        where=("return sum;",),
    ),
    Fault(
        "the first bias of four for all lanes",
        "bias_offset",
        conv_rgba,
        (Edit(LANE_BIAS, "sum[lane] += B(ivec4(0, 0, 0, at.y));"),),
    ),
    Fault(
        "biases of a texel in reverse",
        "bias_offset",
        conv_rgba,
        (Edit(LANE_BIAS, "sum[lane] += B(ivec4(0, 0, 0, o[3 - lane]));"),),
    ),
    Fault(
        "a bias for each group",
        "bias_offset",
        lambda: conv_rgba(2),
        (Edit("B(ivec4(0, 0, 0, at.y))", "B(ivec4(0, 0, 0, at.y / OUTPUTS_PER_GROUP))"),),
    ),
    Fault(
        "the next channel's shift in a batch normalisation",
        "bias_offset",
        lambda: generated(models.batch_norm(), FLAT),
        (Edit("BIAS_linear(c)", "BIAS_linear((c + 1) % PARAMETER_COUNT)"),),
    ),
    Fault(
        "a matrix product's row read by rows, packed",
        "bias_offset",
        lambda: generated(models.gemm(4, 5, 6), PACKED),
        (Edit("C(min(at, C_shape - 1))", "C(ivec4(0, 0, 0, at.z))"),),
    ),
    Fault(
        "biases by column of the picture",
        "bias_offset",
        lambda: generated(models.conv((1, 3, 6, 5), 8), UNPACKED),
        (Edit("B(ivec4(0, 0, 0, at.y))", "B(ivec4(0, 0, 0, at.w))"),),
    ),
    Fault(
        "biases counted down the columns of the grid",
        "bias_offset",
        lambda: generated(models.conv((1, 3, 5, 6), 9)),
        (Edit("B(ivec4(0, 0, 0, at.y))", "B(ivec4(0, 0, 0, at.y % 3 * 3 + at.y / 3))"),),
    ),
    Fault(
        "a broadcast constant taken by another channel",
        "bias_offset",
        lambda: added(UNPACKED),
        (Edit("B(min(at, B_shape - 1))", "B(min(at + ivec4(0, 1, 0, 0), B_shape - 1))"),),
    ),
    Fault(
        "a row of constants taken from the right",
        "bias_offset",
        lambda: added("channel_tiles", (6,)),
        (Edit("B(min(at, B_shape - 1))", "B(ivec4(0, 0, 0, 5 - at.w))"),),
    ),
    Fault(
        "the shifts of an instance normalisation one further on",
        "bias_offset",
        lambda: instance_norm(UNPACKED, 1),
        (Edit("B_linear(parameter_of(index))", "B_linear((parameter_of(index) + 1) % 5)"),),
    ),
)

ACTIVATIONS = (
    Fault(
        "a gate behind four sums",
        "activation_extra",
        conv_rgba,
        (Edit("    return sum;", "    return sum / (1.0 + exp(-sum));"),),
    ),
    Fault(
        "an error function's gate behind a matrix product",
        "activation_extra",
        lambda: generated(models.gemm(), PACKED),
        (
            Edit(
                "    return sum;",
                "    return 0.5 * sum * (1.0 + tanh(0.7978845608 * (sum + 0.044715 * sum * sum * sum)));",
            ),
        ),
    ),
    Fault(
        "a leaky ReLU behind a batch normalisation that has none",
        "activation_extra",
        lambda: generated(models.batch_norm(), RGBA),
        (
            Edit(
                "return (X(at) - MEAN_linear(c)) * factor + BIAS_linear(c);",
                "float y = (X(at) - MEAN_linear(c)) * factor + BIAS_linear(c);\n    return max(y, 0.1 * y);",
            ),
        ),
    ),
    Fault(
        "a pool that starts at zero",
        "activation_extra",
        lambda: generated(models.pool("MaxPool", (1, 3, 6, 7), 2, pads=(0, 0, 0, 0)), UNPACKED),
        (Edit("return largest;", "return max(largest, 0.0);"),),
        where=("return result(",),
        alternatives=("clamped_nonnegative",),  # the same function of the same values
    ),
    Fault(
        "an input that is rectified first",
        "activation_extra",
        lambda: generated(models.conv((1, 3, 5, 6), 4), FLAT),
        (
            Edit(
                "sum += X(ivec4(at.x, first_channel + i, y, x)) *",
                "sum += max(X(ivec4(at.x, first_channel + i, y, x)), 0.0) *",
            ),
        ),
        alternatives=("clamped_nonnegative",),  # the same function of the same values
    ),
    Fault(
        "a sigmoid twice",
        "activation_extra",
        lambda: generated(models.pointwise("Sigmoid"), RGBA),
        (Edit("return unary(X(at));", "return unary(unary(X(at)));"),),
        where=("return sigmoid(x);", "exp("),
    ),
    Fault(
        "a hyperbolic tangent in place of a sigmoid",
        "activation_extra",
        lambda: generated(models.pointwise("Sigmoid"), FLAT),
        (Edit("return sigmoid(x);", "return tanh(x);"),),
        alternatives=("activation_missing",),  # it takes the sigmoid's place
    ),
    Fault(
        "magnitudes behind a mean",
        "activation_extra",
        lambda: generated(models.pool("AveragePool", (1, 3, 6, 7), 2, pads=(0, 0, 0, 0)), PACKED),
        (
            Edit(
                "return sum / float(COUNT_PADDING ? taps : count);",
                "return abs(sum) / float(COUNT_PADDING ? taps : count);",
            ),
        ),
        where=("return result(",),
    ),
    Fault(
        "an exponential unit behind a transposed convolution",
        "activation_extra",
        deconv_rgba,
        (Edit("    return sum;", "    return mix(exp(min(sum, 0.0)) - 1.0, sum, step(vec4(0.0), sum));"),),
    ),
    Fault(
        "a hard sigmoid behind a matrix product",
        "activation_extra",
        matmul,
        (Edit("    return sum;", "    return clamp(sum * 0.2 + 0.5, 0.0, 1.0);"),),
    ),
    Fault(
        "a ReLU in place of a leaky one, and its bias before",
        "activation_extra",
        seen_more_subjects.conv_macros,
        (Edit("y = sum > 0.0 ? sum : 0.2 * sum;", "y = 1.0 / (1.0 + exp(-sum));"),),
        alternatives=("activation_missing",),  # it takes the leaky one's place
    ),
    Fault(
        "a softened ReLU behind a sum of two",
        "activation_extra",
        lambda: generated(models.binary("Add"), FLAT),
        (Edit("return a + b;", "return log(1.0 + exp(a + b));"),),
    ),
)

FAULTS: tuple[Fault, ...] = (*BIASES, *ACTIVATIONS)
