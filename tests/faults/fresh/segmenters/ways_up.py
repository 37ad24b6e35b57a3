"""Slips in an encoder with two ways up, in texture coordinates: borders, steps, statistics, resize."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

FAULTS = (
    Planted(
        "borders drawn on instead of zeros",
        "linknet",
        "squeeze",
        (
            Swap(
                "squeeze.frag",
                "            if (at.x < 0.0 || at.y < 0.0 || at.x > 1.0 || at.y > 1.0) continue;\n",
                "            at = clamp(at, 0.5 * px, 1.0 - 0.5 * px);\n",
            ),
        ),
        ("padding_mode",),
    ),
    Planted(
        "the slope on the positive side",
        "linknet",
        "squeeze",
        (Swap("squeeze.frag", "acc < 0.0 ? acc * slope : acc", "acc > 0.0 ? acc * slope : acc"),),
        ("wrong_function",),
    ),
    Planted(
        "slopes looked up along the row",
        "linknet",
        "squeeze",
        (
            Swap(
                "squeeze.frag",
                "texture(u_slope, vec2(0.5, (id + 0.5) / u_outputs))",
                "texture(u_slope, vec2((id + 0.5) / u_outputs, 0.5))",
            ),
        ),
        ("index_map", "alpha", "transpose_xy"),
    ),
    Planted(
        "blocks of kernels as wide as the output's grid",
        "linknet",
        "squeeze",
        (Swap("squeeze.frag", "tile * u_in_grid * 3.0", "tile * u_out_grid * 3.0"),),
        ("filter_offset", "index_map", "wrong_layout"),
    ),
    Planted(
        "a ninth at the borders too",
        "linknet",
        "halved",
        (Swap("halved.frag", "total / count", "total / 9.0"),),
        ("average_count",),
    ),
    Planted(
        "a mean's window one texel on",
        "linknet",
        "halved",
        (Swap("halved.frag", "cell * 2.0 + 0.5", "cell * 2.0 + 1.5"),),
        ("shift", "index_map"),
    ),
    Planted(
        "squares that are not of distances",
        "linknet",
        "normed",
        (Swap("normed.frag", ").r - mean;", ").r;"),),
        ("bias_missing",),
    ),
    Planted(
        "the epsilon of another framework",
        "linknet",
        "normed",
        (Swap("pipeline.toml", "uniforms.u_eps = 0.005", "uniforms.u_eps = 0.00001"),),
        ("epsilon",),
        in_text=False,
    ),
    Planted(
        "the first tile's statistics",
        "linknet",
        "normed",
        (Swap("normed.frag", "vec2 origin = tile * u_tile + 0.5;", "vec2 origin = vec2(0.5);"),),
        ("index_map", "channel_permutation", "wrong_partner"),
    ),
    Planted(
        "blocks of outputs with a kernel for each input",
        "linknet",
        "raised",
        (Swap("raised.frag", "(in_tile * u_out_grid + tile) * 3.0", "(tile * u_in_grid + in_tile) * 3.0"),),
        ("filter_io_swap", "wrong_layout", "filter_offset", "index_map"),
    ),
    Planted(
        "a step of two without its padding",
        "linknet",
        "raised",
        (Swap("raised.frag", "(texel + 1.0 - vec2(kx, ky)) * 0.5", "(texel - vec2(kx, ky)) * 0.5"),),
        ("shift", "index_map"),
    ),
    Planted(
        "half places of columns taken for whole ones",
        "linknet",
        "raised",
        (
            Swap(
                "raised.frag",
                "if (fract(from.x) > 0.25 || fract(from.y) > 0.25) continue;",
                "if (fract(from.y) > 0.25) continue;",
            ),
            Swap("raised.frag", "vec2 at = (from + 0.5) / u_small;", "vec2 at = (floor(from) + 0.5) / u_small;"),
        ),
        ("stride",),
    ),
    Planted(
        "samplers of medium precision",
        "linknet",
        "raised",
        (Swap("raised.frag", "precision highp sampler2D;", "precision mediump sampler2D;"),),
        ("half_precision", "precision"),
    ),
    Planted(
        "corners of the small map beyond those of the large one",
        "linknet",
        "joined",
        (Swap("joined.frag", "texel * (u_small - 1.0) / (u_tile - 1.0)", "texel * u_small / u_tile"),),
        ("half_texel", "index_map"),
    ),
    Planted(
        "the skip connection past the ReLU",
        "linknet",
        "joined",
        (
            Swap(
                "joined.frag",
                "max(v + texture(u_skip, v_uv).r, 0.0)",
                "max(v, 0.0) + texture(u_skip, v_uv).r",
            ),
        ),
        ("activation_before_bias", "wrong_function"),
    ),
    Planted(
        "right and lower neighbour exchanged",
        "linknet",
        "joined",
        (
            Swap("joined.frag", "+ low(tile, base + vec2(1.0, 0.0)) *", "+ low(tile, base + vec2(0.0, 1.0)) * "),
            Swap("joined.frag", "+ low(tile, base + vec2(0.0, 1.0)) * (", "+ low(tile, base + vec2(1.0, 0.0)) * ("),
        ),
        ("wrong_partner", "index_map", "transpose_xy"),
    ),
    Planted(
        "the first weights of a row once more",
        "linknet",
        "mask",
        (Swap("mask.frag", "(i + 5.5) / 9.0", "(i + 0.5) / 9.0"),),
        ("filter_offset", "wrong_partner", "index_map"),
    ),
    Planted(
        "a stray ReLU between two ways up",
        "linknet",
        "mask",
        (
            Swap(
                "mask.frag",
                "    for (float i = 0.0; i < 4.0; i++) {\n",
                "    acc = max(acc, 0.0);\n    for (float i = 0.0; i < 4.0; i++) {\n",
            ),
        ),
        ("activation_extra", "wrong_function"),
    ),
    Planted(
        "masks in steps of a byte",
        "linknet",
        "mask",
        (
            Swap(
                "mask.frag",
                "    fragColor = vec4(1.0 / (1.0 + exp(-acc)));",
                "    fragColor = vec4(floor(255.0 / (1.0 + exp(-acc)) + 0.5) / 255.0);",
            ),
        ),
        ("quantized_8bit",),
    ),
)

PAIRS = (
    Planted(
        "a resize from pixel to pixel, without its ReLU",
        "linknet",
        "joined",
        (
            Swap(
                "joined.frag",
                "    vec2 pos = texel * (u_small - 1.0) / (u_tile - 1.0);",
                "    vec2 pos = max((texel + 0.5) * u_small / u_tile - 0.5, 0.0);",
            ),
            Swap("joined.frag", "max(v + texture(u_skip, v_uv).r, 0.0)", "v + texture(u_skip, v_uv).r"),
        ),
        ("half_texel", "index_map"),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "one less in the variance, and no offset",
        "linknet",
        "normed",
        (
            Swap("normed.frag", "variance /= u_tile.x * u_tile.y;", "variance /= u_tile.x * u_tile.y - 1.0;"),
            Swap("normed.frag", " + texture(u_offset, mine).r", ""),
        ),
        ("average_count",),
        ("bias_missing",),
    ),
)
