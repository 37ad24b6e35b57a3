"""Slips in the branches: tiles found with fract and floor in coordinates from 0 to 1."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_NINTH = "value = (top + middle + bottom) / 9.0;"
_PICKED = "return textureLod(uImage, (cell * size + at + 0.5) / (uTiles * size), 0.0).r;"
_SECOND = "vec2 b = clamp(low + 1.0, vec2(0.0), size - 1.0) + cell * size + 0.5;"
_AT = "vec2 at = (pixel + 0.5) * 0.5 - 0.5;"

FAULTS = (
    Planted(
        "the bias of a channel counted down the columns",
        "inception",
        "one",
        (
            Swap(
                "one.frag", "float channel = cell.x + cell.y * uTiles.x;", "float channel = cell.y + cell.x * uTiles.x;"
            ),
        ),
        ("bias_offset", "index_map"),
    ),
    Planted(
        "columns and rows of filters exchanged",
        "inception",
        "one",
        (Swap("one.frag", "vec2 weight = (cell * vec2", "vec2 weight = (cell.yx * vec2"),),
        ("filter_offset", "index_map", "wrong_partner"),
    ),
    Planted(
        "the size of a value for its positive part",
        "inception",
        "one",
        (Swap("one.frag", "value = max(sum, 0.0);", "value = abs(sum);"),),
        ("wrong_function",),
    ),
    Planted(
        "the wide window centred as if it were tall",
        "inception",
        "wide",
        (Swap("wide.frag", "vec2(u, v) - vec2(2.0, 1.0)", "vec2(u, v) - vec2(1.0, 2.0)"),),
        ("shift", "index_map"),
    ),
    Planted(
        "a border test that lets one texel through",
        "inception",
        "wide",
        (Swap("wide.frag", "step(at, SIZE - 1.0)", "step(at, SIZE)"),),
        ("tile_bleed", "padding_mode"),
    ),
    Planted(
        "the first tile for every input of the wide branch",
        "inception",
        "wide",
        (Swap("wide.frag", "(tileOf(i, uImageTiles.x) + (at + 0.5) / SIZE)", "((at + 0.5) / SIZE)"),),
        ("index_map", "channel_permutation", "wrong_partner"),
    ),
    Planted(
        "a logarithm of base two",
        "inception",
        "wide",
        (Swap("wide.frag", "log(1.0 + exp(-abs(x)))", "log2(1.0 + exp(-abs(x)))"),),
        ("wrong_function",),
    ),
    Planted(
        "the weights' texels as large as the picture's",
        "inception",
        "wide",
        (
            Swap(
                "pipeline.toml",
                'uniforms.uKernelTexel = "texel_size(uKernel)"',
                'uniforms.uKernelTexel = "texel_size(uImage)"',
            ),
        ),
        ("index_map", "filter_offset", "wrong_partner"),
        in_text=False,
    ),
    Planted(
        "a loop of the wide window that stops before its last column",
        "inception",
        "wide",
        (Swap("wide.frag", "u < TAPS.x; u", "u < TAPS.x - 1.0; u"),),
        ("missing_taps",),
    ),
    Planted(
        "only what lies inside counted in the mean",
        "inception",
        "avg",
        (
            Swap(
                "avg.frag",
                _NINTH,
                "vec2 counted = min(at + 1.0, size - 1.0) - max(at - 1.0, 0.0) + 1.0;\n"
                "    value = (top + middle + bottom) / (counted.x * counted.y);",
            ),
        ),
        ("average_count",),
    ),
    Planted(
        "the last of nine places pasted from another row",
        "inception",
        "avg",
        (Swap("avg.frag", "pick(cell, at + vec2(1.0, 1.0))", "pick(cell, at + vec2(1.0, 0.0))"),),
        ("missing_taps", "double_counted", "index_map"),
    ),
    Planted(
        "rows counted from the bottom of the tile",
        "inception",
        "avg",
        (Swap("avg.frag", _PICKED, _PICKED.replace("+ at + 0.5", "+ vec2(at.x, size.y - 1.0 - at.y) + 0.5")),),
        ("flip_y", "index_map"),
    ),
    Planted(
        "the fourth input of the projection from the second's tile",
        "inception",
        "proj",
        (
            Swap(
                "project.frag",
                "float x3 = textureLod(uImage, within + stepY, 0.0).r;",
                "float x3 = textureLod(uImage, within + stepX, 0.0).r;",
            ),
        ),
        ("index_map", "channel_permutation", "wrong_partner"),
    ),
    Planted(
        "the second filter of the projection begins a kernel early",
        "inception",
        "proj",
        (Swap("project.frag", "(channel * 3.0 + 0.5)", "(channel * 2.0 + 0.5)"),),
        ("filter_offset", "index_map", "wrong_partner"),
    ),
    Planted(
        "the projection's bias lost",
        "inception",
        "proj",
        (
            Swap(
                "project.frag",
                "\n          + textureLod(uBias, vec2(0.25 + 0.5 * channel, 0.5), 0.0).r;",
                ";",
            ),
        ),
        ("bias_missing",),
    ),
    Planted(
        "the projection's weights laid out as channels",
        "inception",
        "proj",
        (
            Swap(
                "pipeline.toml",
                '{ tensor = "proj_w", layout = "filter_tiles" }',
                '{ tensor = "proj_w", layout = "channel_tiles" }',
            ),
        ),
        ("wrong_layout", "filter_offset", "index_map", "wrong_partner"),
        in_text=False,
    ),
    Planted(
        "a channel too many of the wide branch",
        "inception",
        "mixed",
        (Swap("mixed.frag", "channel < 6.5", "channel < 7.5"),),
        ("extra_channels", "wrong_input", "index_map", "wrong_partner"),
    ),
    Planted(
        "the wide branch beginning a channel late",
        "inception",
        "mixed",
        (Swap("mixed.frag", "tileRead(uWide, channel - 4.0,", "tileRead(uWide, channel - 3.0,"),),
        ("channel_permutation", "index_map", "extra_channels"),
    ),
    Planted(
        "two rows of tiles for a branch of one",
        "inception",
        "mixed",
        (
            Swap(
                "mixed.frag",
                "tileRead(uProj, channel - 7.0, within, 1.0)",
                "tileRead(uProj, channel - 7.0, within, 2.0)",
            ),
        ),
        ("index_map",),
    ),
    Planted(
        "corners upon corners in the enlargement",
        "inception",
        "large",
        (Swap("large.frag", _AT, "vec2 at = pixel * (size - 1.0) / (size * 2.0 - 1.0);"),),
        ("half_texel", "index_map"),
    ),
    Planted(
        "the enlargement beyond its tile",
        "inception",
        "large",
        (Swap("large.frag", _SECOND, "vec2 b = low + 1.0 + cell * size + 0.5;"),),
        ("tile_bleed", "padding_mode", "index_map"),
    ),
    Planted(
        "the shares of above and below exchanged",
        "inception",
        "large",
        (Swap("large.frag", "mix(top, bottom, share.y)", "mix(bottom, top, share.y)"),),
        ("wrong_partner", "kernel_flip"),
    ),
)

PAIRS = (
    Planted(
        "an enlargement from corners that leaves its tile",
        "inception",
        "large",
        (
            Swap("large.frag", _AT, "vec2 at = (pixel + 0.5) * 0.5;"),
            Swap("large.frag", _SECOND, "vec2 b = low + 1.0 + cell * size + 0.5;"),
        ),
        ("half_texel", "shift", "index_map"),
        others=("tile_bleed", "padding_mode", "index_map"),
    ),
)

HEALTHY = (
    Healthy(
        "the enlargement with the border held in another way",
        "inception",
        (
            Swap("large.frag", "vec2 share = at - low;", "vec2 share = fract(at);"),
            Swap("large.frag", _SECOND, "vec2 b = min(low + 1.0, size - 1.0) + cell * size + 0.5;"),
            Swap("large.frag", "mix(top, bottom, share.y)", "top * (1.0 - share.y) + bottom * share.y"),
        ),
    ),
    Healthy(
        "the first branch in whole numbers",
        "inception",
        (
            Swap("one.frag", "for (float i = 0.0; i < 5.0; i += 1.0) {", "for (int k = 0; k < 5; k++) {"),
            Swap("one.frag", "vec2(mod(i, 3.0), floor((i + 0.5) / 3.0));", "vec2(k % 3, k / 3);"),
        ),
    ),
    Healthy(
        "the mean column by column",
        "inception",
        (
            Swap(
                "avg.frag",
                _NINTH,
                "float all = 0.0;\n"
                "    for (float u = 1.0; u > -1.5; u -= 1.0)\n"
                "        for (float v = 1.0; v > -1.5; v -= 1.0) all += pick(cell, at + vec2(u, v)) / 9.0;\n"
                "    value = all;",
            ),
        ),
    ),
)
