"""What each pass of attention in shifted windows is to make."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


def normalized(picture: Array, gamma: Array, beta: Array) -> Array:
    away = picture - picture.mean(axis=1, keepdims=True)
    variance = (away * away).mean(axis=1, keepdims=True)
    return away / np.sqrt(variance + 0.02) * gamma.reshape(1, 10, 1, 1) + beta.reshape(1, 10, 1, 1)


def projections(source: Array, weights: Array, biases: Array) -> Array:
    return (weights @ source.reshape(10, 54) + biases.reshape(30, 1)).reshape(1, 30, 6, 9)


def _rolled(picture: Array, by: int) -> Array:
    picture = np.concatenate([picture[:, by:], picture[:, :by]], axis=1)
    return np.concatenate([picture[:, :, by:], picture[:, :, :by]], axis=2)


def _windows(channels: Array) -> Array:
    # heads, channels of a head, rows of windows, rows, columns of windows, columns
    parts = _rolled(channels, 1).reshape(2, 5, 3, 2, 3, 3)
    return parts.transpose(2, 4, 0, 3, 5, 1).reshape(9, 2, 6, 5)


def scores(projections: Array, biasTable: Array) -> Array:
    q, k = _windows(projections[0, :10]), _windows(projections[0, 10:20])
    y, x = np.arange(6) // 3, np.arange(6) % 3
    relative = (y[:, None] - y + 1) * 5 + x[:, None] - x + 2
    bias = biasTable[relative].transpose(2, 0, 1)
    rows, columns = np.array([0, 0, 0, 0, 1, 2]), np.array([0, 0, 0, 0, 0, 0, 1, 1, 2])
    regions = (rows[:, None] * 3 + columns).reshape(3, 2, 3, 3).transpose(0, 2, 1, 3).reshape(9, 6)
    mask = np.where(regions[:, :, None] == regions[:, None], 0.0, -100.0)
    return q @ k.transpose(0, 1, 3, 2) / np.sqrt(5.0) + bias + mask[:, None]


def extremes(scores: Array) -> Array:
    largest = scores.max(axis=3, keepdims=True)
    return np.concatenate([largest, np.exp(scores - largest).sum(axis=3, keepdims=True)], axis=3)


def gathered(scores: Array, extremes: Array, projections: Array) -> Array:
    weights = np.exp(scores - extremes[..., :1]) / extremes[..., 1:]
    context = weights @ _windows(projections[0, 20:])
    parts = context.reshape(3, 3, 2, 2, 3, 5).transpose(2, 5, 0, 3, 1, 4).reshape(10, 6, 9)
    return _rolled(parts, -1).reshape(1, 10, 6, 9)


def residual(picture: Array, gathered: Array, weights: Array, biases: Array) -> Array:
    return picture + (weights @ gathered.reshape(10, 54) + biases.reshape(10, 1)).reshape(1, 10, 6, 9)
