"""Slips in norms and in what is carried from frame to frame: counts, roots, epsilons, windows, groups, rates."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS = (
    Planted(
        "a mean of one column less",
        "norms",
        "mean",
        (Swap("mean.frag", "x < WIDTH;", "x < WIDTH - 1;"),),
        ("missing_taps",),
    ),
    Planted(
        "a mean divided by a count without the last column",
        "norms",
        "mean",
        (Swap("mean.frag", "float(WIDTH * HEIGHT)", "float((WIDTH - 1) * HEIGHT)"),),
        ("average_count", "scale"),
    ),
    Planted(
        "a variance divided by n - 1",
        "norms",
        "variance",
        (Swap("variance.frag", "float(WIDTH * HEIGHT)", "float(WIDTH * HEIGHT - 1)"),),
        ("average_count", "scale"),
    ),
    Planted(
        "distances from the first channel's mean",
        "norms",
        "variance",
        (Swap("variance.frag", "texelFetch(u_mean, texel, 0)", "texelFetch(u_mean, ivec2(0), 0)"),),
        ("index_map", "bias_offset", "wrong_partner"),
    ),
    Planted(
        "a mean distance in place of a variance",
        "norms",
        "variance",
        (Swap("variance.frag", "sum += d * d;", "sum += abs(d);"),),
        ("wrong_function",),
    ),
    Planted(
        "squares of the values, not of the distances",
        "norms",
        "variance",
        (Swap("variance.frag", "ivec2(x, y)) - mean;", "ivec2(x, y));"),),
        ("bias_missing",),
    ),
    Planted(
        "epsilon outside the root",
        "norms",
        "instance",
        (Swap("instance.frag", "inversesqrt(variance + u_eps)", "1.0 / (sqrt(variance) + u_eps)"),),
        ("epsilon",),
    ),
    Planted(
        "the epsilon of another framework",
        "norms",
        "instance",
        (Swap("pipeline.toml", "uniforms.u_eps = 0.01", "uniforms.u_eps = 0.00001"),),
        ("epsilon",),
        in_text=False,
    ),
    Planted(
        "divided by the variance itself",
        "norms",
        "instance",
        (Swap("instance.frag", "inversesqrt(variance + u_eps)", "1.0 / (variance + u_eps)"),),
        ("activation_missing",),
    ),
    Planted(
        "the slope of another leaky unit",
        "norms",
        "instance",
        (Swap("instance.frag", "v : 0.1 * v", "v : 0.2 * v"),),
        ("alpha",),
    ),
    Planted(
        "the shift after the leaky unit",
        "norms",
        "instance",
        (Swap("instance.frag", "leaky(unit * scale + shift)", "leaky(unit * scale) + shift"),),
        ("activation_before_bias",),
    ),
    Planted(
        "scale and shift of the picture's number",
        "norms",
        "instance",
        (Swap("instance.frag", "int c = tile % CHANNELS;", "int c = tile / CHANNELS;"),),
        ("bias_offset", "index_map"),
    ),
    Planted(
        "scale and shift bound the other way round",
        "norms",
        "instance",
        (
            Swap("pipeline.toml", 'textures.u_scale = { tensor = "scale"', 'textures.u_scale = { tensor = "shift"'),
            Swap(
                "pipeline.toml",
                'textures.u_shift = { tensor = "shift"',
                'textures.u_shift = { tensor = "scale"',
            ),
        ),
        ("wrong_input",),
        in_text=False,
    ),
    Planted(
        "the first group's statistics for every group",
        "norms",
        "grouped",
        (Swap("grouped.frag", "int first = tile / GROUP * GROUP;", "int first = tile - c;"),),
        ("group_ignored", "index_map"),
    ),
    Planted(
        "a window of channels that moves along",
        "norms",
        "grouped",
        (Swap("grouped.frag", "int first = tile / GROUP * GROUP;", "int first = min(tile, 15);"),),
        ("index_map",),
    ),
    Planted(
        "a mean square in place of the variance",
        "norms",
        "grouped",
        (Swap("grouped.frag", "squares / count - mean * mean", "squares / count"),),
        ("wrong_function", "bias_missing"),
    ),
    Planted(
        "an unbiased variance from the sums",
        "norms",
        "grouped",
        (Swap("grouped.frag", "squares / count - mean * mean", "(squares - count * mean * mean) / (count - 1.0)"),),
        ("average_count",),
    ),
    Planted(
        "a group counted without its channels",
        "norms",
        "grouped",
        (Swap("grouped.frag", "float(GROUP * WIDTH * HEIGHT)", "float(WIDTH * HEIGHT)"),),
        ("average_count",),
    ),
    Planted(
        "epsilon added to the deviation",
        "norms",
        "grouped",
        (Swap("grouped.frag", "sqrt(variance + u_eps)", "(sqrt(variance) + u_eps)"),),
        ("epsilon",),
    ),
    Planted(
        "a value that is not centred",
        "norms",
        "grouped",
        (Swap("grouped.frag", "(texelFetch(u_x, texel, 0).x - mean) /", "texelFetch(u_x, texel, 0).x /"),),
        ("bias_missing",),
    ),
    Planted(
        "alpha of a sum, not of a mean",
        "norms",
        "response",
        (Swap("response.frag", "u_alpha / float(SIZE) * squares", "u_alpha * squares"),),
        ("scale", "alpha", "average_count"),
    ),
    Planted(
        "a window that looks ahead alone",
        "norms",
        "response",
        (Swap("response.frag", "int from = max(c - SIZE / 2, 0);", "int from = c;"),),
        ("missing_channels", "missing_taps"),
    ),
    Planted(
        "a window into the next picture",
        "norms",
        "response",
        (Swap("response.frag", "min(c + SIZE / 2, CHANNELS - 1)", "c + SIZE / 2"),),
        ("extra_channels", "tile_bleed", "padding_mode"),
    ),
    Planted(
        "a bias of one by habit",
        "norms",
        "response",
        (Swap("pipeline.toml", "uniforms.u_bias = 1.5", "uniforms.u_bias = 1.0"),),
        ("alpha", "epsilon"),
        in_text=False,
    ),
    Planted(
        "a root in place of the power",
        "norms",
        "response",
        (Swap("response.frag", "pow(norm, u_beta)", "sqrt(norm)"),),
        ("alpha", "wrong_function"),
    ),
    Planted(
        "gate and value exchanged",
        "norms",
        "gated",
        (Swap("gated.frag", "value / (1.0 + exp(-gate))", "gate / (1.0 + exp(-value))"),),
        ("wrong_input", "channel_permutation", "index_map", "wrong_partner"),
    ),
    Planted(
        "gates taken from every second channel",
        "norms",
        "gated",
        (
            Swap("gated.frag", "n * CHANNELS + c, p)", "n * CHANNELS + 2 * c, p)"),
            Swap("gated.frag", "n * CHANNELS + HALF + c, p)", "n * CHANNELS + 2 * c + 1, p)"),
        ),
        ("index_map", "channel_permutation"),
    ),
    Planted(
        "a gate by tanh",
        "norms",
        "gated",
        (Swap("gated.frag", "value / (1.0 + exp(-gate))", "value * tanh(gate)"),),
        ("wrong_function",),
    ),
    Planted(
        "a bare gate",
        "norms",
        "gated",
        (Swap("gated.frag", "value / (1.0 + exp(-gate))", "value * gate"),),
        ("activation_missing",),
    ),
)

PAIRS = (
    Planted(
        "epsilon outside the root, and another slope",
        "norms",
        "instance",
        (
            Swap("instance.frag", "inversesqrt(variance + u_eps)", "1.0 / (sqrt(variance) + u_eps)"),
            Swap("instance.frag", "v : 0.1 * v", "v : 0.2 * v"),
        ),
        ("epsilon",),
        ("alpha",),
    ),
    Planted(
        "the first group for all, and a beta of the channel after",
        "norms",
        "grouped",
        (
            Swap("grouped.frag", "int first = tile / GROUP * GROUP;", "int first = tile - c;"),
            Swap(
                "grouped.frag",
                "texelFetch(u_shift, ivec2(0, c), 0)",
                "texelFetch(u_shift, ivec2(0, (c + 1) % CHANNELS), 0)",
            ),
        ),
        ("group_ignored", "index_map"),
        ("bias_offset", "index_map"),
    ),
    Planted(
        "a window that looks ahead, and alpha of a sum",
        "norms",
        "response",
        (
            Swap("response.frag", "int from = max(c - SIZE / 2, 0);", "int from = c;"),
            Swap("response.frag", "u_alpha / float(SIZE) * squares", "u_alpha * squares"),
        ),
        ("missing_channels", "missing_taps"),
        ("scale", "alpha", "average_count"),
    ),
    Planted(
        "gate and value exchanged, a tanh for the gate",
        "norms",
        "gated",
        (Swap("gated.frag", "value / (1.0 + exp(-gate))", "gate * tanh(value)"),),
        # As true: the gate lacks its sigmoid, and the value goes through a tanh that the model does not have.
        ("wrong_input", "channel_permutation", "index_map", "wrong_partner", "activation_extra"),
        ("wrong_function", "activation_missing"),
    ),
)

_TWO_SUMS = """                float v = tap(u_x, u_cols, k, ivec2(x, y));
                sum += v;
                squares += v * v;
