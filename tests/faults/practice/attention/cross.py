"""Bugs of `cross_flat`: queries of one text, keys and values of another, flat numbers in floats, norms after sums."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

TARGET = "cross_flat"

FAULTS: tuple[Planted, ...] = (
    Planted(
        "keys as if no values lay between them",
        TARGET,
        "logits",
        (Swap("logits.frag", "j * 2.0 * FEATURES + h * DEPTH + d", "j * FEATURES + h * DEPTH + d"),),
        ("index_map", "wrong_partner"),
    ),
    Planted(
        "a ReLU on the queries",
        TARGET,
        "query",
        (
            Swap(
                "pipeline.toml",
                'textures.bias = { tensor = "query.bias"',
                'defines.RELU = true\ntextures.bias = { tensor = "query.bias"',
            ),
        ),
        ("activation_extra", "clamped_nonnegative", "wrong_function"),
        in_text=False,
    ),
    Planted(
        "padding that is not hidden",
        TARGET,
        "logits",
        (Swap("logits.frag", "sum / sqrt(DEPTH) + near + hidden", "sum / sqrt(DEPTH) + near"),),
        ("bias_missing", "missing_channels"),
    ),
    Planted(
        "distances from key to query",
        TARGET,
        "logits",
        (Swap("logits.frag", "float apart = j - i + QUERIES - 1.0;", "float apart = i - j + KEYS - 1.0;"),),
        ("index_map", "wrong_partner", "bias_offset"),
    ),
    Planted(
        "gain and offset by the texture's column",
        TARGET,
        "norm1",
        (Swap("norm.frag", "    float feature = me - start;", "    float feature = mod(me, COLUMNS);"),),
        ("index_map", "wrong_partner", "bias_offset"),
    ),
)

PAIRS: tuple[Planted, ...] = (
    Planted(
        "scores not scaled, and the last head's distances first",
        TARGET,
        "logits",
        (
            Swap("logits.frag", "sum / sqrt(DEPTH) + near", "sum + near"),
            Swap("logits.frag", "apart * HEADS + h)", "apart * HEADS + HEADS - 1.0 - h)"),
        ),
        ("scale",),
        ("index_map", "wrong_partner", "bias_offset", "channel_permutation"),
    ),
)

HEALTHY: tuple[Healthy, ...] = (
    Healthy(
        "sums by Kahan, from the last input",
        TARGET,
        (
            Swap(
                "dense_add.frag",
                """\
    float sum = 0.0;
    for (int i = 0; i < INPUTS; i++) {
        float a = at(source, sourceSize, t * float(INPUTS) + float(i));
        sum += a * at(weight, weightSize, o * float(INPUTS) + float(i));
    }
""",
                """\
    float sum = 0.0, lost = 0.0;
    for (int i = INPUTS - 1; i >= 0; i--) {
        float a = at(source, sourceSize, t * float(INPUTS) + float(i));
        float term = a * at(weight, weightSize, o * float(INPUTS) + float(i)) - lost;
        float more = sum + term;
        lost = (more - sum) - term;
        sum = more;
    }
""",
            ),
        ),
    ),
)
