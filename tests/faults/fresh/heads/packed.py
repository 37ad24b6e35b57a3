"""Slips in cross attention of four numbers a texel: lanes, rows that begin inside texels, norms, GeGLU."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_ROWS = "        sum += vec4(ROW(first, q), ROW(first + 1, q), ROW(first + 2, q), ROW(first + 3, q));"
_COLUMNS = """        for (int lane = 0; lane < 4; ++lane) {
            sum += x[lane] * TEXEL(uWeight, group, 4 * q + lane);
        }"""
_SUM = "        vec4 sum = TEXEL(uBias, g, 0) + TEXEL(uSkip, g, token);"
_BETA = " + TEXEL(uBeta, HERE.x, 0);"
_TWO_LOOPS = """    float var = 0.0;
    for (int q = 0; q < HEADS; ++q) {
        vec4 away = TEXEL(uTokens, q, at.y) - mean;
        var += dot(away, away);
    }
    var /= float(MODEL);
"""
_OF_SQUARES = """    float var = 0.0;
    for (int q = HEADS - 1; q >= 0; --q) {
        vec4 t = TEXEL(uTokens, q, at.y);
        var += dot(t, t) / 12.0;
    }
    var = max(var - mean * mean, 0.0);
"""
_HALVES = """        float value = product(token, f);
        float gate = product(token, HIDDEN + f);
