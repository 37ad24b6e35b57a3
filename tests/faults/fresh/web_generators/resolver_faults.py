"""Planted bugs, pairs of them and healthy variants of the pipeline `resolver`."""

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS = (
    Planted(
        "a number that lost its sign",
        "resolver",
        "feat",
        (Swap("00_feat.frag", "mat3x4(-0.821, 0.497,", "mat3x4(0.821, 0.497,"),),
        ("wrong_literal",),
    ),
    Planted(
        "the right tap reads at the left",
        "resolver",
        "feat",
        (
            Swap(
                "00_feat.frag",
                "-0.548, -0.277, 0.182, 0.257) * src(p + ivec2(1, 0));",
                "-0.548, -0.277, 0.182, 0.257) * src(p + ivec2(-1, 0));",
            ),
        ),
        ("wrong_partner", "index_map"),
    ),
    Planted(
        "a picture made linear first",
        "resolver",
        "feat",
        (Swap("00_feat.frag", "texelFetch(u_src, p, 0).rgb", "pow(texelFetch(u_src, p, 0).rgb, vec3(2.2))"),),
        ("srgb_encoded", "wrong_function", "activation_extra"),
    ),
    Planted(
        "colours as a canvas of another system has them",
        "resolver",
        "feat",
        (Swap("00_feat.frag", "texelFetch(u_src, p, 0).rgb", "texelFetch(u_src, p, 0).bgr"),),
        ("channel_permutation",),
    ),
    Planted(
        "a group that goes on into the next",
        "resolver",
        "dense1",
        (Swap("01_dense.frag", " && p.x < u_size.x && ", " && "),),
        ("tile_bleed", "padding_mode"),
    ),
    Planted(
        "taps exported column by column",
        "resolver",
        "dense1",
        (Swap("pipeline.toml", 'order = "ky, kx, i, o", width = 8', 'order = "kx, ky, i, o", width = 8'),),
        ("kernel_transpose", "wrong_layout"),
        in_text=False,
    ),
    Planted(
        "the second group reads where the first does",
        "resolver",
        "dense2",
        (Swap("02_dense.frag", "texelFetch(u_feat, q + ivec2(u_size.x, 0), 0)", "texelFetch(u_feat, q, 0)"),),
        ("index_map", "channel_permutation", "wrong_partner"),
    ),
    Planted(
        "weights of the group before",
        "resolver",
        "dense2",
        (Swap("02_dense.frag", "weights(8, k) * texelFetch(u_dense1", "weights(4, k) * texelFetch(u_dense1"),),
        ("filter_offset", "wrong_partner", "index_map"),
    ),
    Planted(
        "a slope above zero",
        "resolver",
        "dense2",
        (Swap("02_dense.frag", "mix(r, r * u_slope, lessThan", "mix(r, r * u_slope, greaterThan"),),
        ("wrong_function",),
    ),
    Planted(
        "a block at its full strength",
        "resolver",
        "fuse",
        (Swap("03_fuse.frag", "r * 0.4 + skip", "r + skip"),),
        ("scale",),
    ),
    Planted(
        "a case that falls through",
        "resolver",
        "fuse",
        (Swap("03_fuse.frag", "            break;\n        case 1:", "        case 1:"),),
        ("filter_offset", "bias_offset", "channel_permutation"),
    ),
    Planted(
        "a row of weights pasted over the next",
        "resolver",
        "fuse",
        (Swap("03_fuse.frag", "0.149, 0.744, 0.223, -0.267", "0.154, 0.165, 0.615, 0.185"),),
        ("wrong_literal",),
    ),
    Planted(
        "a vector on the other side of its matrix",
        "resolver",
        "fuse",
        (
            Swap("03_fuse.frag", "mat4(0.086, -0.147", "f1 * mat4(0.086, -0.147"),
            Swap("03_fuse.frag", "1.197, -1.123, -0.102, 0.199) * f1;", "1.197, -1.123, -0.102, 0.199);"),
        ),
        ("filter_io_swap", "wrong_partner", "index_map"),
    ),
    Planted(
        "three biases in a row of two",
        "resolver",
        "detail",
        (Swap("04_detail.frag", "ivec2(og % 2, og / 2)", "ivec2(og, 0)"),),
        ("bias_missing", "bias_offset"),
    ),
    Planted(
        "borders that go on",
        "resolver",
        "detail",
        (
            Swap(
                "04_detail.frag",
                "if (q != clamp(q, ivec2(0), u_size - 1)) continue;",
                "q = clamp(q, ivec2(0), u_size - 1);",
            ),
        ),
        ("padding_mode",),
    ),
    Planted(
        "blue for alpha in the last product",
        "resolver",
        "detail",
        (Swap("04_detail.frag", "ivec2(at + 3, og), 0) * v.a;", "ivec2(at + 3, og), 0) * v.b;"),),
        ("dropped_lane", "wrong_partner", "index_map"),
    ),
    Planted(
        "samplers as coarse as they may be",
        "resolver",
        "detail",
        (Swap("04_detail.frag", "precision highp sampler2D;", "precision lowp sampler2D;"),),
        ("half_precision", "precision"),
    ),
    Planted(
        "pixels of a block by columns",
        "resolver",
        "high",
        (Swap("05_shuffle.frag", "(p.y % 2) * 2 + p.x % 2", "(p.x % 2) * 2 + p.y % 2"),),
        ("transpose_xy", "channel_permutation", "index_map"),
    ),
    Planted(
        "an enlargement from corners",
        "resolver",
        "high",
        (Swap("05_shuffle.frag", "(vec2(p) + 0.5) * 0.5 - 0.5", "vec2(p) * 0.5"),),
        ("half_texel", "shift"),
    ),
    Planted(
        "a picture cut at black and white",
        "resolver",
        "high",
        (
            Swap(
                "05_shuffle.frag",
                "vec4(vec3(r[sub], g[sub], b[sub]) + bilinear(p), 1.0)",
                "vec4(clamp(vec3(r[sub], g[sub], b[sub]) + bilinear(p), 0.0, 1.0), 1.0)",
            ),
        ),
        ("clamped_0_1", "activation_extra"),
    ),
    Planted(
        "the lower row mixed by the wrong share",
        "resolver",
        "high",
        (Swap("05_shuffle.frag", "low(i + ivec2(1, 1)), f.x)", "low(i + ivec2(1, 1)), f.y)"),),
        ("wrong_partner", "index_map"),
    ),
)

