"""Bugs planted later in the shaders rewritten by hand: `badge_classifier`, `phone_net`, `shuffled_edges`."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

FAULTS: tuple[Planted, ...] = (
    Planted(
        "the halves of a filter a whole block apart",
        "badge_classifier",
        "first",
        (Swap("first.frag", "int n = 2 * o + half_;", "int n = 8 * half_ + o;"),),
        (
            "index_map",
            "filter_offset",
            "wrong_layout",
        ),
    ),
    Planted(
        "one group's norm for both groups",
        "badge_classifier",
        "first",
        (Swap("first.frag", "ivec2 g = ivec2(group, 0);", "ivec2 g = ivec2(o % 4, 0);"),),
        (
            "index_map",
            "wrong_partner",
        ),
    ),
    Planted(
        "columns side by side, rows two apart",
        "badge_classifier",
        "deep",
        (Swap("deep.frag", "int xx = x + (u - 1) * DIL;", "int xx = x + u - 1;"),),
        (
            "dilation",
            "index_map",
        ),
    ),
    Planted(
        "kernels dealt out lane by lane",
        "badge_classifier",
        "deep",
        (Swap("deep.frag", "int c = group * 4 + lane;", "int c = lane * 2 + group;"),),
        (
            "index_map",
            "filter_offset",
            "channel_permutation",
            "wrong_partner",
        ),
    ),
    Planted(
        "the mean added where it is taken away",
        "badge_classifier",
        "block",
        (
            Swap(
                "block.frag",
                "texelFetch(t_SHIFT, ivec2(group, 0), 0) - texelFetch(t_MEAN, ivec2(group, 0), 0) * factor",
                "texelFetch(t_SHIFT, ivec2(group, 0), 0) + texelFetch(t_MEAN, ivec2(group, 0), 0) * factor",
            ),
        ),
        ("scale",),
    ),
    Planted(
        "the shortcut behind the rectifier",
        "badge_classifier",
        "block",
        (
            Swap(
                "block.frag",
                "    vec4 joined = s * factor + offset + texelFetch(t_SHORTCUT, here, 0);\n    Y = max(joined, 0.0);",
                "    vec4 joined = max(s * factor + offset, 0.0);\n    Y = joined + texelFetch(t_SHORTCUT, here, 0);",
            ),
        ),
        (
            "activation_before_bias",
            "wrong_function",
        ),
    ),
    Planted(
        "as many columns as there are rows",
        "badge_classifier",
        "means",
        (Swap("means.frag", "for (int x = 0; x < WIDE; x++)", "for (int x = 0; x < HIGH; x++)"),),
        ("missing_taps",),
    ),
    Planted(
        "bias lanes in pairs",
        "badge_classifier",
        "votes",
        (Swap("votes.frag", "[o % 4]", "[o % 2]"),),
        (
            "bias_offset",
            "index_map",
        ),
    ),
    Planted(
        "the gate alone",
        "phone_net",
        "expanded",
        (Swap("expand.frag", "Y = s * clamp(s / 6.0 + 0.5, 0.0, 1.0);", "Y = clamp(s / 6.0 + 0.5, 0.0, 1.0);"),),
        ("wrong_function",),
    ),
    Planted(
        "rows of a square kernel's padding",
        "phone_net",
        "depth",
        (Swap("depth.frag", "int y = p.y + v - 2;", "int y = p.y + v - 1;"),),
        (
            "shift",
            "index_map",
        ),
    ),
    Planted(
        "rectified after every group",
        "phone_net",
        "excited",
        (
            Swap(
                "excite.frag",
                ("        few.z += dot(m, texelFetch(t_WIN, ivec2(g, 2), 0));\n    }\n    few = max(few, 0.0);\n"),
                ("        few.z += dot(m, texelFetch(t_WIN, ivec2(g, 2), 0));\n        few = max(few, 0.0);\n    }\n"),
            ),
        ),
        (
            "activation_extra",
            "wrong_function",
        ),
    ),
    Planted(
        "factors of the outputs' group",
        "phone_net",
        "project",
        (
            Swap(
                "project.frag",
                "a *= texelFetch(t_FACTOR, ivec2(g, 0), 0);",
                "a *= texelFetch(t_FACTOR, ivec2(group, 0), 0);",
            ),
        ),
        (
            "index_map",
            "wrong_partner",
        ),
    ),
    Planted(
        "the mean in even rows",
        "phone_net",
        "y",
        (Swap("unfold.frag", "if ((here.y & 1) == 0) {", "if ((here.y & 1) == 1) {"),),
        (
            "wrong_input",
            "channel_permutation",
            "index_map",
        ),
    ),
    Planted(
        "mirrored with the border itself",
        "shuffled_edges",
        "shuffled",
        (Swap("shuffled.frag", "return i < n ? i : 2 * n - 2 - i;", "return i < n ? i : 2 * n - 1 - i;"),),
        (
            "padding_mode",
            "index_map",
        ),
    ),
    Planted(
        "the exponential alone by alpha",
        "shuffled_edges",
        "normed",
        (Swap("normed.frag", "ALPHA * (exp(v) - 1.0)", "ALPHA * exp(v) - 1.0"),),
        ("wrong_function",),
    ),
    Planted(
        "below and beside exchanged",
        "shuffled_edges",
        "mix",
        (
            Swap(
                "mix.frag",
                "corner + ivec2(1, 0), 0).r * texelFetch(t_W, ivec2(9 + c, o)",
                "corner + ivec2(0, 1), 0).r * texelFetch(t_W, ivec2(9 + c, o)",
            ),
            Swap(
                "mix.frag",
                "corner + ivec2(0, 1), 0).r * texelFetch(t_W, ivec2(18 + c, o)",
                "corner + ivec2(1, 0), 0).r * texelFetch(t_W, ivec2(18 + c, o)",
            ),
        ),
        (
            "transpose_xy",
            "index_map",
            "channel_permutation",
            "wrong_partner",
        ),
    ),
    Planted(
        "the largest as it is",
        "shuffled_edges",
        "edge",
        (Swap("edge.frag", "< 7.0 ? most - own : 0.0", "< 7.0 ? most : 0.0"),),
        ("bias_missing",),
    ),
    Planted(
        "weights' tiles down before across",
        "shuffled_edges",
        "grown",
        (Swap("grown.frag", "tile * 2 + here % 2", "tile.yx * 2 + here % 2"),),
        (
            "index_map",
            "filter_offset",
            "wrong_partner",
        ),
    ),
    Planted(
        "one column too many at the right",
        "shuffled_edges",
        "y",
        (Swap("close.frag", "p.x < 9 ?", "p.x <= 9 ?"),),
        ("tile_bleed",),
    ),
)
