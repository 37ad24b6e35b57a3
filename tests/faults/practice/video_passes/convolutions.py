"""Slips in layers of mat4 literals and both signs of a ReLU, and in the layer that joins them."""

from __future__ import annotations

import re

from tests.faults.fresh.case import Healthy, Planted, Swap
from tests.faults.practice.video_passes.lines import gone, rewritten

SECOND = "conv2d_1_tf.glsl"
POSITIVE = "#define go_0(x_off, y_off) (max((conv2d_tf_texOff(vec2(x_off, y_off))), 0.0))"
NEGATIVE = "#define go_1(x_off, y_off) (max(-(conv2d_tf_texOff(vec2(x_off, y_off))), 0.0))"
FIRST = "#define go_0(x_off, y_off) (MAIN_texOff(vec2(x_off, y_off)))"


def _other_way(line: str) -> str:
    """The texel times the matrix, so that its columns count as rows."""
    return re.sub(r"(mat4\(.*\)) \* (go_\d\(.*\));", r"\2 * \1;", line)


def _halves_rows() -> tuple[Swap, ...]:
    places = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
    return tuple(rewritten("restore", SECOND, f"go_0({x}.0, {y}.0);", _other_way) for x, y in places)


FAULTS = (
    Planted("the second half without its minus", "restore", "conv2d_1_tf",
            (Swap(SECOND, NEGATIVE, NEGATIVE.replace("-", "")),), ("activation_missing", "wrong_function")),
    Planted("the second half without its ReLU", "restore", "conv2d_1_tf",
            (Swap(SECOND, NEGATIVE, "#define go_1(x_off, y_off) (-(conv2d_tf_texOff(vec2(x_off, y_off))))"),),
            ("activation_missing", "wrong_function")),
    Planted("the first half without its ReLU", "restore", "conv2d_1_tf",
            (Swap(SECOND, POSITIVE, "#define go_0(x_off, y_off) (conv2d_tf_texOff(vec2(x_off, y_off)))"),),
            ("activation_missing", "wrong_function")),
    Planted("the smaller for the larger in the second half", "restore", "conv2d_1_tf",
            (Swap(SECOND, NEGATIVE, NEGATIVE.replace("max", "min")),), ("wrong_function",)),
    Planted("the halves exchanged", "restore", "conv2d_1_tf",
            (Swap(SECOND, POSITIVE, POSITIVE.replace("max(", "max(-")),
             Swap(SECOND, NEGATIVE, NEGATIVE.replace("-", ""))),
            ("channel_permutation", "index_map", "filter_offset", "wrong_partner", "wrong_function", "scale")),
    Planted("rows for columns in the matrices of the first half", "restore", "conv2d_1_tf", _halves_rows(),
            ("filter_io_swap", "index_map", "wrong_partner", "wrong_literal")),
    Planted("rows for columns in the matrix of one tap", "restore", "conv2d_1_tf",
            (rewritten("restore", SECOND, "go_1(0.0, 1.0);", _other_way),),
            ("filter_io_swap", "index_map", "wrong_partner", "wrong_literal")),
    Planted("one tap read on the other side", "restore", "conv2d_tf",
            (rewritten("restore", "conv2d_tf.glsl", "go_0(0.0, 1.0);",
                       lambda line: line.replace("0, 1.0)", "0, -1.0)")),),
            ("index_map", "wrong_partner")),
    Planted("offsets x for y", "restore", "conv2d_tf",
            (Swap("conv2d_tf.glsl", FIRST, FIRST.replace("vec2(x_off, y_off)", "vec2(y_off, x_off)")),),
            ("kernel_transpose", "index_map", "wrong_partner")),
    Planted("offsets along y turned around", "restore", "conv2d_tf",
            (Swap("conv2d_tf.glsl", FIRST, FIRST.replace("vec2(x_off, y_off)", "vec2(x_off, -(y_off))")),),
            ("kernel_flip", "index_map", "wrong_partner")),
    Planted("one matrix without a sign", "restore", "conv2d_tf",
            (rewritten("restore", "conv2d_tf.glsl", "go_0(1.0, 0.0);", lambda line: line.replace("-", "", 1)),),
            ("wrong_literal",)),
    Planted("a decimal point one place on", "upscale", "conv2d_last_tf1",
            (rewritten("upscale", "conv2d_last_tf1.glsl", "go_0(0.0, -1.0);",
                       lambda line: line.replace("0.0", "0.", 1)),),
            ("wrong_literal",)),
    Planted("a place of the line above", "upscale", "conv2d_last_tf",
            (rewritten("upscale", "conv2d_last_tf.glsl", "go_1(0.0, 1.0);",
                       lambda line: line.replace("go_1(0.0, 1.0)", "go_1(0.0, 0.0)")),),
            ("index_map", "wrong_partner")),
    Planted("the bias of a layer left out", "upscale", "conv2d_1_tf",
            (Swap("conv2d_1_tf.glsl", "    result += vec4(", "    //result += vec4("),), ("bias_missing",)),
    Planted("the last half of the second texture left out", "upscale", "conv2d_1_tf",
            tuple(gone("upscale", SECOND, f"go_3({x}.0, {y}.0);") for x in (-1, 0, 1) for y in (-1, 0, 1)),
            ("missing_channels",)),
    Planted("the first texture read for the second in one half", "upscale", "conv2d_1_tf",
            (Swap(SECOND, "(max(-(conv2d_tf1_texOff(vec2(x_off, y_off))), 0.0))",
                  "(max(-(conv2d_tf_texOff(vec2(x_off, y_off))), 0.0))"),),
            ("wrong_input", "index_map", "wrong_partner")),
    Planted("a sum begun again at the second half", "upscale", "conv2d_1_tf",
            (rewritten("upscale", SECOND, "go_2(-1.0, -1.0);", lambda line: line.replace("+=", "=", 1)),),
            ("missing_channels",)),
    Planted("textures before signs in the joined layers", "restore", "output",
            (Swap("output.glsl", "#define g_1 (max((conv2d_1_tf_tex(conv2d_1_tf_pos)), 0.0))",
                  "#define g_1 (max(-(conv2d_tf_tex(conv2d_tf_pos)), 0.0))"),
             Swap("output.glsl", "#define g_2 (max(-(conv2d_tf_tex(conv2d_tf_pos)), 0.0))",
                  "#define g_2 (max((conv2d_1_tf_tex(conv2d_1_tf_pos)), 0.0))")),
            ("channel_permutation", "index_map", "wrong_partner", "wrong_input")),
    Planted("the picture not added", "restore", "output",
            (Swap("output.glsl", "    result += MAIN_tex(MAIN_pos);\n", ""),), ("bias_missing",)),
    Planted("the picture added twice", "restore", "output",
            (Swap("output.glsl", "    return result;", "    return result + MAIN_tex(MAIN_pos);"),),
            ("bias_doubled", "double_counted")),
)  # fmt: skip

PAIRS = (
    Planted("no minus in the second half, no bias", "restore", "conv2d_1_tf",
            (Swap(SECOND, NEGATIVE, NEGATIVE.replace("-", "")),
             Swap(SECOND, "    result += vec4(", "    //result += vec4(")),
            ("activation_missing", "wrong_function"), ("bias_missing",)),
)  # fmt: skip

HEALTHY = (
    Healthy("both signs by subtraction", "restore",
            (Swap(SECOND, NEGATIVE,
                  "#define go_1(x_off, y_off) (go_0(x_off, y_off) - conv2d_tf_texOff(vec2(x_off, y_off)))"),)),
    Healthy("rows as columns of a transposed matrix", "restore",
            (rewritten("restore", SECOND, "go_1(0.0, 1.0);",
                       lambda line: re.sub(r"(mat4\(.*\)) \* (go_\d\(.*\));", r"\2 * transpose(\1);", line)),)),
)  # fmt: skip
