"""A sharper picture: how far luma is from its blur, within what its neighbours are."""

import numpy as np
from numpy.typing import NDArray

Tensor = NDArray[np.float64]


def luma(HOOKED: Tensor) -> Tensor:
    """Returns brightness of RGB by BT.601."""
    red, green, blue = HOOKED[:, 0:1], HOOKED[:, 1:2], HOOKED[:, 2:3]
    return 0.299 * red + 0.587 * green + 0.114 * blue


def _blur(values: Tensor, axis: int) -> Tensor:
    weights = (0.06136, 0.24477, 0.38774, 0.24477, 0.06136)
    total = np.zeros_like(values)
    for by, weight in enumerate(weights):
        total += weight * _moved(values, by - 2, axis)
    return total


def _moved(values: Tensor, by: int, axis: int) -> Tensor:
    places = np.clip(np.arange(values.shape[axis]) + by, 0, values.shape[axis] - 1)
    return np.take(values, places, axis)


def _near(values: Tensor, axis: int) -> Tensor:
    return np.stack([_moved(values, by, axis) for by in (-1, 0, 1)])


def kernel_x(LINELUMA: Tensor) -> Tensor:
    """Blurs, and takes the least and largest of neighbours in a row."""
    near = _near(LINELUMA, 3)
    return np.concatenate([_blur(LINELUMA, 3), near.min(0), near.max(0)], 1)


def kernel_y(GAUSS_X: Tensor) -> Tensor:
    """Returns the same along columns, of what rows gave."""
    least, most = _near(GAUSS_X[:, 1:2], 2).min(0), _near(GAUSS_X[:, 2:3], 2).max(0)
    return np.concatenate([_blur(GAUSS_X[:, 0:1], 2), least, most], 1)


def deblurred(HOOKED: Tensor, LINELUMA: Tensor, GAUSS: Tensor) -> Tensor:
    """Adds six tenths of what the blur took away to the picture, clamped between the neighbours' values."""
    blur, least, most = GAUSS[:, 0:1], GAUSS[:, 1:2], GAUSS[:, 2:3]
    wanted = np.clip(LINELUMA + 0.6 * (LINELUMA - blur), least, most)
    return HOOKED + wanted - LINELUMA
