"""Temporal supersampling: features of a small frame, four pixels from one, history that moved, and a sharpener."""

from __future__ import annotations

from tests.faults.fresh.coordinate_nets.plant import fault, healthy, pair

HERE = "supersample"
FILE = "pipeline.toml"
FEAT, LOCAL, FRESH, WARP, BOUNDS, TAMED, RESOLVE, SHARP = (
    f"{name}.frag" for name in ("feat", "local", "fresh", "warp", "bounds", "tamed", "resolve", "sharp")
)

FAULTS = (
    fault(
        "depth from far to near",
        HERE,
        "feat",
        ("affine", "wrong_function"),
        (FEAT, "texelFetch(s_depth, tap, 0).r);", "1.0 - texelFetch(s_depth, tap, 0).r);"),
    ),
    fault(
        "depth of the middle for all taps",
        HERE,
        "feat",
        ("index_map", "wrong_partner"),
        (FEAT, "texelFetch(s_depth, tap, 0)", "texelFetch(s_depth, px, 0)"),
    ),
    fault(
        "matrices are filled by rows",
        HERE,
        "feat",
        ("filter_io_swap", "wrong_layout", "wrong_partner"),
        (FILE, "o/4, ky kx, i, o%4", "o/4, ky kx, o%4, i"),
        in_text=False,
    ),
    fault(
        "borders of the whole texture",
        HERE,
        "local",
        ("tile_bleed",),
        (LOCAL, "p.x >= left && p.x < right &&", "p.x >= 0 && p.x < 3 * size.x &&"),
    ),
    fault(
        "upper bound of a colour",
        HERE,
        "local",
        ("alpha", "clamped_0_1", "wrong_function"),
        (LOCAL, "clamp(sum, 0.0, 6.0)", "clamp(sum, 0.0, 1.0)"),
    ),
    fault(
        "one quad's kernels for all",
        HERE,
        "local",
        ("filter_offset", "wrong_partner"),
        (LOCAL, "ivec2(t, quad), 0)", "ivec2(t, 0), 0)"),
    ),
    fault(
        "eight taps of nine",
        HERE,
        "local",
        ("missing_taps",),
        (LOCAL, "t < 9", "t < 8"),
    ),
    fault(
        "corners down and then across",
        HERE,
        "fresh",
        ("channel_permutation", "transpose_xy", "index_map"),
        (FRESH, "int corner = sub.y * 2 + sub.x;", "int corner = sub.x * 2 + sub.y;"),
    ),
    fault(
        "corners before colours",
        HERE,
        "fresh",
        ("channel_permutation", "index_map", "wrong_layout", "filter_offset"),
        (
            FRESH,
            "vec3(result(corner), result(4 + corner), result(8 + corner))",
            "vec3(result(4 * corner), result(4 * corner + 1), result(4 * corner + 2))",
        ),
        (FRESH, "result(12 + corner)", "result(4 * corner + 3)"),
    ),
    fault(
        "detail without its picture",
        HERE,
        "fresh",
        ("bias_missing",),
        (FRESH, "vec4(texelFetch(s_now, lo, 0).rgb + detail, trust)", "vec4(detail, trust)"),
    ),
    fault(
        "trust between zero and one too early",
        HERE,
        "fresh",
        ("activation_extra",),
        (FRESH, "+ detail, trust);", "+ detail, 1.0 / (1.0 + exp(-trust)));"),
    ),
    fault(
        "motion the other way",
        HERE,
        "warp",
        ("index_map", "scale", "wrong_function"),
        (WARP, "/ size - motion;", "/ size + motion;"),
    ),
    fault(
        "motion in parts of half a screen",
        HERE,
        "warp",
        ("scale", "index_map"),
        (WARP, "texture(s_motion, v_uv).xy;", "texture(s_motion, v_uv).xy * 0.5;"),
    ),
    fault(
        "history at corners",
        HERE,
        "warp",
        ("half_texel", "shift", "index_map"),
        (WARP, "vec2 st = uv * size - 0.5;", "vec2 st = uv * size;"),
    ),
    fault(
        "motion is smoothed",
        HERE,
        "warp",
        ("linear_filtering",),
        (FILE, 's_motion = "motion"', 's_motion = { tensor = "motion", filter = "linear" }'),
        in_text=False,
    ),
    fault(
        "targets exchanged",
        HERE,
        "low",
        ("wrong_function",),
        (BOUNDS, "layout(location = 0) out vec4 o_low;", "layout(location = 1) out vec4 o_low;"),
        (BOUNDS, "layout(location = 1) out vec4 o_high;", "layout(location = 0) out vec4 o_high;"),
    ),
    fault(
        "smallest without the right column",
        HERE,
        "low",
        ("missing_taps",),
        (BOUNDS, "min(lo, min(l, min(m, r)))", "min(lo, min(l, m))"),
    ),
    fault(
        "halves rounded up",
        HERE,
        "tamed",
        ("shift", "index_map"),
        (TAMED, "ivec2 half_px = px / 2;", "ivec2 half_px = (px + 1) / 2;"),
    ),
    fault(
        "no floor for history",
        HERE,
        "tamed",
        ("activation_missing", "wrong_function"),
        (TAMED, "clamp(old, lo, hi)", "min(old, hi)"),
    ),
    fault(
        "trust in the past",
        HERE,
        "resolve",
        ("wrong_function", "scale"),
        (RESOLVE, "exp(-fresh.a)", "exp(fresh.a)"),
    ),
    fault(
        "new picture upside down",
        HERE,
        "resolve",
        ("flip_y",),
        (RESOLVE, "texelFetch(s_new, px, 0)", "texelFetch(s_new, ivec2(px.x, textureSize(s_new, 0).y - 1 - px.y), 0)"),
    ),
    fault(
        "neighbours of the small frame",
        HERE,
        "sharp",
        ("dilation",),
        (FILE, "texel_size(resolve)", "texel_size(now)"),
        in_text=False,
    ),
    fault(
        "softer and not sharper",
        HERE,
        "sharp",
        ("wrong_literal", "wrong_function"),
        (SHARP, "(4.0 * c - cross)", "(cross - 4.0 * c)"),
    ),
    fault(
        "gamma at the end",
        HERE,
        "sharp",
        ("activation_extra", "srgb_encoded", "wrong_function"),
        (
            SHARP,
            "    o_color.a = 1.0;\n",
            "    o_color.rgb = pow(o_color.rgb, vec3(1.0 / 2.2));\n    o_color.a = 1.0;\n",
        ),
    ),
)

