"""Layers whose shaders are generated."""

from __future__ import annotations

import numpy as np

from tests.faults import models
from tests.faults.models import conv_of, noise, single
from tests.faults.subjects import FLAT, RGBA, UNPACKED, Subject, generated


def conv_rgba(group: int = 1) -> Subject:
    """Builds convolution 3x3 of four lanes, generated: eight channels to nine or twelve."""
    if group > 1:
        return generated(conv_of((1, 8, 5, 6), (12, 8 // group, 3, 3), pads=(1, 1, 1, 1), group=group), "channel_tiles")
    return generated(conv_of((1, 8, 5, 6), (9, 8, 3, 3), pads=(1, 1, 1, 1)), RGBA)


def deconv_rgba() -> Subject:
    """Builds transposed convolution of four lanes, five channels to six."""
    return generated(models.conv_transpose((1, 5, 4, 5), 6), RGBA)


def instance_norm(layout: str = RGBA, batch: int = 2) -> Subject:
    """Builds instance normalisation of small values."""
    return generated(models.instance_norm((batch, 5, 4, 5), epsilon=1e-2, spread=0.2), layout)


def layer_norm(layout: str = FLAT) -> Subject:
    """Builds layer normalisation of small values."""
    constants = {"s": noise(10, seed=1, shift=1.0, scale=0.4), "b": noise(10, seed=2)}
    return generated(single("LayerNormalization", (2, 3, 10), constants, scale=0.1, axis=-1, epsilon=1e-3), layout)


def matmul(layout: str = UNPACKED) -> Subject:
    """Builds matrix product of two batches."""
    return generated(single("MatMul", (2, 4, 5), {"w": noise(5, 6, seed=1)}), layout)


def added(layout: str = RGBA, shape: tuple[int, ...] = (5, 1, 1)) -> Subject:
    """Builds a constant of that shape added."""
    return generated(single("Add", (1, 5, 4, 6), {"b": noise(*shape, seed=3)}), layout)


def shown(subject: Subject) -> Subject:
    """Builds the same, fed with values from 0 to 1."""
    return subject.fed(**{key: 1.0 / (1.0 + np.exp(-value)) for key, value in subject.inputs.items()})
