"""Pictures sampled in numpy as GL samples textures, for tests to hold results against."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Number = TypeVar("Number", np.float32, np.float64)


def doubled(picture: NDArray[Number]) -> NDArray[Number]:
    """Returns a picture twice as large, sampled linearly at the new pixels' centres, edges repeated."""
    for axis in (1, 2):
        count = picture.shape[axis]
        at = np.clip((np.arange(2 * count) + 0.5) / 2 - 0.5, 0, count - 1)
        low = np.minimum(at.astype(int), count - 2)
        share = (at - low).reshape([-1 if i == axis else 1 for i in range(3)])
        picture = np.take(picture, low, axis) * (1 - share) + np.take(picture, low + 1, axis) * share
    return picture
