"""Bugs planted later in the nets for WebGL: `stages`, `shuffle`, `pix2pix`."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

FAULTS: tuple[Planted, ...] = (
    Planted(
        "eight kernels in a row of four",
        "stages",
        "part",
        (Swap("part.frag", "ivec2(number & 3, number >> 2)", "ivec2(number & 7, number >> 3)"),),
        (
            "index_map",
            "filter_offset",
        ),
    ),
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
        "the leak where it is positive",
        "stages",
        "feat",
        (Swap("rest.frag", "mix(sum, 0.1 * sum, lessThan", "mix(0.1 * sum, sum, lessThan"),),
        ("wrong_function",),
    ),
    Planted(
        "the square of the width as the count",
        "stages",
        "stats",
        (Swap("stats.frag", "float(u_size.x * u_size.y)", "float(u_size.x * u_size.x)"),),
        ("average_count",),
    ),
    Planted(
        "the variance without its root",
        "stages",
        "hat",
        (Swap("apply.frag", "* inversesqrt(variance + 0.005);", "/ (variance + 0.005);"),),
        (
            "activation_missing",
            "wrong_function",
        ),
    ),
    Planted(
        "one matrix for signal and gate",
        "stages",
        "signal",
        (Swap("gates.frag", "g[lane] += product(u_gate_w,", "g[lane] += product(u_signal_w,"),),
        (
            "wrong_input",
            "wrong_partner",
        ),
    ),
    Planted(
        "two of the last three channels",
        "stages",
        "signal",
        (Swap("gates.frag", "dot(b.xyz, high.xyz)", "dot(b.xy, high.xy)"),),
        (
            "missing_channels",
            "dropped_lane",
        ),
    ),
    Planted(
        "the last five counted from one",
        "stages",
        "mix",
        (Swap("mix.frag", "vec4(own.zw, next.xy)", "vec4(own.yzw, next.x)"),),
        (
            "index_map",
            "channel_permutation",
        ),
    ),
    Planted(
        "three texels in steps of two",
        "stages",
        "rows",
        (Swap("rows.frag", "x += 3", "x += 2"),),
        (
            "double_counted",
            "tile_bleed",
        ),
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
        "powers of two",
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
        "a group's first filter for all of it",
        "shuffle",
        "g1",
        (Swap("grouped_prelu.frag", "ivec2(0, o * GROUP_IN + i)", "ivec2(0, group * GROUP_OUT * GROUP_IN + i)"),),
        (
            "index_map",
            "filter_offset",
        ),
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
            "group_ignored",
            "index_map",
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
        "the sum without its logarithm",
        "shuffle",
        "logp",
        (Swap("logsoftmax.frag", "- top - log(total)", "- top - total"),),
        (
            "activation_missing",
            "wrong_function",
        ),
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
        "kernels of inputs first",
        "pix2pix",
        "mid",
        (Swap("reflect.frag", "(tile * uInGrid + inTile) * 3.0", "(inTile * uOutGrid + tile) * 3.0"),),
        (
            "filter_io_swap",
            "index_map",
            "wrong_layout",
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
            "channel_permutation",
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
