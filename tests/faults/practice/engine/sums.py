"""Bugs in products and in what is reduced in shared memory."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS = (
    Planted(
        "tiles read before they are full",
        "products",
        "hidden",
        (
            Swap(
                "gemm.comp",
                "        barrier();\n\n        for (int k = 0; k < TILE; k++)",
                "        for (int k = 0; k < TILE; k++)",
            ),
        ),
        ("missing_barrier",),
    ),
    Planted(
        "rows of B as long as those of A",
        "products",
        "hidden",
        (Swap("gemm.comp", "B_blob_data[kb * N + col]", "B_blob_data[kb * K + col]"),),
        ("index_map", "wrong_partner", "wrong_layout"),
    ),
    Planted(
        "whole tiles alone",
        "products",
        "hidden",
        (Swap("gemm.comp", "k0 < K; k0 += TILE", "k0 + TILE <= K; k0 += TILE"),),
        ("missing_channels",),
    ),
    Planted(
        "bias by the row",
        "products",
        "hidden",
        (Swap("gemm.comp", "sum += C_blob_data[col];", "sum += C_blob_data[row];"),),
        ("bias_offset",),
    ),
    Planted(
        "folded from the middle of the half",
        "products",
        "y",
        (Swap("innerproduct.comp", "int half_count = 8;", "int half_count = 4;"),),
        ("missing_channels",),
    ),
    Planted(
        "what is added lies in rows of the input's length",
        "products",
        "y",
        (Swap("innerproduct.comp", "residual_data[at];", "residual_data[row * p.num_input + o];"),),
        ("index_map", "wrong_partner"),
    ),
    Planted(
        "largest of what is not cooled",
        "rows",
        "peak",
        (Swap("reduce_max.comp", "bottom_blob_data[base + i] * coeff", "bottom_blob_data[base + i]"),),
        ("scale",),
    ),
    Planted(
        "cooled once more",
        "rows",
        "powers",
        (
            Swap(
                "exp_sum.comp",
                "exp(bottom_blob_data[row * p.w + i] * coeff - max_data[row])",
                "exp((bottom_blob_data[row * p.w + i] - max_data[row]) * coeff)",
            ),
        ),
        ("scale", "wrong_function"),
    ),
    Planted(
        "last invocation's sum left out",
        "rows",
        "powers",
        (Swap("exp_sum.comp", "for (int i = 0; i < 8; i++)", "for (int i = 0; i < 7; i++)"),),
        ("missing_channels",),
    ),
    Planted(
        "total of the row in the group",
        "rows",
        "y",
        (Swap("weighted.comp", "1.0 / total_data[safe];", "1.0 / total_data[ly];"),),
        ("wrong_partner", "index_map"),
    ),
    Planted(
        "three of four parts",
        "rows",
        "y",
        (Swap("weighted.comp", "dot(parts[ly], vec4(1.0))", "dot(parts[ly].xyz, vec3(1.0))"),),
        ("missing_channels", "dropped_lane"),
    ),
    Planted(
        "mean over the step",
        "statistics",
        "mean",
        (Swap("mean.comp", "/ float(size);", "/ float(p.cstep);"),),
        ("average_count", "scale"),
    ),
    Planted(
        "one less than all",
        "statistics",
        "variance",
        (Swap("variance.comp", "/ float(size);", "/ float(size - 1);"),),
        ("average_count", "scale"),
    ),
    Planted(
        "the first part twice",
        "statistics",
        "variance",
        (Swap("variance.comp", "for (int i = 1; i < 8; i++)", "for (int i = 0; i < 8; i++)"),),
        ("double_counted",),
    ),
    Planted(
        "epsilon beside the root",
        "statistics",
        "y",
        (Swap("norm_mish.comp", "inversesqrt(var_data[gz] + eps);", "1.0 / (sqrt(var_data[gz]) + eps);"),),
        ("epsilon",),
    ),
    Planted(
        "tanh of the softplus short of one",
        "statistics",
        "y",
        (Swap("norm_mish.comp", "v * (n / (n + 2.0))", "v * (n / (n + 1.0))"),),
        ("wrong_function", "alpha"),
    ),
    Planted(
        "scale for shift",
        "statistics",
        "y",
        (
            Swap(
                "pipeline.toml",
                'buffers.gamma_blob = "gamma"\nbuffers.beta_blob = "beta"',
                'buffers.gamma_blob = "beta"\nbuffers.beta_blob = "gamma"',
            ),
        ),
        ("wrong_input",),
        in_text=False,
    ),
)

PAIRS = (
    Planted(
        "tail of the sum and the gate",
        "products",
        "hidden",
        (
            Swap("gemm.comp", "k0 < K; k0 += TILE", "k0 + TILE <= K; k0 += TILE"),
            Swap("gemm.comp", "exp(-sum)", "exp(-1.702 * sum)"),
        ),
        ("missing_channels",),
        ("alpha", "wrong_function"),
    ),
    Planted(
        "shift by the scale and no epsilon",
        "statistics",
        "y",
        (
            Swap("norm_mish.comp", "b = b * gamma_data[gz] + beta_data[gz];", "b = b * gamma_data[gz] + beta_data[0];"),
            Swap("norm_mish.comp", "(var_data[gz] + eps)", "(var_data[gz])"),
        ),
        ("bias_offset",),
        ("epsilon",),
    ),
)

HEALTHY = (
    Healthy(
        "sigmoid by exp2",
        "products",
        (Swap("gemm.comp", "1.0 / (1.0 + exp(-sum))", "1.0 / (1.0 + exp2(-1.4426950408889634 * sum))"),),
    ),
    Healthy(
        "folding by a switch, from one lane",
        "rows",
        (
            Swap(
                "reduce_max.comp",
                "    for (int s = 8; s > 0; s >>= 1)\n"
                "    {\n"
                "        if (lane < s)\n"
                "            largest[lane] = max(largest[lane], largest[lane + s]);\n"
                "        barrier();\n"
                "    }\n"
                "\n"
                "    if (lane == 0)\n"
                "        top_blob_data[row] = largest[0];",
                "    switch (lane)\n"
                "    {\n"
                "        case 0:\n"
                "            float best = largest[15];\n"
                "            for (int s = 0; s < 15; s++)\n"
                "                best = largest[s] > best ? largest[s] : best;\n"
                "            top_blob_data[row] = best;\n"
                "            break;\n"
                "        default:\n"
                "            break;\n"
                "    }",
            ),
        ),
    ),
    Healthy(
        "variance from running means",
        "statistics",
        (
            Swap(
                "variance.comp",
                "        vec4 v = bottom_blob_data[q * p.cstep + i] - mean;\n        sum += v * v;\n",
                "        vec4 v = bottom_blob_data[q * p.cstep + i] - mean;\n"
                "        float turn = float(i / 8 + 1);\n"
                "        sum += (v * v - sum) / turn;\n",
            ),
            Swap(
                "variance.comp", "    squares[lane] = sum;", "    squares[lane] = sum * float((size - lane + 7) / 8);"
            ),
        ),
    ),
)
