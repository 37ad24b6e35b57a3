"""Slips in a gated block: folding, statistics of channels, mirrored borders, halves across lanes, attention."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_ATTENDED = "    rgb *= texelFetch(attention, p, 0).r;\n"
_MIXED = "FETCH(folded, t, p) + damp[t] * y"
_MIRROR = "(abs(q) - 2 * max(abs(q) - (SIZE - 1), 0))"
_CENTRED = "    v0 -= mean, v1 -= mean, v2 -= mean;\n"
_VAR = "    float var = SUM(v0 * v0 + v1 * v1 + v2 * v2) / 12.0;\n"

FAULTS = (
    Planted(
        "phases folded down before across",
        "gated",
        "folded",
        (Swap("fold.frag", "ivec2(k / 3 % 2, k / 6)", "ivec2(k / 6, k / 3 % 2)"),),
        ("channel_permutation", "index_map"),
    ),
    Planted(
        "the four phases of a colour together",
        "gated",
        "folded",
        (
            Swap("fold.frag", "ivec2(k / 3 % 2, k / 6)", "ivec2(k % 2, k / 2 % 2)"),
            Swap("fold.frag", "[k % 3]", "[k / 4]"),
        ),
        ("channel_permutation", "index_map"),
    ),
    Planted(
        "epsilon outside the root",
        "gated",
        "normed",
        (Swap("norm.frag", "v * inversesqrt(var + EPS)", "v / (sqrt(var) + EPS)"),),
        ("epsilon", "activation_before_bias", "wrong_function"),
    ),
    Planted(
        "a variance of eleven",
        "gated",
        "normed",
        (Swap("norm.frag", "v2 * v2) / 12.0", "v2 * v2) / 11.0"),),
        ("average_count", "scale", "wrong_literal", "wrong_function"),
    ),
    Planted(
        "beta of the first tile for all",
        "gated",
        "normed",
        (Swap("norm.frag", "beta[t];", "beta[0];"),),
        ("bias_offset", "index_map"),
    ),
    Planted(
        "squares taken before the mean is",
        "gated",
        "normed",
        (Swap("norm.frag", _CENTRED + _VAR, _VAR + _CENTRED),),
        ("bias_missing", "wrong_function", "wrong_input"),
    ),
    Planted(
        "borders held instead of mirrored",
        "gated",
        "deep",
        (Swap("deep.frag", _MIRROR, "clamp(q, ivec2(0), SIZE - 1)"),),
        ("padding_mode", "index_map"),
    ),
    Planted(
        "a kernel read down its columns",
        "gated",
        "deep",
        (Swap("deep.frag", "(dy + 1) * 3 + dx + 1]", "(dx + 1) * 3 + dy + 1]"),),
        ("kernel_transpose", "index_map", "wrong_partner"),
    ),
    Planted(
        "the tap at the right left out",
        "gated",
        "deep",
        (Swap("deep.frag", "    TAP(1, 0);\n", ""),),
        ("missing_taps",),
    ),
    Planted(
        "kernels of the first tile for all",
        "gated",
        "deep",
        (Swap("deep.frag", "k[t * 9 + (dy", "k[(dy"),),
        ("filter_offset", "index_map", "wrong_partner"),
    ),
    Planted(
        "upper lanes where the lower belong",
        "gated",
        "gate",
        (Swap("gate.frag", "vec4(mid.zw, hi.xy)", "vec4(hi.xy, mid.zw)"),),
        ("wrong_partner", "index_map", "channel_permutation"),
    ),
    Planted(
        "a sigmoid on the gate",
        "gated",
        "gate",
        (
            Swap("gate.frag", "lo * vec4(mid.zw, hi.xy)", "lo / (1.0 + exp(-vec4(mid.zw, hi.xy)))"),
            Swap("gate.frag", "vec4(mid.xy * hi.zw,", "vec4(mid.xy / (1.0 + exp(-hi.zw)),"),
        ),
        ("activation_extra", "wrong_function"),
    ),
    Planted(
        "the last two of six channels exchanged",
        "gated",
        "mixed",
        (Swap("mix.frag", "FETCH(gate, 1, p).xy", "FETCH(gate, 1, p).yx"),),
        ("channel_permutation", "index_map", "wrong_partner"),
    ),
    Planted(
        "four of six channels mixed",
        "gated",
        "mixed",
        (Swap("mix.frag", "FETCH(gate, 0, p) + hi[t] * FETCH(gate, 1, p).xy + b[t]", "FETCH(gate, 0, p) + b[t]"),),
        ("missing_channels",),
    ),
    Planted(
        "a bias once more behind the damping",
        "gated",
        "mixed",
        (Swap("mix.frag", _MIXED, _MIXED + " + b[t]"),),
        ("bias_doubled", "double_counted"),
    ),
    Planted(
        "damped by the first tile's numbers",
        "gated",
        "mixed",
        (Swap("mix.frag", "damp[t] * y", "damp[0] * y"),),
        ("wrong_partner", "index_map"),
    ),
    Planted(
        "the largest of three lanes",
        "gated",
        "attention",
        (Swap("attention.frag", "max(max(v.x, v.y), max(v.z, v.w))", "max(max(v.x, v.y), v.z)"),),
        ("dropped_lane", "missing_channels"),
    ),
    Planted(
        "largest before mean",
        "gated",
        "attention",
        (Swap("attention.frag", "vec2(SUM(v0 + v1 + v2) / 12.0, MAX4(m))", "vec2(MAX4(m), SUM(v0 + v1 + v2) / 12.0)"),),
        ("channel_permutation", "wrong_partner", "index_map", "wrong_input"),
    ),
    Planted(
        "a window that begins at its pixel",
        "gated",
        "attention",
        (Swap("attention.frag", "ivec2(i % 3, i / 3) - 1;", "ivec2(i % 3, i / 3);"),),
        ("shift", "index_map"),
    ),
    Planted(
        "an exponential without its minus",
        "gated",
        "attention",
        (Swap("attention.frag", "exp(-acc)", "exp(acc)"),),
        ("wrong_function", "activation_missing", "scale", "affine"),
    ),
    Planted(
        "attention read from the gate",
        "gated",
        "result",
        (Swap("pipeline.toml", 'textures.attention = "attention"', 'textures.attention = "gate"'),),
        ("wrong_input", "wrong_partner"),
        in_text=False,
    ),
    Planted(
        "what came in attended as well",
        "gated",
        "result",
        (
            Swap("result.frag", _ATTENDED, ""),
            Swap(
                "result.frag",
                "    color.rgb += texelFetch(image, at, 0).rgb;\n",
                "    color.rgb += texelFetch(image, at, 0).rgb;\n    color.rgb *= texelFetch(attention, p, 0).r;\n",
            ),
        ),
        ("wrong_partner",),
    ),
    Planted(
        "the result held between black and white",
        "gated",
        "result",
        (
            Swap(
                "result.frag",
                "    color.rgb += texelFetch(image, at, 0).rgb;\n",
                "    color.rgb = clamp(color.rgb + texelFetch(image, at, 0).rgb, 0.0, 1.0);\n",
            ),
        ),
        ("clamped_0_1", "activation_extra", "clamped_nonnegative", "wrong_function"),
    ),
)

PAIRS = (
    Planted(
        "borders held and biases of the first tile",
        "gated",
        "deep",
        (
            Swap("deep.frag", _MIRROR, "clamp(q, ivec2(0), SIZE - 1)"),
            Swap("deep.frag", "vec4 acc = b[t];", "vec4 acc = b[0];"),
        ),
        ("padding_mode", "index_map"),
        ("bias_offset", "index_map"),
    ),
)

HEALTHY = (
    Healthy("as it is: gated", "gated"),
    Healthy(
        "a variance as the mean of squares less the mean's square",
        "gated",
        (
            Swap("norm.frag", _CENTRED, ""),
            Swap("norm.frag", "v2 * v2) / 12.0;", "v2 * v2) / 12.0 - mean * mean;"),
            Swap("norm.frag", "color = v * inv", "color = (v - mean) * inv"),
        ),
    ),
    Healthy(
        "taps by fma, from the last to the first",
        "gated",
        (
            Swap(
                "deep.frag",
                "acc += k[t * 9 + (dy + 1) * 3 + dx + 1] * FETCH(x, t, MIRROR(p + ivec2(dx, dy)))",
                "acc = fma(k[t * 9 + (dy + 1) * 3 + dx + 1], FETCH(x, t, MIRROR(p + ivec2(dx, dy))), acc)",
            ),
            Swap("deep.frag", "    TAP(-1, -1); TAP(0, -1); TAP(1, -1);\n", ""),
            Swap("deep.frag", "TAP(1, 1);\n", "TAP(1, 1);\n    TAP(1, -1); TAP(0, -1); TAP(-1, -1);\n"),
        ),
    ),
    Healthy(
        "a sigmoid by a hyperbolic tangent",
        "gated",
        (Swap("attention.frag", "1.0 / (1.0 + exp(-acc))", "0.5 + 0.5 * tanh(0.5 * acc)"),),
    ),
)
