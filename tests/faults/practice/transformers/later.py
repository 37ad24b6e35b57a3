"""Bugs planted later in the transformers: `block`, `llama`."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

FAULTS: tuple[Planted, ...] = (
    Planted(
        "squares of what has its mean yet",
        "block",
        "ln1",
        (
            Swap(
                "layernorm.frag",
                "float d = texelFetch(u_x, ivec2(i, id.y), 0).r - mean;",
                "float d = texelFetch(u_x, ivec2(i, id.y), 0).r;",
            ),
        ),
        ("bias_missing",),
    ),
    Planted(
        "the queries' bias for keys and values",
        "block",
        "qkv",
        (Swap("qkv.frag", "texelFetch(u_b, ivec2(o, 0), 0)", "texelFetch(u_b, ivec2(o % u_dim, 0), 0)"),),
        (
            "bias_offset",
            "index_map",
        ),
    ),
    Planted(
        "sums from the second input on",
        "block",
        "qkv",
        (Swap("linear.glsl", "for (int i = 0; i < n; i++)", "for (int i = 1; i < n; i++)"),),
        ("missing_channels",),
    ),
    Planted(
        "heads take turns among channels",
        "block",
        "scores",
        (Swap("scores.frag", "int c = head * u_headDim + d;", "int c = d * (u_dim / u_headDim) + head;"),),
        (
            "index_map",
            "channel_permutation",
        ),
    ),
    Planted(
        "the mask divided too",
        "block",
        "scores",
        (
            Swap(
                "scores.frag",
                ("  s /= sqrt(float(u_headDim));\n  if (j > i) s += MASKED;\n"),
                ("  if (j > i) s += MASKED;\n  s /= sqrt(float(u_headDim));\n"),
            ),
        ),
        ("scale",),
    ),
    Planted(
        "the largest not taken from the numerator",
        "block",
        "probs",
        (Swap("softmax.frag", "o_p = exp(score(id.y, id.x) - m) / z;", "o_p = exp(score(id.y, id.x)) / z;"),),
        ("bias_missing",),
    ),
    Planted(
        "keys in the place of values",
        "block",
        "merged",
        (Swap("values.frag", "ivec2(2 * u_dim + c, j)", "ivec2(u_dim + c, j)"),),
        (
            "wrong_partner",
            "wrong_input",
            "index_map",
        ),
    ),
    Planted(
        "a square for the cube",
        "block",
        "up",
        (Swap("gelu.frag", "float cube = x * x * x;", "float cube = x * x;"),),
        ("wrong_function",),
    ),
    Planted(
        "half the root of pi",
        "block",
        "up",
        (Swap("gelu.frag", "0.7978845608", "0.8862269255"),),
        (
            "wrong_literal",
            "alpha",
            "wrong_function",
        ),
    ),
    Planted(
        "the stream from before attention",
        "block",
        "y",
        (Swap("pipeline.toml", 'textures.u_residual = "attended"', 'textures.u_residual = "x"'),),
        (
            "wrong_input",
            "wrong_partner",
        ),
        in_text=False,
    ),
    Planted(
        "epsilon behind the root",
        "llama",
        "rms1",
        (Swap("rmsnorm.frag", "1.0 / sqrt(ss + uEps)", "1.0 / (sqrt(ss) + uEps)"),),
        ("epsilon",),
    ),
    Planted(
        "one sum for all four rows",
        "llama",
        "q",
        (
            Swap(
                "common.glsl",
                ("float rowDot(sampler2D x, int t, sampler2D w, int o, int n4) {\n    vec4 acc = vec4(0.0);\n"),
                ("vec4 acc = vec4(0.0);\nfloat rowDot(sampler2D x, int t, sampler2D w, int o, int n4) {\n"),
            ),
        ),
        ("accumulator_not_reset",),
    ),
    Planted(
        "the middle of a head in the wrong half",
        "llama",
        "q_rot",
        (Swap("rope.frag", "float r = d < HALF ?", "float r = d <= HALF ?"),),
        (
            "index_map",
            "wrong_partner",
        ),
    ),
    Planted(
        "angles of the channel for those of the position",
        "llama",
        "q_rot",
        (Swap("rope.frag", "texelFetch(tSin, ivec2(d, t), 0)", "texelFetch(tSin, ivec2(t, d), 0)"),),
        (
            "index_map",
            "transpose_xy",
            "wrong_partner",
        ),
    ),
    Planted(
        "query heads take keys in turn",
        "llama",
        "context",
        (Swap("attention.frag", "int kv = head / GROUP;", "int kv = head % GROUP;"),),
        (
            "index_map",
            "wrong_partner",
            "group_ignored",
        ),
    ),
    Planted(
        "what was summed not brought to the new top",
        "llama",
        "context",
        (Swap("attention.frag", "acc = acc * corr + p *", "acc = acc + p *"),),
        ("scale",),
    ),
    Planted(
        "row and column of the skip exchanged",
        "llama",
        "h",
        (Swap("linear_add.frag", "FETCH4(tSkip, pos.y, pos.x)", "FETCH4(tSkip, pos.x, pos.y)"),),
        (
            "transpose_xy",
            "index_map",
        ),
    ),
    Planted(
        "the gate let through by what it gates",
        "llama",
        "glu",
        (Swap("swiglu.frag", "fragColor = silu(gate) * up;", "fragColor = silu(up) * gate;"),),
        (
            "wrong_partner",
            "wrong_input",
        ),
    ),
    Planted(
        "the last of four numbers not carried on",
        "llama",
        "glu",
        (Swap("swiglu.frag", "fragColor = silu(gate) * up;", "fragColor = vec4((silu(gate) * up).xyz, 0.0);"),),
        ("dropped_lane",),
    ),
)
