"""Slips in convolutions, normalisations and pools: a network with channels last, and a decoder with channels first."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

_STEM = "stem"
_IN_TURN = "  result = result + getBias(d2);\n  result = activation(result);\n"
_CONVOLUTION = (
    Planted(
        "the fifth channel after the groups of four forgotten",
        "mobile",
        _STEM,
        (Swap("conv2d.frag", "      dotProd += getX(batch, xR, xC, 4) * getW(wR, wC, 4, d2);\n", ""),),
        ("missing_channels",),
    ),
    Planted(
        "a column of padding at the left, where SAME has it at the right",
        "mobile",
        _STEM,
        (Swap("conv2d.frag", "const ivec2 pads = ivec2(1, 0);", "const ivec2 pads = ivec2(1, 1);"),),
        ("shift", "index_map"),
    ),
    Planted(
        "the fused bias behind relu6",
        "mobile",
        _STEM,
        (
            Swap(
                "conv2d.frag",
                _IN_TURN,
                "  result = activation(result);\n  result = result + getBias(d2);\n",
            ),
        ),
        ("activation_before_bias", "wrong_function"),
    ),
    Planted(
        "strides of row and column of the filter exchanged",
        "mobile",
        _STEM,
        (Swap("conv2d.frag", "row * 105 + col * 35 + depth * 7", "row * 35 + col * 105 + depth * 7"),),
        ("kernel_transpose", "index_map", "wrong_layout"),
    ),
    Planted(
        "relu for relu6",
        "mobile",
        _STEM,
        (Swap("conv2d.frag", "return clamp(a, 0.0, 6.0);", "return max(a, 0.0);"),),
        ("wrong_function", "alpha"),
    ),
    Planted(
        "a channel copied twice into the group of four",
        "mobile",
        _STEM,
        (Swap("conv2d.frag", "          getX(batch, xR, xC, d1 + 2),", "          getX(batch, xR, xC, d1 + 1),"),),
        ("index_map", "wrong_partner", "channel_permutation", "missing_channels"),
    ),
    Planted(
        "the multiplier outermost in the depth",
        "mobile",
        "depth",
        (
            Swap("depthwise.frag", "int d1 = d2 / 2;", "int q = d2 / 7;"),
            Swap("depthwise.frag", "int q = d2 - d1 * 2;", "int d1 = d2 - q * 7;"),
        ),
        ("channel_permutation", "index_map", "group_ignored", "filter_offset", "wrong_layout"),
    ),
    Planted(
        "an input channel for every output",
        "mobile",
        "depth",
        (Swap("depthwise.frag", "getX(batch, xR, xC, d1)", "getX(batch, xR, xC, d2)"),),
        ("group_ignored", "index_map", "wrong_partner"),
    ),
    Planted(
        "the rates of row and column exchanged",
        "mobile",
        "depth",
        (Swap("depthwise.frag", "const ivec2 dilations = ivec2(2, 1);", "const ivec2 dilations = ivec2(1, 2);"),),
        ("dilation", "index_map"),
    ),
    Planted(
        "columns held below the number of rows",
        "mobile",
        "depth",
        (Swap("depthwise.frag", "xC >= inDims[1]", "xC >= inDims[0]"),),
        ("padding_mode", "tile_bleed"),
    ),
    Planted(
        "a target of halves",
        "mobile",
        "depth",
        (
            Swap(
                "pipeline.toml",
                'shader = "depthwise.frag"\n'
                'output = { shape = [1, 14, 7, 5], layout = { name = "tfjs_unpacked", order = "nhwc" } }',
                'shader = "depthwise.frag"\n'
                'output = { shape = [1, 14, 7, 5], layout = { name = "tfjs_unpacked", order = "nhwc" }, '
                'dtype = "float16" }',
            ),
        ),
        ("half_precision",),
        in_text=False,
    ),
)

_NORM = (
    Planted(
        "the epsilon of the variance beside its root",
        "mobile",
        "normed",
        (
            Swap(
                "batchnorm.frag",
                "scale * inversesqrt(variance + varianceEpsilon)",
                "scale / (sqrt(variance) + varianceEpsilon)",
            ),
        ),
        ("epsilon",),
    ),
    Planted(
        "mean and offset bound the other way round",
        "mobile",
        "normed",
        (
            Swap("pipeline.toml", 'textures.mean = { tensor = "mean"', 'textures.mean = { tensor = "beta"'),
            Swap("pipeline.toml", 'textures.offset = { tensor = "beta"', 'textures.offset = { tensor = "mean"'),
        ),
        ("wrong_input", "wrong_partner"),
        in_text=False,
    ),
    Planted(
        "the offset inside the brackets",
        "mobile",
        "normed",
        (Swap("batchnorm.frag", "(x - mean) * inv + offset", "(x - mean + offset) * inv"),),
        ("wrong_partner",),
    ),
    Planted(
        "the slope itself for negative values",
        "mobile",
        "normed",
        (Swap("batchnorm.frag", "y < 0.0 ? alpha * y : y", "y < 0.0 ? alpha : y"),),
        ("wrong_function",),
    ),
    Planted(
        "a bit of the window counted before it is known to be inside",
        "mobile",
        "pooled",
        (
            Swap("avgpool.frag", "  if (xC < 0 || xC >= 5) {", "  count += 1.0;\n  if (xC < 0 || xC >= 5) {"),
            Swap("avgpool.frag", "  }\n  count += 1.0;\n  return getX", "  }\n  return getX"),
        ),
        ("average_count",),
    ),
    Planted(
        "one column of the window twice",
        "mobile",
        "pooled",
        (Swap("avgpool.frag", "getValue(batch, xR, xCCorner + 1, d)", "getValue(batch, xR, xCCorner, d)"),),
        ("double_counted", "missing_taps", "index_map"),
    ),
    Planted(
        "a window that goes down by one",
        "mobile",
        "pooled",
        (Swap("avgpool.frag", "const ivec2 strides = ivec2(2, 1);", "const ivec2 strides = ivec2(1, 1);"),),
        ("stride", "index_map"),
    ),
)

_UP = (
    Planted(
        "rows of the filter not turned around",
        "decoder",
        "up",
        (Swap("conv_transpose.frag", "int wRPerm = wShape[2] - 1 - wR;", "int wRPerm = wR;"),),
        ("kernel_flip", "index_map"),
    ),
    Planted(
        "the filter indexed as that of a convolution",
        "decoder",
        "up",
        (Swap("conv_transpose.frag", "getW(d2, d1, wRPerm, wCPerm)", "getW(d1, d2, wRPerm, wCPerm)"),),
        ("filter_io_swap", "index_map", "wrong_layout"),
    ),
    Planted(
        "the padding of the forward pass",
        "decoder",
        "up",
        (Swap("conv_transpose.frag", "ivec2 pads = wShape.zw - 1 - padBefore;", "ivec2 pads = padBefore;"),),
        ("shift", "index_map"),
    ),
    Planted(
        "columns between two inputs not skipped",
        "decoder",
        "up",
        (Swap("conv_transpose.frag", " || fract(dyC) > 0.0", ""),),
        ("extra_channels", "wrong_partner", "index_map"),
    ),
)

_LATER = (
    Planted(
        "alpha not shared out over the window",
        "decoder",
        "response",
        (Swap("lrn.frag", "alpha / window * sumOfSquares(at)", "alpha * sumOfSquares(at)"),),
        ("average_count", "scale", "alpha", "wrong_function"),
    ),
    Planted(
        "a root for the power",
        "decoder",
        "response",
        (Swap("lrn.frag", "val * pow(denominator, -beta)", "val * inversesqrt(denominator)"),),
        ("wrong_function", "alpha"),
    ),
    Planted(
        "a window without its last channel",
        "decoder",
        "response",
        (Swap("lrn.frag", "j <= radius", "j < radius"),),
        ("missing_channels", "missing_taps"),
    ),
    Planted(
        "a sum of values where squares are summed",
        "decoder",
        "response",
        (Swap("lrn.frag", "sum += z * z;", "sum += z;"),),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "the spread of a sample",
        "decoder",
        "styled",
        (
            Swap(
                "instance_prelu.frag",
                "sum += away * away;\n        }\n    }\n    return sum / float(xShape.z * xShape.w);",
                "sum += away * away;\n        }\n    }\n    return sum / float(xShape.z * xShape.w - 1);",
            ),
        ),
        ("average_count", "scale"),
    ),
    Planted(
        "the mean of as many rows as there are columns",
        "decoder",
        "styled",
        (
            Swap(
                "instance_prelu.frag",
                "for (int r = 0; r < xShape.z; r++) {\n        for (int c = 0; c < xShape.w; c++) {\n"
                "            sum += getX",
                "for (int r = 0; r < xShape.w; r++) {\n        for (int c = 0; c < xShape.w; c++) {\n"
                "            sum += getX",
            ),
        ),
        ("missing_channels", "missing_taps"),
    ),
    Planted(
        "the first slope for every channel",
        "decoder",
        "styled",
        (Swap("instance_prelu.frag", "texelFetch(slopes, ivec2(0, at.y), 0)", "texelFetch(slopes, ivec2(0, 0), 0)"),),
        ("index_map", "alpha", "channel_permutation", "wrong_partner"),
    ),
    Planted(
        "the epsilon of another framework",
        "decoder",
        "styled",
        (Swap("pipeline.toml", "uniforms.epsilon = 0.01", "uniforms.epsilon = 0.00001"),),
        ("epsilon",),
        in_text=False,
    ),
    Planted(
        "the sum of exponentials without its logarithm",
        "decoder",
        "levels",
        (Swap("log_softmax.frag", "- most - log(total)", "- most - total"),),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "exponentials summed from the second channel, as the largest was looked for",
        "decoder",
        "levels",
        (
            Swap(
                "log_softmax.frag",
                "for (int c = 0; c < xShape.y; c++) {",
                "for (int c = 1; c < xShape.y; c++) {",
            ),
        ),
        ("missing_channels",),
    ),
    Planted(
        "exponentials of the first picture of the batch",
        "decoder",
        "levels",
        (Swap("log_softmax.frag", "sum += exp(getX(at.x, c,", "sum += exp(getX(0, c,"),),
        ("index_map",),
    ),
)

FAULTS = (*_CONVOLUTION, *_NORM, *_UP, *_LATER)
