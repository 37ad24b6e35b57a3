"""Cases of operators on tensors of eight-bit codes."""

from __future__ import annotations

from tests.conformance.contrib.case import Array, Case, Numbers, scalar

_N = Numbers(2)


def _u(scale: float, zero: int) -> tuple[Array, Array]:
    return scalar(scale), scalar(zero, "uint8")


def _i(scale: float, zero: int) -> tuple[Array, Array]:
    return scalar(scale), scalar(zero, "int8")


CASES = (
    Case(
        "QLinearAdd",
        (_N.uint8(1, 3, 4), *_u(0.02, 128), _N.uint8(1, 3, 4), *_u(0.03, 100), *_u(0.05, 120)),
        given=(0, 3),
    ),
    Case("QLinearAdd", (_N.int8(2, 3, 4), *_i(0.02, -3), _N.int8(4), *_i(0.03, 10), *_i(0.05, 12))),
    Case(
        "QLinearMul",
        (_N.uint8(1, 3, 4), *_u(0.02, 128), _N.uint8(1, 3, 4), *_u(0.03, 100), *_u(0.06, 120)),
        given=(0, 3),
    ),
    Case("QLinearMul", (_N.int8(2, 3, 4), *_i(0.02, -3), _N.int8(3, 1), *_i(0.03, 10), *_i(0.05, 12))),
)
