"""Weights of made-up layers, as an effect's text has them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def weights(seed: int, *shape: int) -> NDArray[np.float32]:
    """Weights of a layer, float32, small enough that what it makes keeps its size; their fourth digits are the last."""
    fan_in = int(np.prod(shape[1:]))
    values = np.random.default_rng(seed).normal(0.0, (2.0 / fan_in) ** 0.5, shape)
    return np.round(values, 4).astype(np.float32)


def listed(values: NDArray[np.float32]) -> str:
    """Numbers with commas between, in their order."""
    return ", ".join(f"{float(str(value)):g}" if value else "0.0" for value in values.reshape(-1))
