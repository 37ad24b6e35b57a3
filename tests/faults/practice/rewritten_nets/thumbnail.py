"""Bugs of `thumbnail_coder`: strides, dilations and transposed convolutions over tiles counted by fractions."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

TARGET = "thumbnail_coder"

FAULTS: tuple[Planted, ...] = (
    Planted(
        "the padding of the strided window forgotten",
        TARGET,
        "down1",
        (Swap("down.frag", "vec2 from = p * 2.0 + tap - 1.0;", "vec2 from = p * 2.0 + tap;"),),
        ("shift",),
    ),
    Planted(
        "rows of the wide window next to each other",
        TARGET,
        "code",
        (Swap("code.frag", "int y = p.y + (q - 1) * 2;", "int y = p.y + (q - 1);"),),
        ("dilation",),
    ),
    Planted(
        "the bias outside the ReLU",
        TARGET,
        "code",
        (
            Swap(
                "code.frag",
                "s = max(s + texelFetch(t_B, ivec2(o, 0), 0).r, 0.0);",
                "s = max(s, 0.0) + texelFetch(t_B, ivec2(o, 0), 0).r;",
            ),
        ),
        ("activation_before_bias",),
    ),
    Planted(
        "outer taps of odd places exchanged",
        TARGET,
        "joined",
        (Swap("up_join.frag", "first + 2 * ivec2(b, a))", "2 - first - 2 * ivec2(b, a))"),),
        ("kernel_flip", "index_map", "wrong_partner"),
    ),
    Planted(
        "columns and rows of a filter's kernels exchanged",
        TARGET,
        "y",
        (Swap("paint.frag", "ivec2(o % 2, o / 2) * 3;", "ivec2(o / 2, o % 2) * 3;"),),
        ("index_map", "wrong_partner", "filter_offset", "channel_permutation"),
    ),
    Planted(
        "the bias of another layer",
        TARGET,
        "down2",
        (Swap("pipeline.toml", 't_B = { tensor = "down2.bias"', 't_B = { tensor = "wide.bias"'),),
        ("wrong_input",),
        in_text=False,
    ),
)

PAIRS: tuple[Planted, ...] = (
    Planted(
        "a steeper leak, and no bias",
        TARGET,
        "joined",
        (
            Swap("up_join.frag", "if (s < 0.0) s *= 0.15;", "if (s < 0.0) s *= 0.5;"),
            Swap(
                "up_join.frag",
                "here - tile * ivec2(9, 7)) + texelFetch(t_B, ivec2(o, 0), 0).r;",
                "here - tile * ivec2(9, 7));",
            ),
        ),
        ("bias_missing",),
        ("alpha",),
    ),
)

HEALTHY: tuple[Healthy, ...] = (
    Healthy(
        "taps from the last, the border by a step function, one fma each",
        TARGET,
        (
            Swap("down.frag", "for (int k = 0; k < 9; k++) {", "for (int k = 8; k >= 0; --k) {"),
            Swap(
                "down.frag",
                "            if (from.x < 0.0 || from.y < 0.0 || from.x >= inTile.x || from.y >= inTile.y) continue;\n"
                "            sum += pixel(i, from) * weight(o, i, tap);\n",
                "            vec2 low = step(0.0, from), high = step(from, inTile - 1.0);\n"
                "            float in_ = low.x * low.y * high.x * high.y;\n"
                "            sum += in_ * pixel(i, clamp(from, vec2(0.0), inTile - 1.0)) * weight(o, i, tap);\n",
            ),
        ),
    ),
)
