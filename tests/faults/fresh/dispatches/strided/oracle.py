"""What each pass moves where, in numpy."""

from typing import Any

import numpy as np

Values = Any


def sliced(a: Values) -> Values:
    return a[:, 1:5, 2:8:2, 0:5]


def permuted(a: Values) -> Values:
    return np.transpose(a, (0, 2, 3, 1))


def padded(a: Values) -> Values:
    rows = np.concatenate([a[:, :, 1:2], a, a[:, :, 5:6], a[:, :, 4:5]], axis=2)
    return np.concatenate([rows[..., 2:3], rows[..., 1:2], rows, rows[..., 4:5]], axis=3)


def scanned(padded: Values) -> Values:
    sums = [padded[..., 0:1]]
    for i in range(1, 9):
        sums.append(sums[-1] + padded[..., i : i + 1])
    return np.concatenate(sums, axis=3)


def blended(scanned: Values, gain: Values, base: Values) -> Values:
    return scanned * gain.reshape(1, 5, 1, 1) + base.reshape(1, 1, 1, 9)


def mixed(b: Values) -> Values:
    return np.transpose(b.reshape(1, 3, 4, 5, 7), (0, 2, 1, 3, 4)).reshape(1, 12, 5, 7)


def spread(mixed: Values) -> Values:
    blocks = mixed.reshape(1, 2, 2, 3, 5, 7)
    return np.transpose(blocks, (0, 3, 4, 1, 5, 2)).reshape(1, 3, 10, 14)
