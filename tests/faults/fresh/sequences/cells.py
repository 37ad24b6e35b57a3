"""Slips in the cells: an LSTM with peepholes and a clipped projection, and a convolutional GRU of packed channels."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

_LSTM_GATES = (
    Planted(
        "the recurrent rows of the input gate for all gates",
        "lstm",
        "gates",
        (Swap("gates.frag", "texelFetch(R, ivec2(k, p.x), 0)", "texelFetch(R, ivec2(k, p.x % nh), 0)"),),
        ("filter_offset", "index_map"),
    ),
    Planted(
        "the first feature of a frame is skipped",
        "lstm",
        "gates",
        (Swap("gates.frag", "for (int k = 0; k < nx; k++)", "for (int k = 1; k < nx; k++)"),),
        ("missing_channels",),
    ),
    Planted(
        "a bias chosen by the sequence instead of the gate",
        "lstm",
        "gates",
        (Swap("gates.frag", "texelFetch(b, ivec2(p.x, 0), 0)", "texelFetch(b, ivec2(p.y, 0), 0)"),),
        ("bias_offset", "index_map"),
    ),
)

_LSTM_CELL = (
    Planted(
        "peepholes of input and forget gate bound the other way round",
        "lstm",
        "cell",
        (
            Swap("pipeline.toml", 'textures.pi = { tensor = "pi"', 'textures.pi = { tensor = "pf"'),
            Swap("pipeline.toml", 'textures.pf = { tensor = "pf"', 'textures.pf = { tensor = "pi"'),
        ),
        ("wrong_input", "wrong_partner"),
        in_text=False,
    ),
    Planted(
        "the candidate from the last quarter, as in i f o g",
        "lstm",
        "cell",
        (Swap("cell.frag", "p + ivec2(2 * H, 0)", "p + ivec2(3 * H, 0)"),),
        ("index_map", "wrong_input", "wrong_partner", "channel_permutation", "shift"),
    ),
    Planted(
        "the candidate squashed like a gate",
        "lstm",
        "cell",
        (Swap("cell.frag", "o = f * cc + i * tanh(g);", "o = f * cc + i * sg(g);"),),
        ("wrong_function",),
    ),
    Planted(
        "a forget bias of one added once more",
        "lstm",
        "cell",
        (
            Swap(
                "cell.frag",
                "    f = sg(f + texelFetch(pf, ivec2(p.x, 0), 0).r * cc);",
                "    f = sg(f + 1. + texelFetch(pf, ivec2(p.x, 0), 0).r * cc);",
            ),
        ),
        ("affine", "wrong_function"),
    ),
)

_LSTM_OUT = (
    Planted(
        "the cell of the step before is bound",
        "lstm",
        "hidden",
        (Swap("pipeline.toml", 'textures.c1 = "cell"', 'textures.c1 = "c"'),),
        ("wrong_input", "wrong_partner"),
        in_text=False,
    ),
    Planted(
        "the cell goes out unsquashed",
        "lstm",
        "hidden",
        (Swap("hidden.frag", "o = tanh(cc) / (1. + exp(-a));", "o = cc / (1. + exp(-a));"),),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "no peephole at the output gate",
        "lstm",
        "hidden",
        (Swap("hidden.frag", "    a += texelFetch(po, ivec2(p.x, 0), 0).r * cc;\n", ""),),
        ("bias_missing",),
    ),
    Planted(
        "a projection clipped at zero below",
        "lstm",
        "proj",
        (Swap("proj.frag", "clamp(a, -lim, lim)", "clamp(a, 0., lim)"),),
        ("clamped_nonnegative", "alpha", "activation_extra", "wrong_function", "wrong_literal"),
    ),
    Planted(
        "the projection is clipped before its bias",
        "lstm",
        "proj",
        (
            Swap("proj.frag", "    a += texelFetch(d, ivec2(p.x, 0), 0).r;\n", ""),
            Swap("proj.frag", "clamp(a, -lim, lim);", "clamp(a, -lim, lim) + texelFetch(d, ivec2(p.x, 0), 0).r;"),
        ),
        ("activation_before_bias", "wrong_function"),
    ),
    Planted(
        "the largest score is not put back",
        "lstm",
        "lse",
        (Swap("lse.frag", "o = m + log(t);", "o = log(t);"),),
        ("bias_missing", "wrong_function"),
    ),
    Planted(
        "a logarithm of base two",
        "lstm",
        "lse",
        (Swap("lse.frag", "o = m + log(t);", "o = m + log2(t);"),),
        ("wrong_function", "scale"),
    ),
    Planted(
        "the normaliser of the first sequence for all",
        "lstm",
        "logp",
        (Swap("logp.frag", "ivec2(0, p.y)", "ivec2(0, 0)"),),
        ("index_map",),
    ),
)

_CONVGRU_GATES = (
    Planted(
        "the first filter of four in all lanes of the recurrent part",
        "convgru",
        "zr",
        (Swap("zr.frag", "kernel4(tex_wh, og * 4 + lane,", "kernel4(tex_wh, og * 4,"),),
        ("filter_offset", "index_map"),
    ),
    Planted(
        "only whole groups of the frame's channels",
        "convgru",
        "zr",
        (Swap("zr.frag", "g < X_GROUPS;", "g < 5 / 4;"),),
        ("missing_channels",),
    ),
    Planted(
        "windows that begin at the texel itself",
        "convgru",
        "zr",
        (Swap("zr.frag", "ivec2 from = at + tap - 1;", "ivec2 from = at + tap;"),),
        ("shift", "index_map"),
    ),
    Planted(
        "gates kept in bytes",
        "convgru",
        "zr",
        (
            Swap(
                "pipeline.toml",
                'output = { shape = [1, 16, 6, 9], layout = "channel_tiles_rgba" }',
                'output = { shape = [1, 16, 6, 9], layout = "channel_tiles_rgba", dtype = "uint8" }',
            ),
        ),
        ("quantized_8bit",),
        in_text=False,
    ),
    Planted(
        "the update gate's groups where the reset gate's belong",
        "convgru",
        "cand",
        (Swap("cand.frag", "feature(tex_zr, g + 2, from)", "feature(tex_zr, g, from)"),),
        ("wrong_partner", "wrong_input", "index_map", "channel_permutation", "shift"),
    ),
    Planted(
        "the reset gate of the window's middle for all its taps",
        "convgru",
        "cand",
        (Swap("cand.frag", "vec4 r = feature(tex_zr, g + 2, from);", "vec4 r = feature(tex_zr, g + 2, at);"),),
        ("wrong_partner", "index_map"),
    ),
    Planted(
        "the second group of a frame read from the first",
        "convgru",
        "cand",
        (Swap("cand.frag", "feature(tex_x, 1, from)", "feature(tex_x, 0, from)"),),
        ("index_map", "channel_permutation", "wrong_partner", "missing_channels"),
    ),
    Planted(
        "the candidate's bias at every tap",
        "convgru",
        "cand",
        (
            Swap(
                "cand.frag",
                "        acc += four(tex_wx, og, 2, 0, tap, feature(tex_x, 0, from));",
                "        acc += four(tex_wx, og, 2, 0, tap, feature(tex_x, 0, from)) + row4(tex_b, og);",
            ),
            Swap("cand.frag", "tanh(acc + row4(tex_b, og))", "tanh(acc)"),
        ),
        ("bias_doubled", "double_counted", "scale"),
    ),
)

_CONVGRU_STATE = (
    Planted(
        "the gate keeps what it should renew",
        "convgru",
        "hnew",
        (Swap("hnew.frag", "keep + z * (fresh - keep)", "fresh + z * (keep - fresh)"),),
        ("wrong_input", "wrong_partner"),
    ),
    Planted(
        "the first lane's gate for four channels",
        "convgru",
        "hnew",
        (Swap("hnew.frag", "vec4 z = feature(tex_zr, group, at);", "vec4 z = feature(tex_zr, group, at).rrrr;"),),
        ("channel_permutation", "index_map", "wrong_partner"),
    ),
    Planted(
        "a state held between zero and one",
        "convgru",
        "hnew",
        (
            Swap(
                "hnew.frag",
                "outColor = keep + z * (fresh - keep);",
                "outColor = clamp(keep + z * (fresh - keep), 0.0, 1.0);",
            ),
        ),
        ("clamped_0_1", "activation_extra", "wrong_function"),
    ),
    Planted(
        "moments that count texels, not elements",
        "convgru",
        "moments",
        (Swap("moments.frag", "float(4 * WID * HGT)", "float(WID * HGT)"),),
        ("average_count", "scale"),
    ),
    Planted(
        "epsilon beside the root of a group's variance",
        "convgru",
        "moments",
        (Swap("moments.frag", "1.0 / sqrt(variance + eps)", "1.0 / (sqrt(variance) + eps)"),),
        ("epsilon",),
    ),
    Planted(
        "a group's mean of three lanes",
        "convgru",
        "moments",
        (Swap("moments.frag", "dot(sums, vec4(1.0)) / count", "dot(sums.xyz, vec3(1.0)) / count"),),
        ("dropped_lane", "missing_channels"),
    ),
    Planted(
        "the first four shifts for all channels",
        "convgru",
        "normed",
        (Swap("normed.frag", "row4(tex_beta, group)", "row4(tex_beta, 0)"),),
        ("bias_offset", "index_map"),
    ),
    Planted(
        "a normalised state kept in halves",
        "convgru",
        "normed",
        (
            Swap(
                "pipeline.toml",
                'shader = "normed.frag"\noutput = { shape = [1, 8, 6, 9], layout = "channel_tiles_rgba" }',
                'shader = "normed.frag"\n'
                'output = { shape = [1, 8, 6, 9], layout = "channel_tiles_rgba", dtype = "float16" }',
            ),
        ),
        ("half_precision",),
        in_text=False,
    ),
)

FAULTS = (*_LSTM_GATES, *_LSTM_CELL, *_LSTM_OUT, *_CONVGRU_GATES, *_CONVGRU_STATE)

PAIRS = (
    Planted(
        "no peephole at the input gate, and the candidate squashed like a gate",
        "lstm",
        "cell",
        (
            Swap("cell.frag", "    i = sg(i + texelFetch(pi, ivec2(p.x, 0), 0).r * cc);", "    i = sg(i);"),
            Swap("cell.frag", "o = f * cc + i * tanh(g);", "o = f * cc + i * sg(g);"),
        ),
        ("bias_missing",),
        ("wrong_function",),
    ),
    Planted(
        "a mean over texels, and epsilon beside the root",
        "convgru",
        "moments",
        (
            Swap("moments.frag", "dot(sums, vec4(1.0)) / count", "dot(sums, vec4(1.0)) / float(WID * HGT)"),
            Swap("moments.frag", "1.0 / sqrt(variance + eps)", "1.0 / (sqrt(variance) + eps)"),
        ),
        ("average_count", "scale"),
        ("epsilon",),
    ),
)
