"""Bugs of the denoiser at two scales, and other ways to write it."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS: tuple[Planted, ...] = (
    Planted(
        "feature and gate bound crosswise",
        "quiet",
        "enter",
        (
            Swap("pipeline.toml", 'tensor = "feature.weight"', 'tensor = "gate.weight2"'),
            Swap("pipeline.toml", 'tensor = "gate.weight"', 'tensor = "feature.weight"'),
            Swap("pipeline.toml", 'tensor = "gate.weight2"', 'tensor = "gate.weight"'),
        ),
        ("wrong_input",),
        in_text=False,
    ),
    Planted(
        "half the size from the odd pixels",
        "quiet",
        "down",
        (Swap("down.frag", "2 * e.at + ivec2(j, i)", "2 * e.at + 1 + ivec2(j, i)"),),
        ("shift", "index_map"),
    ),
    Planted(
        "groups dealt in turns",
        "quiet",
        "wide",
        (Swap("wide.frag", "e.c / 3 * 3;", "e.c % 2 * 3;"),),
        ("group_ignored", "index_map", "wrong_partner"),
    ),
    Planted(
        "wide along x alone",
        "quiet",
        "wide",
        (Swap("wide.frag", "DILATION * (ivec2(j, i) - 1)", "ivec2(DILATION * (j - 1), i - 1)"),),
        ("dilation",),
    ),
    Planted(
        "enlarged from corners",
        "quiet",
        "up",
        (Swap("up.frag", "(vec2(e.at) + 0.5) * 0.5 - 0.5", "vec2(e.at) * 0.5"),),
        ("half_texel", "shift"),
    ),
    Planted(
        "right neighbour not held back",
        "quiet",
        "up",
        (Swap("up.frag", "min(ivec2(whole) + 1, SMALL - 1)", "ivec2(whole) + 1"),),
        ("tile_bleed", "padding_mode"),
    ),
    Planted(
        "two tiles across for three",
        "quiet",
        "join",
        (Swap("join.frag", "fetch(up, 3, SIZE", "fetch(up, 2, SIZE"),),
        ("wrong_layout", "index_map", "channel_permutation", "wrong_partner"),
    ),
    Planted(
        "third input in the fourth lane",
        "quiet",
        "clean",
        (Swap("clean.frag", "fetch_or_zero(join, 2, SIZE, 3, at)", "fetch_or_zero(join, 2, SIZE, 2, at)"),),
        ("index_map", "channel_permutation", "missing_channels", "wrong_partner", "dropped_lane"),
    ),
)

PAIRS: tuple[Planted, ...] = (
    Planted(
        "taps side by side, bias of the neighbour",
        "quiet",
        "wide",
        (
            Swap("wide.frag", "DILATION = 2;", "DILATION = 1;"),
            Swap("wide.frag", "sum + BIAS[e.c]", "sum + BIAS[(e.c + 1) % 6]"),
        ),
        ("dilation",),
        ("bias_offset",),
    ),
    Planted(
        "residue added, biases from the last",
        "quiet",
        "clean",
        (
            Swap("clean.frag", "e.at) - residue;", "e.at) + residue;"),
            Swap("clean.frag", "float residue = BIAS[e.c];", "float residue = BIAS[2 - e.c];"),
        ),
        ("wrong_function", "scale"),
        ("bias_offset", "index_map"),
    ),
)

HEALTHY: tuple[Healthy, ...] = (
    Healthy(
        "four shares of four pixels",
        "quiet",
        (
            Swap(
                "up.frag",
                "    float top = mix(fetch(wide, 3, SMALL, e.c, a),"
                " fetch(wide, 3, SMALL, e.c, ivec2(b.x, a.y)), part.x);\n",
                (
                    "    vec2 rest = 1.0 - part;\n"
                    "    float sum = rest.x * rest.y * fetch(wide, 3, SMALL, e.c, a);\n"
                    "    sum += part.x * rest.y * fetch(wide, 3, SMALL, e.c, ivec2(b.x, a.y));\n"
                ),
            ),
            Swap(
                "up.frag",
                "    float bottom = mix(fetch(wide, 3, SMALL, e.c, ivec2(a.x, b.y)),"
                " fetch(wide, 3, SMALL, e.c, b), part.x);\n",
                (
                    "    sum += rest.x * part.y * fetch(wide, 3, SMALL, e.c, ivec2(a.x, b.y));\n"
                    "    sum += part.x * part.y * fetch(wide, 3, SMALL, e.c, b);\n"
                ),
            ),
            Swap("up.frag", "up = mix(top, bottom, part.y);", "up = sum;"),
        ),
    ),
    Healthy(
        "window in one loop, from the last tap",
        "quiet",
        (
            Swap("clean.frag", "for (int tap = 0; tap < 9; tap++) {", "for (int tap = 8; tap >= 0; tap--) {"),
            Swap(
                "clean.frag",
                "ivec2(tap % 3, tap / 3) - ivec2(1);",
                "ivec2(tap - tap / 3 * 3 - 1, (tap * 11 >> 5) - 1);",
            ),
        ),
    ),
)
