"""Plants further bugs of the mobile engine's pipelines."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

FAULTS: tuple[Planted, ...] = (
    Planted(
        "the bias for every input channel",
        "compute",
        "conv",
        (
            Swap("conv3x3_pack1to4.comp", "vec4 sum = bias_data[gz];", "vec4 sum = vec4(0.0);"),
            Swap(
                "conv3x3_pack1to4.comp",
                "        const int woff =",
                "        sum += bias_data[gz];\n        const int woff =",
            ),
        ),
        ("bias_doubled", "double_counted"),
    ),
    Planted(
        "no Relu for the fourth lane",
        "compute",
        "conv",
        (Swap("conv3x3_pack1to4.comp", "max(sum, vec4(0.0));", "vec4(max(sum.xyz, vec3(0.0)), sum.w);"),),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "the first row taken for the border",
        "compute",
        "dw",
        (Swap("convdw_pack4.comp", "py < 0", "py <= 0"),),
        ("missing_taps", "padding_mode"),
    ),
    Planted(
        "a sixth of the gate's offset",
        "compute",
        "dw",
        (Swap("convdw_pack4.comp", "sum * 0.16666667 + 0.5", "(sum + 0.5) * 0.16666667"),),
        ("wrong_function", "alpha", "scale"),
    ),
    Planted(
        "a sum of halves that begins at a quarter",
        "compute",
        "prob",
        (
            Swap(
                "softmax.comp",
                "for (int s = GROUP >> 1; s > 0; s >>= 1) {\n        if (t < s) scratch[t] += scratch[t + s];",
                "for (int s = GROUP >> 2; s > 0; s >>= 1) {\n        if (t < s) scratch[t] += scratch[t + s];",
            ),
        ),
        ("missing_channels",),
    ),
    Planted(
        "tiles as wide as they are high",
        "head",
        "mean",
        (
            Swap(
                "norm_stats.frag",
                "ivec2(at.x % u_columns, at.y) * u_size;",
                "ivec2(at.x % u_columns, at.y) * u_size.yx;",
            ),
        ),
        ("index_map", "shift", "tile_bleed"),
    ),
    Planted(
        "distances for their squares",
        "head",
        "mean",
        (Swap("norm_stats.frag", "spread += d * d;", "spread += abs(d);"),),
        ("wrong_function",),
    ),
    Planted(
        "a gate twice as steep",
        "head",
        "norm",
        (Swap("norm_apply.frag", "x / 6.0 + 0.5", "x / 3.0 + 0.5"),),
        ("alpha", "wrong_literal", "wrong_function"),
    ),
    Planted(
        "weights in as many columns as the inputs",
        "head",
        "logits",
        (Swap("pointwise.frag", "t % u_columns.z", "t % u_columns.x"),),
        ("index_map", "filter_offset", "wrong_partner"),
    ),
    Planted(
        "the largest taken from the powers",
        "head",
        "peak",
        (Swap("softmax_stats.frag", "exp(channel(p, c) - largest)", "exp(channel(p, c)) - largest"),),
        ("activation_before_bias", "wrong_function"),
    ),
    Planted(
        "the sum inside the power",
        "head",
        "share",
        (
            Swap(
                "softmax_apply.frag",
                "exp(texelFetch(t_x, at, 0) - vec4(largest)) * inv",
                "exp((texelFetch(t_x, at, 0) - vec4(largest)) * inv)",
            ),
        ),
        ("wrong_function", "scale"),
    ),
    Planted(
        "whole slices alone",
        "images",
        "ln",
        (Swap("layernorm.comp", "(u_shape.z + 3) / 4", "u_shape.z / 4"),),
        ("unwritten_texels",),
    ),
    Planted(
        "slices and lanes of the mean exchanged",
        "images",
        "ln",
        (
            Swap(
                "layernorm.comp",
                "sum += imageLoad(u_in, ivec2(p.x + (c >> 2) * u_shape.x, p.y))[c & 3];",
                "sum += imageLoad(u_in, ivec2(p.x + (c & 3) * u_shape.x, p.y))[c >> 2];",
            ),
        ),
        ("index_map", "channel_permutation", "wrong_layout"),
    ),
    Planted(
        "the variance of a sample",
        "images",
        "ln",
        (Swap("layernorm.comp", "squares / n + u_eps", "squares / (n - 1.0) + u_eps"),),
        ("average_count",),
    ),
    Planted(
        "the second slice twice as far",
        "images",
        "peaks",
        (
            Swap(
                "maxpool2.comp",
                "id.xy * 2 + ivec2(id.z * u_in_shape.x, 0)",
                "(id.xy + ivec2(id.z * u_in_shape.x, 0)) * 2",
            ),
        ),
        ("index_map", "shift"),
    ),
    Planted(
        "a cache filled column by column",
        "images",
        "means",
        (Swap("avgpool3.comp", "cache[t.y][t.x] =", "cache[t.x][t.y] ="),),
        ("transpose_xy", "index_map"),
    ),
    Planted(
        "each slice in place of those before it",
        "images",
        "point",
        (Swap("conv1x1.comp", "acc += v * kernel", "acc = v * kernel"),),
        ("missing_channels", "bias_missing"),
    ),
    Planted(
        "gates at the small picture's width",
        "images",
        "gated",
        (
            Swap(
                "upsample_gate.comp",
                "imageLoad(u_gate, ivec2(id.x + id.z * u_shape.x, id.y))",
                "imageLoad(u_gate, ivec2(id.x + id.z * u_low_shape.x, id.y))",
            ),
        ),
        ("index_map", "shift", "tile_bleed", "wrong_partner"),
    ),
    Planted(
        "the lower row from right to left",
        "images",
        "gated",
        (
            Swap(
                "upsample_gate.comp",
                "mix(low(i + ivec2(0, 1), id.z), low(i + ivec2(1, 1), id.z), t.x)",
                "mix(low(i + ivec2(1, 1), id.z), low(i + ivec2(0, 1), id.z), t.x)",
            ),
        ),
        ("wrong_partner", "index_map"),
    ),
    Planted(
        "the middle lanes exchanged",
        "mobile",
        "expand",
        (Swap("conv1x1.frag", "dot(color, k1), dot(color, k2)", "dot(color, k2), dot(color, k1)"),),
        ("channel_permutation", "filter_offset", "wrong_partner"),
    ),
    Planted(
        "no border at the left",
        "mobile",
        "depth",
        (Swap("pipeline.toml", "uniforms.uPad = [1, 1]", "uniforms.uPad = [0, 1]"),),
        ("shift", "index_map"),
        in_text=False,
    ),
    Planted(
        "groups of inputs as long as those of outputs",
        "mobile",
        "grouped",
        (Swap("grouped.frag", "group * uInPerGroup;", "group * uOutPerGroup;"),),
        ("group_ignored", "index_map", "wrong_partner"),
    ),
    Planted(
        "means for peaks",
        "mobile",
        "maxpool",
        (
            Swap(
                "pipeline.toml",
                'uniforms.uOutGrid = "grid(maxpool)"\ndefines.POOL_MAX = true',
                'uniforms.uOutGrid = "grid(maxpool)"',
            ),
        ),
        ("wrong_function",),
        in_text=False,
    ),
    Planted(
        "one channel too many of the first blob",
        "mobile",
        "joined",
        (Swap("concat.frag", "c < uFirstChannels", "c <= uFirstChannels"),),
        ("wrong_input", "wrong_partner", "index_map", "extra_channels"),
    ),
)
