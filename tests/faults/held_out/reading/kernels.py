"""More planted bugs in the weights' places and in channels, where the other `held_out_` modules have none."""

from __future__ import annotations

import numpy as np

from tests.faults import models
from tests.faults.changes import Edit, Padding, Weights
from tests.faults.fault import Fault
from tests.faults.held_out.subjects import pictures as subjects
from tests.faults.models import noise
from tests.faults.models_more import conv_of, single
from tests.faults.subjects import generated

CONV_READ = "sum += X(ivec4("
POOL_READ = "see(X(ivec4("
ROWS_READ = "return inside.x * inside.y * texture(u_source"
GROUPED_READ = "return texelFetch(uInput"

KERNELS = (
    Fault(
        "a gradient's kernel that is not turned around",
        "kernel_flip",
        subjects.deconv_getdy,
        (
            Edit("int wRPerm = filterSize - 1 - wR;", "int wRPerm = wR;"),
            Edit("int wCPerm = filterSize - 1 - wC;", "int wCPerm = wC;"),
        ),
        where=("return texelFetch(W", "dotProd += dyValue"),
    ),
    Fault(
        "a kernel from its far corner, row by row",
        "kernel_flip",
        subjects.conv_rows_uv,
        (Edit("w[i] = weight(k + vec2(i, 0));", "w[i] = weight(kernel + vec2(3.0 - float(i), 3.0 - row));"),),
        where=("return texture(u_filter",),
    ),
    Fault(
        "kernels of a group by columns",
        "kernel_transpose",
        subjects.grouped_rgba,
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
        "weights of a 1x1 convolution by input",
        "filter_io_swap",
        subjects.pointwise_flat,
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
        "a gradient with the kernels of the next output",
        "filter_offset",
        subjects.deconv_getdy,
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
        "rows of a kernel without their last tap",
        "missing_taps",
        subjects.conv_rows_uv,
        (Edit("total += dot(x, w);", "total += dot(x.xyz, w.xyz);"),),
        where=(ROWS_READ, "x[i] = source("),
    ),
    Fault(
        "a gradient that leaves the last row of its kernel out",
        "missing_taps",
        subjects.deconv_getdy,
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
        subjects.column_means,
        (Edit("int row = 0;", "int row = 1;"),),
        where=("total += at(", "return texelFetch(memory"),
        alternatives=("missing_channels",),  # an axis that is averaged is channel and tap alike
    ),
)

CHANNELS = (
    Fault(
        "every fourth input left out of a transposed convolution",
        "missing_channels",
        lambda: generated(
            conv_of((1, 8, 4, 5), (8, 3, 2, 2), op_type="ConvTranspose", strides=(2, 2)), "channel_tiles_rgba"
        ),
        (Edit("                if (i + 3 < CHANNELS) sum += v.w * W_group(i + 3, outputs, p, q);\n", ""),),
        where=("vec4 v = X_group", "sum += v.z"),
        alternatives=("dropped_lane",),  # the fourth lane holds channels 3 and 7
    ),
    Fault(
        "the second of two planes left out",
        "missing_channels",
        subjects.conv_relu_unpacked,
        (Edit("for (int c = 0; c < X.x; c++)", "for (int c = 0; c < X.x - 1; c++)"),),
        where=("s += x_at(", ": texelFetch(t_x"),
    ),
    Fault(
        "neighbours above left out of a response",
        "missing_channels",
        subjects.lrn_tiles,
        (Edit("int to = min(c + SPAN / 2, C - 1);", "int to = c;"),),
        where=("float v = texelFetch(t_map",),
        alternatives=("missing_taps",),  # the window lies along the channels
    ),
    Fault(
        "a norm's energy over a window of seven for five",
        "extra_channels",
        subjects.lrn_tiles,
        (
            Edit("int from = max(c - SPAN / 2, 0);", "int from = max(c - 3, 0);"),
            Edit("int to = min(c + SPAN / 2, C - 1);", "int to = min(c + 3, C - 1);"),
        ),
        where=("float v = texelFetch(t_map",),
    ),
    Fault(
        "lanes without a channel taken for zero",
        "extra_channels",
        lambda: generated(conv_of((1, 6, 5, 6), (4, 6, 3, 3), pads=(1, 1, 1, 1)), "channel_tiles_rgba"),
        (
            Edit(
                "return vec4(lanes.x, channels > 1 ? lanes.y : 0.0, channels > 2 ? lanes.z : 0.0,"
                " channels > 3 ? lanes.w : 0.0);",
                "return lanes;",
            ),
            Padding("x", -0.9),
            Padding("w", 0.7),
        ),
        where=("vec4 v = of_channels(", "X_group(int n"),
    ),
    Fault(
        "the first four inputs for both groups",
        "group_ignored",
        subjects.grouped_rgba,
        (Edit("vec4 v = inputAt(tile, ", "vec4 v = inputAt(0, "),),
        where=(GROUPED_READ,),
    ),
    Fault(
        "groups of inputs by the wrong number of outputs",
        "group_ignored",
        lambda: generated(conv_of((1, 6, 6, 5), (6, 2, 3, 3), pads=(1, 1, 1, 1), group=3), "tfjs_packed"),
        (Edit("const int OUTPUTS_PER_GROUP = 2;", "const int OUTPUTS_PER_GROUP = 6;"),),
        where=(CONV_READ, "int first_channel ="),
    ),
)

FAULTS: tuple[Fault, ...] = (*KERNELS, *CHANNELS)
