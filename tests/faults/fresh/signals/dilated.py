"""Slips in stacks of dilated causal convolutions on folded sequences."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_SLOT = "        int s = t - (K - 1 - k) * D;\n        if (s < 0) continue;"

FAULTS = (
    Planted(
        "taps counted back from the present",
        "wavenet",
        "h0",
        (Swap("causal.frag", "s = t + k - (K - 1);", "s = t - k;"),),
        ("kernel_flip", "index_map"),
    ),
    Planted(
        "taps side by side in a dilated layer",
        "wavenet",
        "z0",
        (Swap("gate.frag", "t - (K - 1 - k) * D;", "t - (K - 1 - k);"),),
        ("dilation", "index_map"),
    ),
    Planted(
        "taps around the present instead of before it",
        "wavenet",
        "z0",
        (
            Swap(
                "gate.frag",
                _SLOT,
                "        int s = t + (k - K / 2) * D;\n        if (s < 0 || s >= T) continue;",
            ),
        ),
        ("shift", "index_map"),
    ),
    Planted(
        "gates one filter on instead of half of them",
        "wavenet",
        "z0",
        (Swap("gate.frag", "at(w, j + C * C * K)", "at(w, j + C * K)"),),
        ("filter_offset", "index_map"),
    ),
    Planted(
        "the gate squashed as the signal and the signal as the gate",
        "wavenet",
        "z0",
        (Swap("gate.frag", "tanh(a.x) / (1. + exp(-a.y))", "tanh(a.y) / (1. + exp(-a.x))"),),
        ("wrong_input", "wrong_partner", "wrong_function", "channel_permutation", "index_map"),
    ),
    Planted(
        "the block's own output on its residual way",
        "wavenet",
        "h1",
        (Swap("mix.frag", "at(before, i)", "at(z, i)"),),
        ("wrong_input", "wrong_partner"),
    ),
    Planted(
        "a residual mixed by columns of its weights",
        "wavenet",
        "h1",
        (Swap("mix.frag", "at(w, o * C + c)", "at(w, c * C + o)"),),
        ("filter_io_swap", "index_map", "wrong_layout"),
    ),
    Planted(
        "what there was before added at every channel",
        "wavenet",
        "h1",
        (
            Swap(
                "mix.frag",
                "++c) acc += at(w, o * C + c) * at(z, c * T + t);\n    acc += at(before, i);",
                "++c) {\n        acc += at(w, o * C + c) * at(z, c * T + t);\n        acc += at(before, i);\n    }",
            ),
        ),
        ("bias_doubled", "scale", "double_counted"),
    ),
    Planted(
        "rows of the skip's weights one apart",
        "wavenet",
        "s0",
        (Swap("one.frag", "j = i / T * C,", "j = i / T,"),),
        ("filter_offset", "index_map"),
    ),
    Planted(
        "the skip's bias by moments",
        "wavenet",
        "s0",
        (Swap("one.frag", "y = at(b, i / T);", "y = at(b, t % 5);"),),
        ("bias_offset", "index_map"),
    ),
    Planted(
        "the second block as far apart as the first",
        "wavenet",
        "z1",
        (Swap("pipeline.toml", "uniforms.D = 5", "uniforms.D = 2"),),
        ("dilation", "index_map"),
        in_text=False,
    ),
    Planted(
        "the sum of skips rectified before it is one",
        "wavenet",
        "skip",
        (
            Swap(
                "mix.frag",
                "    acc += at(before, i);\n#ifdef RECTIFY\n    acc = max(acc, 0.);\n#endif\n",
                "#ifdef RECTIFY\n    acc = max(acc, 0.);\n#endif\n    acc += at(before, i);\n",
            ),
        ),
        ("activation_before_bias", "wrong_function"),
    ),
    Planted(
        "a share of a class in place of its logarithm",
        "wavenet",
        "logp",
        (Swap("logp.frag", "y = own - top - log(sum);", "y = exp(own - top) / sum;"),),
        ("wrong_function", "activation_missing", "activation_extra"),
    ),
    Planted(
        "a moment from the fraction of a quotient",
        "wavenet",
        "h0",
        (Swap("causal.frag", "t = i % T;", "t = int(fract(float(i) / float(T)) * float(T));"),),
        ("float_index_precision", "index_map"),
    ),
)

PAIRS = (
    Planted(
        "taps side by side, and a straight line for the hyperbolic tangent",
        "wavenet",
        "z0",
        (
            Swap("gate.frag", "t - (K - 1 - k) * D;", "t - (K - 1 - k);"),
            Swap("gate.frag", "y = tanh(a.x) /", "y = clamp(a.x, -1., 1.) /"),
        ),
        ("dilation", "index_map"),
        ("wrong_function",),
    ),
)

HEALTHY = (
    Healthy(
        "the gated product over one divisor",
        "wavenet",
        (
            Swap(
                "gate.frag",
                "    y = tanh(a.x) / (1. + exp(-a.y));",
                "    float e = exp(-2. * abs(a.x));\n    y = sign(a.x) * (1. - e) / ((1. + e) * (1. + exp(-a.y)));",
            ),
        ),
    ),
    Healthy(
        "a residual that starts from before and goes down the channels",
        "wavenet",
        (
            Swap("mix.frag", "float acc = at(b, o);", "float acc = at(before, i);"),
            Swap("mix.frag", "for (int c = 0; c < C; ++c)", "for (int c = C - 1; c >= 0; --c)"),
            Swap("mix.frag", "    acc += at(before, i);\n", "    acc += at(b, o);\n"),
        ),
    ),
)
