"""A neural cellular automaton in buffers: it senses, thinks, grows and dies on a torus."""

from __future__ import annotations

from tests.faults.fresh.coordinate_nets.plant import fault, healthy, pair

HERE = "lichen"
FILE = "pipeline.toml"
SENSE, THINK, GROW, ALIVE, STATE, VIEW = (
    "sense.glsl",
    "think.glsl",
    "grow.glsl",
    "alive.glsl",
    "state.glsl",
    "view.glsl",
)

FAULTS = (
    fault(
        "the torus has walls",
        HERE,
        "sense",
        ("padding_mode",),
        (SENSE, "p = (p + N) % N;", "p = clamp(p, ivec2(0), N - 1);"),
    ),
    fault(
        "slopes in each other's third",
        HERE,
        "sense",
        ("channel_permutation", "kernel_transpose"),
        (SENSE, "(b.y == 1 ? dx : dy)", "(b.y == 1 ? dy : dx)"),
    ),
    fault(
        "west minus east",
        HERE,
        "sense",
        ("scale", "kernel_flip", "wrong_literal", "flip_x"),
        (SENSE, "(ne + 2. * E + se) - (nw + 2. * w + sw)", "(nw + 2. * w + sw) - (ne + 2. * E + se)"),
    ),
    fault(
        "north counts once",
        HERE,
        "sense",
        ("wrong_literal",),
        (SENSE, "(nw + 2. * n + ne)", "(nw + n + ne)"),
    ),
    fault(
        "the cell itself by eight",
        HERE,
        "sense",
        ("scale",),
        (SENSE, "b.y == 0 ? c : (b.y == 1 ? dx : dy) / 8.", "(b.y == 0 ? c : b.y == 1 ? dx : dy) / 8."),
    ),
    fault(
        "offset of weights with its factors exchanged",
        HERE,
        "think",
        ("wrong_partner", "filter_offset", "channel_permutation", "index_map"),
        (THINK, "int i = 12 * k + 4 * g;", "int i = 12 * g + 4 * k;"),
    ),
    fault(
        "the last term alone",
        HERE,
        "think",
        ("missing_channels", "bias_missing"),
        (THINK, "O += mat4", "O = mat4"),
    ),
    fault(
        "two texels a row",
        HERE,
        "think",
        ("channel_permutation", "filter_offset", "index_map"),
        (THINK, "int me = 3 * b.y + b.x;", "int me = 2 * b.y + b.x;"),
    ),
    fault(
        "only what is above zero is felt",
        HERE,
        "think",
        ("activation_extra",),
        (THINK, "W(i + 3)) * v;", "W(i + 3)) * max(v, 0.);"),
    ),
    fault(
        "weights of growth by rows of neurons",
        HERE,
        "grow",
        ("wrong_layout", "wrong_partner", "filter_offset"),
        (FILE, 'order = "i, o/4, o%4"', 'order = "o/4, i, o%4"'),
        in_text=False,
    ),
    fault(
        "the other half takes the step",
        HERE,
        "grow",
        ("wrong_function",),
        (GROW, ".r < FIRE ? 1. : 0.", ".r < FIRE ? 0. : 1."),
    ),
    fault(
        "thoughts are what grows",
        HERE,
        "grow",
        ("wrong_input",),
        (FILE, 'iChannel2 = { previous = "state", first = "seed" }', 'iChannel2 = "think"'),
        in_text=False,
    ),
    fault(
        "thoughts in rows of two",
        HERE,
        "grow",
        ("channel_permutation", "index_map", "wrong_partner", "wrong_layout"),
        (GROW, "ivec2(t % 3, t / 3)", "ivec2(t & 1, t >> 1)"),
    ),
    fault(
        "the old one is scaled too",
        HERE,
        "grow",
        ("scale", "wrong_function", "affine"),
        (GROW, "O = old + STEP * fire * d;", "O = STEP * (old + fire * d);"),
    ),
    fault(
        "first feature for alpha",
        HERE,
        "alive",
        ("channel_permutation", "index_map"),
        (ALIVE, "% n, 0).a", "% n, 0).r"),
    ),
    fault(
        "eight neighbours less three",
        HERE,
        "alive",
        ("missing_taps",),
        (ALIVE, "y <= 1; y++", "y < 1; y++"),
    ),
    fault(
        "life before or after",
        HERE,
        "alive",
        ("wrong_function",),
        (ALIVE, "vec4(was && is)", "vec4(was || is)"),
    ),
    fault(
        "one mask for three texels, read beyond its end",
        HERE,
        "state",
        ("index_map", "wrong_partner", "shift"),
        (STATE, "    p.x %= textureSize(iChannel1, 0).x;\n", ""),
    ),
    fault(
        "dead cells are not drawn",
        HERE,
        "state",
        ("unwritten_texels", "stale_tensor"),
        (
            STATE,
            "    O = cell * texelFetch(iChannel1, p, 0).r;",
            "    if (texelFetch(iChannel1, p, 0).r < .5) discard;\n    O = cell;",
        ),
    ),
    fault(
        "colour as if it were not premultiplied",
        HERE,
        "view",
        ("wrong_function",),
        (VIEW, "c.rgb + (1. - c.a) * paper", "mix(paper, c.rgb, c.a)"),
    ),
    fault(
        "colours beyond the screen's",
        HERE,
        "view",
        ("activation_missing",),
        (VIEW, "clamp(c.rgb + (1. - c.a) * paper, 0., 1.)", "c.rgb + (1. - c.a) * paper"),
    ),
)

