"""What the passes of the stereo matcher make."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


def feature(image: Array, kernel: Array, bias: Array, slope: float) -> Array:
    padded = np.pad(image, ((0, 0), (0, 0), (1, 1), (1, 1)))
    total = bias.reshape(1, 6, 1, 1)
    for y in range(3):
        for x in range(3):
            window = padded[:, None, :, y : y + 11, x : x + 19]
            total = total + np.sum(window * kernel[None, :, :, y, x, None, None], axis=2)
    bent = np.maximum(total, 0) + slope * np.minimum(total, 0)
    return bent / np.sqrt(np.sum(bent * bent, axis=1, keepdims=True) + 1e-3)


def alike(left: Array, right: Array) -> Array:
    padded = np.pad(right, ((0, 0), (0, 0), (0, 0), (8, 0)))
    by_distance = [np.sum(left * padded[..., 8 - d : 27 - d], axis=1) for d in range(9)]
    return np.stack(by_distance, axis=1)


def disparity(alike: Array, sharpness: float) -> Array:
    e = np.exp(sharpness * (alike - np.max(alike, axis=1, keepdims=True)))
    distance = np.arange(9).reshape(1, 9, 1, 1)
    return np.sum(distance * e, axis=1, keepdims=True) / np.sum(e, axis=1, keepdims=True)


def seen(right: Array, disparity: Array, tilt: float) -> Array:
    across = np.clip(np.arange(19) - disparity[0, 0], 0, 18)
    down = np.clip(np.arange(11) + tilt, 0, 10)
    columns = np.maximum(0, 1 - np.abs(across[:, :, None] - np.arange(19)))
    rows = np.maximum(0, 1 - np.abs(down[:, None] - np.arange(11)))
    between_rows = rows @ right[0]
    return np.sum(between_rows[:, :, None, :] * columns[None], axis=3)[None]


def unlike(left: Array, seen: Array, c1: float, c2: float) -> Array:
    def mean(values: Array) -> Array:
        padded = np.pad(values, ((0, 0), (0, 0), (1, 1), (1, 1)), mode="edge")
        return sum(padded[:, :, y : y + 11, x : x + 19] for y in range(3) for x in range(3)) / 9

    ma, mb = mean(left), mean(seen)
    va, vb, cov = mean(left * left) - ma * ma, mean(seen * seen) - mb * mb, mean(left * seen) - ma * mb
    ssim = (2 * ma * mb + c1) * (2 * cov + c2) / ((ma * ma + mb * mb + c1) * (va + vb + c2))
    return np.mean(0.425 * (1 - ssim) + 0.15 * np.abs(left - seen), axis=1, keepdims=True)


def larger(disparity: Array, factor: float) -> Array:
    def between(length: int) -> Array:
        at = np.clip((np.arange(2 * length) + 0.5) / 2 - 0.5, 0, length - 1)
        return np.maximum(0, 1 - np.abs(at[:, None] - np.arange(length)))

    return factor * (between(11) @ disparity[0, 0] @ between(19).T)[None, None]
