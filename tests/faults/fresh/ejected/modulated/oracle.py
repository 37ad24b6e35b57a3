"""What each pass is to give, in numpy."""

from typing import Any

import numpy as np

Values = Any


def moments(feature_map: Values) -> Values:
    mean = feature_map.mean(axis=(2, 3), keepdims=True)
    variance = ((feature_map - mean) ** 2).mean(axis=(2, 3), keepdims=True)
    return np.concatenate((mean, variance), axis=3)


def film(feature_map: Values, moments: Values, style: Values) -> Values:
    normal = (feature_map - moments[:, :, :, :1]) / np.sqrt(moments[:, :, :, 1:] + 0.05)
    gain, offset = style[0, :8].reshape(1, 8, 1, 1), style[0, 8:].reshape(1, 8, 1, 1)
    return normal * (1 + gain) + offset


def unit(feature_map: Values) -> Values:
    return feature_map / np.sqrt((feature_map**2).sum(axis=1, keepdims=True) + 0.1)


def deep(feature_map: Values) -> Values:
    blocks = feature_map.reshape(1, 2, 2, 2, 7, 11)
    large = blocks.transpose(0, 3, 4, 1, 5, 2).reshape(1, 2, 14, 22)
    return 0.5 * large * (1 + np.tanh(0.7978845608 * (large + 0.044715 * large**3)))
