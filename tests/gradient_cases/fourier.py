"""Covers DFT: real and complex, of another length than the signal's, one half, inverse."""

from __future__ import annotations

import numpy as np

from tests.gl.operators.single_node import NodeCase
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import real


def _case(shape: tuple[int, ...], length: int | None = None, axis: int | None = None, **more: int) -> GradientCase:
    given = [None if each is None else np.array(each, np.int64) for each in (length, axis)]
    constant = tuple(place for place, each in enumerate(given, start=1) if each is not None)
    inputs = (real(*shape), *given)
    return GradientCase(NodeCase("DFT", inputs[: 1 + max(constant, default=0)], more, constant), rtol=1e-4)


CASES = (
    _case((2, 5, 1)),
    _case((2, 5, 2), 7),
    _case((2, 5, 3, 2), 3, 1),
    _case((1, 2, 3, 6, 1), None, -3, onesided=1),
    _case((2, 5, 2), inverse=1),
    _case((2, 6, 1), 5, onesided=1),
    _case((2, 5, 2), inverse=1, onesided=1),
    _case((2, 5, 2), 7, 1, inverse=1, onesided=1),
    GradientCase(NodeCase("DFT", (real(2, 5, 3, 1),), {"axis": 2}, opset=17), rtol=1e-4),
)
