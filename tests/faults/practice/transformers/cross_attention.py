"""Bugs in cross-attention, heads as tiles and a bias by distance, and in a small vision model."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

TOML = "pipeline.toml"
BUCKET = "    int bucket = j - i + u_queries - 1;\n"
POSITION = "    result = token + texelFetch(positions, ivec2(e, row), 0).r;\n"

FAULTS = (
    Planted(
        "keys from the picture",
        "cross",
        "k",
        (
            Swap(
                TOML,
                'textures.t_x = "words"\ntextures.t_weight = { tensor = "wk"',
                'textures.t_x = "x"\ntextures.t_weight = { tensor = "wk"',
            ),
        ),
        ("wrong_input",),
        in_text=False,
    ),
    Planted(
        "the bias by the channel in its head",
        "cross",
        "q",
        (Swap("to_heads.frag", "float sum = B(o);", "float sum = B(d);"),),
        ("bias_offset", "index_map"),
    ),
    Planted(
        "heads are the inner index of the weights",
        "cross",
        "q",
        (Swap("to_heads.frag", "int o = h * u_d_head + d;", "int o = d * 2 + h;"),),
        ("index_map", "channel_permutation", "filter_offset"),
    ),
    Planted(
        "distances counted the other way",
        "cross",
        "scores",
        (Swap("scores.frag", BUCKET, "    int bucket = i - j + u_queries - 1;\n"),),
        ("index_map",),
    ),
    Planted(
        "one head's biases of distance for both",
        "cross",
        "scores",
        (
            Swap(
                "scores.frag",
                "texelFetch(t_distances, ivec2(bucket, h), 0)",
                "texelFetch(t_distances, ivec2(bucket, 0), 0)",
            ),
        ),
        ("bias_offset", "index_map"),
    ),
    Planted(
        "padding by query",
        "cross",
        "scores",
        (Swap("scores.frag", "texelFetch(t_padding, ivec2(j, 0)", "texelFetch(t_padding, ivec2(i, 0)"),),
        ("index_map", "bias_offset"),
    ),
    Planted(
        "the bias of distance is scaled too",
        "cross",
        "scores",
        (
            Swap(
                "scores.frag",
                "    o_score = qk / sqrt(float(u_d_head)) + distanceBias(h, i, j)",
                "    o_score = (qk + distanceBias(h, i, j)) / sqrt(float(u_d_head))",
            ),
        ),
        ("scale",),
    ),
    Planted(
        "keys in steps of four, the ninth left out",
        "cross",
        "context",
        (
            Swap(
                "attend.frag",
                "    for (int j = 0; j < u_keys; ++j) {\n",
                "    for (int j = 0; j < u_keys / 4 * 4; ++j) {\n",
            ),
        ),
        ("missing_channels",),
    ),
    Planted(
        "the values' heads swapped",
        "cross",
        "context",
        (Swap("attend.frag", "sum += e * V(h, j, d);", "sum += e * V(1 - h, j, d);"),),
        ("wrong_partner", "index_map", "channel_permutation"),
    ),
    Planted(
        "softmax over the queries",
        "cross",
        "context",
        (
            Swap("attend.frag", "        total += e;\n", ""),
            Swap(
                "attend.frag",
                "    o_context = sum / total;\n",
                "    for (int k = 0; k < 6; ++k) total += exp(S(h, k, d) - top);\n    o_context = sum / total;\n",
            ),
        ),
        ("wrong_function", "index_map"),
    ),
    Planted(
        "the residual is not in the mean",
        "cross",
        "y",
        (
            Swap(
                "project_norm.frag",
                "        mean += row[o] / float(D_MODEL);\n",
                "        mean += (row[o] - at(t_x, p.y, o)) / float(D_MODEL);\n",
            ),
        ),
        ("unexplained", "bias_missing"),
    ),
    Planted(
        "the bias by the channel in its head, before the norm",
        "cross",
        "y",
        (Swap("project_norm.frag", "    float sum = at(t_bias, 0, o);\n", "    float sum = at(t_bias, 0, o % 5);\n"),),
        ("bias_offset", "index_map"),
    ),
    Planted(
        "patches counted by columns",
        "vit",
        "tokens",
        (Swap("tokens.frag", "ivec2(n % perRow, n / perRow)", "ivec2(n / 2, n % 2)"),),
        ("index_map",),
    ),
    Planted(
        "blue, green, red",
        "vit",
        "tokens",
        (Swap("tokens.frag", "s += pixel(c, corner", "s += pixel(2 - c, corner"),),
        ("channel_permutation", "index_map"),
    ),
    Planted(
        "rows and columns of a patch swapped in its weights",
        "vit",
        "tokens",
        (Swap("tokens.frag", "ivec2((c * PATCH + y) * PATCH + x, e)", "ivec2((c * PATCH + x) * PATCH + y, e)"),),
        ("kernel_transpose", "index_map"),
    ),
    Planted(
        "positions without the class token",
        "vit",
        "tokens",
        (Swap("tokens.frag", POSITION, POSITION.replace("(e, row)", "(e, max(row - 1, 0))")),),
        ("index_map", "bias_offset"),
    ),
    Planted(
        "the class token has no position",
        "vit",
        "tokens",
        (
            Swap(
                "tokens.frag",
                POSITION,
                "    result = row == 0 ? token : token + texelFetch(positions, ivec2(e, row), 0).r;\n",
            ),
        ),
        ("bias_missing",),
    ),
    Planted(
        "mixing weights transposed",
        "vit",
        "mixed",
        (Swap("mix.frag", "texelFetch(mixW, ivec2(n, row), 0)", "texelFetch(mixW, ivec2(row, n), 0)"),),
        ("filter_io_swap", "index_map", "transpose_xy"),
    ),
    Planted(
        "the layer's scale by token",
        "vit",
        "mixed",
        (Swap("mix.frag", "texelFetch(layerScale, ivec2(e, 0)", "texelFetch(layerScale, ivec2(row, 0)"),),
        ("index_map", "filter_offset"),
    ),
    Planted(
        "the layer's scale for the kept value too",
        "vit",
        "mixed",
        (
            Swap(
                "mix.frag",
                "    result = keep + texelFetch(layerScale, ivec2(e, 0), 0).r * s;\n",
                "    result = texelFetch(layerScale, ivec2(e, 0), 0).r * (keep + s);\n",
            ),
        ),
        ("unexplained",),
    ),
    Planted(
        "silu for quick gelu",
        "vit",
        "fc1",
        (Swap("fc.frag", "s = s * sigmoid(1.702 * s);", "s = s * sigmoid(s);"),),
        ("alpha", "wrong_function", "scale"),
    ),
    Planted(
        "the head looks at the first patch",
        "vit",
        "logits",
        (
            Swap(
                TOML,
                'textures.skip = "features"\nuniforms.inputs = 14\nuniforms.fromRow = 0',
                'textures.skip = "features"\nuniforms.inputs = 14\nuniforms.fromRow = 1',
            ),
        ),
        ("index_map", "shift"),
        in_text=False,
    ),
    Planted(
        "a skip that the head does not have",
        "vit",
        "logits",
        (
            Swap(
                TOML,
                'textures.skip = "features"\nuniforms.inputs = 14\nuniforms.fromRow = 0\nuniforms.addSkip = false',
                'textures.skip = "features"\nuniforms.inputs = 14\nuniforms.fromRow = 0\nuniforms.addSkip = true',
            ),
        ),
        ("unexplained",),
        in_text=False,
    ),
)

PAIRS = (
    Planted(
        "no root, and one head's distances",
        "cross",
        "scores",
        (
            Swap(
                "scores.frag",
                "texelFetch(t_distances, ivec2(bucket, h), 0)",
                "texelFetch(t_distances, ivec2(bucket, 0), 0)",
            ),
            Swap("scores.frag", "qk / sqrt(float(u_d_head)) + ", "qk + "),
        ),
        ("scale",),
        ("bias_offset", "index_map"),
    ),
)

HEALTHY = (
    Healthy(
        "the norm by running mean and variance",
        "cross",
        (
            Swap(
                "project_norm.frag",
                "        mean += row[o] / float(D_MODEL);\n",
                "        mean += (row[o] - mean) / float(o + 1);\n",
            ),
        ),
    ),
    Healthy(
        "the class token by arithmetic",
        "vit",
        (
            Swap(
                "tokens.frag",
                "    float token = row == 0 ? texelFetch(clsToken, ivec2(e, 0), 0).r : embed(row - 1, e);\n",
                "    float isClass = step(float(row), 0.5);\n"
                "    float token = mix(embed(max(row - 1, 0), e), texelFetch(clsToken, ivec2(e, 0), 0).r, isClass);\n",
            ),
        ),
    ),
)
