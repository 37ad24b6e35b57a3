"""Layers as compute shaders with shared memory."""

from __future__ import annotations

from functools import cache

from tests.faults import models
from tests.faults.subjects import Subject, dispatched, shapes
from texelscope.layouts.grid import ceil_div


@cache
def conv_shared() -> Subject:
    """A convolution whose work groups bring what they read into shared memory; the last ones reach over the border."""
    model = models.conv((1, 3, 13, 12), 5)
    known = shapes(model)
    _, channels, height, width = known["x"]
    groups = (ceil_div(width, 8), ceil_div(height, 8), known["y"][1])
    blocks = {"Image": "x", "Weights": "w", "Biases": "b", "Result": "y"}
    return dispatched(model, "seen/conv_shared.comp", blocks, groups, {"u_size": (channels, height, width)})


@cache
def mean_shared() -> Subject:
    """A mean over whole pictures, by halves in shared memory."""
    model = models.single("GlobalAveragePool", (1, 12, 11, 13), {})
    blocks = {"Image": "x", "Result": "y"}
    return dispatched(model, "seen/mean_shared.comp", blocks, (12, 1, 1), {"u_count": 11 * 13})


@cache
def relu_plain() -> Subject:
    """A rectifier, an element an invocation."""
    model = models.single("Relu", (1, 3, 9, 7), {})
    blocks = {"Image": "x", "Result": "y"}
    return dispatched(model, "seen/relu_plain.comp", blocks, (3, 1, 1), {"u_count": 3 * 9 * 7})
