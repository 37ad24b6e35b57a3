"""Differentiates normalisations by statistics of the input, of the batch, or of neighbouring channels."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from texelscope.pipeline.gradients.derivatives.backward import Backward
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.operators.families.normalization import is_inference

_EPSILON = 1e-5


@dataclass(frozen=True)
class NormalisedGroups:
    """Represents y = x̂ · scale + shift for the groups of elements along `axes` of a tensor of `shape`.

    `x_hat` is (x − mean) · `inverse`, or x · inverse where `is_centred` is false; `inverse` is of the shape `kept`.
    `scale` is empty where there is none, `parameters` the shape of it and of the shift, with as many axes as `shape`.
    `dy` is the gradient of y in that shape.
    """

    node: Backward
    shape: Shape
    axes: tuple[int, ...]
    x_hat: str
    inverse: str
    dy: str
    scale: str = ""
    parameters: Shape = ()
    is_centred: bool = True

    @property
    def kept(self) -> Shape:
        """The shape, 1 along the axes."""
        return tuple(1 if axis in self.axes else size for axis, size in enumerate(self.shape))

    @property
    def count(self) -> int:
        """The number of elements of a group."""
        return math.prod(self.shape[axis] for axis in self.axes)

    @property
    def _one_scale(self) -> bool:
        """Whether all elements of a group share their scale, which can then multiply the group's sums."""
        return not self.scale or all(self.parameters[axis] == 1 for axis in self.axes)

    def write(self) -> tuple[str, str, str]:
        """Writes the gradients of x, in `shape`, and of scale and shift, both in `parameters`.

        dx = (g − mean g − x̂ · mean(g · x̂)) / deviation with g = dy · scale (Ioffe and Szegedy, 2015, section 3).
        """
        node, along = self.node, self.node.add("Mul", self.dy, self.x_hat, label="dy_x_hat")
        if self._one_scale:
            sums = [self._total(each, label) for each, label in ((self.dy, "dy_sum"), (along, "dy_x_hat_sum"))]
            d_shift, d_scale = (self._of_parameters(each, self.kept) for each in sums)
            factor = node.add("Mul", self.inverse, self.scale, label="factor") if self.scale else self.inverse
            return self._dx(self.dy, (sums[0], sums[1]), factor), d_scale, d_shift
        g = node.add("Mul", self.dy, self.scale, label="scaled_dy")
        both = self._total(g, "sum"), self._total(node.add("Mul", g, self.x_hat, label="along"), "along_sum")
        d_scale, d_shift = (self._of_parameters(each, self.shape) for each in (along, self.dy))
        return self._dx(g, both, self.inverse), d_scale, d_shift

    def _dx(self, g: str, sums: tuple[str, str], factor: str) -> str:
        node = self.node
        means = [node.scaled(each, 1.0 / self.count, label="mean") for each in sums]
        left = node.add("Sub", g, means[0], label="centred") if self.is_centred else g
        left = node.add("Sub", left, node.add("Mul", self.x_hat, means[1], label="stretched"), label="left")
        return node.add("Mul", left, factor, label="through_groups")

    def _total(self, tensor: str, label: str) -> str:
        return self.node.reduced("ReduceSum", tensor, self.axes, label=label)

    def _of_parameters(self, tensor: str, shape: Shape) -> str:
        return self.node.summed_to(tensor, shape, self.parameters) if self.parameters else tensor


def layer_normalization(node: Backward) -> None:
    """Uses mean and 1 / deviation from the node's outputs, or computes them."""
    shape, first = node.shape(0), node.axis(default=-1)
    count = math.prod(shape[first:])
    if node.makes(1) and node.makes(2):
        mean, inverse = (_of_type_of_x(node, node.y(place), node.y_info(place).dtype) for place in (1, 2))
        x_hat = node.add("Mul", node.add("Sub", node.x(0), mean, label="centred_x"), inverse, label="x_hat")
    else:
        x_hat, inverse = _statistics(node, node.x(0), first)
    parts = []
    if node.arrives(0):
        parts.append(_through_layer(node, x_hat, inverse, first))
    if node.arrives(1):
        share = node.scaled(_of_type_of_x(node, node.dy(1), node.y_info(1).dtype), 1.0 / count, label="of_mean")
        parts.append(node.spread(share, shape, label="through_mean"))
    if node.arrives(2):  # d inverse / dx = −inverse² · x̂ / n
        slope = node.add("Mul", _of_type_of_x(node, node.dy(2), node.y_info(2).dtype), inverse, label="by_inverse")
        slope = node.scaled(node.add("Mul", slope, inverse, label="by_square"), -1.0 / count, label="slope")
        parts.append(node.add("Mul", x_hat, slope, label="through_inverse"))
    node.result(0, node.add("Sum", *parts, label="dx") if len(parts) > 1 else parts[0])


