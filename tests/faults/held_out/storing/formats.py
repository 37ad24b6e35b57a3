"""More planted bugs in what is computed and stored, in other layers and styles than the other `held_out_` modules."""

from __future__ import annotations

import moderngl
import numpy as np

from layouts.row_major_rgba import RowMajorRgba
from tests.faults import models
from tests.faults.changes import DrawnUntil, Edit, Kept, OnBindDo, OneRunBehind, StoredAs, Uniform, half
from tests.faults.fault import Fault
from tests.faults.held_out.subjects import pictures as subjects
from tests.faults.models import noise
from tests.faults.models_more import single
from tests.faults.states import blend, bound_in_turns, bound_output, mask, scissor, ticking, viewport
from tests.faults.subjects import Subject, generated


def shares(subject: Subject) -> Subject:
    """The subject fed with values from 0 to 1."""
    return subject.fed(x=(1.0 / (1.0 + np.exp(-subject.inputs["x"]))).astype(np.float32))


COMPUTING = (
    Fault(
        "a flat 1x1 convolution that starts at zero",
        "bias_missing",
        subjects.pointwise_flat,
        (Edit("float acc = load(B, p.y);", "float acc = 0.0;"),),
        where=("return acc;",),
    ),
    Fault(
        "a batch normalisation without its shift",
        "bias_missing",
        lambda: generated(models.batch_norm((2, 5, 4, 6)), "row_major_rgba"),
        (Edit("* factor + BIAS_linear(c);", "* factor;"),),
    ),
    Fault(
        "a gradient with its bias twice",
        "bias_doubled",
        subjects.deconv_getdy,
        (Edit("outputValue = dotProd + texelFetch(bias", "outputValue = dotProd + 2.0 * texelFetch(bias"),),
    ),
    Fault(
        "a flat normalisation shifted inside of its sum too",
        "bias_doubled",
        subjects.layernorm_flat,
        (Edit("* quad(gain, index % 2);", "* quad(gain, index % 2) + quad(shift, index % 2);"),),
        where=("normal = scaled",),
    ),
    Fault(
        "the first group's biases for both",
        "bias_offset",
        subjects.grouped_rgba,
        (Edit("ivec2(tile * 4 + lane, 0)", "ivec2(lane, 0)"),),
    ),
    Fault(
        "the second picture's shifts counted on",
        "bias_offset",
        subjects.batchnorm_rgba,
        (Edit("scaled + four(beta, channel)", "scaled + four(beta, tile * 4)"),),
        where=("found[lane] = texelFetch(values",),
    ),
    Fault(
        "scores that are not divided by a root",
        "scale",
        subjects.scores_geta,
        (Edit("score = (a + b) * share;", "score = a + b;"),),
        {"factor": 8.0**0.5},
    ),
    Fault(
        "a matrix product without its alpha",
        "scale",
        lambda: generated(single("Gemm", (3, 7), {"w": noise(7, 5, seed=1)}, alpha=0.25), "channel_tiles_rgba"),
        (Edit("const float ALPHA = 0.25;", "const float ALPHA = 1.0;"),),
        {"factor": 4.0},
        ("sum *= ALPHA;", "return sum;"),
    ),
    Fault(
        "a stretched picture brought back to bytes around 128",
        "affine",
        subjects.stretch_getx,
        (
            Edit(
                "outputValue = top + (bottom - top) * fracRC.x;",
                "outputValue = (top + (bottom - top) * fracRC.x) * 127.5 + 127.5;",
            ),
        ),
        {"scale": 127.5, "offset": 127.5},
    ),
    Fault(
        "a batch's convolution without its ReLU",
        "activation_missing",
        subjects.conv_relu_unpacked,
        (Edit("texelFetch(t_b, ivec2(o, 0), 0).r, 0.0);", "texelFetch(t_b, ivec2(o, 0), 0).r, -3.0e38);"),),
    ),
    Fault(
        "a leaky ReLU that never leaks",
        "activation_missing",
        subjects.conv_rows_uv,
        (Edit("y = mix(total, 0.2 * total, float(total < 0.0));", "y = total;"),),
    ),
    Fault(
        "a hyperbolic tangent at the end of a gradient",
        "activation_extra",
        subjects.deconv_getdy,
        (
            Edit(
                "outputValue = dotProd + texelFetch(bias, ivec2(d2, 0), 0).r;",
                "outputValue = tanh(dotProd + texelFetch(bias, ivec2(d2, 0), 0).r);",
            ),
        ),
    ),
    Fault(
        "a matrix product that is made positive",
        "activation_extra",
        lambda: generated(single("Gemm", (4, 6), {"w": noise(6, 5, seed=1), "b": noise(5, seed=2)}), "row_major_rgba"),
        (Edit("    return sum;", "    return max(sum, 0.0);"),),
        alternatives=("clamped_nonnegative",),  # the same function of the same values
    ),
    Fault(
        "a ReLU before the bias, for a batch",
        "activation_before_bias",
        subjects.conv_relu_unpacked,
        (
            Edit(
                "y = max(s + texelFetch(t_b, ivec2(o, 0), 0).r, 0.0);",
                "y = max(s, 0.0) + texelFetch(t_b, ivec2(o, 0), 0).r;",
            ),
        ),
    ),
    Fault(
        "a ReLU before a normalisation's shift",
        "activation_before_bias",
        subjects.batchnorm_rgba,
        (Edit("color = max(shifted, vec4(0.0));", "color = max(scaled, vec4(0.0)) + four(beta, channel);"),),
    ),
    Fault(
        "means that go on from column to column",
        "accumulator_not_reset",
        subjects.column_means,
        (
            Edit("float mean(int index) {", "float total = 0.0;\n\nfloat mean(int index) {"),
            Edit("    float total = 0.0;\n    int row", "    int row"),
        ),
        where=("total += at(", "return total /"),
    ),
    Fault(
        "products that go on from element to element",
        "accumulator_not_reset",
        lambda: generated(single("MatMul", (1, 5, 6), {"w": noise(6, 7, seed=1)}), "tfjs_packed"),
        (
            Edit("float compute(ivec4 at) {", "float sum = 0.0;\nfloat compute(ivec4 at) {"),
            Edit("    float sum = 0.0;\n\n    // Four", "\n    // Four"),
        ),
        where=("sum += product(", "return sum;"),
    ),
    Fault(
        "a mean divided by the number of columns",
        "average_count",
        subjects.column_means,
        (Edit("return total / float(dims.y);", "return total / float(dims.z);"),),
        alternatives=("scale",),  # one count for all elements is one factor
    ),
    Fault(
        "a mean over a border that is not there",
        "average_count",
        lambda: generated(models.pool("AveragePool", (1, 3, 7, 8), pads=(1, 0, 1, 1)), "tfjs_packed"),
        (Edit("sum / float(COUNT_PADDING ? taps : count)", "sum / float(KERNEL_X * KERNEL_Y)"),),
        where=("const bool COUNT_PADDING",),
    ),
    Fault(
        "another epsilon in a flat normalisation",
        "epsilon",
        subjects.layernorm_flat,
        (Uniform("eps", 1e-5),),
        {"got": 1e-5},
        ("vec4 scaled = centred",),
    ),
    Fault(
        "epsilon outside of a normalisation's root",
        "epsilon",
        subjects.batchnorm_rgba,
        (
            Edit(
                "inversesqrt(four(spread, channel) + epsilon)",
                "(1.0 / (sqrt(four(spread, channel)) + epsilon))",
            ),
        ),
    ),
    Fault(
        "alpha of a response for each channel instead of for all",
        "alpha",
        subjects.lrn_tiles,
        (Edit("ALPHA / float(SPAN) * energy", "ALPHA * energy"),),
    ),
    Fault(
        "half the slope",
        "alpha",
        subjects.conv_rows_uv,
        (Edit("0.2 * total", "0.1 * total"),),
        {"got": 0.1},
    ),
)

