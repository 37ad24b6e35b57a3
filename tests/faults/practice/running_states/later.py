"""Further bugs of steps, norms and streams."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

FAULTS: tuple[Planted, ...] = (
    Planted(
        "a sum in a macro without brackets",
        "convlstm",
        "gates",
        (
            Swap(
                "gates.frag",
                "layout(location = 0) out vec4 o_gates;",
                "layout(location = 0) out vec4 o_gates;\n\n#define ALL INPUTS + HIDDEN",
            ),
            Swap("gates.frag", "int row = (o * (INPUTS + HIDDEN) + c) * 3 + dy;", "int row = (o * ALL + c) * 3 + dy;"),
        ),
        ("index_map", "filter_offset", "wrong_partner"),
    ),
    Planted(
        "a state that is never read",
        "convlstm",
        "gates",
        (Swap("gates.frag", "c < INPUTS + HIDDEN; c++", "c < INPUTS; c++"),),
        ("missing_channels",),
    ),
    Planted(
        "no border at the right",
        "convlstm",
        "gates",
        (Swap("gates.frag", "p.x >= u_size.x || p.y >= u_size.y", "p.y >= u_size.y"),),
        ("tile_bleed", "padding_mode"),
    ),
    Planted(
        "the lane of the unit for that of the channel",
        "convlstm",
        "cell",
        (Swap("cell.frag", "[channel % 4]", "[c % 4]"),),
        ("index_map", "channel_permutation", "wrong_partner"),
    ),
    Planted(
        "a cell kept behind its tangent",
        "convlstm",
        "cell",
        (Swap("cell.frag", "cell[lane] = next;", "cell[lane] = tanh(next);"),),
        ("activation_extra", "wrong_function"),
    ),
    Planted(
        "the bias of the input twice",
        "gru",
        "gates",
        (Swap("gates.frag", "AT(t_bw, j, 0) + AT(t_br, j, 0)", "AT(t_bw, j, 0) + AT(t_bw, j, 0)"),),
        ("wrong_input", "bias_doubled", "bias_missing", "double_counted", "wrong_partner"),
    ),
    Planted(
        "a sigmoid without its brackets",
        "gru",
        "gates",
        (Swap("gates.frag", "1.0 / (1.0 + exp(-v))", "1.0 / 1.0 + exp(-v)"),),
        ("wrong_function",),
    ),
    Planted(
        "the state's bias past the reset",
        "gru",
        "candidate",
        (
            Swap("candidate.frag", "float from_state = AT(t_br, row, 0);", "float from_state = 0.0;"),
            Swap(
                "candidate.frag",
                "tanh(from_input + reset * from_state)",
                "tanh(from_input + reset * from_state + AT(t_br, row, 0))",
            ),
        ),
        ("scale",),
    ),
    Planted(
        "the gate's complement",
        "gru",
        "state",
        (Swap("state.frag", "mix(n, h, z)", "mix(n, h, 1.0 - z)"),),
        ("wrong_partner", "activation_extra", "wrong_function"),
    ),
    Planted(
        "a total over as many choices as states",
        "gru",
        "choice",
        (
            Swap(
                "choice.frag",
                "    for (int j = 0; j < u_choices; ++j) {\n        total",
                "    for (int j = 0; j < u_hidden; ++j) {\n        total",
            ),
        ),
        ("extra_channels",),
    ),
    Planted(
        "means from top to bottom",
        "norms",
        "mean",
        (Swap("mean.frag", "texel.y * u_cols_out + texel.x", "texel.x * u_cols_out + texel.y"),),
        ("index_map", "transpose_xy", "channel_permutation"),
    ),
    Planted(
        "width and height added",
        "norms",
        "mean",
        (Swap("mean.frag", "float(WIDTH * HEIGHT)", "float(WIDTH + HEIGHT)"),),
        ("average_count", "wrong_function"),
    ),
    Planted(
        "a sum begun at every row",
        "norms",
        "variance",
        (
            Swap("variance.frag", "float sum = 0.0;", "float sum;"),
            Swap(
                "variance.frag",
                "    for (int y = 0; y < HEIGHT; ++y) {\n",
                "    for (int y = 0; y < HEIGHT; ++y) {\n        sum = 0.0;\n",
            ),
        ),
        ("missing_taps", "missing_channels"),
    ),
    Planted(
        "the slope above zero",
        "norms",
        "instance",
        (Swap("instance.frag", "v >= 0.0", "v <= 0.0"),),
        ("wrong_function",),
    ),
    Planted(
        "channels as if pictures came last",
        "norms",
        "instance",
        (Swap("instance.frag", "int c = tile % CHANNELS;", "int c = tile / 2;"),),
        ("index_map", "wrong_partner", "bias_offset"),
    ),
    Planted(
        "the squared mean over the count",
        "norms",
        "grouped",
        (Swap("grouped.frag", "squares / count - mean * mean", "(squares - mean * mean) / count"),),
        ("scale", "average_count"),
    ),
    Planted(
        "divided by the variance",
        "norms",
        "grouped",
        (Swap("grouped.frag", "/ sqrt(variance + u_eps)", "/ (variance + u_eps)"),),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "gain and shift exchanged",
        "norms",
        "grouped",
        (Swap("grouped.frag", "gamma * unit + beta", "beta * unit + gamma"),),
        ("wrong_partner", "wrong_input"),
    ),
    Planted(
        "exponent and base exchanged",
        "norms",
        "response",
        (Swap("response.frag", "pow(norm, u_beta)", "pow(u_beta, norm)"),),
        ("wrong_function", "wrong_partner"),
    ),
    Planted(
        "a window from five before",
        "norms",
        "response",
        (Swap("response.frag", "max(c - SIZE / 2, 0)", "max(c - SIZE, 0)"),),
        ("extra_channels",),
    ),
    Planted(
        "pictures by what goes in",
        "norms",
        "gated",
        (Swap("gated.frag", "int n = tile / HALF;", "int n = tile / CHANNELS;"),),
        ("index_map",),
    ),
    Planted(
        "the new distance not damped",
        "stream",
        "spread",
        (
            Swap(
                "spread.frag",
                "(1.0 - u_rate) * (before + u_rate * away * away)",
                "(1.0 - u_rate) * before + u_rate * away * away",
            ),
        ),
        ("scale",),
    ),
    Planted(
        "kept within bounds before it is divided",
        "stream",
        "whitened",
        (Swap("whitened.frag", "clamp(away / deviation, -LIMIT, LIMIT)", "clamp(away, -LIMIT, LIMIT) / deviation"),),
        ("wrong_function",),
    ),
    Planted(
        "steepness outside the sigmoid",
        "stream",
        "swish",
        (Swap("swish.frag", "x / (1.0 + exp(-u_steepness * x))", "u_steepness * x / (1.0 + exp(-x))"),),
        ("wrong_function", "scale", "alpha"),
    ),
)
