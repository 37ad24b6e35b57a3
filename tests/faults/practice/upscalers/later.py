"""Plants further bugs in the upscalers: `fsr_luma`, `chroma_from_luma`, `antiring`, `neurons`, `restore`."""

from __future__ import annotations

from tests.faults.fresh.case import Planted, Swap

FAULTS: tuple[Planted, ...] = (
    Planted(
        "a pixel of the middle row not fetched",
        "fsr_luma",
        "features0",
        (Swap("features.frag", "    luma = LUMA_texOff(vec2(1.0, 0.0)).x;\n", ""),),
        (
            "index_map",
            "wrong_partner",
            "missing_taps",
        ),
    ),
    Planted(
        "one matrix from the other side",
        "fsr_luma",
        "mapped0",
        (
            Swap("mapping.frag", "res0 += mat4(0.274, 0.2726,", "res0 += tap0 * mat4(0.274, 0.2726,"),
            Swap("mapping.frag", "0.0423, 0.0648, -0.1339) * tap0;", "0.0423, 0.0648, -0.1339);"),
        ),
        (
            "filter_io_swap",
            "index_map",
        ),
    ),
    Planted(
        "pairs beside each other put below",
        "fsr_luma",
        "larger",
        (
            Swap(
                "aggregate.frag",
                "vec2 pair = odd.y == 0 ? four.xy : four.zw;",
                "vec2 pair = odd.x == 0 ? four.xy : four.zw;",
            ),
            Swap("aggregate.frag", "luma = odd.x == 0 ? pair.x : pair.y;", "luma = odd.y == 0 ? pair.x : pair.y;"),
        ),
        (
            "transpose_xy",
            "channel_permutation",
            "index_map",
        ),
    ),
    Planted(
        "the fourth pixel is the second",
        "chroma_from_luma",
        "luma_low",
        (Swap("luma_low.frag", "at + ivec2(1, 1)", "at + ivec2(1, 0)"),),
        (
            "missing_taps",
            "double_counted",
            "index_map",
        ),
    ),
    Planted(
        "luma not squared",
        "chroma_from_luma",
        "moments",
        (Swap("moments.frag", "square += luma * luma;", "square += luma;"),),
        (
            "activation_missing",
            "wrong_function",
        ),
    ),
    Planted(
        "a column beyond the border counted",
        "chroma_from_luma",
        "moments",
        (Swap("moments.frag", "from.x >= size.x ||", "from.x > size.x ||"),),
        (
            "average_count",
            "padding_mode",
        ),
    ),
    Planted(
        "detail the other way about",
        "chroma_from_luma",
        "chroma",
        (
            Swap(
                "chroma.frag",
                "texture(LUMA, pos).x - texture(LUMA_LOW, pos).x",
                "texture(LUMA_LOW, pos).x - texture(LUMA, pos).x",
            ),
        ),
        (
            "wrong_input",
            "wrong_partner",
            "scale",
        ),
    ),
    Planted(
        "the centre of one colour difference",
        "chroma_from_luma",
        "rgb",
        (Swap("rgb.frag", "ycc.yz -= 0.5;", "ycc.y -= 0.5;"),),
        ("bias_missing",),
    ),
    Planted(
        "the kernel from its second place",
        "antiring",
        "blur_x",
        (Swap("blur_x.frag", "float(k - 2)", "float(k - 1)"),),
        (
            "shift",
            "index_map",
        ),
    ),
    Planted(
        "a weight for one of two rows",
        "antiring",
        "blur_y",
        (Swap("blur_y.frag", "0.2448 * (row(-1.0) + row(1.0))", "0.2448 * row(-1.0) + row(1.0)"),),
        ("scale",),
    ),
    Planted(
        "held to the range of a picture",
        "antiring",
        "held",
        (Swap("held.frag", "strength * detail, lowest, highest);", "strength * detail, 0.0, 1.0);"),),
        (
            "clamped_0_1",
            "wrong_function",
            "alpha",
        ),
    ),
    Planted(
        "the highest begun anew by each neighbour",
        "antiring",
        "held",
        (Swap("held.frag", "highest = max(highest, near);", "highest = max(lowest, near);"),),
        (
            "wrong_partner",
            "missing_taps",
        ),
    ),
    Planted(
        "strength of another preset",
        "antiring",
        "held",
        (Swap("pipeline.toml", "uniforms.strength = 1.35", "uniforms.strength = 1.05"),),
        (
            "scale",
            "wrong_literal",
        ),
        in_text=False,
    ),
    Planted(
        "five columns in a window of four",
        "neurons",
        "stats",
        (Swap("stats.frag", "x = -1; x < 3;", "x = -1; x <= 3;"),),
        ("extra_channels",),
    ),
    Planted(
        "the scale on half of a sum",
        "neurons",
        "line",
        (Swap("line.frag", "loud = exp((a) * scale + bias_a)", "loud = exp(a * scale + bias_a)"),),
        ("scale",),
    ),
    Planted(
        "deviation in the denominator",
        "neurons",
        "line",
        (Swap("line.frag", "votes / total * stats.y", "votes / (total * stats.y)"),),
        ("wrong_function",),
    ),
    Planted(
        "the line made for the next pair",
        "neurons",
        "doubled",
        (
            Swap(
                "doubled.frag",
                "luma = texelFetch(LINE, from, 0).x;",
                "luma = texelFetch(LINE, from + ivec2(0, 1), 0).x;",
            ),
        ),
        (
            "shift",
            "index_map",
        ),
    ),
    Planted(
        "what went in of the first tile",
        "restore",
        "mixed",
        (Swap("mixed.frag", "+ fetch(at, tile);", "+ fetch(at, 0);"),),
        (
            "index_map",
            "wrong_partner",
        ),
    ),
    Planted(
        "held to the range before it is corrected",
        "restore",
        "restored",
        (Swap("restored.frag", "clamp(picture + correction, 0.0, 1.0)", "clamp(picture, 0.0, 1.0) + correction"),),
        (
            "activation_before_bias",
            "wrong_function",
            "activation_missing",
        ),
    ),
)
