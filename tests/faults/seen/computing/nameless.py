"""Planted bugs that no cause describes, in what it computes."""

from __future__ import annotations

from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.seen.subjects import elements, rows

FAULTS: tuple[Fault, ...] = (
    Fault(
        "a mean over a group that is normalised by one channel's variance",
        "",
        elements.group_norm_tiles,
        (
            Edit(
                "float d = pixel(c, k) - mean;\n",
                "float d = pixel(channel, k) - mean;\n",
            ),
        ),
        alternatives=("missing_channels",),  # the second loop reads one channel of three
    ),
    Fault(
        "weights without their sign",
        "",
        rows.dense_flat,
        (Edit("* quad(w, j * QUADS + k);", "* abs(quad(w, j * QUADS + k));"),),
    ),
)
