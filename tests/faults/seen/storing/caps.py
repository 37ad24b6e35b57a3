"""Plants bugs in values capped on the way to the texture."""

from __future__ import annotations

import numpy as np

from tests.faults import models
from tests.faults.changes import Edit, Kept
from tests.faults.fault import Fault
from tests.faults.models import conv_of
from tests.faults.seen.subjects import convolutions, elements
from tests.faults.subjects import PACKED, RGBA, UNPACKED, generated

FAULTS: tuple[Fault, ...] = (
    Fault(
        "an output capped to what a screen shows",
        "clamped_0_1",
        convolutions.conv_tiles,
        (Edit("color = sum + bias;", "color = clamp(sum + bias, 0.0, 1.0);"),),
    ),
    Fault(
        "a normalised target of 16 bits",
        "clamped_0_1",
        lambda: generated(models.conv((1, 3, 6, 7), 5), "channel_tiles_rgba"),
        (Kept(lambda texels: np.clip(texels, 0.0, 1.0)),),
        seen_at="moderngl#395",
    ),
    Fault(
        "a normalisation capped to 0 ... 1",
        "clamped_0_1",
        lambda: generated(models.batch_norm(), PACKED),
        (
            Edit("* factor + BIAS_linear(c);", "* factor + clamp(BIAS_linear(c), -9.0, 9.0);"),
            Kept(lambda t: np.clip(t, 0.0, 1.0)),
        ),
    ),
    Fault(
        "a sum's operand capped",
        "clamped_0_1",
        lambda: generated(models.binary("Add"), UNPACKED),
        (Edit("A(min(at, A_shape - 1))", "clamp(A(min(at, A_shape - 1)), 0.0, 1.0)"),),
    ),
    Fault(
        "a normalised picture in a target of shares",
        "clamped_0_1",
        elements.group_norm_tiles,
        (Kept(lambda texels: np.clip(texels, 0.0, 1.0)),),
    ),
    Fault(
        "a target without a sign",
        "clamped_nonnegative",
        lambda: generated(models.conv((1, 3, 6, 7), 5), "tfjs_packed"),
        (Kept(lambda texels: np.maximum(texels, 0.0)),),
        alternatives=("activation_extra",),  # nothing in the values distinguishes a cap at zero from a ReLU
    ),
    Fault(
        "negatives cut off after a batch normalisation",
        "clamped_nonnegative",
        elements.batchnorm_tiles,
        (Edit("y = shifted < 0.0 ? shifted * u_slope : shifted;", "y = max(shifted, 0.0);"),),
        alternatives=("activation_extra", "alpha"),  # a leaky ReLU of slope 0
    ),
    Fault(
        "a convolution's input without negatives",
        "clamped_nonnegative",
        lambda: generated(conv_of((1, 5, 5, 6), (4, 5, 1, 1)), RGBA),
        (
            Edit(
                "vec4 v = of_channels(X_group(at.x, first + i, y, x), channels);",
                "vec4 v = max(of_channels(X_group(at.x, first + i, y, x), channels), 0.0);",
            ),
        ),
        alternatives=("activation_extra",),  # the same function of the same values
    ),
    Fault(
        "negatives lost in a transposed convolution's target",
        "clamped_nonnegative",
        convolutions.deconv_flat,
        (Kept(lambda texels: np.maximum(texels, 0.0)),),
        alternatives=("activation_extra",),  # nothing in the values distinguishes a cap at zero from a ReLU
    ),
)
