"""Plants uniforms that a pipeline file says nothing about, so that they are 0."""

from __future__ import annotations

from tests.faults.changes import Unset
from tests.faults.fault import Fault
from tests.faults.seen.subjects import convolutions, elements

FAULTS: tuple[Fault, ...] = (
    Fault(
        "a slope that the file does not set",
        "unset_uniform",
        elements.batchnorm_tiles,
        (Unset("u_slope"),),
        {"settings": {"uniforms.u_slope": 0.2}},
    ),
    Fault(
        "a margin that the file does not set",
        "unset_uniform",
        convolutions.conv_relu_fetch,
        (Unset("u_pad"),),
        {"settings": {"uniforms.u_pad": (1, 1)}},
    ),
    Fault(
        "a picture's shape that the file does not set",
        "unset_uniform",
        convolutions.conv_relu_fetch,
        (Unset("u_x_shape"),),
        {"settings": {"uniforms.u_x_shape": (2, 5, 7, 9)}},
    ),
)
