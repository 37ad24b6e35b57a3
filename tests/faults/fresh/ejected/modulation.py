"""Slips in the modulated normalisation and the enlargement from channels behind it."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_APART = "float distance_to_mean = element(corner, i) - mean;"
_GAIN = "float gain = texelFetch(style, ivec2(channel, 0), 0).r;"
_OFFSET = "float offset = texelFetch(style, ivec2(CHANNELS + channel, 0), 0).r;"
_FROM = "int from = (2 * corner.y + corner.x) * 2 + channel;"
_VARIANCE = """    float variance = 0.0;
    for (int i = 0; i < count; i++) {
        float distance_to_mean = element(corner, i) - mean;
        variance += distance_to_mean * distance_to_mean;
    }
    variance /= float(count);
"""

FAULTS = (
    Planted(
        "one degree of freedom less",
        "modulated",
        "moments",
        (Swap("moments.frag", "variance /= float(count);", "variance /= float(count - 1);"),),
        ("average_count", "scale"),
    ),
    Planted(
        "the deviation for the variance",
        "modulated",
        "moments",
        (Swap("moments.frag", "mean : variance;", "mean : sqrt(variance);"),),
        ("activation_extra", "wrong_function"),
    ),
    Planted(
        "columns of a tile counted by its height",
        "modulated",
        "moments",
        (Swap("moments.frag", "ivec2(i % tile_size.x, i / tile_size.x)", "ivec2(i % tile_size.y, i / tile_size.x)"),),
        ("index_map", "missing_taps", "double_counted"),
    ),
    Planted(
        "squares of what is not centred",
        "modulated",
        "moments",
        (Swap("moments.frag", _APART, "float distance_to_mean = element(corner, i);"),),
        ("bias_missing", "wrong_function", "wrong_input"),
    ),
    Planted(
        "a sum of squares that begins with the mean",
        "modulated",
        "moments",
        (Swap("moments.frag", "float variance = 0.0;", "float variance = mean;"),),
        ("accumulator_not_reset",),
    ),
    Planted(
        "a constant ten times as large",
        "modulated",
        "film",
        (Swap("pipeline.toml", "uniforms.eps = 0.05", "uniforms.eps = 0.5"),),
        ("epsilon",),
        in_text=False,
    ),
    Planted(
        "a gain around nothing",
        "modulated",
        "film",
        (Swap("film.frag", "normal * (1.0 + gain)", "normal * gain"),),
        ("bias_missing",),
    ),
    Planted(
        "offsets first and gains behind them",
        "modulated",
        "film",
        (
            Swap("film.frag", _GAIN, _GAIN.replace("ivec2(channel", "ivec2(CHANNELS + channel")),
            Swap("film.frag", _OFFSET, _OFFSET.replace("CHANNELS + channel", "channel")),
        ),
        ("wrong_partner", "index_map", "wrong_input", "channel_permutation", "bias_offset"),
    ),
    Planted(
        "the mean twice and no variance",
        "modulated",
        "film",
        (Swap("film.frag", "ivec2(2 * tile.x + 1, tile.y)", "ivec2(2 * tile.x, tile.y)"),),
        ("nan_source", "index_map", "wrong_input", "wrong_partner"),
    ),
    Planted(
        "the style's channels down the columns of tiles",
        "modulated",
        "film",
        (Swap("film.frag", "int channel = tile.y * 3 + tile.x;", "int channel = tile.x * 3 + tile.y;"),),
        ("index_map", "channel_permutation", "wrong_partner", "bias_offset"),
    ),
    Planted(
        "a length as the sum of sizes",
        "modulated",
        "unit",
        (Swap("unit.frag", "squares += value * value;", "squares += abs(value);"),),
        ("wrong_function",),
    ),
    Planted(
        "divided by the squared length",
        "modulated",
        "unit",
        (Swap("unit.frag", "/ sqrt(squares + 0.1)", "/ (squares + 0.1)"),),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "the length's constant behind its root",
        "modulated",
        "unit",
        (Swap("unit.frag", "sqrt(squares + 0.1)", "(sqrt(squares) + 0.1)"),),
        ("epsilon", "activation_before_bias", "wrong_function"),
    ),
    Planted(
        "as many channels as rows",
        "modulated",
        "unit",
        (Swap("pipeline.toml", 'uniforms.channels = "shape(film).c"', 'uniforms.channels = "shape(film).h"'),),
        ("missing_channels",),
        in_text=False,
    ),
    Planted(
        "blocks with their channel outermost",
        "modulated",
        "deep",
        (Swap("depth_to_space.frag", _FROM, "int from = channel * 4 + 2 * corner.y + corner.x;"),),
        ("channel_permutation", "index_map"),
    ),
    Planted(
        "right and below exchanged in a block",
        "modulated",
        "deep",
        (Swap("depth_to_space.frag", "(2 * corner.y + corner.x)", "(2 * corner.x + corner.y)"),),
        ("channel_permutation", "index_map"),
    ),
    Planted(
        "a zero lost in the gelu",
        "modulated",
        "deep",
        (Swap("depth_to_space.frag", "0.044715", "0.44715"),),
        ("wrong_literal", "alpha", "scale", "wrong_function"),
    ),
    Planted(
        "the gelu without its half",
        "modulated",
        "deep",
        (Swap("depth_to_space.frag", "return 0.5 * v *", "return v *"),),
        ("scale",),
    ),
    Planted(
        "a square in the gelu for a cube",
        "modulated",
        "deep",
        (Swap("depth_to_space.frag", "0.044715 * v * v * v", "0.044715 * v * v"),),
        ("wrong_function",),
    ),
    Planted(
        "quarters of the picture in place of blocks",
        "modulated",
        "deep",
        (
            Swap("depth_to_space.frag", "ivec2 place = pixel / 2;", "ivec2 place = pixel % ivec2(11, 7);"),
            Swap("depth_to_space.frag", "ivec2 corner = pixel % 2;", "ivec2 corner = pixel / ivec2(11, 7);"),
        ),
        ("index_map",),
    ),
    Planted(
        "the enlargement in half precision",
        "modulated",
        "deep",
        (
            Swap(
                "pipeline.toml",
                '[1, 2, 14, 22], layout = "channel_tiles" }',
                '[1, 2, 14, 22], layout = "channel_tiles", dtype = "float16" }',
            ),
        ),
        ("half_precision",),
        in_text=False,
    ),
)

PAIRS = (
    Planted(
        "a constant behind the root and offsets one further",
        "modulated",
        "film",
        (
            Swap("film.frag", "* inversesqrt(variance + eps)", "/ (sqrt(variance) + eps)"),
            Swap("film.frag", "ivec2(CHANNELS + channel, 0)", "ivec2(CHANNELS + (channel + 1) % CHANNELS, 0)"),
        ),
        ("epsilon", "activation_before_bias", "wrong_function"),
        others=("bias_offset", "index_map"),
    ),
)

HEALTHY = (
    Healthy(
        "the variance as the mean of squares less the square of the mean",
        "modulated",
        (
            Swap(
                "moments.frag",
                _VARIANCE,
                "    float squares = 0.0;\n"
                "    for (int i = 0; i < count; i++) squares += element(corner, i) * element(corner, i);\n"
                "    float variance = squares / float(count) - mean * mean;\n",
            ),
        ),
    ),
    Healthy(
        "moments by Welford's update",
        "modulated",
        (
            Swap(
                "moments.frag",
                "    for (int i = 0; i < count; i++) mean += element(corner, i);\n    mean /= float(count);\n",
                "    float squares = 0.0;\n"
                "    for (int i = 0; i < count; i++) {\n"
                "        float delta = element(corner, i) - mean;\n"
                "        mean += delta / float(i + 1);\n"
                "        squares += delta * (element(corner, i) - mean);\n"
                "    }\n",
            ),
            Swap("moments.frag", _VARIANCE, "    float variance = squares / float(count);\n"),
        ),
    ),
    Healthy(
        "the length by an inverse root, channels from the last",
        "modulated",
        (
            Swap("unit.frag", "for (int c = 0; c < channels; c++)", "for (int c = channels - 1; c >= 0; c--)"),
            Swap("unit.frag", ".r / sqrt(squares + 0.1);", ".r * inversesqrt(squares + 0.1);"),
        ),
    ),
    Healthy(
        "the gelu by a logistic curve",
        "modulated",
        (
            Swap(
                "depth_to_space.frag", "return 0.5 * v * (1.0 + tanh(inner));", "return v / (1.0 + exp(-2.0 * inner));"
            ),
            Swap("depth_to_space.frag", "(v + 0.044715 * v * v * v)", "v * (1.0 + 0.044715 * v * v)"),
        ),
    ),
)
