"""Slips in style transfer: reflected borders, instance norms, a decoder."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_VARIANCE = """            total += away * away;
        }
    }
    return total / float(imageSize.x * imageSize.y)"""

FAULTS = (
    Planted(
        "a far border mirrored with its edge twice",
        "postcard",
        "stem",
        (Swap("tiles.glsl", "2 * n - 2 - folded", "2 * n - 1 - folded"),),
        ("padding_mode", "index_map"),
    ),
    Planted(
        "a stem that begins at its window's corner",
        "postcard",
        "stem",
        (Swap("stem.frag", "centre + ivec2(kx, ky) - KERNEL / 2", "centre + ivec2(kx, ky)"),),
        ("shift", "index_map"),
    ),
    Planted(
        "a stem's weights with inputs first",
        "postcard",
        "stem",
        (
            Swap(
                "stem.frag",
                "(outChannel * CHANNELS + inChannel) * KERNEL",
                "(inChannel * 6 + outChannel) * KERNEL",
            ),
        ),
        ("filter_io_swap", "wrong_layout", "index_map", "filter_offset", "wrong_partner"),
    ),
    Planted(
        "a window of four rows",
        "postcard",
        "stem",
        (Swap("stem.frag", "ky < KERNEL", "ky < KERNEL - 1"),),
        ("missing_taps",),
    ),
    Planted(
        "a variance over one less",
        "postcard",
        "stem_stats",
        (Swap("stem_stats.frag", _VARIANCE, _VARIANCE[:-1] + " - 1)"),),
        ("average_count", "scale"),
    ),
    Planted(
        "a reciprocal with epsilon beside the root",
        "postcard",
        "stem_stats",
        (
            Swap(
                "stem_stats.frag",
                "inversesqrt(channelVariance(channel, mean) + epsilon)",
                "1.0 / (sqrt(channelVariance(channel, mean)) + epsilon)",
            ),
        ),
        ("epsilon", "wrong_function", "activation_before_bias"),
    ),
    Planted(
        "a variance around zero",
        "postcard",
        "stem_stats",
        (Swap("stem_stats.frag", "imageSize, stemColumns) - mean;", "imageSize, stemColumns);"),),
        ("bias_missing",),
    ),
    Planted(
        "a relu before the shift of a norm",
        "postcard",
        "stem_norm",
        (
            Swap(
                "stem_norm.frag",
                "max(gamma * normalised + beta, 0.0)",
                "max(gamma * normalised, 0.0) + beta",
            ),
        ),
        ("activation_before_bias", "wrong_function"),
    ),
    Planted(
        "gammas bound as betas and betas as gammas",
        "postcard",
        "stem_norm",
        (
            Swap("pipeline.toml", 'textures.gammas = { tensor = "gamma"', 'textures.gammas = { tensor = "beta"'),
            Swap("pipeline.toml", 'textures.betas = { tensor = "beta"', 'textures.betas = { tensor = "gamma"'),
        ),
        ("wrong_input", "wrong_partner"),
        in_text=False,
    ),
    Planted(
        "a mean for a deviation",
        "postcard",
        "stem_norm",
        (Swap("stem_norm.frag", "ivec2(1, 0), ivec2(2, 1)", "ivec2(0, 0), ivec2(2, 1)"),),
        ("index_map", "wrong_partner", "wrong_input"),
    ),
    Planted(
        "a reduction that does not move in steps of two",
        "postcard",
        "down",
        (Swap("down.frag", "smallSize) * 2 - 1;", "smallSize) - 1;"),),
        ("stride", "index_map"),
    ),
    Planted(
        "filters dealt out by columns",
        "postcard",
        "down",
        (
            Swap(
                "down.frag",
                "ivec2(outChannel % filterGrid.x, outChannel / filterGrid.x)",
                "ivec2(outChannel / filterGrid.x, outChannel % filterGrid.x)",
            ),
        ),
        ("filter_offset", "index_map", "wrong_layout"),
    ),
    Planted(
        "a bias at every tap",
        "postcard",
        "down",
        (
            Swap("down.frag", "    float sum = texelFetch(biases, ivec2(outChannel, 0), 0).r;", "    float sum = 0.0;"),
            Swap(
                "down.frag",
                "        ivec2 offset = ivec2(tap % 3, tap / 3);",
                "        sum += texelFetch(biases, ivec2(outChannel, 0), 0).r;\n"
                "        ivec2 offset = ivec2(tap % 3, tap / 3);",
            ),
        ),
        ("bias_doubled", "double_counted"),
    ),
    Planted(
        "a kernel with rows for columns",
        "postcard",
        "down",
        (Swap("down.frag", "weightAt(outChannel, inChannel, offset)", "weightAt(outChannel, inChannel, offset.yx)"),),
        ("kernel_transpose", "index_map"),
    ),
    Planted(
        "a mean without the lowest row",
        "postcard",
        "lush",
        (
            Swap(
                "lush.frag",
                "    float mean = 0.0;\n    for (int i = 0; i < smallSize.x * smallSize.y; ++i) {",
                "    float mean = 0.0;\n    for (int i = 0; i < smallSize.x * (smallSize.y - 1); ++i) {",
            ),
        ),
        ("missing_taps", "missing_channels"),
    ),
    Planted(
        "shifts blended the other way round",
        "postcard",
        "lush",
        (
            Swap(
                "lush.frag",
                "mix(texelFetch(betaA, own, 0).r, texelFetch(betaB, own, 0).r, blend)",
                "mix(texelFetch(betaB, own, 0).r, texelFetch(betaA, own, 0).r, blend)",
            ),
        ),
        ("wrong_input", "wrong_partner"),
    ),
    Planted(
        "an elu with one subtracted outside",
        "postcard",
        "lush",
        (Swap("lush.frag", "ALPHA * (exp(v) - 1.0)", "ALPHA * exp(v) - 1.0"),),
        ("wrong_function",),
    ),
    Planted(
        "borders mirrored before the enlargement",
        "postcard",
        "postcard",
        (
            Swap(
                "paint.frag",
                "reflectPlace(centre + ivec2(kx - 1, ky - 1), imageSize)",
                "reflectPlace((centre + ivec2(kx + 1, ky + 1)) / 2 - 1, smallSize)",
            ),
            Swap("paint.frag", "channel, place / 2, smallSize", "channel, place, smallSize"),
        ),
        ("padding_mode", "index_map"),
    ),
    Planted(
        "a contrast of a half",
        "postcard",
        "postcard",
        (Swap("paint.frag", "0.6 * tanh(sum)", "0.5 * tanh(sum)"),),
        ("affine", "scale", "wrong_literal"),
    ),
    Planted(
        "eight channels of nine, in the index too",
        "postcard",
        "postcard",
        (Swap("paint.frag", "const int CHANNELS = 9;", "const int CHANNELS = 8;"),),
        ("filter_offset", "missing_channels", "index_map", "wrong_partner", "wrong_literal"),
    ),
    Planted(
        "an enlargement that takes each place as it is",
        "postcard",
        "postcard",
        (Swap("paint.frag", "place / 2, smallSize", "place % smallSize, smallSize"),),
        ("index_map",),
    ),
)

PAIRS = (
    Planted(
        "kernels turned over their diagonal, and a bias twice",
        "postcard",
        "stem",
        (
            Swap("stem.frag", "weightAt(outChannel, inChannel, ky, kx);", "weightAt(outChannel, inChannel, kx, ky);"),
            Swap("stem.frag", "float sum = 0.0;", "float sum = texelFetch(biases, ivec2(outChannel, 0), 0).r;"),
        ),
        ("kernel_transpose", "index_map"),
        ("bias_doubled", "double_counted"),
    ),
    Planted(
        "an elu of one, and the scales of the other style",
        "postcard",
        "lush",
        (
            Swap("lush.frag", "const float ALPHA = 0.8;", "const float ALPHA = 1.0;"),
            Swap(
                "lush.frag",
                "mix(texelFetch(gammaA, own, 0).r, texelFetch(gammaB, own, 0).r, blend)",
                "mix(texelFetch(gammaB, own, 0).r, texelFetch(gammaA, own, 0).r, blend)",
            ),
        ),
        ("alpha", "wrong_literal"),
        ("wrong_input", "wrong_partner"),
    ),
)

HEALTHY = (
    Healthy(
        "a stem with taps outside, channels inside and its bias first",
        "postcard",
        (
            Swap(
                "stem.frag",
                "    for (int inChannel = 0; inChannel < CHANNELS; ++inChannel) {\n"
                "        for (int ky = 0; ky < KERNEL; ++ky) {\n            for (int kx = 0; kx < KERNEL; ++kx) {\n",
                "    for (int kx = 0; kx < KERNEL; ++kx) {\n        for (int ky = 0; ky < KERNEL; ++ky) {\n"
                "            for (int inChannel = CHANNELS - 1; inChannel >= 0; --inChannel) {\n",
            ),
            Swap("stem.frag", "float sum = 0.0;", "float sum = texelFetch(biases, ivec2(outChannel, 0), 0).r;"),
            Swap("stem.frag", "    sum += texelFetch(biases, ivec2(outChannel, 0), 0).r;\n", ""),
        ),
    ),
    Healthy(
        "a variance by the mean of squares",
        "postcard",
        (
            Swap("stem_stats.frag", "imageSize, stemColumns) - mean;", "imageSize, stemColumns);"),
            Swap("stem_stats.frag", _VARIANCE, _VARIANCE + " - mean * mean"),
        ),
    ),
    Healthy(
        "mean and variance in one loop after Welford",
        "postcard",
        (
            Swap(
                "lush.frag",
                """        mean += readChannel(features, channel, place, smallSize, smallColumns);
    }
    mean /= count;

    float variance = 0.0;
    for (int i = 0; i < smallSize.x * smallSize.y; ++i) {
        ivec2 place = ivec2(i % smallSize.x, i / smallSize.x);
        float away = readChannel(features, channel, place, smallSize, smallColumns) - mean;
        variance += away * away;
    }
""",
                """        float value = readChannel(features, channel, place, smallSize, smallColumns);
        float away = value - mean;
        mean += away / float(i + 1);
        variance += away * (value - mean);
    }
""",
            ),
            Swap("lush.frag", "    float mean = 0.0;\n", "    float mean = 0.0;\n    float variance = 0.0;\n"),
        ),
    ),
)
