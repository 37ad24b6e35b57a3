"""Slips in attention over the last few tokens with heads in tiles: one key head, caps, slopes, a drain, a gate."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

_ORIGIN = "ivec2 origin = ivec2((head % 3) * DH, (head / 3) * N + px.y % N);"
_SUM_LOOP = """    for (int x = left; x < left + N; x++) {
        z += exp("""
_PAIRS = """    for (int i = 0; i < D_IN; i += 2) {
        vec2 xv = vec2(texelFetch(u_x, ivec2(i, n), 0).r, texelFetch(u_x, ivec2(i + 1, n), 0).r);
        vec2 wv = vec2(texelFetch(u_W, ivec2(i, row), 0).r, texelFetch(u_W, ivec2(i + 1, row), 0).r);
        acc += dot(xv, wv);
    }
"""
_SINGLE = """    for (int i = D_IN - 1; i >= 0; i--) {
        acc += texelFetch(u_x, ivec2(i, n), 0).r * texelFetch(u_W, ivec2(i, row), 0).r;
    }
"""
_GATE_ROW = "texelFetch(u_Wg, ivec2(i, px.x), 0).r"
_SIGMOID = "return 0.5 + 0.5 * tanh(0.5 * v);"

FAULTS = (
    Planted(
        "pairs that move on by one",
        "banded",
        "heads",
        (Swap("project.frag", "i < D_IN; i += 2", "i < D_IN - 1; i += 1"),),
        ("double_counted",),
    ),
    Planted(
        "heads interleaved in the rows of the weights",
        "banded",
        "heads",
        (Swap("project.frag", "int row = t * DH + px % DH;", "int row = px % DH * TILES + t;"),),
        ("index_map", "filter_offset", "channel_permutation", "wrong_layout"),
    ),
    Planted(
        "the gains of keys one head too early",
        "banded",
        "unit",
        (Swap("unit.frag", "head == 3 ?", "head == 2 ?"),),
        ("wrong_input", "wrong_partner"),
    ),
    Planted(
        "the grid of what is written for what is read",
        "banded",
        "unit",
        (Swap("unit.frag", _ORIGIN, "ivec2 origin = ivec2((head % 2) * DH, (head / 2) * N + px.y % N);"),),
        ("index_map", "channel_permutation", "wrong_layout", "wrong_input", "wrong_partner"),
    ),
    Planted(
        "epsilon divided with the squares",
        "banded",
        "unit",
        (Swap("unit.frag", "sqrt(power / float(DH) + 0.01)", "sqrt((power + 0.01) / float(DH))"),),
        ("epsilon",),
    ),
    Planted(
        "a cap that does not divide first",
        "banded",
        "scores",
        (Swap("scores.frag", "tanh(d * SCALE / CAP)", "tanh(d * SCALE)"),),
        ("scale", "wrong_function", "alpha"),
    ),
    Planted(
        "slopes that begin at one",
        "banded",
        "scores",
        (Swap("scores.frag", "float(head + 1) / 3.0", "float(head) / 3.0"),),
        ("scale", "bias_offset"),
    ),
    Planted(
        "every query head from the first tile",
        "banded",
        "scores",
        (Swap("scores.frag", "ivec2((head & 1) * DH, (head >> 1) * N + q)", "ivec2(0, q)"),),
        ("index_map", "channel_permutation", "wrong_partner"),
    ),
    Planted(
        "a drain that is not in the total",
        "banded",
        "probs",
        (Swap("probs.frag", "float z = exp(sink - m);", "float z = 0.0;"),),
        ("missing_channels", "bias_missing"),
    ),
    Planted(
        "totals of the tiles at the left",
        "banded",
        "probs",
        (Swap("probs.frag", _SUM_LOOP, _SUM_LOOP.replace("x = left; x < left + N", "x = 0; x < N")),),
        ("index_map", "tile_bleed", "channel_permutation"),
    ),
    Planted(
        "one drain for all heads",
        "banded",
        "probs",
        (Swap("probs.frag", "ivec2(0, head * N + px.y % N)", "ivec2(0, px.y % N)"),),
        ("index_map", "channel_permutation", "bias_offset"),
    ),
    Planted(
        "keys for values",
        "banded",
        "ctx",
        (Swap("ctx.frag", "ivec2 v0 = ivec2(1, 1) *", "ivec2 v0 = ivec2(0, 1) *"),),
        ("wrong_input", "index_map", "wrong_partner", "channel_permutation", "shift"),
    ),
    Planted(
        "a band shorter by one than that of the scores",
        "banded",
        "ctx",
        (Swap("ctx.frag", "max(0, px.y - 4)", "max(0, px.y - 3)"),),
        ("missing_channels", "missing_taps"),
    ),
    Planted(
        "one head's rows of weights open every gate",
        "banded",
        "ctx",
        (Swap("ctx.frag", _GATE_ROW, "texelFetch(u_Wg, ivec2(i, e), 0).r"),),
        ("filter_offset", "index_map"),
    ),
    Planted(
        "a sigmoid twice as steep",
        "banded",
        "ctx",
        (Swap("ctx.frag", _SIGMOID, "return 0.5 + 0.5 * tanh(v);"),),
        ("scale", "wrong_function", "alpha"),
    ),
)

PAIRS = (
    Planted(
        "a short band and a gate without its bias",
        "banded",
        "ctx",
        (
            Swap("ctx.frag", "max(0, px.y - 4)", "max(0, px.y - 3)"),
            Swap("ctx.frag", "float gate = texelFetch(u_bg, ivec2(px.x, 0), 0).r;", "float gate = 0.0;"),
        ),
        ("missing_channels", "missing_taps"),
        ("bias_missing",),
    ),
)

HEALTHY = (
    Healthy("one product at a time, from the last", "banded", (Swap("project.frag", _PAIRS, _SINGLE),)),
    Healthy(
        "a softmax whose largest is that of all heads at least",
        "banded",
        (
            Swap("probs.frag", "    float m = sink;\n", "    float m = max(sink, 1.5);\n"),
            Swap("probs.frag", "ivec2 tile = px / N;", "ivec2 tile = ivec2(floor(gl_FragCoord.xy / float(N)));"),
        ),
    ),
    Healthy(
        "a gate by an exponential",
        "banded",
        (Swap("ctx.frag", _SIGMOID, "return 1.0 / (1.0 + exp(-v));"),),
    ),
)
