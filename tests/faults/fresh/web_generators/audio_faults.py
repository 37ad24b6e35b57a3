"""Planted bugs, pairs of them and healthy variants of the pipeline `audio`."""

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS = (
    Planted(
        "a floor beside the logarithm",
        "audio",
        "level",
        (Swap("level.frag", "log(energy + floorLevel)", "log(energy) + floorLevel"),),
        ("epsilon", "wrong_function"),
    ),
    Planted(
        "levels to the base of two",
        "audio",
        "level",
        (Swap("level.frag", "log(energy + floorLevel)", "log2(energy + floorLevel)"),),
        ("wrong_function", "scale"),
    ),
    Planted(
        "statistics of twelve rows",
        "audio",
        "level",
        (Swap("pipeline.toml", "uniforms.rows = 18\n", "uniforms.rows = 12\n"),),
        ("index_map", "bias_offset", "wrong_partner"),
        in_text=False,
    ),
    Planted(
        "a hop of one frame",
        "audio",
        "conv",
        (Swap("pipeline.toml", "uniforms.hop = 2\n", "uniforms.hop = 1\n"),),
        ("stride",),
        in_text=False,
    ),
    Planted(
        "silence behind half of the frames",
        "audio",
        "conv",
        (Swap("pipeline.toml", "uniforms.frames = 46\n", "uniforms.frames = 23\n"),),
        ("padding_mode", "missing_taps"),
        in_text=False,
    ),
    Planted(
        "a bias with every channel",
        "audio",
        "conv",
        (
            Swap(
                "conv_s2.frag",
                "        int row = o * channels + i;\n",
                "        int row = o * channels + i;\n        s += texelFetch(bias, ivec2(o, 0), 0).r;\n",
            ),
        ),
        ("bias_doubled",),
    ),
    Planted(
        "five taps of which four were written",
        "audio",
        "conv",
        (Swap("conv_s2.frag", "        s += frame(i, t - 2) * texelFetch(taps, ivec2(0, row), 0).r;\n", ""),),
        ("missing_taps",),
    ),
    Planted(
        "groups that alternate",
        "audio",
        "wide",
        (Swap("wide.frag", "(me.y / PER_GROUP) * PER_GROUP", "(me.y % GROUPS) * PER_GROUP"),),
        ("group_ignored", "index_map"),
    ),
    Planted(
        "taps side by side",
        "audio",
        "wide",
        (Swap("wide.frag", "me.x + (k - 1) * DILATION", "me.x + k - 1"),),
        ("dilation",),
    ),
    Planted(
        "the slope below zero after the sum",
        "audio",
        "wide",
        (
            Swap("wide.frag", "    s = s < 0.0 ? s * SLOPE : s;\n", "    s += texelFetch(signal, me, 0).r;\n"),
            Swap("wide.frag", "vec4(s + texelFetch(signal, me, 0).r,", "vec4(s < 0.0 ? s * SLOPE : s,"),
        ),
        ("activation_extra", "activation_missing"),
    ),
    Planted(
        "a slope of another network",
        "audio",
        "wide",
        (Swap("wide.frag", "SLOPE = 0.1;", "SLOPE = 0.01;"),),
        ("alpha",),
    ),
    Planted(
        "three frames at the ends too",
        "audio",
        "pool",
        (Swap("pool.frag", "total / float(to - from + 1)", "total / 3.0"),),
        ("average_count",),
    ),
    Planted(
        "windows that begin in their middle",
        "audio",
        "pool",
        (Swap("pool.frag", "int(gl_FragCoord.x) * 2;", "int(gl_FragCoord.x) * 2 + 1;"),),
        ("shift",),
    ),
    Planted(
        "steps of a longer signal",
        "audio",
        "summary",
        (Swap("pipeline.toml", 'uniforms.size = "size(pool)"', 'uniforms.size = "size(wide)"'),),
        ("double_counted", "index_map"),
        in_text=False,
    ),
    Planted(
        "recurrent weights down a column",
        "audio",
        "gates",
        (Swap("gates.frag", "texelFetch(wh, ivec2(i, gate), 0)", "texelFetch(wh, ivec2(gate, i), 0)"),),
        ("filter_io_swap", "index_map"),
    ),
    Planted(
        "gates with corners",
        "audio",
        "gates",
        (Swap("gates.frag", "return 1.0 / (1.0 + exp(-a));", "return clamp(0.2 * a + 0.5, 0.0, 1.0);"),),
        ("wrong_function",),
    ),
    Planted(
        "the summary for the memory",
        "audio",
        "gates",
        (Swap("gates.frag", "texelFetch(h, ivec2(i, 0), 0)", "texelFetch(x, ivec2(i, 0), 0)"),),
        ("wrong_input",),
    ),
    Planted(
        "reset gates first",
        "audio",
        "state",
        (
            Swap("state.frag", "float z = AT(zr, unit, 0);", "float z = AT(zr, unit + 8, 0);"),
            Swap("state.frag", "float r = AT(zr, unit + 8, 0);", "float r = AT(zr, unit, 0);"),
        ),
        ("wrong_input", "channel_permutation", "index_map"),
    ),
    Planted(
        "a gate on the memory before its weights",
        "audio",
        "state",
        (
            Swap("state.frag", "AT(h, i, 0) * AT(wh, i, unit)", "AT(zr, i + 8, 0) * AT(h, i, 0) * AT(wh, i, unit)"),
            Swap("state.frag", "tanh(fromInput + r * fromMemory)", "tanh(fromInput + fromMemory)"),
        ),
        ("wrong_partner", "index_map"),
    ),
    Planted(
        "old and new exchanged in the mix",
        "audio",
        "state",
        (
            Swap(
                "state.frag", "(1.0 - z) * candidate + z * AT(h, unit, 0)", "z * candidate + (1.0 - z) * AT(h, unit, 0)"
            ),
        ),
        ("wrong_input", "wrong_partner"),
    ),
    Planted(
        "shares of exponentials that start elsewhere",
        "audio",
        "classes",
        (Swap("classes.frag", "exp(scores[int(gl_FragCoord.x)] - top)", "exp(scores[int(gl_FragCoord.x)])"),),
        ("scale", "bias_missing"),
    ),
)

