"""What each pass is to give, in numpy. A box is a row; rows run over anchors, then cells."""

from typing import Any

import numpy as np

Values = Any


def head(FEATURE: Values, WEIGHT: Values, BIAS: Values, gain: Values) -> Values:
    return (gain * np.einsum("oc,nchw->nohw", WEIGHT, FEATURE)) + BIAS.reshape(1, 24, 1, 1)


def boxes(HEAD: Values, anchors: Values) -> Values:
    stride = 16
    t = 1 / (1 + np.exp(-HEAD.reshape(3, 8, 4, 5)))
    sizes = np.asarray(anchors).reshape(3, 2)
    x = (2 * t[:, 0] - 0.5 + np.arange(5)[None, None, :]) * stride
    y = (2 * t[:, 1] - 0.5 + np.arange(4)[None, :, None]) * stride
    w = (2 * t[:, 2]) ** 2 * sizes[:, 0].reshape(3, 1, 1)
    h = (2 * t[:, 3]) ** 2 * sizes[:, 1].reshape(3, 1, 1)
    rest = [t[:, 4 + k] for k in range(4)]
    return np.stack([x, y, w, h, *rest], axis=-1).reshape(60, 8)


def corners(BOXES: Values, image: Values) -> Values:
    x, y, w, h = (BOXES[:, k] for k in range(4))
    across, down = image[0], image[1]
    sides = [
        np.clip(x - w / 2, 0, across),
        np.clip(y - h / 2, 0, down),
        np.clip(x + w / 2, 0, across),
        np.clip(y + h / 2, 0, down),
    ]
    return np.stack(sides, axis=1)


def best(BOXES: Values) -> Values:
    classes = BOXES[:, 5:]
    return np.stack([BOXES[:, 4] * classes.max(axis=1), classes.argmax(axis=1).astype(float)], axis=1)


def overlap(CORNERS: Values, BEST: Values) -> Values:
    one, other = CORNERS[:, None, :], CORNERS[None, :, :]
    w = np.maximum(np.minimum(one[..., 2], other[..., 2]) - np.maximum(one[..., 0], other[..., 0]), 0)
    h = np.maximum(np.minimum(one[..., 3], other[..., 3]) - np.maximum(one[..., 1], other[..., 1]), 0)
    both = w * h
    area = (CORNERS[:, 2] - CORNERS[:, 0]) * (CORNERS[:, 3] - CORNERS[:, 1])
    iou = both / (area[:, None] + area[None, :] - both + 0.01)
    return iou * (BEST[:, 1][:, None] == BEST[:, 1][None, :])


def soft(OVERLAP: Values, BEST: Values, sigma: Values) -> Values:
    score = BEST[:, 0]
    above = score[None, :] > score[:, None]
    return (score * np.exp(-(above * OVERLAP**2).sum(axis=1) / sigma)).reshape(60, 1)
