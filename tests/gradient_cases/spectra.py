"""Covers STFT: real and complex signals, windows that overlap and that leave gaps, one half of the terms."""

from __future__ import annotations

from tests.gl.operators.single_node import NodeCase, ints
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import real


def _case(shape: tuple[int, ...], step: int, length: int, *, window: bool, onesided: int) -> GradientCase:
    given = real(length, seed=1) if window else None
    inputs = (real(*shape), ints(step).reshape(()), given, None if window else ints(length).reshape(()))
    constant = (1,) if window else (1, 3)
    return GradientCase(
        NodeCase("STFT", inputs[: 3 if window else 4], {"onesided": onesided}, constant, opset=17), rtol=1e-4
    )


CASES = (
    _case((2, 17, 1), 3, 6, window=True, onesided=1),
    _case((2, 17, 1), 5, 4, window=False, onesided=0),
    _case((1, 12, 2), 2, 5, window=True, onesided=0),
)
