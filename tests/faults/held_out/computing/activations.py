"""Planted bugs in what is computed and stored, in other shaders and ways than those of the `seen_` modules."""

from __future__ import annotations

import moderngl
import numpy as np

from layouts.row_major_rgba import RowMajorRgba
from tests.faults import models
from tests.faults.changes import (
    DrawnUntil,
    Edit,
    EncodedAs,
    Kept,
    OnBindDo,
    OneRunBehind,
    StoredAs,
    Vertex,
    half,
)
from tests.faults.fault import Fault
from tests.faults.held_out.subjects import convolutions as held_out_subjects
from tests.faults.states import blend, bound_in_turns, bound_output, mask, scissor, steady, ticking, viewport
from tests.faults.subjects import generated

COMPUTING = (
    Fault(
        "a total that starts at zero",
        "bias_missing",
        held_out_subjects.conv_blocks,
        (Edit("float total = texelFetch(t_offset, ivec2(o, 0), 0).r;", "float total = 0.0;"),),
        where=("return total;",),
    ),
    Fault(
        "instance normalisation without its shift",
        "bias_missing",
        held_out_subjects.instance_norm,
        (Edit("* scale + bias;", "* scale;"),),
    ),
    Fault(
        "a row added before and after",
        "bias_doubled",
        held_out_subjects.gemm_blocks,
        (Edit("setOutput = result + c.rgrg;", "setOutput = result + 2.0 * c.rgrg;"),),
        where=("vec4 c = texelFetch(addend",),
    ),
    Fault(
        "a leaky convolution with its bias twice",
        "bias_doubled",
        held_out_subjects.conv_getx,
        (Edit("float result = dotProd;", "float result = dotProd + getBias(d2);"),),
        where=("result = result + getBias(d2);", "return sampleTexture(bias"),
    ),
    Fault(
        "biases one too far in flat memory",
        "bias_offset",
        held_out_subjects.conv_flat,
        (Edit("get(biases, feature)", "get(biases, feature + 1.0)"),),
    ),
    Fault(
        "biases in pairs exchanged",
        "bias_offset",
        held_out_subjects.gemm_blocks,
        (Edit("result + c.rgrg", "result + c.grgr"),),
        where=("vec4 c = texelFetch(addend",),
    ),
    Fault(
        "a depthwise result of a third",
        "scale",
        held_out_subjects.deconv_fetch,
        (Edit("value = gathered;", "value = gathered / 3.0;"),),
        {"factor": 1.0 / 3.0},
    ),
    Fault(
        "a difference halved",
        "scale",
        held_out_subjects.subtract_uv,
        (Edit("difference = a - b;", "difference = (a - b) * 0.5;"),),
        {"factor": 0.5},
    ),
    Fault(
        "an image not brought to −1 … 1",
        "affine",
        lambda: generated(models.conv_transpose((1, 4, 5, 6), 3, bias=False), "row_major_rgba"),
        (Edit("return sum;", "return sum * 2.0 - 1.0;"),),
        {"scale": 2.0, "offset": -1.0},
    ),
    Fault(
        "a leaky ReLU left out of generated code",
        "activation_missing",
        held_out_subjects.conv_getx,
        (Edit("  result = result < 0.0 ? 0.2 * result : result;\n", ""),),
        where=("outputValue = result;",),
    ),
    Fault(
        "a matrix product cut at zero",
        "activation_extra",
        held_out_subjects.gemm_blocks,
        (Edit("setOutput = result + c.rgrg;", "setOutput = max(result + c.rgrg, vec4(0.0));"),),
        alternatives=("clamped_nonnegative",),  # the same function of the same values
    ),
    Fault(
        "a leaky ReLU where there is none",
        "activation_extra",
        held_out_subjects.conv_flat,
        (
            Edit(
                "return total + get(biases, feature);",
                "total += get(biases, feature);\n    return total > 0.0 ? total : 0.2 * total;",
            ),
        ),
    ),
    Fault(
        "the activation before the bias in generated code",
        "activation_before_bias",
        held_out_subjects.conv_getx,
        (
            Edit(
                "  result = result + getBias(d2);\n  result = result < 0.0 ? 0.2 * result : result;",
                "  result = result < 0.0 ? 0.2 * result : result;\n  result = result + getBias(d2);",
            ),
        ),
    ),
    Fault(
        "a sum over the four neighbours of a block",
        "accumulator_not_reset",
        held_out_subjects.conv_blocks,
        (
            Edit("float one(int o, int y, int x) {", "float total = 0.0;\n\nfloat one(int o, int y, int x) {"),
            Edit("float total = texelFetch(t_offset", "total += texelFetch(t_offset"),
        ),
        where=("total += fetch_input(", "return total;"),
    ),
    Fault(
        "a mean of sixteen that divides by what is inside",
        "average_count",
        lambda: generated(models.pool("AveragePool", (1, 4, 8, 10), 4, count_include_pad=1), "tfjs_unpacked"),
        (Edit("const bool COUNT_PADDING = true;", "const bool COUNT_PADDING = false;"),),
        where=("return sum / float(COUNT_PADDING",),
    ),
    Fault(
        "epsilon of another normalisation",
        "epsilon",
        held_out_subjects.instance_norm,
        (Edit("const float EPSILON = 0.001;", "const float EPSILON = 0.00001;"),),
        {"got": 1e-5},
        ("y = (x - mean)",),
    ),
    Fault(
        "slopes of PReLU by row",
        "alpha",
        held_out_subjects.prelu_tiles,
        (Edit("ivec2(channel % slope_columns, channel / slope_columns)", "ivec2(0, 0)"),),
        where=("activated = ",),
        alternatives=("bias_offset", "wrong_input"),  # the slope is a parameter a channel, read at another channel
        seen_at="tfjs PR 6365",
    ),
    Fault(
        "a steeper slope in generated code",
        "alpha",
        held_out_subjects.conv_getx,
        (Edit("0.2 * result : result;", "0.3 * result : result;"),),
        {"got": 0.3},
    ),
)