"""

FAULTS = (
    Planted(
        "a variance over one less",
        "cross",
        "pre",
        (Swap("layer_norm.frag", "var /= float(MODEL);", "var /= float(MODEL - 1);"),),
        ("average_count", "scale"),
    ),
    Planted(
        "epsilon added to the deviation",
        "cross",
        "pre",
        (Swap("layer_norm.frag", "sqrt(var + uEps)", "(sqrt(var) + uEps)"),),
        ("epsilon",),
    ),
    Planted(
        "rows of the weights by the number of the texel",
        "cross",
        "q",
        (Swap("query.frag", "int first = 4 * group;", "int first = group;"),),
        ("filter_offset", "index_map"),
    ),
    Planted(
        "weights multiplied from the other side",
        "cross",
        "q",
        (Swap("query.frag", _ROWS, _COLUMNS),),
        ("filter_io_swap", "wrong_layout", "index_map", "transpose_xy"),
    ),
    Planted(
        "queries of tokens that were not normalised",
        "cross",
        "q",
        (Swap("pipeline.toml", 'textures.uPre = "pre"', 'textures.uPre = "y"'),),
        ("wrong_input", "wrong_partner"),
        in_text=False,
    ),
    Planted(
        "lanes that are three outputs apart",
        "cross",
        "k",
        (Swap("from_memory.frag", "int o = HERE.x * 4 + lane;", "int o = HERE.x + HEADS * lane;"),),
        ("filter_offset", "index_map", "channel_permutation", "wrong_layout"),
    ),
    Planted(
        "only whole texels of a source token",
        "cross",
        "k",
        (Swap("from_memory.frag", "i < SOURCE; ++i", "i < SOURCE / 4 * 4; ++i"),),
        ("missing_channels",),
    ),
    Planted(
        "source tokens as if each began a texel",
        "cross",
        "k",
        (Swap("from_memory.frag", "token * SOURCE + i)", "token * MODEL + i)"),),
        ("index_map", "wrong_layout"),
    ),
    Planted(
        "biases of the keys under the values",
        "cross",
        "v",
        (Swap("pipeline.toml", 'tensor = "bv"', 'tensor = "bk"'),),
        ("wrong_input", "wrong_partner"),
        in_text=False,
    ),
    Planted(
        "tiles of heads counted down the columns",
        "cross",
        "score",
        (Swap("score.frag", "tile.y * GRID + tile.x", "tile.x * GRID + tile.y"),),
        ("channel_permutation", "index_map", "wrong_layout"),
    ),
    Planted(
        "queries masked in place of keys",
        "cross",
        "score",
        (Swap("score.frag", "TEXEL(uKeep, key, 0)", "TEXEL(uKeep, query, 0)"),),
        ("index_map",),
    ),
    Planted(
        "a mask taken for what it hides",
        "cross",
        "score",
        (Swap("score.frag", "r > 0.5 ?", "r < 0.5 ?"),),
        ("wrong_function", "wrong_input", "wrong_partner"),
    ),
    Planted(
        "a context divided by the number of keys",
        "cross",
        "ctx",
        (Swap("context.frag", "sum / total", "sum / float(KEYS)"),),
        ("average_count", "wrong_function", "wrong_partner"),
    ),
    Planted(
        "the value of the query's own number",
        "cross",
        "ctx",
        (Swap("context.frag", "TEXEL(uValue, head, k)", "TEXEL(uValue, head, query)"),),
        ("index_map", "wrong_partner"),
    ),
    Planted(
        "values without their fourth number",
        "cross",
        "ctx",
        (Swap("context.frag", "e * TEXEL(uValue, head, k)", "e * vec4(TEXEL(uValue, head, k).xyz, 0.0)"),),
        ("dropped_lane", "missing_channels"),
    ),
    Planted(
        "the residual added after the norm",
        "cross",
        "mixed",
        (
            Swap("mixed.frag", _SUM, "        vec4 sum = TEXEL(uBias, g, 0);"),
            Swap("mixed.frag", _BETA, _BETA[:-1] + "\n        + TEXEL(uSkip, HERE.x, token);"),
        ),
        ("activation_before_bias", "wrong_function"),
    ),
    Planted(
        "outputs counted by the texel of the input",
        "cross",
        "mixed",
        (Swap("mixed.frag", "int o = 4 * g;", "int o = 4 * q;"),),
        ("filter_offset", "index_map"),
    ),
    Planted(
        "a mean that is not taken off",
        "cross",
        "mixed",
        (Swap("mixed.frag", "(row[HERE.x] - mean) *", "row[HERE.x] *"),),
        ("bias_missing",),
    ),
    Planted(
        "a cubic term ten times as large",
        "cross",
        "geglu",
        (Swap("geglu.frag", "0.044715", "0.44715"),),
        ("alpha", "wrong_literal", "wrong_function", "scale"),
    ),
    Planted(
        "gate and value from each other's half",
        "cross",
        "geglu",
        (
            Swap(
                "geglu.frag",
                _HALVES,
                _HALVES.replace("HIDDEN + f", "f").replace("token, f", "token, HIDDEN + f", 1),
            ),
        ),
        ("filter_offset", "wrong_input", "wrong_partner", "index_map", "bias_offset", "channel_permutation"),
    ),
    Planted(
        "four lanes of one element",
        "cross",
        "geglu",
        (Swap("geglu.frag", "(HERE.y * WIDTH + HERE.x) + lane;", "(HERE.y * WIDTH + HERE.x);"),),
        ("index_map",),
    ),
    Planted(
        "the third output's weights for the fourth",
        "cross",
        "out",
        (Swap("down.frag", "e + 3 * HIDDEN", "e + 2 * HIDDEN"),),
        ("filter_offset", "index_map"),
    ),
    Planted(
        "a rectifier out of habit",
        "cross",
        "out",
        (
            Swap(
                "down.frag",
                "oOut = TEXEL(uMixed, HERE.x, HERE.y) + sum;",
                "oOut = max(TEXEL(uMixed, HERE.x, HERE.y) + sum, 0.0);",
            ),
        ),
        ("activation_extra", "clamped_nonnegative", "wrong_function"),
    ),
)

PAIRS = (
    Planted(
        "a row of weights twice and no residual",
        "cross",
        "out",
        (
            Swap("down.frag", "e + 2 * HIDDEN", "e + HIDDEN"),
            Swap("down.frag", "oOut = TEXEL(uMixed, HERE.x, HERE.y) + sum;", "oOut = sum;"),
        ),
        ("filter_offset", "index_map"),
        ("bias_missing",),
    ),
)

HEALTHY = (
    Healthy(
        "a variance of squares less the square",
        "cross",
        (Swap("layer_norm.frag", _TWO_LOOPS, _OF_SQUARES),),
    ),
    Healthy(
        "exponentials by powers of two",
        "cross",
        (Swap("context.frag", "exp(SCORE(head, query, k) - top)", "exp2(1.44269504 * (SCORE(head, query, k) - top))"),),
    ),
    Healthy(
        "gelu by an exponential",
        "cross",
        (
            Swap(
                "geglu.frag",
                "(0.5 * (v) * (1.0 + tanh(0.7978845608 * ((v) + 0.044715 * (v) * (v) * (v)))))",
                "((v) / (1.0 + exp(-1.5957691216 * (v) * (1.0 + 0.044715 * (v) * (v)))))",
            ),
        ),
    ),
    Healthy(
        "a product of a transposed matrix",
        "cross",
        (
            Swap(
                "query.frag",
                _ROWS,
                "        sum += x * mat4(TEXEL(uWeight, q, first), TEXEL(uWeight, q, first + 1),\n"
                "            TEXEL(uWeight, q, first + 2), TEXEL(uWeight, q, first + 3));",
            ),
        ),
    ),
)
