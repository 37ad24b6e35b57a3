"""Slips in a block of a temporal network that keeps four channels a texel."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS = (
    Planted(
        "slopes of the first texel for all",
        "tcn",
        "dw",
        (Swap("dw.frag", "texelFetch(slope, ivec2(at.x, 0), 0)", "texelFetch(slope, ivec2(0), 0)"),),
        ("index_map", "alpha", "channel_permutation", "wrong_partner"),
    ),
    Planted(
        "the slope on what is above zero",
        "tcn",
        "dw",
        (Swap("dw.frag", "max(s, 0.0) + a * min(s, 0.0)", "a * max(s, 0.0) + min(s, 0.0)"),),
        ("wrong_function", "wrong_partner"),
    ),
    Planted(
        "a group's border moved to that of a texel",
        "tcn",
        "gn",
        (Swap("gn.frag", "4 * at.x + l < PER_GROUP", "at.x < 1"),),
        ("index_map", "group_ignored", "wrong_partner"),
    ),
    Planted(
        "moments as of four channels",
        "tcn",
        "gn",
        (Swap("gn.frag", "n = float(PER_GROUP * T);", "n = float(4 * T);"),),
        ("average_count", "scale", "wrong_literal"),
    ),
    Planted(
        "a variance that is held up instead of raised",
        "tcn",
        "gn",
        (Swap("gn.frag", "inversesqrt(s + eps)", "inversesqrt(max(s, eps))"),),
        ("epsilon", "wrong_function"),
    ),
    Planted(
        "gains and offsets bound the other way round",
        "tcn",
        "gn",
        (
            Swap("pipeline.toml", 'textures.gamma = { tensor = "gamma"', 'textures.gamma = { tensor = "beta"'),
            Swap("pipeline.toml", 'textures.beta = { tensor = "beta"', 'textures.beta = { tensor = "gamma"'),
        ),
        ("wrong_input", "wrong_partner"),
        in_text=False,
    ),
    Planted(
        "signals and gates alternate",
        "tcn",
        "glu",
        (
            Swap("glu.frag", "a[l] = row(c, at.y);", "a[l] = row(2 * c, at.y);"),
            Swap("glu.frag", "b[l] = row(c + CH, at.y);", "b[l] = row(2 * c + 1, at.y);"),
        ),
        ("channel_permutation", "index_map", "filter_offset", "wrong_partner"),
    ),
    Planted(
        "a gate that lets through any amount",
        "tcn",
        "glu",
        (Swap("glu.frag", "o = a * sigmoid4(b);", "o = a * b;"),),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "the largest of a channel for its mean",
        "tcn",
        "squeeze",
        (
            Swap("squeeze.frag", "vec4 s = vec4(0.0);", "vec4 s = load(g, group, cols, T, 0);"),
            Swap("squeeze.frag", "s += load(g, group, cols, T, t);", "s = max(s, load(g, group, cols, T, t));"),
            Swap("squeeze.frag", "o = s / float(T);", "o = s;"),
        ),
        ("wrong_function",),
    ),
    Planted(
        "nothing between the two layers of an excitation",
        "tcn",
        "excite",
        (Swap("excite.frag", "return max(s, 0.0);", "return s;"),),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "the hard sigmoid of another framework",
        "tcn",
        "excite",
        (Swap("excite.frag", "clamp(0.25 * s + 0.45,", "clamp(s / 6.0 + 0.5,"),),
        ("alpha", "wrong_function", "wrong_literal"),
    ),
    Planted(
        "the shortcut excited too",
        "tcn",
        "out",
        (
            Swap(
                "join.frag",
                "load(g, at.x, cols, T, at.y) * load(e, at.x, cols, 1, 0) + load(x, at.x, cols, T, at.y)",
                "(load(g, at.x, cols, T, at.y) + load(x, at.x, cols, T, at.y)) * load(e, at.x, cols, 1, 0)",
            ),
        ),
        ("wrong_partner", "wrong_function"),
    ),
    Planted(
        "an exponential unit that goes down to minus one",
        "tcn",
        "out",
        (Swap("join.frag", "mix(0.8 * (exp(s) - 1.0),", "mix(exp(s) - 1.0,"),),
        ("alpha", "scale", "wrong_literal", "wrong_function"),
    ),
    Planted(
        "taps that move on with the output",
        "tcn",
        "head",
        (Swap("head.frag", "at.y * STEP + k", "at.y + k"),),
        ("stride", "index_map"),
    ),
    Planted(
        "the sum begun anew with each texel of inputs",
        "tcn",
        "head",
        (
            Swap("head.frag", "    o = texelFetch(bias, ivec2(at.x, 0), 0);\n", ""),
            Swap(
                "head.frag",
                "g < GROUPS; g++)\n        for (int k = 0; k < K; k++) {",
                "g < GROUPS; g++) {\n"
                "        o = texelFetch(bias, ivec2(at.x, 0), 0);\n"
                "        for (int k = 0; k < K; k++) {",
            ),
            Swap("head.frag", "wcols, K, k));\n        }\n", "wcols, K, k));\n        }\n    }\n"),
        ),
        ("missing_channels",),
    ),
    Planted(
        "three lanes of four in a product",
        "tcn",
        "head",
        (
            Swap(
                "head.frag",
                "dot(v, load(w, (4 * at.x + l) * GROUPS + g, wcols, K, k))",
                "dot(v.xyz, load(w, (4 * at.x + l) * GROUPS + g, wcols, K, k).xyz)",
            ),
        ),
        ("dropped_lane", "missing_channels"),
    ),
    Planted(
        "texels that are not full thrown away",
        "tcn",
        "out",
        (
            Swap(
                "join.frag",
                "    ivec2 at = own(cols, T);\n",
                "    ivec2 at = own(cols, T);\n    if (4 * at.x + 4 > 10) discard;\n",
            ),
        ),
        ("unwritten_texels",),
    ),
)

PAIRS = (
    Planted(
        "gates without their biases, and the last texel of inputs not read",
        "tcn",
        "glu",
        (
            Swap("glu.frag", "float s = elem(bias, j, 5);", "float s = 0.0;"),
            Swap("glu.frag", "g < GROUPS; g++", "g < CH / 4; g++"),
        ),
        ("bias_missing",),
        ("missing_channels",),
    ),
)

HEALTHY = (
    Healthy(
        "moments that go on by each value",
        "tcn",
        (
            Swap(
                "gn.frag",
                "        for (int t = 0; t < T; t++) m += sample1(d, c, cols, T, t);\n    m /= n;\n",
                "        for (int t = 0; t < T; t++) {\n"
                "            float value = sample1(d, c, cols, T, t), from = value - m;\n"
                "            m += from / float((c - first) * T + t + 1);\n"
                "            v += from * (value - m);\n"
                "        }\n"
                "    return vec2(m, v / n);\n",
            ),
        ),
    ),
    Healthy(
        "an exponential unit as a sum of two parts",
        "tcn",
        (
            Swap(
                "join.frag",
                "o = mix(0.8 * (exp(s) - 1.0), s, greaterThan(s, vec4(0.0)));",
                "o = max(s, 0.0) + 0.8 * (exp2(1.44269504 * min(s, 0.0)) - 1.0);",
            ),
        ),
    ),
)
