"""Differentiates operators that reduce along some axes, normalise their sum, or run along one."""

from __future__ import annotations

import math

import numpy as np

from texelscope.pipeline.gradients.derivatives.backward import Backward
from texelscope.pipeline.graph import Shape


class _Reduced:
    """Holds the axes that a node reduces, and its output with those kept as axes of 1."""

    def __init__(self, node: Backward) -> None:
        self.node = node
        shape = node.shape(0)
        given = node.value(1, "axes").reshape(-1).tolist() if node.has(1) else node.attribute("axes", None) or ()
        if not given and not node.attribute("noop_with_empty_axes", 0):
            given = range(len(shape))
        self.axes = sorted(int(axis) % len(shape) for axis in given)
        self.kept: Shape = tuple(1 if axis in self.axes else size for axis, size in enumerate(shape))
        self.count = math.prod(shape[axis] for axis in self.axes)

    def dy(self) -> str:
        """Returns the gradient of the output, of shape `kept`."""
        return self._kept(self.node.dy(), "dy_kept")

    def y(self) -> str:
        """Returns the output, of shape `kept`."""
        return self._kept(self.node.y(), "y_kept")

    def _kept(self, tensor: str, label: str) -> str:
        same = self.node.y_info().shape == self.kept
        return tensor if same else self.node.to_shape(tensor, self.kept, label=label)

    def give(self, factor: str) -> None:
        """Sets dx = factor · dy, broadcast along the axes."""
        self.node.result(0, self.node.add("Mul", factor, self.dy(), label="dx"))


def reduce_sum(node: Backward) -> None:
    """Computes dx = dy, everywhere along the axes."""
    node.result(0, node.spread(_Reduced(node).dy(), node.shape(0), label="dx"))


def reduce_mean(node: Backward) -> None:
    """Computes dx = dy / n."""
    reduced = _Reduced(node)
    share = node.scaled(reduced.dy(), 1.0 / reduced.count, label="share")
    node.result(0, node.spread(share, node.shape(0), label="dx"))


def reduce_extreme(node: Backward) -> None:
    """Computes dx = dy / k at the k elements that equal the extreme, 0 elsewhere: as torch.amax shares a tie."""
    reduced = _Reduced(node)
    one, zero = node.constant(1.0, label="one"), node.constant(0.0, label="zero")
    chosen = node.add("Equal", node.x(0), reduced.y(), label="chosen")
    ones = node.add("Where", chosen, one, zero, label="ones")
    count = node.reduced("ReduceSum", ones, reduced.axes, label="count")
    share = node.add("Div", reduced.dy(), count, label="share")
    node.result(0, node.add("Where", chosen, share, zero, label="dx"))


def reduce_prod(node: Backward) -> None:
    """Computes dx = dy · the product of the others, which is right beside zeros too.

    With p the product of nonzero elements and k the count of zeros: the others give p / x where k = 0, p at the zero
    itself where k = 1, and 0 everywhere else.
    """
    reduced = _Reduced(node)
    one, zero = node.constant(1.0, label="one"), node.constant(0.0, label="zero")
    empty = node.add("Equal", node.x(0), zero, label="empty")
    filled = node.add("Where", empty, one, node.x(0), label="filled")
    product = node.reduced("ReduceProd", filled, reduced.axes, label="product")
    ones = node.add("Where", empty, one, zero, label="ones")
    zeros = node.reduced("ReduceSum", ones, reduced.axes, label="zeros")
    # Counts zeros among the others: those along the axes, less the element itself.
    beside = node.add("Sub", zeros, ones, label="zeros_beside")
    others = node.add("Div", product, filled, label="others_not_zero")
    reached = node.add("Greater", beside, node.constant(0.5, label="half"), label="hidden")
    reduced.give(node.add("Where", reached, zero, others, label="others"))


def reduce_l1(node: Backward) -> None:
    """Computes dx = dy · sign(x), 0 at 0."""
    _Reduced(node).give(node.add("Sign", node.x(0)))


def reduce_l2(node: Backward) -> None:
    """Computes dx = dy · x / y, 0 where all is 0."""
    reduced = _Reduced(node)
    y, one = reduced.y(), node.constant(1.0, label="one")
    empty = node.add("Equal", y, node.constant(0.0, label="zero"), label="empty")
    share = node.add("Div", reduced.dy(), node.add("Where", empty, one, y, label="norm"), label="share")
    node.result(0, node.add("Mul", node.x(0), share, label="dx"))


