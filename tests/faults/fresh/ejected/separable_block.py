"""Slips in the depthwise-separable block: tiles inlined as integer arithmetic, everything in few lines."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_OUTSIDE = "if (any(lessThan(r, ivec2(0))) || any(greaterThanEqual(r, S))) continue;"
_ORIGIN = "int oy = p.y % 4 * 2 - 2, ox = p.x % 5 * 3 - 1;"
_FACTOR = "texelFetch(t_gamma, c, 0).r / sqrt(texelFetch(t_var, c, 0).r + 0.02);"
_NORMAL = (
    "    float v = (texelFetch(t_x, p, 0).r - m) * k + texelFetch(t_beta, c, 0).r;\n    y = v < 0.0 ? 0.23 * v : v;"
)

FAULTS = (
    Planted(
        "the corner of the tile lost while inlining",
        "separable",
        "depthwise",
        (Swap("depthwise.frag", "texelFetch(t_x, o + r, 0)", "texelFetch(t_x, r, 0)"),),
        ("group_ignored", "index_map", "channel_permutation", "wrong_partner"),
    ),
    Planted(
        "the depthwise kernel walked column by column",
        "separable",
        "depthwise",
        (Swap("depthwise.frag", "texelFetch(t_w, f + d, 0)", "texelFetch(t_w, f + d.yx, 0)"),),
        ("kernel_transpose", "index_map", "wrong_partner"),
    ),
    Planted(
        "the lower bound of the clip that of a relu",
        "separable",
        "depthwise",
        (Swap("depthwise.frag", "clamp(s, -0.7, 1.1)", "clamp(s, 0.0, 1.1)"),),
        ("alpha", "wrong_literal", "clamped_nonnegative"),
    ),
    Planted(
        "the ninth tap off the end of the flat loop",
        "separable",
        "depthwise",
        (Swap("depthwise.frag", "k < 9", "k < 8"),),
        ("missing_taps",),
    ),
    Planted(
        "the edge repeated around the depthwise picture",
        "separable",
        "depthwise",
        (Swap("depthwise.frag", _OUTSIDE, "r = clamp(r, ivec2(0), S - 1);"),),
        ("padding_mode",),
    ),
    Planted(
        "the skip lost when the shaders were merged",
        "separable",
        "residual",
        (Swap("residual.frag", "y = s + texelFetch(t_skip, p, 0).r;", "y = s;"),),
        ("bias_missing",),
    ),
    Planted(
        "the blocks of the 1x1 filters by input",
        "separable",
        "residual",
        (
            Swap("residual.frag", "ivec2 f = ivec2(c % 3 * 3, c / 3 * 2);", "ivec2 f = ivec2(c % 3, c / 3);"),
            Swap("residual.frag", "texelFetch(t_w, f + g, 0)", "texelFetch(t_w, f + g * ivec2(3, 2), 0)"),
        ),
        ("filter_io_swap", "index_map", "wrong_layout", "wrong_partner"),
    ),
    Planted(
        "a relu on the branch before the skip",
        "separable",
        "residual",
        (Swap("residual.frag", "y = s + tex", "y = max(s, 0.0) + tex"),),
        ("activation_extra", "wrong_function"),
    ),
    Planted(
        "the skip taken behind the depthwise layer",
        "separable",
        "residual",
        (Swap("pipeline.toml", 'textures.t_skip = "image"', 'textures.t_skip = "depthwise"'),),
        ("wrong_input", "wrong_partner"),
        in_text=False,
    ),
    Planted(
        "input tiles counted down the columns",
        "separable",
        "residual",
        (Swap("residual.frag", "texelFetch(t_x, g * S + q, 0)", "texelFetch(t_x, ivec2(i / 2, i % 2) * S + q, 0)"),),
        ("channel_permutation", "index_map", "wrong_partner", "wrong_layout"),
    ),
    Planted(
        "the constant of the batch norm behind its root",
        "separable",
        "leaky",
        (
            Swap(
                "norm_leaky.frag",
                "sqrt(texelFetch(t_var, c, 0).r + 0.02);",
                "(sqrt(texelFetch(t_var, c, 0).r) + 0.02);",
            ),
        ),
        ("epsilon", "activation_before_bias", "wrong_function"),
    ),
    Planted(
        "divided by the variance of the batch norm",
        "separable",
        "leaky",
        (Swap("norm_leaky.frag", "sqrt(texelFetch(t_var, c, 0).r + 0.02);", "(texelFetch(t_var, c, 0).r + 0.02);"),),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "the slope with its digits exchanged",
        "separable",
        "leaky",
        (Swap("norm_leaky.frag", "0.23 * v", "0.32 * v"),),
        ("alpha", "wrong_literal"),
    ),
    Planted(
        "the leaky branch taken before beta is added",
        "separable",
        "leaky",
        (
            Swap(
                "norm_leaky.frag",
                _NORMAL,
                "    float v = (texelFetch(t_x, p, 0).r - m) * k;\n"
                "    y = (v < 0.0 ? 0.23 * v : v) + texelFetch(t_beta, c, 0).r;",
            ),
        ),
        ("activation_before_bias", "wrong_function"),
    ),
    Planted(
        "gamma and the variance bound the other way round",
        "separable",
        "leaky",
        (
            Swap("pipeline.toml", 'textures.t_gamma = { tensor = "gamma"', 'textures.t_gamma = { tensor = "variance"'),
            Swap("pipeline.toml", 'textures.t_var = { tensor = "variance"', 'textures.t_var = { tensor = "gamma"'),
        ),
        ("wrong_input", "wrong_partner"),
        in_text=False,
    ),
    Planted(
        "the steps of rows for columns",
        "separable",
        "down",
        (Swap("down.frag", _ORIGIN, "int oy = p.y % 4 * 3 - 2, ox = p.x % 5 * 2 - 1;"),),
        ("stride", "index_map"),
    ),
    Planted(
        "the padding below for that above",
        "separable",
        "down",
        (Swap("down.frag", "p.y % 4 * 2 - 2", "p.y % 4 * 2 - 1"),),
        ("shift", "index_map"),
    ),
    Planted(
        "rows of filter blocks one kernel high",
        "separable",
        "down",
        (Swap("down.frag", "ky = (c / 3 * 2 + i / 3) * 5;", "ky = (c / 3 + i / 3) * 5;"),),
        ("filter_offset", "index_map", "wrong_partner"),
    ),
    Planted(
        "the five rows of the kernel from below",
        "separable",
        "down",
        (Swap("down.frag", "ky + a), 0)", "ky + 4 - a), 0)"),),
        ("kernel_flip", "index_map", "wrong_partner"),
    ),
    Planted(
        "biases by the column of the tile",
        "separable",
        "down",
        (Swap("down.frag", "texelFetch(t_b, ivec2(c, 0), 0)", "texelFetch(t_b, ivec2(c % 3, 0), 0)"),),
        ("bias_offset", "index_map"),
    ),
)

PAIRS = (
    Planted(
        "a strided kernel mirrored along x and biases one further",
        "separable",
        "down",
        (
            Swap("down.frag", "ivec2(kx + b, ky + a)", "ivec2(kx + 2 - b, ky + a)"),
            Swap("down.frag", "texelFetch(t_b, ivec2(c, 0), 0)", "texelFetch(t_b, ivec2((c + 1) % 7, 0), 0)"),
        ),
        ("kernel_flip", "index_map", "wrong_partner"),
        others=("bias_offset", "index_map"),
    ),
)

HEALTHY = (
    Healthy(
        "depthwise taps in two loops from the last",
        "separable",
        (
            Swap("depthwise.frag", "for (int k = 0; k < 9; k++) {", "for (int k = 8; k >= 0; k--) {"),
            Swap(
                "depthwise.frag",
                _OUTSIDE + "\n        s += texelFetch(t_x, o + r, 0).r * texelFetch(t_w, f + d, 0).r;",
                "bool in_ = r == clamp(r, ivec2(0), S - 1);\n"
                "        s += in_ ? texelFetch(t_x, o + r, 0).r * texelFetch(t_w, f + d, 0).r : 0.0;",
            ),
        ),
    ),
    Healthy(
        "the batch norm folded to a factor and a term",
        "separable",
        (
            Swap(
                "norm_leaky.frag",
                _FACTOR,
                "texelFetch(t_gamma, c, 0).r * inversesqrt(texelFetch(t_var, c, 0).r + 0.02);",
            ),
            Swap(
                "norm_leaky.frag",
                _NORMAL,
                "    float v = texelFetch(t_x, p, 0).r * k + (texelFetch(t_beta, c, 0).r - m * k);\n"
                "    y = max(v, 0.23 * v);",
            ),
        ),
    ),
)
