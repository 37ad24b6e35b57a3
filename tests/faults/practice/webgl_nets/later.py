"""Plants further bugs in the nets for WebGL: `stages`, `shuffle`, `pix2pix`."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

FAULTS: tuple[Planted, ...] = (
    Planted(
        "the border's texels again outside",
        "stages",
        "feat",
        (
            Swap(
                "rest.frag",
                "if (at != clamp(at, ivec2(0), u_size - 1)) continue;",
                "at = clamp(at, ivec2(0), u_size - 1);",
            ),
        ),
        ("padding_mode",),
    ),
    Planted(
        "the tile beside for the one below",
        "stages",
        "feat",
        (Swap("rest.frag", "ivec2(at.x, u_size.y + at.y)", "ivec2(u_size.x + at.x, at.y)"),),
        (
            "index_map",
            "wrong_partner",
        ),
    ),
    Planted(
        "the square of the width as the count",
        "stages",
        "stats",
        (Swap("stats.frag", "float(u_size.x * u_size.y)", "float(u_size.x * u_size.x)"),),
        ("average_count",),
    ),
    Planted(
        "rows of eight numbers",
        "stages",
        "logits",
        (Swap("logits.frag", "int index = i * 6 + o;", "int index = i * 8 + o;"),),
        (
            "index_map",
            "filter_offset",
        ),
    ),
    Planted(
        "the last power twice",
        "stages",
        "peaks",
        (Swap("peaks.frag", "ea.w + eb.x + eb.y;", "ea.w + eb.y + eb.y;"),),
        (
            "double_counted",
            "missing_channels",
        ),
    ),
    Planted(
        "powers of two for the shares",
        "stages",
        "probs",
        (Swap("probs.frag", "o_probs = exp(", "o_probs = exp2("),),
        ("wrong_function",),
    ),
    Planted(
        "four channels of five",
        "shuffle",
        "lrn",
        (Swap("lrn.frag", "min(channel + SIZE / 2, C_X - 1)", "min(channel + SIZE / 2 - 1, C_X - 1)"),),
        ("missing_channels",),
    ),
    Planted(
        "the shuffle back",
        "shuffle",
        "mixed",
        (Swap("mix.frag", "c % GROUPS * PER_GROUP + c / GROUPS", "c % PER_GROUP * GROUPS + c / PER_GROUP"),),
        (
            "channel_permutation",
            "index_map",
        ),
    ),
    Planted(
        "epsilon added to the root",
        "shuffle",
        "dw",
        (Swap("depthwise.frag", "inversesqrt(VEC(tex_var, c) + EPSILON)", "(inversesqrt(VEC(tex_var, c)) + EPSILON)"),),
        ("epsilon",),
    ),
    Planted(
        "inputs of both groups by turns",
        "shuffle",
        "g2",
        (Swap("grouped.frag", "group * GROUP_IN + i, row", "i * GROUPS + group, row"),),
        (
            "index_map",
            "group_ignored",
            "channel_permutation",
        ),
    ),
    Planted(
        "the right branch as it comes",
        "shuffle",
        "unit",
        (Swap("unit.frag", "y = max(x, 0.0);", "y = c < C_X ? max(x, 0.0) : x;"),),
        (
            "activation_missing",
            "wrong_function",
        ),
    ),
    Planted(
        "the largest of the last row",
        "shuffle",
        "top",
        (Swap("top.frag", "best = max(best, of_row);", "best = of_row;"),),
        ("missing_taps",),
    ),
    Planted(
        "a tenth of the slope",
        "pix2pix",
        "enc1",
        (Swap("pipeline.toml", "defines.SLOPE = 0.2", "defines.SLOPE = 0.02"),),
        (
            "alpha",
            "wrong_literal",
        ),
        in_text=False,
    ),
    Planted(
        "shifted after the leak",
        "pix2pix",
        "enc2_norm",
        (
            Swap(
                "instance_norm.frag",
                "    float y = unit * scale + shift;\n    fragColor = vec4(max(y, 0.0) + 0.2 * min(y, 0.0));",
                "    float y = unit * scale;\n    fragColor = vec4(max(y, 0.0) + 0.2 * min(y, 0.0) + shift);",
            ),
        ),
        (
            "activation_before_bias",
            "wrong_function",
        ),
    ),
    Planted(
        "the mean alone scaled",
        "pix2pix",
        "dec1",
        (Swap("up_norm.frag", "(sum - mean) * scale / sqrt", "(sum - mean * scale) / sqrt"),),
        ("scale",),
    ),
    Planted(
        "one channel of the upper part short",
        "pix2pix",
        "joined",
        (Swap("pipeline.toml", "uniforms.uUpperCount = 6", "uniforms.uUpperCount = 5"),),
        (
            "index_map",
            "wrong_input",
        ),
        in_text=False,
    ),
    Planted(
        "the texel after for the one before",
        "pix2pix",
        "picture",
        (Swap("picture.frag", "from - vec2(u, v)", "from + vec2(u, v)"),),
        ("index_map",),
    ),
)