STORING = (
    Fault(
        "a flat convolution capped for display",
        "clamped_0_1",
        held_out_subjects.conv_flat,
        (
            Edit(
                "cells.a = convolution(first + 3.0);\n",
                "cells.a = convolution(first + 3.0);\n    cells = clamp(cells, 0.0, 1.0);\n",
            ),
        ),
    ),
    Fault(
        "a difference in a target without a sign",
        "clamped_nonnegative",
        held_out_subjects.subtract_uv,
        (Kept(lambda texels: np.maximum(texels, 0.0)),),
        alternatives=("activation_extra",),  # no trace in the values tells a cap at zero from a ReLU
    ),
    Fault(
        "a softmax of tiles in bytes",
        "quantized_8bit",
        held_out_subjects.softmax_tiles,
        (Kept(lambda texels: (np.rint(texels * 255.0) / 255.0).astype(np.float32)),),
    ),
    Fault(
        "medium precision in generated code",
        "half_precision",
        held_out_subjects.conv_getx,
        (Edit("precision highp sampler2D;", "precision mediump sampler2D;"),),
        seen_at="webml-polyfill#297",
    ),
    Fault(
        "a matrix product stored in halves",
        "half_precision",
        held_out_subjects.gemm_blocks,
        (StoredAs(storage="float16"),),
        alternatives=("precision",),  # what was asked for: no bug of the shader
    ),
    Fault(
        "squares too large for halves",
        "half_overflow",
        lambda: generated(models.binary("Mul", (1, 3, 6, 7)), "row_major_rgba").fed(
            a=models.noise(1, 3, 6, 7, seed=8, scale=300.0), b=models.noise(1, 3, 6, 7, seed=9, scale=300.0)
        ),
        (Kept(half),),
    ),
    Fault(
        "probabilities with gamma",
        "srgb_encoded",
        held_out_subjects.softmax_tiles,
        (
            Edit(
                "probability = exp(texelFetch(t_x, here, 0).r - top) / total;",
                "probability = pow(exp(texelFetch(t_x, here, 0).r - top) / total, 0.4545);",
            ),
        ),
    ),
    Fault(
        "blending over what was there, packed",
        "blend_enabled",
        held_out_subjects.avgpool_rgba,
        (OnBindDo(blend(moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA)),),
        runs=2,
    ),
    Fault(
        "one tile's corner left out by a scissor",
        "unwritten_texels",
        held_out_subjects.deconv_fetch,
        (OnBindDo(scissor(0.0, 0.0, 0.9, 0.8)),),
    ),
    Fault(
        "odd columns discarded",
        "unwritten_texels",
        held_out_subjects.instance_norm,
        (Edit("    float mean = 0.0;\n", "    if (here.x % 2 == 1) discard;\n    float mean = 0.0;\n"),),
    ),
    Fault(
        "a mean of the picture before",
        "stale_tensor",
        held_out_subjects.avgpool_rgba,
        (OneRunBehind("t_source"),),
        earlier=2,
    ),
    Fault(
        "a matrix product drawn once and never again",
        "stale_tensor",
        held_out_subjects.gemm_blocks,
        (DrawnUntil(2),),
        earlier=2,
        alternatives=("unwritten_texels",),  # what is never drawn is never written
    ),
    Fault(
        "a difference with its own result",
        "feedback_loop",
        held_out_subjects.subtract_uv,
        (OnBindDo(bound_output("right")),),
        runs=2,
        where=("texture(right, place)",),
    ),
    Fault(
        "half of the slots of the target in view",
        "viewport_mismatch",
        held_out_subjects.subtract_uv,
        (OnBindDo(viewport(1.0, 0.5)),),
    ),
    Fault(
        "a triangle that covers three quarters",
        "viewport_mismatch",
        lambda: held_out_subjects.subtract_uv((1, 4, 8, 8)),
        (Vertex("held_out/place_shrunk.vert"),),
        alternatives=("unwritten_texels",),  # the cause is in the vertex shader; both are seen
    ),
    Fault(
        "filters of 1x1 in another grid",
        "wrong_layout",
        lambda: generated(models.conv((1, 9, 5, 6), 4, 1, pads=(0, 0, 0, 0), bias=False)),
        (EncodedAs("w", "channel_tiles"),),
    ),
    Fault(
        "a result written in flat order",
        "wrong_layout",
        lambda: generated(models.conv((1, 3, 6, 8), 4, bias=False), "channel_tiles_rgba"),
        (StoredAs(layout=RowMajorRgba(width=8)),),
        {"layout": "channel_tiles_rgba"},
    ),
    Fault(
        "red of every texel masked",
        "dropped_lane",
        held_out_subjects.conv_blocks,
        (OnBindDo(mask((False, True, True, True))),),
        {"lane": 0},
        alternatives=("unwritten_texels",),  # a masked lane is not written
    ),
    Fault(
        "a mean of three lanes",
        "dropped_lane",
        held_out_subjects.avgpool_rgba,
        (Edit("o_mean = total / (u_window * u_window);", "o_mean = vec4(total.rgb / (u_window * u_window), 1.0);"),),
        {"lane": 3},
    ),
)

