"""Planted bugs, pairs of them and healthy variants of the pipeline `pose`."""

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS = (
    Planted(
        "an expansion that is cut at zero alone",
        "pose",
        "expand",
        (Swap("op1_conv_1x1.frag", "min(max(dot_ + getB(o), 0.0), 6.0)", "max(dot_ + getB(o), 0.0)"),),
        ("wrong_function", "alpha", "activation_missing"),
    ),
    Planted(
        "a frame that is read with channels last",
        "pose",
        "expand",
        (
            Swap(
                "op1_conv_1x1.frag",
                "int i = (c * A_shape.y + y) * A_shape.z + x;",
                "int i = (y * A_shape.z + x) * A_shape.x + c;",
            ),
        ),
        ("wrong_layout", "index_map"),
    ),
    Planted(
        "the picture's width for its texture's",
        "pose",
        "expand",
        (Swap("pipeline.toml", "uniforms.A_width = 26\n", "uniforms.A_width = 20\n"),),
        ("wrong_layout", "index_map"),
        in_text=False,
    ),
    Planted(
        "two cases of a switch that give the same lane",
        "pose",
        "expand",
        (Swap("op1_conv_1x1.frag", "case 1: return v.y;", "case 1: return v.x;"),),
        ("index_map", "dropped_lane"),
    ),
    Planted(
        "columns of the depthwise layer one by one",
        "pose",
        "depth",
        (Swap("op2_depthwise.frag", "(rest % out_shape.z) * stride.x - pad.x", "(rest % out_shape.z) - pad.x"),),
        ("stride",),
    ),
    Planted(
        "left of a row is the end of the row before",
        "pose",
        "depth",
        (
            Swap(
                "op2_depthwise.frag",
                "if (y < 0 || y >= A_shape.y || x < 0 || x >= A_shape.z) return 0.0;",
                "if (y < 0 || y >= A_shape.y || x >= A_shape.z) return 0.0;",
            ),
        ),
        ("padding_mode", "tile_bleed"),
    ),
    Planted(
        "a tap that keeps the weight of the tap above it",
        "pose",
        "depth",
        (Swap("op2_depthwise.frag", "getA(c, y + 1, x + 2) * getW(c, 1, 2)", "getA(c, y + 1, x + 2) * getW(c, 1, 1)"),),
        ("wrong_partner", "index_map"),
    ),
    Planted(
        "a bias by the lane that is written",
        "pose",
        "depth",
        (Swap("op2_depthwise.frag", "ivec2(c >> 2, 0), 0)[c & 3]", "ivec2(c >> 2, 0), 0)[j]"),),
        ("bias_offset", "index_map"),
    ),
    Planted(
        "weights of the bottleneck by channel and then filter",
        "pose",
        "project",
        (Swap("op3_project.frag", "int k = o * CIN + c;", "int k = c * 5 + o;"),),
        ("filter_io_swap", "wrong_layout"),
    ),
    Planted(
        "whole fours of channels alone",
        "pose",
        "project",
        (Swap("op3_project.frag", "c < CIN; c++", "c < CIN / 4 * 4; c++"),),
        ("missing_channels",),
    ),
    Planted(
        "the negative half is not cut",
        "pose",
        "both",
        (Swap("op4_crelu.frag", "return max(-getFlat(i - count), 0.0);", "return -getFlat(i - count);"),),
        ("activation_missing",),
    ),
    Planted(
        "the second half is not turned over",
        "pose",
        "both",
        (Swap("op4_crelu.frag", "max(-getFlat(i - count), 0.0)", "max(getFlat(i - count), 0.0)"),),
        ("activation_missing", "wrong_function", "scale"),
    ),
    Planted(
        "halves as long as whole texels",
        "pose",
        "both",
        (Swap("pipeline.toml", 'uniforms.A_count = "count(project)"', "uniforms.A_count = 652"),),
        ("pack_padding", "index_map"),
        in_text=False,
    ),
    Planted(
        "heat maps lying on their side",
        "pose",
        "heat",
        (Swap("op5_conv_3x3.frag", "getA(c, at.y + ky - 1, at.z + kx - 1)", "getA(c, at.z + ky - 1, at.y + kx - 1)"),),
        ("transpose_xy",),
    ),
    Planted(
        "kernels with channels last in memory",
        "pose",
        "heat",
        (
            Swap(
                "op5_conv_3x3.frag",
                "int i = ((o * A_shape.x + c) * 3 + ky) * 3 + kx;",
                "int i = ((o * 3 + ky) * 3 + kx) * A_shape.x + c;",
            ),
        ),
        ("wrong_layout", "index_map"),
    ),
    Planted(
        "nobody sets how wide the heat maps' texture is",
        "pose",
        "heat",
        (Swap("pipeline.toml", "uniforms.out_width = 13\n", ""),),
        ("unset_uniform", "index_map"),
        in_text=False,
    ),
    Planted(
        "every product replaces the sum",
        "pose",
        "heat",
        (Swap("op5_conv_3x3.frag", "                value += getA", "                value = getA"),),
        ("missing_channels", "missing_taps", "bias_missing"),
    ),
    Planted(
        "corners of pixels for their centres",
        "pose",
        "coords",
        (Swap("op6_soft_argmax.frag", "(vec2(x, y) + 0.5) / vec2(A_shape.zy)", "vec2(x, y) / vec2(A_shape.zy)"),),
        ("half_texel", "affine"),
    ),
    Planted(
        "both points of a texel of the first map",
        "pose",
        "coords",
        (Swap("op6_soft_argmax.frag", "softArgmax(first + 1)", "softArgmax(first)"),),
        ("index_map", "channel_permutation"),
    ),
    Planted(
        "a maximum that is not remembered",
        "pose",
        "best",
        (Swap("op7_argmax.frag", "            high = v;\n", ""),),
        ("unexplained",),
    ),
    Planted(
        "a frame as a mirror shows it",
        "pose",
        "expand",
        (Swap("op1_conv_1x1.frag", "dot_ += getA(c, y, x)", "dot_ += getA(c, y, A_shape.z - 1 - x)"),),
        ("flip_x",),
    ),
)

