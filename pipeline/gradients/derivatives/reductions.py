"""Operators that make one element of many along some axes: the Reduce family."""

from __future__ import annotations

import math

from texelscope.pipeline.gradients.derivatives.backward import Backward
from texelscope.pipeline.graph import Shape


class _Reduced:
    """The axes that a node reduces, and its output with those kept as axes of 1."""

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
        """The gradient that arrives, of shape `kept`."""
        return self._kept(self.node.dy(), "dy_kept")

    def y(self) -> str:
        """The output, of shape `kept`."""
        return self._kept(self.node.y(), "y_kept")

    def _kept(self, tensor: str, label: str) -> str:
        same = self.node.y_info().shape == self.kept
        return tensor if same else self.node.to_shape(tensor, self.kept, label=label)

    def give(self, factor: str) -> None:
        """dx = factor · dy, broadcast along the axes."""
        self.node.result(0, self.node.add("Mul", factor, self.dy(), label="dx"))


def reduce_sum(node: Backward) -> None:
    """dx = dy, everywhere along the axes."""
    node.result(0, node.spread(_Reduced(node).dy(), node.shape(0), label="dx"))


def reduce_mean(node: Backward) -> None:
    """dx = dy / n."""
    reduced = _Reduced(node)
    share = node.scaled(reduced.dy(), 1.0 / reduced.count, label="share")
    node.result(0, node.spread(share, node.shape(0), label="dx"))


def reduce_extreme(node: Backward) -> None:
    """dx = dy / k at the k elements that equal the extreme, 0 elsewhere: as torch.amax shares a tie."""
    reduced = _Reduced(node)
    one, zero = node.constant(1.0, label="one"), node.constant(0.0, label="zero")
    chosen = node.add("Equal", node.x(0), reduced.y(), label="chosen")
    ones = node.add("Where", chosen, one, zero, label="ones")
    count = node.reduced("ReduceSum", ones, reduced.axes, label="count")
    share = node.add("Div", reduced.dy(), count, label="share")
    node.result(0, node.add("Where", chosen, share, zero, label="dx"))


def reduce_prod(node: Backward) -> None:
    """dx = dy · the product of the others, which are right beside zeros too.

    With p the product of what is not zero and k the number of zeros: the others make p / x where k = 0, p at the zero
    itself where k = 1, and 0 everywhere else.
    """
    reduced = _Reduced(node)
    one, zero = node.constant(1.0, label="one"), node.constant(0.0, label="zero")
    empty = node.add("Equal", node.x(0), zero, label="empty")
    filled = node.add("Where", empty, one, node.x(0), label="filled")
    product = node.reduced("ReduceProd", filled, reduced.axes, label="product")
    ones = node.add("Where", empty, one, zero, label="ones")
    zeros = node.reduced("ReduceSum", ones, reduced.axes, label="zeros")
    # Zeros among the others: of as many as there are along the axes, less the element itself.
    beside = node.add("Sub", zeros, ones, label="zeros_beside")
    others = node.add("Div", product, filled, label="others_not_zero")
    reached = node.add("Greater", beside, node.constant(0.5, label="half"), label="hidden")
    reduced.give(node.add("Where", reached, zero, others, label="others"))


def reduce_l1(node: Backward) -> None:
    """dx = dy · sign(x), 0 at 0."""
    _Reduced(node).give(node.add("Sign", node.x(0)))


def reduce_l2(node: Backward) -> None:
    """dx = dy · x / y, 0 where all is 0."""
    reduced = _Reduced(node)
    y, one = reduced.y(), node.constant(1.0, label="one")
    empty = node.add("Equal", y, node.constant(0.0, label="zero"), label="empty")
    share = node.add("Div", reduced.dy(), node.add("Where", empty, one, y, label="norm"), label="share")
    node.result(0, node.add("Mul", node.x(0), share, label="dx"))


def reduce_log_sum(node: Backward) -> None:
    """dx = dy / Σx."""
    reduced = _Reduced(node)
    total = node.reduced("ReduceSum", node.x(0), reduced.axes, label="total")
    share = node.add("Div", reduced.dy(), total, label="share")
    node.result(0, node.spread(share, node.shape(0), label="dx"))


def reduce_log_sum_exp(node: Backward) -> None:
    """dx = dy · e^(x − y)."""
    reduced = _Reduced(node)
    below = node.add("Sub", node.x(0), reduced.y(), label="below")
    reduced.give(node.add("Exp", below, label="weight"))


def reduce_sum_square(node: Backward) -> None:
    """dx = 2 · dy · x."""
    reduced = _Reduced(node)
    node.result(0, node.add("Mul", node.x(0), node.scaled(reduced.dy(), 2.0, label="twice"), label="dx"))


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
}
FLAT = ("ArgMax", "ArgMin")
