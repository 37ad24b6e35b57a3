"""Plants bugs in channels: exchanged, left out, too many, of another group."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit, Padding, Uniform
from tests.faults.fault import Fault
from tests.faults.held_out.subjects import convolutions, elements, pictures, rows
from tests.faults.models import conv_of
from tests.faults.subjects import generated

GETX_READ = "float xValue = getX("
GROUPED_READ = "return texelFetch(uInput"
CONV_READ = "sum += X(ivec4("

FAULTS: tuple[Fault, ...] = (
    Fault(
        "channels of a slope and of a picture in another order",
        "channel_permutation",
        rows.softmax_tiles,
        (
            Edit(
                "exp(texelFetch(t_x, here, 0).r - top) / total",
                "exp(texelFetch(t_x, ivec2((here.x + u_tile.x) % (u_columns * u_tile.x), here.y), 0).r - top) / total",
            ),
        ),
    ),
    Fault(
        "blue, green, red",
        "channel_permutation",
        convolutions.conv_getx,
        (Edit("getX(batch, d1, xR, xC)", "getX(batch, 2 - d1, xR, xC)"),),
        alternatives=("filter_offset",),  # channels in another order are the kernels of a filter in another order
        where=("return sampleTexture(x, uv)",),
    ),
    Fault(
        "a picture that is repeated with red and blue swapped",
        "channel_permutation",
        pictures.triple_rgba,
        (Edit("texture(picture, uv);", "texture(picture, uv).bgra;"),),
    ),
    Fault(
        "blocks folded with the block's place counted first",
        "channel_permutation",
        pictures.fold_tiles,
        (
            Edit("int source = channel % CHANNELS;", "int source = channel / (BLOCK * BLOCK);"),
            Edit("int place = channel / CHANNELS;", "int place = channel % (BLOCK * BLOCK);"),
        ),
        where=("texelFetch(u_wide",),
    ),
    Fault(
        "the first channel skipped",
        "missing_channels",
        convolutions.conv_getx,
        (Edit("for (int d1 = 0;", "for (int d1 = 1;"),),
        where=(GETX_READ, "return sampleTexture(x, uv)"),
    ),
    Fault(
        "the last pair of a matrix product skipped",
        "missing_channels",
        rows.gemm_blocks,
        (Edit("i < sharedDim; i++", "i < sharedDim - 1; i++"),),
        where=("vec4 a = texelFetch(matrixA", "result += "),
        alternatives=("missing_taps",),  # the inner index of a matrix product is channel and tap alike
    ),
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
        convolutions.conv_relu_unpacked,
        (Edit("for (int c = 0; c < X.x; c++)", "for (int c = 0; c < X.x - 1; c++)"),),
        where=("s += x_at(", ": texelFetch(t_x"),
    ),
    Fault(
        "neighbours above left out of a response",
        "missing_channels",
        elements.lrn_tiles,
        (Edit("int to = min(c + SPAN / 2, C - 1);", "int to = c;"),),
        where=("float v = texelFetch(t_map",),
        alternatives=("missing_taps",),  # the window lies along the channels
    ),
    Fault(
        "a softmax over the empty tiles too",
        "extra_channels",
        rows.softmax_tiles,
        (Uniform("u_channels", 9),),
        where=("total += exp(", "top = max(top"),
    ),
    Fault(
        "packed lanes beyond an odd inner side",
        "extra_channels",
        rows.gemm_blocks,
        (Padding("x", 0.8), Padding("w", -0.6)),
        where=("result += ", "vec4 a = texelFetch(matrixA", "vec4 b = texelFetch(matrixB"),
    ),
    Fault(
        "a norm's energy over a window of seven for five",
        "extra_channels",
        elements.lrn_tiles,
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
        "three groups taken for one",
        "group_ignored",
        lambda: generated(models.conv((1, 6, 7, 6), 6, group=3), "row_major_rgba"),
        (Edit("const int OUTPUTS_PER_GROUP = 2;", "const int OUTPUTS_PER_GROUP = 6;"),),
        where=(CONV_READ, "int first_channel ="),
    ),
    Fault(
        "the first four inputs for both groups",
        "group_ignored",
        convolutions.grouped_rgba,
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