def _through_layer(node: Backward, x_hat: str, inverse: str, first: int) -> str:
    """Computes dx from the gradient of the first output; sets those of the parameters."""
    shape, axes = node.shape(0), tuple(range(first, len(node.shape(0))))
    parameters = _aligned(node, 1)
    groups = NormalisedGroups(node, shape, axes, x_hat, inverse, node.dy(), scale=node.x(1), parameters=parameters)
    dx, d_scale, d_shift = groups.write()
    node.result(1, node.to_shape(d_scale, node.shape(1), label="d_scale"))
    if node.wants(2):
        if _aligned(node, 2) != parameters:
            d_shift = node.summed_to(node.dy(), shape, _aligned(node, 2), label="shift")
        node.result(2, node.to_shape(d_shift, node.shape(2), label="d_shift"))
    return dx


def _of_type_of_x(node: Backward, tensor: str, dtype: str) -> str:
    """Casts statistics, which may be of another precision (`stash_type`)."""
    return tensor if dtype == node.real else node.add("CastLike", tensor, node.x(0), label="statistic")


def instance_normalization(node: Backward) -> None:
    """Differentiates with groups of the spatial axes of each channel."""
    channels = (1, node.shape(0)[1], *(1,) * (len(node.shape(0)) - 2))
    _by_channel(node, node.shape(0), channels)


