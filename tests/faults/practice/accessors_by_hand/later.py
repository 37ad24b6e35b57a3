"""Plants further bugs in programs by hand, of flat buffers, generated and packed."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

FAULTS: tuple[Planted, ...] = (
    Planted(
        "second part's channels less its own count",
        "by_hand",
        "joined",
        (Swap("concat.frag", "p.x, p.y, p.z - A.z)", "p.x, p.y, p.z - B.z)"),),
        (
            "index_map",
            "channel_permutation",
        ),
    ),
    Planted(
        "largest of three",
        "by_hand",
        "pooled",
        (Swap("max_pool.frag", "    best = max(best, X(h + 1, w, p.z));\n", ""),),
        ("missing_taps",),
    ),
    Planted(
        "divided by the height, times the width",
        "by_hand",
        "gated",
        (Swap("gate.frag", "return total / float(DIMS.x * DIMS.y);", "return total / float(DIMS.x) * float(DIMS.y);"),),
        (
            "average_count",
            "scale",
        ),
    ),
    Planted(
        "distances of taps exchanged",
        "flat_buffers",
        "spread",
        (
            Swap(
                "dilated_depthwise.frag",
                "y + (i - 1) * DILATION_Y, x + (j - 1) * DILATION_X)",
                "y + (i - 1) * DILATION_X, x + (j - 1) * DILATION_Y)",
            ),
        ),
        (
            "dilation",
            "index_map",
        ),
    ),
    Planted(
        "border one row late",
        "flat_buffers",
        "spread",
        (Swap("dilated_depthwise.frag", "y >= S.h", "y > S.h"),),
        (
            "tile_bleed",
            "padding_mode",
            "index_map",
        ),
    ),
    Planted(
        "lanes from the last",
        "flat_buffers",
        "unshuffled",
        (Swap("flat.glsl", "return four[i % 4];", "return four[3 - i % 4];"),),
        ("index_map",),
    ),
    Planted(
        "last channel's kernel turned",
        "generated_cnn",
        "conv1",
        (Swap("conv2d.frag", "getW(wR, wC, 4 + 1, d2)", "getW(wC, wR, 4 + 1, d2)"),),
        (
            "kernel_transpose",
            "index_map",
            "wrong_partner",
        ),
    ),
    Planted(
        "each row of taps anew",
        "generated_cnn",
        "depthwise",
        (
            Swap(
                "depthwise_conv2d.frag",
                "for (int wR = 0; wR < 3; wR++) {\n",
                "for (int wR = 0; wR < 3; wR++) {\n    dotProd = 0.0;\n",
            ),
        ),
        ("missing_taps",),
    ),
    Planted(
        "padding before the strides",
        "generated_cnn",
        "depthwise",
        (Swap("depthwise_conv2d.frag", "coords.yz * strides - pads", "(coords.yz - pads) * strides"),),
        (
            "shift",
            "index_map",
        ),
    ),
    Planted(
        "picture flattened by columns",
        "generated_cnn",
        "dense",
        (Swap("dense.frag", "int h = k / 2;\n  int w = k - h * 2;", "int w = k / 3;\n  int h = k - w * 3;"),),
        (
            "transpose_xy",
            "index_map",
        ),
    ),
    Planted(
        "slope where nothing is below zero",
        "packed_dense",
        "mat_mul",
        (Swap("mat_mul_packed.frag", "vec4(lessThan(x, vec4(0.)))", "vec4(greaterThan(x, vec4(0.)))"),),
        ("wrong_function",),
    ),
    Planted(
        "half of an odd dimension cut off",
        "packed_dense",
        "mat_mul",
        (
            Swap(
                "mat_mul_packed.frag", "const float sharedDimension = 4.0;", "const float sharedDimension = 7.0 / 2.0;"
            ),
        ),
        ("missing_channels",),
    ),
    Planted(
        "upper row's mean for both",
        "packed_dense",
        "centred",
        (Swap("centre_rows.frag", "getMean(r + 1)", "getMean(r)"),),
        (
            "wrong_partner",
            "index_map",
        ),
    ),
    Planted(
        "inside unless above and left",
        "packed_dense",
        "padded",
        (Swap("pad_packed.frag", "any(lessThan(rc, start))", "all(lessThan(rc, start))"),),
        (
            "padding_mode",
            "tile_bleed",
            "index_map",
        ),
    ),
    Planted(
        "filters' blocks three high",
        "by_hand",
        "convolved",
        (Swap("conv_reflect.frag", "ivec2(3 * KS, 2 * KS)", "ivec2(2 * KS, 3 * KS)"),),
        (
            "filter_offset",
            "index_map",
        ),
    ),
    Planted(
        "quotient before the sum",
        "by_hand",
        "gated",
        (Swap("gate.frag", "return 1.0 / (1.0 + exp(-v));", "return 1.0 / 1.0 + exp(-v);"),),
        ("wrong_function",),
    ),
    Planted(
        "rows of a block far apart",
        "flat_buffers",
        "unshuffled",
        (Swap("space_to_depth.frag", "y * BLOCK + dy", "y + dy * DST.h"),),
        (
            "stride",
            "index_map",
        ),
    ),
    Planted(
        "columns rounded for cut",
        "flat_buffers",
        "enlarged",
        (Swap("upsample.frag", "x / 3)", "int(round(float(x) / 3.0)))"),),
        (
            "wrong_function",
            "index_map",
            "half_texel",
        ),
    ),
    Planted(
        "cap before the bias",
        "generated_cnn",
        "conv1",
        (
            Swap(
                "conv2d.frag",
                "  result = result + getBias(d2);\n  result = activation(result);",
                "  result = activation(result);\n  result = result + getBias(d2);",
            ),
        ),
        (
            "activation_before_bias",
            "wrong_function",
        ),
    ),
    Planted(
        "lower right from its left",
        "packed_dense",
        "transposed",
        (
            Swap(
                "transpose_packed.frag",
                "result[3] = getA(rc.y, rc.z, rc.x);",
                "result[3] = getA(rc.y, rc.z - 1, rc.x);",
            ),
        ),
        (
            "shift",
            "index_map",
        ),
    ),
    Planted(
        "end itself taken for inside",
        "packed_dense",
        "padded",
        (Swap("pad_packed.frag", "greaterThanEqual(rc, end)", "greaterThan(rc, end)"),),
        (
            "tile_bleed",
            "padding_mode",
            "index_map",
        ),
    ),
    Planted(
        "sum begun with its first term",
        "packed_dense",
        "centred",
        (Swap("centre_rows.frag", "float sum = 0.0;", "float sum = getX(row, 0);"),),
        ("double_counted",),
    ),
)
