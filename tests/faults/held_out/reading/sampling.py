"""More planted bugs in where a shader reads, in operators and styles that the other `held_out_` modules have not."""

from __future__ import annotations

import numpy as np

from tests.faults import models
from tests.faults.changes import Edit, OnBindDo, Sampled, Vertex
from tests.faults.fault import Fault
from tests.faults.held_out.subjects import pictures as subjects
from tests.faults.models_more import conv_of, single, whole
from tests.faults.states import bound_other
from tests.faults.subjects import generated

CONV_READ = "sum += X(ivec4("
ROWS_READ = "return inside.x * inside.y * texture(u_source"
GROUPED_READ = "return texelFetch(uInput"

PLACES = (
    Fault(
        "the padding of a grouped convolution as top, left",
        "shift",
        subjects.grouped_rgba,
        (Edit("const ivec2 before = ivec2(1, 2);", "const ivec2 before = ivec2(2, 1);"),),
        {"dx": -1, "dy": 1},
        (GROUPED_READ, "vec4 v = inputAt"),
    ),
    Fault(
        "a 5x5 convolution padded evenly that is padded below alone",
        "shift",
        lambda: generated(conv_of((1, 3, 9, 8), (4, 3, 5, 5), pads=(0, 2, 4, 2)), "row_major_rgba"),
        (Edit("const int PAD_TOP = 0;", "const int PAD_TOP = 2;"),),
        {"dx": 0, "dy": -2},
        (CONV_READ, "ivec2 origin ="),
    ),
    Fault(
        "a slice that starts one column late",
        "shift",
        lambda: generated(
            single(
                "Slice", (1, 2, 8, 9), {"from": whole(1, 1), "to": whole(7, 7), "axes": whole(2, 3), "by": whole(2, 1)}
            ),
            "channel_tiles_rgba",
        ),
        (Edit("const int OFFSET = 10;", "const int OFFSET = 11;"),),
        {"dx": 1, "dy": 0},
        ("return X_linear(from);",),
    ),
    Fault(
        "pictures mirrored by the vertex shader of an activation",
        "flip_x",
        subjects.hardswish_uv,
        (Vertex("held_out/place_es_mirrored.vert"),),
    ),
    Fault(
        "rows of two joined pictures from the bottom",
        "flip_y",
        subjects.join_unpacked,
        (
            Edit("getA(channel, row, column) :", "getA(channel, HEIGHT - 1 - row, column) :"),
            Edit("getB(channel - FIRST, row, column)", "getB(channel - FIRST, HEIGHT - 1 - row, column)"),
        ),
        where=("return texelFetch(A", "return texelFetch(B"),
    ),
    Fault(
        "a pool of a picture from the bottom up, flat",
        "flip_y",
        lambda: generated(models.pool("MaxPool", (1, 3, 7, 8)), "row_major_rgba"),
        (Edit("see(X(ivec4(at.xy, y, x))", "see(X(ivec4(at.xy, X_shape.z - 1 - y, x))"),),
    ),
    Fault(
        "a mean with rows for columns",
        "transpose_xy",
        lambda: generated(models.pool("AveragePool", (1, 4, 7, 7)), "channel_tiles_rgba"),
        (Edit("see(X(ivec4(at.xy, y, x))", "see(X(ivec4(at.xy, x, y))"),),
    ),
    Fault(
        "a picture that is repeated with red and blue swapped",
        "channel_permutation",
        subjects.triple_rgba,
        (Edit("texture(picture, uv);", "texture(picture, uv).bgra;"),),
    ),
    Fault(
        "blocks folded with the block's place counted first",
        "channel_permutation",
        subjects.fold_tiles,
        (
            Edit("int source = channel % CHANNELS;", "int source = channel / (BLOCK * BLOCK);"),
            Edit("int place = channel / CHANNELS;", "int place = channel % (BLOCK * BLOCK);"),
        ),
        where=("texelFetch(u_wide",),
    ),
)

EDGES = (
    Fault(
        "a border test by step that lets the far side through",
        "tile_bleed",
        subjects.conv_rows_uv,
        (Edit("step(at, IN - 1.0)", "step(at, IN)"),),
        where=(ROWS_READ, "x[i] = source("),
    ),
    Fault(
        "interpolation with the first row of the next channel",
        "tile_bleed",
        subjects.stretch_getx,
        (Edit("min(floorRC + 1, inSize - 1)", "min(floorRC + 1, ivec2(inSize.x * 3, inSize.y) - 1)"),),
        where=("return texelFetch(x", "float bottomLeft", "float bottomRight"),
    ),
    Fault(
        "the border of a grouped convolution repeated",
        "padding_mode",
        subjects.grouped_rgba,
        (
            Edit(
                "if (any(lessThan(p, ivec2(0))) || any(greaterThanEqual(p, size))) return vec4(0.0);",
                "p = clamp(p, ivec2(0), size - 1);",
            ),
        ),
        {"got": "edge"},
        (GROUPED_READ,),
    ),
    Fault(
        "a mirrored border that goes around instead",
        "padding_mode",
        subjects.mirror_pad,
        (Edit("int folded = abs(i);", "int folded = (i + count) % count;"),),
        {"got": "wrap"},
        ("color = texelFetch(u_picture",),
    ),
    Fault(
        "a border of zeros that repeats the edge",
        "padding_mode",
        lambda: generated(models.pad((1, 3, 5, 6), (0, 0, 1, 2, 0, 0, 2, 1)), "tfjs_unpacked"),
        (Edit("const int MODE = 0;", "const int MODE = 1;"),),
        {"got": "edge"},
        ("FILL : X_linear(from)",),
    ),
)