def group_normalization(node: Backward) -> None:
    """Differentiates groups of channels; parameters are one per group in opset 18 and one per channel since 21."""
    n, c, *spatial = node.shape(0)
    groups = int(node.required("num_groups"))
    per_channel = node.shape(1) == (c,) and node.opset >= 21
    parameters = (1, groups, c // groups if per_channel else 1, 1)
    _by_channel(node, (n, groups, c // groups, math.prod(spatial)), parameters)


def _by_channel(node: Backward, view: Shape, parameters: Shape) -> None:
    """Differentiates groups of the axes from the third on, the input seen as `view`, parameters as `parameters`."""
    x, dy = (node.to_shape(each, view) if view != node.shape(0) else each for each in (node.x(0), node.dy()))
    x_hat, inverse = _statistics(node, x, 2)
    scale = node.to_shape(node.x(1), parameters, label="scale")
    axes = tuple(range(2, len(view)))
    groups = NormalisedGroups(node, view, axes, x_hat, inverse, dy, scale=scale, parameters=parameters)
    dx, d_scale, d_shift = groups.write()
    node.result(0, dx if view == node.shape(0) else node.to_shape(dx, node.shape(0), label="dx"))
    node.result(1, node.to_shape(d_scale, node.shape(1), label="d_scale"))
    if node.wants(2):
        node.result(2, node.to_shape(d_shift, node.shape(2), label="d_shift"))


def _statistics(node: Backward, x: str, first: int) -> tuple[str, str]:
    """Returns the normalised x, and 1 / deviation, over the axes from `first` on."""
    x_hat, _, inverse = node.add_several(
        "LayerNormalization",
        x,
        node.constant([1.0], label="unscaled"),
        labels=("x_hat", "mean", "inverse"),
        axis=first,
        epsilon=float(node.attribute("epsilon", _EPSILON)),
    )
    return x_hat, _of_type_of_x(node, inverse, "float32")


def rms_normalization(node: Backward) -> None:
    """Differentiates division by the root of the mean square: dx = (g − x̂ · mean(g · x̂)) / root."""
    shape, first = node.shape(0), node.axis(default=-1)
    axes = tuple(range(first, len(shape)))
    squares = node.reduced("ReduceSumSquare", node.x(0), axes, label="squares")
    mean = node.scaled(squares, 1.0 / math.prod(shape[first:]), label="mean_square")
    shifted = node.add("Add", mean, node.constant(float(node.attribute("epsilon", _EPSILON))), label="shifted")
    inverse = node.add("Reciprocal", node.add("Sqrt", shifted, label="root"), label="inverse")
    x_hat = node.add("Mul", node.x(0), inverse, label="x_hat")
    dx, d_scale, _ = NormalisedGroups(
        node, shape, axes, x_hat, inverse, node.dy(), node.x(1), _aligned(node, 1), is_centred=False
    ).write()
    node.result(0, dx)
    node.result(1, node.to_shape(d_scale, node.shape(1), label="d_scale"))


def _aligned(node: Backward, position: int) -> Shape:
    shape = node.shape(position)
    return (1,) * (len(node.shape(0)) - len(shape)) + shape


def mean_variance_normalization(node: Backward) -> None:
    """Uses y = (x − mean) / D, D the deviation d + 1e-9: dx = (dy − mean dy − y · mean(dy · y) · D / d) / D."""
    shape = node.shape(0)
    axes = sorted({int(axis) % len(shape) for axis in node.attribute("axes", None) or (0, 2, 3)})
    count = math.prod(shape[axis] for axis in axes)
    mean = node.reduced("ReduceMean", node.x(0), axes, label="mean")
    squares = node.add("Sub", node.x(0), mean, label="centred_x")
    squares = node.scaled(node.reduced("ReduceSumSquare", squares, axes, label="squares"), 1.0 / count)
    deviation = _nonzero(node, node.add("Sqrt", squares, label="deviation"))
    divisor = node.add("Add", deviation, node.constant(1e-9), label="divisor")
    along = node.reduced("ReduceMean", node.add("Mul", node.dy(), node.y(), label="along"), axes, label="along_mean")
    along = node.add("Mul", along, node.add("Div", divisor, deviation, label="ratio"), label="slope")
    level = node.reduced("ReduceMean", node.dy(), axes, label="dy_mean")
    left = node.add("Sub", node.dy(), level, label="centred")
    left = node.add("Sub", left, node.add("Mul", node.y(), along, label="stretched"), label="left")
    node.result(0, node.add("Div", left, divisor, label="dx"))


def lp_normalization(node: Backward) -> None:
    """Uses y = x / n: dx = (dy − s · Σ dy · y) / n, s = sign(x) if n sums sizes, y if it is a root of squares."""
    axes, p = [node.axis(default=-1)], int(node.attribute("p", 2))
    if p not in (1, 2):
        raise node.refusal("p of 1 or 2", str(p), "Use Abs, Pow and ReduceSum.")
    norm = _nonzero(node, node.reduced(f"ReduceL{p}", node.x(0), axes, label="norm"))
    along = node.reduced("ReduceSum", node.add("Mul", node.dy(), node.y(), label="along"), axes, label="along_sum")
    direction = node.y() if p == 2 else node.add("Sign", node.x(0))
    stretched = node.add("Mul", direction, along, label="stretched")
    node.result(0, node.add("Div", node.add("Sub", node.dy(), stretched, label="left"), norm, label="dx"))


def _nonzero(node: Backward, tensor: str) -> str:
    """Returns `tensor` with 1 for 0: the quotients there are 0 too."""
    empty = node.add("Equal", tensor, node.constant(0.0, label="zero"), label="empty")
    return node.add("Where", empty, node.constant(1.0, label="one"), tensor, label="nonzero")


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


def lrn(node: Backward) -> None:
    """Uses b = bias + α/n · Σ x² over n channels, dx = dy · b^−β − 2αβ/n · x · Σ dy · y / b over those that read x."""
    size, beta = int(node.required("size")), float(node.attribute("beta", 0.75))
    scale = float(node.attribute("alpha", 1e-4)) / size
    before, after = (size - 1) // 2, size // 2
    squares = node.add("Mul", node.x(0), node.x(0), label="squares")
    sums = node.scaled(_window_sum(node, squares, before, after, "sums"), scale, label="sums_scaled")
    base = node.add("Add", sums, node.constant(float(node.attribute("bias", 1.0)), label="bias"), label="base")
    over = node.add("Div", node.add("Mul", node.dy(), node.y(), label="dy_by_y"), base, label="over_base")
    back = node.scaled(_window_sum(node, over, after, before, "back"), 2.0 * beta * scale, label="back_scaled")
    power = node.add("Pow", base, node.constant(-beta, label="exponent"), label="power")
    straight = node.add("Mul", node.dy(), power, label="straight")
    node.result(0, node.add("Sub", straight, node.add("Mul", node.x(0), back, label="across"), label="dx"))


def _window_sum(node: Backward, tensor: str, before: int, after: int, label: str) -> str:
    """Sums for each channel from `before` channels before it to `after` behind it: a convolution along them."""
    n, channels, *spatial = node.shape(0)
    plane = node.to_shape(tensor, (n, 1, channels, node.count(tuple(spatial))), label=f"{label}_plane")
    ones = node.constant(np.ones((1, 1, before + after + 1, 1)), label="ones")
    summed = node.add("Conv", plane, ones, label=f"{label}_summed", pads=(before, 0, after, 0))
    return node.to_shape(summed, node.shape(0), label=label)


DERIVATIVES = {
    "GroupNormalization": group_normalization,
    "InstanceNormalization": instance_normalization,
    "LayerNormalization": layer_normalization,
    "LpNormalization": lp_normalization,
    "MeanVarianceNormalization": mean_variance_normalization,
    "RMSNormalization": rms_normalization,
    "BatchNormalization": batch_normalization,
    "LRN": lrn,
}
