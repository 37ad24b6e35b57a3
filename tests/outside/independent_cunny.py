"""CuNNy run in numpy from the weights in its text, by regular expressions that know its author's style."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from tests.outside.independent import Array, blocks, numbers

_TERM = re.compile(r"r([01]) \+= (V4|M4)\(([^()]*)\) \* s([01])_([012])_([012]);")
_BIAS = re.compile(r"r([01]) \+= V4\(([^()]*)\);")


def run(path: Path, picture: Array) -> list[Array]:
    """What each block makes of a picture [1, height, width]: [channels, height, width], as it is stored."""
    features, made = picture, []
    for directives, body in blocks(path):
        total = _convolved(features, body)
        if "shuffle" in directives["DESC"]:
            residual = np.tanh(total) if "tanh" in body else total
            _, height, width = residual.shape
            pixels = residual.reshape(2, 2, height, width).transpose(2, 0, 3, 1).reshape(1, 2 * height, 2 * width)
            made.append(_enlarged(picture) + pixels)
        else:
            features = np.maximum(total, 0.0)
            made.append(_side_by_side(features))
    return made


def _convolved(features: Array, body: str) -> Array:
    """Sums over 3x3 texels, four channels a row of weights; beyond the edge what is at it."""
    _, height, width = features.shape
    padded = np.pad(features, ((0, 0), (1, 1), (1, 1)), mode="edge")
    rows = max(int(match[1]) for match in _TERM.finditer(body)) + 1
    total = np.zeros((4 * rows, height, width))
    for row, kind, text, source, y, x in _TERM.findall(body):
        weights = numbers(text).reshape(-1, 4)  # by columns
        first = 4 * int(source) if kind == "M4" else 0
        part = padded[first : first + len(weights), int(y) : int(y) + height, int(x) : int(x) + width]
        total[4 * int(row) : 4 * int(row) + 4] += np.einsum("co,chw->ohw", weights, part)
    for row, text in _BIAS.findall(body):
        total[4 * int(row) : 4 * int(row) + 4] += numbers(text)[:, None, None]
    return total


def _side_by_side(features: Array) -> Array:
    """Eight channels as four, in two columns each."""
    _, height, width = features.shape
    return features.reshape(2, 4, height, width).transpose(1, 2, 3, 0).reshape(4, height, 2 * width)


def _enlarged(picture: Array) -> Array:
    """Twice the size, bilinear, centres kept."""
    padded = np.pad(picture, ((0, 0), (1, 1), (1, 1)), mode="edge")
    rows = np.stack([0.75 * padded[:, 1:-1] + 0.25 * padded[:, :-2], 0.75 * padded[:, 1:-1] + 0.25 * padded[:, 2:]], 2)
    tall = rows.reshape(1, -1, padded.shape[2])
    wide = [0.75 * tall[..., 1:-1] + 0.25 * tall[..., :-2], 0.75 * tall[..., 1:-1] + 0.25 * tall[..., 2:]]
    return np.stack(wide, 3).reshape(1, tall.shape[1], -1)
