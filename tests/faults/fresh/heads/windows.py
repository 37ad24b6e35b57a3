"""Slips in shifted windows: tiles of channels, rolls, relative places, regions, a softmax in two passes."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_VARIANCE = "sumOfSquares / float(channels) - mean * mean"
_MASK = """    if (regionOf(queryRolled) != regionOf(keyRolled)) {
        score -= 100.0;
    }
"""
_ROLLED = "(ivec2(here.x, here.y) - SHIFT + PICTURE) % PICTURE"
_QUERY = "int query = (rolled.y % WINDOW_H) * WINDOW_W + rolled.x % WINDOW_W;"
_LARGEST = """    float largest = scoreAt(0);
    for (int key = 1; key < keys; ++key) {
"""
_RESIDUAL_OUT = '[[pass]]\nname = "residual"\nshader = "residual.frag"\noutput = { shape = [1, 10, 6, 9], '

FAULTS = (
    Planted(
        "the square of the mean divided once more",
        "shifted",
        "normalized",
        (Swap("normalized.frag", _VARIANCE, "(sumOfSquares - mean * mean) / float(channels)"),),
        ("scale", "wrong_function"),
    ),
    Planted(
        "an epsilon with one nought too many",
        "shifted",
        "normalized",
        (Swap("pipeline.toml", "uniforms.epsilon = 0.02", "uniforms.epsilon = 0.002"),),
        ("epsilon",),
        in_text=False,
    ),
    Planted(
        "gains of the column where the pixel lies",
        "shifted",
        "normalized",
        (Swap("normalized.frag", "loadMatrix(gamma, 0, here.channel)", "loadMatrix(gamma, 0, here.x)"),),
        ("index_map", "wrong_partner"),
    ),
    Planted(
        "the biases of queries for keys and values",
        "shifted",
        "projections",
        (
            Swap(
                "projections.frag",
                "loadMatrix(biases, 0, here.channel)",
                "loadMatrix(biases, 0, here.channel % sourceChannels)",
            ),
        ),
        ("bias_offset", "index_map"),
    ),
    Planted(
        "rows of tiles for tiles in a row",
        "shifted",
        "projections",
        (
            Swap(
                "pipeline.toml",
                'uniforms.sourceTilesAcross = "grid(normalized).x"',
                'uniforms.sourceTilesAcross = "grid(normalized).y"',
            ),
        ),
        ("index_map", "channel_permutation", "wrong_layout"),
        in_text=False,
    ),
    Planted(
        "a table of relative places with short rows",
        "shifted",
        "scores",
        (Swap("scores.frag", "dy * (2 * WINDOW_W - 1) + dx", "dy * (2 * WINDOW_H - 1) + dx"),),
        ("index_map", "bias_offset", "wrong_layout"),
    ),
    Planted(
        "keys less queries across the window",
        "shifted",
        "scores",
        (
            Swap(
                "scores.frag",
                "int dx = query % WINDOW_W - key % WINDOW_W",
                "int dx = key % WINDOW_W - query % WINDOW_W",
            ),
        ),
        ("index_map", "flip_x", "bias_offset"),
    ),
    Planted(
        "windows over the seam without a mask",
        "shifted",
        "scores",
        (Swap("scores.frag", _MASK, ""),),
        ("bias_missing",),
    ),
    Planted(
        "regions of places before the roll",
        "shifted",
        "scores",
        (
            Swap(
                "scores.frag",
                "if (regionOf(queryRolled) != regionOf(keyRolled)) {",
                "if (regionOf(queryPlace) != regionOf(keyPlace)) {",
            ),
        ),
        ("index_map", "shift"),
    ),
    Planted(
        "queries compared with queries",
        "shifted",
        "scores",
        (
            Swap(
                "scores.frag",
                "int keyChannel = CHANNELS + head * HEAD_CHANNELS + c;",
                "int keyChannel = head * HEAD_CHANNELS + c;",
            ),
        ),
        ("wrong_input", "index_map", "wrong_partner", "channel_permutation"),
    ),
    Planted(
        "a roll the other way before the windows",
        "shifted",
        "scores",
        (Swap("windows.glsl", "return (rolled + SHIFT) % PICTURE;", "return (rolled - SHIFT + PICTURE) % PICTURE;"),),
        ("shift", "index_map"),
    ),
    Planted(
        "exponentials whose largest is not taken off",
        "shifted",
        "extremes",
        (Swap("extremes.frag", "exp(scoreAt(key) - largest)", "exp(scoreAt(key))"),),
        ("bias_missing", "wrong_function"),
    ),
    Planted(
        "a logarithm of the sum",
        "shifted",
        "extremes",
        (Swap("extremes.frag", "statistic = sum;", "statistic = log(sum);"),),
        ("activation_extra", "wrong_function"),
    ),
    Planted(
        "a search for the largest that begins at nought",
        "shifted",
        "extremes",
        (Swap("extremes.frag", _LARGEST, _LARGEST.replace("scoreAt(0)", "0.0").replace("key = 1", "key = 0")),),
        ("activation_extra", "clamped_nonnegative", "wrong_function"),
    ),
    Planted(
        "rolled on where it should be rolled back",
        "shifted",
        "gathered",
        (Swap("gathered.frag", _ROLLED, "(ivec2(here.x, here.y) + SHIFT) % PICTURE"),),
        ("shift", "index_map"),
    ),
    Planted(
        "the first value channel of each head",
        "shifted",
        "gathered",
        (
            Swap(
                "gathered.frag",
                "int channel = 2 * CHANNELS + here.channel;",
                "int channel = 2 * CHANNELS + head * HEAD_CHANNELS;",
            ),
        ),
        ("index_map", "channel_permutation", "wrong_partner"),
    ),
    Planted(
        "queries of a window counted by columns",
        "shifted",
        "gathered",
        (Swap("gathered.frag", _QUERY, "int query = (rolled.x % WINDOW_W) * WINDOW_H + rolled.y % WINDOW_H;"),),
        ("index_map", "transpose_xy", "wrong_partner", "wrong_layout"),
    ),
    Planted(
        "columns of the projection's weights for rows",
        "shifted",
        "residual",
        (
            Swap(
                "residual.frag",
                "loadMatrix(weights, here.channel, channel)",
                "loadMatrix(weights, channel, here.channel)",
            ),
        ),
        ("filter_io_swap", "wrong_layout", "index_map", "transpose_xy"),
    ),
    Planted(
        "the last picture in bytes",
        "shifted",
        "residual",
        (Swap("pipeline.toml", _RESIDUAL_OUT, _RESIDUAL_OUT + 'dtype = "uint8", '),),
        ("quantized_8bit", "clamped_0_1"),
        in_text=False,
    ),
)

PAIRS = (
    Planted(
        "short rows of the table and scores that are not scaled",
        "shifted",
        "scores",
        (
            Swap("scores.frag", "dy * (2 * WINDOW_W - 1) + dx", "dy * (2 * WINDOW_H - 1) + dx"),
            Swap("scores.frag", "score = product * SCALE +", "score = product +"),
        ),
        ("index_map", "bias_offset", "wrong_layout"),
        ("scale",),
    ),
)

HEALTHY = (
    Healthy(
        "a variance of distances",
        "shifted",
        (
            Swap(
                "normalized.frag",
                "    float variance = sumOfSquares / float(channels) - mean * mean;\n",
                "    float variance = 0.0;\n"
                "    for (int channel = 0; channel < channels; ++channel) {\n"
                "        float away = loadTile(picture, tilesAcross, pictureSize, channel, here.y, here.x) - mean;\n"
                "        variance += away * away;\n"
                "    }\n"
                "    variance /= float(channels);\n",
            ),
        ),
    ),
    Healthy(
        "rolled back by a comparison",
        "shifted",
        (
            Swap(
                "gathered.frag",
                f"ivec2 rolled = {_ROLLED};",
                "ivec2 rolled = ivec2(here.x, here.y) - 1;\n"
                "    rolled.x = rolled.x < 0 ? PICTURE.x - 1 : rolled.x;\n"
                "    if (rolled.y < 0) rolled.y += PICTURE.y;",
            ),
        ),
    ),
    Healthy(
        "a sum by weights times powers of two",
        "shifted",
        (
            Swap(
                "extremes.frag",
                "        sum += exp(scoreAt(key) - largest);\n",
                "        sum += exp2(scoreAt(keys - 1 - key) * 1.44269504 - largest * 1.44269504);\n",
            ),
        ),
    ),
)
