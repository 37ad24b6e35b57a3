"""Planted bugs in weights: turned or exchanged kernels, other filters, taps left out."""

from __future__ import annotations

import numpy as np

from tests.faults import models
from tests.faults.changes import Edit, Weights
from tests.faults.fault import Fault
from tests.faults.held_out.subjects import convolutions, rows
from tests.faults.models import conv_of, noise, single
from tests.faults.subjects import generated

BLOCKS_READ = "total += fetch_input("
FLAT_READ = "float pixel = get(memory,"
ROWS_READ = "return inside.x * inside.y * texture(u_source"
POOL_READ = "see(X(ivec4("

FAULTS: tuple[Fault, ...] = (
    Fault(
        "a depthwise kernel turned around",
        "kernel_flip",
        convolutions.deconv_fetch,
        (Edit("tile * kernel_size + ivec2(a, b)", "tile * kernel_size + kernel_size - 1 - ivec2(a, b)"),),
    ),
    Fault(
        "weights turned on their way to the GPU",
        "kernel_flip",
        convolutions.conv_blocks,
        (Weights("w", lambda w: w[:, :, ::-1, ::-1]),),
    ),
    Fault(
        "a gradient's kernel that is not turned around",
        "kernel_flip",
        convolutions.deconv_getdy,
        (
            Edit("int wRPerm = filterSize - 1 - wR;", "int wRPerm = wR;"),
            Edit("int wCPerm = filterSize - 1 - wC;", "int wCPerm = wC;"),
        ),
        where=("return texelFetch(W", "dotProd += dyValue"),
    ),
    Fault(
        "a kernel from its far corner, row by row",
        "kernel_flip",
        convolutions.conv_rows_uv,
        (Edit("w[i] = weight(k + vec2(i, 0));", "w[i] = weight(kernel + vec2(3.0 - float(i), 3.0 - row));"),),
        where=("return texture(u_filter",),
    ),
    Fault(
        "a 7x7 kernel by columns",
        "kernel_transpose",
        convolutions.conv_flat,
        (Edit("* u_kernel + v) * u_kernel + u);", "* u_kernel + u) * u_kernel + v);"),),
    ),
    Fault(
        "kernels of a group by columns",
        "kernel_transpose",
        convolutions.grouped_rgba,
        (Edit("corner + k, 0)", "corner + k.yx, 0)"),),
        where=("return texelFetch(uKernel",),
    ),
    Fault(
        "weights of a transposed convolution exported with x first",
        "kernel_transpose",
        lambda: generated(models.conv_transpose((1, 3, 5, 4), 4, 3, stride=2), "channel_tiles_rgba"),
        (Weights("w", lambda w: np.swapaxes(w, 2, 3)),),
    ),
    Fault(
        "weights with outputs last",
        "filter_io_swap",
        lambda: convolutions.conv_blocks(models.conv((1, 4, 7, 8), 4, 3)),
        (
            Edit(
                "texelFetch(t_weight, ivec2(q, (o * u_input.x + i)", "texelFetch(t_weight, ivec2(q, (i * u_input.x + o)"
            ),
        ),
        where=(BLOCKS_READ,),
    ),
    Fault(
        "weights of a 1x1 convolution by input",
        "filter_io_swap",
        convolutions.pointwise_flat,
        (Edit("p.y * inShape.y + i)", "i * outShape.y + p.y)"),),
        where=("return texelFetch(data",),
    ),
    Fault(
        "a square matrix multiplied by its rows",
        "filter_io_swap",
        lambda: generated(single("MatMul", (2, 5, 6), {"w": noise(6, 6, seed=1)}), "row_major_rgba"),
        (Edit("column + ivec4(0, 0, k, 0)", "ivec4(column.xy, column.w, k)"),),
    ),
    Fault(
        "filters one row too far",
        "filter_offset",
        convolutions.conv_getx,
        (
            Edit(
                "int index = (d2 * wShape.y + d1) * wShape.z + wR;",
                "int index = (d2 * wShape.y + d1) * wShape.z + wR + 1;",
            ),
        ),
        where=("return sampleTexture(W, uv)", "float wValue = getW("),
    ),
    Fault(
        "filters uploaded from the second on",
        "filter_offset",
        lambda: generated(models.conv((1, 5, 6, 7), 6, 3, bias=False), "channel_tiles_rgba"),
        (Weights("w", lambda w: np.roll(w, -1, axis=0)),),
    ),
    Fault(
        "a gradient with the kernels of the next output",
        "filter_offset",
        convolutions.deconv_getdy,
        (Edit("(d1 * outChannels + d2) * filterSize", "(d1 * outChannels + (d2 + 1) % outChannels) * filterSize"),),
        where=("dotProd += dyValue",),
    ),
    Fault(
        "filters of groups uploaded one group on",
        "filter_offset",
        lambda: generated(conv_of((1, 6, 6, 7), (6, 2, 3, 3), pads=(1, 1, 1, 1), group=3), "tfjs_unpacked"),
        (Weights("w", lambda w: np.roll(w, -2, axis=0)),),
    ),
    Fault(
        "the middle row of a kernel skipped",
        "missing_taps",
        convolutions.conv_blocks,
        (Edit("for (int p = 0; p < u_kernel.x; ++p)", "for (int p = 0; p < u_kernel.x; p += 2)"),),
        where=("vec4 quad = texelFetch", BLOCKS_READ),
    ),
    Fault(
        "a loop that ends one tap early",
        "missing_taps",
        convolutions.conv_flat,
        (Edit("u < u_kernel; u++", "u < u_kernel - 1.0; u++"),),
        where=(FLAT_READ,),
    ),
    Fault(
        "rows of a kernel without their last tap",
        "missing_taps",
        convolutions.conv_rows_uv,
        (Edit("total += dot(x, w);", "total += dot(x.xyz, w.xyz);"),),
        where=(ROWS_READ, "x[i] = source("),
    ),
    Fault(
        "a gradient that leaves the last row of its kernel out",
        "missing_taps",
        convolutions.deconv_getdy,
        (Edit("for (int wR = 0; wR < filterSize; wR++)", "for (int wR = 0; wR < filterSize - 1; wR++)"),),
        where=("return texelFetch(dy", "float dyValue = getDy"),
    ),
    Fault(
        "a largest of two rows of three",
        "missing_taps",
        lambda: generated(models.pool("MaxPool", (1, 5, 8, 9))),
        (Edit("p < KERNEL_Y; p++", "p < KERNEL_Y - 1; p++"),),
        where=(POOL_READ,),
    ),
    Fault(
        "a mean of columns without their first row",
        "missing_taps",
        rows.column_means,
        (Edit("int row = 0;", "int row = 1;"),),
        where=("total += at(", "return texelFetch(memory"),
        alternatives=("missing_channels",),  # an axis that is averaged is channel and tap alike
    ),
)
