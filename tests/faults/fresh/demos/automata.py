"""Slips in a step of a neural cellular automaton."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS = (
    Planted(
        "a world that ends at its border",
        "moss",
        "sense",
        (Swap("sense.frag", "(q+ivec2(x,y)+ivec2(W,H))%ivec2(W,H)", "q+ivec2(x,y)"),),
        ("tile_bleed", "padding_mode", "index_map"),
    ),
    Planted(
        "a gradient from below to above",
        "moss",
        "sense",
        (
            Swap(
                "sense.frag",
                "r = T(-1,1)+2.*T(0,1)+T(1,1) - T(-1,-1)-2.*T(0,-1)-T(1,-1);",
                "r = T(-1,-1)+2.*T(0,-1)+T(1,-1) - T(-1,1)-2.*T(0,1)-T(1,1);",
            ),
        ),
        ("kernel_flip", "scale", "index_map", "wrong_literal"),
    ),
    Planted(
        "a sobel whose middle counts once",
        "moss",
        "sense",
        (Swap("sense.frag", "+2.*T(1,0)", "+T(1,0)"),),
        ("wrong_literal", "scale"),
    ),
    Planted(
        "filters side by side for each four channels",
        "moss",
        "sense",
        (Swap("sense.frag", "f = k/3, g = k%3", "f = k%4, g = k/4"),),
        ("channel_permutation", "index_map"),
    ),
    Planted(
        "a laplacian that is not divided",
        "moss",
        "sense",
        (Swap("sense.frag", "o = f == 0 ? r", "o = f%3 == 0 ? r"),),
        ("scale",),
    ),
    Planted(
        "a grid of two columns in a layer that has three",
        "moss",
        "think",
        (Swap("think.frag", "4*(c.y*3 + c.x)", "4*(c.y*2 + c.x)"),),
        ("channel_permutation", "index_map", "filter_offset", "bias_offset", "wrong_layout"),
    ),
    Planted(
        "a row of weights pasted twice",
        "moss",
        "think",
        (Swap("think.frag", "dot(v, M(n+3,k))", "dot(v, M(n+2,k))"),),
        ("filter_offset", "index_map"),
    ),
    Planted(
        "biases counted in numbers instead of texels",
        "moss",
        "think",
        (Swap("think.frag", "ivec2(n/4, 0)", "ivec2(n, 0)"),),
        ("bias_offset", "index_map"),
    ),
    Planted(
        "a relu that got into the loop",
        "moss",
        "think",
        (
            Swap("think.frag", "dot(v, M(n+3,k)));\n    }\n", "dot(v, M(n+3,k)));\n"),
            Swap("think.frag", "    o = max(o, 0.);\n", "        o = max(o, 0.);\n    }\n"),
        ),
        ("activation_extra", "wrong_function"),
    ),
    Planted(
        "a hidden layer kept as an opaque colour",
        "moss",
        "think",
        (Swap("think.frag", "o = max(o, 0.);", "o = vec4(max(o.rgb, 0.), 1.);"),),
        ("dropped_lane",),
    ),
    Planted(
        "cells that were not to change, discarded",
        "moss",
        "grow",
        (
            Swap(
                "grow.frag",
                "    o = texelFetch(s, p, 0) + rate*fire*u;",
                "    if (fire == 0.) discard;\n    o = texelFetch(s, p, 0) + rate*u;",
            ),
        ),
        ("unwritten_texels",),
    ),
    Planted(
        "the arguments of a step the other way round",
        "moss",
        "grow",
        (Swap("grow.frag", "step(texelFetch(dice, q, 0).r, .6)", "step(.6, texelFetch(dice, q, 0).r)"),),
        ("wrong_function", "wrong_input", "wrong_partner"),
    ),
    Planted(
        "a mask over the cell and its change",
        "moss",
        "grow",
        (
            Swap(
                "grow.frag",
                "o = texelFetch(s, p, 0) + rate*fire*u;",
                "o = fire*(texelFetch(s, p, 0) + rate*u);",
            ),
        ),
        ("wrong_partner", "wrong_function"),
    ),
    Planted(
        "hidden tiles counted in two columns",
        "moss",
        "grow",
        (Swap("grow.frag", "ivec2(k%3, k/3)", "ivec2(k%2, k/2)"),),
        ("index_map", "channel_permutation", "wrong_partner", "wrong_layout"),
    ),
    Planted(
        "a slower step in the file than in the model",
        "moss",
        "grow",
        (Swap("pipeline.toml", "uniforms.rate = 0.7", "uniforms.rate = 0.5"),),
        ("scale", "wrong_literal"),
        in_text=False,
    ),
    Planted(
        "red for alpha",
        "moss",
        "alive",
        (Swap("alive.frag", "%ivec2(W,H), 0).a", "%ivec2(W,H), 0).r"),),
        ("index_map", "channel_permutation", "wrong_partner"),
    ),
    Planted(
        "the last two neighbours of a cell",
        "moss",
        "alive",
        (Swap("alive.frag", "    m = max(m, max(A(-1,1), A(1,1)));\n", ""),),
        ("missing_taps",),
    ),
    Planted(
        "a threshold of life that is one too low",
        "moss",
        "alive",
        (Swap("alive.frag", "m > 1.9", "m > .9"),),
        ("wrong_literal", "alpha"),
    ),
    Planted(
        "an alpha that is not held between 0 and 1",
        "moss",
        "view",
        (Swap("view.frag", "clamp(c.a, 0., 1.)", "c.a"),),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "a picture of the cells before they died",
        "moss",
        "view",
        (Swap("pipeline.toml", 'textures.s = "alive"', 'textures.s = "grow"'),),
        ("wrong_input", "wrong_partner"),
        in_text=False,
    ),
)

PAIRS = (
    Planted(
        "borders held and a laplacian of another centre",
        "moss",
        "sense",
        (
            Swap("sense.frag", "(q+ivec2(x,y)+ivec2(W,H))%ivec2(W,H)", "clamp(q+ivec2(x,y), ivec2(0), ivec2(W-1,H-1))"),
            Swap("sense.frag", "12.*T(0,0)", "8.*T(0,0)"),
        ),
        ("padding_mode", "index_map"),
        ("wrong_literal",),
    ),
    Planted(
        "four of five hidden tiles, and a change at full rate",
        "moss",
        "grow",
        (
            Swap("grow.frag", "k < 5", "k < 4"),
            Swap("grow.frag", "rate*fire*u", "fire*u"),
        ),
        ("missing_channels",),
        ("scale",),
    ),
)

HEALTHY = (
    Healthy(
        "a hidden layer by matrices",
        "moss",
        (
            Swap(
                "think.frag",
                "o += vec4(dot(v, M(n,k)), dot(v, M(n+1,k)), dot(v, M(n+2,k)), dot(v, M(n+3,k)));",
                "o = v * mat4(M(n,k), M(n+1,k), M(n+2,k), M(n+3,k)) + o;",
            ),
            Swap("think.frag", "for (int k = 0; k < 12; k++)", "for (int k = 11; k >= 0; k--)"),
        ),
    ),
    Healthy(
        "neighbours in two loops and a product with a step",
        "moss",
        (
            Swap(
                "alive.frag",
                "    float m = A(0,0);\n    m = max(m, max(A(-1,0), A(1,0)));\n    m = max(m, max(A(0,-1), A(0,1)));\n"
                "    m = max(m, max(A(-1,-1), A(1,-1)));\n    m = max(m, max(A(-1,1), A(1,1)));\n",
                "    float m = -1e9;\n    for (int i = -1; i < 2; i++)\n"
                "        for (int j = 1; j > -2; j--) m = max(A(i,j), m);\n",
            ),
            Swap(
                "alive.frag", "o = m > 1.9 ? texelFetch(s, p, 0) : vec4(0);", "o = texelFetch(s, p, 0) * step(1.9, m);"
            ),
        ),
    ),
)
