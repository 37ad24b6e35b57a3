"""Bugs of upscalers: halves of a CReLU, taps and lanes mixed up, pixel shuffles, residuals, windows and chroma."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

FAULTS: tuple[Planted, ...] = (
    Planted(
        "negative half of the CReLU without its minus",
        "crelu_x2",
        "conv2d_1",
        (
            Swap(
                "conv2d_1.frag",
                "#define go_1(x_off, y_off) (max(-(PREVIOUS_texOff(vec2(x_off, y_off))), 0.0))",
                "#define go_1(x_off, y_off) (max((PREVIOUS_texOff(vec2(x_off, y_off))), 0.0))",
            ),
        ),
        ("wrong_function",),
    ),
    Planted(
        "negative half of the CReLU without its ReLU",
        "crelu_x2",
        "conv2d_2",
        (
            Swap(
                "conv2d_2.frag",
                "#define go_1(x_off, y_off) (max(-(PREVIOUS_texOff(vec2(x_off, y_off))), 0.0))",
                "#define go_1(x_off, y_off) (-(PREVIOUS_texOff(vec2(x_off, y_off))))",
            ),
        ),
        ("wrong_function", "activation_missing"),
    ),
    Planted(
        "a line pasted with the offset of another tap",
        "crelu_x2",
        "conv2d_2",
        (Swap("conv2d_2.frag", "* go_1(0.0, -1.0);", "* go_1(0.0, 1.0);"),),
        ("wrong_partner", "index_map"),
    ),
    Planted(
        "one tap of the negative half reads the positive one",
        "crelu_x2",
        "conv2d_1",
        (Swap("conv2d_1.frag", "* go_1(-1.0, 1.0);", "* go_0(-1.0, 1.0);"),),
        ("wrong_partner", "wrong_function"),
    ),
    Planted(
        "one matrix from the left, as another language multiplies",
        "crelu_x2",
        "conv2d_last",
        (
            Swap(
                "conv2d_last.frag", "    result += mat4(0.0158, -0.0049,", "    result += g_3 * mat4(0.0158, -0.0049,"
            ),
            Swap("conv2d_last.frag", ") * g_3;", ");"),
        ),
        ("filter_io_swap", "wrong_partner"),
    ),
    Planted(
        "both signs of the middle layer exchanged",
        "crelu_x2",
        "conv2d_last",
        (
            Swap(
                "conv2d_last.frag",
                "#define g_2 (max((texture(conv2d_1, pos)), 0.0))\n#define g_3 (max(-(texture(conv2d_1, pos)), 0.0))",
                "#define g_3 (max((texture(conv2d_1, pos)), 0.0))\n#define g_2 (max(-(texture(conv2d_1, pos)), 0.0))",
            ),
        ),
        ("wrong_partner", "channel_permutation"),
    ),
    Planted(
        "the last layer's positive half from the layer before",
        "crelu_x2",
        "conv2d_last",
        (
            Swap(
                "conv2d_last.frag",
                "#define g_4 (max((texture(conv2d_2, pos)), 0.0))",
                "#define g_4 (max((texture(conv2d_1, pos)), 0.0))",
            ),
        ),
        ("wrong_input", "wrong_partner"),
    ),
    Planted(
        "lane of a pixel counted by columns",
        "crelu_x2",
        "upscaled",
        (Swap("upscaled.frag", "[i0.y * 2 + i0.x]", "[i0.x * 2 + i0.y]"),),
        ("index_map", "channel_permutation"),
    ),
    Planted(
        "the picture under the detail not interpolated",
        "crelu_x2",
        "upscaled",
        (
            Swap(
                "pipeline.toml",
                'textures.MAIN = { tensor = "MAIN", filter = "linear" }',
                'textures.MAIN = { tensor = "MAIN", filter = "nearest" }',
            ),
        ),
        ("wrong_function",),
        in_text=False,
    ),
    Planted(
        "a tap's fetch lost, the tap before is used again",
        "fsr_luma",
        "features0",
        (Swap("features.frag", "    luma = LUMA_texOff(vec2(1.0, 1.0)).x;\n", ""),),
        ("index_map", "wrong_partner", "missing_taps"),
    ),
    Planted(
        "the second four maps get the biases of the first",
        "fsr_luma",
        "features0",
        (
            Swap(
                "features.frag",
                "vec4 res1 = vec4(0.1619, -0.1206, -0.0627, -0.1321);",
                "vec4 res1 = vec4(-0.0007, 0.1046, 0.0742, 0.0724);",
            ),
        ),
        ("bias_offset", "wrong_literal"),
    ),
    Planted(
        "the second four maps get the first four added",
        "fsr_luma",
        "mapped0",
        (
            Swap(
                "mapping.frag",
                "mapped1 = res1 + FEATURE1_texOff(vec2(0.0));",
                "mapped1 = res1 + FEATURE0_texOff(vec2(0.0));",
            ),
        ),
        ("wrong_partner", "wrong_input"),
    ),
    Planted(
        "slopes of the first four for the second",
        "fsr_luma",
        "mapped0",
        (
            Swap(
                "mapping.frag",
                "vec4(0.2077, 0.2922, 0.4831, 0.3551) * min(res1, vec4(0.0))",
                "vec4(0.4793, 0.331, 0.1682, 0.2072) * min(res1, vec4(0.0))",
            ),
        ),
        ("alpha", "wrong_literal", "wrong_partner"),
    ),
    Planted(
        "the fourth lane is not activated",
        "fsr_luma",
        "mapped0",
        (
            Swap(
                "mapping.frag",
                "res0 = max(res0, vec4(0.0)) + vec4(0.4793, 0.331, 0.1682, 0.2072) * min(res0, vec4(0.0));",
                "res0.xyz = max(res0.xyz, vec3(0.0)) + vec3(0.4793, 0.331, 0.1682) * min(res0.xyz, vec3(0.0));",
            ),
        ),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "the four lanes looked up one texel too far at odd places",
        "fsr_luma",
        "larger",
        (Swap("aggregate.frag", "texelFetch(SUBPIXEL, at / 2, 0)", "texelFetch(SUBPIXEL, (at + 1) / 2, 0)"),),
        ("index_map", "shift"),
    ),
    Planted(
        "a texel taken for square",
        "fsr_luma",
        "features0",
        (
            Swap(
                "features.frag",
                "#define LUMA_texOff(off) texture(LUMA, pos + LUMA_pt * (off))",
                "#define LUMA_texOff(off) texture(LUMA, pos + LUMA_pt.x * (off))",
            ),
        ),
        ("dilation",),
    ),
    Planted(
        "a sum set anew in its middle",
        "fsr_luma",
        "features0",
        (Swap("features.frag", "res1 += vec4(-0.1927, -0.3207,", "res1 = vec4(-0.1927, -0.3207,"),),
        ("missing_taps", "bias_missing"),
    ),
    Planted(
        "a strength from the default of another preset",
        "antiring",
        "held",
        (Swap("pipeline.toml", "uniforms.strength = 1.35", "uniforms.strength = 0.35"),),
        ("scale",),
        in_text=False,
    ),
    Planted(
        "rows beyond the border from the other end",
        "antiring",
        "blur_y",
        (
            Swap(
                "pipeline.toml",
                'textures.BLUR_X = "blur_x"',
                'textures.BLUR_X = { tensor = "blur_x", wrap = "repeat" }',
            ),
        ),
        ("padding_mode",),
        in_text=False,
    ),
    Planted(
        "neighbours on the right left out of the range",
        "antiring",
        "held",
        (Swap("held.frag", "for (float x = -1.0; x <= 1.0; x += 1.0)", "for (float x = -1.0; x < 1.0; x += 1.0)"),),
        ("missing_taps",),
    ),
    Planted(
        "luma by the coefficients of the older standard",
        "antiring",
        "luma",
        (Swap("luma.frag", "vec3(0.2126, 0.7152, 0.0722)", "vec3(0.299, 0.587, 0.114)"),),
        ("wrong_literal",),
    ),
    Planted(
        "length of the gradient by absolute values",
        "antiring",
        "edges",
        (
            Swap(
                "edges.frag",
                "edge = sqrt(gradient.x * gradient.x + gradient.y * gradient.y);",
                "edge = abs(gradient.x) + abs(gradient.y);",
            ),
        ),
        ("wrong_function",),
    ),
    Planted(
        "taps of the weights counted by columns",
        "restore",
        "features",
        (Swap("features.frag", "WEIGHT[tile * 9 + ky * 3 + kx]", "WEIGHT[tile * 9 + kx * 3 + ky]"),),
        ("kernel_transpose",),
    ),
    Planted(
        "blocks of weights with input and output tile exchanged",
        "restore",
        "mixed",
        (Swap("mixed.frag", "WEIGHT[(tile * 2 + group) * 9 + k]", "WEIGHT[(group * 2 + tile) * 9 + k]"),),
        ("wrong_partner", "index_map"),
    ),
    Planted(
        "the right border tested against the texture of two tiles",
        "restore",
        "mixed",
        (
            Swap(
                "mixed.frag",
                "any(greaterThanEqual(at, MAIN_size))",
                "any(greaterThanEqual(at, textureSize(FEATURES, 0)))",
            ),
        ),
        ("tile_bleed", "padding_mode"),
    ),
    Planted(
        "the correction capped, not the picture",
        "restore",
        "restored",
        (Swap("restored.frag", "clamp(picture + correction, 0.0, 1.0)", "picture + clamp(correction, 0.0, 1.0)"),),
        ("wrong_function", "clamped_0_1"),
    ),
    Planted(
        "one of four pixels twice, another never",
        "chroma_from_luma",
        "luma_low",
        (Swap("luma_low.frag", "at + ivec2(0, 1)", "at + ivec2(1, 1)"),),
        ("double_counted", "missing_taps", "index_map"),
    ),
    Planted(
        "both covariances with the mean of the first plane",
        "chroma_from_luma",
        "moments",
        (Swap("moments.frag", "product / count - mean * chroma_mean;", "product / count - mean * chroma_mean.x;"),),
        ("wrong_partner",),
    ),
    Planted(
        "epsilon after the division",
        "chroma_from_luma",
        "slope",
        (Swap("slope.frag", "moments.xy / (moments.z + epsilon)", "moments.xy / moments.z + epsilon"),),
        ("epsilon",),
    ),
    Planted(
        "an epsilon ten times as large",
        "chroma_from_luma",
        "slope",
        (Swap("pipeline.toml", "uniforms.epsilon = 0.004", "uniforms.epsilon = 0.04"),),
        ("epsilon",),
        in_text=False,
    ),
    Planted(
        "chroma and its slope bound to each other's name",
        "chroma_from_luma",
        "chroma",
        (
            Swap("pipeline.toml", 'textures.CHROMA = { tensor = "CHROMA",', 'textures.CHROMA = { tensor = "slope",'),
            Swap("pipeline.toml", 'textures.SLOPE = { tensor = "slope",', 'textures.SLOPE = { tensor = "CHROMA",'),
        ),
        ("wrong_input",),
        in_text=False,
    ),
    Planted(
        "chroma sited on the left pixel of two",
        "chroma_from_luma",
        "chroma",
        (
            Swap(
                "chroma.frag",
                "texture(CHROMA, pos).xy",
                "texture(CHROMA, pos + vec2(0.25, 0.0) / vec2(textureSize(CHROMA, 0))).xy",
            ),
        ),
        ("half_texel", "shift"),
    ),
    Planted(
        "the variance of a sample, not of a window",
        "neurons",
        "stats",
        (Swap("stats.frag", "squares / 8.0 - mean * mean;", "(squares - sum * mean) / 7.0;"),),
        ("average_count", "scale"),
    ),
    Planted(
        "votes without the absolute value",
        "neurons",
        "line",
        (Swap("line.frag", "(1.0 + abs(vote))", "(1.0 + vote)"),),
        ("wrong_function",),
    ),
    Planted(
        "votes divided by the last neuron's loudness",
        "neurons",
        "line",
        (Swap("line.frag", "total += loud;", "total = loud;"),),
        ("missing_channels", "wrong_function"),
    ),
    Planted(
        "lines that are there at the odd rows",
        "neurons",
        "doubled",
        (Swap("doubled.frag", "(at.y & 1) == 0", "(at.y & 1) == 1"),),
        ("wrong_input", "index_map"),
    ),
)