def reduce_log_sum(node: Backward) -> None:
    """Computes dx = dy / Σx."""
    reduced = _Reduced(node)
    total = node.reduced("ReduceSum", node.x(0), reduced.axes, label="total")
    share = node.add("Div", reduced.dy(), total, label="share")
    node.result(0, node.spread(share, node.shape(0), label="dx"))


def reduce_log_sum_exp(node: Backward) -> None:
    """Computes dx = dy · e^(x − y)."""
    reduced = _Reduced(node)
    below = node.add("Sub", node.x(0), reduced.y(), label="below")
    reduced.give(node.add("Exp", below, label="weight"))


def reduce_sum_square(node: Backward) -> None:
    """Computes dx = 2 · dy · x."""
    reduced = _Reduced(node)
    node.result(0, node.add("Mul", node.x(0), node.scaled(reduced.dy(), 2.0, label="twice"), label="dx"))


def softmax(node: Backward) -> None:
    """Computes dx = y · (dy − Σ dy · y)."""
    total = node.reduced("ReduceSum", node.add("Mul", node.dy(), node.y(), label="weighted"), _axes(node))
    node.result(0, node.add("Mul", node.y(), node.add("Sub", node.dy(), total, label="against_mean"), label="dx"))


def log_softmax(node: Backward) -> None:
    """Computes dx = dy − e^y · Σ dy."""
    total = node.reduced("ReduceSum", node.dy(), _axes(node))
    share = node.add("Mul", node.add("Exp", node.y(), label="probability"), total, label="share")
    node.result(0, node.add("Sub", node.dy(), share, label="dx"))


def _axes(node: Backward) -> list[int]:
    if node.opset >= 13:
        return [node.axis(default=-1)]
    return [*range(node.axis(default=1), len(node.shape(0)))]


def cum_sum(node: Backward) -> None:
    """Computes dx: the running sum of dy from the other end."""
    if node.wants(0):
        node.result(0, _from_the_other_end(node, node.dy(), exclusive=bool(node.attribute("exclusive", 0)), label="dx"))


def _from_the_other_end(node: Backward, tensor: str, *, exclusive: bool, label: str) -> str:
    reverse = 1 - int(node.attribute("reverse", 0))
    return node.add("CumSum", tensor, node.x(1), label=label, exclusive=int(exclusive), reverse=reverse)


def cum_prod(node: Backward) -> None:
    """Computes dx_i = Σ_j dy_j · y_j / x_i over the products that contain x_i.

    Where x_i is the first zero of its row these products leave it out; after it all products are 0, and so is dx.
    """
    if not node.wants(0):
        return
    exclusive = bool(node.attribute("exclusive", 0))
    zero, one = node.constant(0.0, label="zero"), node.constant(1.0, label="one")
    is_zero = node.add("Equal", node.x(0), zero, label="is_zero")
    reverse = int(node.attribute("reverse", 0))
    flags = node.add("Where", is_zero, one, zero, label="zeros")
    zeros = node.add("CumSum", flags, node.x(1), label="zeros_by_now", reverse=reverse)
    # Of several zeros in a row only the first is made 1.
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
    """Returns the running product of `tensor`, by doubling: opset 23 has no operator for it."""
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
    """Shifts elements along, with ones in their place."""
    rank = len(node.shape(0))
    pads = [0] * (2 * rank)
    ends = (axis + rank, axis) if node.attribute("reverse", 0) else (axis, axis + rank)
    pads[ends[0]], pads[ends[1]] = by, -by
    return node.add("Pad", tensor, node.whole(*pads, label="pads"), node.constant(1.0, label="one"), label="shifted")


DERIVATIVES = {
    "ReduceL1": reduce_l1,
    "ReduceL2": reduce_l2,
    "ReduceLogSum": reduce_log_sum,
    "ReduceLogSumExp": reduce_log_sum_exp,
    "ReduceMax": reduce_extreme,
    "ReduceMean": reduce_mean,
    "ReduceMin": reduce_extreme,
    "ReduceProd": reduce_prod,
    "ReduceSum": reduce_sum,
    "ReduceSumSquare": reduce_sum_square,
    "Softmax": softmax,
    "LogSoftmax": log_softmax,
    "CumSum": cum_sum,
    "CumProd": cum_prod,
}
FLAT = ("ArgMax", "ArgMin", "Hardmax")
