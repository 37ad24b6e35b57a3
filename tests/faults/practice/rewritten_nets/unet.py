"""Bugs of `small_unet`: a pool, a skip that is never joined, enlarging inside the read, PReLU, a filtering sampler."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

TARGET = "small_unet"

FAULTS: tuple[Planted, ...] = (
    Planted(
        "slopes of the first row of tiles",
        TARGET,
        "enter",
        (Swap("enter.frag", "texelFetch(t_SLOPE, ivec2(o % 3, o / 3), 0)", "texelFetch(t_SLOPE, ivec2(o % 3, 0), 0)"),),
        ("index_map", "wrong_partner", "alpha"),
    ),
    Planted(
        "three of four in the pool",
        TARGET,
        "halved",
        (Swap("halved.frag", "Y = max(max(a, b), max(c, d));", "Y = max(max(a, b), max(c, a));"),),
        ("missing_taps",),
    ),
    Planted(
        "the border's pixels repeated",
        TARGET,
        "floor",
        (
            Swap(
                "floor.frag",
                "    bool inside = p.x >= 0 && p.y >= 0 && p.x < 5 && p.y < 6;",
                "    p = clamp(p, ivec2(0), ivec2(4, 5));\n    const bool inside = true;",
            ),
        ),
        ("padding_mode",),
    ),
    Planted(
        "the skip before what comes from below",
        TARGET,
        "leave",
        (
            Swap(
                "leave.frag",
                "    if (c < FROM_BELOW) return texelFetch(t_BELOW",
                "    if (c >= 6) return texelFetch(t_BELOW",
            ),
            Swap("leave.frag", "ivec2(c % 3, c / 3) * SIZE / 2 + p / 2", "ivec2(c % 3, c / 3 - 2) * SIZE / 2 + p / 2"),
            Swap("leave.frag", "    c -= FROM_BELOW;\n", ""),
        ),
        ("index_map", "wrong_partner", "channel_permutation"),
    ),
    Planted(
        "filtered across the borders of tiles",
        TARGET,
        "y",
        (Swap("paint.frag", "vec2 inside = clamp(p, vec2(0.5), SMALL - 0.5);", "vec2 inside = p;"),),
        ("tile_bleed",),
    ),
    Planted(
        "half a pixel added for a centre that was there",
        TARGET,
        "y",
        (Swap("paint.frag", "vec2 p = fract(st) * SMALL;", "vec2 p = fract(st) * SMALL + 0.5;"),),
        ("half_texel", "shift"),
    ),
)

PAIRS: tuple[Planted, ...] = (
    Planted(
        "the last channel of the skip unread, and the bias twice",
        TARGET,
        "leave",
        (
            Swap("leave.frag", "for (int i = 0; i < 15; ++i) {", "for (int i = 0; i < 14; ++i) {"),
            Swap("leave.frag", "    float s = 0.0;", "    float s = texelFetch(t_B, ivec2(o, 0), 0).r;"),
        ),
        ("missing_channels",),
        ("bias_doubled", "double_counted"),
    ),
)

HEALTHY: tuple[Healthy, ...] = (
    Healthy(
        "two loops for the two halves of what is joined, later half first",
        TARGET,
        (
            Swap(
                "leave.frag",
                "for (int i = 0; i < 15; ++i) {",
                "for (int n = 0; n < 15; ++n) {\n        int i = (n + 9) % 15;",
            ),
            Swap(
                "leave.frag",
                "int y = p.y + v - 1;\n            if (y < 0 || y >= SIZE.y) continue;",
                "int y = p.y + v - 1;\n            if (uint(y) >= uint(SIZE.y)) continue;",
            ),
        ),
    ),
)
