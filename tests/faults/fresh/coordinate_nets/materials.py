"""A material in two grids of features, decoded by a small network a pixel, and lit."""

from __future__ import annotations

from tests.faults.fresh.coordinate_nets.plant import fault, healthy, pair

HERE = "material"
FILE = "pipeline.toml"
FINE, COARSE, EMBED, MIX, MAPS, LIT = (
    "fine.frag",
    "coarse.frag",
    "embed.frag",
    "mix.frag",
    "maps.frag",
    "lit.frag",
)

FAULTS = (
    fault(
        "features at corners",
        HERE,
        "fine",
        ("half_texel", "shift", "index_map"),
        (FINE, "(vec2(px) + 0.5) * 0.5 - 0.5", "vec2(px) * 0.5"),
    ),
    fault(
        "middle of the bytes half a step up",
        HERE,
        "fine",
        ("affine", "wrong_function"),
        (FINE, "(q - 128.0)", "(q - 127.5)"),
    ),
    fault(
        "second quad by the first one's steps",
        HERE,
        "fine",
        ("scale", "wrong_partner"),
        (FINE, "* uStep[quad]", "* uStep[0]"),
    ),
    fault(
        "lower row mixed from the upper one",
        HERE,
        "fine",
        ("index_map", "wrong_partner", "shift"),
        (FINE, "mix(tap(ip + ivec2(0, 1), quad), tap(ip + ivec2(1, 1), quad)", "mix(tap(ip, quad), tap(ip + 1, quad)"),
    ),
    fault(
        "cells by truncation",
        HERE,
        "fine",
        ("index_map", "padding_mode", "wrong_function"),
        (FINE, "ivec2 ip = ivec2(floor(at));", "ivec2 ip = ivec2(at);"),
    ),
    fault(
        "span of texels and not of gaps",
        HERE,
        "coarse",
        ("index_map", "stride", "scale"),
        (COARSE, "ivec2 span = uOutSize - 1;", "ivec2 span = uOutSize;"),
    ),
    fault(
        "mixed corners exchanged",
        HERE,
        "coarse",
        ("wrong_partner", "transpose_xy", "index_map"),
        (COARSE, "p10 * t.x * (1.0 - t.y)", "p01 * t.x * (1.0 - t.y)"),
        (COARSE, "p01 * (1.0 - t.x) * t.y +", "p10 * (1.0 - t.x) * t.y +"),
    ),
    fault(
        "input nine twice",
        HERE,
        "embed",
        ("filter_offset", "wrong_partner", "double_counted"),
        (EMBED, "W(9) * c.y", "W(8) * c.y"),
    ),
    fault(
        "waves without their fold",
        HERE,
        "embed",
        ("wrong_function",),
        (EMBED, "return abs(2.0 * fract(vec2(p) / 8.0) - 1.0);", "return 2.0 * fract(vec2(p) / 8.0) - 1.0;"),
    ),
    fault(
        "swish is cut earlier",
        HERE,
        "embed",
        ("alpha", "wrong_function", "scale"),
        (EMBED, "clamp(x / 6.0 + 0.5", "clamp(x / 3.0 + 0.5"),
    ),
    fault(
        "coarse features from the fine ones",
        HERE,
        "embed",
        ("wrong_input",),
        (EMBED, "vec4 c = texelFetch(uCoarse, px, 0);", "vec4 c = texelFetch(uFine, px, 0);"),
    ),
    fault(
        "layer and neuron by four",
        HERE,
        "mix",
        ("channel_permutation", "index_map", "wrong_partner"),
        (MIX, "int layer = k % LAYERS;\n    int n = k / LAYERS;", "int layer = k / 4;\n    int n = k % 4;"),
    ),
    fault(
        "remainders by fractions",
        HERE,
        "mix",
        ("float_index_precision", "index_map"),
        (MIX, "int layer = k % LAYERS;", "int layer = int(fract(float(k) / float(LAYERS)) * float(LAYERS));"),
    ),
    fault(
        "every layer reads the first one's block",
        HERE,
        "mix",
        ("group_ignored",),
        (MIX, "px + ivec2(layer * wide, 0)", "px"),
    ),
    fault(
        "one bias for four neurons",
        HERE,
        "mix",
        ("bias_offset",),
        (MIX, "ivec2(0, layer), 0)[n]", "ivec2(0, layer), 0).x"),
    ),
    fault(
        "rows start with the row before",
        HERE,
        "maps",
        ("accumulator_not_reset",),
        (
            MAPS,
            "float row(int map, ivec2 px, int wide) {\n    float s = uBias[map];",
            "float s = 0.0;\n\nfloat row(int map, ivec2 px, int wide) {\n    s += uBias[map];",
        ),
    ),
    fault(
        "roughness like the colours",
        HERE,
        "maps",
        ("wrong_function",),
        (MAPS, "clamp(0.2 * row(3, px, wide) + 0.5, 0.0, 1.0)", "sigmoid(row(3, px, wide))"),
    ),
    fault(
        "second slope is not bent",
        HERE,
        "maps",
        ("activation_missing", "wrong_function"),
        (MAPS, "oMaps.g = tanh(row(5, px, wide));", "oMaps.g = row(5, px, wide);"),
    ),
    fault(
        "height is not shown",
        HERE,
        "maps",
        ("dropped_lane", "unwritten_texels"),
        (MAPS, "        oMaps.b = row(6, px, wide);\n        oMaps.a = 0.0;\n", "        oMaps.ba = vec2(0.0);\n"),
    ),
    fault(
        "light is not of length one",
        HERE,
        "lit",
        ("scale", "wrong_function"),
        (LIT, "normalize(texelFetch(uSun, ivec2(0), 0).xyz)", "texelFetch(uSun, ivec2(0), 0).xyz"),
    ),
    fault(
        "slopes steeper than one",
        HERE,
        "lit",
        ("nan_source",),
        (LIT, "sqrt(max(1.0 - dot(relief.xy, relief.xy), 0.04))", "sqrt(1.0 - dot(relief.xy, relief.xy))"),
    ),
    fault(
        "gloss for roughness",
        HERE,
        "lit",
        ("wrong_function", "affine"),
        (LIT, "mix(8.0, 1.0, rough)", "mix(1.0, 8.0, rough)"),
    ),
)

