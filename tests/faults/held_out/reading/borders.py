"""Planted bugs in what lies beyond a picture's border: padding of another kind, the tile beside it."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.held_out.subjects import convolutions, pictures
from tests.faults.subjects import generated

FLAT_READ = "float pixel = get(memory,"
CONV_READ = "sum += X(ivec4("
GROUPED_READ = "return texelFetch(uInput"
GETX_READ = "float xValue = getX("
ROWS_READ = "return inside.x * inside.y * texture(u_source"

FAULTS: tuple[Fault, ...] = (
    Fault(
        "the image's edge repeated under flat memory",
        "padding_mode",
        convolutions.conv_flat,
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
        (CONV_READ,),
    ),
    Fault(
        "the border of a grouped convolution repeated",
        "padding_mode",
        convolutions.grouped_rgba,
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
        pictures.mirror_pad,
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
    Fault(
        "no test for rows outside the image",
        "tile_bleed",
        convolutions.conv_getx,
        (Edit("if (xR < 0 || xR >= xShape.z) {", "if (xR < -100) {"),),
        where=(GETX_READ, "return sampleTexture(x, uv)"),
    ),
    Fault(
        "a mean over a window that leaves its tile",
        "tile_bleed",
        pictures.avgpool_rgba,
        (
            Edit(
                "any(lessThan(at, vec2(0.0))) || any(greaterThanEqual(at, u_source_tile))",
                "any(lessThan(at, vec2(0.0)))",
            ),
        ),
        where=("return outside ?",),
    ),
    Fault(
        "a border test by step that lets the far side through",
        "tile_bleed",
        convolutions.conv_rows_uv,
        (Edit("step(at, IN - 1.0)", "step(at, IN)"),),
        where=(ROWS_READ, "x[i] = source("),
    ),
    Fault(
        "interpolation with the first row of the next channel",
        "tile_bleed",
        pictures.stretch_getx,
        (Edit("min(floorRC + 1, inSize - 1)", "min(floorRC + 1, ivec2(inSize.x * 3, inSize.y) - 1)"),),
        where=("return texelFetch(x", "float bottomLeft", "float bottomRight"),
    ),
)
