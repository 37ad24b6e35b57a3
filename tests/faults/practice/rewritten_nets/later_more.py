"""Bugs planted later in the shaders rewritten by hand: `small_unet`, `sound_stack`, `thumbnail_coder`."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

FAULTS: tuple[Planted, ...] = (
    Planted(
        "the slope above zero",
        "small_unet",
        "enter",
        (Swap("enter.frag", "Y = s >= 0.0 ? s : s * slope;", "Y = s >= 0.0 ? s * slope : s;"),),
        ("wrong_function",),
    ),
    Planted(
        "the smaller of the lower two",
        "small_unet",
        "halved",
        (Swap("halved.frag", "max(c, d)", "min(c, d)"),),
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
        "one channel more from below",
        "small_unet",
        "leave",
        (Swap("leave.frag", "if (c < FROM_BELOW) return", "if (c <= FROM_BELOW) return"),),
        (
            "wrong_input",
            "missing_channels",
            "extra_channels",
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
        "the dilation of the layer before",
        "sound_stack",
        "gated1",
        (Swap("pipeline.toml", "uniforms.dilation = 4", "uniforms.dilation = 2"),),
        (
            "dilation",
            "index_map",
        ),
        in_text=False,
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
