"""Planted bugs that no cause describes, in where a shader reads."""

from __future__ import annotations

from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.held_out.subjects import convolutions

FAULTS: tuple[Fault, ...] = (
    Fault(
        "the second picture convolved from the first",
        "",
        convolutions.conv_relu_unpacked,
        (Edit("s += x_at(n, c,", "s += x_at(0, c,"),),
        alternatives=("wrong_input",),  # what the second reads is another picture
    ),
    Fault(
        "a grouped convolution's kernels turned by a quarter",
        "",
        convolutions.grouped_rgba,
        (Edit("corner + k, 0)", "corner + ivec2(2 - k.y, k.x), 0)"),),
    ),
)
