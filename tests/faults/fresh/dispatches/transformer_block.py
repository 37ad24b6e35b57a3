"""Slips in normalisation, attention and products of matrices, on plain buffers with reductions in shared memory."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_STATS = "layernorm_stats.comp"
_APPLY = "layernorm_apply.comp"
_GEMM = "gemm.comp"
_QK = "attn_qk.comp"
_REDUCE = "softmax_reduce.comp"
_DIV = "softmax_div.comp"
_PV = "attn_pv.comp"
_LINEAR = "linear_residual.comp"
_GELU = "linear_gelu.comp"

_CURVE = "0.5 * v * (1.0 + tanh(0.7978845608 * (v + 0.044715 * v * v * v)))"

FAULTS = (
    Planted(
        "squares of the values instead of the deviations",
        "transformer",
        "mean",
        (Swap(_STATS, "float d = x[row * n + i] - mu;", "float d = x[row * n + i];"),),
        ("bias_missing", "wrong_function", "wrong_input"),
    ),
    Planted(
        "one less in the count of the variance",
        "transformer",
        "mean",
        (Swap(_STATS, "reduce(b) / float(n)", "reduce(b) / float(n - 1)"),),
        ("average_count", "scale", "wrong_function"),
    ),
    Planted(
        "a variance for a deviation",
        "transformer",
        "mean",
        (Swap(_STATS, "1.0 / sqrt(var + eps)", "1.0 / (var + eps)"),),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "the row's factor where the column's belongs",
        "transformer",
        "normal",
        (Swap(_APPLY, "gamma[col]", "gamma[row]"),),
        ("index_map", "wrong_partner"),
    ),
    Planted(
        "the two statistics bound the other way round",
        "transformer",
        "normal",
        (Swap("pipeline.toml", 'M = "mean", R = "inverse", G', 'M = "inverse", R = "mean", G'),),
        ("wrong_input", "wrong_partner"),
        in_text=False,
    ),
    Planted(
        "a column cut off from a fraction",
        "transformer",
        "normal",
        (Swap(_APPLY, "col = i % n;", "col = int(fract(float(i) / float(n)) * float(n));"),),
        ("float_index_precision", "index_map", "wrong_partner", "bias_offset"),
    ),
    Planted(
        "a tile short",
        "transformer",
        "qkv",
        (Swap(_GEMM, "k0 < K; k0", "k0 < K - TS; k0"),),
        ("missing_channels",),
    ),
    Planted(
        "a tile overwritten while others read it",
        "transformer",
        "qkv",
        (Swap(_GEMM, "As[ty][k] * Bs[k][tx];\n        barrier();\n", "As[ty][k] * Bs[k][tx];\n"),),
        ("missing_barrier",),
    ),
    Planted(
        "the second tile read by rows",
        "transformer",
        "qkv",
        (Swap(_GEMM, "Bs[k][tx]", "Bs[tx][k]"),),
        ("filter_io_swap", "transpose_xy", "index_map", "wrong_partner"),
    ),
    Planted(
        "queries met with queries",
        "transformer",
        "scores",
        (Swap(_QK, "j * 3 * width + width + h * head", "j * 3 * width + h * head"),),
        ("wrong_input", "index_map", "wrong_partner"),
    ),
    Planted(
        "scores scaled with what is added to them",
        "transformer",
        "scores",
        (Swap(_QK, "acc * scale + bias[at]", "(acc + bias[at]) * scale"),),
        ("scale",),
    ),
    Planted(
        "the first head's queries for all heads",
        "transformer",
        "scores",
        (Swap(_QK, "int q = i * 3 * width + h * head;", "int q = i * 3 * width;"),),
        ("index_map", "channel_permutation", "wrong_partner"),
    ),
    Planted(
        "one over the size of a head without its root",
        "transformer",
        "scores",
        (Swap("pipeline.toml", "scale = 0.35355339", "scale = 0.125"),),
        ("scale",),
        in_text=False,
    ),
    Planted(
        "a partial sum of four forgotten",
        "transformer",
        "top",
        (Swap(_REDUCE, "z[row] = part[0] + part[1] + part[2] + part[3];", "z[row] = part[0] + part[1] + part[2];"),),
        ("missing_channels", "missing_taps"),
    ),
    Planted(
        "powers of two",
        "transformer",
        "top",
        (Swap(_REDUCE, "sum += exp(s[base + i] - best);", "sum += exp2(s[base + i] - best);"),),
        ("wrong_function", "scale"),
    ),
    Planted(
        "the largest magnitude",
        "transformer",
        "top",
        (Swap(_REDUCE, "best = max(best, s[base + i]);", "best = max(best, abs(s[base + i]));"),),
        ("activation_extra", "wrong_function"),
    ),
    Planted(
        "sums of the columns for sums of the rows",
        "transformer",
        "shares",
        (Swap(_DIV, "z[row]", "z[i % n]"),),
        ("index_map", "wrong_partner"),
    ),
    Planted(
        "powers that are not lowered by the largest",
        "transformer",
        "shares",
        (Swap(_DIV, "exp(s[i] - top[row])", "exp(s[i])"),),
        ("bias_missing",),
    ),
    Planted(
        "shares read by columns",
        "transformer",
        "context",
        (
            Swap(_PV, "(h * tokens + i) * tokens;", "h * tokens * tokens + i;"),
            Swap(_PV, "p[at + j]", "p[at + j * tokens]"),
        ),
        ("transpose_xy", "index_map", "wrong_partner"),
    ),
    Planted(
        "heads that alternate along a row",
        "transformer",
        "context",
        (Swap(_PV, "int h = c / head;", "int h = c % (width / head);"),),
        ("index_map", "channel_permutation", "wrong_partner"),
    ),
    Planted(
        "keys for values",
        "transformer",
        "context",
        (Swap(_PV, "int v = 2 * width + c;", "int v = width + c;"),),
        ("wrong_input", "index_map", "wrong_partner"),
    ),
    Planted(
        "what was skipped is not added",
        "transformer",
        "attended",
        (Swap(_LINEAR, "acc + skip[row * N + c]", "acc"),),
        ("bias_missing",),
    ),
    Planted(
        "a bias at every step",
        "transformer",
        "attended",
        (Swap(_LINEAR, "acc += line[k] * w[k * N + c];", "acc += line[k] * w[k * N + c] + bias[c];"),),
        ("bias_doubled", "double_counted"),
    ),
    Planted(
        "a matrix read by its rows",
        "transformer",
        "attended",
        (Swap(_LINEAR, "w[k * N + c]", "w[c * K + k]"),),
        ("filter_io_swap", "wrong_layout", "transpose_xy", "index_map", "wrong_partner"),
    ),
    Planted(
        "a cubic term ten times as large",
        "transformer",
        "hidden",
        (Swap(_GELU, "0.044715", "0.44715"),),
        ("wrong_literal", "alpha", "scale", "wrong_function"),
    ),
    Planted(
        "a curve without its half",
        "transformer",
        "hidden",
        (Swap(_GELU, "return 0.5 * v", "return v"),),
        ("scale",),
    ),
    Planted(
        "the row's bias",
        "transformer",
        "hidden",
        (Swap(_GELU, "vec4 acc = c[col];", "vec4 acc = c[row % n4];"),),
        ("bias_offset", "index_map"),
    ),
    Planted(
        "columns beyond the last one written",
        "transformer",
        "hidden",
        (Swap(_GELU, "if (row >= M || col >= n4) return;", "if (row >= M) return;"),),
        ("write_race",),
    ),
)

PAIRS = (
    Planted(
        "the first head's keys, and a factor taken twice",
        "transformer",
        "scores",
        (
            Swap(_QK, "j * 3 * width + width + h * head", "j * 3 * width + width"),
            Swap(_QK, "acc * scale", "acc * scale * scale"),
        ),
        ("index_map", "channel_permutation", "wrong_partner"),
        ("scale",),
    ),
    Planted(
        "no bias, and a curve of another name",
        "transformer",
        "hidden",
        (
            Swap(_GELU, "vec4 acc = c[col];", "vec4 acc = vec4(0.0);"),
            Swap(_GELU, _CURVE, "v / (1.0 + exp(-v))"),
        ),
        ("bias_missing",),
        ("wrong_function",),
    ),
)

HEALTHY = (
    Healthy("as it is: transformer", "transformer"),
    Healthy(
        "a mean of squares less the squared mean",
        "transformer",
        (
            Swap(_STATS, "float d = x[row * n + i] - mu;", "float d = x[row * n + i];"),
            Swap(_STATS, "reduce(b) / float(n);", "max(reduce(b) / float(n) - mu * mu, 0.0);"),
        ),
    ),
    Healthy(
        "powers of two of scaled numbers",
        "transformer",
        (
            Swap(_REDUCE, "exp(s[base + i] - best)", "exp2((s[base + i] - best) * 1.44269504)"),
            Swap(_DIV, "exp(s[i] - top[row])", "exp2((s[i] - top[row]) * 1.44269504)"),
        ),
    ),
    Healthy(
        "a curve by the logistic function",
        "transformer",
        (Swap(_GELU, _CURVE, "v / (1.0 + exp(-1.5957691216 * (v + 0.044715 * v * v * v)))"),),
    ),
    Healthy(
        "dots of four by four",
        "transformer",
        (
            Swap(
                _QK,
                "for (int d = 0; d < head; ++d) acc += qkv[q + d] * qkv[k + d];",
                "for (int d = 0; d < head; d += 4)\n"
                "        acc += dot(vec4(qkv[q + d], qkv[q + d + 1], qkv[q + d + 2], qkv[q + d + 3]),\n"
                "                   vec4(qkv[k + d], qkv[k + d + 1], qkv[k + d + 2], qkv[k + d + 3]));",
            ),
        ),
    ),
    Healthy(
        "a bias and what was skipped before the product",
        "transformer",
        (
            Swap(_LINEAR, "float acc = bias[c];", "float acc = skip[row * N + c] + bias[c];"),
            Swap(_LINEAR, "acc + skip[row * N + c];", "acc;"),
        ),
    ),
)
