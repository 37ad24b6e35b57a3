"""Slips among tiles of features: windows and their bounds, groups of four, attention, phases of a threefold size."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_DILATED = "ivec2(column - 1, 2 * (row - 1))"
_BIAS = "    sum += bias[group];\n"
_PHASE = "phase.y * 3 + phase.x"
_PLACE = "(vec2(target) + 0.5) / 3.0 - 0.5"
_BETWEEN = """    float above = mix(lumaAt(pixel), lumaAt(pixel + ivec2(1, 0)), share.x);
    float below = mix(lumaAt(pixel + ivec2(0, 1)), lumaAt(pixel + ivec2(1, 1)), share.x);
    return mix(above, below, share.y);
"""

FAULTS = (
    Planted(
        "the slope of another leaky ramp",
        "tiled",
        "head",
        (Swap("head.frag", "0.15 * min", "0.2 * min"),),
        ("alpha", "wrong_literal"),
    ),
    Planted(
        "a 5x5 window begun one row down",
        "tiled",
        "head",
        (Swap("head.frag", "ivec2(column - 2, row - 2)", "ivec2(column - 2, row - 1)"),),
        ("shift", "index_map"),
    ),
    Planted(
        "four rows of five",
        "tiled",
        "head",
        (Swap("head.frag", "row < 5;", "row < 4;"),),
        ("missing_taps",),
    ),
    Planted(
        "luma held at the border where zero counts",
        "tiled",
        "head",
        (
            Swap(
                "head.frag",
                "    bool inside = place.x >= 0 && place.x < u_width && place.y >= 0 && place.y < u_height;\n"
                "    return inside ? texelFetch(s_luma, place, 0).r : 0.0;\n",
                "    ivec2 held = clamp(place, ivec2(0), ivec2(u_width, u_height) - 1);\n"
                "    return texelFetch(s_luma, held, 0).r;\n",
            ),
        ),
        ("padding_mode",),
    ),
    Planted(
        "the ramp before the bias",
        "tiled",
        "head",
        (
            Swap("head.frag", "vec4 sum = bias[group];", "vec4 sum = vec4(0.0);"),
            Swap("head.frag", "o_features = leaky(sum);", "o_features = leaky(sum) + bias[group];"),
        ),
        ("activation_before_bias", "wrong_function"),
    ),
    Planted(
        "columns two apart instead of rows",
        "tiled",
        "body",
        (Swap("body.frag", _DILATED, "ivec2(2 * (column - 1), row - 1)"),),
        ("dilation", "index_map"),
    ),
    Planted(
        "matrices with the source's group first",
        "tiled",
        "body",
        (
            Swap(
                "body.frag",
                "(group * 2 + source) * 3 + row) * 3 + column;",
                "(source * 2 + group) * 3 + row) * 3 + column;",
            ),
        ),
        ("filter_offset", "index_map", "filter_io_swap", "wrong_partner", "wrong_layout"),
    ),
    Planted(
        "the bias with every source",
        "tiled",
        "body",
        (
            Swap("body.frag", _BIAS, ""),
            Swap(
                "body.frag",
                "    for (int source = 0; source < 2; ++source) {\n",
                "    for (int source = 0; source < 2; ++source) {\n    " + _BIAS,
            ),
        ),
        ("bias_doubled", "double_counted"),
    ),
    Planted(
        "the width of the texture as a tile's bound",
        "tiled",
        "body",
        (
            Swap(
                "features.glsl",
                "greaterThanEqual(pixel, ivec2(u_width, u_height))",
                "greaterThanEqual(pixel, ivec2(2 * u_width, u_height))",
            ),
        ),
        ("tile_bleed", "padding_mode"),
    ),
    Planted(
        "a mean by the square of the width",
        "tiled",
        "pool",
        (Swap("pool.frag", "float(u_width * u_height)", "float(u_width * u_width)"),),
        ("average_count", "scale"),
    ),
    Planted(
        "the sum of a row carried into the next",
        "tiled",
        "pool",
        (
            Swap("pool.frag", "        vec4 ofRow = vec4(0.0);\n", ""),
            Swap(
                "pool.frag",
                "    vec4 total = vec4(0.0);\n",
                "    vec4 total = vec4(0.0);\n    vec4 ofRow = vec4(0.0);\n",
            ),
        ),
        ("accumulator_not_reset", "double_counted"),
    ),
    Planted(
        "the first bias for the rest as well",
        "tiled",
        "attn",
        (Swap("attention.frag", "exciteRest * hidden + exciteRestBias", "exciteRest * hidden + exciteFirstBias"),),
        ("bias_offset", "index_map", "wrong_partner"),
    ),
    Planted(
        "the squeezed numbers with their signs",
        "tiled",
        "attn",
        (
            Swap(
                "attention.frag",
                "max(squeezeFirst * first + squeezeRest * rest + squeezeBias, 0.0)",
                "squeezeFirst * first + squeezeRest * rest + squeezeBias",
            ),
        ),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "a true sigmoid for the hard one",
        "tiled",
        "attn",
        (Swap("attention.frag", "return clamp(0.2 * value + 0.5, 0.0, 1.0);", "return 1.0 / (1.0 + exp(-value));"),),
        ("wrong_function",),
    ),
    Planted(
        "weights of the first four for all",
        "tiled",
        "skip",
        (Swap("skip.frag", "ivec2(groupOf(target), 0)", "ivec2(0, 0)"),),
        ("wrong_partner", "index_map", "channel_permutation"),
    ),
    Planted(
        "head weighted together with body",
        "tiled",
        "skip",
        (Swap("skip.frag", "body * weight + head", "(body + head) * weight"),),
        ("wrong_partner",),
    ),
    Planted(
        "the first tile twice in the mix",
        "tiled",
        "mixed",
        (Swap("mix.frag", "featuresAt(s_features, 1, pixel)", "featuresAt(s_features, 0, pixel)"),),
        ("wrong_partner", "index_map", "channel_permutation"),
    ),
    Planted(
        "tiles of the result counted down the columns",
        "tiled",
        "mixed",
        (Swap("mix.frag", "tile.y * 2 + tile.x", "tile.x * 2 + tile.y"),),
        ("channel_permutation", "index_map", "wrong_layout"),
    ),
    Planted(
        "large luma from the corners of pixels",
        "tiled",
        "up",
        (Swap("up.frag", _PLACE, "vec2(target) / 3.0"),),
        ("half_texel", "shift", "index_map"),
    ),
    Planted(
        "a phase's row counted by two",
        "tiled",
        "up",
        (Swap("up.frag", _PHASE, "phase.y * 2 + phase.x"),),
        ("index_map", "channel_permutation"),
    ),
)

PAIRS = (
    Planted(
        "columns two apart and no bias",
        "tiled",
        "body",
        (Swap("body.frag", _DILATED, "ivec2(2 * (column - 1), row - 1)"), Swap("body.frag", _BIAS, "")),
        ("dilation", "index_map"),
        ("bias_missing",),
    ),
    Planted(
        "phases down before across and luma from corners",
        "tiled",
        "up",
        (Swap("up.frag", _PHASE, "phase.x * 3 + phase.y"), Swap("up.frag", _PLACE, "vec2(target) / 3.0")),
        ("channel_permutation", "index_map"),
        ("half_texel", "shift", "index_map"),
    ),
)

HEALTHY = (
    Healthy("as it is: tiled", "tiled"),
    Healthy(
        "a leaky ramp as the larger of two, rows from below",
        "tiled",
        (
            Swap("head.frag", "max(value, 0.0) + 0.15 * min(value, 0.0)", "max(value, 0.15 * value)"),
            Swap("head.frag", "int row = 0; row < 5; ++row", "int row = 4; row >= 0; --row"),
        ),
    ),
    Healthy(
        "the mean in one loop over all pixels",
        "tiled",
        (
            Swap(
                "pool.frag",
                """    for (int y = 0; y < u_height; ++y) {
        vec4 ofRow = vec4(0.0);
        for (int x = 0; x < u_width; ++x) {
            ofRow += featuresAt(s_features, group, ivec2(x, y));
        }
        total += ofRow;
    }
""",
                """    for (int i = 0; i < u_width * u_height; ++i) {
        total += featuresAt(s_features, group, ivec2(i % u_width, i / u_width));
    }
""",
            ),
        ),
    ),
    Healthy(
        "large luma as a sum of four shares",
        "tiled",
        (
            Swap(
                "up.frag",
                _BETWEEN,
                """    vec2 rest = 1.0 - share;
    return rest.x * rest.y * lumaAt(pixel) + share.x * share.y * lumaAt(pixel + 1)
        + share.x * rest.y * lumaAt(pixel + ivec2(1, 0)) + rest.x * share.y * lumaAt(pixel + ivec2(0, 1));
""",
            ),
        ),
    ),
)
