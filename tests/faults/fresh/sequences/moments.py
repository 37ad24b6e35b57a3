"""Slips in normalisations by floats: sums of rows, batch moments, local response, root mean square."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

FAULTS = (
    Planted(
        "a row's sum with the first column of the next tile",
        "norms",
        "rowsum",
        (Swap("rowsum.frag", "x < TILE.x;", "x <= TILE.x;"),),
        ("tile_bleed", "extra_channels"),
    ),
    Planted(
        "rows counted from the foot of a tile",
        "norms",
        "rowsum",
        (
            Swap(
                "rowsum.frag",
                "floor(mod(gl_FragCoord.y, TILE.y));",
                "TILE.y - 1.0 - floor(mod(gl_FragCoord.y, TILE.y));",
            ),
        ),
        ("flip_y", "index_map"),
    ),
    Planted(
        "pictures counted within channels",
        "norms",
        "mean",
        (Swap("mean.frag", "b * CHANNELS + c", "c * BATCH + b"),),
        ("index_map", "channel_permutation", "wrong_layout"),
    ),
    Planted(
        "a batch mean divided by one picture's elements",
        "norms",
        "mean",
        (Swap("mean.frag", "total / (BATCH * TILE.x * TILE.y)", "total / (TILE.x * TILE.y)"),),
        ("average_count", "scale"),
    ),
    Planted(
        "the first picture's deviations twice",
        "norms",
        "var",
        (Swap("var.frag", "fetchTile(src, b * CHANNELS + c,", "fetchTile(src, c,"),),
        ("index_map", "double_counted", "missing_channels"),
    ),
    Planted(
        "absolute deviations summed",
        "norms",
        "var",
        (Swap("var.frag", "total += d * d;", "total += abs(d);"),),
        ("wrong_function",),
    ),
    Planted(
        "a slope of a tenth",
        "norms",
        "bn",
        (Swap("bn.frag", "v < 0.0 ? 0.15 * v : v", "v < 0.0 ? 0.1 * v : v"),),
        ("alpha", "wrong_literal"),
    ),
    Planted(
        "a channel counted as if pictures lay side by side",
        "norms",
        "bn",
        (Swap("bn.frag", "float c = mod(n, CHANNELS);", "float c = floor((n + 0.5) / BATCH);"),),
        ("index_map", "wrong_partner", "channel_permutation", "bias_offset", "wrong_layout"),
    ),
    Planted(
        "the variance itself for its root",
        "norms",
        "bn",
        (
            Swap(
                "bn.frag",
                "* inversesqrt(texture(sigma2, at).r + 0.01)",
                "/ (texture(sigma2, at).r + 0.01)",
            ),
        ),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "mean and variance on each other's sampler",
        "norms",
        "bn",
        (
            Swap(
                "pipeline.toml",
                'textures.mu = "mean"\ntextures.sigma2 = "var"',
                'textures.mu = "var"\ntextures.sigma2 = "mean"',
            ),
        ),
        ("wrong_input", "wrong_partner"),
        in_text=False,
    ),
    Planted(
        "a window of channels that goes on past the last",
        "norms",
        "lrn",
        (Swap("lrn.frag", "float hi = min(c + 2.0, CHANNELS - 1.0);", "float hi = c + 2.0;"),),
        ("extra_channels",),
    ),
    Planted(
        "a response not divided by the window's size",
        "norms",
        "lrn",
        (Swap("lrn.frag", "alpha / SIZE * sq", "alpha * sq"),),
        ("average_count", "scale", "alpha", "wrong_function"),
    ),
    Planted(
        "neighbours from the first picture",
        "norms",
        "lrn",
        (Swap("lrn.frag", "fetchTile(src, first + i, p", "fetchTile(src, i, p"),),
        ("index_map", "wrong_partner"),
    ),
    Planted(
        "a root mean square without its floor",
        "norms",
        "rms",
        (Swap("rms.frag", "sum / CHANNELS + 0.003", "sum / CHANNELS"),),
        ("epsilon",),
    ),
    Planted(
        "the length in place of the root mean square",
        "norms",
        "rms",
        (Swap("rms.frag", "sum / CHANNELS + 0.003", "sum + 0.003"),),
        ("average_count", "scale", "wrong_function"),
    ),
    Planted(
        "gains for the channel after",
        "norms",
        "rms",
        (Swap("rms.frag", "(c + 0.5) / CHANNELS", "(c + 1.5) / CHANNELS"),),
        ("index_map", "wrong_partner", "shift", "filter_offset", "channel_permutation"),
    ),
)

PAIRS = (
    Planted(
        "a slope of a tenth, and no shift",
        "norms",
        "bn",
        (
            Swap("bn.frag", " + texture(beta, vec2(0.5, u)).r;", ";"),
            Swap("bn.frag", "v < 0.0 ? 0.15 * v : v", "v < 0.0 ? 0.1 * v : v"),
        ),
        ("bias_missing",),
        ("alpha", "wrong_literal"),
    ),
)
