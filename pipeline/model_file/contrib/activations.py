"""What follows a convolution or a product in one operator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from texelscope.pipeline.model_file.contrib.writer import Writer

# By operator, its attributes in the order of a list of parameters.
_PARAMETERS = {
    "Elu": ("alpha",),
    "HardSigmoid": ("alpha", "beta"),
    "LeakyRelu": ("alpha",),
    "Relu": (),
    "Selu": ("alpha", "gamma"),
    "Sigmoid": (),
    "Softplus": (),
    "Softsign": (),
    "Tanh": (),
    "ThresholdedRelu": ("alpha",),
}


def activated(node: Writer, y: str, parameters: Sequence[float]) -> str:
    """`y` through what the attribute `activation` names, with as many parameters as are given; `y` itself if none."""
    kind = str(node.attribute("activation", ""))
    if kind == "Clip":
        low, high = parameters
        return node.add("Clip", y, node.constant(low, label="low"), node.constant(high, label="high"))
    if not kind:
        return y
    if kind not in _PARAMETERS:
        raise node.refusal(f"an activation out of {', '.join(sorted((*_PARAMETERS, 'Clip')))}", f"'{kind}'")
    said: dict[str, Any] = dict(zip(_PARAMETERS[kind], map(float, parameters), strict=False))
    return node.add(kind, y, **said)
