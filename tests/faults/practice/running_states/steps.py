"""Slips in the steps of recurrent networks: which gate, which state, which order, what is applied to which part."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_INPUT_AT = """    if (p.x < 0 || p.y < 0 || p.x >= u_size.x || p.y >= u_size.y) return 0.0;"""

FAULTS = (
    Planted(
        "the bias of the recurrent half forgotten",
        "gru",
        "gates",
        (Swap("gates.frag", "AT(t_bw, j, 0) + AT(t_br, j, 0)", "AT(t_bw, j, 0)"),),
        ("bias_missing",),
    ),
    Planted(
        "the update gate first, as another framework has it",
        "gru",
        "gates",
        (
            Swap(
                "gates.frag",
                "    int j = int(gl_FragCoord.x);",
                "    int j = (int(gl_FragCoord.x) + u_hidden) % (2 * u_hidden);",
            ),
        ),
        ("channel_permutation", "index_map", "filter_offset"),
    ),
    Planted(
        "the recurrent sum as long as the input",
        "gru",
        "gates",
        (Swap("gates.frag", "k < u_hidden", "k < u_inputs"),),
        ("missing_channels", "missing_taps"),
    ),
    Planted(
        "a hard sigmoid for the gates",
        "gru",
        "gates",
        (Swap("gates.frag", "return 1.0 / (1.0 + exp(-v));", "return clamp(0.2 * v + 0.5, 0.0, 1.0);"),),
        ("wrong_function",),
    ),
    Planted(
        "a sigmoid without its minus",
        "gru",
        "gates",
        (Swap("gates.frag", "exp(-v)", "exp(v)"),),
        ("wrong_function", "affine", "scale"),
    ),
    Planted(
        "the update gate where the reset gate belongs",
        "gru",
        "candidate",
        (Swap("candidate.frag", "AT(t_gates, j, b)", "AT(t_gates, u_hidden + j, b)"),),
        ("wrong_input", "index_map", "wrong_partner", "shift"),
    ),
    Planted(
        "the reset gate over both halves of the sum",
        "gru",
        "candidate",
        (
            Swap(
                "candidate.frag",
                "tanh(from_input + reset * from_state)",
                "tanh(reset * (from_input + from_state))",
            ),
        ),
        ("wrong_partner",),
    ),
    Planted(
        "the reset gate inside the recurrent product",
        "gru",
        "candidate",
        (
            Swap("candidate.frag", "AT(t_h, k, b) * AT", "AT(t_gates, k, b) * AT(t_h, k, b) * AT"),
            Swap("candidate.frag", "float from_state = AT(t_br, row, 0);", "float from_state = 0.0;"),
            Swap("candidate.frag", "reset * from_state", "from_state + reset * AT(t_br, row, 0)"),
        ),
        ("wrong_partner", "index_map"),
    ),
    Planted(
        "a candidate that is not squashed",
        "gru",
        "candidate",
        (Swap("candidate.frag", "tanh(from_input + reset * from_state)", "from_input + reset * from_state"),),
        ("activation_missing",),
    ),
    Planted(
        "the rows of the update gate for the candidate",
        "gru",
        "candidate",
        (Swap("candidate.frag", "int row = 2 * u_hidden + j;", "int row = u_hidden + j;"),),
        ("filter_offset", "index_map", "bias_offset"),
    ),
    Planted(
        "a rational tanh that is too rough",
        "gru",
        "candidate",
        (
            Swap(
                "candidate.frag",
                "    candidate = tanh(from_input + reset * from_state);",
                "    float v = clamp(from_input + reset * from_state, -3.0, 3.0);\n"
                "    candidate = v * (27.0 + v * v) / (27.0 + 9.0 * v * v);",
            ),
        ),
        ("wrong_function", "precision"),
    ),
    Planted(
        "old and new mixed the other way round",
        "gru",
        "state",
        (Swap("state.frag", "mix(n, h, z)", "mix(h, n, z)"),),
        ("wrong_input", "wrong_partner"),
    ),
    Planted(
        "one minus forgotten",
        "gru",
        "state",
        (Swap("state.frag", "mix(n, h, z)", "z * n + z * h"),),
        ("activation_missing", "wrong_function", "wrong_input"),
    ),
    Planted(
        "the reset gate read for the update gate",
        "gru",
        "state",
        (Swap("state.frag", "texelFetch(t_gates, at + ivec2(u_hidden, 0), 0)", "texelFetch(t_gates, at, 0)"),),
        ("wrong_input", "index_map", "shift"),
    ),
    Planted(
        "the state bound where it is the candidate's turn",
        "gru",
        "state",
        (Swap("pipeline.toml", 'textures.t_candidate = "candidate"', 'textures.t_candidate = "h"'),),
        ("wrong_input", "stale_tensor"),
        in_text=False,
    ),
    Planted(
        "a softmax over the largest share",
        "gru",
        "choice",
        (
            Swap(
                "choice.frag",
                "total += exp(score(j, at.y) - largest);",
                "total = max(total, exp(score(j, at.y) - largest));",
            ),
        ),
        ("wrong_function",),
    ),
    Planted(
        "a softmax whose sum begins at the second",
        "gru",
        "choice",
        (
            Swap(
                "choice.frag",
                "    float total = 0.0;\n    for (int j = 0;",
                "    float total = 0.0;\n    for (int j = 1;",
            ),
        ),
        ("missing_channels", "missing_taps"),
    ),
    Planted(
        "a softmax of powers of two",
        "gru",
        "choice",
        (
            Swap("choice.frag", "total += exp(", "total += exp2("),
            Swap("choice.frag", "share = exp(", "share = exp2("),
        ),
        ("wrong_function", "scale"),
    ),
    Planted(
        "borders of the frame repeated",
        "convlstm",
        "gates",
        (Swap("gates.frag", _INPUT_AT, "    p = clamp(p, ivec2(0), u_size - 1);"),),
        ("padding_mode",),
    ),
    Planted(
        "the state before the input",
        "convlstm",
        "gates",
        (
            Swap(
                "gates.frag",
                "    if (c < INPUTS) return fromTiles(u_x, u_cols_x, c, p);\n"
                "    return fromTiles(u_h, u_cols_h, c - INPUTS, p);",
                "    if (c < HIDDEN) return fromTiles(u_h, u_cols_h, c, p);\n"
                "    return fromTiles(u_x, u_cols_x, c - HIDDEN, p);",
            ),
        ),
        ("channel_permutation", "index_map", "wrong_partner", "filter_offset"),
    ),
    Planted(
        "the bias of the first of four",
        "convlstm",
        "gates",
        (Swap("gates.frag", "ivec2(o, 0)", "ivec2(o / 4 * 4, 0)"),),
        ("bias_offset", "index_map"),
    ),
    Planted(
        "columns of the window down the rows",
        "convlstm",
        "gates",
        (Swap("gates.frag", "ivec2(dx - 1, dy - 1)", "ivec2(dy - 1, dx - 1)"),),
        ("kernel_transpose",),
    ),
    Planted(
        "the cell bound for the hidden state",
        "convlstm",
        "gates",
        (Swap("pipeline.toml", 'textures.u_h = "h"', 'textures.u_h = "c"'),),
        ("wrong_input",),
        in_text=False,
    ),
    Planted(
        "gates in the order i, f, g, o",
        "convlstm",
        "cell",
        (Swap("cell.frag", "OUTPUT = 2, CANDIDATE = 3;", "OUTPUT = 3, CANDIDATE = 2;"),),
        ("wrong_input", "channel_permutation", "index_map", "wrong_partner"),
    ),
    Planted(
        "a forget gate without its sigmoid",
        "convlstm",
        "cell",
        (Swap("cell.frag", "float keep = sigm(gate(FORGET, c, p));", "float keep = gate(FORGET, c, p);"),),
        ("activation_missing",),
    ),
    Planted(
        "one added to the forget gate",
        "convlstm",
        "cell",
        (Swap("cell.frag", "sigm(gate(FORGET, c, p))", "sigm(gate(FORGET, c, p) + 1.0)"),),
        ("affine", "wrong_function"),
    ),
    Planted(
        "the hidden state of the cell before",
        "convlstm",
        "cell",
        (Swap("cell.frag", "tanh(next)", "tanh(before[lane])"),),
        ("wrong_input", "stale_tensor"),
    ),
    Planted(
        "a hidden state without its tanh",
        "convlstm",
        "cell",
        (Swap("cell.frag", "* tanh(next)", "* next"),),
        ("activation_missing",),
    ),
    Planted(
        "a state capped to colours",
        "convlstm",
        "cell",
        (Swap("cell.frag", "o_cell = cell;", "o_cell = clamp(cell, 0.0, 1.0);"),),
        ("clamped_0_1",),
    ),
)

PAIRS = (
    Planted(
        "no recurrent bias, and the update gate for the reset gate",
        "gru",
        "candidate",
        (
            Swap("candidate.frag", "float from_state = AT(t_br, row, 0);", "float from_state = 0.0;"),
            Swap("candidate.frag", "AT(t_gates, j, b)", "AT(t_gates, u_hidden + j, b)"),
        ),
        ("bias_missing",),
        ("wrong_input", "index_map", "wrong_partner", "shift"),
    ),
    Planted(
        "borders repeated, and no bias",
        "convlstm",
        "gates",
        (
            Swap("gates.frag", _INPUT_AT, "    p = clamp(p, ivec2(0), u_size - 1);"),
            Swap("gates.frag", "float sum = texelFetch(u_bias, ivec2(o, 0), 0).r;", "float sum = 0.0;"),
        ),
        ("padding_mode",),
        ("bias_missing",),
    ),
    Planted(
        "no sigmoid to forget, no tanh to show",
        "convlstm",
        "cell",
        (
            Swap("cell.frag", "float keep = sigm(gate(FORGET, c, p));", "float keep = gate(FORGET, c, p);"),
            Swap("cell.frag", "* tanh(gate(CANDIDATE, c, p))", "* gate(CANDIDATE, c, p)"),
        ),
        ("activation_missing",),
        ("activation_missing",),
    ),
)

HEALTHY = (
    Healthy(
        "a sigmoid by tanh",
        "gru",
        (Swap("gates.frag", "1.0 / (1.0 + exp(-v))", "0.5 * tanh(0.5 * v) + 0.5"),),
    ),
    Healthy(
        "sums from the last term, the state first",
        "gru",
        (
            Swap("gates.frag", "int i = 0; i < u_inputs; ++i", "int i = u_inputs - 1; i >= 0; --i"),
            Swap("gates.frag", "int k = 0; k < u_hidden; ++k", "int k = u_hidden - 1; k >= 0; --k"),
        ),
    ),
    Healthy(
        "a mix written as a step",
        "gru",
        (Swap("state.frag", "mix(n, h, z)", "n + z * (h - n)"),),
    ),
    Healthy(
        "a softmax that trusts its range",
        "gru",
        (
            Swap("choice.frag", "total += exp(score(j, at.y) - largest);", "total += exp(score(j, at.y));"),
            Swap("choice.frag", "exp(score(at.x, at.y) - largest)", "exp(score(at.x, at.y))"),
        ),
    ),
    Healthy(
        "gates by powers of two",
        "convlstm",
        (Swap("cell.frag", "1.0 / (1.0 + exp(-v))", "1.0 / (1.0 + exp2(-1.44269504089 * v))"),),
    ),
)