NUMBERS = (
    Fault(
        "the mean's square subtracted once more",
        "nan_source",
        held_out_subjects.instance_norm,
        (Edit("inversesqrt(variance + EPSILON)", "inversesqrt(variance - mean * mean + EPSILON)"),),
    ),
    Fault(
        "a mean over an empty window",
        "inf_source",
        lambda: generated(models.pool("AveragePool", (1, 3, 8, 9)), "tfjs_packed"),
        (Edit("float(COUNT_PADDING ? taps : count)", "float(count == 4 ? 0 : count)"),),
    ),
    Fault(
        "a variance from the mean of squares",
        "precision",
        lambda: held_out_subjects.instance_norm(0.5, 30.0),
        (
            Edit(
                "            variance += distance * distance;",
                "            variance += (distance + mean) * (distance + mean);",
            ),
            Edit("    variance /= count;", "    variance = variance / count - mean * mean;"),
        ),
        where=("y = (x - mean)",),
    ),
    Fault(
        "a sum carried through a large one",
        "precision",
        held_out_subjects.gemm_blocks,
        (
            Edit("const int sharedDim", "uniform float u_start;\nconst int sharedDim"),
            Edit("vec4 result = vec4(0);", "vec4 result = vec4(8192.0 + u_start);"),
            Edit("setOutput = result + c.rgrg;", "setOutput = (result - (8192.0 + u_start)) + c.rgrg;"),
            OnBindDo(steady("u_start")),
        ),
        where=("result += ",),
    ),
    Fault(
        "a dither that moves",
        "nondeterministic",
        held_out_subjects.softmax_tiles,
        (
            Edit("uniform int u_channels;", "uniform int u_channels;\nuniform float u_frame;"),
            Edit("float total = 0.0;", "float total = 0.01 + 0.01 * cos(u_frame * 78.2 + gl_FragCoord.y);"),
            OnBindDo(ticking("u_frame")),
        ),
        runs=2,
        where=("probability = exp(",),
    ),
    Fault(
        "inputs exchanged every second time",
        "nondeterministic",
        held_out_subjects.subtract_uv,
        (OnBindDo(bound_in_turns("left", "b")),),
        runs=2,
    ),
)

FAULTS = (*COMPUTING, *STORING, *NUMBERS)
