"""Plants bugs in the step from one window to the next, and that between the taps of one."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit, Uniform
from tests.faults.fault import Fault
from tests.faults.models import conv_of, single, whole
from tests.faults.seen.subjects import convolutions, pictures
from tests.faults.subjects import generated

CONV_READ = "sum += X(ivec4("
FETCH_READ = "acc += texelFetch(u_x"

FAULTS: tuple[Fault, ...] = (
    Fault(
        "steps of one in x where two were meant",
        "stride",
        lambda: generated(models.conv((1, 4, 9, 10), 5, stride=2), "channel_tiles_rgba"),
        (Edit("const int STRIDE_X = 2;", "const int STRIDE_X = 1;"),),
        {"got": [1, 2]},
        ("X_group(", "X(ivec4("),
    ),
    Fault(
        "a pool that overlaps",
        "stride",
        pictures.maxpool_rgba,
        (Uniform("u_step", 1),),
        {"got": [1, 1]},
        where=("best = max(best, texelFetch", "ivec2 origin ="),
    ),
    Fault(
        "steps of two where three were meant",
        "stride",
        lambda: generated(models.pool("MaxPool", (1, 3, 10, 13), 3, stride=3, pads=(0, 0, 0, 0)), "row_major_rgba"),
        (Edit("at.zw * ivec2(STRIDE_Y, STRIDE_X)", "at.zw * 2"),),
        {"got": [2, 2]},
        where=("see(X(ivec4(",),
    ),
    Fault(
        "a stride of five for three",
        "stride",
        lambda: generated(models.conv((1, 2, 12, 16), 3, stride=3)),
        (Edit("const int STRIDE_X = 3;", "const int STRIDE_X = 5;"),),
        {"got": [5, 3]},
        (CONV_READ,),
    ),
    Fault(
        "a slice without its step",
        "stride",
        lambda: generated(
            single("Slice", (2, 5, 6, 7), {"s": whole(1, 2), "e": whole(5, 6), "a": whole(2, 3), "t": whole(1, 2)})
        ),
        (Edit("7, 2);", "7, 1);"),),
        {"got": 1},
        ("return X_linear(from)",),
    ),
    Fault(
        "an average of every element",
        "stride",
        pictures.avgpool_uv,
        (Edit("2.0 * (texel - tile * u_out)", "(texel - tile * u_out)"),),
        {"got": [1, 1]},
        ("sum += texture(source",),
    ),
    Fault(
        "a transposed convolution that steps by two",
        "stride",
        convolutions.deconv_gather,
        (Edit("const int STRIDE = 3;", "const int STRIDE = 2;"),),
        {"got": [2, 2]},
        ("sum += input_value(", "return texelFetch(u_x"),
    ),
    Fault(
        "windows of two that move on by one",
        "stride",
        pictures.maxpool_lanes,
        tuple(
            Edit(f"look(channel, {old});", f"look(channel, {new});")
            for old, new in (
                ("2 * y, 2 * x", "2 * y, x"),
                ("2 * y, 2 * x + 1", "2 * y, x + 1"),
                ("2 * y + 1, 2 * x", "2 * y + 1, x"),
                ("2 * y + 1, 2 * x + 1", "2 * y + 1, x + 1"),
            )
        ),
        {"got": [1, 2]},
        ("element((channel * H", "return texelFetch(u_data"),
    ),
    Fault(
        "a depthwise convolution that steps by two in x alone",
        "stride",
        convolutions.depthwise_es,
        (Edit("pixel * 2.0 + tap", "pixel * vec2(2.0, 1.0) + tap"),),
        {"got": [2, 1]},
        ("float x = texture(image",),
    ),
    Fault(
        "dilation in one direction only",
        "dilation",
        lambda: generated(models.conv((1, 3, 9, 8), 4, dilation=2)),
        (Edit("const int DILATION_Y = 2;", "const int DILATION_Y = 1;"),),
        {"got": [2, 1]},
        where=(CONV_READ,),
        seen_at="tfjs-converter PR 363",
    ),
    Fault(
        "dilation forgotten",
        "dilation",
        lambda: convolutions.conv_relu_fetch(models.conv((1, 3, 8, 9), 4, dilation=3, activation="Relu"), 1, 3, 3),
        (Uniform("u_dilation", (1, 1)),),
        {"got": [1, 1]},
        where=(FETCH_READ, "ivec2 src = xy"),
    ),
    Fault(
        "dilations of a packed convolution, x for y",
        "dilation",
        lambda: generated(
            conv_of((1, 6, 9, 10), (5, 6, 3, 3), pads=(1, 3, 1, 3), dilations=(1, 3)), "channel_tiles_rgba"
        ),
        (
            Edit("const int DILATION_X = 3;", "const int DILATION_X = 1;"),
            Edit("const int DILATION_Y = 1;", "const int DILATION_Y = 3;"),
        ),
        {"got": [1, 3]},
        ("X_group(at.x,", "int y = origin.x", "int x = origin.y"),
    ),
)
