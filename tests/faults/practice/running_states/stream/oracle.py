"""Defines the expected output of each pass of the stream, in numpy."""

from typing import Any

import numpy as np

Values = Any


def average(s_frame: Values, s_mean: Values, u_rate: Values) -> Values:
    return s_mean + u_rate * (s_frame - s_mean)


def spread(s_frame: Values, s_mean: Values, s_variance: Values, u_rate: Values) -> Values:
    return (1 - u_rate) * (s_variance + u_rate * (s_frame - s_mean) ** 2)


def whitened(s_frame: Values, s_mean: Values, s_variance: Values, u_eps: Values) -> Values:
    return np.clip((s_frame - s_mean) / np.sqrt(s_variance + u_eps), -2.5, 2.5)


def total(s_unit: Values, s_carry: Values) -> Values:
    return s_carry + np.cumsum(s_unit, axis=-1)


def peak(s_total: Values, u_decay: Values) -> Values:
    levels = np.zeros_like(s_total)
    level = np.zeros(s_total.shape[:-1])
    for t in range(s_total.shape[-1]):
        level = np.maximum(np.abs(s_total[..., t]), u_decay * level)
        levels[..., t] = level
    return levels


def swish(s_peak: Values, u_steepness: Values) -> Values:
    return s_peak / (1 + np.exp(-u_steepness * s_peak))
