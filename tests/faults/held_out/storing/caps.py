"""Plants bugs in values capped on the way to the texture."""

from __future__ import annotations

import numpy as np

from tests.faults.changes import Edit, Kept
from tests.faults.fault import Fault
from tests.faults.held_out.subjects import convolutions, elements

FAULTS: tuple[Fault, ...] = (
    Fault(
        "a flat convolution capped for display",
        "clamped_0_1",
        convolutions.conv_flat,
        (
            Edit(
                "cells.a = convolution(first + 3.0);\n",
                "cells.a = convolution(first + 3.0);\n    cells = clamp(cells, 0.0, 1.0);\n",
            ),
        ),
    ),
    Fault(
        "a strided convolution shown on a screen",
        "clamped_0_1",
        convolutions.pointwise_flat,
        (Kept(lambda texels: np.clip(texels, 0.0, 1.0)),),
    ),
    Fault(
        "a difference in a target without a sign",
        "clamped_nonnegative",
        elements.subtract_uv,
        (Kept(lambda texels: np.maximum(texels, 0.0)),),
        alternatives=("activation_extra",),  # nothing in the values distinguishes a cap at zero from a ReLU
    ),
    Fault(
        "joined pictures in a target without a sign",
        "clamped_nonnegative",
        elements.join_unpacked,
        (Kept(lambda texels: np.maximum(texels, 0.0)),),
        alternatives=("activation_extra",),  # nothing in the values distinguishes a cap at zero from a ReLU
    ),
)
