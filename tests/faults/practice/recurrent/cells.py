"""Bugs of recurrent cells: gates in another order, states not carried on, weights of another gate."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS: tuple[Planted, ...] = (
    Planted(
        "gates in the order of another framework",
        "lstm",
        "cell0",
        (
            Swap("cell.frag", "float forget = sigmoid(block(2, at));", "float forget = sigmoid(block(1, at));"),
            Swap("cell.frag", "float candidate = tanh(block(3, at));", "float candidate = tanh(block(2, at));"),
        ),
        ("index_map", "wrong_partner", "channel_permutation"),
    ),
    Planted(
        "the cell leaves without its tanh",
        "lstm",
        "hidden0",
        (Swap("hidden.frag", "hidden = tanh(cell) / (1.0 + exp(-leave));", "hidden = cell / (1.0 + exp(-leave));"),),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "a candidate squashed like a gate",
        "lstm",
        "cell0",
        (Swap("cell.frag", "float candidate = tanh(block(3, at));", "float candidate = sigmoid(block(3, at));"),),
        ("wrong_function",),
    ),
    Planted(
        "recurrent weights of the first gate for all four",
        "lstm",
        "gates0",
        (Swap("gates.frag", "texelFetch(u_R, ivec2(j, g), 0)", "texelFetch(u_R, ivec2(j, g % u_hidden), 0)"),),
        ("wrong_partner", "filter_offset", "index_map"),
    ),
    Planted(
        "the second step reads the first element of the sequence",
        "lstm",
        "gates1",
        (Swap("pipeline.toml", "uniforms.u_step = 1", "uniforms.u_step = 0"),),
        ("index_map", "shift", "wrong_input"),
        in_text=False,
    ),
    Planted(
        "one bias for the input and again for the state",
        "lstm",
        "gates0",
        (
            Swap(
                "gates.frag",
                "    gate = sum;",
                "    gate = sum + texelFetch(u_bias, ivec2(g, 0), 0).x;",
            ),
        ),
        ("bias_doubled", "double_counted"),
    ),
    Planted(
        "the state of the first sequence for the whole batch",
        "lstm",
        "gates0",
        (Swap("gates.frag", "texelFetch(u_h, ivec2(j, row), 0)", "texelFetch(u_h, ivec2(j, 0), 0)"),),
        ("index_map", "wrong_partner"),
    ),
    Planted(
        "old and new state weighted the other way about",
        "conv_gru",
        "state_next",
        (Swap("state_next.frag", "mix(old, candidate, update)", "mix(candidate, old, update)"),),
        ("wrong_input", "wrong_partner", "wrong_function"),
    ),
    Planted(
        "the reset gate read and not used",
        "conv_gru",
        "q",
        (Swap("q.frag", "vec4 h = reset * texelFetch(u_state, from, 0);", "vec4 h = texelFetch(u_state, from, 0);"),),
        ("wrong_function", "wrong_input"),
    ),
    Planted(
        "the update gate's tile where the reset gate's is meant",
        "conv_gru",
        "q",
        (
            Swap(
                "q.frag",
                "texelFetch(u_zr, ivec2(from.x + size.x, from.y), 0)",
                "texelFetch(u_zr, ivec2(from.x, from.y), 0)",
            ),
        ),
        ("index_map", "wrong_partner", "wrong_input"),
    ),
    Planted(
        "the reset gate of the middle pixel for the whole window",
        "conv_gru",
        "q",
        (
            Swap(
                "q.frag",
                "texelFetch(u_zr, ivec2(from.x + size.x, from.y), 0)",
                "texelFetch(u_zr, ivec2(at.x + size.x, at.y), 0)",
            ),
        ),
        ("wrong_partner", "index_map"),
    ),
    Planted(
        "the picture weighted as the state",
        "conv_gru",
        "zr",
        (Swap("zr.frag", "sum += weight(o, c + 4, ky, kx) * x[c];", "sum += weight(o, c, ky, kx) * x[c];"),),
        ("wrong_partner", "filter_offset"),
    ),
    Planted(
        "the border repeated where zeros count",
        "conv_gru",
        "zr",
        (
            Swap(
                "zr.frag",
                "if (from.x < 0 || from.y < 0 || from.x >= size.x || from.y >= size.y) continue;",
                "from = clamp(from, ivec2(0), size - 1);",
            ),
        ),
        ("padding_mode",),
    ),
    Planted(
        "gates by straight lines, as a faster sigmoid",
        "conv_gru",
        "zr",
        (Swap("zr.frag", "gate[lane] = 1.0 / (1.0 + exp(-sum));", "gate[lane] = clamp(0.2 * sum + 0.5, 0.0, 1.0);"),),
        ("wrong_function",),
    ),
    Planted(
        "a sum declared outside the loop over lanes",
        "conv_gru",
        "zr",
        (
            Swap(
                "zr.frag",
                "    for (int lane = 0; lane < 4; lane++) {",
                "    float sum = 0.0;\n    for (int lane = 0; lane < 4; lane++) {",
            ),
            Swap("zr.frag", "float sum = texelFetch(u_bias,", "sum += texelFetch(u_bias,"),
        ),
        ("accumulator_not_reset",),
    ),
    Planted(
        "the candidate with the biases of the gates",
        "conv_gru",
        "q",
        (Swap("pipeline.toml", 'textures.u_bias = { tensor = "bq"', 'textures.u_bias = { tensor = "bzr"'),),
        ("wrong_input", "bias_offset"),
        in_text=False,
    ),
)

PAIRS: tuple[Planted, ...] = (
    Planted(
        "the first gate's recurrent weights, and a bias twice",
        "lstm",
        "gates0",
        (
            Swap("gates.frag", "texelFetch(u_R, ivec2(j, g), 0)", "texelFetch(u_R, ivec2(j, g % u_hidden), 0)"),
            Swap("gates.frag", "    gate = sum;", "    gate = sum + texelFetch(u_bias, ivec2(g, 0), 0).x;"),
        ),
        ("wrong_partner", "filter_offset", "index_map"),
        ("bias_doubled", "double_counted"),
    ),
    Planted(
        "a sigmoid for the candidate, and the input gate forgets",
        "lstm",
        "cell0",
        (
            Swap("cell.frag", "float candidate = tanh(block(3, at));", "float candidate = sigmoid(block(3, at));"),
            Swap("cell.frag", "float forget = sigmoid(block(2, at));", "float forget = sigmoid(block(0, at));"),
        ),
        ("wrong_function",),
        ("wrong_partner", "index_map"),
    ),
)

HEALTHY: tuple[Healthy, ...] = (
    Healthy(
        "sigmoids by tanh, a multiply and an add in one",
        "lstm",
        (
            Swap("cell.frag", "#version 330", "#version 400"),
            Swap("cell.frag", "return 1.0 / (1.0 + exp(-x));", "return fma(tanh(0.5 * x), 0.5, 0.5);"),
            Swap(
                "cell.frag",
                "cell = forget * before + enter * candidate;",
                "cell = fma(forget, before, enter * candidate);",
            ),
        ),
    ),
    Healthy(
        "a dot product four at a time, the rest by itself, last first",
        "lstm",
        (
            Swap(
                "gates.frag",
                "    for (int i = 0; i < u_features; i++) {\n"
                "        float x = texelFetch(u_x, ivec2(i, u_step * u_rows + row), 0).x;\n"
                "        sum += texelFetch(u_W, ivec2(i, g), 0).x * x;\n"
                "    }\n",
                "    int line = u_step * u_rows + row, i = 0;\n"
                "    for (; i + 4 <= u_features; i += 4) {\n"
                "        vec4 x, w;\n"
                "        for (int k = 0; k < 4; ++k) {\n"
                "            x[k] = texelFetch(u_x, ivec2(i + k, line), 0).r;\n"
                "            w[k] = texelFetch(u_W, ivec2(i + k, g), 0).r;\n"
                "        }\n"
                "        sum += dot(x, w);\n"
                "    }\n"
                "    while (i < u_features) {\n"
                "        sum += texelFetch(u_W, ivec2(i, g), 0).r * texelFetch(u_x, ivec2(i, line), 0).r;\n"
                "        i++;\n"
                "    }\n",
            ),
            Swap("gates.frag", "for (int j = 0; j < u_hidden; j++)", "for (int j = u_hidden - 1; j >= 0; j--)"),
        ),
    ),
    Healthy(
        "the state moved towards the candidate, in GLSL ES",
        "conv_gru",
        (
            Swap(
                "state_next.frag", "#version 330", "#version 300 es\nprecision highp float;\nprecision highp sampler2D;"
            ),
            Swap(
                "state_next.frag", "state = mix(old, candidate, update);", "state = old + update * (candidate - old);"
            ),
        ),
    ),
)
