"""Plants further bugs of the enhancing networks."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

FAULTS: tuple[Planted, ...] = (
    Planted(
        "the negative part with its sign",
        "crisp",
        "feat2",
        (
            Swap(
                "feat2.glsl",
                "(max(-texture(feat1, pos + vec2(x_off, y_off) * pt), 0.0))",
                "(min(texture(feat1, pos + vec2(x_off, y_off) * pt), 0.0))",
            ),
        ),
        ("scale", "wrong_function"),
    ),
    Planted(
        "rows of the negative half's window upwards",
        "crisp",
        "feat2",
        (
            Swap(
                "feat2.glsl",
                "(max(-texture(feat1, pos + vec2(x_off, y_off) * pt), 0.0))",
                "(max(-texture(feat1, pos + vec2(x_off, -(y_off)) * pt), 0.0))",
            ),
        ),
        ("kernel_flip", "index_map", "wrong_partner"),
    ),
    Planted(
        "two biases exchanged in the text",
        "crisp",
        "feat3",
        (Swap("feat3.glsl", "vec4(-0.1413, 0.0757, 0.1023, -0.0675)", "vec4(-0.1413, 0.1023, 0.0757, -0.0675)"),),
        ("bias_offset", "wrong_literal"),
    ),
    Planted(
        "a tap to the right read below",
        "crisp",
        "sub",
        (Swap("sub.glsl", "at(1, 0)", "at(0, 1)"),),
        ("index_map", "wrong_partner"),
    ),
    Planted(
        "means without the left column",
        "dusk",
        "means",
        (Swap("means.frag", "int x = 0;", "int x = 1;"),),
        ("missing_taps", "missing_channels"),
    ),
    Planted(
        "a leaky slope without its value",
        "dusk",
        "hidden",
        (Swap("hidden.frag", "x : 0.2 * x", "x : 0.2"),),
        ("wrong_function",),
    ),
    Planted(
        "the bias added to the sigmoid",
        "dusk",
        "tone",
        (
            Swap(
                "tone.frag",
                "    sum += u_bias[n];\n    o_tone = vec4(1.0 / (1.0 + exp(-sum)));",
                "    o_tone = vec4(1.0 / (1.0 + exp(-sum)) + u_bias[n]);",
            ),
        ),
        ("activation_before_bias", "wrong_function"),
    ),
    Planted(
        "the lift's middle not in brackets",
        "dusk",
        "graded",
        (
            Swap(
                "graded.frag",
                "0.6 * (vec3(tone(3), tone(4), tone(5)) - 0.5)",
                "0.6 * vec3(tone(3), tone(4), tone(5)) - 0.5",
            ),
        ),
        ("scale", "affine"),
    ),
    Planted(
        "clarity over the picture in place of its details",
        "dusk",
        "sharp",
        (Swap("sharp.frag", "colour + CLARITY * fine", "CLARITY * colour + fine"),),
        ("scale", "wrong_partner"),
    ),
    Planted(
        "sides of a window counted one short",
        "dusk",
        "sharp",
        (Swap("sharp.frag", "high - low + 1", "max(high - low, 1)"),),
        ("average_count",),
    ),
    Planted(
        "second features of the first sums",
        "luma",
        "feature_a",
        (Swap("feature.frag", "feature_b = prelu(b,", "feature_b = prelu(a,"),),
        ("wrong_partner", "channel_permutation", "filter_offset", "bias_offset"),
    ),
    Planted(
        "the slope of the lane before",
        "luma",
        "map2",
        (Swap("map2.frag", "SLOPE.z * sum.z", "SLOPE.y * sum.z"),),
        ("alpha", "wrong_partner", "index_map"),
    ),
    Planted(
        "slopes over both sides",
        "luma",
        "expand",
        (Swap("expand.frag", "SLOPES[half_] * min(s, 0.0)", "SLOPES[half_] * s"),),
        ("wrong_function", "activation_missing"),
    ),
    Planted(
        "groups that begin at the remainder",
        "quiet",
        "wide",
        (Swap("wide.frag", "e.c / 3 * 3;", "e.c % 3;"),),
        ("group_ignored", "index_map", "wrong_partner"),
    ),
    Planted(
        "rows mixed by the part of the column",
        "quiet",
        "up",
        (Swap("up.frag", "mix(top, bottom, part.y)", "mix(top, bottom, part.x)"),),
        ("wrong_partner", "index_map"),
    ),
    Planted(
        "a slope ten times too small",
        "quiet",
        "join",
        (Swap("join.frag", "own : 0.1 * own", "own : 0.01 * own"),),
        ("alpha", "wrong_literal"),
    ),
    Planted(
        "the noise less the picture",
        "quiet",
        "clean",
        (
            Swap(
                "clean.frag",
                "clean = fetch(noisy, 2, SIZE, e.c, e.at) - residue;",
                "clean = residue - fetch(noisy, 2, SIZE, e.c, e.at);",
            ),
        ),
        ("scale", "wrong_partner"),
    ),
    Planted(
        "green and blue exchanged in the luma",
        "steady",
        "guide",
        (Swap("guide.fx", "vec3(0.2126, 0.7152, 0.0722)", "vec3(0.2126, 0.0722, 0.7152)"),),
        ("wrong_literal", "channel_permutation", "wrong_partner"),
    ),
    Planted(
        "a third of blue alone",
        "steady",
        "motion",
        (Swap("motion.fx", "(d.r + d.g + d.b) / 3.0", "d.r + d.g + d.b / 3.0"),),
        ("average_count", "scale"),
    ),
    Planted(
        "the smaller for the product",
        "steady",
        "blended",
        (
            Swap(
                "blended.fx", "Persistence * tex2D(sMotion, texcoord).r", "min(Persistence, tex2D(sMotion, texcoord).r)"
            ),
        ),
        ("wrong_function",),
    ),
    Planted(
        "softness inside the square of the mean",
        "steady",
        "slope",
        (Swap("coefficients.fx", "(II - I * I + Softness)", "(II - I * (I + Softness))"),),
        ("epsilon",),
    ),
    Planted(
        "the last lane set, not added to",
        "steady",
        "embed",
        (Swap("embed.fx", "color.w += dot", "color.w = dot"),),
        ("bias_missing",),
    ),
    Planted(
        "neighbours held in a picture one larger",
        "steady",
        "attend",
        (Swap("attend.fx", "textureSize(sSmooth, 0) - 1)", "textureSize(sSmooth, 0))"),),
        ("padding_mode", "index_map"),
    ),
)
