"""Slips in a small convolutional network on the bands of a sound."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS = (
    Planted(
        "logarithms to the base two",
        "keywords",
        "logs",
        (Swap("log_power.frag", "log(power + u_floor)", "log2(power + u_floor)"),),
        ("wrong_function", "scale"),
    ),
    Planted(
        "variance over one frame less",
        "keywords",
        "normed",
        (
            Swap(
                "normalise_bands.frag",
                "away * away;\n    }\n    return total / float(u_frames);",
                "away * away;\n    }\n    return total / float(u_frames - 1);",
            ),
        ),
        ("average_count", "scale"),
    ),
    Planted(
        "the deviation and then what holds it up",
        "keywords",
        "normed",
        (Swap("normalise_bands.frag", "sqrt(variance + u_epsilon)", "(sqrt(variance) + u_epsilon)"),),
        ("epsilon", "activation_before_bias", "wrong_function"),
    ),
    Planted(
        "one mean for all bands",
        "keywords",
        "normed",
        (Swap("normalise_bands.frag", "float mean = bandMean(band);", "float mean = bandMean(0);"),),
        ("index_map", "wrong_partner"),
    ),
    Planted(
        "steps of frames for those of bands",
        "keywords",
        "edges",
        (Swap("edges.frag", "STRIDE = ivec2(1, 2)", "STRIDE = ivec2(2, 1)"),),
        ("stride", "index_map"),
    ),
    Planted(
        "as many frames of the kernel as it has bands",
        "keywords",
        "edges",
        (Swap("edges.frag", "frame < KERNEL_FRAMES", "frame < KERNEL_BANDS"),),
        ("missing_taps",),
    ),
    Planted(
        "kernel rows with filters innermost",
        "keywords",
        "edges",
        (Swap("edges.frag", "filterIndex * KERNEL_BANDS + band)", "band * 6 + filterIndex)"),),
        ("index_map", "wrong_layout", "filter_offset"),
    ),
    Planted(
        "bands apart instead of frames",
        "keywords",
        "depth",
        (Swap("pipeline.toml", "uniforms.u_dilation = [2, 1]", "uniforms.u_dilation = [1, 2]"),),
        ("dilation", "index_map"),
        in_text=False,
    ),
    Planted(
        "every depth from the first tile",
        "keywords",
        "depth",
        (Swap("depthwise.frag", "readTile(u_edges, channel,", "readTile(u_edges, 0,"),),
        ("group_ignored", "index_map", "channel_permutation"),
    ),
    Planted(
        "the outermost frames go on beyond the border",
        "keywords",
        "depth",
        (
            Swap(
                "depthwise.frag",
                "            if (!isInside(source, u_size)) {\n                continue;\n            }\n",
                "            source = clamp(source, ivec2(0), u_size - 1);\n",
            ),
        ),
        ("padding_mode", "index_map"),
    ),
    Planted(
        "a depthwise sum without what it starts from",
        "keywords",
        "depth",
        (Swap("depthwise.frag", "total + readVector(u_bias, channel)", "total"),),
        ("bias_missing",),
    ),
    Planted(
        "the hard gate without what it lets through",
        "keywords",
        "mixed",
        (Swap("pointwise.frag", "return value * clamp(", "return clamp("),),
        ("wrong_function",),
    ),
    Planted(
        "the bias after the hard swish",
        "keywords",
        "mixed",
        (
            Swap("pointwise.frag", "float total = readVector(u_bias, channel);", "float total = 0.0;"),
            Swap("pointwise.frag", "hardSwish(total)", "hardSwish(total) + readVector(u_bias, channel)"),
        ),
        ("activation_before_bias", "wrong_function"),
    ),
    Planted(
        "bands that no longer overlap in a pool",
        "keywords",
        "pooled",
        (Swap("pool.frag", "band < firstBand + 4", "band < firstBand + 3"),),
        ("missing_taps",),
    ),
    Planted(
        "each keyword for itself",
        "keywords",
        "shares",
        (
            Swap(
                "decide.frag",
                "o_share = exp(score(own) - largest) / total;",
                "o_share = 1.0 / (1.0 + exp(-score(own)));",
            ),
        ),
        ("wrong_function",),
    ),
    Planted(
        "powers through a sampler as coarse as it is by default",
        "keywords",
        "logs",
        (Swap("log_power.frag", "precision highp sampler2D;\n", ""),),
        ("half_precision", "precision"),
    ),
)

PAIRS = (
    Planted(
        "margins exchanged, and biases by columns of tiles",
        "keywords",
        "edges",
        (
            Swap("edges.frag", "PADDING = ivec2(3, 1)", "PADDING = ivec2(1, 3)"),
            Swap("edges.frag", "readVector(u_bias, filterIndex)", "readVector(u_bias, tile.x)"),
        ),
        ("shift", "index_map"),
        ("bias_offset", "index_map"),
    ),
    Planted(
        "inputs of a weight one short, and a plain rectifier",
        "keywords",
        "mixed",
        (
            Swap("pointwise.frag", "i < u_inputs; i++", "i < u_inputs - 1; i++"),
            Swap("pointwise.frag", "value * clamp(value + 3.0, 0.0, 6.0) / 6.0", "max(value, 0.0)"),
        ),
        ("missing_channels",),
        ("wrong_function",),
    ),
)

HEALTHY = (
    Healthy(
        "bands by squares less the square of the mean",
        "keywords",
        (
            Swap("normalise_bands.frag", "band, frame) - mean;", "band, frame);"),
            Swap(
                "normalise_bands.frag",
                "away * away;\n    }\n    return total / float(u_frames);",
                "away * away;\n    }\n    return total / float(u_frames) - mean * mean;",
            ),
        ),
    ),
    Healthy(
        "a pool that begins far below",
        "keywords",
        (
            Swap(
                "pool.frag",
                "float largest = readTile(u_mixed, channel, u_columns, u_inputSize, firstBand, firstFrame);",
                "float largest = -3.0e38;",
            ),
            Swap("pool.frag", "band < firstBand + 4; band++", "band <= firstBand + 3; ++band"),
        ),
    ),
)
