"""Slips in a chain of filters by coordinates: colour matrices, halved and guided chroma, sharpening, light."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_POWER = "    c = pow(max(c, 0.0), vec3(2.2));\n"
_TONE = "    c = c * (1.0 + c / (white * white)) / (1.0 + c);\n"
_FOUR = """    color = T(-0.5, -0.5);
    color += T(0.5, -0.5);
    color += T(-0.5, 0.5);
    color += T(0.5, 0.5);
    color *= 0.25;
"""
_FETCHED = "texture(low, (base + vec2(x, y) + 0.5) * low_pt).xyz"
_HALF_OUTPUT = 'output = { shape = [1, 3, 6, 9], layout = "channel_tiles_rgba" }'

FAULTS = (
    Planted(
        "red before blue in the differences",
        "video",
        "ycc",
        (Swap("ycc.frag", "(c.br - y)", "(c.rb - y)"),),
        ("channel_permutation", "index_map", "wrong_partner"),
    ),
    Planted(
        "chroma of full range",
        "video",
        "ycc",
        (Swap("ycc.frag", "uv * (224.0 / 255.0) + 128.0 / 255.0", "uv + 128.0 / 255.0"),),
        ("scale", "affine"),
    ),
    Planted(
        "one of four pixels twice",
        "video",
        "half",
        (Swap("half.frag", "T(0.5, 0.5)", "T(0.5, -0.5)"),),
        ("index_map", "double_counted", "missing_taps"),
    ),
    Planted(
        "four pixels averaged as two",
        "video",
        "half",
        (Swap("half.frag", "color *= 0.25", "color *= 0.5"),),
        ("scale", "average_count", "wrong_literal"),
    ),
    Planted(
        "half the size in half precision",
        "video",
        "half",
        (Swap("pipeline.toml", _HALF_OUTPUT, _HALF_OUTPUT.replace('rgba" }', 'rgba", dtype = "float16" }')),),
        ("half_precision",),
        in_text=False,
    ),
    Planted(
        "shares of neighbours the other way round",
        "video",
        "chroma",
        (Swap("chroma.frag", "mix(1.0 - f, f, vec2(x, y))", "mix(f, 1.0 - f, vec2(x, y))"),),
        ("wrong_partner", "kernel_flip"),
    ),
    Planted(
        "chroma from the corners of pixels",
        "video",
        "chroma",
        (Swap("chroma.frag", "pos * low_size - 0.5", "pos * low_size"),),
        ("half_texel", "shift", "index_map"),
    ),
    Planted(
        "a likeness without its half",
        "video",
        "chroma",
        (Swap("chroma.frag", "exp(-0.5 * d * d)", "exp(-d * d)"),),
        ("scale", "wrong_function"),
    ),
    Planted(
        "shares summed without likeness",
        "video",
        "chroma",
        (Swap("chroma.frag", "norm += weight;", "norm += share.x * share.y;"),),
        ("average_count", "wrong_partner"),
    ),
    Planted(
        "too large a constant below the line",
        "video",
        "chroma",
        (Swap("chroma.frag", "norm = 0.001", "norm = 0.1"),),
        ("epsilon", "wrong_literal"),
    ),
    Planted(
        "softer where it should be sharper",
        "video",
        "sharp",
        (Swap("sharp.frag", "c + amount * (c - blur)", "c + amount * (blur - c)"),),
        ("scale", "wrong_input", "wrong_partner"),
    ),
    Planted(
        "the smaller of two in the upper bound",
        "video",
        "sharp",
        (Swap("sharp.frag", "max(max(max(n, s), max(w, e)), c)", "max(max(max(n, s), min(w, e)), c)"),),
        ("wrong_function",),
    ),
    Planted(
        "ringing kept and held exchanged",
        "video",
        "sharp",
        (Swap("sharp.frag", "mix(v, clamp(v, lo, hi), 0.8)", "mix(clamp(v, lo, hi), v, 0.8)"),),
        ("wrong_partner",),
    ),
    Planted(
        "corners as heavy as sides",
        "video",
        "sharp",
        (Swap("sharp.frag", "0.06 * corners", "0.12 * corners"),),
        ("wrong_literal", "scale"),
    ),
    Planted(
        "green not divided by its share",
        "video",
        "light",
        (Swap("light.frag", "(y - 0.2126 * c.r - 0.0722 * c.b) / 0.7152", "y - 0.2126 * c.r - 0.0722 * c.b"),),
        ("scale", "wrong_function"),
    ),
    Planted(
        "powers of negative light",
        "video",
        "light",
        (Swap("light.frag", "pow(max(c, 0.0), vec3(2.2))", "pow(c, vec3(2.2))"),),
        ("nan_source", "activation_missing", "wrong_function"),
    ),
    Planted(
        "under the screen's white before linear light",
        "video",
        "light",
        (Swap("light.frag", _POWER + _TONE, "    c = max(c, 0.0);\n" + _TONE + "    c = pow(c, vec3(2.2));\n"),),
        ("wrong_function",),
    ),
    Planted(
        "a power turned upside down",
        "video",
        "light",
        (Swap("light.frag", "vec3(2.2)", "vec3(1.0 / 2.2)"),),
        ("wrong_function", "wrong_literal", "alpha"),
    ),
)

PAIRS = (
    Planted(
        "differences exchanged and green undivided",
        "video",
        "light",
        (
            Swap("light.frag", "y + 1.5748 * uv.y", "y + 1.5748 * uv.x"),
            Swap("light.frag", "y + 1.8556 * uv.x", "y + 1.8556 * uv.y"),
            Swap("light.frag", "(y - 0.2126 * c.r - 0.0722 * c.b) / 0.7152", "y - 0.2126 * c.r - 0.0722 * c.b"),
        ),
        ("channel_permutation", "index_map", "wrong_partner"),
        ("scale", "wrong_function"),
    ),
)

HEALTHY = (
    Healthy("as it is: video", "video"),
    Healthy(
        "four pixels by the filter of the hardware",
        "video",
        (
            Swap("half.frag", _FOUR, "    color = texture(ycc, pos);\n"),
            Swap("half.frag", "uniform vec2 ycc_pt;\n", ""),
            Swap("half.frag", "#define T(x, y) texture(ycc, pos + vec2(x, y) * ycc_pt)\n", ""),
            Swap(
                "pipeline.toml",
                'textures.ycc = "ycc"\nuniforms.ycc_pt = "texel_size(ycc)"\n',
                'textures.ycc = { tensor = "ycc", filter = "linear" }\n',
            ),
        ),
    ),
    Healthy(
        "chroma by whole numbers and powers of two",
        "video",
        (
            Swap(
                "chroma.frag",
                _FETCHED,
                "texelFetch(low, clamp(ivec2(base) + ivec2(x, y), ivec2(0), ivec2(low_size) - 1), 0).xyz",
            ),
            Swap("chroma.frag", "exp(-0.5 * d * d)", "exp2(-0.72134752 * d * d)"),
            Swap("chroma.frag", "uniform vec2 low_pt;\n", ""),
            Swap("pipeline.toml", 'uniforms.low_pt = "texel_size(half)"\n', ""),
        ),
    ),
    Healthy(
        "blur as a weighted sum by one product of vectors",
        "video",
        (
            Swap(
                "sharp.frag",
                "0.28 * c + 0.12 * (n + s + w + e) + 0.06 * corners",
                "dot(vec3(0.28, 0.12, 0.06), vec3(c, dot(vec4(n, s, w, e), vec4(1.0)), corners))",
            ),
            Swap("sharp.frag", "min(min(min(n, s), min(w, e)), c)", "min(n, min(s, min(w, min(e, c))))"),
        ),
    ),
)
