"""Backward passes: those of a small network of convolutions, whose loss is a square of differences."""

from __future__ import annotations

from functools import cache

from tests.faults.models import Model, layer, model, noise
from tests.faults.subjects import Subject, generated


def backward(name: str, layout: str = "channel_tiles") -> Subject:
    """Builds the pass called `name` of the gradients of the loss."""
    return generated(_network(), layout, name=name, gradients="loss")


@cache
def _network() -> Model:
    """x [2, 3, 12, 10] → Conv c1 → LeakyRelu a1 → Conv c2 of stride 2 → Flatten → Gemm d; loss = (d − t)²."""
    layers = [
        layer("Conv", "x", "w1", "b1", to="c1", pads=(1,) * 4),
        layer("LeakyRelu", "c1", to="a1", alpha=0.2),
        layer("Conv", "a1", "w2", "b2", to="c2", pads=(1,) * 4, strides=(2, 2)),
        layer("Flatten", "c2", to="f"),
        layer("Gemm", "f", "wd", to="d", transB=1),
        layer("Sub", "d", "t", to="e"),
        layer("Mul", "e", "e", to="loss"),
    ]
    shapes = {"w1": (6, 3, 3, 3), "b1": (6,), "w2": (4, 6, 3, 3), "b2": (4,), "wd": (5, 120)}
    weights = {name: noise(*shape, seed=seed, scale=0.3) for seed, (name, shape) in enumerate(shapes.items(), 1)}
    inputs = {"x": noise(2, 3, 12, 10, seed=7), "t": noise(2, 5, seed=8)}
    return model("a network with its backward passes", layers, inputs, weights)
