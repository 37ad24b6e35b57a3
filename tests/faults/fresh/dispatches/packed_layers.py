"""Slips in convolutions, pooling and products that hold four channels in a packed element."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_CONV = "convolution_pack4.comp"
_DEPTHWISE = "convolutiondepthwise_pack4.comp"
_POINT = "convolution_pack4_1x1s1d1.comp"
_POOL = "pooling_pack4.comp"
_GLOBAL = "pooling_global_reduce.comp"
_PRODUCT = "innerproduct_pack4.comp"
_BINARY = "binaryop_broadcast_pack4.comp"

_MAT = """                mat4 k = mat4(
                    weight_data[w_offset * 4 + 0],
                    weight_data[w_offset * 4 + 1],
                    weight_data[w_offset * 4 + 2],
                    weight_data[w_offset * 4 + 3]
                );

                sum += v * k;
"""
_DOTS = """                sum.r += dot(v, weight_data[w_offset * 4 + 0]);
                sum.g += dot(v, weight_data[w_offset * 4 + 1]);
                sum.b += dot(v, weight_data[w_offset * 4 + 2]);
                sum.a += dot(v, weight_data[w_offset * 4 + 3]);
"""
_TAPS = """    for (int k = 0; k < maxk; k++)
    {
        int sx = g.x - pad_left + (k % kernel_w) * dilation_w;
        int sy = g.y - pad_top + (k / kernel_w) * dilation_h;
"""
_TREE = """    for (int s = LOCAL / 2; s > 0; s >>= 1)
    {
        if (lx < s)
            partial[lx] += partial[lx + s];
        barrier();
    }

    if (lx == 0)
"""

FAULTS = (
    Planted(
        "the weights' place moved on for taps that are inside alone",
        "packed",
        "stem",
        (
            Swap(_CONV, "x < kernel_w; x++, w_offset++)", "x < kernel_w; x++)"),
            Swap(
                _CONV, "                sum += v * k;\n", "                sum += v * k;\n                w_offset++;\n"
            ),
        ),
        ("filter_offset", "index_map", "wrong_partner"),
    ),
    Planted(
        "matrix times vector for vector times matrix",
        "packed",
        "stem",
        (Swap(_CONV, "sum += v * k;", "sum += k * v;"),),
        ("filter_io_swap", "wrong_layout", "index_map", "wrong_partner"),
    ),
    Planted(
        "channels taken to lie w h apart",
        "packed",
        "stem",
        (Swap(_CONV, "z * p.cstep + sy", "z * p.w * p.h + sy"),),
        ("wrong_layout", "index_map", "wrong_partner"),
    ),
    Planted(
        "a steeper slope below zero in the file",
        "packed",
        "stem",
        (Swap("pipeline.toml", "slope = 0.15", "slope = 0.2"),),
        ("alpha",),
        in_text=False,
    ),
    Planted(
        "a step of one along y",
        "packed",
        "stem",
        (Swap(_CONV, "gy * stride_h - pad_h + y", "gy - pad_h + y"),),
        ("stride", "index_map"),
    ),
    Planted(
        "rows of the dilated window side by side",
        "packed",
        "depthwise",
        (Swap(_DEPTHWISE, "(k / kernel_w) * dilation_h", "(k / kernel_w)"),),
        ("dilation", "index_map"),
    ),
    Planted(
        "depthwise weights with the tap outermost",
        "packed",
        "depthwise",
        (Swap(_DEPTHWISE, "weight_data[g.z * maxk + k]", "weight_data[k * p.outc + g.z]"),),
        ("wrong_layout", "index_map", "filter_offset", "wrong_partner"),
    ),
    Planted(
        "the lower border tested against the width",
        "packed",
        "depthwise",
        (Swap(_DEPTHWISE, "sy >= 0 && sy < p.h", "sy >= 0 && sy < p.w"),),
        ("tile_bleed", "padding_mode"),
    ),
    Planted(
        "quotient and rest of a tap exchanged",
        "packed",
        "depthwise",
        (
            Swap(_DEPTHWISE, "(k % kernel_w) * dilation_w", "(k / kernel_w) * dilation_w"),
            Swap(_DEPTHWISE, "(k / kernel_w) * dilation_h", "(k % kernel_w) * dilation_h"),
        ),
        ("kernel_transpose", "wrong_partner", "index_map"),
    ),
    Planted(
        "the third of four neighbours not clamped",
        "packed",
        "point",
        (Swap(_POINT, "    sum2 = clamp(sum2, activation_min, activation_max);\n", ""),),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "clamped sums to which the bias is added",
        "packed",
        "point",
        (
            Swap(_POINT, "vec4 sum0 = bias_data[gy];", "vec4 sum0 = vec4(0.f);"),
            *(
                Swap(
                    _POINT,
                    f"sum{i} = clamp(sum{i}, activation_min, activation_max);",
                    f"sum{i} = clamp(sum{i}, activation_min, activation_max) + bias_data[gy];",
                )
                for i in range(4)
            ),
        ),
        ("activation_before_bias", "wrong_function"),
    ),
    Planted(
        "blocks of weights one after the other whatever the inputs",
        "packed",
        "point",
        (Swap(_POINT, "gy * p.c * 4", "gy * 4"),),
        ("filter_offset", "index_map", "wrong_partner"),
    ),
    Planted(
        "the last of four neighbours reads what the third reads",
        "packed",
        "point",
        (Swap(_POINT, "bottom_blob_data[v_offset + 3]", "bottom_blob_data[v_offset + 2]"),),
        ("index_map", "wrong_partner"),
    ),
    Planted(
        "a mean over the whole kernel at the border",
        "packed",
        "pooled",
        (Swap(_POOL, "res /= float(area);", "res /= float(kernel_w * kernel_h);"),),
        ("average_count",),
    ),
    Planted(
        "the first column taken for padding",
        "packed",
        "pooled",
        (Swap(_POOL, "if (sx + x < 0)", "if (sx + x <= 0)"),),
        ("missing_taps",),
    ),
    Planted(
        "pooling that forgets its rows of padding",
        "packed",
        "pooled",
        (Swap(_POOL, "gy * stride_h - pad_top", "gy * stride_h"),),
        ("shift", "index_map"),
    ),
    Planted(
        "half of the partial sums left out",
        "packed",
        "squeezed",
        (Swap(_GLOBAL, "int s = LOCAL / 2;", "int s = LOCAL / 4;"),),
        ("missing_taps",),
    ),
    Planted(
        "a mean over the work group's size",
        "packed",
        "squeezed",
        (Swap(_GLOBAL, "float(p.size)", "float(LOCAL)"),),
        ("average_count", "scale"),
    ),
    Planted(
        "no barrier before partial sums are joined",
        "packed",
        "squeezed",
        (Swap(_GLOBAL, "    partial[lx] = acc;\n    barrier();\n", "    partial[lx] = acc;\n"),),
        ("missing_barrier",),
    ),
    Planted(
        "a row of weights used for two lanes",
        "packed",
        "gate",
        (Swap(_PRODUCT, "sum.b += dot(v, weight_data[w_offset + 2])", "sum.b += dot(v, weight_data[w_offset + 1])"),),
        ("filter_offset", "index_map", "wrong_partner"),
    ),
    Planted(
        "three lanes of an input",
        "packed",
        "gate",
        (Swap(_PRODUCT, "vec4 v = bottom_blob_data[i];", "vec4 v = vec4(bottom_blob_data[i].rgb, 0.f);"),),
        ("dropped_lane", "missing_channels"),
    ),
    Planted(
        "a factor a column instead of a channel",
        "packed",
        "excited",
        (Swap(_BINARY, "b_blob_data[g.z]", "b_blob_data[g.x]"),),
        ("index_map", "wrong_partner"),
    ),
    Planted(
        "one step between channels for both blobs",
        "packed",
        "excited",
        (Swap(_BINARY, "g.z * p.acstep + i", "g.z * p.outcstep + i"),),
        ("wrong_layout", "index_map", "wrong_partner"),
    ),
)

PAIRS = (
    Planted(
        "no bias, and a slope of three tenths",
        "packed",
        "stem",
        (
            Swap(_CONV, "vec4 sum = bias_data[gz];", "vec4 sum = vec4(0.f);"),
            Swap(_CONV, "sum * slope", "sum * 0.3f"),
        ),
        ("bias_missing",),
        ("alpha", "wrong_literal"),
    ),
)

HEALTHY = (
    Healthy("as it is: packed", "packed"),
    Healthy("four dots instead of a matrix", "packed", (Swap(_CONV, _MAT, _DOTS),)),
    Healthy(
        "two loops instead of quotient and rest",
        "packed",
        (
            Swap(
                _DEPTHWISE,
                _TAPS,
                "    for (int kx = 0; kx < kernel_w; kx++)\n"
                "    for (int ky = 0; ky < kernel_h; ky++)\n"
                "    {\n"
                "        int k = ky * kernel_w + kx;\n"
                "        int sx = g.x - pad_left + kx * dilation_w;\n"
                "        int sy = g.y - pad_top + ky * dilation_h;\n",
            ),
        ),
    ),
    Healthy(
        "one invocation joins all partial sums",
        "packed",
        (
            Swap(
                _GLOBAL,
                _TREE,
                "    if (lx == 0)\n"
                "        for (int s = LOCAL - 1; s > 0; s--)\n"
                "            partial[0] += partial[s];\n"
                "    if (lx == 0)\n",
            ),
        ),
    ),
    Healthy(
        "a logistic curve by tanh",
        "packed",
        (Swap(_PRODUCT, "1.f / (1.f + exp(-sum))", "0.5f * tanh(0.5f * sum) + 0.5f"),),
    ),
    Healthy(
        "a count worked out from the window's corners",
        "packed",
        (
            Swap(
                _POOL,
                "res /= float(area);",
                "ivec2 side = min(ivec2(sx + kernel_w, sy + kernel_h), ivec2(p.w, p.h)) - max(ivec2(sx, sy), 0);\n"
                "    res *= 1.f / float(side.x * side.y);",
            ),
        ),
    ),
)
