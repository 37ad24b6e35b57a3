"""What is centred and divided by its deviation in groups: its gradient, and those of the scale and shift after it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from texelscope.pipeline.gradients.derivatives.backward import Backward
from texelscope.pipeline.graph import Shape


@dataclass(frozen=True)
class NormalisedGroups:
    """y = x̂ · scale + shift for the groups of elements along `axes` of a tensor of `shape`.

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
        """Elements of a group."""
        return math.prod(self.shape[axis] for axis in self.axes)

    @property
    def _one_scale(self) -> bool:
        """Whether all elements of a group share their scale, which may then wait until their sums are made."""
        return not self.scale or all(self.parameters[axis] == 1 for axis in self.axes)

    def write(self) -> tuple[str, str, str]:
        """The gradients of x, in `shape`, and of scale and shift, both in `parameters`.

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
