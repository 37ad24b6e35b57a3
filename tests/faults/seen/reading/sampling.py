"""Planted bugs in coordinates and in the weights' places: filters, half texels, indices in floats."""

from __future__ import annotations

import numpy as np

from tests.faults import models
from tests.faults.changes import Edit, Sampled, Uniform, Weights
from tests.faults.fault import Fault
from tests.faults.seen.subjects import convolutions as seen_subjects
from tests.faults.subjects import generated

CONV_READ = "sum += X(ivec4("
TILES_READ = "float value = texture(u_image"

KERNELS = (
    Fault(
        "a kernel from its last weight to its first",
        "kernel_flip",
        lambda: generated(models.conv(), "tfjs_unpacked"),
        (Edit("W(ivec4(at.y, i, p, q))", "W(ivec4(at.y, i, W_shape.z - 1 - p, W_shape.w - 1 - q))"),),
    ),
    Fault(
        "a transposed convolution's kernel turned once too often",
        "kernel_flip",
        seen_subjects.deconv_tiles,
        (Edit("kernel_cell * KERNEL + tap;", "kernel_cell * KERNEL + KERNEL - 1.0 - tap;"),),
        where=("texture(u_filters",),
        seen_at="TVM#9336",
    ),
    Fault(
        "7x7 weights exported for true convolution",
        "kernel_flip",
        lambda: generated(models.conv((1, 2, 9, 10), 4, 7)),
        (Weights("w", lambda w: w[:, :, ::-1, ::-1]),),
    ),
    Fault(
        "a kernel's rows read as columns",
        "kernel_transpose",
        seen_subjects.conv_tiles,
        (Edit("(kernel_corner + vec2(kx, ky)", "(kernel_corner + vec2(ky, kx)"),),
        where=("texture(u_filters",),
    ),
    Fault(
        "weights stored with x before y",
        "kernel_transpose",
        lambda: generated(models.conv((1, 4, 8, 7), 6), "row_major_rgba"),
        (Weights("w", lambda w: np.swapaxes(w, 2, 3)),),
    ),
    Fault(
        "inputs and outputs of the weights swapped",
        "filter_io_swap",
        lambda: generated(models.conv((1, 6, 7, 8), 6)),
        (Edit("W(ivec4(at.y, i, p, q))", "W(ivec4(i, at.y, p, q))"),),
    ),
    Fault(
        "a transposed convolution with a convolution's weights",
        "filter_io_swap",
        lambda: generated(models.conv_transpose((1, 5, 5, 4), 5), "tfjs_unpacked"),
        (Weights("w", lambda w: np.swapaxes(w, 0, 1)),),
        seen_at="tt-metal#19183",
    ),
    Fault(
        "every output with the next one's filter",
        "filter_offset",
        lambda: generated(models.conv(), "row_major_rgba"),
        (Edit("W(ivec4(at.y, i, p, q))", "W(ivec4((at.y + 1) % W_shape.x, i, p, q))"),),
    ),
    Fault(
        "kernels one tile further on",
        "filter_offset",
        seen_subjects.conv_rgba,
        (Edit("feature * u_in_groups + group;", "feature * u_in_groups + group + 1;"),),
        where=("return texelFetch(u_kernel", "sum += dot("),
    ),
    Fault(
        "weights uploaded with the last filter first",
        "filter_offset",
        lambda: generated(models.conv((1, 3, 7, 8), 5, 1, pads=(0, 0, 0, 0))),
        (Weights("w", lambda w: np.roll(w, 1, axis=0)),),
    ),
    Fault(
        "the last column of a kernel left out",
        "missing_taps",
        lambda: generated(models.conv((1, 4, 9, 8), 5, 4, pads=(1, 1, 2, 2))),
        (Edit("q < W_shape.w; q++", "q < W_shape.w - 1; q++"),),
        where=(CONV_READ,),
    ),
    Fault(
        "a pool of 2x2 that should be 3x3",
        "missing_taps",
        seen_subjects.maxpool_rgba,
        (Uniform("u_window", 2),),
        where=("best = max(best, texelFetch", "dx < u_window", "dy < u_window"),
    ),
    Fault(
        "a kernel's first row left out",
        "missing_taps",
        seen_subjects.conv_tiles,
        (Edit("for (float ky = 0.0;", "for (float ky = 1.0;"),),
        where=(TILES_READ,),
    ),
)

FILTERING = (
    Fault(
        "enlarging with a filter on",
        "linear_filtering",
        seen_subjects.upsample_uv,
        (Sampled("u_picture", filter="linear"),),
        where=("texture(u_picture, uv)",),
    ),
    Fault(
        "enlarging by three with a filter on",
        "linear_filtering",
        lambda: seen_subjects.upsample_uv(3),
        (Sampled("u_picture", filter="linear"),),
        where=("texture(u_picture, uv)",),
    ),
    Fault(
        "pixel corners taken for pixel centres",
        "half_texel",
        seen_subjects.bilinear_tiles,
        (Edit("vec2 source = local * 0.5 - 0.5;", "vec2 source = local * 0.5 - 0.25;"),),
        where=("return texture(u_image",),
    ),
    Fault(
        "half a texel missing under a linear filter",
        "half_texel",
        seen_subjects.conv_tiles,
        (Edit("(image_corner + at + 0.5)", "(image_corner + at)"), Sampled("u_image", filter="linear")),
        where=(TILES_READ,),
        alternatives=("linear_filtering",),  # it takes both: without the filter there is no average
    ),
    Fault(
        "samples on texel corners of 24 by 20",
        "texel_edge",
        lambda: seen_subjects.conv_tiles(models.conv((1, 4, 10, 12), 3, 3), 1, 1),
        (
            Edit(
                "vec2 image_uv = (image_corner + at + 0.5) / (u_in_tile * u_in_grid);",
                "vec2 image_uv = (image_corner + at + 0.5) / (u_in_tile * u_in_grid) - 0.5 / (u_in_tile * u_in_grid);",
            ),
        ),
        where=(TILES_READ,),
        alternatives=("half_texel",),  # the missing half is why the samples lie on the edge
    ),
    Fault(
        "joined pictures sampled at texel corners",
        "texel_edge",
        lambda: seen_subjects.concat_tiles((3, 5, 4)),
        (
            Edit(
                "return texture(image, at / vec2(textureSize(image, 0))).r;",
                "vec2 texel = 1.0 / vec2(textureSize(image, 0));\n"
                "    return texture(image, at * texel - texel * 0.5).r;",
            ),
        ),
        where=("return texture(image", "color = read("),
        alternatives=("half_texel",),  # as above
    ),
)

INDICES = (
    Fault(
        "a remainder that reaches its divisor",
        "float_index_precision",
        seen_subjects.gemm_flat,
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
        seen_subjects.conv_tiles,
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
        (Edit("int tile = at.x * 36 + at.y;", "int tile = at.y - (at.y % 16 == 1 ? 1 : 0);"),),
        where=("return unary(X(at));",),
        seen_at="pycortex#260, neuroglancer#51",
    ),
    Fault(
        "a row's number from a quotient in half precision",
        "float_index_precision",
        lambda: seen_subjects.softmax_flat(20, 12),
        (
            Edit(
                "int first = index / u_length * u_length;",
                "int first = int(float(index) * 0.0833) * u_length;",
            ),
        ),
        where=("sum += exp(value(",),
    ),
)

FAULTS = (*KERNELS, *FILTERING, *INDICES)
