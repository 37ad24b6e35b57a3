"""Planted bugs in the calls of accessors: the accessor's own line reads, and is right."""

from __future__ import annotations

from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.seen.subjects import accessors

FAULTS: tuple[Fault, ...] = (
    Fault(
        "a row too far down where a picture is asked for",
        "shift",
        accessors.sharper_getx,
        (Edit("getX(i, tap.y, tap.x)", "getX(i, tap.y + 1, tap.x)"),),
        {"dx": 0, "dy": 1},
    ),
    Fault(
        "channels asked for in reverse",
        "channel_permutation",
        accessors.sharper_getx,
        (Edit("getX(i, tap.y, tap.x)", "getX(2 - i, tap.y, tap.x)"),),
        alternatives=("filter_offset",),  # each filter's inputs in reverse order are the same sum
    ),
    Fault(
        "a picture added from one column further on",
        "shift",
        accessors.sharper_getx,
        (Edit("getX(o, pixel.y, pixel.x)", "getX(o, pixel.y, pixel.x + 1)"),),
        {"dx": 1, "dy": 0},
    ),
    Fault(
        "rows and columns exchanged where weights are asked for",
        "kernel_transpose",
        accessors.sharper_getx,
        (Edit("getW(o, i, row, column)", "getW(o, i, column, row)"),),
    ),
)
