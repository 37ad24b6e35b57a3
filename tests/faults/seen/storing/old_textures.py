"""More planted bugs in how values are stored and in numbers, in layers that the other `seen_` modules have not."""

from __future__ import annotations

import moderngl
import numpy as np

from tests.faults import models
from tests.faults.changes import DrawnUntil, Edit, Kept, OnBindDo, OneRunBehind, StoredAs, half, srgb
from tests.faults.fault import Fault
from tests.faults.models_more import conv_of, single, whole
from tests.faults.seen.subjects import pictures as seen_more_subjects
from tests.faults.states import blend, bound_output, mask, scissor, ticking, viewport
from tests.faults.subjects import generated

STORING = (
    Fault(
        "a normalised picture in a target of shares",
        "clamped_0_1",
        seen_more_subjects.group_norm_tiles,
        (Kept(lambda texels: np.clip(texels, 0.0, 1.0)),),
    ),
    Fault(
        "negatives lost in a transposed convolution's target",
        "clamped_nonnegative",
        seen_more_subjects.deconv_flat,
        (Kept(lambda texels: np.maximum(texels, 0.0)),),
        alternatives=("activation_extra",),  # no trace in the values tells a cap at zero from a ReLU
    ),
    Fault(
        "a hyperbolic tangent in signed bytes",
        "quantized_8bit",
        lambda: generated(models.pointwise("Tanh", (1, 3, 5, 7)), "channel_tiles_rgba"),
        (Kept(lambda texels: (np.rint(texels * 127.0) / 127.0).astype(np.float32)),),
    ),
    Fault(
        "a sum of squares beyond what halves hold",
        "half_overflow",
        lambda: generated(
            single("ReduceSumSquare", (1, 4, 5, 6), {"axes": whole(1)}, scale=150.0, keepdims=1), "tfjs_unpacked"
        ),
        (Kept(half),),
    ),
    Fault(
        "shares of a mean encoded for a screen",
        "srgb_encoded",
        lambda: seen_more_subjects.global_mean_rgba().fed(x=np.random.default_rng(3).random((1, 6, 5, 7), np.float32)),
        (Kept(srgb),),
    ),
    Fault(
        "sums of rows added to the draw before",
        "blend_enabled",
        seen_more_subjects.dense_flat,
        (OnBindDo(blend(moderngl.ONE, moderngl.ONE)),),
        runs=2,
    ),
    Fault(
        "the upper rows of a pool cut off by a scissor",
        "unwritten_texels",
        lambda: generated(models.pool("MaxPool", (1, 5, 9, 12)), "tfjs_unpacked"),
        (OnBindDo(scissor(0.0, 0.2, 1.0, 1.0)),),
    ),
    Fault(
        "texels that come to zero thrown away",
        "unwritten_texels",
        seen_more_subjects.depthwise_es,
        (Edit("    result = max(sum, 0.0);", "    if (sum <= 0.0) discard;\n    result = sum;"),),
    ),
    Fault(
        "a normalisation with the statistics of the picture before",
        "stale_tensor",
        lambda: generated(models.instance_norm((1, 3, 5, 6)), "channel_tiles_rgba"),
        (OneRunBehind("t_M"),),
        earlier=2,
    ),
    Fault(
        "a dense layer drawn for the first input alone",
        "stale_tensor",
        seen_more_subjects.dense_flat,
        (DrawnUntil(1),),
        earlier=1,
        alternatives=("unwritten_texels",),  # what is never drawn is never written
    ),
    Fault(
        "a factor and a shift in place",
        "feedback_loop",
        seen_more_subjects.scale_shift_es,
        (OnBindDo(bound_output("pictures")),),
        runs=2,
        where=("float x = texture(pictures",),
    ),
    Fault(
        "a transposed convolution in the viewport of its input",
        "viewport_mismatch",
        lambda: generated(conv_of((1, 3, 4, 5), (3, 4, 2, 2), op_type="ConvTranspose", strides=(2, 2))),
        (OnBindDo(viewport(0.5, 0.5)),),
        alternatives=("unwritten_texels",),  # a shader that counts texels computes the rest right
    ),
    Fault(
        "rows of the result as wide as those of another shape",
        "wrong_layout",
        seen_more_subjects.deconv_flat,
        (Edit("const int WIDTH = 8;", "const int WIDTH = 5;"),),
        where=("int first = (here.y * WIDTH",),
    ),
    Fault(
        "a packed pool of flat memory",
        "wrong_layout",
        lambda: generated(models.pool("MaxPool", (1, 1, 8, 8)), "tfjs_packed"),
        (StoredAs("x", layout="row_major_rgba"),),
    ),
    Fault(
        "alpha masked in a mean",
        "dropped_lane",
        seen_more_subjects.global_mean_rgba,
        (OnBindDo(mask((True, True, True, False))),),
        {"lane": 3},
        alternatives=("unwritten_texels",),  # a masked lane is not written
    ),
)

NUMBERS = (
    Fault(
        "both branches of an exponential unit times zero or one",
        "nan_source",
        lambda: generated(single("Elu", (1, 3, 5, 6), scale=70.0, alpha=1.3), "row_major_rgba"),
        (
            Edit(
                "return x < 0.0 ? ALPHA * expm1(x) : x;",
                "float low = step(x, 0.0);\n    return low * ALPHA * (exp(x) - 1.0) + (1.0 - low) * x;",
            ),
        ),
    ),
    Fault(
        "a logarithm of a sum of powers as it is written",
        "inf_source",
        lambda: generated(
            single("ReduceLogSumExp", (1, 4, 5, 6), {"axes": whole(1)}, scale=60.0, keepdims=1), "tfjs_packed"
        ),
        (
            Edit("sum += exp(X_linear(first + place_of(k)) - most);", "sum += exp(X_linear(first + place_of(k)));"),
            Edit("return most + ln(sum);", "return ln(sum);"),
        ),
    ),
    Fault(
        "a group's variance as the difference of two large numbers",
        "precision",
        lambda: seen_more_subjects.group_norm_tiles(0.5, 40.0),
        (
            Edit("float d = pixel(c, k) - mean;", "float d = pixel(c, k);"),
            Edit(
                "    variance /= float(PER_GROUP * PIXELS);",
                "    variance = variance / float(PER_GROUP * PIXELS) - mean * mean;",
            ),
        ),
        where=("float normal =",),
    ),
    Fault(
        "a phase of the clock in a factor",
        "nondeterministic",
        seen_more_subjects.scale_shift_es,
        (
            Edit("out float color;", "uniform float u_clock;\n\nout float color;"),
            Edit("color = x * factor + shift;", "color = x * factor * (1.0 + 0.1 * sin(u_clock)) + shift;"),
            OnBindDo(ticking("u_clock")),
        ),
        runs=2,
    ),
)

FAULTS: tuple[Fault, ...] = (*STORING, *NUMBERS)
