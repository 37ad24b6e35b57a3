"""Faults of the pipeline tokens: a block of a language model on storage buffers."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_TOML = "pipeline.toml"


def _fault(
    name: str, culprit: str, swaps: tuple[Swap, ...], *causes: str, others: tuple[str, ...] = (), in_text: bool = True
) -> Planted:
    return Planted(name, "tokens", culprit, swaps, causes, others, in_text)


_EPSILON_OUTSIDE = Swap("rms_norm.comp", "inversesqrt(mean + u_eps)", "1.0 / (sqrt(mean) + u_eps)")
_GAMMA = Swap("rms_norm.comp", "scale * gamma[i]", "scale * gamma[tid]")
_WHOLE_TILES = Swap("matmul.comp", "t < UP_DIV(K, TS)", "t < K / TS")
_BIAS_OF_ROW = Swap("matmul.comp", "EXTRA(m, n) extra[n]", "EXTRA(m, n) extra[m]")
_KEY_START = Swap(_TOML, "uniforms.u_first = 24", "uniforms.u_first = 0")
_SCALE = Swap("attn_probs.comp", "= inversesqrt(float(D))", "= 1.0 / float(D)")
_HEAD = Swap("attn_probs.comp", "hk = h / (H / HK)", "hk = h % HK")
_ROPE_PAIRS = (
    Swap("rope.comp", "lo = i;", "lo = 2 * i;"),
    Swap("rope.comp", "hi = i + half_dim;", "hi = 2 * i + 1;"),
)

FAULTS = (
    _fault("normed: epsilon beside the root", "normed", (_EPSILON_OUTSIDE,), "epsilon"),
    _fault("normed: sum for a mean", "normed", (Swap("rms_norm.comp", "acc[0] / float(u_shape.y)", "acc[0]"),),
           "average_count"),
    _fault("normed: gain of the thread", "normed", (_GAMMA,), "wrong_partner", "index_map"),
    _fault("normed: reduction from a quarter", "normed", (Swap("rms_norm.comp", "n = THREADS / 2", "n = THREADS / 4"),),
           "missing_channels"),
    _fault("qkv: next tile before all have read", "qkv",
           (Swap("matmul.comp", "        barrier();\n    }\n", "    }\n"),), "missing_barrier"),
    _fault("qkv: bias of the row", "qkv", (_BIAS_OF_ROW,), "bias_offset"),
    _fault("qkv: whole tiles only", "qkv", (_WHOLE_TILES,), "missing_channels"),
    _fault("qkv: tile of the right matrix on its side", "qkv",
           (Swap("matmul.comp", "tile_a[ty][k] * tile_b[k][tx]", "tile_a[ty][k] * tile_b[tx][k]"),),
           "index_map", "wrong_partner", "filter_io_swap"),
    _fault("query: neighbours turned", "query", _ROPE_PAIRS, "wrong_partner", "index_map"),
    _fault("query: angles of the head", "query",
           (Swap("rope.comp", "cs = cosines[t * half_dim + i]", "cs = cosines[h * half_dim + i]"),
            Swap("rope.comp", "sn = sines[t * half_dim + i]", "sn = sines[h * half_dim + i]")),
           "wrong_partner", "index_map"),
    _fault("query: both halves with a plus", "query", (Swap("rope.comp", "x0 * cs - x1 * sn", "x0 * cs + x1 * sn"),),
           "wrong_function"),
    _fault("query: second half turned already", "query",
           (Swap("rope.comp", "dst[to + hi] = x1 * cs + x0 * sn", "dst[to + hi] = x0 * cs + x1 * sn"),),
           "wrong_partner", "index_map"),
    _fault("key: start of the queries", "key", (_KEY_START,), "shift", "index_map", in_text=False),
    _fault("key: tables exchanged", "key",
           (Swap(_TOML, 'Cos = "cosines"\nbuffers.Sin = "sines"\nbuffers.Dst = "key"',
                 'Cos = "sines"\nbuffers.Sin = "cosines"\nbuffers.Dst = "key"'),), "wrong_input", in_text=False),
    _fault("probs: one token ahead", "probs",
           (Swap("attn_probs.comp", "    for (int s = tid; s <= t; s += THREADS) {\n        float dot_",
                 "    for (int s = tid; s <= min(t + 1, T - 1); s += THREADS) {\n        float dot_"),
            Swap("attn_probs.comp", "    for (int s = tid; s <= t; s += THREADS) {\n        const float e",
                 "    for (int s = tid; s <= min(t + 1, T - 1); s += THREADS) {\n        const float e"),
            Swap("attn_probs.comp", "s <= t ? scores[s]", "s <= t + 1 ? scores[s]")), "extra_channels"),
    _fault("probs: no root in the scale", "probs", (_SCALE,), "scale"),
    _fault("probs: heads dealt in turn", "probs", (_HEAD,), "group_ignored", "index_map", "wrong_partner"),
    _fault("probs: sum of one thread", "probs",
           (Swap("attn_probs.comp", "total += scratch[i];", "total += scratch[0];"),), "index_map", "double_counted",
           "missing_channels"),
    _fault("mixed: heads before tokens", "mixed",
           (Swap("attn_mix.comp", "y[t * H * D + col]", "y[(h * T + t) * D + d]"),), "index_map", "wrong_layout"),
    _fault("mixed: weights on their side", "mixed",
           (Swap("attn_mix.comp", "p[(h * T + t) * T + s]", "p[(h * T + s) * T + t]"),),
           "transpose_xy", "wrong_partner", "index_map"),
    _fault("mixed: values a head wide", "mixed", (Swap(_TOML, "uniforms.u_first = 36", "uniforms.u_first = 30"),),
           "shift", "index_map", in_text=False),
    _fault("attended: the normed rows come back", "attended",
           (Swap(_TOML, 'buffers.Extra = "tokens"', 'buffers.Extra = "normed"'),), "wrong_input", in_text=False),
    _fault("attended: the first row for all", "attended",
           (Swap(_TOML, 'buffers.C = "attended"', 'buffers.C = "attended"\ndefines.PER_COLUMN = true'),),
           "bias_offset", "index_map", in_text=False),
    _fault("ffn: weights exchanged", "ffn",
           (Swap(_TOML, 'buffers.Gate = "ffn.gate"\nbuffers.Up = "ffn.up"',
                 'buffers.Gate = "ffn.up"\nbuffers.Up = "ffn.gate"'),), "wrong_input", in_text=False),
    _fault("ffn: no curve on the gate", "ffn", (Swap("swiglu.comp", "g / (1.0 + exp(-g)) * u", "g * u"),),
           "activation_missing"),
    _fault("ffn: third line like the second", "ffn",
           (Swap("swiglu.comp", "g += v.z * gate[w + 2 * u_size.z];", "g += v.z * gate[w + u_size.z];"),),
           "wrong_partner", "index_map"),
)  # fmt: skip

PAIRS = (
    _fault("normed: epsilon outside and gain of the thread", "normed", (_EPSILON_OUTSIDE, _GAMMA), "epsilon",
           others=("wrong_partner", "index_map")),
    _fault("qkv: whole tiles and bias of the row", "qkv", (_WHOLE_TILES, _BIAS_OF_ROW), "missing_channels",
           others=("bias_offset",)),
    _fault("probs: scale and heads", "probs", (_SCALE, _HEAD), "scale",
           others=("group_ignored", "index_map", "wrong_partner")),
)  # fmt: skip

HEALTHY = (
    Healthy(
        "matmul: no shared memory",
        "tokens",
        (
            Swap(
                "matmul.comp",
                """    for (int t = 0; t < UP_DIV(K, TS); ++t) {
        const int ka = t * TS + tx;
        const int kb = t * TS + ty;
        tile_a[ty][tx] = (row < M && ka < K) ? a[row * K + ka] : 0.0;
        tile_b[ty][tx] = (kb < K && col < N) ? b[kb * N + col] : 0.0;
        barrier();
        for (int k = 0; k < TS; ++k) {
            sum += tile_a[ty][k] * tile_b[k][tx];
        }
        barrier();
    }

    if (row >= M || col >= N) return;
