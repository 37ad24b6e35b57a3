"""What each pass of the transformer is to make."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


def embed(image: Array, filters: Array, filter_bias: Array, class_token: Array, positions: Array) -> Array:
    patches = image.reshape(3, 3, 4, 5, 3).transpose(1, 3, 0, 2, 4).reshape(15, 36)
    return np.concatenate([class_token, patches @ filters.T + filter_bias], axis=0) + positions


def norm(tokens: Array, ln: Array) -> Array:
    away = tokens - tokens.mean(axis=1, keepdims=True)
    variance = (away * away).mean(axis=1, keepdims=True)
    return away / np.sqrt(variance + 0.01) * ln[:1] + ln[1:]


def qkv(normed: Array, weight: Array) -> Array:
    return normed @ weight.T


def attend(qkv: Array) -> Array:
    parts = qkv.reshape(16, 2, 3, 7)
    q, k, v = (parts[:, :, each].transpose(1, 0, 2) for each in range(3))
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(7.0)
    shares = np.exp(scores - scores.max(axis=2, keepdims=True))
    shares = shares / shares.sum(axis=2, keepdims=True)
    return (shares @ v).transpose(1, 0, 2).reshape(16, 14)


def project(attended: Array, tokens: Array, weight: Array, bias: Array, layer_scale: Array) -> Array:
    return tokens + layer_scale * (attended @ weight.T + bias)


def hidden(tokens: Array, weight: Array, bias: Array) -> Array:
    v = tokens @ weight.T + bias
    return v / (1.0 + np.exp(-1.702 * v))


def lowered(hidden: Array, projected: Array, weight: Array, bias: Array) -> Array:
    return projected + hidden @ weight.T + bias


def pooled(lowered: Array) -> Array:
    return lowered[1:].mean(axis=0, keepdims=True)
