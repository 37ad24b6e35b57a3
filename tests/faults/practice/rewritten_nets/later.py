"""Plants further bugs in the shaders rewritten by hand, of all six folders."""

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
        "the largest as it is",
        "shuffled_edges",
        "edge",
        (Swap("edge.frag", "< 7.0 ? most - own : 0.0", "< 7.0 ? most : 0.0"),),
        ("bias_missing",),
    ),
    Planted(
        "one column too many at the right",
        "shuffled_edges",
        "y",
        (Swap("close.frag", "p.x < 9 ?", "p.x <= 9 ?"),),
        ("tile_bleed",),
    ),
    Planted(
        "the slope above zero",
        "small_unet",
        "enter",
        (Swap("enter.frag", "Y = s >= 0.0 ? s : s * slope;", "Y = s >= 0.0 ? s * slope : s;"),),
        ("wrong_function",),
    ),
    Planted(
        "what lies below zero mirrored",
        "small_unet",
        "floor",
        (Swap("floor.frag", "* min(v, 0.0)", "* max(-v, 0.0)"),),
        (
            "wrong_function",
            "alpha",
        ),
    ),
    Planted(
        "moments backwards",
        "sound_stack",
        "stem",
        (Swap("stem.frag", "int then = t + k - 2;", "int then = t - k;"),),
        (
            "kernel_flip",
            "index_map",
        ),
    ),
    Planted(
        "the gate's rows one layer's width on",
        "sound_stack",
        "gated0",
        (Swap("gate.frag", "b = a + 36;", "b = a + 6;"),),
        (
            "index_map",
            "filter_offset",
            "wrong_partner",
        ),
    ),
    Planted(
        "the first moment for those before it",
        "sound_stack",
        "gated0",
        (Swap("gate.frag", "t < dilation ? 0.0 :", "t < dilation ? texelFetch(t_X, ivec2(0, i), 0).r :"),),
        ("padding_mode",),
    ),
    Planted(
        "what goes on let past as well",
        "sound_stack",
        "stream1",
        (Swap("split_add.frag", "past = rs.y +", "past = rs.x +"),),
        (
            "wrong_partner",
            "wrong_input",
        ),
    ),
    Planted(
        "the middle row again for the last",
        "thumbnail_coder",
        "code",
        (Swap("code.frag", "row3(o, i, p, 2);", "row3(o, i, p, 1);"),),
        (
            "missing_taps",
            "double_counted",
            "index_map",
        ),
    ),
    Planted(
        "the bias for every channel that comes in",
        "thumbnail_coder",
        "y",
        (
            Swap(
                "paint.frag",
                ("                }\n            }\n        }\n        s += texelFetch(t_B, ivec2(o, 0), 0).r;\n"),
                ("                }\n            }\n            s += texelFetch(t_B, ivec2(o, 0), 0).r;\n        }\n"),
            ),
        ),
        ("bias_doubled",),
    ),
    Planted(
        "second taps with x for y",
        "thumbnail_coder",
        "joined",
        (Swap("up_join.frag", "first + 2 * ivec2(b, a)", "first + 2 * ivec2(a, b)"),),
        (
            "index_map",
            "kernel_transpose",
        ),
    ),
)
