"""What each pass of the denoiser gives, in numpy. Pictures are [1, C, H, W]."""

from typing import Any

import numpy as np

Values = Any


def _moved(picture: Values, dy: int, dx: int) -> Values:
    """The picture whose element (y, x) is the one at (y + dy, x + dx), at the edge where that is outside."""
    height, width = picture.shape[2:]
    rows = np.clip(np.arange(height) + dy, 0, height - 1)
    columns = np.clip(np.arange(width) + dx, 0, width - 1)
    return picture[:, :, rows][:, :, :, columns]


def logs(noisy: Values, albedo: Values) -> Values:
    return np.log(1 + noisy / (albedo + 0.05))


def atrous(c: Values, g: Values, sn: Values, sz: Values) -> Values:
    total = 0 * c
    weights = 0 * c[:, :1]
    height, width = c.shape[2:]
    for y in (-2, 0, 2):
        for x in (-2, 0, 2):
            rows = np.arange(height)[:, None] + y
            columns = np.arange(width)[None, :] + x
            inside = ((rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)) * 1.0
            n = _moved(g[:, :3], y, x) - g[:, :3]
            z = _moved(g[:, 3:4], y, x) - g[:, 3:4]
            gauss = (2 - abs(y) / 2) * (2 - abs(x) / 2) / 16
            w = inside * gauss * np.exp(-(n * n).sum(axis=1, keepdims=True) / sn - np.abs(z) / sz)
            total = total + w * _moved(c, y, x)
            weights = weights + w
    return total / weights


def taps(c: Values, g: Values, w: Values, v: Values, b: Values) -> Values:
    height, width = c.shape[2:]
    padded = np.zeros((1, 3, height + 2, width + 2)) + 0 * c.sum()
    padded[:, :, 1:-1, 1:-1] = c
    logits = b.reshape(1, 9, 1, 1) + np.einsum("oc,nchw->nohw", v, g)
    for y in range(3):
        for x in range(3):
            window = padded[:, :, y : y + height, x : x + width]
            logits = logits + np.einsum("oc,nchw->nohw", w[:, :, y, x], window)
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def gathered(c: Values, k: Values) -> Values:
    total = 0 * c
    for tap in range(9):
        total = total + k[:, tap : tap + 1] * _moved(c, tap // 3 - 1, tap % 3 - 1)
    return total


def film(c: Values, albedo: Values, exposure: Values) -> Values:
    v = exposure * (np.exp(c) - 1) * (albedo + 0.05)
    return np.clip(v * (2.51 * v + 0.03) / (v * (2.43 * v + 0.59) + 0.14), 0, 1)
