"""Planted bugs in where a shader reads, in other shaders and ways than those of `seen_reading` and `seen_sampling`."""

from __future__ import annotations

import numpy as np

from tests.faults import models
from tests.faults.changes import Edit, OnBindDo, Padding, Sampled, Uniform, Vertex, Weights
from tests.faults.fault import Fault
from tests.faults.held_out.subjects import convolutions as held_out_subjects
from tests.faults.states import bound_other
from tests.faults.subjects import generated

GETX_READ = "float xValue = getX("
BLOCKS_READ = "total += fetch_input("
FLAT_READ = "float pixel = get(memory,"
GENERATED_READ = "sum += X(ivec4("

PLACES = (
    Fault(
        "a row too low in generated code",
        "shift",
        held_out_subjects.conv_getx,
        (Edit("const ivec2 pads = ivec2(2, 2);", "const ivec2 pads = ivec2(1, 2);"),),
        {"dx": 0, "dy": 1},
        (GETX_READ, "return sampleTexture(x, uv)"),
    ),
    Fault(
        "a depthwise transposed convolution up and left",
        "shift",
        lambda: held_out_subjects.deconv_fetch(1, 3, 1),
        (Uniform("crop", 2),),
        where=("float x = texelFetch(image", "ivec2 place ="),
        seen_at="MNN#951",
    ),
    Fault(
        "two columns off on 2x2 blocks",
        "shift",
        held_out_subjects.conv_blocks,
        (Edit("x + q - u_padding)", "x + q - u_padding - 2)"),),
        {"dx": -2, "dy": 0},
        ("vec4 quad = texelFetch",),
    ),
    Fault(
        "a difference with its first image mirrored",
        "flip_x",
        lambda: held_out_subjects.subtract_uv((1, 1, 7, 9)),
        (Edit("texture(left, place)", "texture(left, vec2(1.0 - place.x, place.y))"),),
    ),
    Fault(
        "a pool of a picture from the bottom up",
        "flip_y",
        held_out_subjects.avgpool_rgba,
        (
            Edit(
                "tile * u_source_tile + at + 0.5",
                "tile * u_source_tile + vec2(at.x, u_source_tile.y - 1.0 - at.y) + 0.5",
            ),
        ),
        where=("return outside ?",),
    ),
    Fault(
        "a difference in a framebuffer upside down",
        "flip_y",
        held_out_subjects.subtract_uv,
        (Vertex("held_out/place_upside_down.vert"),),
    ),
    Fault(
        "rows and columns swapped in generated code",
        "transpose_xy",
        lambda: generated(models.conv((1, 4, 8, 8), 5, 1, pads=(0, 0, 0, 0)), "tfjs_packed"),
        (Edit("X(ivec4(at.x, first_channel + i, y, x))", "X(ivec4(at.x, first_channel + i, x, y))"),),
    ),
    Fault(
        "channels of a slope and of a picture in another order",
        "channel_permutation",
        held_out_subjects.softmax_tiles,
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
        held_out_subjects.conv_getx,
        (Edit("getX(batch, d1, xR, xC)", "getX(batch, 2 - d1, xR, xC)"),),
        alternatives=("filter_offset",),  # channels in another order are the kernels of a filter in another order
        where=("return sampleTexture(x, uv)",),
    ),
)

EDGES = (
    Fault(
        "no test for rows outside the image",
        "tile_bleed",
        held_out_subjects.conv_getx,
        (Edit("if (xR < 0 || xR >= xShape.z) {", "if (xR < -100) {"),),
        where=(GETX_READ, "return sampleTexture(x, uv)"),
    ),
    Fault(
        "a mean over a window that leaves its tile",
        "tile_bleed",
        held_out_subjects.avgpool_rgba,
        (
            Edit(
                "any(lessThan(at, vec2(0.0))) || any(greaterThanEqual(at, u_source_tile))",
                "any(lessThan(at, vec2(0.0)))",
            ),
        ),
        where=("return outside ?",),
    ),
    Fault(
        "the image's edge repeated under flat memory",
        "padding_mode",
        held_out_subjects.conv_flat,
        (
            Edit("if (from_y < 0.0 || from_y >= u_in.y) continue;", "from_y = clamp(from_y, 0.0, u_in.y - 1.0);"),
            Edit("if (from_x < 0.0 || from_x >= u_in.z) continue;", "from_x = clamp(from_x, 0.0, u_in.z - 1.0);"),
        ),
        {"got": "edge"},
        (FLAT_READ,),
    ),
    Fault(
        "the image wrapped around in generated code",
        "padding_mode",
        lambda: generated(models.conv((1, 3, 8, 7), 4), "tfjs_unpacked"),
        (
            Edit("if (y < 0 || y >= X_shape.z) continue;", "y = (y + X_shape.z) % X_shape.z;"),
            Edit("if (x < 0 || x >= X_shape.w) continue;", "x = (x + X_shape.w) % X_shape.w;"),
        ),
        {"got": "wrap"},
        (GENERATED_READ,),
    ),
)