""",
                """    if (row >= M || col >= N) return;
    for (int k = 0; k < K; ++k) {
        sum += a[row * K + k] * b[k * N + col];
    }
""",
            ),
            Swap("matmul.comp", "shared float tile_a[TS][TS];\nshared float tile_b[TS][TS];\n\n", ""),
        ),
    ),
    Healthy(
        "rope: a turn by a matrix",
        "tokens",
        (
            Swap(
                "rope.comp",
                """    dst[to + lo] = x0 * cs - x1 * sn;
    dst[to + hi] = x1 * cs + x0 * sn;
""",
                """    const vec2 turned = mat2(cs, sn, -sn, cs) * vec2(x0, x1);
    dst[to + lo] = turned.x;
    dst[to + hi] = turned.y;
""",
            ),
        ),
    ),
    Healthy(
        "probs: queries scaled before the product",
        "tokens",
        (
            Swap("attn_probs.comp", "dot_ += q[(t * H + h) * D + d] * k", "dot_ += q[(t * H + h) * D + d] * scale * k"),
            Swap("attn_probs.comp", "scores[s] = dot_ * scale;", "scores[s] = dot_;"),
            Swap("attn_probs.comp", "max(top, dot_ * scale)", "max(top, dot_)"),
        ),
    ),
    Healthy(
        "ffn: a share, and lanes in a loop",
        "tokens",
        (
            Swap("swiglu.comp", "g / (1.0 + exp(-g)) * u", "1.0 / (1.0 + exp(-g)) * (g * u)"),
            Swap(
                "swiglu.comp",
                """        u += v.x * up[w];
        u += v.y * up[w + u_size.z];
        u += v.z * up[w + 2 * u_size.z];
        u += v.w * up[w + 3 * u_size.z];
""",
                """        for (int l = 0; l < 4; ++l) {
            u += v[l] * up[w + l * u_size.z];
        }
""",
            ),
        ),
    ),
)
