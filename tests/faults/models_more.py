"""One node of any operator, for bugs in layers that `tests.faults.models` has no function for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from tests.faults.models import Array, Model, Shape, layer, model, noise


def single(
    op_type: str,
    shape: Shape,
    constants: Mapping[str, Array] | None = None,
    *,
    seed: int = 0,
    scale: float = 1.5,
    shift: float = 0.0,
    **attributes: Any,
) -> Model:
    """One node of the input x, normal, `scale` wide around `shift`, and of `constants` in the operator's order."""
    known = constants or {}
    inputs = {"x": noise(*shape, seed=seed, scale=scale, shift=shift)}
    operands = ", ".join(f"{name} {'x'.join(map(str, value.shape))}" for name, value in known.items())
    title = f"{op_type} {'x'.join(map(str, shape))} x{scale} + {shift} [{operands}] {attributes}"
    return model(title, [layer(op_type, "x", *known, **attributes)], inputs, known)


def conv_of(shape: Shape, weights: Shape, *, bias: bool = True, op_type: str = "Conv", **attributes: Any) -> Model:
    """A convolution (or ConvTranspose) whose weights have that shape; `attributes` as ONNX has them."""
    fan_in = int(np.prod(weights[1:]))
    constants: dict[str, Array] = {"w": noise(*weights, seed=1, scale=2.0 / fan_in**0.5)}
    if bias:
        outputs = weights[0] if op_type == "Conv" else weights[1] * attributes.get("group", 1)
        constants["b"] = noise(outputs, seed=2, scale=1.5)
    return single(op_type, shape, constants, kernel_shape=weights[2:], **attributes)


@cache
def group_norm(shape: Shape, groups: int, *, epsilon: float = 1e-5, scale: float = 1.5, shift: float = 0.0) -> Model:
    """Group normalisation, a scale and a shift a channel, of the nodes that exporters write for it."""
    batch, channels, *rest = shape
    constants = {
        "split": whole(batch, groups, -1),
        "ones": np.ones(groups, np.float32),
        "zeros": np.zeros(groups, np.float32),
        "whole": whole(*shape),
        "scale": noise(channels, *(1 for _ in rest), seed=1, shift=1.0, scale=0.4),
        "shift": noise(channels, *(1 for _ in rest), seed=2),
    }
    layers = [
        layer("Reshape", "x", "split", to="groups"),
        layer("InstanceNormalization", "groups", "ones", "zeros", to="normal", epsilon=epsilon),
        layer("Reshape", "normal", "whole", to="again"),
        layer("Mul", "again", "scale", to="scaled"),
        layer("Add", "scaled", "shift"),
    ]
    title = f"Group normalisation {'x'.join(map(str, shape))} in {groups}, epsilon {epsilon}, x{scale} + {shift}"
    return model(title, layers, {"x": noise(*shape, scale=scale, shift=shift)}, constants)


def whole(*values: int) -> Array:
    """Axes, sizes or starts as ONNX wants them: int64."""
    return np.array(values, dtype=np.int64)
