"""What each pass is to give, in numpy."""

from typing import Any

import numpy as np

Values = Any


def bins(features: Values) -> Values:
    _, channels, height, width = features.shape
    rows, cols = 3, 4
    means = [
        features[
            :,
            :,
            r * height // rows : -(-(r + 1) * height // rows),
            c * width // cols : -(-(c + 1) * width // cols),
        ].mean(axis=(2, 3))
        for r in range(rows)
        for c in range(cols)
    ]
    return np.stack(means, axis=2).reshape(1, channels, rows, cols)


def lifted(tBins: Values) -> Values:
    rows = np.arange(11) * 3 // 11
    cols = np.arange(13) * 4 // 13
    return tBins[:, :, rows][:, :, :, cols]


def gated(
    tFeatures: Values, tGating: Values, theta: Values, phi: Values, beta: Values, psi: Values, bias: Values
) -> Values:
    x, g = tFeatures[0], tGating[0]
    inner = np.einsum("kc,chw->khw", theta, x) + np.einsum("kc,chw->khw", phi, g) + beta[:, None, None]
    inner = np.maximum(inner / 4, 0)
    gate = 1 / (1 + np.exp(-(np.einsum("k,khw->hw", psi, inner) + bias)))
    return (x * gate)[None]


def shuffled(tGated: Values) -> Values:
    blocks = tGated.reshape(2, 2, 2, 11, 13)
    return blocks.transpose(0, 3, 1, 4, 2).reshape(1, 2, 22, 26)


def unsure(tPair: Values, temperature: Values) -> Values:
    one, other = tPair[:, :1] / temperature, tPair[:, 1:] / temperature
    top = np.maximum(one, other)
    e, f = np.exp(one - top), np.exp(other - top)
    p, q = e / (e + f), f / (e + f)
    return -(p * np.log(p + 1e-3) + q * np.log(q + 1e-3)) / np.log(2)


def outline(tMap: Values) -> Values:
    held = np.pad(tMap, ((0, 0), (0, 0), (1, 1), (1, 1)), mode="edge")
    windows = [held[:, :, dy : dy + 22, dx : dx + 26] for dy in range(3) for dx in range(3)]
    return np.maximum.reduce(windows) - np.minimum.reduce(windows)
