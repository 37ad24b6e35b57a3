"""The tensor that one computes with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

import numpy as np

from pipeline.errors import TexelscopeError
from pipeline.tensors.arithmetic import Arithmetic
from pipeline.tensors.core import REAL
from pipeline.tensors.elementwise import Functions
from pipeline.tensors.reductions import Reductions
from pipeline.tensors.shaping import Shaping
from pipeline.tensors.way_back import go_back


class Tensor(Arithmetic, Functions, Reductions, Shaping):
    """A tensor in a texture on the GPU; what is computed of it stays there until `numpy()` asks for it.

    `Tensor(array, layout="auto", requires_grad=False, device=None)`: anything that numpy takes, as float32, int64,
    int32 or bool, in a layout by name, on the device that is named or `default_device()`. Results have the layout of
    their first tensor.
    """

    def backward(self, gradient: Tensor | None = None, *, retain_graph: bool = False) -> None:
        """Gives every leaf that it was made of its gradient, added to what is in `grad`.

        `gradient` is that of what this tensor goes into, of its shape; one element needs none. What was recorded is let
        go of unless `retain_graph`. Raises TexelscopeError for a tensor of which nothing was recorded, for one of
        several elements without `gradient`, and where the way was gone before.
        """
        if not self.requires_grad:
            expected = "a tensor made of one that requires a gradient"
            got, do_next = "one of which nothing was recorded", "Set requires_grad=True, and leave no_grad()."
            raise TexelscopeError("backward()", expected, got, do_next)
        if gradient is None:
            if self.size != 1:
                expected = "a tensor of one element, or the gradient that arrives at it"
                got, do_next = f"{list(self.shape)} and no gradient", "Sum it, or call backward(gradient)."
                raise TexelscopeError("backward()", expected, got, do_next)
            arriving = self.device.number(1.0, REAL, self.layout)
            if self.ndim:
                arriving = self.device.hold(np.ones(self.shape), REAL, self.layout)
        else:
            if (gradient.shape, gradient.device) != (self.shape, self.device):
                where = "of the same device" if gradient.shape == self.shape else f"{list(self.shape)}"
                got = "one of another" if gradient.shape == self.shape else f"{list(gradient.shape)}"
                raise TexelscopeError("backward()", f"a gradient {where}", got, "Give one of the tensor's shape.")
            arriving = gradient.held
        go_back(self, arriving, keep=retain_graph)

    def __iter__(self) -> Iterator[Self]:
        return (self[i] for i in range(len(self)))
