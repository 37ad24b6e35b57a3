"""What a step of the stream makes. The slot at the head holds the newest frame, that before it the one before."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


def ring(history: Array, frame: Array, head: float) -> Array:
    newest = np.arange(12) == head
    return np.where(newest, frame[:, None], history)


def fir(ring: Array, fir_weight: Array, fir_bias: Array, head: float) -> Array:
    taken = np.stack([ring[:, (int(head) - 4 * (2 - k)) % 12] for k in range(3)], axis=1)
    total = fir_weight.reshape(9, 18) @ taken.reshape(18) + fir_bias
    return np.maximum(total, 0) + np.exp(np.minimum(total, 0)) - 1


def mean_next(fir: Array, mean: Array, rate: float) -> Array:
    return mean + rate * (fir - mean)


def variance_next(fir: Array, mean: Array, variance: Array, rate: float) -> Array:
    away = fir - mean
    return (1 - rate) * (variance + rate * away * away)


def normed(fir: Array, mean: Array, variance: Array, rate: float, epsilon: float) -> Array:
    away = fir - mean
    held = (1 - rate) * (variance + rate * away * away) + epsilon
    return (fir - mean - rate * away) / np.sqrt(held)


def filtered(normed: Array, sections: Array, taps: Array) -> Array:
    return sections[:, 0] * normed + taps[:, 0]


def taps_next(normed: Array, sections: Array, taps: Array) -> Array:
    y = sections[:, 0] * normed + taps[:, 0]
    first = sections[:, 1] * normed - sections[:, 3] * y + taps[:, 1]
    second = sections[:, 2] * normed - sections[:, 4] * y
    return np.stack([first, second], axis=1)


def context(ring: Array, query: Array, head: float, fading: float) -> Array:
    by_age = np.stack([ring[:, (int(head) - age) % 12] for age in range(12)], axis=1)
    scores = query @ by_age / np.sqrt(6) - fading * np.arange(12)
    shares = np.exp(scores - np.max(scores))
    return by_age @ (shares / np.sum(shares))


def answer(filtered: Array, context: Array, out_weight: Array, out_bias: Array) -> Array:
    total = out_weight @ np.concatenate([filtered, context]) + out_bias
    return total / (1 + np.exp(-total))