PAIRS = (
    pair(
        "edges wrap and the steps are wrong",
        HERE,
        "fine",
        ("padding_mode",),
        ("affine", "scale"),
        (FINE, "p = clamp(p, ivec2(0), uLatSize - 1);", "p = (p + uLatSize) % uLatSize;"),
        (FINE, "* 255.0;", "* 256.0;"),
    ),
    pair(
        "albedo in another order, a group less",
        HERE,
        "maps",
        ("channel_permutation",),
        ("missing_channels",),
        (MAPS, "oMaps.r = sigmoid(row(0, px, wide));", "oMaps.b = sigmoid(row(0, px, wide));"),
        (MAPS, "oMaps.b = sigmoid(row(2, px, wide));", "oMaps.r = sigmoid(row(2, px, wide));"),
        (MAPS, "g < 5", "g < 4"),
    ),
    pair(
        "neurons without threshold, weights by the wrong axis",
        HERE,
        "mix",
        ("activation_missing",),
        ("wrong_partner", "filter_offset", "index_map"),
        (MIX, "return max(dot(w, x) + b, 0.0);", "return dot(w, x) + b;"),
        (MIX, "texelFetch(uRows, ivec2(n, layer), 0)", "texelFetch(uRows, ivec2(n, n), 0)"),
    ),
)

HEALTHY = (
    healthy(
        "corner texel by shift",
        HERE,
        (FINE, "(vec2(px) + 0.5) * 0.5 - 0.5", "0.5 * vec2(px) - 0.25"),
        (FINE, "ivec2 ip = ivec2(floor(at));", "ivec2 ip = ((px + 1) >> 1) - 1;"),
    ),
    healthy(
        "coarse mix nested",
        HERE,
        (
            COARSE,
            "p00 * (1.0 - t.x) * (1.0 - t.y) + p10 * t.x * (1.0 - t.y)\n"
            "             + p01 * (1.0 - t.x) * t.y + p11 * t.x * t.y;",
            "mix(mix(p00, p10, t.x), mix(p01, p11, t.x), t.y);",
        ),
    ),
    healthy(
        "matrices for the embedding",
        HERE,
        (EMBED, "W(0) * f0.x + W(1) * f0.y + W(2) * f0.z + W(3) * f0.w", "mat4(W(0), W(1), W(2), W(3)) * f0"),
        (EMBED, "W(4) * f1.x + W(5) * f1.y + W(6) * f1.z + W(7) * f1.w", "mat4(W(4), W(5), W(6), W(7)) * f1"),
        (EMBED, "W(12) * wave.x + W(13) * wave.y", "mat2x4(W(12), W(13)) * wave"),
    ),
    healthy(
        "rows four at once",
        HERE,
        (MAPS, "    float s = uBias[map];\n", "    vec4 s4 = vec4(0.0);\n"),
        (MAPS, "s += dot(texelFetch(uW, ivec2(g, map), 0), ", "s4 += texelFetch(uW, ivec2(g, map), 0) * ("),
        (MAPS, "    return s;", "    return dot(s4, vec4(1.0)) + uBias[map];"),
    ),
)
