"""Holds the shuffled unit: macros, one number a texel."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS = (
    Planted(
        "squares not divided by the window",
        "shuffle",
        "lrn",
        (Swap("lrn.frag", "ALPHA / float(SIZE) * squares", "ALPHA * squares"),),
        ("alpha", "average_count", "scale"),
    ),
    Planted(
        "group starts at outputs",
        "shuffle",
        "g1",
        (Swap("grouped_prelu.frag", "group * GROUP_IN + i, row", "group * GROUP_OUT + i, row"),),
        ("group_ignored", "index_map", "extra_channels"),
    ),
    Planted(
        "slope of the group",
        "shuffle",
        "g1",
        (Swap("grouped_prelu.frag", "FETCH(tex_slope, o, 0, 0, 1)", "FETCH(tex_slope, group, 0, 0, 1)"),),
        ("index_map", "wrong_partner", "alpha"),
    ),
    Planted(
        "variance without its root",
        "shuffle",
        "dw",
        (Swap("depthwise.frag", "* inversesqrt(VEC(tex_var, c) + EPSILON)", "/ (VEC(tex_var, c) + EPSILON)"),),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "a tap copied and not changed",
        "shuffle",
        "dw",
        (Swap("depthwise.frag", "TAP(2, 0) TAP(2, 1) TAP(2, 2)", "TAP(2, 0) TAP(2, 1) TAP(1, 2)"),),
        ("missing_taps", "double_counted"),
    ),
    Planted(
        "size of the other grouped layer",
        "shuffle",
        "g2",
        (Swap("pipeline.toml", "defines.GROUP_IN = 6", "defines.GROUP_IN = 4"),),
        ("missing_channels", "group_ignored", "filter_offset", "index_map"),
        in_text=False,
    ),
    Planted(
        "bottom held at the width",
        "shuffle",
        "avg",
        (Swap("average.frag", "min(top + 3, H_X)", "min(top + 3, W_X)"),),
        ("tile_bleed", "padding_mode", "average_count", "extra_channels"),
    ),
    Planted(
        "columns counted by the height",
        "shuffle",
        "top",
        (Swap("top.frag", "column < W_LOW", "column < H_LOW"),),
        ("missing_taps", "missing_channels"),
    ),
    Planted(
        "the fourth weight is the third",
        "shuffle",
        "logits",
        (Swap("dense.frag", "FETCH(tex_w, 0, i + 3, o, 1)", "FETCH(tex_w, 0, i + 2, o, 1)"),),
        ("filter_offset", "index_map", "wrong_partner"),
    ),
    Planted(
        "logarithm of another base",
        "shuffle",
        "logp",
        (Swap("logsoftmax.frag", "log(total)", "log2(total)"),),
        ("wrong_function", "affine"),
    ),
)

PAIRS = (
    Planted(
        "no padding and no shift",
        "shuffle",
        "dw",
        (
            Swap("depthwise.frag", "#define PAD 1", "#define PAD 0"),
            Swap("depthwise.frag", "unit * VEC(tex_scale, c) + VEC(tex_shift, c)", "unit * VEC(tex_scale, c)"),
        ),
        ("shift",),
        ("bias_missing",),
    ),
    Planted(
        "bias of the group, slope with the wrong sign",
        "shuffle",
        "g1",
        (
            Swap("grouped_prelu.frag", "VEC(tex_b, o)", "VEC(tex_b, group)"),
            Swap("grouped_prelu.frag", "max(sum, 0.0) + slope", "max(sum, 0.0) - slope"),
        ),
        ("bias_offset", "index_map"),
        ("wrong_function", "alpha"),
    ),
)

HEALTHY = (
    Healthy(
        "power by its logarithm",
        "shuffle",
        (
            Swap(
                "lrn.frag",
                "pow(BIAS + ALPHA / float(SIZE) * squares, -BETA)",
                "exp2(-BETA * log2(squares * (ALPHA / float(SIZE)) + BIAS))",
            ),
        ),
    ),
    Healthy(
        "shuffle by bits",
        "shuffle",
        (Swap("mix.frag", "c % GROUPS * PER_GROUP + c / GROUPS", "(c >> 1) + (c & 1) * PER_GROUP"),),
    ),
)
