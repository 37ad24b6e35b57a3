"""Holds right upscalers, written differently."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Swap

HEALTHY: tuple[Healthy, ...] = (
    Healthy(
        "the negative half as the positive one less the value",
        "crelu_x2",
        (
            Swap(
                "conv2d_1.frag",
                "#define go_1(x_off, y_off) (max(-(PREVIOUS_texOff(vec2(x_off, y_off))), 0.0))",
                "vec4 negative(vec4 t) {\n    return max(t, 0.0) - t;\n}\n"
                "#define go_1(x_off, y_off) negative(PREVIOUS_texOff(vec2(x_off, y_off)))",
            ),
            Swap(
                "conv2d_2.frag",
                "#define go_1(x_off, y_off) (max(-(PREVIOUS_texOff(vec2(x_off, y_off))), 0.0))",
                "#define go_1(x_off, y_off) (-min(PREVIOUS_texOff(vec2(x_off, y_off)), vec4(0.0)))",
            ),
        ),
    ),
    Healthy(
        "the detail looked up without its centre, the lane by a switch",
        "crelu_x2",
        (
            Swap(
                "upscaled.frag",
                "    vec2 f0 = fract(pos * conv2d_last_size);\n"
                "    ivec2 i0 = ivec2(f0 * vec2(2.0));\n"
                "    vec2 centre = (vec2(0.5) - f0) * conv2d_last_pt + pos;\n"
                "    float c0 = texture(conv2d_last, centre)[i0.y * 2 + i0.x];\n",
                "    ivec2 i0 = ivec2(gl_FragCoord.xy) & 1;\n"
                "    vec4 four = texture(conv2d_last, pos);\n"
                "    float c0;\n"
                "    switch (i0.y << 1 | i0.x) {\n"
                "        case 0: c0 = four.r; break;\n"
                "        case 1: c0 = four.g; break;\n"
                "        case 2: c0 = four.b; break;\n"
                "        default: c0 = four.a;\n"
                "    }\n",
            ),
        ),
    ),
    Healthy(
        "rows of a blur two at a time by the filter of the hardware",
        "antiring",
        (
            Swap(
                "pipeline.toml",
                'textures.BLUR_X = "blur_x"',
                'textures.BLUR_X = { tensor = "blur_x", filter = "linear" }',
            ),
            Swap("blur_y.frag", "    color += 0.2448 * (row(-1.0) + row(1.0));\n", ""),
            Swap(
                "blur_y.frag",
                "    color += 0.0614 * (row(-2.0) + row(2.0));\n",
                "    const float between = 1.0 + 0.0614 / (0.2448 + 0.0614);\n"
                "    color += (0.2448 + 0.0614) * (row(-between) + row(between));\n",
            ),
        ),
    ),
    Healthy(
        "the range of the neighbours by rows, then columns",
        "antiring",
        (
            Swap(
                "held.frag",
                "    for (float y = -1.0; y <= 1.0; y += 1.0) {\n"
                "        for (float x = -1.0; x <= 1.0; x += 1.0) {\n"
                "            vec4 near = MAIN_texOff(x, y);\n"
                "            lowest = min(lowest, near);\n"
                "            highest = max(highest, near);\n"
                "        }\n"
                "    }\n",
                "    for (int x = 1; x >= -1; --x) {\n"
                "        vec4 a = MAIN_texOff(x, 1), b = MAIN_texOff(x, 0), c = MAIN_texOff(x, -1);\n"
                "        lowest = min(min(a, b), min(c, lowest));\n"
                "        highest = max(max(a, b), max(c, highest));\n"
                "    }\n",
            ),
            Swap(
                "held.frag",
                "color = clamp(here + strength * detail, lowest, highest);",
                "color = max(min((1.0 + strength) * here - strength * texture(BLUR, pos), highest), lowest);",
            ),
        ),
    ),
    Healthy(
        "moments about the middle pixel, subtracted first",
        "chroma_from_luma",
        (
            Swap(
                "moments.frag",
                "    float count = 0.0, mean",
                "    float l0 = texelFetch(LUMA_LOW, at, 0).r;\n    vec2 c0 = texelFetch(CHROMA, at, 0).rg;\n"
                "    float count = 0.0, mean",
            ),
            Swap(
                "moments.frag",
                "float luma = texelFetch(LUMA_LOW, from, 0).r;",
                "float luma = texelFetch(LUMA_LOW, from, 0).r - l0;",
            ),
            Swap(
                "moments.frag",
                "vec2 chroma = texelFetch(CHROMA, from, 0).rg;",
                "vec2 chroma = texelFetch(CHROMA, from, 0).rg - c0;",
            ),
        ),
    ),
    Healthy(
        "softmax by exp2, less the largest, neurons in the other order of sums",
        "neurons",
        (
            Swap(
                "line.frag",
                "loud = exp((a) * scale + bias_a);",
                "loud = exp2(fma(a, scale, bias_a) * 1.44269504 - 3.0);",
            ),
            Swap(
                "line.frag",
                "votes += loud * vote / (1.0 + abs(vote));",
                "votes = fma(loud, vote / (abs(vote) + 1.0), votes);",
            ),
            Swap("line.frag", "#version 330", "#version 400"),
            Swap(
                "line.frag",
                "line = stats.x + 5.0 * votes / total * stats.y;",
                "line = fma(stats.y / total, votes * 5.0, stats.x);",
            ),
        ),
    ),
    Healthy(
        "both tiles at once, with a sum for each, in GLSL ES",
        "restore",
        (
            Swap(
                "mixed.frag",
                "#version 330",
                "#version 300 es\nprecision highp float;\nprecision highp int;\nprecision highp sampler2D;",
            ),
            Swap(
                "mixed.frag",
                "    vec4 sum = BIAS[tile];\n"
                "    for (int group = 0; group < 2; group++) {\n"
                "        for (int k = 0; k < 9; k++) {\n"
                "            ivec2 offset = ivec2(k % 3 - 1, k / 3 - 1) * DILATION;\n"
                "            sum += WEIGHT[(tile * 2 + group) * 9 + k] * fetch(at + offset, group);\n"
                "        }\n"
                "    }\n",
                "    int first = tile * 18;\n"
                "    vec4 low = vec4(0.0), high = vec4(0.0);\n"
                "    for (int k = 8; k >= 0; k--) {\n"
                "        int row = k / 3;\n"
                "        ivec2 from = at + ivec2((k - 3 * row) * DILATION - DILATION, row * DILATION - DILATION);\n"
                "        low += WEIGHT[first + k] * fetch(from, 0);\n"
                "        high += WEIGHT[first + 9 + k] * fetch(from, 1);\n"
                "    }\n"
                "    vec4 sum = low + high + BIAS[tile];\n",
            ),
        ),
    ),
)
