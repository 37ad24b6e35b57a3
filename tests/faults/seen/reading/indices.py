"""Planted bugs in indices worked out in floats."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.models import conv_of, noise, single
from tests.faults.seen.subjects import convolutions, rows
from tests.faults.subjects import FLAT, RGBA, UNPACKED, generated

TILES_READ = "float value = texture(u_image"

FAULTS: tuple[Fault, ...] = (
    Fault(
        "a remainder that reaches its divisor",
        "float_index_precision",
        rows.gemm_flat,
        (
            Edit(
                "int column = index % u_columns;",
                "int column = index - int(float(u_columns) * floor(float(index) / float(u_columns) - 1e-4));",
            ),
        ),
        where=("sum += element(A", "return sum + element(C"),
        seen_at="onnxruntime#7689, gpu.js#470",
    ),
    Fault(
        "a quotient just below the whole number",
        "float_index_precision",
        convolutions.conv_tiles,
        (Edit("floor((index + 0.5) / grid.x)", "floor(index * (0.99999 / grid.x))"),),
        where=(TILES_READ, "texture(u_filters"),
        seen_at="Paddle.js#431",
    ),
    Fault(
        "indices beyond 2048 rounded to even ones",
        "float_index_precision",
        lambda: generated(models.pointwise("LeakyRelu", (1, 3, 30, 29), alpha=0.1), "row_major_rgba"),
        (
            Edit(
                "    return ivec3(index / 4 %",
                "    index = index < 2048 ? index : (index + 1) / 2 * 2;\n    return ivec3(index / 4 %",
            ),
        ),
        where=("return unary(X(at));",),
        seen_at="tfjs#510, tfjs#1657",
    ),
    Fault(
        "slices 16 n and 16 n + 1 alike",
        "float_index_precision",
        lambda: generated(models.pointwise("Tanh", (1, 36, 3, 4))),
        (
            Edit(
                "int tile = at.x * 36 + at.y;",
                "int tile = int(float(at.y) - step(0.9, 1.0 - abs(mod(float(at.y), 16.0) - 1.0)));",
            ),
        ),
        where=("return unary(X(at));",),
        seen_at="pycortex#260, neuroglancer#51",
    ),
    Fault(
        "a row's number from a quotient in half precision",
        "float_index_precision",
        lambda: rows.softmax_flat(20, 12),
        (
            Edit(
                "int first = index / u_length * u_length;",
                "int first = int(float(index) * 0.0833) * u_length;",
            ),
        ),
        where=("sum += exp(value(",),
    ),
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
    Fault(
        "a column from the fraction of a quotient, cut off",
        "float_index_precision",
        convolutions.deconv_flat,
        (Edit("int x = index % (2 * W);", "int x = int(fract(float(index) / float(2 * W)) * float(2 * W));"),),
        where=("vec4 texel = texelFetch(memory", "float value = element(data", "element(kernels"),
    ),
)
