"""Slips around pyramid pooling and an attention gate: bins, gating, pixel shuffle, entropy, outlines."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

FAULTS = (
    Planted(
        "bins that end where the next begins",
        "psp",
        "bins",
        (Swap("bins.frag", "((bin + 1) * plane + bins - 1) / bins", "(bin + 1) * plane / bins"),),
        ("missing_taps",),
    ),
    Planted(
        "a bin's share of the plane for its size",
        "psp",
        "bins",
        (Swap("bins.frag", "float(extent.x * extent.y)", "float(plane.x * plane.y / (bins.x * bins.y))"),),
        ("average_count",),
    ),
    Planted(
        "bins by the centres of pixels",
        "psp",
        "lifted",
        (
            Swap(
                "lifted.frag", "ivec2 bin = local * bins / plane;", "ivec2 bin = (2 * local + 1) * bins / (2 * plane);"
            ),
        ),
        ("half_texel", "index_map"),
    ),
    Planted(
        "red and blue exchanged in bins",
        "psp",
        "lifted",
        (
            Swap(
                "lifted.frag",
                "texelFetch(tBins, group * bins + bin, 0)",
                "texelFetch(tBins, group * bins + bin, 0).bgra",
            ),
        ),
        ("channel_permutation", "index_map"),
    ),
    Planted(
        "a picture's alpha for the fourth channel",
        "psp",
        "lifted",
        (
            Swap(
                "lifted.frag",
                "value = texelFetch(tBins, group * bins + bin, 0);",
                "value = vec4(texelFetch(tBins, group * bins + bin, 0).rgb, 1.0);",
            ),
        ),
        ("dropped_lane",),
    ),
    Planted(
        "the first four channels under both halves of theta",
        "psp",
        "gated",
        (Swap("gated.frag", "dot(rowPart(tTheta, k, 1), x1)", "dot(rowPart(tTheta, k, 1), x0)"),),
        ("wrong_partner", "index_map", "channel_permutation"),
    ),
    Planted(
        "beta behind the inner ReLU",
        "psp",
        "gated",
        (
            Swap(
                "gated.frag",
                "(fromFeatures + fromGating + element(tBeta, k)) / 4.0",
                "(fromFeatures + fromGating) / 4.0",
            ),
            Swap("gated.frag", "* max(unit, 0.0);", "* (max(unit, 0.0) + element(tBeta, k) / 4.0);"),
        ),
        ("activation_before_bias", "wrong_function"),
    ),
    Planted(
        "attention without its quarter",
        "psp",
        "gated",
        (
            Swap(
                "gated.frag",
                "(fromFeatures + fromGating + element(tBeta, k)) / 4.0",
                "fromFeatures + fromGating + element(tBeta, k)",
            ),
        ),
        ("scale", "wrong_function"),
    ),
    Planted(
        "features that gate themselves",
        "psp",
        "gated",
        (
            Swap(
                "gated.frag",
                "    vec4 g0 = texelFetch(tGating, here, 0), g1 = texelFetch(tGating, next, 0);",
                "    vec4 g0 = texelFetch(tFeatures, here, 0), g1 = texelFetch(tFeatures, next, 0);",
            ),
        ),
        ("wrong_input", "wrong_partner"),
    ),
    Planted(
        "four gated channels in both tiles",
        "psp",
        "gated",
        (Swap("gated.frag", "value = texelFetch(tFeatures, texel, 0)", "value = texelFetch(tFeatures, here, 0)"),),
        ("index_map", "channel_permutation"),
    ),
    Planted(
        "a block's pixels column by column",
        "psp",
        "shuffled",
        (Swap("shuffled.frag", "2 * (at.y & 1) + (at.x & 1)", "2 * (at.x & 1) + (at.y & 1)"),),
        ("channel_permutation", "index_map", "transpose_xy"),
    ),
    Planted(
        "channels of the result beside each other in a block",
        "psp",
        "shuffled",
        (
            Swap(
                "shuffled.frag",
                "    float zero = texelFetch(tGated, from, 0)[lane];\n"
                "    float one = texelFetch(tGated, from + ivec2(plane.x, 0), 0)[lane];\n",
                "    vec4 four = texelFetch(tGated, from + ivec2(lane / 2 * plane.x, 0), 0);\n"
                "    float zero = four[2 * (lane % 2)];\n"
                "    float one = four[2 * (lane % 2) + 1];\n",
            ),
        ),
        ("channel_permutation", "index_map"),
    ),
    Planted(
        "planes side by side instead of pixels",
        "psp",
        "shuffled",
        (
            Swap("shuffled.frag", "ivec2 from = at / 2;", "ivec2 from = at % plane;"),
            Swap(
                "shuffled.frag",
                "2 * (at.y & 1) + (at.x & 1)",
                "2 * (at.y / plane.y) + at.x / plane.x",
            ),
        ),
        ("index_map", "wrong_layout"),
    ),
    Planted(
        "a temperature that multiplies",
        "psp",
        "unsure",
        (Swap("unsure.frag", ".xy / temperature", ".xy * temperature"),),
        ("wrong_function", "scale"),
    ),
    Planted(
        "a decimal logarithm for bits",
        "psp",
        "unsure",
        (Swap("unsure.frag", "LN2 = 0.6931471805599453", "LN2 = 0.3010299956639812"),),
        ("scale", "wrong_literal"),
    ),
    Planted(
        "a smaller number beside the share",
        "psp",
        "unsure",
        (Swap("unsure.frag", "TINY = 1e-3", "TINY = 1e-5"),),
        ("epsilon", "wrong_literal"),
    ),
    Planted(
        "an outline that does not look to the right",
        "psp",
        "outline",
        (Swap("outline.frag", "dx <= 1", "dx < 1"),),
        ("missing_taps",),
    ),
    Planted(
        "faint outlines thrown away",
        "psp",
        "outline",
        (
            Swap(
                "outline.frag",
                "    edge = vec4(high - low, 0, 0, 0);",
                "    if (high - low < 0.2) discard;\n    edge = vec4(high - low, 0, 0, 0);",
            ),
        ),
        ("unwritten_texels",),
    ),
)

PAIRS = (
    Planted(
        "a gate of four units, and no beta in them",
        "psp",
        "gated",
        (
            Swap("gated.frag", "k < inner; ++k", "k < 4; ++k"),
            Swap("gated.frag", " + element(tBeta, k)) / 4.0", ") / 4.0"),
        ),
        ("missing_channels",),
        ("bias_missing",),
    ),
)