PAIRS = (
    pair(
        "turned corners, a bias for four",
        HERE,
        "fresh",
        ("channel_permutation", "transpose_xy", "index_map"),
        ("bias_offset",),
        (FRESH, "int corner = sub.y * 2 + sub.x;", "int corner = sub.y + sub.x * 2;"),
        (FRESH, "return u_b[o] +", "return u_b[o / 4] +"),
    ),
)

HEALTHY = (
    healthy(
        "history by four shares",
        HERE,
        (
            WARP,
            "mix(mix(nw, ne, f.x), mix(sw, se, f.x), f.y);",
            "(1.0 - f.y) * ((1.0 - f.x) * nw + f.x * ne) + f.y * ((1.0 - f.x) * sw + f.x * se);",
        ),
        (WARP, "texture(s_motion, v_uv).xy", "texelFetch(s_motion, ivec2(gl_FragCoord.xy) >> 1, 0).xy"),
    ),
    healthy(
        "neighbours by whole numbers, mixed history",
        HERE,
        (
            SHARP,
            "    return texture(s_color, v_uv + vec2(dx, dy) * u_texel).rgb;",
            "    ivec2 p = ivec2((v_uv + vec2(dx, dy) * u_texel) / u_texel);\n"
            "    return texelFetch(s_color, clamp(p, ivec2(0), textureSize(s_color, 0) - 1), 0).rgb;",
        ),
        (RESOLVE, "history + (fresh.rgb - history) * trust", "mix(history, fresh.rgb, trust)"),
    ),
)
