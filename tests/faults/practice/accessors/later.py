"""Plants further bugs in plain and packed programs with accessors."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

FAULTS: tuple[Planted, ...] = (
    Planted(
        "second addend by the texture of the first",
        "bottleneck",
        "y",
        (Swap("add.frag", "vec2 uv = uvFromFlat(16, 21, index);", "vec2 uv = uvFromFlat(24, 14, index);"),),
        (
            "index_map",
            "wrong_layout",
        ),
    ),
    Planted(
        "rows tested against the width",
        "bottleneck",
        "stem",
        (Swap("conv2d.frag", "if (xR < 0 || xR >= 16) {", "if (xR < 0 || xR >= 13) {"),),
        (
            "missing_taps",
            "padding_mode",
        ),
    ),
    Planted(
        "second channel read for the third",
        "bottleneck",
        "stem",
        (Swap("conv2d.frag", "getX(batch, xR, xC, 2)", "getX(batch, xR, xC, 1)"),),
        (
            "index_map",
            "wrong_partner",
        ),
    ),
    Planted(
        "depthwise kernel by columns",
        "bottleneck",
        "dw",
        (Swap("depthwise.frag", "int index = b * 18 + r * 6 + c * 6 + d;", "int index = b * 6 + r * 18 + c * 6 + d;"),),
        (
            "kernel_transpose",
            "index_map",
        ),
    ),
    Planted(
        "whole groups run into the rest",
        "bottleneck",
        "project",
        (Swap("project.frag", "d1 < 4; d1 += 4", "d1 < 6; d1 += 4"),),
        (
            "double_counted",
            "extra_channels",
        ),
    ),
    Planted(
        "slope above zero",
        "decoder",
        "features",
        (Swap("conv2d.frag", "return (a > 0.0) ? a : 0.2 * a;", "return (a > 0.0) ? 0.2 * a : a;"),),
        ("wrong_function",),
    ),
    Planted(
        "last channel with the weight before",
        "decoder",
        "features",
        (
            Swap(
                "conv2d.frag",
                "getX(batch, xR, xC, 4) * getW(wR, wC, 4, d2)",
                "getX(batch, xR, xC, 4) * getW(wR, wC, 3, d2)",
            ),
        ),
        (
            "wrong_partner",
            "filter_offset",
            "index_map",
        ),
    ),
    Planted(
        "blocks outermost in the channels",
        "decoder",
        "spread",
        (
            Swap(
                "depth_to_space.frag",
                "int offset_d = (offset_h * 2 + offset_w) * getOutputDepthSize();",
                "int offset_d = offset_h * 2 + offset_w;",
            ),
            Swap("depth_to_space.frag", "int in_d = d + offset_d;", "int in_d = d * 4 + offset_d;"),
        ),
        (
            "channel_permutation",
            "index_map",
        ),
    ),
    Planted(
        "rows between two steps taken",
        "decoder",
        "y",
        (
            Swap(
                "conv2d_backprop.frag",
                "if (dyR < 0.0 || dyR >= 20.0 || fract(dyR) > 0.0) {",
                "if (dyR < 0.0 || dyR >= 20.0) {",
            ),
        ),
        ("stride",),
    ),
    Planted(
        "sigmoid of the bare sum",
        "decoder",
        "y",
        (Swap("conv2d_backprop.frag", "exp(-1.0 * result)", "exp(-1.0 * dotProd)"),),
        (
            "bias_missing",
            "wrong_partner",
        ),
    ),
    Planted(
        "variance around zero",
        "layer_norm",
        "variance",
        (Swap("variance.frag", "float centred = getX(row, i) - mean;", "float centred = getX(row, i);"),),
        ("bias_missing",),
    ),
    Planted(
        "epsilon on the inverse root",
        "layer_norm",
        "normed",
        (
            Swap(
                "normalise.frag",
                "centred * inversesqrt(getVariance(row, 0) + epsilon)",
                "centred * (inversesqrt(getVariance(row, 0)) + epsilon)",
            ),
        ),
        ("epsilon",),
    ),
    Planted(
        "selu's alpha without its scale",
        "layer_norm",
        "y",
        (Swap("dense_selu.frag", "scaleAlpha = 1.7580993408473768;", "scaleAlpha = 1.6732632423543772;"),),
        (
            "alpha",
            "wrong_literal",
        ),
    ),
    Planted(
        "rows taken two apart",
        "moving",
        "picked",
        (Swap("strided_slice.frag", "ivec4(1, -3, 2, 1)", "ivec4(1, -2, 2, 1)"),),
        (
            "stride",
            "index_map",
        ),
    ),
    Planted(
        "rows of the frame as long as before it",
        "moving",
        "turned",
        (Swap("transpose.frag", "b * 432 + r * 48 + c * 4 + d", "b * 432 + r * 36 + c * 4 + d"),),
        ("index_map",),
    ),
    Planted(
        "lower row's bias from the padding",
        "packed_head",
        "logits",
        (Swap("dense.frag", "vec4(addend.rg, addend.rg)", "vec4(addend.rg, addend.ba)"),),
        (
            "bias_missing",
            "bias_offset",
            "index_map",
        ),
    ),
    Planted(
        "largest taken off after the power",
        "packed_head",
        "powers",
        (Swap("sub_exp.frag", "setOutput(exp(a - b));", "setOutput(exp(a) - b);"),),
        (
            "activation_before_bias",
            "wrong_function",
        ),
    ),
    Planted(
        "an eighth column counted",
        "packed_head",
        "total",
        (Swap("row_sum.frag", "bool hasNext = col + 1 < 7;", "bool hasNext = col + 1 <= 7;"),),
        ("extra_channels",),
    ),
    Planted(
        "product for quotient",
        "packed_head",
        "y",
        (Swap("divide.frag", "vec4 result = a / b;", "vec4 result = a * b;"),),
        ("wrong_function",),
    ),
    Planted(
        "mean and offset exchanged",
        "pools",
        "normed",
        (Swap("batch_norm.frag", "setOutput((x - mean) * inv + offset);", "setOutput((x - offset) * inv + mean);"),),
        (
            "wrong_partner",
            "wrong_input",
        ),
    ),
    Planted(
        "bent below the slope",
        "pools",
        "bent",
        (Swap("prelu.frag", "return (a < 0.) ? b * a : a;", "return (a < b) ? b * a : a;"),),
        (
            "wrong_function",
            "wrong_partner",
        ),
    ),
    Planted(
        "second half turned",
        "pools",
        "y",
        (Swap("concat.frag", "setOutput(getT1(b, r, c, d - 5));", "setOutput(getT1(b, c, r, d - 5));"),),
        (
            "transpose_xy",
            "index_map",
        ),
    ),
    Planted(
        "shares of rows and columns exchanged",
        "decoder",
        "larger",
        (
            Swap("resize.frag", "(topRight - topLeft) * fracRC.y", "(topRight - topLeft) * fracRC.x"),
            Swap("resize.frag", "(bottomRight - bottomLeft) * fracRC.y", "(bottomRight - bottomLeft) * fracRC.x"),
            Swap("resize.frag", "(bottom - top) * fracRC.x", "(bottom - top) * fracRC.y"),
        ),
        (
            "wrong_partner",
            "index_map",
        ),
    ),
    Planted(
        "column by the number of the row of taps",
        "pools",
        "means",
        (Swap("avg_pool.frag", "int xC = coords[2] + wC;", "int xC = coords[2] + wR;"),),
        (
            "index_map",
            "missing_taps",
            "double_counted",
        ),
    ),
)
