"""Bugs of norms and of softmax in several passes: counts, epsilon, gains, groups, the wrong reduction."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS: tuple[Planted, ...] = (
    Planted(
        "the variance divided by one less",
        "token_norms",
        "variance",
        (Swap("variance.frag", "variance = sum / float(length);", "variance = sum / float(length - 1);"),),
        ("average_count", "scale"),
    ),
    Planted(
        "squares about zero for squares about the mean",
        "token_norms",
        "variance",
        (
            Swap(
                "variance.frag",
                "float away = texelFetch(tokens, ivec2(i, row), 0).x - centre;",
                "float away = texelFetch(tokens, ivec2(i, row), 0).x;",
            ),
        ),
        ("wrong_function",),
    ),
    Planted(
        "epsilon beside the root",
        "token_norms",
        "normed",
        (Swap("normed.frag", "inversesqrt(spread + epsilon)", "(inversesqrt(spread) + epsilon)"),),
        ("epsilon",),
    ),
    Planted(
        "the gain of the token, not of the feature",
        "token_norms",
        "normed",
        (Swap("normed.frag", "texelFetch(gamma, ivec2(at.x, 0), 0)", "texelFetch(gamma, ivec2(at.y, 0), 0)"),),
        ("wrong_partner", "index_map"),
    ),
    Planted(
        "a width rounded down to whole vectors",
        "token_norms",
        "projected",
        (Swap("pipeline.toml", "uniforms.width = 18", "uniforms.width = 16"),),
        ("missing_channels",),
        in_text=False,
    ),
    Planted(
        "the residual from behind the norm",
        "token_norms",
        "mixed",
        (Swap("mixed.frag", "(1.0 + exp(-normed)) + here;", "(1.0 + exp(-normed)) + normed;"),),
        ("wrong_input", "wrong_partner"),
    ),
    Planted(
        "a gate by what stood before the norm",
        "token_norms",
        "mixed",
        (Swap("mixed.frag", "normed / (1.0 + exp(-normed))", "normed / (1.0 + exp(-here))"),),
        ("wrong_partner", "wrong_input", "wrong_function"),
    ),
    Planted(
        "the first feature left out of the mean",
        "token_norms",
        "mean",
        (Swap("mean.frag", "for (int i = 0; i < length; i++)", "for (int i = 1; i < length; i++)"),),
        ("missing_channels", "missing_taps"),
    ),
    Planted(
        "the shift added behind the activation",
        "image_norms",
        "instance",
        (
            Swap(
                "instance.frag",
                "texelFetch(gamma, ivec2(0, channel), 0).x + texelFetch(beta, ivec2(0, channel), 0).x;",
                "texelFetch(gamma, ivec2(0, channel), 0).x;",
            ),
            Swap(
                "instance.frag",
                "y = value > 0.0 ? value : 0.15 * value;",
                "y = (value > 0.0 ? value : 0.15 * value) + texelFetch(beta, ivec2(0, channel), 0).x;",
            ),
        ),
        ("activation_before_bias",),
    ),
    Planted(
        "gains counted by columns of tiles",
        "image_norms",
        "instance",
        (
            Swap(
                "instance.frag",
                "int channel = (tile.y * columns + tile.x) % channels;",
                "int channel = (tile.x * columns + tile.y) % channels;",
            ),
        ),
        ("index_map", "wrong_partner", "bias_offset"),
    ),
    Planted(
        "members of a group three channels apart",
        "image_norms",
        "group_mean",
        (Swap("group_moments.frag", "group * MEMBERS + member;", "member * 3 + group;"),),
        ("index_map", "group_ignored", "channel_permutation"),
    ),
    Planted(
        "the deviation stored where its inverse is meant",
        "image_norms",
        "group_mean",
        (Swap("group_moments.frag", "inverse = inversesqrt(", "inverse = sqrt("),),
        ("wrong_function",),
    ),
    Planted(
        "the group from the remainder, not the quotient",
        "image_norms",
        "grouped",
        (Swap("grouped.frag", "int group = channel / 2;", "int group = channel % 3;"),),
        ("index_map", "wrong_partner", "group_ignored"),
    ),
    Planted(
        "the moments of the first picture for both",
        "image_norms",
        "grouped",
        (Swap("grouped.frag", "ivec2(0, k / channels * 3 + group)", "ivec2(0, group)"),),
        ("index_map", "wrong_partner"),
    ),
    Planted(
        "the residual bound behind the first norm",
        "image_norms",
        "grouped",
        (Swap("pipeline.toml", 'textures.residual = "x"', 'textures.residual = "instance"'),),
        ("wrong_input",),
        in_text=False,
    ),
    Planted(
        "the last column never compared with the largest",
        "cosine_rows",
        "largest",
        (Swap("largest.frag", "for (int i = 1; i < width; i++)", "for (int i = 1; i < width - 1; i++)"),),
        ("missing_channels", "missing_taps"),
    ),
    Planted(
        "a softmax divided by its largest",
        "cosine_rows",
        "shares",
        (Swap("shares.frag", "/ texelFetch(total, row, 0).r;", "/ texelFetch(largest, row, 0).r;"),),
        ("wrong_input",),
    ),
    Planted(
        "largest and total bound to each other's name",
        "cosine_rows",
        "shares",
        (
            Swap(
                "pipeline.toml",
                'textures.largest = "largest"\ntextures.total = "total"',
                'textures.largest = "total"\ntextures.total = "largest"',
            ),
        ),
        ("wrong_input",),
        in_text=False,
    ),
    Planted(
        "a sampler of the default precision",
        "batch_lrn",
        "variance",
        (Swap("variance.frag", "#version 330", "#version 300 es\nprecision highp float;\nprecision highp int;"),),
        ("half_precision",),
    ),
    Planted(
        "shares read by key and query",
        "cosine_rows",
        "mixed",
        (Swap("mixed.frag", "texelFetch(shares, ivec2(k, at.y), 0)", "texelFetch(shares, ivec2(at.y, k), 0)"),),
        ("transpose_xy", "index_map", "wrong_partner"),
    ),
    Planted(
        "a length without its root",
        "cosine_rows",
        "length",
        (Swap("length.frag", "len = sqrt(sum);", "len = sum;"),),
        ("wrong_function",),
    ),
    Planted(
        "a mean that forgets how many pictures there are",
        "batch_lrn",
        "mean",
        (Swap("mean.frag", "float(pictures * size.x * size.y)", "float(size.x * size.y)"),),
        ("average_count", "scale"),
    ),
    Planted(
        "one row too many, of the tile below",
        "batch_lrn",
        "mean",
        (Swap("mean.frag", "for (int i = 0; i < size.y; i++) sum", "for (int i = 0; i <= size.y; i++) sum"),),
        ("extra_channels", "tile_bleed"),
    ),
    Planted(
        "neighbours beyond the first and last channel",
        "batch_lrn",
        "local",
        (
            Swap(
                "local.frag",
                "int from = max(channel - 1, 0), to = min(channel + 1, channels - 1);",
                "int from = channel - 1, to = channel + 1;",
            ),
        ),
        ("extra_channels", "tile_bleed", "padding_mode"),
    ),
    Planted(
        "squares not divided by the size of the window",
        "batch_lrn",
        "local",
        (Swap("local.frag", "0.9 / 3.0 * squares", "0.9 * squares"),),
        ("scale", "average_count", "alpha"),
    ),
)

PAIRS: tuple[Planted, ...] = (
    Planted(
        "the sum for the mean of squares, and the residual twice",
        "token_norms",
        "mixed",
        (
            Swap("mixed.frag", "sqrt(squares / float(width) + epsilon)", "sqrt(squares + epsilon)"),
            Swap("mixed.frag", "(1.0 + exp(-normed)) + here;", "(1.0 + exp(-normed)) + here + here;"),
        ),
        ("average_count", "scale"),
        ("double_counted",),
    ),
    Planted(
        "no shift, and the group from the remainder",
        "image_norms",
        "grouped",
        (
            Swap("grouped.frag", " + texelFetch(beta, ivec2(0, channel), 0).x;", ";"),
            Swap("grouped.frag", "int group = channel / 2;", "int group = channel % 3;"),
        ),
        ("bias_missing",),
        ("index_map", "wrong_partner", "group_ignored"),
    ),
    Planted(
        "neighbours beyond the ends, and the root for the power",
        "batch_lrn",
        "local",
        (
            Swap(
                "local.frag",
                "int from = max(channel - 1, 0), to = min(channel + 1, channels - 1);",
                "int from = channel - 1, to = channel + 1;",
            ),
            Swap("local.frag", "squares, -0.75)", "squares, -0.5)"),
        ),
        ("extra_channels", "tile_bleed", "padding_mode"),
        ("alpha", "wrong_function", "wrong_literal"),
    ),
)

HEALTHY: tuple[Healthy, ...] = (
    Healthy(
        "mean and squares in one turn, each value once",
        "token_norms",
        (
            Swap(
                "variance.frag",
                "    float centre = texelFetch(mean, ivec2(0, row), 0).x;\n"
                "    float sum = 0.0;\n"
                "    for (int i = 0; i < length; i++) {\n"
                "        float away = texelFetch(tokens, ivec2(i, row), 0).x - centre;\n"
                "        sum += away * away;\n"
                "    }\n",
                "    float running = texelFetch(mean, ivec2(0, row), 0).x * 0.0, sum = 0.0;\n"
                "    for (int i = 0; i < length; i++) {\n"
                "        float value = texelFetch(tokens, ivec2(i, row), 0).x;\n"
                "        float delta = value - running;\n"
                "        running += delta / float(i + 1);\n"
                "        sum += delta * (value - running);\n"
                "    }\n",
            ),
        ),
    ),
    Healthy(
        "a sum that carries what rounding took, of powers of two",
        "cosine_rows",
        (
            Swap(
                "total.frag",
                "    for (int i = 0; i < width; i++) total += exp(texelFetch(similar, ivec2(i, row), 0).r - most);\n",
                "    float carried = 0.0;\n"
                "    for (int i = 0; i < width; i++) {\n"
                "        float term = exp2((texelFetch(similar, ivec2(i, row), 0).r - most) * 1.442695041) - carried;\n"
                "        float next = total + term;\n"
                "        carried = (next - total) - term;\n"
                "        total = next;\n"
                "    }\n",
            ),
            Swap("unit.frag", "texelFetch(rows, at, 0).r / max(", "texelFetch(rows, at, 0).r * (1.0 / max("),
            Swap("unit.frag", ", 0).r, 1e-3);", ", 0).r, 1e-3));"),
        ),
    ),
    Healthy(
        "moments of what is left of the first texel, and a slope by max and min",
        "image_norms",
        (
            Swap(
                "group_moments.frag",
                "    float sum = 0.0, squares = 0.0;\n",
                "    int head = picture * channels + group * MEMBERS;\n"
                "    float first = texelFetch(x, ivec2(head % columns, head / columns) * size, 0).x;\n"
                "    float sum = 0.0, squares = 0.0;\n",
            ),
            Swap("group_moments.frag", "p / size.x), 0).x;", "p / size.x), 0).x - first;"),
            Swap(
                "group_moments.frag",
                "    mean = sum / count;\n",
                "    float rest = sum / count;\n    mean = first + rest;\n",
            ),
            Swap("group_moments.frag", "squares / count - mean * mean", "squares / count - rest * rest"),
            Swap(
                "instance.frag",
                "y = value > 0.0 ? value : 0.15 * value;",
                "y = max(value, 0.0) + 0.15 * min(value, 0.0);",
            ),
        ),
    ),
    Healthy(
        "a power by two roots, places by comparing",
        "batch_lrn",
        (
            Swap(
                "local.frag",
                "    y = fetch(tile, inside) * pow(1.5 + 0.9 / 3.0 * squares, -0.75);\n",
                "    float root = sqrt(fma(squares, 0.3, 1.5));\n    y = fetch(tile, inside) / (root * sqrt(root));\n",
            ),
            Swap("local.frag", "#version 330", "#version 400"),
            Swap(
                "running.frag",
                "next = momentum * texelFetch(means, at, 0).x + (1.0 - momentum) * texelFetch(running, at, 0).x;",
                "float before = texelFetch(running, at, 0).x;\n"
                "    next = before + momentum * (texelFetch(means, at, 0).x - before);",
            ),
        ),
    ),
)