"""
_WELFORD = """                float v = tap(u_x, u_cols, k, ivec2(x, y));
                seen += 1.0;
                float away = v - sum;
                sum += away / seen;
                squares += away * (v - sum);
"""

HEALTHY = (
    Healthy(
        "statistics by Welford",
        "norms",
        (
            Swap("grouped.frag", "    float sum = 0.0;", "    float seen = 0.0;\n    float sum = 0.0;"),
            Swap("grouped.frag", _TWO_SUMS, _WELFORD),
            Swap("grouped.frag", "float mean = sum / count;", "float mean = sum;"),
            Swap("grouped.frag", "squares / count - mean * mean", "squares / count"),
        ),
    ),
    Healthy(
        "a variance from the mean of squares",
        "norms",
        (
            Swap("variance.frag", "ivec2(x, y)) - mean;", "ivec2(x, y));"),
            Swap("variance.frag", "sum / float(WIDTH * HEIGHT)", "sum / float(WIDTH * HEIGHT) - mean * mean"),
        ),
    ),
    Healthy(
        "the power by logarithms",
        "norms",
        (Swap("response.frag", "x / pow(norm, u_beta)", "x * exp2(-u_beta * log2(norm))"),),
    ),
    Healthy(
        "a leaky unit by max",
        "norms",
        (Swap("instance.frag", "return v >= 0.0 ? v : 0.1 * v;", "return max(v, 0.1 * v);"),),
    ),
)
