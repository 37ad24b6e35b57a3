"""Bugs planted later in the passes for video: `upscale`, `restore`."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

FAULTS: tuple[Planted, ...] = (
    Planted(
        "offsets taken away",
        "upscale",
        "conv2d_tf",
        (
            Swap(
                "conv2d_tf.glsl", "MAIN_tex(MAIN_pos + MAIN_pt * vec2(off))", "MAIN_tex(MAIN_pos - MAIN_pt * vec2(off))"
            ),
        ),
        (
            "kernel_flip",
            "index_map",
        ),
    ),
    Planted(
        "two biases exchanged",
        "upscale",
        "conv2d_tf1",
        (Swap("conv2d_tf1.glsl", "vec4(0.186315, 0.076990,", "vec4(0.076990, 0.186315,"),),
        (
            "bias_offset",
            "wrong_literal",
        ),
    ),
    Planted(
        "the positive part twice",
        "upscale",
        "conv2d_1_tf",
        (
            Swap(
                "conv2d_1_tf.glsl",
                "#define go_2(x_off, y_off) (max(-(conv2d_tf_texOff",
                "#define go_2(x_off, y_off) (max((conv2d_tf_texOff",
            ),
        ),
        (
            "wrong_function",
            "scale",
        ),
    ),
    Planted(
        "negative parts of the first four alone",
        "upscale",
        "conv2d_1_tf",
        (
            Swap(
                "conv2d_1_tf.glsl",
                "#define go_3(x_off, y_off) (max(-(conv2d_tf1_texOff",
                "#define go_3(x_off, y_off) (max(-(conv2d_tf_texOff",
            ),
        ),
        (
            "wrong_input",
            "wrong_partner",
        ),
    ),
    Planted(
        "all of a sum for its positive part",
        "upscale",
        "conv2d_last_tf",
        (
            Swap(
                "conv2d_last_tf.glsl",
                "#define go_0(x_off, y_off) (max((conv2d_1_tf_texOff(vec2(x_off, y_off))), 0.0))",
                "#define go_0(x_off, y_off) (conv2d_1_tf_texOff(vec2(x_off, y_off)))",
            ),
        ),
        (
            "activation_missing",
            "wrong_function",
        ),
    ),
    Planted(
        "minus the positive part",
        "upscale",
        "conv2d_last_tf1",
        (
            Swap(
                "conv2d_last_tf1.glsl",
                "(max(-(conv2d_1_tf_texOff(vec2(x_off, y_off))), 0.0))",
                "(-max((conv2d_1_tf_texOff(vec2(x_off, y_off))), 0.0))",
            ),
        ),
        ("wrong_function",),
    ),
    Planted(
        "taps two texels apart",
        "upscale",
        "conv2d_last_tf2",
        (Swap("conv2d_last_tf2.glsl", "conv2d_1_tf_pt * vec2(off)", "conv2d_1_tf_pt * 2.0 * vec2(off)"),),
        (
            "dilation",
            "index_map",
        ),
    ),
    Planted(
        "a rectifier that the last layer lacks",
        "upscale",
        "conv2d_last_tf2",
        (Swap("conv2d_last_tf2.glsl", "return result;", "return max(result, vec4(0.0));"),),
        (
            "activation_extra",
            "clamped_nonnegative",
            "wrong_function",
        ),
    ),
    Planted(
        "green's quad turned over",
        "upscale",
        "depth_to_space",
        (
            Swap(
                "depth_to_space.glsl",
                "conv2d_last_tf1_tex(at)[i0.y * 2 + i0.x]",
                "conv2d_last_tf1_tex(at)[i0.x * 2 + i0.y]",
            ),
        ),
        (
            "index_map",
            "channel_permutation",
            "transpose_xy",
        ),
    ),
    Planted(
        "green's detail for blue",
        "upscale",
        "depth_to_space",
        (
            Swap(
                "pipeline.toml",
                'textures.conv2d_last_tf2 = "conv2d_last_tf2"',
                'textures.conv2d_last_tf2 = "conv2d_last_tf1"',
            ),
        ),
        (
            "wrong_input",
            "wrong_partner",
        ),
        in_text=False,
    ),
    Planted(
        "offsets with y first",
        "restore",
        "conv2d_tf",
        (Swap("conv2d_tf.glsl", "MAIN_pt * vec2(off)", "MAIN_pt * vec2(off).yx"),),
        (
            "kernel_transpose",
            "index_map",
        ),
    ),
    Planted(
        "the last tap of the wrong sign",
        "restore",
        "conv2d_1_tf",
        (
            Swap(
                "conv2d_1_tf.glsl", "-0.132600, -0.043239) * go_1(1.0, 1.0);", "-0.132600, -0.043239) * go_0(1.0, 1.0);"
            ),
        ),
        (
            "wrong_partner",
            "wrong_function",
        ),
    ),
    Planted(
        "a swizzle left from another format",
        "restore",
        "output",
        (
            Swap(
                "output.glsl",
                "#define g_2 (max(-(conv2d_tf_tex(conv2d_tf_pos)), 0.0))",
                "#define g_2 (max(-(conv2d_tf_tex(conv2d_tf_pos).bgra), 0.0))",
            ),
        ),
        (
            "channel_permutation",
            "index_map",
        ),
    ),
    Planted(
        "the bias held off by the picture",
        "restore",
        "output",
        (Swap("output.glsl", "    result += vec4(-0.320035, 0.045409, -0.290790, 0.000000);\n", ""),),
        ("bias_missing",),
    ),
)
