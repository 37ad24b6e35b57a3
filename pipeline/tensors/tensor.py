"""Defines the tensor that programs compute with."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from types import ModuleType
from typing import Any, Self

import numpy as np

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.tensors.apply import apply
from texelscope.pipeline.tensors.backward import go_back
from texelscope.pipeline.tensors.core import REAL
from texelscope.pipeline.tensors.elementwise import Bits, Functions
from texelscope.pipeline.tensors.reductions import Reductions
from texelscope.pipeline.tensors.shaping import Shaping
from texelscope.pipeline.tensors.types import beside, broadcast_shape, cast


class Tensor(Bits, Functions, Reductions, Shaping):
    """A tensor in a texture on the GPU; results stay there until `numpy()` reads them.

    `Tensor(array, layout="auto", requires_grad=False, device=None)`: anything that numpy takes, as float32, int64,
    int32 or bool, in a layout by name, on the named device or `default_device()`. Results have the layout of their
    first tensor.
    """

    def backward(self, gradient: Tensor | None = None, *, retain_graph: bool = False) -> None:
        """Adds to the `grad` of every leaf behind this tensor its gradient.

        `gradient` is the one that arrives at this tensor, of its shape; one element needs none. The record is freed
        unless `retain_graph`. Raises TexelscopeError for a tensor without a record, for one of several elements without
        `gradient`, and where the record was freed before.
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

    def __setitem__(self, index: Any, value: Any) -> None:
        """Writes other numbers at the places of `x[index]`; `value` broadcasts to them. Errors as of `assign`."""
        places = self.places(index)
        given = cast(beside(self, value), self.dtype)
        if broadcast_shape("index", given.shape, places.shape) != places.shape:
            raise TexelscopeError("index", f"values for {list(places.shape)}", str(list(given.shape)), "Reshape them.")
        if not places.size:
            return
        source = np.full(self.size, -1)
        source[places.reshape(-1)] = np.arange(places.size)
        taken = type(self)(source.reshape(self.shape), layout=self.layout, device=self.device)
        spread = given.broadcast_to(places.shape).reshape(-1)
        self.assign(apply("Where", taken >= 0, apply("Gather", spread, taken.clip(0), axis=0), self))

    def __array_namespace__(self, *, api_version: str | None = None) -> ModuleType:
        """Returns the functions of the Python array API for tensors, `pipeline.tensors.array_api`.

        Raises TexelscopeError for another version than it has.
        """
        # The functions stand above the class that they make.
        found = importlib.import_module("texelscope.pipeline.tensors.array_api")
        if api_version not in (None, found.__array_api_version__):
            raise TexelscopeError("array API", found.__array_api_version__, str(api_version), "Ask for this version.")
        return found

    def __iter__(self) -> Iterator[Self]:
        return (self[i] for i in range(len(self)))
