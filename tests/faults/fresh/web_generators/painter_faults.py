"""Planted bugs, pairs of them and healthy variants of the pipeline `painter`."""

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS = (
    Planted(
        "a lane by column and row",
        "painter",
        "down1",
        (Swap("conv2d_packed.frag", "texelRow), 0), vec2(row, col))", "texelRow), 0), vec2(col, row))"),),
        ("transpose_xy", "wrong_layout", "index_map"),
    ),
    Planted(
        "nobody sets the slope",
        "painter",
        "down1",
        (Swap("pipeline.toml", "uniforms.alpha = 0.2\n", ""),),
        ("unset_uniform", "alpha"),
        in_text=False,
    ),
    Planted(
        "channels a whole height apart",
        "painter",
        "down1",
        (Swap("conv2d_packed.frag", "d * ((xShape.y + 1) / 2) + row / 2", "d * xShape.y + row / 2"),),
        ("index_map", "pack_padding", "wrong_layout"),
    ),
    Planted(
        "four results in the order of columns",
        "painter",
        "down2",
        (Swap("conv2d_bn.frag", "compute(d2, row + i / 2, col + i % 2)", "compute(d2, row + i % 2, col + i / 2)"),),
        ("transpose_xy", "wrong_layout", "index_map"),
    ),
    Planted(
        "an odd height halved downwards",
        "painter",
        "down2",
        (Swap("conv2d_bn.frag", "int rowsPerChannel = (outShape.y + 1) / 2;", "int rowsPerChannel = outShape.y / 2;"),),
        ("pack_padding", "index_map", "wrong_layout"),
    ),
    Planted(
        "divided by the variance",
        "painter",
        "down2",
        (
            Swap(
                "conv2d_bn.frag",
                "at(scale, d2) * inversesqrt(at(variance, d2) + varianceEpsilon)",
                "at(scale, d2) / (at(variance, d2) + varianceEpsilon)",
            ),
        ),
        ("wrong_function", "scale"),
    ),
    Planted(
        "the small constant of another framework",
        "painter",
        "down2",
        (Swap("pipeline.toml", "varianceEpsilon = 0.001", "varianceEpsilon = 0.01"),),
        ("epsilon",),
        in_text=False,
    ),
    Planted(
        "a transposed layer that gathers like a plain one",
        "painter",
        "up1",
        (
            Swap("conv2d_transpose.frag", "row + pad - wR", "row - pad + wR"),
            Swap("conv2d_transpose.frag", "col + pad - wC", "col - pad + wC"),
        ),
        ("kernel_flip", "shift", "index_map"),
    ),
    Planted(
        "odd rows meet their taps as well",
        "painter",
        "up1",
        (Swap("conv2d_transpose.frag", "if (dyR < 0 || dyR % 2 != 0 || ", "if (dyR < 0 || "),),
        ("double_counted", "index_map"),
    ),
    Planted(
        "blocks one row apart",
        "painter",
        "up1",
        (Swap("conv2d_transpose.frag", "int row = (texel.y % 5) * 2;", "int row = texel.y % 5;"),),
        ("stride", "index_map"),
    ),
    Planted(
        "the halves of a skip exchanged",
        "painter",
        "skip",
        (
            Swap(
                "pipeline.toml",
                'textures.A = "up1"\ntextures.B = "down1"\n',
                'textures.A = "down1"\ntextures.B = "up1"\n',
            ),
        ),
        ("wrong_input", "channel_permutation"),
        in_text=False,
    ),
    Planted(
        "a first half of four channels",
        "painter",
        "skip",
        (Swap("pipeline.toml", "uniforms.rowsOfA = 25\n", "uniforms.rowsOfA = 20\n"),),
        ("channel_permutation", "index_map"),
        in_text=False,
    ),
    Planted(
        "a skip cut at zero",
        "painter",
        "skip",
        (
            Swap(
                "concat.frag",
                "texelFetch(B, ivec2(col, row - rowsOfA), 0);",
                "max(texelFetch(B, ivec2(col, row - rowsOfA), 0), 0.);",
            ),
        ),
        ("activation_extra",),
    ),
    Planted(
        "weights of the other phase",
        "painter",
        "up2",
        (Swap("transpose_tanh.frag", "1 - phaseR + 2 * i, 1 - phaseC + 2 * j", "phaseR + 2 * i, phaseC + 2 * j"),),
        ("wrong_partner", "index_map"),
    ),
    Planted(
        "a bias behind the tangent",
        "painter",
        "up2",
        (
            Swap(
                "transpose_tanh.frag",
                "tanh(sums + texelFetch(bias, ivec2(d2, 0), 0).r)",
                "tanh(sums) + texelFetch(bias, ivec2(d2, 0), 0).r",
            ),
        ),
        ("activation_before_bias",),
    ),
    Planted(
        "colours from zero to one",
        "painter",
        "up2",
        (
            Swap(
                "transpose_tanh.frag",
                "tanh(sums + texelFetch(bias, ivec2(d2, 0), 0).r)",
                "tanh(sums + texelFetch(bias, ivec2(d2, 0), 0).r) * 0.5 + 0.5",
            ),
        ),
        ("affine",),
    ),
    Planted(
        "a guard at the last block of a row",
        "painter",
        "up2",
        (
            Swap(
                "transpose_tanh.frag",
                "    int col = texel.x;\n",
                "    int col = texel.x;\n    if (col >= IN_W - 1) discard;\n",
            ),
        ),
        ("unwritten_texels",),
    ),
    Planted(
        "a mask for every channel",
        "painter",
        "blend",
        (Swap("blend.frag", "texelFetch(mask, ivec2(at.x, row), 0)", "texelFetch(mask, at, 0)"),),
        ("index_map", "extra_channels"),
    ),
    Planted(
        "paint in steps of a byte",
        "painter",
        "blend",
        (
            Swap(
                "blend.frag",
                "float inside = texelFetch(painted, texel, 0)[lane];",
                "float inside = floor(texelFetch(painted, texel, 0)[lane] * 255. + .5) / 255.;",
            ),
        ),
        ("quantized_8bit",),
    ),
    Planted(
        "paint of the frame before",
        "painter",
        "blend",
        (Swap("pipeline.toml", 'textures.painted = "up2"', 'textures.painted = { previous = "up2" }'),),
        ("stale_tensor", "wrong_input"),
        in_text=False,
    ),
    Planted(
        "a sketch in linear light",
        "painter",
        "blend",
        (
            Swap(
                "blend.frag",
                "float outside = texelFetch(sketch, texel, 0)[lane];",
                "float outside = pow(texelFetch(sketch, texel, 0)[lane], 2.2);",
            ),
        ),
        ("nan_source", "srgb_encoded", "wrong_function"),
    ),
)

