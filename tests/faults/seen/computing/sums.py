"""More planted bugs in what is computed and stored, in operators and styles that the other `seen_` modules have not."""

from __future__ import annotations

import numpy as np

from tests.faults import models
from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.models import noise
from tests.faults.models_more import conv_of, single
from tests.faults.seen.subjects import pictures as seen_more_subjects
from tests.faults.subjects import Subject, generated


def flat_channel() -> Subject:
    """Instance normalisation of a picture one channel of which is the same everywhere."""
    subject = generated(models.instance_norm((1, 3, 6, 7), epsilon=1e-3), "tfjs_unpacked")
    x = np.array(subject.inputs["x"])
    x[0, 1] = 0.5
    return subject.fed(x=x)


COMPUTING = (
    Fault(
        "biases counted anew in every group",
        "bias_offset",
        lambda: generated(conv_of((1, 4, 6, 7), (6, 2, 3, 3), pads=(1, 1, 1, 1), group=2)),
        (Edit("sum += B(ivec4(0, 0, 0, at.y));", "sum += B(ivec4(0, 0, 0, at.y % OUTPUTS_PER_GROUP));"),),
    ),
    Fault(
        "epsilon outside of the root",
        "epsilon",
        lambda: generated(
            single(
                "LayerNormalization",
                (2, 3, 4, 10),
                {"s": noise(10, seed=1), "b": noise(10, seed=2)},
                scale=0.3,
                axis=-1,
                epsilon=1e-2,
            ),
            "row_major_rgba",
        ),
        (Edit("const bool OUTSIDE = false;", "const bool OUTSIDE = true;"),),
        where=("y /= OUTSIDE",),
    ),
    Fault(
        "an exponential unit with the default alpha",
        "alpha",
        lambda: generated(single("Elu", (1, 5, 6, 7), alpha=1.3), "tfjs_unpacked"),
        (Edit("const float ALPHA = 1.29999995;", "const float ALPHA = 1.0;"),),
        {"got": 1.0},
        ("return x < 0.0 ? ALPHA",),
    ),
    Fault(
        "a variance divided by one less",
        "average_count",
        seen_more_subjects.layernorm_getx,
        (Edit("squares / float(rowLength);", "squares / float(rowLength - 1);"),),
        where=("float normal =",),
    ),
    Fault(
        "a layer normalisation without its beta",
        "bias_missing",
        seen_more_subjects.layernorm_getx,
        (Edit("normal * getGamma(rc.y) + getBeta(rc.y);", "normal * getGamma(rc.y);"),),
    ),
)

DENSE = (
    Fault(
        "a depthwise convolution without its ReLU",
        "activation_missing",
        seen_more_subjects.depthwise_es,
        (Edit("result = max(sum, 0.0);", "result = sum;"),),
    ),
    Fault(
        "floats of medium precision in a depthwise convolution",
        "half_precision",
        seen_more_subjects.depthwise_es,
        (
            Edit("precision highp float;", "precision mediump float;"),
            Edit("precision highp sampler2D;", "precision mediump sampler2D;"),
        ),
    ),
    Fault(
        "the fourth of four partial sums left out",
        "dropped_lane",
        seen_more_subjects.dense_flat,
        (Edit("dot(sum, vec4(1.0))", "dot(sum.xyz, vec3(1.0))"),),
        {"lane": 3},
        ("sum += quad(x",),
        alternatives=("missing_channels",),  # the fourth lane holds inputs 3, 7 and 11
    ),
    Fault(
        "four sums that go on from element to element",
        "accumulator_not_reset",
        seen_more_subjects.dense_flat,
        (
            Edit("float dense(int index) {", "vec4 sum = vec4(0.0);\nfloat dense(int index) {"),
            Edit("    vec4 sum = vec4(0.0);\n    for", "    for"),
        ),
        where=("sum += quad(x", "return dot(sum"),
    ),
    Fault(
        "a dense layer divided by the root of its width",
        "scale",
        seen_more_subjects.dense_flat,
        (
            Edit(
                "return dot(sum, vec4(1.0)) + quad(b, j >> 2)[j & 3];",
                "return (dot(sum, vec4(1.0)) + quad(b, j >> 2)[j & 3]) / sqrt(12.0);",
            ),
        ),
        {"factor": 12.0**-0.5},
    ),
    Fault(
        "a softmax of large scores without their largest",
        "nan_source",
        lambda: seen_more_subjects.softmax_rgba(90.0),
        (
            Edit("exp(scores(group, p) - top)", "exp(scores(group, p))"),
            Edit("exp(texelFetch(t_scores, texel, 0) - top)", "exp(texelFetch(t_scores, texel, 0))"),
        ),
    ),
    Fault(
        "a mean over a picture that takes it for a square",
        "average_count",
        seen_more_subjects.global_mean_rgba,
        (Edit("float(u_size.x * u_size.y)", "float(u_size.x * u_size.x)"),),
        alternatives=("scale",),  # one count for all elements is one factor
    ),
    Fault(
        "a flat channel normalised without epsilon",
        "nan_source",
        flat_channel,
        (Edit("sqrt(variance + EPSILON)", "sqrt(variance)"),),
        alternatives=("epsilon",),  # that it is left out is why 0 is divided by 0
    ),
)

PARAMETERS = (
    Fault(
        "a normalised group's shift added twice",
        "bias_doubled",
        seen_more_subjects.group_norm_tiles,
        (Edit("y = normal * scale + shift;", "y = normal * scale + shift + shift;"),),
        where=("float shift = texelFetch",),
    ),
    Fault(
        "shifts of the next channel",
        "bias_offset",
        seen_more_subjects.scale_shift_es,
        (Edit("texelFetch(shifts, own(channel), 0)", "texelFetch(shifts, own((channel + 1) % channels), 0)"),),
    ),
    Fault(
        "a resized picture brought to -1 ... 1",
        "affine",
        lambda: generated(models.resize((1, 3, 4, 5)), "tfjs_packed"),
        (Edit("return X(at * X_shape / Y_shape);", "return X(at * X_shape / Y_shape) / 127.5 - 1.0;"),),
        {"scale": 1.0 / 127.5, "offset": -1.0},
    ),
    Fault(
        "a gate after a matrix product that has none",
        "activation_extra",
        lambda: generated(single("MatMul", (2, 4, 5), {"w": noise(5, 6, seed=1)}), "channel_tiles_rgba"),
        (Edit("    return sum;", "    return sum / (1.0 + exp(-sum));"),),
    ),
)

ORDER = (
    Fault(
        "a leaky ReLU of the products and the bias after it",
        "activation_before_bias",
        seen_more_subjects.conv_macros,
        (
            Edit("float sum = texelFetch(u_b, ivec2(o, 0), 0).r;", "float sum = 0.0;"),
            Edit(
                "y = sum > 0.0 ? sum : 0.2 * sum;",
                "y = (sum > 0.0 ? sum : 0.2 * sum) + texelFetch(u_b, ivec2(o, 0), 0).r;",
            ),
        ),
    ),
)

FAULTS: tuple[Fault, ...] = (*COMPUTING, *DENSE, *PARAMETERS, *ORDER)
