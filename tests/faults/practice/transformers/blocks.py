"""Bugs in a block of GPT-2: norms, the packed projection, masks, softmax, residuals, the MLP."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

TOML = "pipeline.toml"
GAMMA = "  float gamma = texelFetch(u_gamma, ivec2(id.x, 0), 0).r;\n"
VARIANCE = "  variance /= float(u_dim);\n"
MASK = "  if (j > i) s += MASKED;\n"
ROOT = "  s /= sqrt(float(u_headDim));\n"
VALUE = "    float v = texelFetch(u_qkv, ivec2(2 * u_dim + c, j), 0).r;\n"
RESIDUAL = "  o_value = texelFetch(u_residual, id, 0).r + y;\n"
BIAS = "  y += texelFetch(u_b, ivec2(id.x, 0), 0).r;\n"
SUM_OF_EXP = "  for (int j = 0; j < u_n; j++) z += exp(score(id.y, j) - m);\n"
K = "float k(int j, int c) { return texelFetch(u_qkv, ivec2(u_dim + c, j), 0).r; }\n"

FAULTS = (
    Planted(
        "the variance is the mean of squares, mean not taken off",
        "block",
        "ln1",
        (Swap("layernorm.frag", "ivec2(i, id.y), 0).r - mean;", "ivec2(i, id.y), 0).r;"),),
        ("wrong_function",),
    ),
    Planted(
        "the variance divided by n - 1",
        "block",
        "ln1",
        (Swap("layernorm.frag", VARIANCE, "  variance /= float(u_dim - 1);\n"),),
        ("average_count", "wrong_function"),
    ),
    Planted(
        "the norm's variance instead of its root",
        "block",
        "ln1",
        (Swap("layernorm.frag", "* inversesqrt(variance + EPS)", "/ (variance + EPS)"),),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "the epsilon of another framework",
        "block",
        "ln1",
        (Swap("layernorm.frag", "#define EPS 1e-5\n", "#define EPS 1e-2\n"),),
        ("epsilon",),
    ),
    Planted(
        "gamma by token",
        "block",
        "ln1",
        (Swap("layernorm.frag", GAMMA, GAMMA.replace("id.x", "id.y")),),
        ("index_map", "filter_offset"),
    ),
    Planted(
        "beta from gamma's texture",
        "block",
        "ln1",
        (Swap("layernorm.frag", "float beta = texelFetch(u_beta", "float beta = texelFetch(u_gamma"),),
        ("wrong_input",),
    ),
    Planted(
        "the second norm has the first one's gamma",
        "block",
        "ln2",
        (Swap(TOML, 'tensor = "ln2_g"', 'tensor = "ln1_g"'),),
        ("wrong_input",),
        in_text=False,
    ),
    Planted(
        "q's bias for k and v too",
        "block",
        "qkv",
        (Swap("qkv.frag", "texelFetch(u_b, ivec2(o, 0)", "texelFetch(u_b, ivec2(o % u_dim, 0)"),),
        ("bias_offset", "index_map"),
    ),
    Planted(
        "queries against queries",
        "block",
        "scores",
        (Swap("scores.frag", K, K.replace("u_dim + c", "c")),),
        ("wrong_partner", "index_map", "wrong_input"),
    ),
    Planted(
        "values where keys belong",
        "block",
        "scores",
        (Swap("scores.frag", K, K.replace("u_dim + c", "2 * u_dim + c")),),
        ("wrong_partner", "index_map", "wrong_input"),
    ),
    Planted(
        "keys where values belong",
        "block",
        "merged",
        (Swap("values.frag", VALUE, VALUE.replace("2 * u_dim + c", "u_dim + c")),),
        ("wrong_partner", "index_map", "wrong_input"),
    ),
    Planted(
        "the first head's queries for every head",
        "block",
        "scores",
        (Swap("scores.frag", "s += q(i, c) * k(j, c);", "s += q(i, d) * k(j, c);"),),
        ("wrong_partner", "index_map", "group_ignored"),
    ),
    Planted(
        "the first head's weights for every head",
        "block",
        "merged",
        (Swap("values.frag", "ivec2(j, head * u_tokens + t)", "ivec2(j, t)"),),
        ("wrong_partner", "index_map", "group_ignored"),
    ),
    Planted(
        "heads interleaved",
        "block",
        "scores",
        (Swap("scores.frag", "int c = head * u_headDim + d;", "int c = d * 3 + head;"),),
        ("index_map", "channel_permutation"),
    ),
    Planted(
        "the root of all channels instead of one head's",
        "block",
        "scores",
        (Swap("scores.frag", ROOT, "  s /= sqrt(float(u_dim));\n"),),
        ("scale",),
    ),
    Planted(
        "not divided by the root",
        "block",
        "scores",
        (Swap("scores.frag", ROOT, ""),),
        ("scale",),
    ),
    Planted(
        "divided by the head's size, not by its root",
        "block",
        "scores",
        (Swap("scores.frag", ROOT, "  s /= float(u_headDim);\n"),),
        ("scale",),
    ),
    Planted(
        "the mask hides the token itself",
        "block",
        "scores",
        (Swap("scores.frag", MASK, "  if (j >= i) s += MASKED;\n"),),
        ("index_map",),
    ),
    Planted(
        "the mask hides the past",
        "block",
        "scores",
        (Swap("scores.frag", MASK, "  if (j < i) s += MASKED;\n"),),
        ("index_map", "transpose_xy"),
    ),
    Planted(
        "no mask",
        "block",
        "scores",
        (Swap("scores.frag", MASK, ""),),
        ("bias_missing",),
    ),
    Planted(
        "the root in low precision, as int is mediump by default",
        "block",
        "scores",
        (
            Swap(
                "scores.frag",
                "precision highp int;  // or float(u_headDim) is a half, and its root with it\n",
                "",
            ),
        ),
        ("half_precision", "precision"),
    ),
    Planted(
        "softmax divided by the largest",
        "block",
        "probs",
        (Swap("softmax.frag", SUM_OF_EXP, "  for (int j = 0; j < u_n; j++) z = max(z, exp(score(id.y, j) - m));\n"),),
        ("wrong_function",),
    ),
    Planted(
        "the sum of the softmax begins at one, like the maximum",
        "block",
        "probs",
        (Swap("softmax.frag", SUM_OF_EXP, SUM_OF_EXP.replace("j = 0", "j = 1")),),
        ("missing_channels", "wrong_function"),
    ),
    Planted(
        "softmax without its exponential in the numerator",
        "block",
        "probs",
        (Swap("softmax.frag", "  o_p = exp(score(id.y, id.x) - m) / z;\n", "  o_p = (score(id.y, id.x) - m) / z;\n"),),
        ("wrong_function", "activation_missing"),
    ),
    Planted(
        "heads put back interleaved",
        "block",
        "merged",
        (Swap("values.frag", "int head = c / u_headDim;", "int head = c % 3;"),),
        ("index_map", "wrong_partner"),
    ),
    Planted(
        "the output's weights read the other way round",
        "block",
        "attended",
        (
            Swap(
                "project.frag",
                "  float y = dotRow(u_x, u_w, id.y, id.x, u_inDim);\n",
                "  float y = 0.0;\n"
                "  for (int i = 0; i < u_inDim; i++) {\n"
                "    y += texelFetch(u_x, ivec2(i, id.y), 0).r * texelFetch(u_w, ivec2(i, id.x), 0).r;\n"
                "  }\n",
            ),
        ),
        ("filter_io_swap", "index_map"),
    ),
    Planted(
        "the residual is taken after the norm",
        "block",
        "attended",
        (Swap(TOML, 'textures.u_residual = "x"', 'textures.u_residual = "ln1"'),),
        ("wrong_input",),
        in_text=False,
    ),
    Planted(
        "the block's input is the residual of the MLP",
        "block",
        "y",
        (Swap(TOML, 'textures.u_residual = "attended"', 'textures.u_residual = "x"'),),
        ("wrong_input",),
        in_text=False,
    ),
    Planted(
        "the residual is forgotten",
        "block",
        "attended",
        (Swap("project.frag", RESIDUAL, "  o_value = y;\n"),),
        ("bias_missing",),
    ),
    Planted(
        "the layer's own input is its residual",
        "block",
        "attended",
        (Swap("project.frag", "texelFetch(u_residual, id, 0).r + y", "texelFetch(u_x, id, 0).r + y"),),
        ("wrong_input",),
    ),
    Planted(
        "the bias is forgotten where the residual is added",
        "block",
        "attended",
        (Swap("project.frag", BIAS, ""),),
        ("bias_missing",),
    ),
    Planted(
        "a gelu with a slip in its cube's factor",
        "block",
        "up",
        (Swap("gelu.frag", "0.044715", "0.44715"),),
        ("alpha", "wrong_function"),
    ),
    Planted(
        "the quick gelu",
        "block",
        "up",
        (Swap("gelu.frag", "  o_value = gelu(h);\n", "  o_value = h / (1.0 + exp(-1.702 * h));\n"),),
        ("wrong_function",),
    ),
    Planted(
        "the one half of gelu is forgotten",
        "block",
        "up",
        (Swap("gelu.frag", "return 0.5 * x * (", "return x * ("),),
        ("scale", "wrong_function"),
    ),
    Planted(
        "gelu before the bias",
        "block",
        "up",
        (
            Swap(
                "gelu.frag",
                "  float h = dotRow(u_x, u_w, id.y, id.x, u_inDim) + texelFetch(u_b, ivec2(id.x, 0), 0).r;\n"
                "  o_value = gelu(h);\n",
                "  float h = dotRow(u_x, u_w, id.y, id.x, u_inDim);\n"
                "  o_value = gelu(h) + texelFetch(u_b, ivec2(id.x, 0), 0).r;\n",
            ),
        ),
        ("activation_before_bias",),
    ),
    Planted(
        "the second layer stops where the first one did",
        "block",
        "y",
        (Swap(TOML, "uniforms.u_inDim = 26", "uniforms.u_inDim = 15"),),
        ("missing_channels",),
        in_text=False,
    ),
)

PAIRS = (
    Planted(
        "no root, and the mask hides the token itself",
        "block",
        "scores",
        (Swap("scores.frag", ROOT + MASK, "  if (j >= i) s += MASKED;\n"),),
        ("scale",),
        ("index_map",),
    ),
    Planted(
        "another residual, and no bias",
        "block",
        "attended",
        (Swap(TOML, 'textures.u_residual = "x"', 'textures.u_residual = "ln1"'), Swap("project.frag", BIAS, "")),
        ("wrong_input",),
        ("bias_missing",),
    ),
)

HEALTHY = (
    Healthy(
        "variance by two sums",
        "block",
        (
            Swap(
                "layernorm.frag",
                "    float d = texelFetch(u_x, ivec2(i, id.y), 0).r - mean;\n    variance += d * d;\n",
                "    float d = texelFetch(u_x, ivec2(i, id.y), 0).r;\n    variance += d * d;\n",
            ),
            Swap("layernorm.frag", VARIANCE, "  variance = variance / float(u_dim) - mean * mean;\n"),
        ),
    ),
    Healthy(
        "softmax by powers of two, the row gone through once",
        "block",
        (
            Swap(
                "softmax.frag",
                "  float m = score(id.y, 0);\n"
                "  for (int j = 1; j < u_n; j++) m = max(m, score(id.y, j));\n"
                "  float z = 0.0;\n" + SUM_OF_EXP + "  o_p = exp(score(id.y, id.x) - m) / z;\n",
                "  float m = score(id.y, 0) * 1.44269504;\n"
                "  float z = 1.0;\n"
                "  for (int j = 1; j < u_n; j++) {\n"
                "    float s = score(id.y, j) * 1.44269504;\n"
                "    float m2 = max(m, s);\n"
                "    z = z * exp2(m - m2) + exp2(s - m2);\n"
                "    m = m2;\n"
                "  }\n"
                "  o_p = exp2(score(id.y, id.x) * 1.44269504 - m) / z;\n",
            ),
        ),
    ),
    Healthy(
        "queries scaled before the sum",
        "block",
        (
            Swap(
                "scores.frag",
                "    s += q(i, c) * k(j, c);\n",
                "    s += q(i, c) * inversesqrt(float(u_headDim)) * k(j, c);\n",
            ),
            Swap("scores.frag", ROOT, ""),
        ),
    ),
    Healthy(
        "the tanh of gelu by exponentials",
        "block",
        (
            Swap(
                "gelu.frag",
                "  return 0.5 * x * (1.0 + tanh(SQRT_2_OVER_PI * (x + 0.044715 * cube)));\n",
                "  return x / (1.0 + exp(-2.0 * SQRT_2_OVER_PI * (x + 0.044715 * cube)));\n",
            ),
        ),
    ),
)