STORING = (
    Fault(
        "a strided convolution shown on a screen",
        "clamped_0_1",
        subjects.pointwise_flat,
        (Kept(lambda texels: np.clip(texels, 0.0, 1.0)),),
    ),
    Fault(
        "joined pictures in a target without a sign",
        "clamped_nonnegative",
        subjects.join_unpacked,
        (Kept(lambda texels: np.maximum(texels, 0.0)),),
        alternatives=("activation_extra",),  # no trace in the values tells a cap at zero from a ReLU
    ),
    Fault(
        "shares stretched in steps of a byte",
        "quantized_8bit",
        lambda: shares(subjects.stretch_getx()),
        (Kept(lambda texels: (np.rint(texels * 255.0) / 255.0).astype(np.float32)),),
    ),
    Fault(
        "a response stored in halves",
        "half_precision",
        subjects.lrn_tiles,
        (Kept(half),),
    ),
    Fault(
        "floats of medium precision in a gradient",
        "half_precision",
        subjects.deconv_getdy,
        (
            Edit("precision highp float;", "precision mediump float;"),
            Edit("precision highp sampler2D;", "precision mediump sampler2D;"),
        ),
    ),
    Fault(
        "products too large for halves",
        "half_overflow",
        lambda: generated(single("MatMul", (1, 5, 6), {"w": noise(6, 7, seed=1, scale=200.0)}, scale=200.0)),
        (StoredAs(storage="float16"),),
    ),
    Fault(
        "a repeated picture with the gamma of a screen",
        "srgb_encoded",
        lambda: shares(subjects.triple_rgba()),
        (Edit("repeated = texture(picture, uv);", "repeated = pow(texture(picture, uv), vec4(1.0 / 2.2));"),),
    ),
    Fault(
        "means added to those of the draw before",
        "blend_enabled",
        subjects.avgpool_linear,
        (OnBindDo(blend(moderngl.ONE, moderngl.ONE)),),
        runs=2,
    ),
    Fault(
        "the right side of folded blocks outside of a scissor",
        "unwritten_texels",
        subjects.fold_tiles,
        (OnBindDo(scissor(0.0, 0.0, 0.7, 1.0)),),
    ),
    Fault(
        "the tiles of the last output never drawn",
        "unwritten_texels",
        subjects.conv_rows_uv,
        (Edit("    float total = 0.0;\n    for", "    if (feature > 3.5) discard;\n    float total = 0.0;\n    for"),),
    ),
    Fault(
        "the second of two joined pictures one run late",
        "stale_tensor",
        subjects.join_unpacked,
        (OneRunBehind("B"),),
        earlier=2,
    ),
    Fault(
        "a stretched picture that is not drawn again",
        "stale_tensor",
        subjects.stretch_getx,
        (DrawnUntil(1),),
        earlier=1,
        alternatives=("unwritten_texels",),  # what is never drawn is never written
    ),
    Fault(
        "an activation in place",
        "feedback_loop",
        subjects.hardswish_uv,
        (OnBindDo(bound_output("signal")),),
        runs=2,
        where=("vec4 x = texture(signal",),
    ),
    Fault(
        "a padded picture in the viewport of the one without a border",
        "viewport_mismatch",
        subjects.mirror_pad,
        (OnBindDo(viewport(0.6, 0.56)),),
        alternatives=("unwritten_texels",),  # a shader that counts texels computes the rest right
    ),
    Fault(
        "an activation in the viewport of half its width",
        "viewport_mismatch",
        lambda: subjects.hardswish_uv((1, 4, 6, 10)),
        (OnBindDo(viewport(0.5, 1.0)),),
    ),
    Fault(
        "means in rows of another width",
        "wrong_layout",
        subjects.column_means,
        (Uniform("texels", 2),),
        where=("int first = (here.y * texels",),
    ),
    Fault(
        "a pool's channels laid flat",
        "wrong_layout",
        lambda: generated(models.pool("MaxPool", (1, 4, 8, 12)), "channel_tiles_rgba"),
        (StoredAs(layout=RowMajorRgba(width=6)),),
        {"layout": "channel_tiles_rgba"},
    ),
    Fault(
        "an opaque activation",
        "dropped_lane",
        subjects.hardswish_uv,
        (Edit("color = x * gate;", "color = vec4((x * gate).rgb, 1.0);"),),
        {"lane": 3},
    ),
    Fault(
        "green of a batch masked",
        "dropped_lane",
        subjects.batchnorm_rgba,
        (OnBindDo(mask((True, False, True, True))),),
        {"lane": 1},
        alternatives=("unwritten_texels",),  # a masked lane is not written
    ),
)

