"""Slips in a decoder block with its heads side by side in rows: shared key heads, rotations, SwiGLU."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_AB = "    float a = g(qkv, h * d + f, R), b = g(qkv, h * d + f + m, R);"

FAULTS = (
    Planted(
        "divided by the mean square, not by its root",
        "decoder",
        "n",
        (Swap("rms.frag", "g(X, C, R) * inversesqrt(s / float(D) + e)", "g(X, C, R) / (s / float(D) + e)"),),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "the squares of a token summed, never averaged",
        "decoder",
        "n",
        (Swap("rms.frag", "inversesqrt(s / float(D) + e)", "inversesqrt(s + e)"),),
        ("average_count", "scale", "wrong_function"),
    ),
    Planted(
        "a bias by the number of the token",
        "decoder",
        "qkv",
        (Swap("lin.frag", "g(B, C, 0)", "g(B, R, 0)"),),
        ("bias_offset", "index_map"),
    ),
    Planted(
        "a width rounded down to fours in the uniform",
        "decoder",
        "qkv",
        (Swap("pipeline.toml", 'uniforms.n = "shape(n).w"', "uniforms.n = 16"),),
        ("missing_channels",),
        in_text=False,
    ),
    Planted(
        "neighbours rotated in pairs where halves belong together",
        "decoder",
        "rot",
        (
            Swap("rope.frag", "f = i % m;", "f = i / 2;"),
            Swap("rope.frag", _AB, "    float a = g(qkv, h * d + 2 * f, R), b = g(qkv, h * d + 2 * f + 1, R);"),
            Swap("rope.frag", "o = i < m ?", "o = i % 2 == 0 ?"),
        ),
        ("index_map", "wrong_partner", "channel_permutation", "wrong_layout"),
    ),
    Planted(
        "a plus before the sine in both halves",
        "decoder",
        "rot",
        (Swap("rope.frag", "a * c - b * s", "a * c + b * s"),),
        ("scale", "wrong_function", "activation_missing"),
    ),
    Planted(
        "tables of cosine and sine bound the other way round",
        "decoder",
        "rot",
        (
            Swap("pipeline.toml", 'textures.cosine = { tensor = "cosine"', 'textures.cosine = { tensor = "sine"'),
            Swap("pipeline.toml", 'textures.sine = { tensor = "sine"', 'textures.sine = { tensor = "cosine"'),
        ),
        ("wrong_input", "wrong_partner"),
        in_text=False,
    ),
    Planted(
        "the angle of the first token for every token in the sine",
        "decoder",
        "rot",
        (Swap("rope.frag", "s = g(sine, f, R);", "s = g(sine, f, 0);"),),
        ("index_map", "wrong_partner"),
    ),
    Planted(
        "key heads dealt out in turn instead of in groups",
        "decoder",
        "s",
        (Swap("qk.frag", "kh = h / (Hq / Hk);", "kh = h % Hk;"),),
        ("index_map", "wrong_partner", "channel_permutation", "group_ignored"),
    ),
    Planted(
        "a token that may not look at itself",
        "decoder",
        "s",
        (Swap("qk.frag", "if (j > i)", "if (j >= i)"),),
        ("index_map", "shift"),
    ),
    Planted(
        "scores by the root of the width of all heads",
        "decoder",
        "s",
        (Swap("qk.frag", "sqrt(float(d))", "sqrt(float(Hq * d))"),),
        ("scale",),
    ),
    Planted(
        "the total begun where the search for the largest begins",
        "decoder",
        "p",
        (Swap("sm.frag", "for (int j = 0; j < T; j++) z +=", "for (int j = 1; j < T; j++) z +="),),
        ("missing_channels",),
    ),
    Planted(
        "powers of two over a total of exponentials",
        "decoder",
        "p",
        (Swap("sm.frag", "o = exp(g(s, C, R) - m) / z;", "o = exp2(g(s, C, R) - m) / z;"),),
        ("wrong_function", "scale"),
    ),
    Planted(
        "values taken from behind the queries",
        "decoder",
        "ctx",
        (Swap("av.frag", "v = (Hq + Hk + h / (Hq / Hk)) * d + c;", "v = (Hq + h / (Hq / Hk)) * d + c;"),),
        ("wrong_input", "index_map", "wrong_partner", "channel_permutation", "shift"),
    ),
    Planted(
        "shares read as if heads changed fastest",
        "decoder",
        "ctx",
        (Swap("av.frag", "g(p, j, h * T + R)", "g(p, j, R * Hq + h)"),),
        ("index_map", "wrong_partner", "wrong_layout"),
    ),
    Planted(
        "what was normalised goes around the attention",
        "decoder",
        "h",
        (Swap("pipeline.toml", 'textures.r = "x"', 'textures.r = "n"'),),
        ("wrong_input", "wrong_partner"),
        in_text=False,
    ),
    Planted(
        "the residual in the accumulator and after it",
        "decoder",
        "h",
        (Swap("res.frag", "float a = 0.;", "float a = g(r, C, R);"),),
        ("bias_doubled", "scale", "double_counted"),
    ),
    Planted(
        "gains of the first norm for the second",
        "decoder",
        "m",
        (Swap("pipeline.toml", 'tensor = "g2"', 'tensor = "g1"'),),
        ("wrong_input", "wrong_partner"),
        in_text=False,
    ),
    Planted(
        "the curve over the half that is not the gate",
        "decoder",
        "ff",
        (Swap("glu.frag", "a.x / (1. + exp(-a.x)) * a.y", "a.y / (1. + exp(-a.y)) * a.x"),),
        ("wrong_input", "wrong_partner"),
    ),
    Planted(
        "a plain sigmoid opens the gate",
        "decoder",
        "ff",
        (Swap("glu.frag", "a.x / (1. + exp(-a.x)) * a.y", "a.y / (1. + exp(-a.x))"),),
        ("wrong_function",),
    ),
    Planted(
        "hidden numbers kept in half precision",
        "decoder",
        "ff",
        (
            Swap(
                "pipeline.toml",
                'shader = "glu.frag"\noutput = { shape = [9, 26], ',
                'shader = "glu.frag"\noutput = { shape = [9, 26], dtype = "float16", ',
            ),
        ),
        ("half_precision",),
        in_text=False,
    ),
    Planted(
        "as many hidden numbers as the token is wide",
        "decoder",
        "y",
        (Swap("pipeline.toml", 'uniforms.n = "shape(ff).w"', 'uniforms.n = "shape(m).w"'),),
        ("missing_channels",),
        in_text=False,
    ),
)

PAIRS = (
    Planted(
        "key heads in turn and scores that are not scaled",
        "decoder",
        "s",
        (
            Swap("qk.frag", "kh = h / (Hq / Hk);", "kh = h % Hk;"),
            Swap("qk.frag", "o = a / sqrt(float(d));", "o = a;"),
        ),
        ("index_map", "wrong_partner", "channel_permutation", "group_ignored"),
        ("scale",),
    ),
)

HEALTHY = (
    Healthy(
        "a softmax that stops at the diagonal",
        "decoder",
        (
            Swap("sm.frag", "for (int j = 1; j < T; j++) m =", "for (int j = 1; j <= R % T; j++) m ="),
            Swap("sm.frag", "for (int j = 0; j < T; j++) z +=", "for (int j = R % T; j >= 0; j--) z +="),
        ),
    ),
    Healthy(
        "a context over hidden keys too, gathered by head",
        "decoder",
        (
            Swap("av.frag", "j <= R; j++", "j < T; j++"),
            Swap("av.frag", "int h = C / d, c = C % d, ", "int h = C / d, c = C - h * d, "),
        ),
    ),
    Healthy(
        "silu by a hyperbolic tangent",
        "decoder",
        (Swap("glu.frag", "a.x / (1. + exp(-a.x)) * a.y", "a.x * a.y * (.5 + .5 * tanh(.5 * a.x))"),),
    ),
    Healthy(
        "a rotation as a product of a matrix",
        "decoder",
        (
            Swap(
                "rope.frag",
                "o = i < m ? a * c - b * s : b * c + a * s;",
                "vec2 t = mat2(c, s, -s, c) * vec2(a, b);\n    o = t[i / m];",
            ),
        ),
    ),
)
