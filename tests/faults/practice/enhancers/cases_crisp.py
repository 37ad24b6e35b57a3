"""Bugs of the upscaler with features of both signs, and other ways to write it."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS: tuple[Planted, ...] = (
    Planted(
        "offsets with y before x",
        "crisp",
        "feat1",
        (Swap("feat1.glsl", "pos + vec2(x_off, y_off) * pt", "pos + vec2(y_off, x_off) * pt"),),
        ("kernel_transpose", "index_map", "transpose_xy"),
    ),
    Planted(
        "two digits of a weight exchanged",
        "crisp",
        "feat1",
        (Swap("feat1.glsl", "0.2083, -0.1437", "0.0283, -0.1437"),),
        ("wrong_literal",),
    ),
    Planted(
        "negative half not cut",
        "crisp",
        "feat2",
        (
            Swap(
                "feat2.glsl",
                "(max(-texture(feat1, pos + vec2(x_off, y_off) * pt), 0.0))",
                "(-texture(feat1, pos + vec2(x_off, y_off) * pt))",
            ),
        ),
        ("activation_missing",),
    ),
    Planted(
        "negative half without its minus",
        "crisp",
        "feat2",
        (Swap("feat2.glsl", "max(-texture(feat1", "max(texture(feat1"),),
        ("activation_missing", "wrong_input", "wrong_function", "scale", "index_map"),
    ),
    Planted(
        "third group from the first texture",
        "crisp",
        "feat3",
        (Swap("feat3.glsl", "#define g_2 (max(texture(feat2", "#define g_2 (max(texture(feat1"),),
        ("wrong_input", "index_map"),
    ),
    Planted(
        "middle matrix from the other side",
        "crisp",
        "sub",
        (
            Swap("sub.glsl", "mat4(-0.1725, 0.1708", "at(0, 0) * mat4(-0.1725, 0.1708"),
            Swap("sub.glsl", ") * at(0, 0);", ");"),
        ),
        ("filter_io_swap", "index_map", "wrong_literal"),
    ),
    Planted(
        "lower right tap from the upper right",
        "crisp",
        "sub",
        (Swap("sub.glsl", "* at(1, 1);", "* at(1, -1);"),),
        ("missing_taps", "index_map", "wrong_partner"),
    ),
    Planted(
        "sub-pixels column by column",
        "crisp",
        "upscaled",
        (Swap("upscaled.glsl", "[i0.y * 2 + i0.x]", "[i0.x * 2 + i0.y]"),),
        ("channel_permutation", "index_map", "transpose_xy"),
    ),
    Planted(
        "white not capped",
        "crisp",
        "upscaled",
        (Swap("upscaled.glsl", "clamp(sum, 0.0, 1.0)", "max(sum, 0.0)"),),
        ("alpha", "wrong_function", "activation_missing"),
    ),
    Planted(
        "way to the centre turned around",
        "crisp",
        "upscaled",
        (Swap("upscaled.glsl", "(vec2(0.5) - f0) / sub_size", "(f0 - vec2(0.5)) / sub_size"),),
        ("texel_edge", "half_texel", "index_map"),
    ),
)

PAIRS: tuple[Planted, ...] = (
    Planted(
        "skip from the layer before, middle tap switched off",
        "crisp",
        "sub",
        (
            Swap("sub.glsl", "sum + texture(feat1, pos)", "sum + texture(feat3, pos)"),
            Swap("sub.glsl", "sum += mat4(-0.1725, 0.1708", "// sum += mat4(-0.1725, 0.1708"),
        ),
        ("wrong_input",),
        ("missing_taps",),
    ),
    Planted(
        "negative half not cut, bias of the layer before",
        "crisp",
        "feat2",
        (
            Swap(
                "feat2.glsl",
                "(max(-texture(feat1, pos + vec2(x_off, y_off) * pt), 0.0))",
                "(-texture(feat1, pos + vec2(x_off, y_off) * pt))",
            ),
            Swap("feat2.glsl", "vec4(0.1284, -0.2275, -0.0791, -0.1448)", "vec4(0.1397, 0.0312, 0.0403, -0.0628)"),
        ),
        ("activation_missing",),
        ("wrong_literal", "bias_offset", "wrong_input"),
    ),
)

HEALTHY: tuple[Healthy, ...] = (
    Healthy(
        "both signs by absolute values",
        "crisp",
        (
            Swap(
                "feat3.glsl",
                "#define g_0 (max(texture(feat1, pos), 0.0))",
                "#define up(t) (0.5 * (abs(t) + (t)))\n#define g_0 up(texture(feat1, pos))",
            ),
            Swap("feat3.glsl", "#define g_1 (max(-texture(feat1, pos), 0.0))", "#define g_1 up(-texture(feat1, pos))"),
            Swap(
                "feat3.glsl",
                "#define g_3 (max(-texture(feat2, pos), 0.0))",
                "#define g_3 (-min(texture(feat2, pos), 0.0))",
            ),
        ),
    ),
    Healthy(
        "sub-pixels by whole numbers",
        "crisp",
        (
            Swap(
                "upscaled.glsl",
                "ivec2 i0 = ivec2(f0 * vec2(2.0));",
                "ivec2 whole = ivec2(gl_FragCoord.xy), i0 = whole & 1;",
            ),
            Swap("upscaled.glsl", "texture(sub, (vec2(0.5) - f0) / sub_size + pos)", "texelFetch(sub, whole >> 1, 0)"),
            Swap("upscaled.glsl", "[i0.y * 2 + i0.x]", "[i0.x | i0.y << 1]"),
        ),
    ),
    Healthy(
        "linear filter on centres",
        "crisp",
        (
            Swap(
                "pipeline.toml",
                'textures.feat1 = "feat1"\ntextures.feat3 = "feat3"',
                'textures.feat1 = { tensor = "feat1", filter = "linear" }\ntextures.feat3 = "feat3"',
            ),
            Swap("sub.glsl", "texture(feat1, pos)", "texture(feat1, gl_FragCoord.xy / vec2(textureSize(feat1, 0)))"),
        ),
    ),
)
