"""Slips between two views: features, cost volume, expected disparity, warping, likeness of windows."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_BORDER = "            if (any(lessThan(from, vec2(0.0))) || any(greaterThan(from, size))) continue;\n"

FAULTS = (
    Planted(
        "kernels read across and down the other way round",
        "stereo",
        "left_feature",
        (Swap("feature.frag", "(block + vec2(x, y) + 0.5)", "(block + vec2(y, x) + 0.5)"),),
        ("kernel_transpose", "index_map"),
    ),
    Planted(
        "what the sampler holds beyond the border counts",
        "stereo",
        "left_feature",
        (Swap("feature.frag", _BORDER, ""),),
        ("padding_mode",),
    ),
    Planted(
        "a centre that is centred again",
        "stereo",
        "left_feature",
        (Swap("feature.frag", "texture(image, from / size)", "texture(image, (from + 0.5) / size)"),),
        ("half_texel", "texel_edge", "shift", "index_map"),
    ),
    Planted(
        "the length of the first four features",
        "stereo",
        "left_feature",
        (Swap("feature.frag", "sqrt(dot(low, low) + dot(high, high) + 1e-3)", "sqrt(dot(low, low) + 1e-3)"),),
        ("missing_channels",),
    ),
    Planted(
        "the right view looked for on the other side",
        "stereo",
        "alike",
        (
            Swap("cost.frag", "at - vec2(d, 0.0)", "at + vec2(d, 0.0)"),
            Swap("cost.frag", "if (there.x < 0.0)", "if (there.x > size.x)"),
        ),
        ("index_map",),
    ),
    Planted(
        "likeness beyond the left border",
        "stereo",
        "alike",
        (Swap("cost.frag", "    if (there.x < 0.0) return 0.0;\n", ""),),
        ("tile_bleed", "padding_mode"),
    ),
    Planted(
        "the last two features against the first two",
        "stereo",
        "alike",
        (Swap("cost.frag", "pick(right, there, 1.0).rg", "pick(right, there, 0.0).rg"),),
        ("wrong_partner", "index_map", "channel_permutation"),
    ),
    Planted(
        "blocks of distances counted down before across",
        "stereo",
        "alike",
        (Swap("cost.frag", "cell.x + 2.0 * cell.y", "cell.y + 2.0 * cell.x"),),
        ("channel_permutation", "index_map", "wrong_layout"),
    ),
    Planted(
        "a softmax as it is without its sharpness",
        "stereo",
        "disparity",
        (Swap("disparity.frag", "exp(sharpness * (likeness(d) - best))", "exp(likeness(d) - best)"),),
        ("scale", "wrong_function"),
    ),
    Planted(
        "distances that start at one",
        "stereo",
        "disparity",
        (Swap("disparity.frag", "moment += d * e;", "moment += (d + 1.0) * e;"),),
        ("affine",),
    ),
    Planted(
        "a view moved to the other side",
        "stereo",
        "seen",
        (Swap("warp.frag", "-texture(disparity, uv).r", "texture(disparity, uv).r"),),
        ("scale", "index_map", "activation_missing", "wrong_function"),
    ),
    Planted(
        "places of a warp from the corners of texels",
        "stereo",
        "seen",
        (Swap("warp.frag", "uv * size - 0.5 + vec2", "uv * size + vec2"),),
        ("half_texel", "shift", "index_map"),
    ),
    Planted(
        "rows mixed by the share of columns",
        "stereo",
        "seen",
        (Swap("warp.frag", "mix(upper, lower, part.y)", "mix(upper, lower, part.x)"),),
        ("wrong_partner",),
    ),
    Planted(
        "the lower right neighbour taken from above",
        "stereo",
        "seen",
        (Swap("warp.frag", "low + vec2(1.0, 1.0)", "low + vec2(1.0, 0.0)"),),
        ("index_map", "wrong_partner"),
    ),
    Planted(
        "products of a window that are not averaged",
        "stereo",
        "unlike",
        (Swap("unlike.frag", "vec3 cov = ab / 9.0 -", "vec3 cov = ab -"),),
        ("average_count", "scale"),
    ),
    Planted(
        "the constant of variances under the means",
        "stereo",
        "unlike",
        (Swap("unlike.frag", "(ma * ma + mb * mb + c1)", "(ma * ma + mb * mb + c2)"),),
        ("epsilon", "wrong_partner", "wrong_input"),
    ),
    Planted(
        "a difference with its sign",
        "stereo",
        "unlike",
        (
            Swap(
                "unlike.frag",
                "abs(texture(left, uv).rgb - texture(seen, uv).rgb)",
                "texture(left, uv).rgb - texture(seen, uv).rgb",
            ),
        ),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "windows without their left column",
        "stereo",
        "unlike",
        (Swap("unlike.frag", "for (float x = -1.0;", "for (float x = 0.0;"),),
        ("missing_taps",),
    ),
    Planted(
        "an enlargement that goes round the border",
        "stereo",
        "larger",
        (Swap("pipeline.toml", 'filter = "linear" }', 'filter = "linear", wrap = "repeat" }'),),
        ("padding_mode",),
        in_text=False,
    ),
    Planted(
        "an enlargement by corners of its own texels",
        "stereo",
        "larger",
        (
            Swap(
                "larger.frag", "texture(disparity, uv)", "texture(disparity, floor(gl_FragCoord.xy) / vec2(38.0, 22.0))"
            ),
        ),
        ("half_texel", "shift"),
    ),
    Planted(
        "a view held between zero and one",
        "stereo",
        "seen",
        (Swap("warp.frag", "seen = mix(upper, lower, part.y);", "seen = clamp(mix(upper, lower, part.y), 0.0, 1.0);"),),
        ("clamped_0_1", "activation_extra", "wrong_function"),
    ),
)

PAIRS = (
    Planted(
        "kernels turned over their diagonal, and lengths without a root",
        "stereo",
        "left_feature",
        (
            Swap("feature.frag", "(block + vec2(x, y) + 0.5)", "(block + vec2(y, x) + 0.5)"),
            Swap(
                "feature.frag",
                "sqrt(dot(low, low) + dot(high, high) + 1e-3)",
                "dot(low, low) + dot(high, high) + 1e-3",
            ),
        ),
        ("kernel_transpose", "index_map"),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "one distance short, and distances that start at one",
        "stereo",
        "disparity",
        (
            Swap("disparity.frag", "d < 9.0; d += 1.0) {", "d < 8.0; d += 1.0) {"),
            Swap("disparity.frag", "moment += d * e;", "moment += (d + 1.0) * e;"),
        ),
        ("missing_channels",),
        ("affine",),
    ),
)

HEALTHY = (
    Healthy(
        "a warp that the sampler does",
        "stereo",
        (
            Swap(
                "warp.frag",
                "    vec2 low = floor(at);\n"
                "    vec2 part = at - low;\n"
                "    vec4 upper = mix(texel(low), texel(low + vec2(1.0, 0.0)), part.x);\n"
                "    vec4 lower = mix(texel(low + vec2(0.0, 1.0)), texel(low + vec2(1.0, 1.0)), part.x);\n"
                "    seen = mix(upper, lower, part.y);\n",
                "    seen = texture(right, (at + 0.5) / size);\n",
            ),
            Swap(
                "pipeline.toml",
                'textures.right = "right"\ntextures.disparity',
                'textures.right = { tensor = "right", filter = "linear" }\ntextures.disparity',
            ),
        ),
    ),
    Healthy(
        "an enlargement between four texels by hand",
        "stereo",
        (
            Swap(
                "larger.frag",
                "    larger = factor * texture(disparity, uv).r;\n",
                "    ivec2 last = textureSize(disparity, 0) - 1;\n"
                "    vec2 at = clamp(uv * vec2(last + 1) - 0.5, vec2(0.0), vec2(last));\n"
                "    ivec2 a = ivec2(at);\n"
                "    ivec2 b = min(a + 1, last);\n"
                "    vec2 part = fract(at);\n"
                "    vec2 left = vec2(texelFetch(disparity, a, 0).r, texelFetch(disparity, ivec2(a.x, b.y), 0).r);\n"
                "    vec2 right = vec2(texelFetch(disparity, ivec2(b.x, a.y), 0).r, texelFetch(disparity, b, 0).r);\n"
                "    vec2 rows = mix(left, right, part.x);\n"
                "    larger = factor * mix(rows.x, rows.y, part.y);\n",
            ),
        ),
    ),
)