PAIRS = (
    Planted(
        "no cut below zero and no products of the last lane",
        "resolver",
        "dense1",
        (
            Swap("01_dense.frag", "    r += b.w * texelFetch(u_w, ivec2(7, k), 0);\n", ""),
            Swap("01_dense.frag", "max(r, vec4(0.0))", "r"),
        ),
        ("missing_channels", "dropped_lane"),
        ("activation_missing",),
    ),
    Planted(
        "taps from above and biases of the first group",
        "resolver",
        "detail",
        (
            Swap("04_detail.frag", "ivec2(k % 3 - 1, k / 3 - 1)", "ivec2(k % 3 - 1, k / 3 - 2)"),
            Swap("04_detail.frag", "ivec2(og % 2, og / 2)", "ivec2(0, 0)"),
        ),
        ("shift",),
        ("bias_offset",),
    ),
    Planted(
        "a strength of a half and the skip of the first group",
        "resolver",
        "fuse",
        (
            Swap("03_fuse.frag", "r * 0.4 + skip", "r * 0.5 + skip"),
            Swap("03_fuse.frag", "vec4 skip = group == 0 ? f0 : f1;", "vec4 skip = f0;"),
        ),
        ("scale",),
        ("index_map", "channel_permutation", "wrong_input"),
    ),
)

HEALTHY = (
    Healthy(
        "a slope by the larger of two",
        "resolver",
        (Swap("02_dense.frag", "mix(r, r * u_slope, lessThan(r, vec4(0.0)))", "max(r, r * u_slope)"),),
    ),
    Healthy(
        "eight products as two matrices",
        "resolver",
        (
            Swap(
                "01_dense.frag",
                "    vec4 r = a.x * texelFetch(u_w, ivec2(0, k), 0);\n"
                "    r += a.y * texelFetch(u_w, ivec2(1, k), 0);\n"
                "    r += a.z * texelFetch(u_w, ivec2(2, k), 0);\n"
                "    r += a.w * texelFetch(u_w, ivec2(3, k), 0);\n",
                "    mat4 wa = mat4(texelFetch(u_w, ivec2(0, k), 0), texelFetch(u_w, ivec2(1, k), 0),\n"
                "                   texelFetch(u_w, ivec2(2, k), 0), texelFetch(u_w, ivec2(3, k), 0));\n"
                "    vec4 r = wa * a;\n",
            ),
        ),
    ),
    Healthy(
        "an enlargement from quarters",
        "resolver",
        (Swap("05_shuffle.frag", "(vec2(p) + 0.5) * 0.5 - 0.5", "vec2(p) * 0.5 - 0.25"),),
    ),
)
