"""Planted bugs in shaders of accessors: what is left out, and which line asks for it."""

from __future__ import annotations

from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.seen.subjects import accessors

FAULTS: tuple[Fault, ...] = (
    Fault(
        "a picture not added to what was made of it",
        "bias_missing",
        accessors.sharper_getx,
        (Edit("value + getX(o, pixel.y, pixel.x);", "value;"),),
        {"bias": "x"},
        where=("float value =",),
    ),
    Fault(
        "a bias that no accessor is asked for",
        "bias_missing",
        accessors.sharper_getx,
        (Edit("dotProd + getBias(o)", "dotProd"),),
        {"bias": "b"},
        where=("result[o] = value",),  # a step further on
    ),
    Fault(
        "a bias of the next channel, asked for by its accessor's call",
        "bias_offset",
        accessors.sharper_getx,
        (Edit("getBias(o)", "getBias((o + 1) % 3)"),),
    ),
    Fault(
        "a square root left out",
        "activation_missing",
        accessors.root_fetch,
        (Edit("y = sqrt(size);", "y = size;"),),
        {"activation": "Sqrt"},
        where=("float size =",),
    ),
)
