"""Planted bugs in rounding that grows."""

from __future__ import annotations

from tests.faults import models
from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.seen.subjects import elements, rows
from tests.faults.subjects import generated

FAULTS: tuple[Fault, ...] = (
    Fault(
        "a sum that starts far from zero",
        "precision",
        lambda: generated(models.conv((1, 4, 6, 7), 5)),
        (
            Edit("    float sum = 0.0;\n\n    for (int i", "    float sum = 3000.0;\n\n    for (int i"),
            Edit("return sum;", "return sum - 3000.0;"),
        ),
        where=("sum += X(ivec4(", "sum += B("),
    ),
    Fault(
        "an exponential by its limit",
        "precision",
        rows.softmax_flat,
        (
            Edit(
                "return exp(value(index) - largest) / sum;",
                "return pow(1.0 + (value(index) - largest) / 65536.0, 65536.0) / sum;",
            ),
        ),
    ),
    Fault(
        "a group's variance as the difference of two large numbers",
        "precision",
        lambda: elements.group_norm_tiles(0.5, 40.0),
        (
            Edit("float d = pixel(c, k) - mean;", "float d = pixel(c, k);"),
            Edit(
                "    variance /= float(PER_GROUP * PIXELS);",
                "    variance = variance / float(PER_GROUP * PIXELS) - mean * mean;",
            ),
        ),
        where=("float normal =",),
    ),
)