STEPS = (
    Fault(
        "a 1x1 convolution that does not step",
        "stride",
        subjects.pointwise_flat,
        (Edit("p.zw * 2)", "p.zw)"),),
        {"got": [1, 1]},
        ("return texelFetch(data",),
    ),
    Fault(
        "steps of two in y alone",
        "stride",
        subjects.conv_rows_uv,
        (Edit("pixel * 2.0 - 1.0", "pixel * vec2(1.0, 2.0) - 1.0"),),
        {"got": [1, 2]},
        (ROWS_READ, "x[i] = source("),
    ),
    Fault(
        "a slice that takes every row",
        "stride",
        lambda: generated(
            single("Slice", (1, 2, 7, 5), {"from": whole(1), "to": whole(7), "axes": whole(2), "by": whole(2)}),
            "tfjs_packed",
        ),
        (Edit("int[3](35, 10, 1)", "int[3](35, 5, 1)"),),
        {"got": [1, 1]},
        ("return X_linear(from);",),
    ),
    Fault(
        "a grouped convolution dilated in y alone",
        "dilation",
        lambda: generated(
            conv_of((1, 4, 9, 8), (6, 2, 3, 3), pads=(2, 2, 2, 2), dilations=(2, 2), group=2), "tfjs_packed"
        ),
        (Edit("const int DILATION_X = 2;", "const int DILATION_X = 1;"),),
        {"got": [1, 2]},
        (CONV_READ, "int x = origin.y"),
    ),
)

BOUNDS = {"low": np.array(-1.0, np.float32), "high": np.array(2.0, np.float32)}

SAMPLES = (
    Fault(
        "a picture three times as large, filtered",
        "linear_filtering",
        subjects.triple_rgba,
        (Sampled("picture", filter="linear"),),
        where=("repeated = texture(picture",),
    ),
    Fault(
        "a mean of four sampled at the first one's centre",
        "half_texel",
        subjects.avgpool_linear,
        (Edit("(corner + 1.0) / u_image_texels", "(corner + 0.5) / u_image_texels"),),
        where=("mean = texture(u_image",),
        alternatives=("missing_taps",),  # three of the four texels are no longer seen
    ),
    Fault(
        "pixel centres where corners were meant",
        "half_texel",
        subjects.stretch_getx,
        (Edit("vec2 sourceRC = rc * 0.5;", "vec2 sourceRC = max((rc + 0.5) * 0.5 - 0.5, 0.0);"),),
        where=("return texelFetch(x", "float topLeft ="),
    ),
    Fault(
        "a picture enlarged from the corners of its texels",
        "texel_edge",
        subjects.triple_rgba,
        (Edit("gl_FragCoord.xy / 3.0 / texels;", "(floor(gl_FragCoord.xy / 3.0) + 0.5) / texels - 0.5 / texels;"),),
        where=("repeated = texture(picture",),
        alternatives=("half_texel",),  # the missing half is why the samples lie on the edge
    ),
    Fault(
        "a plane's number by a rounded reciprocal",
        "float_index_precision",
        subjects.pointwise_flat,
        (Edit("int plane = row / outShape.z;", "int plane = int(float(row) * 0.333333);"),),
        where=("return texelFetch(data", "float x = load(X", "float w = load(W", "float acc = load(B"),
    ),
    Fault(
        "a long picture's rows in half precision",
        "float_index_precision",
        lambda: generated(
            single("Clip", (1, 22, 110, 2), {"low": np.array(-1.0, np.float32), "high": np.array(2.0, np.float32)}),
            "tfjs_unpacked",
        ),
        (
            Edit(
                "return ivec3(at.w, (at.x * 22 + at.y) * 110 + at.z, 0);",
                "int row = (at.x * 22 + at.y) * 110 + at.z;\n"
                "    return ivec3(at.w, row < 2048 ? row : row / 2 * 2, 0);",
            ),
        ),
        where=("X(at)",),
    ),
    Fault(
        "the second picture's rows from the first",
        "wrong_input",
        subjects.join_unpacked,
        (Edit("{ return texelFetch(B,", "{ return texelFetch(A,"),),
        where=("getB(channel - FIRST",),
    ),
    Fault(
        "the mean of a normalisation bound where its shift belongs",
        "wrong_input",
        subjects.batchnorm_rgba,
        (OnBindDo(bound_other("beta", "mean")),),
    ),
)

FAULTS: tuple[Fault, ...] = (*PLACES, *EDGES, *STEPS, *SAMPLES)
