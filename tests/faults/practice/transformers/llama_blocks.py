"""Plants bugs in a block of Llama: the norm, rotary positions, shared heads, attention in one pass, the gated MLP."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

TOML = "pipeline.toml"
MEAN = "    ss = ss / float(4 * uWidth4);\n"
HALF = "    float r = d < HALF ? -fetch1(tX, t, c + HALF) : fetch1(tX, t, c - HALF);\n"
KV = "    int kv = head / GROUP;\n"
KEYS = "    for (int j = 0; j <= t; ++j) {\n"
GLU = "    fragColor = silu(gate) * up;\n"

FAULTS = (
    Planted(
        "the root of the sum of squares, not of their mean",
        "llama",
        "rms1",
        (Swap("rmsnorm.frag", MEAN, ""),),
        ("average_count", "wrong_function"),
    ),
    Planted(
        "epsilon outside the root",
        "llama",
        "rms1",
        (Swap("rmsnorm.frag", "1.0 / sqrt(ss + uEps)", "1.0 / (sqrt(ss) + uEps)"),),
        ("epsilon",),
    ),
    Planted(
        "the epsilon of another model",
        "llama",
        "rms2",
        (
            Swap(
                TOML,
                'h"\ntextures.tGain = { tensor = "rms2_g", layout = { name = "row_major_rgba", width = 6 } }\n'
                "uniforms.uWidth4 = 6\nuniforms.uEps = 0.001",
                'h"\ntextures.tGain = { tensor = "rms2_g", layout = { name = "row_major_rgba", width = 6 } }\n'
                "uniforms.uWidth4 = 6\nuniforms.uEps = 0.01",
            ),
        ),
        ("epsilon",),
        in_text=False,
    ),
    Planted(
        "keys are projected with the values' weights",
        "llama",
        "k",
        (Swap(TOML, 'tensor = "wk"', 'tensor = "wv"'),),
        ("wrong_input",),
        in_text=False,
    ),
    Planted(
        "the half that turns keeps its sign",
        "llama",
        "q_rot",
        (Swap("rope.frag", "? -fetch1(tX", "? fetch1(tX"),),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "the other half has the minus",
        "llama",
        "q_rot",
        (Swap("rope.frag", HALF, HALF.replace("-fetch1", "fetch1").replace(": fetch1", ": -fetch1")),),
        ("wrong_function",),
    ),
    Planted(
        "rotated by neighbours, as in GPT-J, with tables by halves",
        "llama",
        "q_rot",
        (Swap("rope.frag", HALF, "    float r = d % 2 == 0 ? -fetch1(tX, t, c + 1) : fetch1(tX, t, c - 1);\n"),),
        ("index_map",),
    ),
    Planted(
        "cosine and sine swapped",
        "llama",
        "q_rot",
        (Swap("rope.frag", "return x * cs + r * sn;", "return x * sn + r * cs;"),),
        ("wrong_input", "wrong_partner"),
    ),
    Planted(
        "the sine's table bound twice",
        "llama",
        "k_rot",
        (
            Swap(
                TOML,
                'textures.tX = "k"\ntextures.tCos = { tensor = "cos"',
                'textures.tX = "k"\ntextures.tCos = { tensor = "sin"',
            ),
        ),
        ("wrong_input",),
        in_text=False,
    ),
    Planted(
        "positions from one",
        "llama",
        "q_rot",
        (
            Swap(
                "rope.frag",
                "float cs = texelFetch(tCos, ivec2(d, t), 0).r;",
                "float cs = texelFetch(tCos, ivec2(d, t + 1), 0).r;",
            ),
            Swap(
                "rope.frag",
                "float sn = texelFetch(tSin, ivec2(d, t), 0).r;",
                "float sn = texelFetch(tSin, ivec2(d, t + 1), 0).r;",
            ),
        ),
        ("shift", "index_map"),
    ),
    Planted(
        "the angle by the channel in all heads, beyond the table",
        "llama",
        "q_rot",
        (Swap("rope.frag", "    int d = c % HEAD_DIM;\n", "    int d = c % 4;\n"),),
        ("index_map",),
    ),
    Planted(
        "heads of keys dealt out in turns",
        "llama",
        "context",
        (Swap("attention.frag", KV, "    int kv = head % GROUP;\n"),),
        ("group_ignored", "index_map", "wrong_partner"),
    ),
    Planted(
        "one head of keys and values for all",
        "llama",
        "context",
        (Swap("attention.frag", KV, "    int kv = 0;\n"),),
        ("group_ignored", "index_map", "wrong_partner"),
    ),
    Planted(
        "the token itself is not looked at",
        "llama",
        "context",
        (Swap("attention.frag", KEYS, "    for (int j = 0; j < t; ++j) {\n"),),
        ("missing_channels", "nan_source"),
    ),
    Planted(
        "all keys, later ones too",
        "llama",
        "context",
        (Swap("attention.frag", KEYS, "    for (int j = 0; j < 5; ++j) {\n"),),
        ("extra_channels", "bias_missing"),
    ),
    Planted(
        "what is summed is not put right when the maximum rises",
        "llama",
        "context",
        (Swap("attention.frag", "acc = acc * corr + p * fetch1", "acc += p * fetch1"),),
        ("wrong_function",),
    ),
    Planted(
        "scores not scaled",
        "llama",
        "context",
        (Swap("attention.frag", "        s *= scale;\n", ""),),
        ("scale",),
    ),
    Planted(
        "not divided by the sum of weights",
        "llama",
        "context",
        (Swap("attention.frag", "return acc / l;", "return acc;"),),
        ("wrong_function",),
    ),
    Planted(
        "keys where values belong, in the fused pass",
        "llama",
        "context",
        (Swap("attention.frag", "p * fetch1(tV, j,", "p * fetch1(tK, j,"),),
        ("wrong_input", "wrong_partner"),
    ),
    Planted(
        "up goes through silu instead of the gate",
        "llama",
        "glu",
        (Swap("swiglu.frag", GLU, "    fragColor = gate * silu(up);\n"),),
        ("wrong_input",),
    ),
    Planted(
        "a sigmoid where silu belongs",
        "llama",
        "glu",
        (Swap("swiglu.frag", "return z / (1.0", "return 1.0 / (1.0"),),
        ("wrong_function",),
    ),
    Planted(
        "silu of the product",
        "llama",
        "glu",
        (Swap("swiglu.frag", GLU, "    fragColor = silu(gate * up);\n"),),
        ("wrong_function",),
    ),
    Planted(
        "the last texel of each row is not summed",
        "llama",
        "y",
        (Swap(TOML, "uniforms.uIn4 = 5", "uniforms.uIn4 = 4"),),
        ("missing_channels",),
        in_text=False,
    ),
    Planted(
        "the third row in the fourth lane too",
        "llama",
        "q",
        (Swap("common.glsl", "rowDot(x, pos.y, w, 4 * pos.x + 3, n4)", "rowDot(x, pos.y, w, 4 * pos.x + 2, n4)"),),
        ("filter_offset", "index_map"),
    ),
    Planted(
        "the products' fourth lane is not summed",
        "llama",
        "q",
        (Swap("common.glsl", "return acc.x + acc.y + acc.z + acc.w;", "return acc.x + acc.y + acc.z;"),),
        ("dropped_lane", "missing_channels"),
    ),
)

PAIRS = (
    Planted(
        "a sigmoid for silu, and gate and up swapped",
        "llama",
        "glu",
        (
            Swap("swiglu.frag", "return z / (1.0", "return 1.0 / (1.0"),
            Swap("swiglu.frag", GLU, "    fragColor = gate * silu(up);\n"),
        ),
        ("wrong_function",),
        ("wrong_input",),
    ),
)

HEALTHY = (
    Healthy(
        "the other half by a modulus, its sign by a factor",
        "llama",
        (
            Swap(
                "rope.frag",
                HALF,
                "    float r = fetch1(tX, t, c - d + (d + HALF) % HEAD_DIM) * (d < HALF ? -1.0 : 1.0);\n",
            ),
        ),
    ),
    Healthy(
        "keys from the last to the first",
        "llama",
        (Swap("attention.frag", KEYS, "    for (int j = t; j >= 0; --j) {\n"),),
    ),
)
