"""Draws values like given ones: other numbers with the same signs, zeros and magnitudes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def alike(random: np.random.Generator, value: NDArray[Any]) -> NDArray[Any]:
    """Returns the values at other places, each changed by up to two fifths: signs, zeros and magnitudes stay."""
    mixed = random.permutation(value.reshape(-1)).reshape(value.shape)
    return np.asarray(mixed * random.uniform(0.6, 1.4, value.shape))
