"""Plants bugs in a bottleneck of plain programs, a packed head and a decoder."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_STEM = "conv2d.frag"
_UP = "conv2d_backprop.frag"

FAULTS = (
    Planted(
        "bias at the column",
        "bottleneck",
        "stem",
        (Swap(_STEM, "return getBias(coords.w);", "return getBias(coords.z);"),),
        ("bias_offset", "index_map"),
    ),
    Planted(
        "asymmetric padding on the other axis",
        "bottleneck",
        "stem",
        (Swap(_STEM, "pads = ivec2(0, 1);", "pads = ivec2(1, 0);"),),
        ("shift",),
    ),
    Planted(
        "relu6 without its six",
        "bottleneck",
        "stem",
        (Swap(_STEM, "return min(max(x, 0.0), 6.0);", "return max(x, 0.0);"),),
        ("alpha", "activation_missing", "wrong_function"),
    ),
    Planted(
        "multiplier's rest for the channel",
        "bottleneck",
        "dw",
        (Swap("depthwise.frag", "getX(batch, xR, xC, d1);", "getX(batch, xR, xC, q);"),),
        ("group_ignored",),
    ),
    Planted(
        "columns one too far",
        "bottleneck",
        "dw",
        (Swap("depthwise.frag", "xC >= 7", "xC > 7"),),
        ("tile_bleed", "padding_mode", "index_map"),
    ),
    Planted(
        "rest of the channels crosswise",
        "bottleneck",
        "project",
        (
            Swap(
                "project.frag",
                "vec2(getW(0, 0, 4, d2), getW(0, 0, 5, d2))",
                "vec2(getW(0, 0, 5, d2), getW(0, 0, 4, d2))",
            ),
        ),
        ("wrong_partner", "filter_offset"),
    ),
    Planted(
        "pointwise weights in another order",
        "bottleneck",
        "project",
        (
            Swap(
                "pipeline.toml",
                'tensor = "k3", layout = { name = "tfjs_unpacked", order = "hwio" }',
                'tensor = "k3", layout = { name = "tfjs_unpacked", order = "nhwc" }',
            ),
        ),
        ("filter_io_swap", "wrong_layout"),
        in_text=False,
    ),
    Planted(
        "residual from one pass too late",
        "bottleneck",
        "y",
        (Swap("pipeline.toml", 'textures.B = "stem"', 'textures.B = "dw"'),),
        ("wrong_input",),
        in_text=False,
    ),
    Planted(
        "residual lying down",
        "bottleneck",
        "y",
        (
            Swap(
                "add.frag",
                "getB(coords.x, coords.y, coords.z, coords.w)",
                "getB(coords.x, coords.z, coords.y, coords.w)",
            ),
        ),
        ("transpose_xy", "index_map"),
    ),
    Planted(
        "bias for the upper rows alone",
        "packed_head",
        "hidden",
        (Swap("dense_elu.frag", "result + getBias(0, rc.y).rgrg;", "result + getBias(0, rc.y);"),),
        ("bias_missing", "bias_offset"),
    ),
    Planted(
        "last lane as it is",
        "packed_head",
        "hidden",
        (Swap("dense_elu.frag", "result.a = elu(x.a);", "result.a = x.a;"),),
        ("wrong_function", "activation_missing"),
    ),
    Planted(
        "second row of the block by columns",
        "packed_head",
        "hidden",
        (Swap("dense_elu.frag", "(a.ggaa * b.baba)", "(a.ggaa * b.bbaa)"),),
        ("wrong_partner", "index_map"),
    ),
    Planted(
        "half of the inner dimension less one",
        "packed_head",
        "logits",
        (Swap("dense.frag", "i < 5;", "i < 10 / 2 - 1;"),),
        ("missing_channels",),
    ),
    Planted(
        "largest of the upper row for both",
        "packed_head",
        "powers",
        (Swap("sub_exp.frag", "vec4(outputValue.rr, outputValue.bb)", "vec4(outputValue.r)"),),
        ("wrong_partner", "index_map"),
    ),
    Planted(
        "empty lane summed in lower rows",
        "packed_head",
        "total",
        (Swap("row_sum.frag", "total.y += values.b + (hasNext ? values.a : 0.0);", "total.y += values.b + values.a;"),),
        ("extra_channels",),
    ),
    Planted(
        "mask of the odd column by the rows",
        "packed_head",
        "y",
        (Swap("divide.frag", "if (rc.y + 1 >= 7) {", "if (rc.y + 1 >= 5) {"),),
        ("wrong_function",),
    ),
    Planted(
        "corners for centres",
        "decoder",
        "larger",
        (
            Swap(
                "resize.frag",
                "(vec2(yRC) + vec2(0.5)) * effectiveInputOverOutputRatioRC - vec2(0.5);",
                "vec2(yRC) * effectiveInputOverOutputRatioRC;",
            ),
        ),
        ("half_texel", "shift"),
    ),
    Planted(
        "one fraction for both axes",
        "decoder",
        "larger",
        (Swap("resize.frag", "(bottom - top) * fracRC.x;", "(bottom - top) * fracRC.y;"),),
        ("wrong_partner", "wrong_function"),
    ),
    Planted(
        "four more after the four",
        "decoder",
        "features",
        (Swap("conv2d.frag", "for (int d1 = 0; d1 < 4; d1 += 4) {", "for (int d1 = 0; d1 <= 4; d1 += 4) {"),),
        ("extra_channels", "double_counted"),
    ),
    Planted(
        "no row after one outside",
        "decoder",
        "features",
        (Swap("conv2d.frag", "xR >= 10) {\n      continue;", "xR >= 10) {\n      break;"),),
        ("missing_taps", "wrong_function"),
    ),
    Planted(
        "blocks of depth by columns",
        "decoder",
        "spread",
        (Swap("depth_to_space.frag", "(offset_h * 2 + offset_w)", "(offset_w * 2 + offset_h)"),),
        ("channel_permutation", "index_map", "transpose_xy"),
    ),
    Planted(
        "rows of the kernel not turned",
        "decoder",
        "y",
        (Swap(_UP, "int wRPerm = 4 - 1 - wR;", "int wRPerm = wR;"),),
        ("kernel_flip",),
    ),
    Planted(
        "halves taken too",
        "decoder",
        "y",
        (Swap(_UP, "dyC >= 24.0 || fract(dyC) > 0.0) {", "dyC >= 24.0) {"),),
        ("double_counted", "extra_channels", "wrong_partner"),
    ),
    Planted(
        "the other end of the sigmoid",
        "decoder",
        "y",
        (Swap(_UP, "exp(-1.0 * result)", "exp(1.0 * result)"),),
        ("wrong_function", "affine", "scale"),
    ),
)

PAIRS = (
    Planted(
        "bias at the row and no six",
        "bottleneck",
        "stem",
        (
            Swap(_STEM, "return getBias(coords.w);", "return getBias(coords.y);"),
            Swap(_STEM, "return min(max(x, 0.0), 6.0);", "return max(x, 0.0);"),
        ),
        ("bias_offset", "index_map"),
        ("alpha", "activation_missing", "wrong_function"),
    ),
    Planted(
        "slope and the last channel",
        "decoder",
        "features",
        (
            Swap("conv2d.frag", "0.2 * a;", "0.02 * a;"),
            Swap("conv2d.frag", "      dotProd += getX(batch, xR, xC, 4) * getW(wR, wC, 4, d2);\n", ""),
        ),
        ("alpha", "wrong_function"),
        ("missing_channels",),
    ),
    Planted(
        "padding and the bias",
        "decoder",
        "y",
        (
            Swap(_UP, "pads = ivec2(2, 2);", "pads = ivec2(1, 2);"),
            Swap(_UP, "dotProd + getBias(d1);", "dotProd;"),
        ),
        ("shift",),
        ("bias_missing",),
    ),
)

HEALTHY = (
    Healthy(
        "taps from the last",
        "bottleneck",
        (
            Swap(_STEM, "for (int wR = 0; wR < 3; wR++) {", "for (int wR = 2; wR >= 0; --wR) {"),
            Swap(_STEM, "dotProd += dot(xValues, wValues);", "dotProd = dotProd + dot(wValues.zyx, xValues.zyx);"),
        ),
    ),
    Healthy(
        "products as fma",
        "bottleneck",
        (
            Swap("project.frag", "#version 300 es", "#version 320 es"),
            Swap(
                "project.frag",
                "dotProd += dot(xRest, wRest);",
                "dotProd = fma(xRest.x, wRest.x, fma(xRest.y, wRest.y, dotProd));",
            ),
        ),
    ),
    Healthy(
        "the sigmoid as a hyperbolic tangent",
        "decoder",
        (Swap(_UP, "setOutput(1.0 / (1.0 + exp(-1.0 * result)));", "setOutput(0.5 * tanh(0.5 * result) + 0.5);"),),
    ),
    Healthy(
        "powers of two",
        "packed_head",
        (Swap("sub_exp.frag", "setOutput(exp(a - b));", "setOutput(exp2((a - b) * 1.4426950408889634));"),),
    ),
)
