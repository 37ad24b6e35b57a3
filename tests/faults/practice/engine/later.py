"""Plants further bugs in an engine's compute shaders."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

FAULTS: tuple[Planted, ...] = (
    Planted(
        "groups as far apart as their outputs",
        "grouped",
        "conv",
        (
            Swap(
                "conv_group.comp",
                "int v_offset_0 = gg * channels_g * p.cstep;",
                "int v_offset_0 = gg * num_output_g * p.cstep;",
            ),
        ),
        (
            "group_ignored",
            "index_map",
        ),
    ),
    Planted(
        "one kernel for all channels of a group",
        "grouped",
        "conv",
        (Swap("conv_group.comp", "        w_offset += 9;\n", ""),),
        (
            "filter_offset",
            "index_map",
            "wrong_partner",
        ),
    ),
    Planted(
        "a slope for all",
        "grouped",
        "bent",
        (Swap("pipeline.toml", "specialization.num_slope = 9", "specialization.num_slope = 1"),),
        (
            "index_map",
            "wrong_partner",
        ),
        in_text=False,
    ),
    Planted(
        "lower edge at the width",
        "grouped",
        "y",
        (Swap("avgpool.comp", "int y1 = min(gy + 1, p.h - 1);", "int y1 = min(gy + 1, p.w - 1);"),),
        ("missing_taps",),
    ),
    Planted(
        "weights go on by rows alone",
        "packed_block",
        "conv",
        (
            Swap(
                "conv3x3_pack4.comp",
                "                w_offset += 4;\n            }\n",
                "            }\n            w_offset += 4;\n",
            ),
        ),
        (
            "filter_offset",
            "index_map",
            "wrong_partner",
        ),
    ),
    Planted(
        "third place begun at zero",
        "packed_block",
        "pw",
        (Swap("conv1x1_shared.comp", "vec4 sum2 = sum0;", "vec4 sum2 = vec4(0.0);"),),
        ("bias_missing",),
    ),
    Planted(
        "second blob by the first one's steps",
        "packed_block",
        "y",
        (Swap("eltwise_pack4.comp", "q * p.b_cstep + i", "q * p.a_cstep + i"),),
        (
            "shift",
            "index_map",
        ),
    ),
    Planted(
        "gate before the bias",
        "products",
        "hidden",
        (
            Swap(
                "gemm.comp",
                "    sum += C_blob_data[col];\n    float gate = 1.0 / (1.0 + exp(-sum));\n",
                "    float gate = 1.0 / (1.0 + exp(-sum));\n    sum += C_blob_data[col];\n",
            ),
        ),
        (
            "activation_before_bias",
            "wrong_function",
        ),
    ),
    Planted(
        "each tile anew",
        "products",
        "hidden",
        (Swap("gemm.comp", "        int ka = k0 + lx;\n", "        sum = 0.0;\n        int ka = k0 + lx;\n"),),
        ("missing_channels",),
    ),
    Planted(
        "steps of half a group",
        "products",
        "y",
        (Swap("innerproduct.comp", "i < p.num_input; i += 16)", "i < p.num_input; i += 8)"),),
        ("double_counted",),
    ),
    Planted(
        "input of the first row added",
        "products",
        "y",
        (Swap("innerproduct.comp", "residual_data[at]", "residual_data[o]"),),
        (
            "index_map",
            "wrong_partner",
        ),
    ),
    Planted(
        "smaller one kept in the fold",
        "rows",
        "peak",
        (
            Swap(
                "reduce_max.comp",
                "largest[lane] = max(largest[lane], largest[lane + s]);",
                "largest[lane] = min(largest[lane], largest[lane + s]);",
            ),
        ),
        ("wrong_function",),
    ),
    Planted(
        "a fold too few",
        "statistics",
        "mean",
        (Swap("mean.comp", "    if (lane < 2) sums[lane] += sums[lane + 2];\n", ""),),
        (
            "missing_taps",
            "missing_channels",
        ),
    ),
    Planted(
        "gain not on the mean",
        "statistics",
        "y",
        (Swap("norm_mish.comp", "b = b * gamma_data[gz] + beta_data[gz];", "b = b + beta_data[gz];"),),
        ("scale",),
    ),
    Planted(
        "epsilon as the least",
        "statistics",
        "y",
        (Swap("norm_mish.comp", "inversesqrt(var_data[gz] + eps)", "inversesqrt(max(var_data[gz], eps))"),),
        (
            "epsilon",
            "wrong_function",
        ),
    ),
    Planted(
        "steps of the whole size",
        "upscale",
        "larger",
        (Swap("interp.comp", "ivec2 steps = ivec2(p.outw - 1, p.outh - 1);", "ivec2 steps = ivec2(p.outw, p.outh);"),),
        ("index_map",),
    ),
    Planted(
        "shares of the lower row exchanged",
        "upscale",
        "larger",
        (Swap("interp.comp", "float b = b0 * (1.0 - f.x) + b1 * f.x;", "float b = b0 * f.x + b1 * (1.0 - f.x);"),),
        ("wrong_partner",),
    ),
    Planted(
        "borders exchanged",
        "upscale",
        "framed",
        (
            Swap(
                "padding_reflect.comp",
                "int x = gx - left;\n    int y = gy - top;",
                "int x = gx - top;\n    int y = gy - left;",
            ),
        ),
        (
            "shift",
            "index_map",
        ),
    ),
    Planted(
        "first part one channel longer",
        "upscale",
        "both",
        (Swap("concat.comp", "if (gz < p.c0)", "if (gz <= p.c0)"),),
        (
            "wrong_input",
            "extra_channels",
            "index_map",
        ),
    ),
    Planted(
        "kernel of the enlargement turned around",
        "upscale",
        "y",
        (
            Swap("deconvolution.comp", "int sys = gy + pad - y;", "int sys = gy - pad + y;"),
            Swap("deconvolution.comp", "int sxs = gx + pad - x;", "int sxs = gx - pad + x;"),
        ),
        (
            "kernel_flip",
            "index_map",
        ),
    ),
    Planted(
        "pixels of a block outermost",
        "upscale",
        "pixels",
        (
            Swap(
                "pixelshuffle.comp",
                "int z = (gz * upscale_factor + gy % upscale_factor) * upscale_factor + gx % upscale_factor;",
                "int f = upscale_factor;\n    int z = (gy % f * f + gx % f) * p.outc + gz;",
            ),
        ),
        (
            "channel_permutation",
            "index_map",
        ),
    ),
    Planted(
        "channels of a group one on",
        "grouped",
        "shuffled",
        (Swap("shuffle.comp", "int j = gz % channels_per_group;", "int j = (gz + 1) % channels_per_group;"),),
        (
            "channel_permutation",
            "index_map",
        ),
    ),
    Planted(
        "one input row short",
        "products",
        "hidden",
        (Swap("gemm.comp", "kb < K && col < N", "kb < K - 1 && col < N"),),
        ("missing_channels",),
    ),
    Planted(
        "unscaled values in the powers",
        "rows",
        "powers",
        (
            Swap(
                "exp_sum.comp",
                "exp(bottom_blob_data[row * p.w + i] * coeff - max_data[row])",
                "exp(bottom_blob_data[row * p.w + i] - max_data[row])",
            ),
        ),
        ("scale",),
    ),
    Planted(
        "variance as a spread",
        "statistics",
        "variance",
        (Swap("variance.comp", "var_data[q] = total / float(size);", "var_data[q] = sqrt(total / float(size));"),),
        (
            "activation_extra",
            "wrong_function",
        ),
    ),
    Planted(
        "shares not of the whole",
        "rows",
        "y",
        (Swap("weighted.comp", "powers_data[at] * reciprocal * value_data[at]", "powers_data[at] * value_data[at]"),),
        ("scale",),
    ),
    Planted(
        "depthwise kernel of the first channels",
        "packed_block",
        "dw",
        (Swap("convdw_pack4.comp", "weight_data[g.z * 25 + ky * 5 + kx]", "weight_data[ky * 5 + kx]"),),
        (
            "filter_offset",
            "index_map",
        ),
    ),
)
