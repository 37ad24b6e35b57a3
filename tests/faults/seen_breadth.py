"""The same causes in other operators, layouts and words: biases, activations, epsilons, sRGB, indices in floats."""

from __future__ import annotations

import numpy as np

from tests.faults import models, seen_more_subjects, seen_subjects
from tests.faults.changes import Edit, Kept, Weights, bytes_of, srgb
from tests.faults.fault import Fault
from tests.faults.faulty_session import Texels
from tests.faults.models import noise
from tests.faults.models_more import conv_of, single
from tests.faults.subjects import Subject, generated

RGBA = "channel_tiles_rgba"
FLAT = "row_major_rgba"
UNPACKED = "tfjs_unpacked"
PACKED = "tfjs_packed"
LANE_BIAS = "sum[lane] += B(ivec4(0, 0, 0, o[lane]));"


def conv_rgba(group: int = 1) -> Subject:
    """Convolution 3x3 of four lanes, generated: eight channels to nine or twelve."""
    if group > 1:
        return generated(conv_of((1, 8, 5, 6), (12, 8 // group, 3, 3), pads=(1, 1, 1, 1), group=group), "channel_tiles")
    return generated(conv_of((1, 8, 5, 6), (9, 8, 3, 3), pads=(1, 1, 1, 1)), RGBA)


def deconv_rgba() -> Subject:
    """Transposed convolution of four lanes, five channels to six."""
    return generated(models.conv_transpose((1, 5, 4, 5), 6), RGBA)


def instance_norm(layout: str = RGBA, batch: int = 2) -> Subject:
    """Instance normalisation of small values."""
    return generated(models.instance_norm((batch, 5, 4, 5), epsilon=1e-2, spread=0.2), layout)


def layer_norm(layout: str = FLAT) -> Subject:
    """Layer normalisation of small values."""
    constants = {"s": noise(10, seed=1, shift=1.0, scale=0.4), "b": noise(10, seed=2)}
    return generated(single("LayerNormalization", (2, 3, 10), constants, scale=0.1, axis=-1, epsilon=1e-3), layout)


def matmul(layout: str = UNPACKED) -> Subject:
    """Matrix product of two batches."""
    return generated(single("MatMul", (2, 4, 5), {"w": noise(5, 6, seed=1)}), layout)


def added(layout: str = RGBA, shape: tuple[int, ...] = (5, 1, 1)) -> Subject:
    """A constant of that shape added."""
    return generated(single("Add", (1, 5, 4, 6), {"b": noise(*shape, seed=3)}), layout)


def shown(subject: Subject) -> Subject:
    """The same, fed with values from 0 to 1."""
    return subject.fed(**{key: 1.0 / (1.0 + np.exp(-value)) for key, value in subject.inputs.items()})


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

EPSILONS = (
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
        lambda: instance_norm(),
        (Edit(": sqrt(variance + EPSILON)", ": sqrt(variance)"),),
    ),
    Fault(
        "another constant in a layer normalisation",
        "epsilon",
        layer_norm,
        (Edit(": sqrt(variance + EPSILON)", ": sqrt(variance + 0.0003)"),),
        {"got": 3e-4},
    ),
    Fault(
        "epsilon as the least variance",
        "epsilon",
        lambda: layer_norm(UNPACKED),
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
        seen_more_subjects.group_norm_tiles,
        (Edit("inversesqrt(variance + EPSILON)", "inversesqrt(variance + 0.00097656)"),),
    ),
)


def colours(texels: Texels) -> Texels:
    """As a target of sRGB keeps it: alpha is no colour."""
    return np.concatenate([srgb(texels[..., :3]), texels[..., 3:]], axis=2)


CURVES: tuple[Fault, ...] = (
    Fault("a target of sRGB with alpha", "srgb_encoded", conv_rgba, (Kept(colours),)),
    Fault(
        "a convolution shown by a monitor's gamma",
        "srgb_encoded",
        lambda: generated(models.conv((1, 3, 5, 6), 4)),
        (Edit("    return sum;", "    return pow(max(sum, 0.0), 1.0 / 2.2);"),),
    ),
    Fault(
        "a pool of pictures that are decoded first",
        "srgb_encoded",
        lambda: shown(generated(models.pool("AveragePool", (1, 3, 6, 7), 2, pads=(0, 0, 0, 0)), FLAT)),
        (Edit("see(X(ivec4(at.xy, y, x)),", "see(pow(X(ivec4(at.xy, y, x)), 2.2),"),),
    ),
    Fault(
        "bytes of sRGB",
        "srgb_encoded",
        lambda: shown(generated(models.resize((1, 3, 4, 5)), RGBA)),
        (Kept(lambda texels: bytes_of(srgb(np.clip(texels, 0.0, 1.0)))),),
        alternatives=("quantized_8bit",),  # bytes round as well
    ),
    Fault(
        "weights uploaded as colours",
        "srgb_encoded",
        lambda: generated(models.gemm(), UNPACKED),
        (Weights("w", lambda w: np.sign(w) * np.abs(w) ** 2.2),),
    ),
    Fault(
        "a linear picture encoded before a convolution",
        "srgb_encoded",
        lambda: shown(seen_subjects.conv_relu_fetch()),
        (Edit("texelFetch(u_x, from, 0).r *", "pow(texelFetch(u_x, from, 0).r, 1.0 / 2.2) *"),),
    ),
    Fault(
        "a root in place of a gamma",
        "srgb_encoded",
        lambda: generated(models.pointwise("Sigmoid"), PACKED),
        (Edit("return sigmoid(x);", "return pow(sigmoid(x), 1.0 / 2.4);"),),
    ),
    Fault(
        "four lanes decoded, capped before",
        "srgb_encoded",
        conv_rgba,
        (Edit("    return sum;", "    return pow(clamp(sum, 0.0, 1.0), vec4(2.2));"),),
    ),
)

INDICES = (
    Fault(
        "a column of tiles by a float quotient",
        "float_index_precision",
        lambda: generated(conv_of((1, 24, 4, 5), (5, 24, 1, 1)), RGBA),
        (Edit("tile / 3 * 4 + at.z, at.y % 4", "int(float(tile) * 0.33333) * 4 + at.z, at.y % 4"),),
        where=("sum.", "vec4 v ="),
    ),
    Fault(
        "rows of a matrix product by a float quotient",
        "float_index_precision",
        lambda: generated(single("MatMul", (6, 5), {"w": noise(5, 7, seed=1)}), FLAT),
        (Edit("index / COLUMNS % ROWS", "int(float(index) * 0.142857) % ROWS"),),
        where=("sum += product", "ivec4 row ="),
    ),
    Fault(
        "a channel's number by a float quotient in a batch normalisation",
        "float_index_precision",
        lambda: generated(models.batch_norm((1, 6, 5, 5)), UNPACKED),
        (
            Edit(
                "int c = Y_index(at) / INNER_COUNT % PARAMETER_COUNT;",
                "int c = int(float(Y_index(at)) * 0.03999) % PARAMETER_COUNT;",
            ),
        ),
        where=("float factor =", "return (X(at)"),
    ),
    Fault(
        "a float remainder that is the divisor, in tiles",
        "float_index_precision",
        lambda: generated(models.conv((1, 9, 5, 6), 4)),
        (
            Edit(
                "return ivec3(tile % 3 * 6 + at.w, tile / 3 * 5 + at.z, 0);\n}\nfloat X(",
                "int m = int(float(tile) - 3.0 * floor(float(tile) / 3.0 - 1e-4));\n"
                "    return ivec3(m * 6 + at.w, tile / 3 * 5 + at.z, 0);\n}\nfloat X(",
            ),
        ),
        where=("sum += X(",),
        alternatives=("missing_channels",),  # outside of the texture zeros are read
    ),
    Fault(
        "texels of a long row counted in half precision",
        "float_index_precision",
        lambda: generated(models.pointwise("Tanh", (1, 4, 40, 30)), FLAT),
        (
            Edit(
                "    return ivec3(index / 4 %",
                "    index = index < 2048 ? index : index / 2 * 2;\n    return ivec3(index / 4 %",
            ),
        ),
        where=("return unary(X(at));",),
    ),
    Fault(
        "the slope of the channel before at the edge of channels",
        "float_index_precision",
        lambda: generated(models.prelu((1, 6, 5, 5))),
        (Edit("B(min(at, B_shape - 1))", "B(ivec4(0, int((float(at.y * 25 + at.z * 5 + at.w)) * 0.0399), 0, 0))"),),
        where=("return binary(",),
    ),
    Fault(
        "a group's number by a float quotient in a softmax",
        "float_index_precision",
        lambda: generated(models.softmax((7, 10)), FLAT),
        (
            Edit(
                "int first = index / (AXIS_COUNT * INNER_COUNT) * (AXIS_COUNT * INNER_COUNT)",
                "int first = int(float(index) * 0.09999) * (AXIS_COUNT * INNER_COUNT)",
            ),
        ),
        where=("sum += exp(X_linear(",),
    ),
)

FAULTS: tuple[Fault, ...] = (*BIASES, *ACTIVATIONS, *EPSILONS, *CURVES, *INDICES)
