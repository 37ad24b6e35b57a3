"""Plants bugs in the step from one window to the next, and that between the taps of one."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit, Uniform
from tests.faults.fault import Fault
from tests.faults.held_out.subjects import convolutions, pictures
from tests.faults.models import conv_of, single, whole
from tests.faults.subjects import generated

FLAT_READ = "float pixel = get(memory,"
ROWS_READ = "return inside.x * inside.y * texture(u_source"
GETX_READ = "float xValue = getX("
CONV_READ = "sum += X(ivec4("

FAULTS: tuple[Fault, ...] = (
    Fault(
        "stride of one in flat memory",
        "stride",
        convolutions.conv_flat,
        (Uniform("u_stride", 1.0),),
        {"got": [1, 1]},
        where=(FLAT_READ, "float from_y = y * u_stride", "float from_x = x * u_stride"),
    ),
    Fault(
        "rows doubled in a mean of 4x4",
        "stride",
        pictures.avgpool_rgba,
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
        "a 1x1 convolution that does not step",
        "stride",
        convolutions.pointwise_flat,
        (Edit("p.zw * 2)", "p.zw)"),),
        {"got": [1, 1]},
        ("return texelFetch(data",),
    ),
    Fault(
        "steps of two in y alone",
        "stride",
        convolutions.conv_rows_uv,
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
        "dilation of one for two",
        "dilation",
        convolutions.conv_getx,
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
        where=(CONV_READ,),
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
