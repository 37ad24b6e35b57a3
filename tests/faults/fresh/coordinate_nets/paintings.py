"""A picture as a function of its coordinates: octaves of sines, sine layers, baked colours."""

from __future__ import annotations

from tests.faults.fresh.coordinate_nets.plant import fault, healthy, pair

HERE = "painting"
FILE = "pipeline.toml"
CODE, FIRST, SECOND, TRUNK, COLOUR = "code.frag", "siren0.frag", "siren1.frag", "trunk.frag", "colour.frag"

FAULTS = (
    fault(
        "no precision for whole numbers",
        HERE,
        "code",
        ("half_precision", "precision"),
        (CODE, "precision highp int;\n", ""),
    ),
    fault(
        "corners for centres",
        HERE,
        "code",
        ("half_texel", "affine", "shift"),
        (CODE, "(vec2(px) + 0.5) / res", "vec2(px) / res"),
    ),
    fault(
        "both axes by the height",
        HERE,
        "code",
        ("scale", "affine", "wrong_function"),
        (CODE, "(vec2(px) + 0.5) / res +", "(vec2(px) + 0.5) / res.y +"),
    ),
    fault(
        "sines and cosines in turns",
        HERE,
        "code",
        ("channel_permutation",),
        (CODE, "return vec4(sin(a), cos(a));", "return vec4(sin(a.x), cos(a.x), sin(a.y), cos(a.y));"),
    ),
    fault(
        "overtones for octaves",
        HERE,
        "code",
        ("wrong_function", "scale", "wrong_literal", "affine"),
        (CODE, "PI * exp2(float(k)) * p", "PI * float(k + 1) * p"),
    ),
    fault(
        "bias behind omega",
        HERE,
        "siren0",
        ("scale", "affine", "wrong_function"),
        (FIRST, "vec4 h = B0[me];", "vec4 h = vec4(0.0);"),
        (FIRST, "sin(omega * h)", "sin(omega * h + B0[me])"),
    ),
    fault(
        "columns by fractions",
        HERE,
        "siren0",
        ("float_index_precision", "index_map"),
        (FIRST, "ivec2(frag.x % w, frag.y)", "ivec2(fract(float(frag.x) / pic.x) * pic.x, frag.y)"),
    ),
    fault(
        "omega is not given",
        HERE,
        "siren0",
        ("unset_uniform",),
        (FILE, "uniforms.omega = 3.0\n", ""),
        in_text=False,
    ),
    fault(
        "row vector times matrix",
        HERE,
        "siren0",
        ("filter_io_swap", "wrong_partner"),
        (FIRST, "h += W0[me * IN + g] * block(px, g);", "h += block(px, g) * W0[me * IN + g];"),
    ),
    fault(
        "third block forgotten in a copied term",
        HERE,
        "siren1",
        ("wrong_partner", "channel_permutation", "index_map"),
        (SECOND, "W1[m + 2] * c", "W1[m + 2] * b"),
    ),
    fault(
        "medium precision, as phones like it",
        HERE,
        "siren1",
        ("half_precision", "precision"),
        (SECOND, "precision highp float;", "precision mediump float;"),
    ),
    fault(
        "cells down and then across",
        HERE,
        "siren1",
        ("channel_permutation", "wrong_layout"),
        (SECOND, "int me = cell.y * 2 + cell.x;", "int me = cell.x * 2 + cell.y;"),
    ),
    fault(
        "every block adds the first one",
        HERE,
        "siren1",
        ("channel_permutation", "index_map", "wrong_partner"),
        (SECOND, "texelFetch(h0, px + me * dx, 0)", "texelFetch(h0, px, 0)"),
    ),
    fault(
        "columns of weights do not move on",
        HERE,
        "trunk",
        ("filter_offset", "wrong_partner", "index_map"),
        (TRUNK, "        col0 += 4;\n", ""),
    ),
    fault(
        "times before division",
        HERE,
        "trunk",
        ("index_map", "wrong_partner", "tile_bleed"),
        (TRUNK, "n / 4 * res.x", "n * res.x / 4"),
    ),
    fault(
        "skip from the first layer",
        HERE,
        "trunk",
        ("wrong_input",),
        (FILE, 'textures.code = "code"\ntextures.w2', 'textures.code = "siren0"\ntextures.w2'),
        in_text=False,
    ),
    fault(
        "leak on the wrong side",
        HERE,
        "trunk",
        ("wrong_function",),
        (TRUNK, "mix(LEAK * x, x, step(0.0, x))", "mix(x, LEAK * x, step(0.0, x))"),
    ),
    fault(
        "lost sign of a baked number",
        HERE,
        "colour",
        ("wrong_literal",),
        (COLOUR, "0.204, -1.006", "0.204, 1.006"),
    ),
    fault(
        "second matrix twice",
        HERE,
        "colour",
        ("filter_offset", "wrong_partner", "wrong_literal"),
        (COLOUR, "C * t2 + D", "B * t2 + D"),
    ),
    fault(
        "samplers without a precision",
        HERE,
        "colour",
        ("half_precision", "precision"),
        (COLOUR, "precision highp sampler2D;\n", ""),
    ),
)

PAIRS = (
    pair(
        "leak and last wave",
        HERE,
        "trunk",
        ("alpha",),
        ("missing_channels",),
        (TRUNK, "#define LEAK 0.1", "#define LEAK 0.2"),
        (TRUNK, "n < 18", "n < 16"),
    ),
    pair(
        "colours without offset, through another curve",
        HERE,
        "colour",
        ("bias_missing",),
        ("wrong_function", "scale"),
        (COLOUR, " + C * t2 + D;", " + C * t2;"),
        (COLOUR, "return 1.0 / (1.0 + exp(-x));", "return 0.5 + 0.5 * tanh(x);"),
    ),
)

HEALTHY = (
    healthy(
        "waves by doubled angles",
        HERE,
        (
            CODE,
            "    vec2 a = PI * exp2(float(k)) * p;\n    return vec4(sin(a), cos(a));",
            "    vec2 a = PI * p;\n    vec2 s = sin(a), c = cos(a);\n    for (int i = 0; i < k; i++) {\n"
            "        vec2 t = s * c;\n        c = c * c - s * s;\n        s = t + t;\n    }\n    return vec4(s, c);",
        ),
    ),
    healthy(
        "omega inside the sum",
        HERE,
        (FIRST, "vec4 h = B0[me];", "vec4 h = omega * B0[me];"),
        (FIRST, "h += W0[me * IN + g] * block(px, g);", "h += W0[me * IN + g] * (omega * block(px, g));"),
        (FIRST, "sin(omega * h)", "sin(h)"),
    ),
    healthy(
        "leak by max, blocks of weights by groups of four",
        HERE,
        (TRUNK, "mix(LEAK * x, x, step(0.0, x))", "max(x, LEAK * x)"),
        (TRUNK, "    int col0 = 0;\n", ""),
        (TRUNK, "ivec2(col0 + k, me)", "ivec2(4 * j + k, me)"),
        (TRUNK, "        col0 += 4;\n", ""),
        (TRUNK, "ivec2(col0 + n, me)", "ivec2(16 + n, me)"),
    ),
    healthy(
        "matrices the other way round",
        HERE,
        (COLOUR, "A * t0 + B * t1 + C * t2 + D", "D + t0 * transpose(A) + t1 * transpose(B) + t2 * transpose(C)"),
        (COLOUR, "1.0 / (1.0 + exp(-x))", "1.0 / (1.0 + exp2(-1.44269504 * x))"),
    ),
)
