"""Slips in a net of CReLU layers written out: signs, offsets, literals, halves of a concatenation, sub-pixels."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_RELU_OF_NEGATED = "(max(-(texture(conv2d, conv2d_pos + vec2(x_off, y_off) * conv2d_pt)), 0.0))"
_BIAS_1 = "    result += vec4(0.06042, 0.38151, -0.076, -0.12237);\n"
_PLAIN_CONV2D = 'output = { shape = [1, 4, 11, 14], layout = "channel_tiles_rgba" }\ntextures.MAIN = "MAIN"'

FAULTS = (
    Planted(
        "the last tap on the wrong side",
        "crelu",
        "conv2d",
        (Swap("conv2d.frag", "go_0(1.0, 1.0)", "go_0(-1.0, 1.0)"),),
        ("index_map", "wrong_partner"),
    ),
    Planted(
        "offsets of the macro with y before x",
        "crelu",
        "conv2d",
        (Swap("conv2d.frag", "vec2(x_off, y_off)", "vec2(y_off, x_off)"),),
        ("kernel_transpose", "index_map", "wrong_partner"),
    ),
    Planted(
        "a minus lost in the middle matrix",
        "crelu",
        "conv2d",
        (Swap("conv2d.frag", "mat4(-0.39802, 0.13228", "mat4(0.39802, 0.13228"),),
        ("wrong_literal",),
    ),
    Planted(
        "texel steps of a picture of half the size",
        "crelu",
        "conv2d",
        (Swap("pipeline.toml", '"texel_size(MAIN)"', '"2 * texel_size(MAIN)"'),),
        ("dilation", "index_map"),
        in_text=False,
    ),
    Planted(
        "the first layer saved in bytes",
        "crelu",
        "conv2d",
        (Swap("pipeline.toml", _PLAIN_CONV2D, _PLAIN_CONV2D.replace('rgba" }', 'rgba", dtype = "uint8" }')),),
        ("clamped_0_1", "clamped_nonnegative", "quantized_8bit"),
        in_text=False,
    ),
    Planted(
        "the second half of CReLU without its minus",
        "crelu",
        "conv2d_1",
        (Swap("conv2d_1.frag", "max(-(texture", "max((texture"),),
        ("wrong_function", "activation_missing", "scale", "wrong_input", "index_map", "wrong_partner"),
    ),
    Planted(
        "the negated half not cut at zero",
        "crelu",
        "conv2d_1",
        (
            Swap(
                "conv2d_1.frag",
                _RELU_OF_NEGATED,
                "(-(texture(conv2d, conv2d_pos + vec2(x_off, y_off) * conv2d_pt)))",
            ),
        ),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "no bias at the end of the second layer",
        "crelu",
        "conv2d_1",
        (Swap("conv2d_1.frag", _BIAS_1, ""),),
        ("bias_missing",),
    ),
    Planted(
        "the sum begun anew at the negated half",
        "crelu",
        "conv2d_1",
        (Swap("conv2d_1.frag", "result += mat4(-0.43975", "result = mat4(-0.43975"),),
        ("missing_channels",),
    ),
    Planted(
        "one matrix at the right of its vector",
        "crelu",
        "conv2d_last",
        (
            Swap("conv2d_last.frag", "result += mat4(0.01384", "result += g_3 * mat4(0.01384"),
            Swap("conv2d_last.frag", ") * g_3;", ");"),
        ),
        ("filter_io_swap", "wrong_layout", "index_map", "wrong_partner"),
    ),
    Planted(
        "the minus on the third quarter, not the fourth",
        "crelu",
        "conv2d_last",
        (
            Swap("conv2d_last.frag", "#define g_2 (max((texture", "#define g_2 (max(-(texture"),
            Swap("conv2d_last.frag", "#define g_3 (max(-(texture", "#define g_3 (max((texture"),
        ),
        (
            "wrong_partner",
            "channel_permutation",
            "index_map",
            "wrong_input",
            "scale",
            "wrong_function",
            "activation_missing",
            "activation_extra",
        ),
    ),
    Planted(
        "both layers bound to each other's sampler",
        "crelu",
        "conv2d_last",
        (
            Swap(
                "pipeline.toml",
                'textures.conv2d = "conv2d"\ntextures.conv2d_1 = "conv2d_1"',
                'textures.conv2d = "conv2d_1"\ntextures.conv2d_1 = "conv2d"',
            ),
        ),
        ("wrong_input", "wrong_partner"),
        in_text=False,
    ),
    Planted(
        "sub-pixels down before across",
        "crelu",
        "upscaled",
        (Swap("depth_to_space.frag", "[i0.y * 2 + i0.x]", "[i0.x * 2 + i0.y]"),),
        ("channel_permutation", "index_map"),
    ),
    Planted(
        "luma of another standard",
        "crelu",
        "upscaled",
        (Swap("depth_to_space.frag", "vec4(0.299, 0.587, 0.114, 0.0)", "vec4(0.2126, 0.7152, 0.0722, 0.0)"),),
        ("wrong_literal",),
    ),
    Planted(
        "the large luma half a pixel aside",
        "crelu",
        "upscaled",
        (Swap("depth_to_space.frag", "texture(MAIN, pos)", "texture(MAIN, pos + 0.5 * conv2d_last_pt)"),),
        ("half_texel", "shift", "index_map"),
    ),
)

PAIRS = (
    Planted(
        "a half not cut at zero and a sign lost in a matrix",
        "crelu",
        "conv2d_1",
        (
            Swap(
                "conv2d_1.frag",
                _RELU_OF_NEGATED,
                "(-(texture(conv2d, conv2d_pos + vec2(x_off, y_off) * conv2d_pt)))",
            ),
            Swap("conv2d_1.frag", "mat4(-0.43975, -0.81368", "mat4(-0.43975, 0.81368"),
        ),
        ("activation_missing", "wrong_function"),
        ("wrong_literal",),
    ),
)

HEALTHY = (
    Healthy("as it is: crelu", "crelu"),
    Healthy(
        "the bias before all taps",
        "crelu",
        (
            Swap(
                "conv2d.frag",
                "vec4 result = mat4(",
                "vec4 result = vec4(-0.03732, 0.08529, -0.07873, 0.22781);\n    result += mat4(",
            ),
            Swap("conv2d.frag", "    result += vec4(-0.03732, 0.08529, -0.07873, 0.22781);\n    color", "    color"),
        ),
    ),
    Healthy(
        "CReLU by absolute values",
        "crelu",
        (
            Swap(
                "conv2d_last.frag",
                "(max((texture(conv2d, pos)), 0.0))",
                "(0.5 * (abs(texture(conv2d, pos)) + texture(conv2d, pos)))",
            ),
            Swap(
                "conv2d_last.frag",
                "(max(-(texture(conv2d, pos)), 0.0))",
                "(0.5 * (abs(texture(conv2d, pos)) - texture(conv2d, pos)))",
            ),
        ),
    ),
    Healthy(
        "sub-pixels by whole numbers",
        "crelu",
        (
            Swap(
                "depth_to_space.frag",
                "    vec2 f0 = fract(pos * conv2d_last_size);\n",
                "    ivec2 at = ivec2(gl_FragCoord.xy);\n",
            ),
            Swap("depth_to_space.frag", "ivec2(f0 * vec2(2.0))", "at & 1"),
            Swap(
                "depth_to_space.frag",
                "texture(conv2d_last, (vec2(0.5) - f0) * conv2d_last_pt + pos)",
                "texelFetch(conv2d_last, at >> 1, 0)",
            ),
        ),
    ),
)
