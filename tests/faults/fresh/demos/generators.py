"""Slips in a small generator that counts everything in floats."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_HIGHP = "precision highp sampler2D;"

FAULTS = (
    Planted(
        "a latent over the root of its sum",
        "figurine",
        "seed",
        (Swap("seed.frag", "power / 18. + .05", "power + .05"),),
        ("average_count", "scale", "wrong_function"),
    ),
    Planted(
        "a folding that runs down before it runs right",
        "figurine",
        "seed",
        (Swap("seed.frag", "* S.y + q.y) * S.x + q.x", "* S.x + q.x) * S.y + q.y"),),
        ("index_map", "transpose_xy", "filter_offset", "bias_offset", "wrong_layout"),
    ),
    Planted(
        "a slope of a half",
        "figurine",
        "seed",
        (Swap("seed.frag", "acc < 0. ? .2 * acc", "acc < 0. ? .5 * acc"),),
        ("alpha", "wrong_literal"),
    ),
    Planted(
        "tiles of three in a row where there are four",
        "figurine",
        "low",
        (Swap("low.frag", "vec2(mod(c, 4.), floor(c / 4. + .01))", "vec2(mod(c, 3.), floor(c / 3. + .01))"),),
        ("channel_permutation", "index_map", "wrong_partner", "wrong_layout"),
    ),
    Planted(
        "a small picture kept as a colour",
        "figurine",
        "low",
        (Swap("low.frag", "fragColor = vec4(acc);", "fragColor = clamp(vec4(acc), 0., 1.);"),),
        ("clamped_0_1", "activation_extra", "wrong_function"),
    ),
    Planted(
        "samplers of low precision",
        "figurine",
        "low",
        (Swap("low.frag", _HIGHP, "precision lowp sampler2D;"),),
        ("half_precision", "precision"),
    ),
    Planted(
        "filters counted from the last",
        "figurine",
        "low",
        (Swap("low.frag", "(vec2(c, o) + .5) / vec2(10., 3.)", "(vec2(c, 2. - o) + .5) / vec2(10., 3.)"),),
        ("filter_offset", "index_map", "flip_y"),
    ),
    Planted(
        "an enlargement from half a texel further",
        "figurine",
        "block",
        (Swap("block.frag", "tile * LOW + at / 2.", "tile * LOW + at / 2. + .5"),),
        ("half_texel", "index_map", "shift"),
    ),
    Planted(
        "an enlargement through a linear filter",
        "figurine",
        "block",
        (
            Swap(
                "pipeline.toml",
                'textures.iChannel0 = "seed"\ntextures.iNoise',
                'textures.iChannel0 = { tensor = "seed", filter = "linear" }\ntextures.iNoise',
            ),
        ),
        ("linear_filtering",),
        in_text=False,
    ),
    Planted(
        "no border around a tile",
        "figurine",
        "block",
        (
            Swap(
                "block.frag",
                "    if (any(lessThan(at, vec2(0.))) || any(greaterThanEqual(at, S))) return 0.;\n",
                "",
            ),
        ),
        ("tile_bleed", "padding_mode"),
    ),
    Planted(
        "the first strength of noise for all",
        "figurine",
        "block",
        (Swap("block.frag", "texture(iStrength, vec2(.5, (o + .5) / 7.))", "texture(iStrength, vec2(.5, .5 / 7.))"),),
        ("index_map", "wrong_partner", "channel_permutation"),
    ),
    Planted(
        "noise after the activation",
        "figurine",
        "block",
        (
            Swap("block.frag", "    acc += texture(iStrength", "    float n = texture(iStrength"),
            Swap("block.frag", "vec4(max(acc, .2 * acc))", "vec4(max(acc, .2 * acc) + n)"),
        ),
        ("activation_before_bias", "wrong_function"),
    ),
    Planted(
        "noise as large as the small picture",
        "figurine",
        "block",
        (Swap("block.frag", "texture(iNoise, q / S)", "texture(iNoise, floor(q / 2.) / LOW + .5 / S)"),),
        ("index_map",),
    ),
    Planted(
        "a pixel over eight channels",
        "figurine",
        "pixels",
        (Swap("pixels.frag", "power / 7.", "power / 8."),),
        ("average_count", "wrong_literal", "scale"),
    ),
    Planted(
        "a power of the last channel alone",
        "figurine",
        "pixels",
        (Swap("pixels.frag", "power += v * v;", "power = v * v;"),),
        ("missing_channels",),
    ),
    Planted(
        "a skip that is not held in its tile",
        "figurine",
        "rgb",
        (Swap("rgb.frag", "    at = clamp(at, vec2(.5), LOW - .5);\n", ""),),
        ("tile_bleed", "padding_mode", "index_map"),
    ),
    Planted(
        "a skip from the corners of pixels",
        "figurine",
        "rgb",
        (Swap("rgb.frag", "f = fract(at - .5), a = floor(at - .5) + .5", "f = fract(at), a = floor(at) + .5"),),
        ("half_texel", "index_map", "shift"),
    ),
    Planted(
        "a gain after the curve",
        "figurine",
        "rgb",
        (Swap("rgb.frag", "tanh(gain * acc)", "gain * tanh(acc)"),),
        ("scale", "wrong_function"),
    ),
    Planted(
        "the pixels before their norm",
        "figurine",
        "rgb",
        (Swap("pipeline.toml", 'textures.iChannel0 = "pixels"', 'textures.iChannel0 = "block"'),),
        ("wrong_input", "wrong_partner"),
        in_text=False,
    ),
    Planted(
        "two axes of a mix exchanged",
        "figurine",
        "rgb",
        (
            Swap("rgb.frag", "tile, a + vec2(1., 0.)", "tile, a + vec2(0., 1.) "),
            Swap("rgb.frag", "tile, a + vec2(0., 1.))", "tile, a + vec2(1., 0.))"),
        ),
        ("index_map", "wrong_partner"),
    ),
)

PAIRS = (
    Planted(
        "borders held at their edge, and a slope of a tenth",
        "figurine",
        "block",
        (
            Swap(
                "block.frag",
                "    if (any(lessThan(at, vec2(0.))) || any(greaterThanEqual(at, S))) return 0.;",
                "    at = clamp(at, vec2(.5), S - .5);",
            ),
            Swap("block.frag", "max(acc, .2 * acc)", "max(acc, .1 * acc)"),
        ),
        ("padding_mode", "index_map"),
        ("alpha", "wrong_literal"),
    ),
)

HEALTHY = (
    Healthy(
        "an enlargement from the middle of texels",
        "figurine",
        (
            Swap("block.frag", "tile * LOW + at / 2.", "tile * LOW + floor(at * .5) + .5"),
            Swap("block.frag", "acc, .2 * acc", ".2 * acc, acc"),
        ),
    ),
    Healthy(
        "a skip that the sampler interpolates",
        "figurine",
        (
            Swap("pipeline.toml", 'textures.iSkip = "low"', 'textures.iSkip = { tensor = "low", filter = "linear" }'),
            Swap(
                "rgb.frag",
                "    acc += bilinear(tile, q * LOW / S);",
                "    acc += texture(iSkip, (tile * LOW + clamp(q * .5, vec2(.5), LOW - .5)) / (LOW * 2.)).x;",
            ),
        ),
    ),
    Healthy(
        "a norm in whole numbers",
        "figurine",
        (
            Swap("pixels.frag", "for (float c = 0.; c < 7.; c++) {", "for (int c = 6; c >= 0; c--) {"),
            Swap(
                "pixels.frag",
                "texture(iChannel0, (vec2(mod(c, 3.), floor((c + .5) / 3.)) * S + q) / iResolution).x",
                "texelFetch(iChannel0, ivec2(c % 3, c / 3) * ivec2(S) + ivec2(q), 0).x",
            ),
            Swap("pixels.frag", "* inversesqrt(power / 7. + .05)", "/ sqrt(power * (1. / 7.) + .05)"),
        ),
    ),
)
