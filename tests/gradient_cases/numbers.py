"""Draws numbers for inputs: seeded, float32, away from corners."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]


def real(*shape: int, seed: int = 0) -> Array:
    """Draws numbers of either sign, about 1."""
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def positive(*shape: int, seed: int = 0) -> Array:
    """Draws numbers from 0.5 to 2."""
    return np.random.default_rng(seed).uniform(0.5, 2.0, shape).astype(np.float32)


def apart(*shape: int, seed: int = 0) -> Array:
    """Draws numbers of either sign, no two nearer than a tenth, none nearer to 0 than that: for maxima and corners."""
    count = int(np.prod(shape))
    steps = np.random.default_rng(seed).permutation(count) - count // 2
    return ((steps + (steps >= 0)) * 0.13).astype(np.float32).reshape(shape)