STEPS = (
    Fault(
        "stride of one in flat memory",
        "stride",
        held_out_subjects.conv_flat,
        (Uniform("u_stride", 1.0),),
        {"got": [1, 1]},
        where=(FLAT_READ, "float from_y = y * u_stride", "float from_x = x * u_stride"),
    ),
    Fault(
        "rows doubled in a mean of 4x4",
        "stride",
        held_out_subjects.avgpool_rgba,
        (
            Edit(
                "mod(gl_FragCoord.xy, u_tile)) * u_stride - u_pad;",
                "mod(gl_FragCoord.xy, u_tile)) * vec2(u_stride, 1.0) - u_pad;",
            ),
        ),
        {"got": [2, 1]},
        where=("return outside ?",),
    ),
    Fault(
        "dilation of one for two",
        "dilation",
        held_out_subjects.conv_getx,
        (Edit("const ivec2 dilations = ivec2(2, 2);", "const ivec2 dilations = ivec2(1, 1);"),),
        {"got": [1, 1]},
        where=(GETX_READ, "return sampleTexture(x, uv)"),
    ),
    Fault(
        "dilation where there is none",
        "dilation",
        lambda: generated(models.conv((1, 3, 9, 10), 4), "tfjs_packed"),
        (Edit("const int DILATION_X = 1;", "const int DILATION_X = 2;"),),
        {"got": [2, 1]},
        where=(GENERATED_READ,),
    ),
)

KERNELS = (
    Fault(
        "a depthwise kernel turned around",
        "kernel_flip",
        held_out_subjects.deconv_fetch,
        (Edit("tile * kernel_size + ivec2(a, b)", "tile * kernel_size + kernel_size - 1 - ivec2(a, b)"),),
    ),
    Fault(
        "weights turned on their way to the GPU",
        "kernel_flip",
        held_out_subjects.conv_blocks,
        (Weights("w", lambda w: w[:, :, ::-1, ::-1]),),
    ),
    Fault(
        "a 7x7 kernel by columns",
        "kernel_transpose",
        held_out_subjects.conv_flat,
        (Edit("* u_kernel + v) * u_kernel + u);", "* u_kernel + u) * u_kernel + v);"),),
    ),
    Fault(
        "weights with outputs last",
        "filter_io_swap",
        lambda: held_out_subjects.conv_blocks(models.conv((1, 4, 7, 8), 4, 3)),
        (
            Edit(
                "texelFetch(t_weight, ivec2(q, (o * u_input.x + i)", "texelFetch(t_weight, ivec2(q, (i * u_input.x + o)"
            ),
        ),
        where=(BLOCKS_READ,),
    ),
    Fault(
        "filters one row too far",
        "filter_offset",
        held_out_subjects.conv_getx,
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
        "the middle row of a kernel skipped",
        "missing_taps",
        held_out_subjects.conv_blocks,
        (Edit("for (int p = 0; p < u_kernel.x; ++p)", "for (int p = 0; p < u_kernel.x; p += 2)"),),
        where=("vec4 quad = texelFetch", BLOCKS_READ),
    ),
    Fault(
        "a loop that ends one tap early",
        "missing_taps",
        held_out_subjects.conv_flat,
        (Edit("u < u_kernel; u++", "u < u_kernel - 1.0; u++"),),
        where=(FLAT_READ,),
    ),
)