NUMBERS = (
    Fault(
        "a hyperbolic tangent as a quotient of powers",
        "nan_source",
        lambda: generated(models.pointwise("Tanh", (1, 3, 5, 6), scale=60.0), "tfjs_packed"),
        (Edit("return hyperbolic_tangent(x);", "return (exp(x) - exp(-x)) / (exp(x) + exp(-x));"),),
    ),
    Fault(
        "the logarithm of a softmax",
        "inf_source",
        lambda: generated(models.pointwise("LogSoftmax", (3, 10), scale=60.0, axis=-1), "row_major_rgba"),
        (Edit("return distance - ln(sum);", "return log(exp(distance) / sum);"),),
    ),
    Fault(
        "a flat variance as the difference of two large numbers",
        "precision",
        lambda: subjects.layernorm_flat(0.5, 50.0),
        (
            Edit("    a -= mean;\n    b -= mean;\n", ""),
            Edit("(sum(a * a) + sum(b * b)) / 8.0;", "(sum(a * a) + sum(b * b)) / 8.0 - mean * mean;"),
        ),
        where=("vec4 scaled = centred",),
    ),
    Fault(
        "places that drift from draw to draw",
        "nondeterministic",
        subjects.stretch_getx,
        (
            Edit("out float outputValue;", "uniform float frame;\n\nout float outputValue;"),
            Edit("vec2 sourceRC = rc * 0.5;", "vec2 sourceRC = rc * 0.5 * (1.0 - 0.1 * fract(frame * 0.37));"),
            OnBindDo(ticking("frame")),
        ),
        runs=2,
        where=("return texelFetch(x", "float topLeft ="),
    ),
    Fault(
        "a normalisation whose parameters take turns",
        "nondeterministic",
        subjects.batchnorm_rgba,
        (OnBindDo(bound_in_turns("gamma", "shift")),),
        runs=2,
    ),
)

FAULTS: tuple[Fault, ...] = (*COMPUTING, *STORING, *NUMBERS)