PAIRS = (
    Planted(
        "taps too close and a steeper slope",
        "audio",
        "wide",
        (
            Swap("wide.frag", "DILATION = 2;", "DILATION = 1;"),
            Swap("wide.frag", "SLOPE = 0.1;", "SLOPE = 0.2;"),
        ),
        ("dilation",),
        ("alpha",),
    ),
    Planted(
        "a memory without its bias behind the other gate",
        "audio",
        "state",
        (
            Swap("state.frag", "float fromMemory = AT(bh, unit, 0);", "float fromMemory = 0.0;"),
            Swap("state.frag", "float z = AT(zr, unit, 0);", "float z = AT(zr, unit + 8, 0);"),
        ),
        ("bias_missing",),
        ("wrong_input", "index_map", "channel_permutation"),
    ),
)

HEALTHY = (
    Healthy(
        "a factor read at the frame's own place",
        "audio",
        (Swap("level.frag", "texture(inv, row).r", "texture(inv, at).r"),),
    ),
    Healthy(
        "a sigmoid by the hyperbolic tangent",
        "audio",
        (Swap("gates.frag", "return 1.0 / (1.0 + exp(-a));", "return 0.5 * tanh(0.5 * a) + 0.5;"),),
    ),
    Healthy(
        "groups by channels of the result",
        "audio",
        (
            Swap(
                "wide.frag", "int firstIn = (me.y / PER_GROUP) * PER_GROUP;", "int firstIn = me.y - me.y % PER_GROUP;"
            ),
            Swap("wide.frag", "s = s < 0.0 ? s * SLOPE : s;", "s = max(s, s * SLOPE);"),
        ),
    ),
    Healthy(
        "five taps by a loop",
        "audio",
        (
            Swap(
                "conv_s2.frag",
                "        s += frame(i, t - 2) * texelFetch(taps, ivec2(0, row), 0).r;\n"
                "        s += frame(i, t - 1) * texelFetch(taps, ivec2(1, row), 0).r;\n"
                "        s += frame(i, t) * texelFetch(taps, ivec2(2, row), 0).r;\n"
                "        s += frame(i, t + 1) * texelFetch(taps, ivec2(3, row), 0).r;\n"
                "        s += frame(i, t + 2) * texelFetch(taps, ivec2(4, row), 0).r;\n",
                "        for (int k = 4; k >= 0; --k) {\n"
                "            s += frame(i, t + k - 2) * texelFetch(taps, ivec2(k, row), 0).r;\n"
                "        }\n",
            ),
        ),
    ),
)
