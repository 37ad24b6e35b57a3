"""Bugs in passes over channels and places: convolutions, groups, pools, enlargements."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS = (
    Planted(
        "weights by the matrix's rows",
        "packed_block",
        "conv",
        (Swap("conv3x3_pack4.comp", "sum += v * k;", "sum += k * v;"),),
        ("filter_io_swap", "index_map", "wrong_partner"),
    ),
    Planted(
        "third lane's weights for the fourth",
        "packed_block",
        "conv",
        (Swap("conv3x3_pack4.comp", "weight_data[w_offset + 3]", "weight_data[w_offset + 2]"),),
        ("filter_offset", "wrong_partner"),
    ),
    Planted(
        "blocks of weights by input",
        "packed_block",
        "conv",
        (Swap("conv3x3_pack4.comp", "(gz * p.c + z) * maxk * 4;", "(z * p.outc + gz) * maxk * 4;"),),
        ("filter_io_swap", "filter_offset", "index_map"),
    ),
    Planted(
        "the column behind the last is inside",
        "packed_block",
        "conv",
        (Swap("conv3x3_pack4.comp", "sx < p.w &&", "sx <= p.w &&"),),
        ("tile_bleed", "padding_mode", "index_map"),
    ),
    Planted(
        "taps of the kernel lying down",
        "packed_block",
        "dw",
        (Swap("convdw_pack4.comp", "g.z * 25 + ky * 5 + kx", "g.z * 25 + kx * 5 + ky"),),
        ("kernel_transpose",),
    ),
    Planted(
        "a hard sigmoid where a hard swish is",
        "packed_block",
        "dw",
        (Swap("convdw_pack4.comp", "v = v * clamp(", "v = clamp("),),
        ("wrong_function",),
    ),
    Planted(
        "fourth place from the third",
        "packed_block",
        "pw",
        (
            Swap(
                "conv1x1_shared.comp",
                "sum3 += bottom_blob_data[v_offset + 3] * k;",
                "sum3 += bottom_blob_data[v_offset + 2] * k;",
            ),
        ),
        ("index_map", "shift"),
    ),
    Planted(
        "second place starts at nothing",
        "packed_block",
        "pw",
        (Swap("conv1x1_shared.comp", "vec4 sum1 = sum0;", "vec4 sum1 = vec4(0.0);"),),
        ("bias_missing",),
    ),
    Planted(
        "step of the other blob",
        "packed_block",
        "y",
        (Swap("pipeline.toml", "b_cstep = 100", "b_cstep = 104"),),
        ("wrong_layout", "index_map", "shift"),
        in_text=False,
    ),
    Planted(
        "group by remainder",
        "grouped",
        "conv",
        (Swap("conv_group.comp", "int gg = gz / num_output_g;", "int gg = gz % num_output_g;"),),
        ("group_ignored", "index_map"),
    ),
    Planted(
        "weights of a channel a row on",
        "grouped",
        "conv",
        (Swap("conv_group.comp", "w_offset += 9;", "w_offset += 3;"),),
        ("filter_offset", "wrong_partner", "index_map"),
    ),
    Planted(
        "no padding at the left",
        "grouped",
        "conv",
        (Swap("pipeline.toml", "pad_left = 1,", "pad_left = 0,"),),
        ("shift",),
        in_text=False,
    ),
    Planted(
        "channels dealt back",
        "grouped",
        "shuffled",
        (Swap("shuffle.comp", "int outz = j * p.group + i;", "int outz = i * channels_per_group + j;"),),
        ("channel_permutation", "index_map"),
    ),
    Planted(
        "slope by the place",
        "grouped",
        "bent",
        (Swap("prelu.comp", "slope_data[q] :", "slope_data[i % p.c] :"),),
        ("wrong_partner", "index_map"),
    ),
    Planted(
        "a square for the area",
        "grouped",
        "y",
        (
            Swap(
                "avgpool.comp", "int area = (x1 - x0 + 1) * (y1 - y0 + 1);", "int area = (x1 - x0 + 1) * (x1 - x0 + 1);"
            ),
        ),
        ("average_count",),
    ),
    Planted(
        "pixels by columns",
        "upscale",
        "pixels",
        (
            Swap(
                "pixelshuffle.comp",
                "(gz * upscale_factor + gy % upscale_factor) * upscale_factor + gx % upscale_factor;",
                "(gz * upscale_factor + gx % upscale_factor) * upscale_factor + gy % upscale_factor;",
            ),
        ),
        ("channel_permutation", "index_map"),
    ),
    Planted(
        "channels as far apart as before",
        "upscale",
        "larger",
        (Swap("interp.comp", "top_blob_data[g.z * p.outcstep + ", "top_blob_data[g.z * p.cstep + "),),
        ("unwritten_texels", "write_race", "wrong_layout", "index_map"),
    ),
    Planted(
        "the last column again and again",
        "upscale",
        "framed",
        (Swap("padding_reflect.comp", "x = (p.w - 1) - abs(x - (p.w - 1));", "x = min(x, p.w - 1);"),),
        ("padding_mode",),
    ),
    Planted(
        "second map by remainder",
        "upscale",
        "both",
        (Swap("concat.comp", "second_data[(gz - p.c0) * p.cstep1 + i]", "second_data[(gz % p.c1) * p.cstep1 + i]"),),
        ("channel_permutation", "index_map"),
    ),
    Planted(
        "kernels by output",
        "upscale",
        "y",
        (Swap("deconvolution.comp", "((z * p.outc + gz) * kernel + y)", "((gz * p.c + z) * kernel + y)"),),
        ("filter_io_swap", "filter_offset", "wrong_layout", "index_map"),
    ),
    Planted(
        "a fifth for a sixth",
        "packed_block",
        "dw",
        (Swap("pipeline.toml", "activation_alpha = 0.16666667", "activation_alpha = 0.2"),),
        ("alpha", "wrong_function"),
        in_text=False,
    ),
)

PAIRS = (
    Planted(
        "io swap and no relu",
        "packed_block",
        "conv",
        (
            Swap("conv3x3_pack4.comp", "sum += v * k;", "sum += k * v;"),
            Swap("conv3x3_pack4.comp", "    sum = max(sum, 0.0);\n\n", ""),
        ),
        ("filter_io_swap", "index_map", "wrong_partner"),
        ("activation_missing",),
    ),
    Planted(
        "stride along one axis and the bias of the next",
        "grouped",
        "conv",
        (
            Swap("conv_group.comp", "int sx = gx * stride + x - pad_left;", "int sx = gx + x - pad_left;"),
            Swap("conv_group.comp", "float sum = bias_data[gz];", "float sum = bias_data[gz / 3];"),
        ),
        ("stride",),
        ("bias_offset", "index_map"),
    ),
    Planted(
        "kernel turned and the bias",
        "upscale",
        "y",
        (
            Swap("deconvolution.comp", "* kernel + y) * kernel + x];", "* kernel + x) * kernel + y];"),
            Swap("deconvolution.comp", "float sum = bias_data[gz];", "float sum = 0.0;"),
        ),
        ("kernel_transpose",),
        ("bias_missing",),
    ),
)

HEALTHY = (
    Healthy(
        "products of scalars",
        "packed_block",
        (
            Swap(
                "conv3x3_pack4.comp",
                "sum += v * k;",
                "sum += vec4(dot(k[0], v), dot(k[1], v), dot(k[2], v), dot(k[3], v));",
            ),
        ),
    ),
    Healthy(
        "taps from the last with fma",
        "packed_block",
        (
            Swap("convdw_pack4.comp", "for (int ky = 0; ky < 5; ky++)", "for (int ky = 4; ky >= 0; --ky)"),
            Swap(
                "convdw_pack4.comp",
                "sum += weight_data[g.z * 25 + ky * 5 + kx] * bottom_blob_data[first + sy * p.w + sx];",
                "sum = fma(bottom_blob_data[first + sy * p.w + sx], weight_data[g.z * 25 + ky * 5 + kx], sum);",
            ),
        ),
    ),
    Healthy(
        "a sum that keeps its rest",
        "grouped",
        (
            Swap(
                "conv_group.comp",
                "    float sum = bias_data[gz];\n",
                "    float sum = bias_data[gz];\n    precise float rest = 0.0;\n",
            ),
            Swap(
                "conv_group.comp",
                "sum += bottom_blob_data[v_offset_0 + sy * p.w + sx] * weight_data[w_offset + y * 3 + x];",
                "precise float term = bottom_blob_data[v_offset_0 + sy * p.w + sx]"
                " * weight_data[w_offset + y * 3 + x] - rest;\n"
                "                        precise float next = sum + term;\n"
                "                        rest = (next - sum) - term;\n"
                "                        sum = next;",
            ),
        ),
    ),
    Healthy(
        "area by its reciprocal",
        "grouped",
        (Swap("avgpool.comp", "= sum / float(area);", "= sum * (1.0 / float(area));"),),
    ),
    Healthy(
        "bilinear by mix",
        "upscale",
        (
            Swap("interp.comp", "float a = a0 * (1.0 - f.x) + a1 * f.x;", "float a = mix(a0, a1, f.x);"),
            Swap("interp.comp", "float b = b0 * (1.0 - f.x) + b1 * f.x;", "float b = b0 + (b1 - b0) * f.x;"),
        ),
    ),
)
