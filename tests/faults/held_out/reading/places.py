"""Plants bugs in a picture read one place off, mirrored, or with rows and columns exchanged."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit, Uniform, Vertex
from tests.faults.fault import Fault
from tests.faults.held_out.subjects import convolutions, elements, pictures
from tests.faults.models import conv_of, single, whole
from tests.faults.subjects import generated

GETX_READ = "float xValue = getX("
GROUPED_READ = "return texelFetch(uInput"
CONV_READ = "sum += X(ivec4("

FAULTS: tuple[Fault, ...] = (
    Fault(
        "a row too low in generated code",
        "shift",
        convolutions.conv_getx,
        (Edit("const ivec2 pads = ivec2(2, 2);", "const ivec2 pads = ivec2(1, 2);"),),
        {"dx": 0, "dy": 1},
        (GETX_READ, "return sampleTexture(x, uv)"),
    ),
    Fault(
        "a depthwise transposed convolution up and left",
        "shift",
        lambda: convolutions.deconv_fetch(1, 3, 1),
        (Uniform("crop", 2),),
        where=("float x = texelFetch(image", "ivec2 place ="),
        seen_at="MNN#951",
    ),
    Fault(
        "two columns off on 2x2 blocks",
        "shift",
        convolutions.conv_blocks,
        (Edit("x + q - u_padding)", "x + q - u_padding - 2)"),),
        {"dx": -2, "dy": 0},
        ("vec4 quad = texelFetch",),
    ),
    Fault(
        "the padding of a grouped convolution as top, left",
        "shift",
        convolutions.grouped_rgba,
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
        "a difference with its first image mirrored",
        "flip_x",
        lambda: elements.subtract_uv((1, 1, 7, 9)),
        (Edit("texture(left, place)", "texture(left, vec2(1.0 - place.x, place.y))"),),
    ),
    Fault(
        "pictures mirrored by the vertex shader of an activation",
        "flip_x",
        elements.hardswish_uv,
        (Vertex("held_out/place_es_mirrored.vert"),),
    ),
    Fault(
        "a pool of a picture from the bottom up",
        "flip_y",
        pictures.avgpool_rgba,
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
        elements.subtract_uv,
        (Vertex("held_out/place_upside_down.vert"),),
    ),
    Fault(
        "rows of two joined pictures from the bottom",
        "flip_y",
        elements.join_unpacked,
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
        "rows and columns swapped in generated code",
        "transpose_xy",
        lambda: generated(models.conv((1, 4, 8, 8), 5, 1, pads=(0, 0, 0, 0)), "tfjs_packed"),
        (Edit("X(ivec4(at.x, first_channel + i, y, x))", "X(ivec4(at.x, first_channel + i, x, y))"),),
    ),
    Fault(
        "a mean with rows for columns",
        "transpose_xy",
        lambda: generated(models.pool("AveragePool", (1, 4, 7, 7)), "channel_tiles_rgba"),
        (Edit("see(X(ivec4(at.xy, y, x))", "see(X(ivec4(at.xy, x, y))"),),
    ),
)
