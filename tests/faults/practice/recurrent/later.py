"""Plants further bugs of cells and norms."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

FAULTS: tuple[Planted, ...] = (
    Planted(
        "a sequence with the batch first",
        "lstm",
        "gates0",
        (Swap("gates.frag", "u_step * u_rows + row", "row * 2 + u_step"),),
        ("index_map", "wrong_layout"),
    ),
    Planted(
        "as many features as hidden ones",
        "lstm",
        "gates0",
        (Swap("gates.frag", "i < u_features", "i < u_hidden"),),
        ("missing_channels",),
    ),
    Planted(
        "the second step from the first cell",
        "lstm",
        "cell1",
        (
            Swap(
                "pipeline.toml",
                'textures.u_gates = "gates1"\ntextures.u_cell = "cell0"',
                'textures.u_gates = "gates1"\ntextures.u_cell = "c_start"',
            ),
        ),
        ("wrong_input", "wrong_partner"),
        in_text=False,
    ),
    Planted(
        "gates of a unit side by side",
        "lstm",
        "cell0",
        (Swap("cell.frag", "ivec2(at.x + which * u_hidden, at.y)", "ivec2(at.x * 4 + which, at.y)"),),
        ("index_map", "wrong_layout", "channel_permutation", "wrong_partner"),
    ),
    Planted(
        "the output gate inside the tangent",
        "lstm",
        "hidden0",
        (Swap("hidden.frag", "tanh(cell) / (1.0 + exp(-leave))", "tanh(cell / (1.0 + exp(-leave)))"),),
        ("wrong_function",),
    ),
    Planted(
        "gates in turn over the tiles",
        "conv_gru",
        "zr",
        (Swap("zr.frag", "tile * 4 + lane", "lane * 2 + tile"),),
        ("channel_permutation", "index_map", "wrong_layout", "filter_offset", "bias_offset"),
    ),
    Planted(
        "x of the middle for every tap",
        "conv_gru",
        "zr",
        (Swap("zr.frag", "texelFetch(u_x, from, 0)", "texelFetch(u_x, at, 0)"),),
        ("index_map", "wrong_partner"),
    ),
    Planted(
        "weights of the candidate with inputs first",
        "conv_gru",
        "q",
        (Swap("q.frag", "(o * 7 + c) * 3 + tap / 3", "(c * 4 + o) * 3 + tap / 3"),),
        ("filter_io_swap", "wrong_layout", "index_map", "wrong_partner"),
    ),
    Planted(
        "taps from the last to the first",
        "conv_gru",
        "q",
        (Swap("q.frag", "at + ivec2(tap % 3, tap / 3) - 1", "at - ivec2(tap % 3, tap / 3) + 1"),),
        ("kernel_flip", "index_map"),
    ),
    Planted(
        "a hard tangent",
        "conv_gru",
        "q",
        (Swap("q.frag", "tanh(sum)", "clamp(sum, -1.0, 1.0)"),),
        ("wrong_function",),
    ),
    Planted(
        "the reset gate updates",
        "conv_gru",
        "state_next",
        (
            Swap(
                "state_next.frag",
                "texelFetch(u_zr, at, 0)",
                "texelFetch(u_zr, at + ivec2(textureSize(u_q, 0).x, 0), 0)",
            ),
        ),
        ("wrong_partner", "index_map"),
    ),
    Planted(
        "every other number of a token",
        "token_norms",
        "mean",
        (Swap("mean.frag", "i < length; i++", "i < length; i += 2"),),
        ("missing_channels", "missing_taps"),
    ),
    Planted(
        "the square of a mean",
        "token_norms",
        "variance",
        (
            Swap("variance.frag", "sum += away * away;", "sum += away;"),
            Swap(
                "variance.frag",
                "variance = sum / float(length);",
                "float apart = sum / float(length);\n    variance = apart * apart;",
            ),
        ),
        ("wrong_function",),
    ),
    Planted(
        "a column of means read as a row",
        "token_norms",
        "variance",
        (Swap("variance.frag", "ivec2(0, row)", "ivec2(row, 0)"),),
        ("index_map", "transpose_xy", "wrong_partner"),
    ),
    Planted(
        "the centre taken off behind the root",
        "token_norms",
        "normed",
        (
            Swap(
                "normed.frag",
                "(x - centre) * inversesqrt(spread + epsilon) * scale",
                "(x * inversesqrt(spread + epsilon) - centre) * scale",
            ),
        ),
        ("scale",),
    ),
    Planted(
        "the bias of the row",
        "token_norms",
        "projected",
        (Swap("projected.frag", "texelFetch(bias, ivec2(column, 0), 0)", "texelFetch(bias, ivec2(row, 0), 0)"),),
        ("bias_offset", "index_map", "wrong_partner"),
    ),
    Planted(
        "a root of the sum over the width",
        "token_norms",
        "mixed",
        (Swap("mixed.frag", "sqrt(squares / float(width) + epsilon)", "sqrt(squares + epsilon) / float(width)"),),
        ("average_count", "epsilon", "scale"),
    ),
    Planted(
        "rows of a picture as long as its columns",
        "image_norms",
        "mean",
        (Swap("moments.frag", "j < size.x; j++) sum +=", "j < size.y; j++) sum +="),),
        ("tile_bleed", "extra_channels"),
    ),
    Planted(
        "variances in columns",
        "image_norms",
        "instance",
        (Swap("instance.frag", "texelFetch(variances, tile, 0)", "texelFetch(variances, tile.yx, 0)"),),
        ("index_map", "transpose_xy", "wrong_partner"),
    ),
    Planted(
        "a slope on what was not yet shifted",
        "image_norms",
        "instance",
        (Swap("instance.frag", "0.15 * value", "0.15 * normed"),),
        ("wrong_partner",),
    ),
    Planted(
        "epsilon as a least variance",
        "image_norms",
        "group_mean",
        (
            Swap(
                "group_moments.frag",
                "inversesqrt(squares / count - mean * mean + epsilon)",
                "inversesqrt(max(squares / count - mean * mean, epsilon))",
            ),
        ),
        ("epsilon", "wrong_function"),
    ),
    Planted(
        "a length by the mean of squares",
        "cosine_rows",
        "length",
        (Swap("length.frag", "sqrt(sum)", "sqrt(sum / float(width))"),),
        ("scale", "average_count"),
    ),
    Planted(
        "the smaller of length and bound",
        "cosine_rows",
        "unit",
        (Swap("unit.frag", "/ max(", "/ min("),),
        ("wrong_function",),
    ),
    Planted(
        "the deviation for the variance",
        "batch_lrn",
        "variance",
        (
            Swap(
                "variance.frag",
                "variance = sum / float(pictures * size.x * size.y);",
                "variance = sqrt(sum / float(pictures * size.x * size.y));",
            ),
        ),
        ("activation_extra", "wrong_function"),
    ),
    Planted(
        "the mean added to the shift",
        "batch_lrn",
        "batch",
        (
            Swap(
                "batch.frag",
                ".x - texelFetch(means, channel, 0).x * scale",
                ".x + texelFetch(means, channel, 0).x * scale",
            ),
        ),
        ("scale", "wrong_function"),
    ),
    Planted(
        "squares of the first picture",
        "batch_lrn",
        "local",
        (Swap("local.frag", "fetch(tile - channel + c, inside)", "fetch(c, inside)"),),
        ("index_map", "wrong_partner"),
    ),
    Planted(
        "a neighbour from the next picture",
        "batch_lrn",
        "local",
        (Swap("local.frag", "min(channel + 1, channels - 1)", "min(channel + 1, channels)"),),
        ("extra_channels",),
    ),
    Planted(
        "squares over those that there are",
        "batch_lrn",
        "local",
        (Swap("local.frag", "0.9 / 3.0 * squares", "0.9 / float(to - from + 1) * squares"),),
        ("average_count",),
    ),
)
