"""Bugs planted later in the passes for video: `dog`, `luma`, `upscale`, `restore`."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

FAULTS: tuple[Planted, ...] = (
    Planted(
        "luma of another standard",
        "dog",
        "LINELUMA",
        (Swap("luma.glsl", "0.299, 0.587, 0.114", "0.2126, 0.7152, 0.0722"),),
        ("wrong_literal",),
    ),
    Planted(
        "two steps and none",
        "dog",
        "GAUSS_X",
        (Swap("kernel_x.glsl", "L_tex(p - (d + d)).x", "L_tex(p - d + d).x"),),
        (
            "index_map",
            "missing_taps",
        ),
    ),
    Planted(
        "the least of the larger",
        "dog",
        "GAUSS_X",
        (Swap("kernel_x.glsl", "return min(min(a, b), c);", "return min(max(a, b), c);"),),
        ("wrong_function",),
    ),
    Planted(
        "the largest above from the least",
        "dog",
        "GAUSS_Y",
        (Swap("kernel_y.glsl", "float a1 = L_tex(p - d).z;", "float a1 = L_tex(p - d).y;"),),
        (
            "index_map",
            "wrong_partner",
            "wrong_input",
        ),
    ),
    Planted(
        "strength of the blur alone",
        "dog",
        "deblurred",
        (
            Swap(
                "apply.glsl",
                "(L_tex(pos).x - GAUSS_tex(pos).x) * STRENGTH",
                "L_tex(pos).x - GAUSS_tex(pos).x * STRENGTH",
            ),
        ),
        ("scale",),
    ),
    Planted(
        "the picture's own luma left in",
        "dog",
        "deblurred",
        (Swap("apply.glsl", "GAUSS_tex(pos).z) - L_tex(pos).x;", "GAUSS_tex(pos).z);"),),
        ("bias_missing",),
    ),
    Planted(
        "the slope on all of it",
        "luma",
        "map1",
        (Swap("map1.glsl", "-0.338282) * min(res, vec4(0.0));", "-0.338282) * res;"),),
        (
            "activation_missing",
            "wrong_function",
        ),
    ),
    Planted(
        "the nearest corner for the quad",
        "luma",
        "output",
        (Swap("output.glsl", "#define quad floor(pos * MAP2_size)", "#define quad round(pos * MAP2_size)"),),
        (
            "index_map",
            "half_texel",
        ),
    ),
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
            "wrong_partner",
            "scale",
        ),
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
)
