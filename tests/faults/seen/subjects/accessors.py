"""Shaders in which one accessor reads every sampler, others ask it, and a function sets the output."""

from __future__ import annotations

from functools import cache

from tests.faults import models
from tests.faults.models import layer, noise
from tests.faults.subjects import Bound, Samplers, Stage, Subject, written

RGBA = "channel_tiles_rgba"


@cache
def sharper_getx() -> Subject:
    """Builds convolution 3x3 of a picture, bias, ReLU, the picture added."""
    layers = [
        layer("Conv", "x", "w", "b", to="sum", pads=(1, 1, 1, 1)), layer("Relu", "sum", to="edges"),
        layer("Add", "edges", "x"),
    ]  # fmt: skip
    constants = {"w": noise(3, 3, 3, 3, seed=1, scale=0.4), "b": noise(3, seed=2, scale=0.5, shift=0.3)}
    model = models.model("a picture made sharper", layers, {"x": noise(1, 3, 6, 7, seed=5)}, constants)
    samplers: Samplers = {"x": Bound("x", RGBA), "W": Bound("w", "filter_tiles"), "bias": "b"}
    return written(model, Stage("seen/sharper_getx.frag", samplers, layout=RGBA))


@cache
def root_fetch() -> Subject:
    """Builds square roots of absolute values."""
    layers = [layer("Abs", "x", to="size"), layer("Sqrt", "size")]
    model = models.model("square roots", layers, {"x": noise(1, 1, 6, 7, seed=5, scale=2.0)}, {})
    return written(model, Stage("seen/root_fetch.frag", {"u_x": "x"}))