PAIRS = (
    Planted(
        "a corner without its border and a bias of the next layer",
        "painter",
        "down1",
        (
            Swap("conv2d_packed.frag", "int xRCorner = row * 2 - 1;", "int xRCorner = row * 2;"),
            Swap(
                "conv2d_packed.frag",
                "ivec2(d2, 0), 0).r;\n    return result",
                "ivec2(d2 - 1, 0), 0).r;\n    return result",
            ),
        ),
        ("shift",),
        ("bias_offset",),
    ),
    Planted(
        "filters before channels and no cut below zero",
        "painter",
        "up1",
        (
            Swap(
                "conv2d_transpose.frag", "(d1 * outShape.x + d2) * filterHeight", "(d2 * xShape.x + d1) * filterHeight"
            ),
            Swap(
                "conv2d_transpose.frag",
                "max(dotProd + texelFetch(bias, ivec2(d2, 0), 0).r, 0.)",
                "dotProd + texelFetch(bias, ivec2(d2, 0), 0).r",
            ),
        ),
        ("filter_io_swap", "wrong_layout"),
        ("activation_missing",),
    ),
)

HEALTHY = (
    Healthy(
        "lanes outside a channel are computed too",
        "painter",
        (
            Swap(
                "conv2d_bn.frag",
                "    if (row >= outShape.y || col >= outShape.z) {\n        return 0.;\n    }\n",
                "",
            ),
        ),
    ),
    Healthy(
        "a blend by lane and height of the whole texture",
        "painter",
        (
            Swap("blend.frag", "(row & 1) * 2 + (at.x & 1)", "(at.y % 2) * 2 + at.x % 2"),
            Swap("blend.frag", "channel * (height / 2) + row / 2", "at.y / 2"),
        ),
    ),
    Healthy(
        "only rows of the right phase are visited",
        "painter",
        (
            Swap(
                "conv2d_transpose.frag",
                "for (int wR = 0; wR < filterHeight; wR++) {",
                "for (int wR = (row + pad) % 2; wR < filterHeight; wR += 2) {",
            ),
            Swap("conv2d_transpose.frag", "dyR < 0 || dyR % 2 != 0 || ", "dyR < 0 || "),
        ),
    ),
)
