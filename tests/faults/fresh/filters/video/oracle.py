"""What each pass of the filter chain is to give, in numpy."""

from typing import Any

import numpy as np

Values = Any


def ycc(rgb: Values) -> Values:
    r, g, b = rgb[:, 0], rgb[:, 1], rgb[:, 2]
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    cb, cr = (b - y) / 1.8556, (r - y) / 1.5748
    return np.stack([(219 * y + 16) / 255, (224 * cb + 128) / 255, (224 * cr + 128) / 255], axis=1)


def half(ycc: Values) -> Values:
    rows = ycc[:, :, 0::2] + ycc[:, :, 1::2]
    return (rows[..., 0::2] + rows[..., 1::2]) / 4


def chroma(ycc: Values, low: Values, sigma: Values) -> Values:
    height, width = ycc.shape[2:]
    ys, xs = (np.arange(height) + 0.5) / 2 - 0.5, (np.arange(width) + 0.5) / 2 - 0.5
    y0, x0 = np.floor(ys).astype(int), np.floor(xs).astype(int)
    fy, fx = (ys - y0)[:, None], (xs - x0)[None, :]
    total, norm = 0, 0.001
    for dy in (0, 1):
        for dx in (0, 1):
            rows, columns = np.clip(y0 + dy, 0, height // 2 - 1), np.clip(x0 + dx, 0, width // 2 - 1)
            s = low[:, :, rows][..., columns]
            d = (s[:, 0:1] - ycc[:, 0:1]) / sigma
            weight = (fy if dy else 1 - fy) * (fx if dx else 1 - fx) * np.exp(-0.5 * d * d)
            total = total + weight * s[:, 1:3]
            norm = norm + weight
    return total / norm


def sharp(ycc: Values, amount: Values) -> Values:
    y = np.pad(ycc[:, 0:1], ((0, 0), (0, 0), (1, 1), (1, 1)), mode="edge")
    c = y[:, :, 1:-1, 1:-1]
    n, s, w, e = y[:, :, :-2, 1:-1], y[:, :, 2:, 1:-1], y[:, :, 1:-1, :-2], y[:, :, 1:-1, 2:]
    corners = y[:, :, :-2, :-2] + y[:, :, :-2, 2:] + y[:, :, 2:, :-2] + y[:, :, 2:, 2:]
    blur = 0.28 * c + 0.12 * (n + s + w + e) + 0.06 * corners
    v = c + amount * (c - blur)
    low = np.minimum(np.minimum(np.minimum(n, s), np.minimum(w, e)), c)
    high = np.maximum(np.maximum(np.maximum(n, s), np.maximum(w, e)), c)
    return v + 0.8 * (np.clip(v, low, high) - v)


def light(luma: Values, chroma: Values, white: Values) -> Values:
    y = (255 * luma[:, 0] - 16) / 219
    cb, cr = (255 * chroma[:, 0] - 128) / 224, (255 * chroma[:, 1] - 128) / 224
    r, b = y + 1.5748 * cr, y + 1.8556 * cb
    g = (y - 0.2126 * r - 0.0722 * b) / 0.7152
    linear = np.maximum(np.stack([r, g, b], axis=1), 0) ** 2.2
    return linear * (1 + linear / (white * white)) / (1 + linear)
