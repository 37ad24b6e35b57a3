"""Slips where a texel holds four values: matrices in blocks of two by two, and attention over rows of texels."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

_PACKED = (
    Planted(
        "half of the shared dimension rounded down",
        "packed",
        "hidden",
        (Swap("matmul.frag", "const int sharedDimension = 7;", "const int sharedDimension = 6;"),),
        ("missing_channels",),
    ),
    Planted(
        "the upper row of a block for both steps of the product",
        "packed",
        "hidden",
        (Swap("matmul.frag", "result += (a.ggaa * b.baba);", "result += (a.ggaa * b.rgrg);"),),
        ("wrong_partner", "index_map", "filter_offset"),
    ),
    Planted(
        "a block of the bias as it lies",
        "packed",
        "hidden",
        (Swap("matmul.frag", "return vec4(row.xy, row.xy);", "return row;"),),
        ("bias_missing", "bias_offset", "index_map"),
    ),
    Planted(
        "three of four lanes activated",
        "packed",
        "hidden",
        (Swap("matmul.frag", "result.a = x.a >= 0.0 ? x.a : elu_alpha * (exp(x.a) - 1.0);", "result.a = x.a;"),),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "the empty column in the spread",
        "packed",
        "normed",
        (
            Swap(
                "layernorm.frag",
                "    spread += away.xz * away.xz;\n    if (c + 1 < cols) spread += away.yw * away.yw;",
                "    spread += away.xz * away.xz + away.yw * away.yw;",
            ),
        ),
        ("extra_channels",),
    ),
    Planted(
        "a mean over whole blocks",
        "packed",
        "normed",
        (Swap("layernorm.frag", "total / float(cols)", "total / float((cols + 1) / 2 * 2)"),),
        ("average_count", "scale"),
    ),
    Planted(
        "the spreads of two rows dealt out by columns",
        "packed",
        "normed",
        (Swap("layernorm.frag", "* inv.xxyy", "* inv.xyxy"),),
        ("wrong_partner", "index_map"),
    ),
    Planted(
        "blocks moved, but not turned",
        "packed",
        "turned",
        (
            Swap("transpose.frag", "result[1] = getA(rc.y + 1, rc.x);", "result[1] = getA(rc.y, rc.x + 1);"),
            Swap("transpose.frag", "result[2] = getA(rc.y, rc.x + 1);", "result[2] = getA(rc.y + 1, rc.x);"),
        ),
        ("index_map", "channel_permutation", "transpose_xy"),
    ),
    Planted(
        "the fourth value of a block never set",
        "packed",
        "turned",
        (Swap("transpose.frag", "      result[3] = getA(rc.y + 1, rc.x + 1);\n", ""),),
        ("dropped_lane",),
    ),
    Planted(
        "the lane of the second matrix by the joint column",
        "packed",
        "joined",
        (Swap("concat.frag", "ivec2(row, shifted));", "ivec2(row, col));"),),
        ("index_map", "channel_permutation"),
    ),
    Planted(
        "the seam one column late",
        "packed",
        "joined",
        (Swap("concat.frag", "if (col < offset0) {", "if (col <= offset0) {"),),
        ("wrong_input", "extra_channels", "wrong_partner"),
    ),
    Planted(
        "the last column not in the sum",
        "packed",
        "shares",
        (Swap("softmax.frag", "vec2 sum = exp(last.xz - best);", "vec2 sum = vec2(0.0);"),),
        ("missing_channels",),
    ),
    Planted(
        "sums of columns for sums of rows",
        "packed",
        "shares",
        (Swap("softmax.frag", "sum += e.xz + e.yw;", "sum += e.xy + e.zw;"),),
        ("index_map", "channel_permutation"),
    ),
    Planted(
        "a power of two over a sum of powers of e",
        "packed",
        "shares",
        (Swap("softmax.frag", "setOutput(exp(getBlock", "setOutput(exp2(getBlock"),),
        ("wrong_function", "scale"),
    ),
    Planted(
        "shares stored as bytes",
        "packed",
        "shares",
        (
            Swap(
                "pipeline.toml",
                'shader = "softmax.frag"\noutput = { shape = [9, 17], layout = "tfjs_packed" }',
                'shader = "softmax.frag"\noutput = { shape = [9, 17], layout = "tfjs_packed", dtype = "uint8" }',
            ),
        ),
        ("quantized_8bit",),
        in_text=False,
    ),
)

_ATTENTION = (
    Planted(
        "squares divided by the number of texels",
        "attention",
        "normed",
        (Swap("rmsnorm.frag", "squares / float(4 * MODEL_VEC4)", "squares / float(MODEL_VEC4)"),),
        ("average_count", "scale", "wrong_function"),
    ),
    Planted(
        "epsilon added to the sum of squares",
        "attention",
        "normed",
        (Swap("rmsnorm.frag", "squares / float(4 * MODEL_VEC4) + eps", "(squares + eps) / float(4 * MODEL_VEC4)"),),
        ("epsilon",),
    ),
    Planted(
        "rows of the weights a lane apart",
        "attention",
        "qkv",
        (Swap("linear.frag", "(4 * o + k) * MODEL_VEC4", "(o + k * OUT_VEC4) * MODEL_VEC4"),),
        ("filter_offset", "index_map", "channel_permutation", "wrong_layout"),
    ),
    Planted(
        "the biases of the queries for keys and values",
        "attention",
        "qkv",
        (Swap("linear.frag", "vec4 acc = FETCH(B, o, OUT_VEC4);", "vec4 acc = FETCH(B, o % MODEL_VEC4, OUT_VEC4);"),),
        ("bias_offset", "index_map"),
    ),
    Planted(
        "dot products of three of four values",
        "attention",
        "qkv",
        (
            Swap(
                "linear.frag",
                "dot(x, FETCH(W, (4 * o + k) * MODEL_VEC4 + i, 16));",
                "dot(x.xyz, FETCH(W, (4 * o + k) * MODEL_VEC4 + i, 16).xyz);",
            ),
        ),
        ("dropped_lane", "missing_channels"),
    ),
    Planted(
        "a sum that begins with the bias and ends with it",
        "attention",
        "qkv",
        (Swap("linear.frag", "result = acc;", "result = acc + FETCH(B, o, OUT_VEC4);"),),
        ("bias_doubled", "double_counted", "scale"),
    ),
    Planted(
        "values where keys are meant",
        "attention",
        "scores",
        (Swap("scores.frag", "(token) * 18 + MODEL_VEC4 +", "(token) * 18 + 2 * MODEL_VEC4 +"),),
        ("wrong_input", "index_map", "wrong_partner", "channel_permutation", "shift"),
    ),
    Planted(
        "products that nobody divides by the root of the size",
        "attention",
        "scores",
        (Swap("scores.frag", "return s * scale;", "return s;"),),
        ("scale",),
    ),
    Planted(
        "a key asks and a query answers",
        "attention",
        "scores",
        (Swap("scores.frag", "dot(Q(i, h, v), K(j, h, v))", "dot(Q(j, h, v), K(i, h, v))"),),
        ("transpose_xy", "index_map", "wrong_partner"),
    ),
    Planted(
        "a sum kept from lane to lane",
        "attention",
        "scores",
        (
            Swap("scores.frag", "float score(int flat_) {", "float s = 0.0;\n\nfloat score(int flat_) {"),
            Swap("scores.frag", "    float s = 0.0;\n    for", "    for"),
        ),
        ("accumulator_not_reset",),
    ),
    Planted(
        "a token that leaves itself out of the sum",
        "attention",
        "shares",
        (Swap("causal.frag", "m <= i; ++m) total", "m < i; ++m) total"),),
        ("missing_channels",),
    ),
    Planted(
        "later tokens in the sum",
        "attention",
        "shares",
        (Swap("causal.frag", "m <= i; ++m) total", "m < TOKENS; ++m) total"),),
        ("extra_channels",),
    ),
    Planted(
        "shares by columns",
        "attention",
        "mixed",
        (Swap("mix.frag", "SHARE((h * TOKENS + i) * TOKENS + j)", "SHARE((h * TOKENS + j) * TOKENS + i)"),),
        ("transpose_xy", "index_map", "wrong_partner"),
    ),
    Planted(
        "the values of the first head for all",
        "attention",
        "mixed",
        (Swap("mix.frag", "* V(j, h, v);", "* V(j, 0, v);"),),
        ("index_map", "wrong_partner", "channel_permutation"),
    ),
    Planted(
        "values of earlier tokens alone",
        "attention",
        "mixed",
        (Swap("mix.frag", "j < TOKENS; ++j", "j < i; ++j"),),
        ("missing_channels",),
    ),
    Planted(
        "the heads' own words for what came in",
        "attention",
        "heard",
        (Swap("project.frag", "result = FETCH(X, t, 6) +", "result = FETCH(M, t, 6) +"),),
        ("wrong_input", "wrong_partner"),
    ),
    Planted(
        "a gate without what it gates",
        "attention",
        "heard",
        (Swap("project.frag", "((z) / (1.0 + exp(-(z))))", "(1.0 / (1.0 + exp(-(z))))"),),
        ("wrong_function",),
    ),
    Planted(
        "a line of weights pasted and not renumbered",
        "attention",
        "heard",
        (Swap("project.frag", "(4 * o + 2)", "(4 * o + 1)"),),
        ("filter_offset", "index_map"),
    ),
)

FAULTS = (*_PACKED, *_ATTENTION)
