"""Planted bugs in what lies beyond a picture's border: padding of another kind, the tile beside it."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit, Sampled
from tests.faults.fault import Fault
from tests.faults.seen.subjects import convolutions, pictures
from tests.faults.subjects import generated

FETCH_BOUNDS = "if (src.x < 0 || src.x >= u_x_shape.w || src.y < 0 || src.y >= u_x_shape.z) continue;"
FETCH_READ = "acc += texelFetch(u_x"
BOUNDS = "if (at.x < 0.0 || at.y < 0.0 || at.x >= u_in_tile.x || at.y >= u_in_tile.y) continue;"
TILES_READ = "float value = texture(u_image"
CONV_READ = "sum += X(ivec4("

FAULTS: tuple[Fault, ...] = (
    Fault(
        "edge pixels repeated instead of zeros",
        "padding_mode",
        convolutions.conv_relu_fetch,
        (Edit(FETCH_BOUNDS, "src = clamp(src, ivec2(0), u_x_shape.wz - 1);"),),
        {"got": "edge"},
        (FETCH_READ,),
    ),
    Fault(
        "a sampler that repeats a picture of one channel",
        "padding_mode",
        lambda: convolutions.conv_tiles(models.conv((1, 1, 9, 8), 4, 3), 1, 1),
        (Edit(BOUNDS, ""), Sampled("u_image", wrap="repeat")),
        {"got": "wrap"},
        (TILES_READ,),
    ),
    Fault(
        "a reflected border repeated instead",
        "padding_mode",
        lambda: generated(models.pad(mode="reflect"), "tfjs_packed"),
        (Edit("const int MODE = 2;", "const int MODE = 1;"),),
        {"got": "edge"},
        ("FILL : X_linear(from)",),
    ),
    Fault(
        "borders reflected instead of zeros",
        "padding_mode",
        convolutions.conv_rgba,
        (
            Edit(
                "if (p.x < 0 || p.y < 0 || p.x >= u_in_size.x || p.y >= u_in_size.y) return vec4(0.0);",
                "p = min(abs(p), 2 * (u_in_size - 1) - p);",
            ),
        ),
        {"got": "reflect"},
        ("return texelFetch(u_src",),
    ),
    Fault(
        "an enlargement whose sampler repeats the picture",
        "padding_mode",
        pictures.enlarge_rgba,
        (Sampled("t_picture", filter="linear", wrap="repeat"),),
        {"got": "wrap"},
        ("color = texture(",),
    ),
    Fault(
        "no test for the image's border",
        "tile_bleed",
        convolutions.conv_tiles,
        (Edit(BOUNDS, ""),),
        where=(TILES_READ,),
        seen_at="sdl-gpu#174",
    ),
    Fault(
        "no test for the left and right border",
        "tile_bleed",
        convolutions.conv_relu_fetch,
        (Edit("if (src.x < 0 || src.x >= u_x_shape.w || src.y < 0", "if (src.y < 0"),),
        where=(FETCH_READ,),
    ),
    Fault(
        "the border test one too far on the right",
        "tile_bleed",
        lambda: generated(models.conv((1, 6, 7, 9), 4)),
        (Edit("x >= X_shape.w) continue", "x > X_shape.w) continue"),),
        where=(CONV_READ,),
    ),
    Fault(
        "bilinear reads that are not held inside the tile",
        "tile_bleed",
        pictures.bilinear_tiles,
        (Edit("clamp(at, vec2(0.0), u_in_tile - 1.0)", "at"),),
        where=("return texture(u_image",),
    ),
    Fault(
        "a border test that lets the column past the last through",
        "tile_bleed",
        convolutions.conv_macros,
        (Edit("(p).x < W &&", "(p).x <= W &&"),),
        where=("#define FETCH(p)", "TAP(2, 0)", "TAP(2, 1)", "TAP(2, 2)", "#define PIXEL"),
    ),
)
