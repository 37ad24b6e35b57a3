"""Bugs of `vit_block`: pre-norm, four heads in tiles, GELU, two residuals."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

TARGET = "vit_block"

FAULTS: tuple[Planted, ...] = (
    Planted(
        "variance over one less than the features",
        TARGET,
        "norm1",
        (Swap("layer_norm.frag", "    var /= float(uDim);", "    var /= float(uDim - 1);"),),
        ("average_count", "wrong_function", "scale"),
    ),
    Planted(
        "heads taken as interleaved features",
        TARGET,
        "scores",
        (
            Swap("scores.frag", "ivec2(first + i, row)", "ivec2(head + i * 4, row)"),
            Swap("scores.frag", "ivec2(first + i, col)", "ivec2(head + i * 4, col)"),
        ),
        ("index_map", "channel_permutation"),
    ),
    Planted(
        "the leftmost head's row normalises its neighbours",
        TARGET,
        "probs",
        (Swap("softmax.frag", "(at.x / uTokenCount) * uTokenCount;", "0;"),),
        ("index_map", "tile_bleed", "group_ignored"),
    ),
    Planted(
        "probabilities of head feature mod heads",
        TARGET,
        "context",
        (Swap("context.frag", "int head = feature / uHeadDim;", "int head = feature % (uAcross * uAcross);"),),
        ("wrong_partner", "index_map"),
    ),
    Planted(
        "square where the tanh form has a cube",
        TARGET,
        "hidden",
        (Swap("fc1_gelu.frag", "0.044715 * x * x * x", "0.044715 * x * x"),),
        ("wrong_function",),
    ),
    Planted(
        "the residual taken after the norm",
        TARGET,
        "attended",
        (Swap("pipeline.toml", 'textures.uResidual = "tokens"', 'textures.uResidual = "norm1"'),),
        ("wrong_input",),
        in_text=False,
    ),
    Planted(
        "weights bound with inputs down the rows",
        TARGET,
        "query",
        (Swap("linear.frag", "texelFetch(uWeight, ivec2(i, at.x), 0)", "texelFetch(uWeight, ivec2(at.x, i), 0)"),),
        ("filter_io_swap", "transpose_xy", "wrong_layout", "index_map"),
    ),
)

PAIRS: tuple[Planted, ...] = (
    Planted(
        "no bias, and a GELU without its half",
        TARGET,
        "hidden",
        (
            Swap("fc1_gelu.frag", "gelu(acc + texelFetch(uBias, ivec2(at.x, 0), 0).r)", "gelu(acc)"),
            Swap("fc1_gelu.frag", "return 0.5 * x * (1.0 + tanh(inner));", "return x * (1.0 + tanh(inner));"),
        ),
        ("bias_missing",),
        ("scale", "wrong_function"),
    ),
)

HEALTHY: tuple[Healthy, ...] = (
    Healthy(
        "variance and mean by Welford",
        TARGET,
        (
            Swap(
                "layer_norm.frag",
                """\
    for (int i = 0; i < uDim; ++i) {
        mean += tok(t, i);
    }
    mean /= float(uDim);

    float var = 0.0;
    for (int i = 0; i < uDim; ++i) {
        float delta = tok(t, i) - mean;
        var += delta * delta;
    }
""",
                """\
    float var = 0.0;
    for (int i = 0; i < uDim; ++i) {
        float sample_ = tok(t, i);
        float before = sample_ - mean;
        mean += before / float(i + 1);
        var = fma(before, sample_ - mean, var);
    }
""",
            ),
            Swap("layer_norm.frag", "#version 300 es", "#version 320 es"),
        ),
    ),
    Healthy(
        "softmax in one sweep that rescales its total",
        TARGET,
        (
            Swap(
                "softmax.frag",
                """\
    float top = texelFetch(uScores, ivec2(start, at.y), 0).r;
    for (int k = 1; k < uTokenCount; ++k) {
        top = max(top, texelFetch(uScores, ivec2(start + k, at.y), 0).r);
    }

    float total = 0.0;
    for (int k = 0; k < uTokenCount; ++k) {
        total += exp(texelFetch(uScores, ivec2(start + k, at.y), 0).r - top);
    }
""",
                """\
    float top = -1e30;
    float total = 0.0;
    for (int k = uTokenCount - 1; k >= 0; --k) {
        float s = texelFetch(uScores, ivec2(start + k, at.y), 0).r;
        float higher = max(top, s);
        total = total * exp2((top - higher) * 1.44269504) + exp2((s - higher) * 1.44269504);
        top = higher;
    }
""",
            ),
        ),
    ),
)
