"""Slips in a small pyramid: strides, slopes, boxes cut by the border, a transposed window, groups, shares."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_FIRST = "K[ky * 4 + kx]"
_SECOND = "K[16 + ky * 4 + kx]"
_OUTPUT = 'output = { shape = [1, 4, 12, 16], layout = "channel_tiles_rgba" }\n'

FAULTS = (
    Planted(
        "every pixel instead of every second",
        "pyramid",
        "down",
        (Swap("down.frag", "ivec2 o = 2 * (g", "ivec2 o = (g"),),
        ("stride", "index_map"),
    ),
    Planted(
        "a tile's corner taken off too late",
        "pyramid",
        "down",
        (Swap("down.frag", "2 * (g - ivec2(t * size.x, 0))", "2 * g - ivec2(t * size.x, 0)"),),
        ("shift", "index_map"),
    ),
    Planted(
        "slopes of the first tile once more",
        "pyramid",
        "down",
        (Swap("down.frag", "vec4(0.55395, 0.47952,", "vec4(0.49026, 0.24993,"),),
        ("wrong_literal", "alpha", "index_map", "wrong_partner"),
    ),
    Planted(
        "slopes on the positive side",
        "pyramid",
        "down",
        (Swap("down.frag", "lessThan(s, vec4(0.0))", "greaterThan(s, vec4(0.0))"),),
        ("wrong_function",),
    ),
    Planted(
        "a box of nine at the border too",
        "pyramid",
        "detail",
        (Swap("detail.frag", "s / n", "s / 9.0"),),
        ("average_count",),
    ),
    Planted(
        "a box that ends at the texture's side",
        "pyramid",
        "detail",
        (Swap("detail.frag", "min(g.x + 1, x0 + size.x - 1)", "min(g.x + 1, 2 * size.x - 1)"),),
        ("tile_bleed", "padding_mode"),
    ),
    Planted(
        "a box without its last row",
        "pyramid",
        "detail",
        (Swap("detail.frag", "y <= min(g.y + 1, size.y - 1)", "y < min(g.y + 1, size.y - 1)"),),
        ("missing_taps",),
    ),
    Planted(
        "the pixel taken from its box",
        "pyramid",
        "detail",
        (Swap("detail.frag", "texelFetch(down, g, 0) - s / n", "s / n - texelFetch(down, g, 0)"),),
        ("scale", "wrong_input", "wrong_partner"),
    ),
    Planted(
        "a transposed window without its padding",
        "pyramid",
        "up",
        (Swap("up.frag", "ivec2(gl_FragCoord.xy) + 1;", "ivec2(gl_FragCoord.xy);"),),
        ("shift", "index_map"),
    ),
    Planted(
        "the first tile's matrices for the second",
        "pyramid",
        "up",
        (Swap("up.frag", _SECOND, _FIRST),),
        ("filter_offset", "index_map", "wrong_partner"),
    ),
    Planted(
        "a transposed window turned around",
        "pyramid",
        "up",
        (
            Swap("up.frag", _FIRST, "K[(3 - ky) * 4 + 3 - kx]"),
            Swap("up.frag", _SECOND, "K[16 + (3 - ky) * 4 + 3 - kx]"),
        ),
        ("kernel_flip", "index_map", "wrong_partner"),
    ),
    Planted(
        "the left column repeated",
        "pyramid",
        "sideways",
        (
            Swap(
                "side.frag",
                "g.x > 0 ? texelFetch(up, g - ivec2(1, 0), 0) : vec4(0.0)",
                "texelFetch(up, ivec2(max(g.x - 1, 0), g.y), 0)",
            ),
        ),
        ("padding_mode",),
    ),
    Planted(
        "the first two lanes for both groups",
        "pyramid",
        "sideways",
        (Swap("side.frag", "l.zw;", "l.xy;"), Swap("side.frag", "m.zw;", "m.xy;"), Swap("side.frag", "r.zw;", "r.xy;")),
        ("group_ignored", "index_map", "wrong_partner", "channel_permutation"),
    ),
    Planted(
        "left and right exchanged",
        "pyramid",
        "sideways",
        (Swap("side.frag", "vec4 l = g.x", "vec4 r = g.x"), Swap("side.frag", "vec4 r = g.x < w", "vec4 l = g.x < w")),
        ("kernel_flip", "index_map", "wrong_partner"),
    ),
    Planted(
        "shares of a sum of three",
        "pyramid",
        "share",
        (Swap("share.frag", "dot(e, vec4(1.0))", "dot(e.xyz, vec3(1.0))"),),
        ("dropped_lane", "missing_channels"),
    ),
    Planted(
        "powers of two for those of e",
        "pyramid",
        "share",
        (Swap("share.frag", "exp(v - max(m.x, m.y))", "exp2(v - max(m.x, m.y))"),),
        ("wrong_function", "scale"),
    ),
    Planted(
        "another sharpness in the file",
        "pyramid",
        "share",
        (Swap("pipeline.toml", "uniforms.sharpness = 1.7", "uniforms.sharpness = 1"),),
        ("scale", "wrong_function"),
        in_text=False,
    ),
    Planted(
        "shares saved in bytes",
        "pyramid",
        "share",
        (
            Swap(
                "pipeline.toml",
                'shader = "share.frag"\n' + _OUTPUT,
                'shader = "share.frag"\n' + _OUTPUT.replace('rgba" }', 'rgba", dtype = "uint8" }'),
            ),
        ),
        ("quantized_8bit",),
        in_text=False,
    ),
)

PAIRS = (
    Planted(
        "a box of nine, and the pixel taken from it",
        "pyramid",
        "detail",
        (Swap("detail.frag", "texelFetch(down, g, 0) - s / n", "s / 9.0 - texelFetch(down, g, 0)"),),
        ("average_count",),
        ("scale", "wrong_input", "wrong_partner"),
    ),
)

HEALTHY = (
    Healthy("as it is: pyramid", "pyramid"),
    Healthy(
        "shares without the largest taken off",
        "pyramid",
        (
            Swap("share.frag", "  vec2 m = max(v.xy, v.zw);\n", ""),
            Swap("share.frag", "exp(v - max(m.x, m.y))", "exp2(1.442695 * v)"),
        ),
    ),
    Healthy(
        "a transposed window that tries all taps",
        "pyramid",
        (
            Swap("up.frag", "int ky = g.y & 1; ky < 4; ky += 2", "int ky = 0; ky < 4; ky++"),
            Swap("up.frag", "int kx = g.x & 1; kx < 4; kx += 2", "int kx = 0; kx < 4; kx++"),
            Swap(
                "up.frag",
                "if (g.x < kx || g.y < ky ||",
                "if (((g.x - kx) & 1) + ((g.y - ky) & 1) > 0 || g.x < kx || g.y < ky ||",
            ),
        ),
    ),
)
