"""Plants two bugs in one pass of an upscaler."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

PAIRS: tuple[Planted, ...] = (
    Planted(
        "no bias, and no minus in the negative half",
        "crelu_x2",
        "conv2d_2",
        (
            Swap("conv2d_2.frag", "    result += vec4(0.1053, 0.1776, -0.2553, -0.0138);\n", ""),
            Swap("conv2d_2.frag", "(max(-(PREVIOUS_texOff(", "(max((PREVIOUS_texOff("),
        ),
        ("bias_missing",),
        ("wrong_function",),
    ),
    Planted(
        "slopes of the first four, and the wrong four added",
        "fsr_luma",
        "mapped0",
        (
            Swap(
                "mapping.frag",
                "vec4(0.2077, 0.2922, 0.4831, 0.3551) * min(res1, vec4(0.0))",
                "vec4(0.4793, 0.331, 0.1682, 0.2072) * min(res1, vec4(0.0))",
            ),
            Swap(
                "mapping.frag",
                "mapped0 = res0 + FEATURE0_texOff(vec2(0.0));",
                "mapped0 = res0 + FEATURE1_texOff(vec2(0.0));",
            ),
        ),
        ("alpha", "wrong_literal", "wrong_partner"),
        ("wrong_partner", "wrong_input"),
    ),
    Planted(
        "upper channels forgotten, and no lower bound",
        "restore",
        "restored",
        (
            Swap("restored.frag", "    correction += mat4(", "    correction + mat4("),
            Swap("restored.frag", "clamp(picture + correction, 0.0, 1.0)", "min(picture + correction, vec4(1.0))"),
        ),
        ("missing_channels",),
        ("activation_missing", "wrong_function", "alpha"),
    ),
    Planted(
        "epsilon outside the root, and seven in place of eight",
        "neurons",
        "stats",
        (
            Swap("stats.frag", "squares / 8.0 - mean * mean;", "(squares - sum * mean) / 7.0;"),
            Swap("stats.frag", "sqrt(variance + 1e-3)", "sqrt(variance) + 1e-3"),
        ),
        ("average_count", "scale"),
        ("epsilon",),
    ),
    Planted(
        "no holes, and blocks of weights exchanged",
        "restore",
        "mixed",
        (
            Swap("mixed.frag", "#define DILATION 2", "#define DILATION 1"),
            Swap("mixed.frag", "WEIGHT[(tile * 2 + group) * 9 + k]", "WEIGHT[(group * 2 + tile) * 9 + k]"),
        ),
        ("dilation",),
        ("wrong_partner", "index_map"),
    ),
)
