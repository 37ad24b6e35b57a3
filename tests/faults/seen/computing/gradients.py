"""Planted bugs in what backward passes compute."""

from __future__ import annotations

from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.seen.subjects.backward import backward

FAULTS: tuple[Fault, ...] = (
    Fault(
        "the gradient of a difference without its minus",
        "scale",
        lambda: backward("t.grad"),
        (Edit("return -x;", "return x;"),),
        {"factor": -1.0},
        ("return unary(X(at));",),
        alternatives=("activation_missing",),  # the pass is a Neg, and does nothing
    ),
    Fault(
        "half of a weight's gradient",
        "scale",
        lambda: backward("w2.grad"),
        (Edit("return X_linear(from);", "return 0.5 * X_linear(from);"),),
        {"factor": 0.5},
    ),
    Fault(
        "a bias's gradient as a mean",
        "scale",
        lambda: backward("b1.grad"),
        (Edit("    return sum;", "    return sum / float(REDUCED_COUNT);"),),
        {"factor": 1 / 240},
        alternatives=("wrong_function",),  # a mean is not what the pass is to make
    ),
    Fault(
        "one of two uses of a tensor",
        "bias_missing",
        lambda: backward("e.grad"),
        (Edit("k < INPUTS; k++", "k < INPUTS - 1; k++"),),
        where=("return y / DIVISOR",),
    ),
)
