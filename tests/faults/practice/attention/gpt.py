"""Plants bugs in `gpt_packed`: four features a texel, query, key and value side by side, a causal mask."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

TARGET = "gpt_packed"

FAULTS: tuple[Planted, ...] = (
    Planted(
        "the token itself is masked too",
        TARGET,
        "probs",
        (
            Swap("causal_probs.frag", "if (j > i) return 0.0;", "if (j >= i && i > 0) return 0.0;"),
            Swap("causal_probs.frag", "for (int k = 0; k <= i; k++) z +=", "for (int k = 0; k < max(i, 1); k++) z +="),
        ),
        ("missing_taps", "missing_channels", "wrong_function"),
    ),
    Planted(
        "values where keys belong",
        TARGET,
        "probs",
        (Swap("causal_probs.frag", "const int KEY_AT = N_HEAD * QUADS;", "const int KEY_AT = 2 * N_HEAD * QUADS;"),),
        ("index_map", "wrong_partner", "wrong_input"),
    ),
    Planted(
        "rows of probabilities counted as whole texels",
        TARGET,
        "context",
        (
            Swap(
                "mix_values.frag",
                "    int e = (head * N_CTX + i) * N_CTX + j;",
                "    int e = (head * N_CTX + i) * (N_CTX / 4 * 4) + j;",
            ),
        ),
        ("index_map", "wrong_layout"),
    ),
    Planted(
        "positions of the token in the last column",
        TARGET,
        "embedded",
        (Swap("embed.frag", "texelFetch(position_table, p, 0)", "texelFetch(position_table, ivec2(3 - p.x, p.y), 0)"),),
        ("index_map", "wrong_partner", "channel_permutation", "flip_x"),
    ),
    Planted(
        "the third output's row of weights for the fourth too",
        TARGET,
        "qkv",
        (Swap("dense4.glsl", "group * 4 + 3", "group * 4 + 2"),),
        ("filter_offset", "wrong_partner", "index_map"),
    ),
    Planted(
        "the stream added before and after the projection",
        TARGET,
        "attended",
        (
            Swap(
                "project.frag",
                "    vec4 y = dense4(hidden, w_proj, p.y, p.x, quads);",
                "    vec4 y = texelFetch(stream, p, 0) + dense4(hidden, w_proj, p.y, p.x, quads);",
            ),
        ),
        ("double_counted",),
    ),
    Planted(
        "one lane without its GELU",
        TARGET,
        "up",
        (Swap("up.frag", "    result = quick_gelu(pre);", "    result = vec4(quick_gelu(pre).xyz, pre.w);"),),
        ("activation_missing", "wrong_function"),
    ),
)

PAIRS: tuple[Planted, ...] = (
    Planted(
        "scores not scaled, and the peak left in the numerator",
        TARGET,
        "probs",
        (
            Swap("causal_probs.frag", "    return s * SCALE;", "    return s;"),
            Swap(
                "causal_probs.frag", "return exp(logit(head, i, j) - peak) / z;", "return exp(logit(head, i, j)) / z;"
            ),
        ),
        ("scale",),
        ("wrong_function",),
    ),
)

HEALTHY: tuple[Healthy, ...] = (
    Healthy(
        "products by a matrix of four rows, quads from the last",
        TARGET,
        (
            Swap(
                "dense4.glsl",
                """\
    for (int q = 0; q < quads; q++) {
        vec4 a = texelFetch(src, ivec2(q, t), 0);
        acc.x += dot(a, texelFetch(weights, ivec2(q, group * 4 + 0), 0));
        acc.y += dot(a, texelFetch(weights, ivec2(q, group * 4 + 1), 0));
        acc.z += dot(a, texelFetch(weights, ivec2(q, group * 4 + 2), 0));
        acc.w += dot(a, texelFetch(weights, ivec2(q, group * 4 + 3), 0));
    }
""",
                """\
    for (int q = quads; q-- > 0;) {
        mat4 rows;
        for (int lane = 0; lane < 4; lane++) rows[lane] = texelFetch(weights, ivec2(q, group << 2 | lane), 0);
        acc += texelFetch(src, ivec2(q, t), 0) * rows;
    }
""",
            ),
        ),
    ),
)
