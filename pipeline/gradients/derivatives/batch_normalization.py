"""Differentiates BatchNormalization, by its given statistics and, in training, by those of the batch."""

from __future__ import annotations

import math

import numpy as np

from texelscope.pipeline.gradients.derivatives.backward import Backward
from texelscope.pipeline.gradients.derivatives.normalised_groups import NormalisedGroups
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.operators.families.normalization import is_inference


def batch_normalization(node: Backward) -> None:
    """Chooses between the two by attributes and, between opsets 7 and 13, by the number of outputs."""
    if is_inference(node.call):
        _by_given(node)
    else:
        _by_batch(node)


def _by_given(node: Backward) -> None:
    """Differentiates y = (x − m) · f + b, where f = s / √(v + ε): dx = dy · f, db = Σ dy, dm = −db · f.

    With t = Σ dy · (x − m): ds = t / √(v + ε), dv = −t · f / 2(v + ε).
    """
    shape, parameters = node.shape(0), _parameters(node)
    scale, mean, variance = (node.to_shape(node.x(i), parameters, label=f"parameter_{i}") for i in (1, 3, 4))
    inverse = _inverse(node, variance)
    factor = node.add("Mul", scale, inverse, label="factor")
    node.result(0, node.add("Mul", node.dy(), factor, label="dx"))
    along = node.add("Mul", node.dy(), node.add("Sub", node.x(0), mean, label="centred"), label="along")
    d_scale = node.add("Mul", node.summed_to(along, shape, parameters, label="along_sum"), inverse, label="d_scale")
    d_shift = node.summed_to(node.dy(), shape, parameters, label="d_shift")
    d_mean = node.add("Neg", node.add("Mul", d_shift, factor, label="d_mean"))
    slope = node.add("Mul", node.add("Mul", factor, inverse, label="slope"), node.constant(-0.5), label="half_slope")
    d_variance = node.add("Mul", d_scale, slope, label="d_variance")
    for position, found in enumerate((d_scale, d_shift, d_mean, d_variance), start=1):
        if node.wants(position):
            node.result(position, node.to_shape(found, node.shape(position), label=f"d_parameter_{position}"))


def _by_batch(node: Backward) -> None:
    """Differentiates over all axes but the channels' as any normalisation; adds gradients of running statistics."""
    shape, parameters = node.shape(0), _parameters(node)
    if parameters.count(1) < len(shape) - 1:
        raise node.refusal("statistics of channels in training", "spatial of 0", "Export the model for inference.")
    ones, zeros = (node.constant(np.full(shape[1], it), label=f"all_{it}") for it in (1, 0))
    # With a momentum of 0 the running statistics that come out are those of the batch.
    x_hat, _, variance = node.add_several(
        "BatchNormalization", node.x(0), ones, zeros, zeros, zeros, labels=("x_hat", "mean", "variance"),
        training_mode=1, momentum=0.0, epsilon=_epsilon(node),
    )  # fmt: skip
    inverse = _inverse(node, node.to_shape(variance, parameters, label="variance"))
    axes = tuple(axis for axis in range(len(shape)) if axis != 1)
    count, momentum = math.prod(shape[axis] for axis in axes), float(node.attribute("momentum", 0.9))
    parts = []
    if node.arrives(0):
        scale = node.to_shape(node.x(1), parameters, label="scale")
        groups = NormalisedGroups(node, shape, axes, x_hat, inverse, node.dy(), scale=scale, parameters=parameters)
        dx, *others = groups.write()
        parts.append(dx)
        for position, found in enumerate(others, start=1):
            node.result(position, node.to_shape(found, node.shape(position), label=f"d_parameter_{position}"))
    for position, share in ((1, 1.0 - momentum), (3, 1.0)):
        if node.arrives(position):  # d mean / dx = 1 / n
            small = _small(node, position, share / count, parameters)
            parts.append(node.spread(small, shape, label="through_mean"))
    for position, share in ((2, 1.0 - momentum), (4, 1.0)):
        if node.arrives(position):  # d variance / dx = 2 · (x − mean) / n
            small = _small(node, position, 2.0 * share / count, parameters)
            slope = node.add("Div", small, inverse, label="slope")
            parts.append(node.add("Mul", x_hat, slope, label="through_variance"))
    node.result(0, node.add("Sum", *parts, label="dx") if len(parts) > 1 else parts[0])
    for position in (3, 4):
        if node.arrives(position - 2):
            node.result(position, node.scaled(node.dy(position - 2), momentum))


def _small(node: Backward, position: int, factor: float, parameters: Shape) -> str:
    """Returns the gradient of a statistic times a number, broadcast with x."""
    return node.to_shape(node.scaled(node.dy(position), factor), parameters, label=f"statistic_{position}")


def _inverse(node: Backward, variance: str) -> str:
    shifted = node.add("Add", variance, node.constant(_epsilon(node)), label="shifted")
    return node.add("Reciprocal", node.add("Sqrt", shifted, label="deviation"), label="inverse")


def _epsilon(node: Backward) -> float:
    return float(node.attribute("epsilon", 1e-5))


def _parameters(node: Backward) -> Shape:
    """Returns the shape in which a parameter broadcasts with x: one per channel, or before opset 9 one per element."""
    shape = node.shape(0)
    if node.opset < 9 and node.attribute("spatial", 1) == 0:
        return (1, *shape[1:])
    return (1, *shape[1:2], *(1,) * len(shape[2:]))


DERIVATIVES = {"BatchNormalization": batch_normalization}
FLAT = ()
