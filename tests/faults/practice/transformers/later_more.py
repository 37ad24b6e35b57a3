"""Bugs planted later in the transformers: `vit`, `cross`."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

FAULTS: tuple[Planted, ...] = (
    Planted(
        "columns of a patch before rows",
        "vit",
        "tokens",
        (Swap("tokens.frag", "(c * PATCH + y) * PATCH + x", "(c * PATCH + x) * PATCH + y"),),
        (
            "kernel_transpose",
            "index_map",
        ),
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
        "no position for the class token",
        "vit",
        "tokens",
        (
            Swap(
                "tokens.frag",
                "    result = token + texelFetch(positions, ivec2(e, row), 0).r;",
                "    if (row > 0) token += texelFetch(positions, ivec2(e, row), 0).r;\n    result = token;",
            ),
        ),
        ("bias_missing",),
    ),
    Planted(
        "the mixing matrix turned",
        "vit",
        "mixed",
        (Swap("mix.frag", "texelFetch(mixW, ivec2(n, row), 0)", "texelFetch(mixW, ivec2(row, n), 0)"),),
        (
            "filter_io_swap",
            "index_map",
            "transpose_xy",
        ),
    ),
    Planted(
        "the slow curve of a swish",
        "vit",
        "fc1",
        (Swap("fc.frag", "s * sigmoid(1.702 * s)", "s * sigmoid(s)"),),
        (
            "alpha",
            "scale",
            "wrong_function",
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
        "classes of the first patch",
        "vit",
        "logits",
        (
            Swap(
                "pipeline.toml",
                ('textures.skip = "features"\nuniforms.inputs = 14\nuniforms.fromRow = 0'),
                ('textures.skip = "features"\nuniforms.inputs = 14\nuniforms.fromRow = 1'),
            ),
        ),
        (
            "index_map",
            "shift",
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
        "padding of the query's number",
        "cross",
        "scores",
        (Swap("scores.frag", "texelFetch(t_padding, ivec2(j, 0), 0)", "texelFetch(t_padding, ivec2(i, 0), 0)"),),
        (
            "index_map",
            "bias_offset",
            "wrong_partner",
        ),
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
