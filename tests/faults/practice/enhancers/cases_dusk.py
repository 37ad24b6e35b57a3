"""Plants bugs of the low-light network, and other ways to write it."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS: tuple[Planted, ...] = (
    Planted(
        "slope a tenth",
        "dusk",
        "hidden",
        (Swap("hidden.frag", "0.2 * x", "0.02 * x"),),
        ("alpha", "wrong_literal"),
    ),
    Planted(
        "third neuron in the fourth lane",
        "dusk",
        "hidden",
        (Swap("hidden.frag", "neuron(first + 3, mean)", "neuron(first + 2, mean)"),),
        ("index_map", "channel_permutation", "filter_offset", "dropped_lane"),
    ),
    Planted(
        "two biases exchanged in the file",
        "dusk",
        "tone",
        (
            Swap(
                "pipeline.toml",
                "[-0.5935, 0.0029, 0.2927, 0.5808, -0.4054, 0.0350]",
                "[-0.5935, 0.2927, 0.0029, 0.5808, -0.4054, 0.0350]",
            ),
        ),
        ("bias_offset", "wrong_literal", "index_map"),
        in_text=False,
    ),
    Planted(
        "lift of the colour before",
        "dusk",
        "graded",
        (Swap("graded.frag", "vec3(tone(3), tone(4), tone(5))", "vec3(tone(2), tone(3), tone(4))"),),
        ("bias_offset", "index_map", "wrong_partner"),
    ),
    Planted(
        "capped before the lift",
        "dusk",
        "graded",
        (
            Swap(
                "graded.frag",
                "clamp(colour * curve.gain + curve.lift, 0.0, 1.0)",
                "clamp(colour * curve.gain, 0.0, 1.0) + curve.lift",
            ),
        ),
        ("activation_before_bias", "clamped_0_1"),
    ),
    Planted(
        "two bends of three",
        "dusk",
        "graded",
        (Swap("graded.frag", "i < 3;", "i < 2;"),),
        ("bias_missing", "missing_channels", "missing_taps", "activation_missing"),
    ),
    Planted(
        "variance of a sample",
        "dusk",
        "normed",
        (Swap("normed.frag", "m.variance /= count;", "m.variance /= count - 1.0;"),),
        ("average_count",),
    ),
    Planted(
        "colours times matrix",
        "dusk",
        "mixed",
        (Swap("mixed.frag", "COLOURS * normed", "normed * COLOURS"),),
        ("filter_io_swap", "index_map"),
    ),
    Planted(
        "written for a screen",
        "dusk",
        "mixed",
        (
            Swap(
                "mixed.frag",
                "void main() {",
                "vec3 shown(vec3 x) {\n"
                "    return mix(12.92 * x, 1.055 * pow(x, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, x));\n"
                "}\n\n"
                "void main() {",
            ),
            Swap("mixed.frag", "vec4(mix(graded, toned, AMOUNT), 1.0)", "vec4(shown(mix(graded, toned, AMOUNT)), 1.0)"),
        ),
        ("srgb_encoded", "activation_extra"),
    ),
    Planted(
        "always twenty-five",
        "dusk",
        "sharp",
        (Swap("sharp.frag", "float(sides.x * sides.y)", "25.0"),),
        ("average_count",),
    ),
)

PAIRS: tuple[Planted, ...] = (
    Planted(
        "epsilon outside the root, scale and shift exchanged",
        "dusk",
        "normed",
        (
            Swap("normed.frag", "sqrt(m.variance + EPSILON)", "(sqrt(m.variance) + EPSILON)"),
            Swap("normed.frag", "normed * SCALE + SHIFT", "normed * SHIFT + SCALE"),
        ),
        ("wrong_input",),
        ("epsilon",),
    ),
)

HEALTHY: tuple[Healthy, ...] = (
    Healthy(
        "mean and variance in one go",
        "dusk",
        (
            Swap(
                "normed.frag",
                "            m.mean += texelFetch(u_graded, ivec2(x, y), 0).rgb;\n    m.mean /= count;\n",
                (
                    "        {\n"
                    "            vec3 value = texelFetch(u_graded, ivec2(x, y), 0).rgb;\n"
                    "            vec3 before = value - m.mean;\n"
                    "            m.mean += before / float(y * size.x + x + 1);\n"
                    "            m.variance += before * (value - m.mean);\n"
                    "        }\n"
                ),
            ),
            Swap(
                "normed.frag",
                (
                    "    for (int y = 0; y < size.y; y++)\n"
                    "        for (int x = 0; x < size.x; x++) {\n"
                    "            vec3 apart = texelFetch(u_graded, ivec2(x, y), 0).rgb - m.mean;\n"
                    "            m.variance += apart * apart;\n"
                    "        }\n"
                ),
                "",
            ),
        ),
    ),
    Healthy(
        "logistic curve to the base of two",
        "dusk",
        (Swap("tone.frag", "1.0 / (1.0 + exp(-sum))", "1.0 / (1.0 + exp2(-1.44269504 * sum))"),),
    ),
    Healthy(
        "bend with its factors gathered",
        "dusk",
        (Swap("graded.frag", "x + alpha * (x - x * x)", "x * (1.0 + alpha * (1.0 - x))"),),
    ),
)
