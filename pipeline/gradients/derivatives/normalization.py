"""Normalisations by statistics of the input itself: of layers, instances, groups of channels, any axes, vectors."""

from __future__ import annotations

import math

from texelscope.pipeline.gradients.derivatives.backward import Backward
from texelscope.pipeline.gradients.derivatives.normalised_groups import NormalisedGroups
from texelscope.pipeline.graph import Shape

_EPSILON = 1e-5


def layer_normalization(node: Backward) -> None:
    """By mean and 1 / deviation as the node gives them out, made again where it does not."""
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
    """dx of what arrives at the first output; gives the parameters theirs."""
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
    """Statistics may be of another precision (`stash_type`)."""
    return tensor if dtype == node.real else node.add("CastLike", tensor, node.x(0), label="statistic")


def instance_normalization(node: Backward) -> None:
    """Groups are the spatial axes of each channel."""
    channels = (1, node.shape(0)[1], *(1,) * (len(node.shape(0)) - 2))
    _by_channel(node, node.shape(0), channels)


def group_normalization(node: Backward) -> None:
    """Groups of channels; parameters are one a group in opset 18 and one a channel since 21."""
    n, c, *spatial = node.shape(0)
    groups = int(node.required("num_groups"))
    per_channel = node.shape(1) == (c,) and node.opset >= 21
    parameters = (1, groups, c // groups if per_channel else 1, 1)
    _by_channel(node, (n, groups, c // groups, math.prod(spatial)), parameters)


def _by_channel(node: Backward, view: Shape, parameters: Shape) -> None:
    """Groups are the axes from the third on of the input seen as `view`; parameters fit it as `parameters`."""
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
    """The normalised x, and 1 / deviation, over the axes from `first` on."""
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
    """By the root of the mean square: dx = (g − x̂ · mean(g · x̂)) / root."""
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
    """y = (x − mean) / D, D the deviation d + 1e-9: dx = (dy − mean dy − y · mean(dy · y) · D / d) / D."""
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
    """y = x / n: dx = (dy − s · Σ dy · y) / n, s = sign(x) where n sums sizes and y where it is the root of squares."""
    axes, p = [node.axis(default=-1)], int(node.attribute("p", 2))
    if p not in (1, 2):
        raise node.refusal("p of 1 or 2", str(p), "Use Abs, Pow and ReduceSum.")
    norm = _nonzero(node, node.reduced(f"ReduceL{p}", node.x(0), axes, label="norm"))
    along = node.reduced("ReduceSum", node.add("Mul", node.dy(), node.y(), label="along"), axes, label="along_sum")
    direction = node.y() if p == 2 else node.add("Sign", node.x(0))
    stretched = node.add("Mul", direction, along, label="stretched")
    node.result(0, node.add("Div", node.add("Sub", node.dy(), stretched, label="left"), norm, label="dx"))


def _nonzero(node: Backward, tensor: str) -> str:
    """`tensor`, 1 where it is 0: what is divided by it there is 0 too."""
    empty = node.add("Equal", tensor, node.constant(0.0, label="zero"), label="empty")
    return node.add("Where", empty, node.constant(1.0, label="one"), tensor, label="nonzero")


DERIVATIVES = {
    "GroupNormalization": group_normalization,
    "InstanceNormalization": instance_normalization,
    "LayerNormalization": layer_normalization,
    "LpNormalization": lp_normalization,
    "MeanVarianceNormalization": mean_variance_normalization,
    "RMSNormalization": rms_normalization,
}
FLAT = ()
