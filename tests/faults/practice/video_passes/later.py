"""Bugs planted later in the passes for video: `dog`, `luma`."""

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
            "double_counted",
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
        "a weight on one of a pair",
        "dog",
        "GAUSS_Y",
        (
            Swap(
                "kernel_y.glsl",
                "(L_tex(p - d).x + L_tex(p + d).x) * 0.24477",
                "L_tex(p - d).x + L_tex(p + d).x * 0.24477",
            ),
        ),
        ("scale",),
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
        "the sum begun again at its fourth tap",
        "luma",
        "feature1",
        (Swap("feature1.glsl", "res += vec4(0.203453,", "res = vec4(0.203453,"),),
        (
            "missing_taps",
            "bias_missing",
        ),
    ),
    Planted(
        "a sign lost in one number",
        "luma",
        "feature2",
        (Swap("feature2.glsl", "vec4(-0.243803, -0.159859,", "vec4(-0.243803, 0.159859,"),),
        ("wrong_literal",),
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
        "features added to what is bent",
        "luma",
        "map2",
        (
            Swap("map2.glsl", "    res += FEATURE1_texOff(vec2(0));\n    res = max", "    res = max"),
            Swap(
                "map2.glsl",
                "-0.222367) * min(res, vec4(0.0));\n",
                ("-0.222367) * min(res, vec4(0.0));\n    res += FEATURE1_texOff(vec2(0));\n"),
            ),
        ),
        (
            "activation_before_bias",
            "wrong_function",
        ),
    ),
    Planted(
        "features mapped a second time",
        "luma",
        "map2",
        (Swap("map2.glsl", "* MAP1_texOff(vec2(0));", "* FEATURE1_texOff(vec2(0));"),),
        (
            "wrong_input",
            "wrong_partner",
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
)
