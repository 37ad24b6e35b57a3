"""Running sums and products: CumSum, CumProd."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.gradients.derivatives.backward import Backward


def cum_sum(node: Backward) -> None:
    """dx is the running sum of dy from the other end."""
    if node.wants(0):
        node.result(0, _from_the_other_end(node, node.dy(), exclusive=bool(node.attribute("exclusive", 0)), label="dx"))


def _from_the_other_end(node: Backward, tensor: str, *, exclusive: bool, label: str) -> str:
    reverse = 1 - int(node.attribute("reverse", 0))
    return node.add("CumSum", tensor, node.x(1), label=label, exclusive=int(exclusive), reverse=reverse)


def cum_prod(node: Backward) -> None:
    """dx_i = Σ_j dy_j · y_j / x_i over the products that x_i is in.

    Where x_i is the first zero of its row these are taken without it; after it all products are 0, and so is dx.
    """
    if not node.wants(0):
        return
    exclusive = bool(node.attribute("exclusive", 0))
    zero, one = node.constant(0.0, label="zero"), node.constant(1.0, label="one")
    is_zero = node.add("Equal", node.x(0), zero, label="is_zero")
    reverse = int(node.attribute("reverse", 0))
    flags = node.add("Where", is_zero, one, zero, label="zeros")
    zeros = node.add("CumSum", flags, node.x(1), label="zeros_by_now", reverse=reverse)
    # Of several zeros in a row the first alone is made 1.
    is_one = node.add("Equal", zeros, one, label="one_zero_by_now")
    is_first = node.add("And", is_zero, is_one, label="first_zero")
    without = _products(node, node.add("Where", is_first, one, node.x(0), label="x_without"), exclusive=exclusive)
    sums = [
        _from_the_other_end(node, node.add("Mul", node.dy(), y, label=f"dy_{which}"), exclusive=exclusive, label=which)
        for which, y in (("before", node.y()), ("at_first", without))
    ]
    is_none = node.add("Equal", zeros, zero, label="no_zero_by_now")
    divisor = node.add("Where", is_none, node.x(0), one, label="divisor")
    before = node.add("Div", sums[0], divisor, label="share")
    later = node.add("Where", is_first, sums[1], zero, label="at_zero")
    node.result(0, node.add("Where", is_none, before, later, label="dx"))


def _products(node: Backward, tensor: str, *, exclusive: bool) -> str:
    """The running product of `tensor`, by doubling: opset 23 has no operator for it."""
    shape = node.shape(0)
    axis = int(np.ravel(node.value(1, "an axis"))[0]) % len(shape)
    count, shift = shape[axis], 1
    if exclusive:
        tensor = _shifted(node, tensor, axis, 1)
    while shift < count:
        tensor = node.add("Mul", tensor, _shifted(node, tensor, axis, shift), label=f"product_of_{2 * shift}")
        shift *= 2
    return tensor


def _shifted(node: Backward, tensor: str, axis: int, by: int) -> str:
    """Elements moved along, with ones in their place."""
    rank = len(node.shape(0))
    pads = [0] * (2 * rank)
    ends = (axis + rank, axis) if node.attribute("reverse", 0) else (axis, axis + rank)
    pads[ends[0]], pads[ends[1]] = by, -by
    return node.add("Pad", tensor, node.whole(*pads, label="pads"), node.constant(1.0, label="one"), label="shifted")


DERIVATIVES = {"CumSum": cum_sum, "CumProd": cum_prod}
FLAT = ()
