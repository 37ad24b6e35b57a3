"""Slips in passes that read between the elements of a texture, or over neighbouring channels."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_SAMPLED = """    vec2 uv = (vec2(corner(at.z, u_columns, u_source)) + place) / vec2(textureSize(u_image, 0));
    float value = textureLod(u_image, uv, 0.0).r;
"""
_FETCHED = """    ivec2 tile = corner(at.z, u_columns, u_source);
    ivec2 low = ivec2(floor(place - 0.5)), high = min(low + 1, u_source - 1);
    vec2 f = place - 0.5 - vec2(low);
    float value = mix(
        mix(texelFetch(u_image, tile + low, 0).r, texelFetch(u_image, tile + ivec2(high.x, low.y), 0).r, f.x),
        mix(texelFetch(u_image, tile + ivec2(low.x, high.y), 0).r, texelFetch(u_image, tile + high, 0).r, f.x),
        f.y);
"""
_SOUTH = "(1.0 - f.x) * texel(p + vec2(0.0, 1.0), at.z) + f.x * texel(p + vec2(1.0), at.z)"
_BORDER = (
    Swap(
        "grid_sample.comp", "    bool inside = all(greaterThanEqual(p, vec2(0.0))) && all(lessThan(p, u_source));\n", ""
    ),
    Swap(
        "grid_sample.comp",
        "    return inside ? texelFetch",
        "    p = clamp(p, vec2(0.0), u_source - 1.0);\n    return texelFetch",
    ),
    Swap("grid_sample.comp", "+ ivec2(p), 0).r : 0.0;", "+ ivec2(p), 0).r;"),
)

FAULTS = (
    Planted(
        "corners of the target's pixels",
        "sampling",
        "linear",
        (Swap("resize_linear.comp", "(vec2(at.xy) + 0.5) * ratio", "vec2(at.xy) * ratio"),),
        ("half_texel", "shift", "index_map"),
    ),
    Planted(
        "places that are not held inside their tile",
        "sampling",
        "linear",
        (
            Swap(
                "resize_linear.comp",
                "    place = clamp(place, vec2(0.5), vec2(u_source) - 0.5);  // not into the next tile\n",
                "",
            ),
        ),
        ("tile_bleed", "padding_mode", "index_map"),
    ),
    Planted(
        "too few work groups for all rows",
        "sampling",
        "linear",
        (Swap("pipeline.toml", '["8 / 8", "13 / 8", 5]', "[1, 1, 5]"),),
        ("unwritten_texels",),
        in_text=False,
    ),
    Planted(
        "weights along x and y exchanged",
        "sampling",
        "cubic",
        (
            Swap("resize_cubic.comp", "row += wx[i] *", "row += wy[i] *"),
            Swap("resize_cubic.comp", "sum += wy[j] * row", "sum += wx[j] * row"),
        ),
        ("kernel_transpose", "wrong_partner"),
    ),
    Planted(
        "a window that begins at its second tap",
        "sampling",
        "cubic",
        (Swap("resize_cubic.comp", "vec2(i - 1, j - 1)", "vec2(i, j)"),),
        ("shift", "index_map"),
    ),
    Planted(
        "three of four columns",
        "sampling",
        "cubic",
        (Swap("resize_cubic.comp", "i < 4", "i < 3"),),
        ("missing_taps",),
    ),
    Planted(
        "the upper edge of a clamp beyond the last pixel",
        "sampling",
        "cubic",
        (Swap("resize_cubic.comp", "vec2(0.0), u_source - 1.0)", "vec2(0.0), u_source)"),),
        ("tile_bleed", "padding_mode", "index_map"),
    ),
    Planted(
        "a grid from centre to centre",
        "sampling",
        "warped",
        (
            Swap(
                "grid_sample.comp",
                "((grid[at.y * u_target.x + at.x] + 1.0) * u_source - 1.0) * 0.5",
                "(grid[at.y * u_target.x + at.x] + 1.0) * (u_source - 1.0) * 0.5",
            ),
        ),
        ("half_texel", "index_map"),
    ),
    Planted(
        "a grid that has the row first",
        "sampling",
        "warped",
        (Swap("grid_sample.comp", "grid[at.y * u_target.x + at.x] +", "grid[at.y * u_target.x + at.x].yx +"),),
        ("transpose_xy", "channel_permutation", "index_map", "wrong_partner"),
    ),
    Planted(
        "the southern weights the other way round",
        "sampling",
        "warped",
        (
            Swap(
                "grid_sample.comp",
                _SOUTH,
                "f.x * texel(p + vec2(0.0, 1.0), at.z) + (1.0 - f.x) * texel(p + vec2(1.0), at.z)",
            ),
        ),
        ("wrong_partner",),
    ),
    Planted(
        "the border's values beyond the border",
        "sampling",
        "warped",
        _BORDER,
        ("padding_mode",),
    ),
    Planted(
        "a sum of squares not divided by the window",
        "sampling",
        "response",
        (Swap("lrn.comp", "u_alpha / float(u_window) * squares", "u_alpha * squares"),),
        ("scale", "average_count", "wrong_function"),
    ),
    Planted(
        "channels up to the own one alone",
        "sampling",
        "response",
        (Swap("lrn.comp", "c <= min(at.z + half_window, u_channels - 1)", "c <= at.z"),),
        ("missing_channels", "missing_taps"),
    ),
    Planted(
        "sums of values that are not squared",
        "sampling",
        "response",
        (Swap("lrn.comp", "squares += v * v;", "squares += abs(v);"),),
        ("wrong_function",),
    ),
    Planted(
        "the constant outside the power",
        "sampling",
        "response",
        (
            Swap(
                "lrn.comp",
                "pow(u_bias + u_alpha / float(u_window) * squares, u_beta)",
                "u_bias + pow(u_alpha / float(u_window) * squares, u_beta)",
            ),
        ),
        ("epsilon", "activation_before_bias", "wrong_function"),
    ),
)

PAIRS = (
    Planted(
        "a grid that has the row first, and the border's values beyond",
        "sampling",
        "warped",
        (
            Swap("grid_sample.comp", "grid[at.y * u_target.x + at.x] +", "grid[at.y * u_target.x + at.x].yx +"),
            *_BORDER,
        ),
        ("transpose_xy", "channel_permutation", "index_map", "wrong_partner"),
        ("padding_mode",),
    ),
)

HEALTHY = (
    Healthy("as it is: sampling", "sampling"),
    Healthy("four fetches for the sampler's filter", "sampling", (Swap("resize_linear.comp", _SAMPLED, _FETCHED),)),
    Healthy(
        "a power by logarithms of two",
        "sampling",
        (
            Swap("lrn.comp", "float divisor = pow(u_bias", "float divisor = exp2(u_beta * log2(u_bias"),
            Swap("lrn.comp", "* squares, u_beta);", "* squares));"),
        ),
    ),
    Healthy(
        "a place compared with itself held inside",
        "sampling",
        (
            Swap(
                "grid_sample.comp",
                "all(greaterThanEqual(p, vec2(0.0))) && all(lessThan(p, u_source))",
                "p == clamp(p, vec2(0.0), u_source - 1.0)",
            ),
        ),
    ),
)
