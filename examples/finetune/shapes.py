"""Pictures of discs, squares and crosses, filled or as outlines, drawn by numpy from a seed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

NAMES = ("disc", "square", "cross")
SIDE = 16


def pictures(count: int, seed: int, *, outlined: bool = False) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """float32 [count, 1, SIDE, SIDE] in about [0, 1], and the class of each, int64 [count]."""
    random = np.random.default_rng(seed)
    classes = random.integers(0, len(NAMES), count)
    drawn = [_drawn(int(each), random, outlined=outlined) for each in classes]
    noise = random.normal(0.0, 0.1, (count, 1, SIDE, SIDE))
    return (np.stack(drawn)[:, np.newaxis] + noise).astype(np.float32), classes


def _drawn(class_: int, random: np.random.Generator, *, outlined: bool) -> NDArray[np.bool_]:
    """One shape somewhere in the picture, of one of several sizes."""
    y, x = np.mgrid[:SIDE, :SIDE] - random.uniform(6.5, 8.5, (2, 1, 1))
    radius = random.uniform(4.0, 6.0)
    if not outlined:
        return _inside(class_, y, x, radius)
    return _inside(class_, y, x, radius) & ~_inside(class_, y, x, radius - 1.5)


def _inside(class_: int, y: NDArray[np.float64], x: NDArray[np.float64], radius: float) -> NDArray[np.bool_]:
    away, near = np.maximum(abs(y), abs(x)), np.minimum(abs(y), abs(x))
    return np.asarray([np.hypot(y, x) < radius, away < 0.9 * radius, (near < 0.35 * radius) & (away < radius)][class_])
