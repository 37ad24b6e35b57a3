"""Planted bugs in numbers that a shader has its weights as."""

from __future__ import annotations

from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.seen.subjects.networks import halves

FAULTS: tuple[Fault, ...] = (
    Fault(
        "two digits of a weight exchanged",
        "wrong_literal",
        halves,
        (Edit("0.5137", "0.5317"),),
        {"element": [1, 6, 1, 0], "written": 0.5317, "wanted": 0.5137},
    ),
    Fault(
        "a bias that lost its sign",
        "wrong_literal",
        halves,
        (Edit("-0.4769", "0.4769"),),
        {"tensor": "weighted.bias", "element": [2]},
    ),
    Fault(
        "the weights of a tap from another line",
        "wrong_literal",
        lambda: halves("edges"),
        (Edit("-0.8747, 0.1936, -0.1749, 0.1640", "-0.9251, -0.2385, -0.9141, -0.8352"),),
        {"tensor": "edges.weight", "count": 4},
    ),
)
