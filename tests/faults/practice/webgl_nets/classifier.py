"""The classifier: four channels a texel, places in whole numbers."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS = (
    Planted(
        "row by the width",
        "mobile",
        "stem",
        (Swap("stem.frag", "y = p.y % H;", "y = p.y % W;"),),
        ("index_map",),
    ),
    Planted(
        "kernels with rows for columns",
        "mobile",
        "depthwise",
        (
            Swap("depthwise.frag", "int sx = x + i % 3 - 1;", "int sx = x + i / 3 - 1;"),
            Swap("depthwise.frag", "int sy = y + i / 3 - 1;", "int sy = y + i % 3 - 1;"),
        ),
        ("kernel_transpose", "index_map"),
    ),
    Planted(
        "capped at one",
        "mobile",
        "depthwise",
        (Swap("depthwise.frag", "clamp(sum, 0.0, 6.0)", "clamp(sum, 0.0, 1.0)"),),
        ("clamped_0_1", "alpha"),
    ),
    Planted(
        "sigmoid of the negative",
        "mobile",
        "gate",
        (Swap("excite.frag", "exp(-t)", "exp(t)"),),
        ("wrong_function", "affine", "scale"),
    ),
    Planted(
        "gates from the mirrored tile",
        "mobile",
        "block",
        (Swap("block.frag", "texelFetch(gates, tile, 0)", "texelFetch(gates, tile.yx, 0)"),),
        ("wrong_partner", "index_map", "channel_permutation", "transpose_xy"),
    ),
    Planted(
        "residual after the depthwise layer",
        "mobile",
        "block",
        (Swap("pipeline.toml", 'textures.residual = "reduced"', 'textures.residual = "depthwise"'),),
        ("wrong_input",),
        in_text=False,
    ),
    Planted(
        "features in one row",
        "mobile",
        "logits",
        (Swap("dense.frag", "ivec2(g % 2, g / 2)", "ivec2(g, 0)"),),
        ("missing_channels", "index_map"),
    ),
    Planted(
        "last class not in the sum",
        "mobile",
        "probs",
        (Swap("softmax.frag", "eb.x + eb.y + eb.z", "eb.x + eb.y"),),
        ("missing_channels", "scale"),
    ),
    Planted(
        "sampler without a precision",
        "mobile",
        "stem",
        (Swap("stem.frag", "precision highp sampler2D;\n", ""),),
        ("half_precision", "precision"),
    ),
)

PAIRS = (
    Planted(
        "bias by the column, row beyond the last",
        "mobile",
        "depthwise",
        (
            Swap("depthwise.frag", "sy >= H", "sy > H"),
            Swap("depthwise.frag", "texelFetch(biases, ivec2(group, 0), 0)", "texelFetch(biases, ivec2(tile.x, 0), 0)"),
        ),
        ("tile_bleed", "padding_mode"),
        ("bias_offset", "index_map"),
    ),
    Planted(
        "no residual and ten times epsilon",
        "mobile",
        "block",
        (
            Swap("block.frag", "    sum += texelFetch(residual, p, 0);\n", ""),
            Swap("block.frag", "EPSILON = 0.002", "EPSILON = 0.02"),
        ),
        ("bias_missing",),
        ("epsilon",),
    ),
)

HEALTHY = (
    Healthy("columns of the matrix", "mobile", (Swap("block.frag", "sum += v * m;", "sum += transpose(m) * v;"),)),
    Healthy(
        "powers of two",
        "mobile",
        (
            Swap("softmax.frag", "vec4 ea = exp(a - top);", "vec4 ea = exp2((a - top) * 1.44269504);"),
            Swap("softmax.frag", "vec3 eb = exp(b.xyz - top);", "vec3 eb = exp2((b.xyz - top) * 1.44269504);"),
        ),
    ),
    Healthy(
        "taps from the last to the first",
        "mobile",
        (
            Swap("stem.frag", "int ky = 0; ky < 3; ky++", "int ky = 2; ky >= 0; ky--"),
            Swap("stem.frag", "int kx = 0; kx < 3; kx++", "int kx = 2; kx >= 0; kx--"),
        ),
    ),
)
