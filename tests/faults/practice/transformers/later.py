"""Plants further bugs in the transformers: `block`, `llama`, `vit`, `cross`."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

FAULTS: tuple[Planted, ...] = (
    Planted(
        "sums from the second input on",
        "block",
        "qkv",
        (Swap("linear.glsl", "for (int i = 0; i < n; i++)", "for (int i = 1; i < n; i++)"),),
        ("missing_channels",),
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
        "the last of four numbers not carried on",
        "llama",
        "glu",
        (Swap("swiglu.frag", "fragColor = silu(gate) * up;", "fragColor = vec4((silu(gate) * up).xyz, 0.0);"),),
        ("dropped_lane",),
    ),
    Planted(
        "patches counted with the class token",
        "vit",
        "tokens",
        (Swap("tokens.frag", "embed(row - 1, e)", "embed(row, e)"),),
        (
            "index_map",
            "shift",
        ),
    ),
    Planted(
        "the curve again on the way back",
        "vit",
        "features",
        (
            Swap(
                "pipeline.toml",
                "uniforms.addSkip = true\nuniforms.quickGelu = false",
                "uniforms.addSkip = true\nuniforms.quickGelu = true",
            ),
        ),
        (
            "activation_extra",
            "wrong_function",
        ),
        in_text=False,
    ),
    Planted(
        "weights by output and then input",
        "cross",
        "q",
        (Swap("to_heads.frag", "sum += X(t, i) * W(i, o);", "sum += X(t, i) * W(o, i);"),),
        (
            "filter_io_swap",
            "index_map",
        ),
    ),
    Planted(
        "the keys' weights for values",
        "cross",
        "v",
        (Swap("pipeline.toml", 'textures.t_weight = { tensor = "wv"', 'textures.t_weight = { tensor = "wk"'),),
        (
            "wrong_input",
            "wrong_partner",
        ),
        in_text=False,
    ),
    Planted(
        "the last word's share as the whole",
        "cross",
        "context",
        (Swap("attend.frag", "total += e;", "total = e;"),),
        ("missing_channels",),
    ),
    Planted(
        "nothing of the picture's own tokens",
        "cross",
        "y",
        (Swap("project_norm.frag", "return at(t_x, t, o) + sum;", "return sum;"),),
        ("bias_missing",),
    ),
)