PAIRS = (
    Planted(
        "rows one by one and a lower cap",
        "pose",
        "depth",
        (
            Swap("op2_depthwise.frag", "(rest / out_shape.z) * stride.y - pad.y", "(rest / out_shape.z) - pad.y"),
            Swap("op2_depthwise.frag", "clamp(sum, 0.0, 6.0)", "clamp(sum, 0.0, 4.0)"),
        ),
        ("stride",),
        ("alpha",),
    ),
    Planted(
        "a kernel from its end and no bias",
        "pose",
        "heat",
        (
            Swap("op5_conv_3x3.frag", "getW(at.x, c, ky, kx);", "getW(at.x, c, 2 - ky, 2 - kx);"),
            Swap("op5_conv_3x3.frag", "float value = pick(texelFetch(B, ivec2(0), 0), at.x);", "float value = 0.0;"),
        ),
        ("kernel_flip",),
        ("bias_missing",),
    ),
)

HEALTHY = (
    Healthy(
        "lanes by a product with a mask",
        "pose",
        (
            Swap(
                "op1_conv_1x1.frag",
                """    switch (i) {
        case 0: return v.x;
        case 1: return v.y;
        case 2: return v.z;
        default: return v.w;
    }
""",
                "    return dot(v, vec4(equal(ivec4(i), ivec4(0, 1, 2, 3))));\n",
            ),
        ),
    ),
    Healthy(
        "both halves by one sign",
        "pose",
        (
            Swap(
                "op4_crelu.frag",
                "    if (i < count) {\n        return max(getFlat(i), 0.0);\n    }\n"
                "    return max(-getFlat(i - count), 0.0);\n",
                "    float sign_ = i < count ? 1.0 : -1.0;\n    return max(sign_ * getFlat(i % count), 0.0);\n",
            ),
        ),
    ),
    Healthy(
        "weights of a soft maximum from zero",
        "pose",
        (Swap("op6_soft_argmax.frag", "exp(getA(c, y, x) - top)", "exp(getA(c, y, x))"),),
    ),
)
