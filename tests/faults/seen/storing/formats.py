"""The same causes in other operators, layouts and words: epsilons, the curve of sRGB, indices in floats."""

from __future__ import annotations

import numpy as np

from tests.faults import models
from tests.faults.changes import Edit, Kept, Weights, bytes_of, srgb
from tests.faults.fault import Fault
from tests.faults.faulty_session import Texels
from tests.faults.models import noise
from tests.faults.models_more import conv_of, single
from tests.faults.seen.subjects import convolutions as seen_subjects
from tests.faults.seen.subjects import pictures as seen_more_subjects
from tests.faults.seen.subjects.layers import (
    FLAT,
    PACKED,
    RGBA,
    UNPACKED,
    conv_rgba,
    instance_norm,
    layer_norm,
    shown,
)
from tests.faults.subjects import generated

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

FAULTS: tuple[Fault, ...] = (*EPSILONS, *CURVES, *INDICES)
