"""Plants bugs in the fragment shaders of `head`: statistics in one pass, used in the next, several attachments."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS = (
    Planted(
        name="epsilon outside the root",
        target="head",
        culprit="mean",
        swaps=(Swap("norm_stats.frag", "inversesqrt(spread / area + u_eps)", "1.0 / (sqrt(spread / area) + u_eps)"),),
        causes=("epsilon",),
    ),
    Planted(
        name="variance of a sample",
        target="head",
        culprit="mean",
        swaps=(
            Swap("norm_stats.frag", "inversesqrt(spread / area + u_eps)", "inversesqrt(spread / (area - 1.0) + u_eps)"),
        ),
        causes=("average_count", "scale"),
    ),
    Planted(
        name="deviation for its reciprocal",
        target="head",
        culprit="mean",
        swaps=(Swap("norm_stats.frag", "inversesqrt(spread / area + u_eps)", "sqrt(spread / area + u_eps)"),),
        causes=("activation_missing", "wrong_function"),
    ),
    Planted(
        name="squares without the mean taken off",
        target="head",
        culprit="mean",
        swaps=(
            Swap(
                "norm_stats.frag",
                "texelFetch(t_x, corner + ivec2(x, y), 0) - mean;",
                "texelFetch(t_x, corner + ivec2(x, y), 0);",
            ),
        ),
        causes=("bias_missing", "wrong_function"),
    ),
    Planted(
        name="the first row alone",
        target="head",
        culprit="mean",
        swaps=(
            Swap(
                "norm_stats.frag",
                "sum += texelFetch(t_x, corner + ivec2(x, y), 0);",
                "sum += texelFetch(t_x, corner + ivec2(x, 0), 0);",
            ),
        ),
        causes=("index_map", "missing_taps", "missing_channels", "double_counted"),
    ),
    Planted(
        name="the statistics of the first slice for all",
        target="head",
        culprit="norm",
        swaps=(Swap("norm_apply.frag", "ivec2 stat = ivec2(group, 0);", "ivec2 stat = ivec2(0, 0);"),),
        causes=("index_map", "channel_permutation", "wrong_partner"),
    ),
    Planted(
        name="the mean scaled without gamma",
        target="head",
        culprit="norm",
        swaps=(Swap("norm_apply.frag", "beta - mean * scale;", "beta - mean * rstd;"),),
        causes=("unexplained", "wrong_function"),
    ),
    Planted(
        name="gate of a hard sigmoid",
        target="head",
        culprit="norm",
        swaps=(Swap("norm_apply.frag", "clamp(x / 6.0 + 0.5, 0.0, 1.0)", "clamp(x / 5.0 + 0.5, 0.0, 1.0)"),),
        causes=("alpha", "wrong_function"),
    ),
    Planted(
        name="x forgotten before its gate",
        target="head",
        culprit="norm",
        swaps=(Swap("norm_apply.frag", "return x * clamp(", "return clamp("),),
        causes=("wrong_function",),
    ),
    Planted(
        name="gamma and beta bound the other way",
        target="head",
        culprit="norm",
        swaps=(
            Swap("pipeline.toml", 'textures.t_gamma = { tensor = "gamma"', 'textures.t_gamma = { tensor = "beta"'),
            Swap("pipeline.toml", 'textures.t_beta = { tensor = "beta"', 'textures.t_beta = { tensor = "gamma"'),
        ),
        causes=("wrong_input",),
        in_text=False,
    ),
    Planted(
        name="only three lanes of a product",
        target="head",
        culprit="logits",
        swaps=(Swap("pointwise.frag", "dot(weights(o, g), x)", "dot(weights(o, g).xyz, x.xyz)"),),
        causes=("missing_channels", "dropped_lane"),
    ),
    Planted(
        name="tiles of weights by the columns of the output",
        target="head",
        culprit="logits",
        swaps=(
            Swap(
                "pointwise.frag", "ivec2(t % u_columns.z, t / u_columns.z)", "ivec2(t % u_columns.y, t / u_columns.y)"
            ),
        ),
        causes=("index_map", "wrong_layout", "filter_offset", "wrong_partner", "missing_channels"),
    ),
    Planted(
        name="a maximum over the first slice",
        target="head",
        culprit="peak",
        swaps=(
            Swap(
                "softmax_stats.frag",
                "for (int c = 1; c < u_channels; c++)",
                "for (int c = 1; c < 4; c++)",
            ),
        ),
        causes=("missing_channels",),
    ),
    Planted(
        name="a sum over the padding too",
        target="head",
        culprit="peak",
        swaps=(
            Swap(
                "softmax_stats.frag",
                "for (int c = 0; c < u_channels; c++) {",
                "for (int c = 0; c < (u_channels + 3) / 4 * 4; c++) {",
            ),
        ),
        causes=("extra_channels",),
    ),
    Planted(
        name="a power of two",
        target="head",
        culprit="share",
        swaps=(Swap("softmax_apply.frag", "o_y = exp(", "o_y = exp2("),),
        causes=("wrong_function",),
    ),
    Planted(
        name="divided by the maximum",
        target="head",
        culprit="share",
        swaps=(Swap("softmax_apply.frag", "texelFetch(t_sum, p, 0).r;", "texelFetch(t_max, p, 0).r;"),),
        causes=("wrong_input",),
    ),
    Planted(
        name="not divided",
        target="head",
        culprit="share",
        swaps=(Swap("softmax_apply.frag", "vec4(largest)) * inv;", "vec4(largest));"),),
        causes=("activation_missing", "wrong_function"),
    ),
    Planted(
        name="statistics of a place in another tile",
        target="head",
        culprit="share",
        swaps=(Swap("softmax_apply.frag", "ivec2 p = at % u_size;", "ivec2 p = min(at, u_size - 1);"),),
        causes=("index_map", "padding_mode", "wrong_partner"),
    ),
)

PAIRS = (
    Planted(
        name="three lanes, and the first slice's bias",
        target="head",
        culprit="logits",
        swaps=(
            Swap("pointwise.frag", "dot(weights(o, g), x)", "dot(weights(o, g).xyz, x.xyz)"),
            Swap("pointwise.frag", "texelFetch(t_bias, ivec2(og, 0), 0)", "texelFetch(t_bias, ivec2(0, 0), 0)"),
        ),
        causes=("missing_channels", "dropped_lane"),
        others=("bias_offset", "index_map"),
    ),
)

HEALTHY = (
    Healthy(
        name="normalised step by step",
        target="head",
        swaps=(
            Swap(
                "norm_apply.frag",
                "o_y = hardswish(x * scale + shift);",
                "o_y = hardswish((x - mean) * rstd * gamma + beta);",
            ),
        ),
    ),
    Healthy(
        name="powers of two of a scaled difference",
        target="head",
        swaps=(
            Swap(
                "softmax_apply.frag",
                "o_y = exp(texelFetch(t_x, at, 0) - vec4(largest)) * inv;",
                "o_y = exp2((texelFetch(t_x, at, 0) - vec4(largest)) * 1.44269504) * inv;",
            ),
        ),
    ),
)
