"""Bugs of `shuffled_edges`: mirrored borders, shuffled groups, a norm of each picture, pixels folded into channels."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

TARGET = "shuffled_edges"

FAULTS: tuple[Planted, ...] = (
    Planted(
        "mirrored with the border's pixel twice",
        TARGET,
        "shuffled",
        (
            Swap("shuffled.frag", "    i = abs(i);", "    i = i < 0 ? -1 - i : i;"),
            Swap("shuffled.frag", "i : 2 * n - 2 - i;", "i : 2 * n - 1 - i;"),
        ),
        ("padding_mode",),
    ),
    Planted(
        "shuffled by a turn too many",
        TARGET,
        "shuffled",
        (
            Swap("shuffled.frag", "int group = channel % 3;", "int group = channel / 3;"),
            Swap("shuffled.frag", "int o = group * 3 + channel / 3;", "int o = group * 3 + channel % 3;"),
        ),
        ("index_map", "channel_permutation"),
    ),
    Planted(
        "every layer's spread without its root",
        TARGET,
        "normed",
        (Swap("normed.frag", "spread = sqrt(spread / COUNT + 0.01);", "spread = spread / COUNT + 0.01;"),),
        ("wrong_function",),
    ),
    Planted(
        "the pixel below for the pixel at the right",
        TARGET,
        "mix",
        (
            Swap(
                "mix.frag",
                "corner + ivec2(1, 0), 0).r * texelFetch(t_W, ivec2(9 + c",
                "corner + ivec2(0, 1), 0).r * texelFetch(t_W, ivec2(9 + c",
            ),
            Swap(
                "mix.frag",
                "corner + ivec2(0, 1), 0).r * texelFetch(t_W, ivec2(18 + c",
                "corner + ivec2(1, 0), 0).r * texelFetch(t_W, ivec2(18 + c",
            ),
        ),
        ("wrong_partner", "index_map", "transpose_xy", "channel_permutation"),
    ),
    Planted(
        "a pool that begins at its own pixel",
        TARGET,
        "edge",
        (Swap("edge.frag", "for (float v = -1.0; v <= 1.0; v++) {", "for (float v = 0.0; v <= 1.0; v++) {"),),
        ("missing_taps",),
    ),
    Planted(
        "weights of the block turned",
        TARGET,
        "grown",
        (
            Swap(
                "grown.frag", "texelFetch(t_W, tile * 2 + here % 2, 0)", "texelFetch(t_W, tile * 2 + (here % 2).yx, 0)"
            ),
        ),
        ("kernel_transpose", "transpose_xy", "index_map", "wrong_partner"),
    ),
    Planted(
        "the left column read on from the row before",
        TARGET,
        "y",
        (
            Swap(
                "close.frag",
                "float left = p.x > 0 ? texelFetch(t_X, at - ivec2(1, 0), 0).r : 0.0;",
                "float left = here.x > 0 ? texelFetch(t_X, max(at - ivec2(1, 0), 0), 0).r : 0.0;",
            ),
        ),
        ("tile_bleed", "padding_mode"),
    ),
    Planted(
        "weights in the order of another framework",
        TARGET,
        "mix",
        (
            Swap(
                "pipeline.toml",
                'tensor = "mix.weight", layout = { name = "tfjs_unpacked", width = 36 }',
                'tensor = "mix.weight", layout = { name = "tfjs_unpacked", order = "hwio", width = 36 }',
            ),
        ),
        ("wrong_layout", "index_map"),
        in_text=False,
    ),
)

PAIRS: tuple[Planted, ...] = (
    Planted(
        "an ELU of slope one, and gains of the first row of tiles",
        TARGET,
        "normed",
        (
            Swap("normed.frag", "const float ALPHA = 0.7;", "const float ALPHA = 1.0;"),
            Swap("normed.frag", "texelFetch(t_GAIN, ivec2(c, 0), 0)", "texelFetch(t_GAIN, ivec2(tile.x, 0), 0)"),
        ),
        ("alpha",),
        ("index_map", "wrong_partner"),
    ),
)

HEALTHY: tuple[Healthy, ...] = (
    Healthy(
        "tiles by bit arithmetic on unsigned numbers, the soft side by exp2 and log2",
        TARGET,
        (
            Swap(
                "close.frag",
                "max(v, 0.0) + log(1.0 + exp(-abs(v)))",
                "max(v, 0.0) + 0.69314718 * log2(1.0 + exp2(-1.44269504 * abs(v)))",
            ),
            Swap(
                "close.frag",
                "    int o = here.y / 8 * 2 + here.x / 10;",
                "    int o = int(((uint(here.y) >> 3u) << 1u) | uint(here.x >= 10));",
            ),
        ),
    ),
)