PAIRS = (
    pair(
        "mirrors and a copied east",
        HERE,
        "sense",
        ("padding_mode",),
        ("wrong_literal", "index_map", "double_counted", "wrong_partner"),
        (SENSE, "p = (p + N) % N;", "p = abs(p) - 2 * max(p - N + 1, 0);"),
        (SENSE, "(sw + 2. * s + se)", "(sw + 2. * s + sw)"),
    ),
    pair(
        "absolute thoughts with two columns exchanged",
        HERE,
        "think",
        ("wrong_function",),
        ("channel_permutation", "wrong_partner", "index_map"),
        (THINK, "W(i + 2), W(i + 3)", "W(i + 3), W(i + 2)"),
        (THINK, "O = max(O, 0.);", "O = abs(O);"),
    ),
    pair(
        "longer steps by dice of elsewhere",
        HERE,
        "grow",
        ("scale",),
        ("index_map", "transpose_xy", "flip_x", "flip_y", "wrong_partner", "shift"),
        (GROW, "#define STEP .7", "#define STEP 1."),
        (GROW, "texelFetch(iChannel3, p, 0)", "texelFetch(iChannel3, N - 1 - p, 0)"),
    ),
)

HEALTHY = (
    healthy(
        "slopes by differences",
        HERE,
        (SENSE, "(ne + 2. * E + se) - (nw + 2. * w + sw)", "(ne - nw) + 2. * (E - w) + (se - sw)"),
        (SENSE, "(sw + 2. * s + se) - (nw + 2. * n + ne)", "(sw - nw) + 2. * (s - n) + (se - ne)"),
        (SENSE, "p = (p + N) % N;", "p -= N * ivec2(floor(vec2(p) / vec2(N)));"),
    ),
    healthy(
        "nine texels in one loop",
        HERE,
        (
            THINK,
            "    for (int k = 0; k < 3; k++)\n    for (int g = 0; g < 3; g++) {\n"
            "        vec4 v = texelFetch(iChannel0, p + ivec2(g, k) * N, 0);\n        int i = 12 * k + 4 * g;\n",
            "    for (int i = 0; i < 36; i += 4) {\n"
            "        vec4 v = texelFetch(iChannel0, p + ivec2(i % 12 / 4, i / 12) * N, 0);\n",
        ),
    ),
    healthy(
        "only cells that fire count",
        HERE,
        (GROW, "    float fire = texelFetch(iChannel3, p, 0).r < FIRE ? 1. : 0.;\n", ""),
        (
            GROW,
            "    O = old + STEP * fire * d;",
            "    O = old;\n    if (texelFetch(iChannel3, p, 0).r < FIRE) O += d * STEP;",
        ),
    ),
    healthy(
        "life is found early",
        HERE,
        (ALIVE, "    float m = -1e9;\n", "    float m = LIFE;\n"),
        (ALIVE, "(p + ivec2(x, y) + n) % n", "ivec2((p.x + x + n.x) % n.x, (p.y + y + n.y) % n.y)"),
        (VIEW, "clamp(c.rgb + (1. - c.a) * paper, 0., 1.)", "min(max((1. - c.a) + c.rgb, 0.), paper)"),
    ),
)