CHANNELS = (
    Fault(
        "the first channel skipped",
        "missing_channels",
        held_out_subjects.conv_getx,
        (Edit("for (int d1 = 0;", "for (int d1 = 1;"),),
        where=(GETX_READ, "return sampleTexture(x, uv)"),
    ),
    Fault(
        "the last pair of a matrix product skipped",
        "missing_channels",
        held_out_subjects.gemm_blocks,
        (Edit("i < sharedDim; i++", "i < sharedDim - 1; i++"),),
        where=("vec4 a = texelFetch(matrixA", "result += "),
        alternatives=("missing_taps",),  # the inner index of a matrix product is channel and tap alike
    ),
    Fault(
        "a softmax over the empty tiles too",
        "extra_channels",
        held_out_subjects.softmax_tiles,
        (Uniform("u_channels", 9),),
        where=("total += exp(", "top = max(top"),
    ),
    Fault(
        "packed lanes beyond an odd inner side",
        "extra_channels",
        held_out_subjects.gemm_blocks,
        (Padding("x", 0.8), Padding("w", -0.6)),
        where=("result += ", "vec4 a = texelFetch(matrixA", "vec4 b = texelFetch(matrixB"),
    ),
    Fault(
        "three groups taken for one",
        "group_ignored",
        lambda: generated(models.conv((1, 6, 7, 6), 6, group=3), "row_major_rgba"),
        (Edit("const int OUTPUTS_PER_GROUP = 2;", "const int OUTPUTS_PER_GROUP = 6;"),),
        where=(GENERATED_READ, "int first_channel ="),
    ),
)

SAMPLES = (
    Fault(
        "halving with a filter on",
        "linear_filtering",
        held_out_subjects.halve_uv,
        (Sampled("picture", filter="linear"),),
        where=("kept = texture(picture",),
    ),
    Fault(
        "enlarging from corners",
        "half_texel",
        held_out_subjects.lerp_fetch,
        (Edit("(vec2(texel % size) + 0.5) / float(factor) - 0.5", "vec2(texel % size) / float(factor)"),),
        where=("total += part * texelFetch",),
    ),
    Fault(
        "coordinates of corners, filtered",
        "half_texel",
        lambda: held_out_subjects.prelu_tiles((1, 4, 7, 9)),
        (
            Edit("vec2 uv = (vec2(texel) + 0.5)", "vec2 uv = vec2(texel)"),
            Sampled("features", filter="linear"),
        ),
        where=("float x = texture(features, uv)",),
        alternatives=("linear_filtering",),  # it takes both: without the filter there is no average
    ),
    Fault(
        "reads half a texel back at 36 by 20",
        "texel_edge",
        lambda: held_out_subjects.subtract_uv((1, 4, 10, 18)),
        (Edit("texture(left, place)", "texture(left, place - 0.5 / vec2(textureSize(left, 0)))"),),
        alternatives=("half_texel",),  # the missing half is why the samples lie on the edge
    ),
    Fault(
        "a remainder in floats",
        "float_index_precision",
        held_out_subjects.conv_flat,
        (Edit("float row = floor((index + 0.5) / u_out.z);", "float row = floor(index * 0.19999);"),),
        where=(FLAT_READ,),
        seen_at="gpu.js#470, ipyvolume#386",
    ),
    Fault(
        "coordinates in half precision on a long texture",
        "float_index_precision",
        lambda: generated(models.pointwise("Tanh", (1, 25, 100, 3)), "tfjs_unpacked"),
        (
            Edit(
                "return ivec3(at.w, (at.x * 25 + at.y) * 100 + at.z, 0);",
                "float row = float((at.x * 25 + at.y) * 100 + at.z);\n"
                "    float step = exp2(max(floor(log2(row + 0.5)) - 10.0, 0.0));\n"
                "    return ivec3(at.w, int(floor(row / step) * step), 0);",
            ),
        ),
        where=("return unary(X(at));",),
        seen_at="tfjs#510, tfjs PR 6808",
    ),
    Fault(
        "the subtrahend read from the minuend",
        "wrong_input",
        held_out_subjects.subtract_uv,
        (Edit("texture(right, place)", "texture(left, place)"),),
    ),
    Fault(
        "the texture of the layer before",
        "wrong_input",
        lambda: generated(models.branches(), "channel_tiles_rgba", name="s"),
        (OnBindDo(bound_other("t_X", "x")),),
    ),
)

FAULTS = (*PLACES, *EDGES, *STEPS, *KERNELS, *CHANNELS, *SAMPLES)
