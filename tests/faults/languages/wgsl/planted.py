"""Plants bugs in WGSL."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

FAULTS: tuple[Planted, ...] = (
    Planted(
        "the filter's rows and columns exchanged",
        "conv",
        "y",
        (Swap("conv2d.wgsl", "wInChannel, wHeight, wWidth);", "wInChannel, wWidth, wHeight);"),),
        ("kernel_transpose",),
    ),
    Planted(
        "no padding",
        "conv",
        "y",
        (Swap("conv2d.wgsl", "* uniforms.strides - uniforms.pads;", "* uniforms.strides;"),),
        ("shift",),
    ),
    Planted(
        "no bias",
        "conv",
        "y",
        (Swap("conv2d.wgsl", "value = value + bias[output_channel];", "value = value;"),),
        ("bias_missing",),
    ),
    Planted(
        "the batch's number for the channel's bias",
        "conv",
        "y",
        (Swap("conv2d.wgsl", "bias[output_channel]", "bias[batch]"),),
        ("bias_offset", "index_map", "channel_permutation"),
    ),
    Planted(
        "the first input channel left out",
        "conv",
        "y",
        (Swap("conv2d.wgsl", "var wInChannel: u32 = 0u;", "var wInChannel: u32 = 1u;"),),
        ("missing_channels",),
    ),
    Planted(
        "no activation",
        "conv",
        "y",
        (Swap("conv2d.wgsl", "max(value, 0.0)", "value"),),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "rows of the picture as long as it is high",
        "depthwise",
        "y",
        (Swap("depthwise.wgsl", "shape.z * shape.w, shape.w, 1));", "shape.z * shape.w, shape.z, 1));"),),
        ("index_map", "wrong_layout"),
    ),
    Planted(
        "the last column of the filter left out",
        "depthwise",
        "y",
        (Swap("depthwise.wgsl", "wC < uniforms.filterWidth;", "wC < uniforms.filterWidth - 1;"),),
        ("missing_taps", "window_size"),
    ),
    Planted(
        "the filter by its width twice",
        "depthwise",
        "y",
        (Swap("depthwise.wgsl", "(channel * uniforms.filterHeight + wR)", "(channel * uniforms.filterWidth + wR)"),),
        ("index_map", "wrong_partner", "filter_io_swap", "wrong_layout"),
    ),
    Planted(
        "the bias of vectors not divided by four",
        "matmul",
        "y",
        (Swap("matmul.wgsl", "bias[globalCol / 4]", "bias[globalCol / 8]"),),
        ("bias_offset", "index_map", "channel_permutation"),
    ),
    Planted(
        "one tile too few",
        "matmul",
        "y",
        (Swap("matmul.wgsl", "(uniforms.dimInner - 1) / TILE + 1", "uniforms.dimInner / TILE"),),
        ("missing_channels",),
    ),
    Planted(
        "the result's rows as long as the inner dimension",
        "matmul",
        "y",
        (Swap("matmul.wgsl", "result[(row * uniforms.outShape[2] + ", "result[(row * (uniforms.dimInner + 5) + "),),
        ("index_map", "wrong_layout", "shift", "pack_padding"),
    ),
    Planted(
        "the mean's square left out of the variance",
        "layer_norm",
        "y",
        (Swap("layer_norm.wgsl", " - mean * mean + uniforms.epsilon", " + uniforms.epsilon"),),
        ("wrong_function", "wrong_statistics", "variance", "missing_term"),
    ),
    Planted(
        "the scale of the vector before",
        "layer_norm",
        "y",
        (Swap("layer_norm.wgsl", "vec4f(scale[j]);", "vec4f(scale[j - min(j, 1u)]);"),),
        ("index_map", "bias_offset", "wrong_partner", "shift"),
    ),
    Planted(
        "keys by the rows of queries",
        "attention",
        "scores",
        (Swap("attention.wgsl", "tileK[TILE * local_id.x + k];", "tileK[TILE * k + local_id.x];"),),
        ("index_map", "wrong_partner", "filter_io_swap", "kernel_transpose"),
    ),
    Planted(
        "values by their columns",
        "attention",
        "y",
        (
            Swap(
                "attention.wgsl", "* v[(head * uniforms.N + n) * uniforms.K", "* v[(head * uniforms.M + n) * uniforms.K"
            ),
        ),
        ("index_map", "wrong_partner", "wrong_layout"),
    ),
    Planted(
        "no scale of the scores",
        "attention",
        "scores",
        (Swap("attention.wgsl", "value * uniforms.alpha", "value"),),
        ("scale", "alpha", "missing_factor", "wrong_function", "missing_term"),
    ),
    Planted(
        "pixels at their corners",
        "resize",
        "y",
        (Swap("resize.wgsl", "vec2<f32>(uniforms.halfPixelCenters)) *", "vec2<f32>(0.0)) *"),),
        ("half_texel", "wrong_literal", "shift"),
    ),
    Planted(
        "rows and columns of the weights exchanged",
        "resize",
        "y",
        (Swap("resize.wgsl", "top + (bottom - top) * fracRC.x", "top + (bottom - top) * fracRC.y"),),
        ("wrong_partner", "index_map", "swizzle", "axis_swap"),
    ),
    Planted(
        "negative numbers counted from the wrong end",
        "gather",
        "y",
        (Swap("gather.wgsl", "idx = idx + uniforms.axisDimLimit;", "idx = idx + uniforms.axisDimLimit - 1;"),),
        ("index_map", "shift"),
    ),
    Planted(
        "the mean of the padded size",
        "reduce",
        "y",
        (Swap("reduce.wgsl", "bestValue / f32(uniforms.reduceSize)", "bestValue / 64.0"),),
        ("average_count", "scale", "wrong_literal"),
    ),
    Planted(
        "broadcast along the other axis",
        "binary",
        "y",
        (
            Swap(
                "binary.wgsl",
                "B[coords.y * uniforms.bShape.z + coords.z]",
                "B[coords.x * uniforms.bShape.z + coords.z]",
            ),
        ),
        ("index_map", "wrong_partner", "broadcast"),
    ),
)
