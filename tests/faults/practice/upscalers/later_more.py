"""Bugs planted later in the upscalers: `neurons`, `crelu_x2`, `restore`."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

FAULTS: tuple[Planted, ...] = (
    Planted(
        "five columns in a window of four",
        "neurons",
        "stats",
        (Swap("stats.frag", "x = -1; x < 3;", "x = -1; x <= 3;"),),
        ("extra_channels",),
    ),
    Planted(
        "the scale on half of a sum",
        "neurons",
        "line",
        (Swap("line.frag", "loud = exp((a) * scale + bias_a)", "loud = exp(a * scale + bias_a)"),),
        ("scale",),
    ),
    Planted(
        "deviation in the denominator",
        "neurons",
        "line",
        (Swap("line.frag", "votes / total * stats.y", "votes / (total * stats.y)"),),
        ("wrong_function",),
    ),
    Planted(
        "the line made for the next pair",
        "neurons",
        "doubled",
        (
            Swap(
                "doubled.frag",
                "luma = texelFetch(LINE, from, 0).x;",
                "luma = texelFetch(LINE, from + ivec2(0, 1), 0).x;",
            ),
        ),
        (
            "shift",
            "index_map",
        ),
    ),
    Planted(
        "negative parts left negative",
        "crelu_x2",
        "conv2d_2",
        (
            Swap(
                "conv2d_2.frag",
                "(max(-(PREVIOUS_texOff(vec2(x_off, y_off))), 0.0))",
                "(min((PREVIOUS_texOff(vec2(x_off, y_off))), 0.0))",
            ),
        ),
        (
            "wrong_function",
            "scale",
        ),
    ),
    Planted(
        "the last layer's negative part twice",
        "crelu_x2",
        "conv2d_last",
        (
            Swap(
                "conv2d_last.frag",
                "#define g_3 (max(-(texture(conv2d_1, pos)), 0.0))",
                "#define g_3 (max(-(texture(conv2d_2, pos)), 0.0))",
            ),
        ),
        (
            "wrong_input",
            "wrong_partner",
        ),
    ),
    Planted(
        "the picture from the texel's centre",
        "crelu_x2",
        "upscaled",
        (Swap("upscaled.frag", "texture(MAIN, pos)", "texture(MAIN, centre)"),),
        (
            "index_map",
            "half_texel",
        ),
    ),
    Planted(
        "taps down before across",
        "restore",
        "features",
        (Swap("features.frag", "tile * 9 + ky * 3 + kx", "tile * 9 + kx * 3 + ky"),),
        (
            "kernel_transpose",
            "index_map",
        ),
    ),
    Planted(
        "a bias for each half that comes in",
        "restore",
        "mixed",
        (
            Swap(
                "mixed.frag",
                ("    vec4 sum = BIAS[tile];\n    for (int group = 0; group < 2; group++) {\n"),
                (
                    "    vec4 sum = vec4(0.0);\n"
                    "    for (int group = 0; group < 2; group++) {\n"
                    "        sum += BIAS[tile];\n"
                ),
            ),
        ),
        ("bias_doubled",),
    ),
    Planted(
        "what went in of the first tile",
        "restore",
        "mixed",
        (Swap("mixed.frag", "+ fetch(at, tile);", "+ fetch(at, 0);"),),
        (
            "index_map",
            "wrong_partner",
        ),
    ),
    Planted(
        "held to the range before it is corrected",
        "restore",
        "restored",
        (Swap("restored.frag", "clamp(picture + correction, 0.0, 1.0)", "clamp(picture, 0.0, 1.0) + correction"),),
        (
            "activation_before_bias",
            "wrong_function",
            "activation_missing",
        ),
    ),
)
