"""Slips in scans: a selective state space, a minimal GRU, a moving average, running sums, linear attention."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

_SSM = (
    Planted(
        "the step's weights read across",
        "ssm",
        "delta",
        (Swap("delta.frag", "GET(WD, k * D + d)", "GET(WD, d * D + k)"),),
        ("filter_io_swap", "transpose_xy", "index_map", "wrong_layout"),
    ),
    Planted(
        "a softplus that holds for positive values alone",
        "ssm",
        "delta",
        (Swap("delta.frag", "exp(-abs(v))", "exp(-v)"),),
        ("wrong_function", "activation_missing"),
    ),
    Planted(
        "a state that grows instead of decaying",
        "ssm",
        "scan",
        (Swap("scan.frag", "float A = -exp(GET(AL, d * N + n));", "float A = exp(GET(AL, d * N + n));"),),
        ("scale", "wrong_function", "activation_missing"),
    ),
    Planted(
        "what the present frame lets in for all frames",
        "ssm",
        "scan",
        (Swap("scan.frag", "GET(BB, s * N + n)", "GET(BB, t * N + n)"),),
        ("index_map", "wrong_partner"),
    ),
    Planted(
        "one state for all its dimensions",
        "ssm",
        "scan",
        (
            Swap("scan.frag", "        float h = 0.0;\n", ""),
            Swap(
                "scan.frag",
                "    for (int n = 0; n < N; ++n) {\n",
                "    float h = 0.0;\n    for (int n = 0; n < N; ++n) {\n",
            ),
        ),
        ("accumulator_not_reset",),
    ),
    Planted(
        "a scan that ends a frame early",
        "ssm",
        "scan",
        (Swap("scan.frag", "s <= t; ++s", "s < t; ++s"),),
        ("missing_taps", "missing_channels"),
    ),
    Planted(
        "a sum that goes on in the next lane",
        "ssm",
        "zc",
        (
            Swap("zc.frag", "    fragOut = vec4(0.0);\n", "    float acc = 0.0;\n    fragOut = vec4(0.0);\n"),
            Swap(
                "zc.frag",
                "            fragOut[l] += GET(Y, t * D + k) * GET(WZC, j * D + k);\n",
                "            acc += GET(Y, t * D + k) * GET(WZC, j * D + k);\n        fragOut[l] = acc;\n",
            ),
        ),
        ("accumulator_not_reset",),
    ),
    Planted(
        "candidates before gates",
        "ssm",
        "zc",
        (Swap("zc.frag", "GET(WZC, j * D + k)", "GET(WZC, (j + D) % (2 * D) * D + k)"),),
        ("filter_offset", "channel_permutation", "index_map"),
    ),
    Planted(
        "a hidden state that begins at zero",
        "ssm",
        "mingru",
        (Swap("mingru.frag", "#define START 0.3", "#define START 0.0"),),
        ("wrong_literal", "bias_missing"),
    ),
    Planted(
        "positive candidates without their half",
        "ssm",
        "mingru",
        (Swap("mingru.frag", "v >= 0.0 ? v + 0.5 : SIGMOID(v)", "v >= 0.0 ? v : SIGMOID(v)"),),
        ("wrong_function", "affine"),
    ),
    Planted(
        "the gate's column for the candidate too",
        "ssm",
        "mingru",
        (Swap("mingru.frag", "GET(ZC, s * 2 * D + D + d)", "GET(ZC, s * 2 * D + d)"),),
        ("wrong_input", "index_map", "wrong_partner", "channel_permutation", "shift"),
    ),
    Planted(
        "a moving average that counts frames before the first",
        "ssm",
        "window",
        (Swap("window.frag", "sum / float(t - from + 1)", "sum / float(SPAN)"),),
        ("average_count",),
    ),
    Planted(
        "a frame taken from its moving average",
        "ssm",
        "window",
        (
            Swap(
                "window.frag",
                "GET(S, e) - sum / float(t - from + 1)",
                "sum / float(t - from + 1) - GET(S, e)",
            ),
        ),
        ("scale", "wrong_input", "wrong_partner", "wrong_function", "activation_extra"),
    ),
    Planted(
        "running sums of the first column for all",
        "ssm",
        "cumsum",
        (Swap("cumsum.frag", "int i = e % D; i <= e;", "int i = 0; i <= e;"),),
        ("index_map", "channel_permutation"),
    ),
    Planted(
        "running sums without the frame itself",
        "ssm",
        "cumsum",
        (Swap("cumsum.frag", "i <= e; i += D", "i < e; i += D"),),
        ("missing_taps", "missing_channels", "shift"),
    ),
)

_ATTENTION = (
    Planted(
        "a feature map that is below zero for negative values",
        "linattn",
        "phi_k",
        (Swap("phi.frag", "x > 0. ? x + 1. : exp(x)", "x > 0. ? x + 1. : exp(x) - 1."),),
        ("wrong_function", "affine"),
    ),
    Planted(
        "values of the first head for every head",
        "linattn",
        "state",
        (Swap("state.frag", "texelFetch(t_v, ivec2(j, base + t), 0)", "texelFetch(t_v, ivec2(j, t), 0)"),),
        ("index_map", "wrong_partner", "channel_permutation"),
    ),
    Planted(
        "the first head's decay for every head",
        "linattn",
        "state",
        (Swap("state.frag", "texelFetch(t_decay, ivec2(head, 0), 0)", "texelFetch(t_decay, ivec2(0, 0), 0)"),),
        ("index_map", "wrong_partner", "channel_permutation"),
    ),
    Planted(
        "keys of the heads before in the normaliser",
        "linattn",
        "ksum",
        (Swap("ksum.frag", "int t = head * LEN; t <", "int t = 0; t <"),),
        ("extra_channels", "accumulator_not_reset"),
    ),
    Planted(
        "an epsilon beyond the fraction",
        "linattn",
        "attend",
        (Swap("attend.frag", "num / (den + u_eps)", "num / den + u_eps"),),
        ("epsilon", "affine"),
    ),
    Planted(
        "a normaliser of another head",
        "linattn",
        "attend",
        (Swap("attend.frag", "texelFetch(t_z, ivec2(i, head), 0)", "texelFetch(t_z, ivec2(i, 2 - head), 0)"),),
        ("index_map", "wrong_partner", "channel_permutation", "flip_y"),
    ),
    Planted(
        "samplers as precise as the version has them by default",
        "linattn",
        "attend",
        (Swap("attend.frag", "precision highp sampler2D;\n", ""),),
        ("half_precision",),
    ),
    Planted(
        "heads dealt out value by value",
        "linattn",
        "merge",
        (Swap("merge.frag", "int head = m / DV, j = m % DV;", "int head = m % HEADS, j = m / HEADS;"),),
        ("index_map", "wrong_partner", "channel_permutation", "wrong_layout"),
    ),
    Planted(
        "the last head left out",
        "linattn",
        "merge",
        (Swap("merge.frag", "m < HEADS * DV;", "m < (HEADS - 1) * DV;"),),
        ("missing_channels",),
    ),
)

FAULTS = (*_SSM, *_ATTENTION)

PAIRS = (
    Planted(
        "no way past the state, and the present frame's gate for all",
        "ssm",
        "scan",
        (
            Swap("scan.frag", "float y = GET(DS, d) * GET(U, t * D + d);", "float y = 0.0;"),
            Swap("scan.frag", "GET(BB, s * N + n)", "GET(BB, t * N + n)"),
        ),
        ("bias_missing",),
        ("index_map", "wrong_partner"),
    ),
    Planted(
        "the first bias for all columns, and the last head left out",
        "linattn",
        "merge",
        (
            Swap("merge.frag", "texelFetch(t_b, ivec2(col, 0), 0)", "texelFetch(t_b, ivec2(0, 0), 0)"),
            Swap("merge.frag", "m < HEADS * DV;", "m < (HEADS - 1) * DV;"),
        ),
        ("bias_offset", "index_map"),
        ("missing_channels",),
    ),
)
