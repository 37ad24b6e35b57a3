"""Defines a recipe, and the tensors that recipes share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
from numpy.typing import DTypeLike

from tests.conformance.cases import Array


@dataclass(frozen=True)
class Chain:
    """Surrounds a node that takes or gives sequences, which are no inputs or outputs of a trial.

    `before` makes the tensors that `names`, the node's inputs, speak of beside in0, in1 …; `after` makes `results` of
    the node's outputs out0, out1 …
    """

    before: tuple[onnx.NodeProto, ...]
    names: tuple[str, ...]
    after: tuple[onnx.NodeProto, ...] = ()
    results: tuple[str, ...] = ("out0",)


@dataclass(frozen=True)
class Recipe:
    """One node: inputs in its order (None for an omitted one), attributes, and how many outputs are asked for.

    `known` are the positions of inputs that the model itself holds; by default those of whole numbers and truth values
    but the first. `beside` are tensors that bodies of the node read, though it does not name them; they are called as
    further inputs would be.
    """

    inputs: tuple[Array | None, ...]
    attributes: Mapping[str, Any]
    outputs: int = 1
    known: tuple[int, ...] | None = None
    beside: tuple[Array, ...] = ()
    chain: Chain | None = None


def numbers(*shape: int, seed: int = 0, dtype: DTypeLike = np.float32, low: float = -2.0, high: float = 2.0) -> Array:
    """Numbers between two, the same each time; whole ones from 0 to 9 for whole types."""
    drawn = np.random.default_rng(seed)
    kind = np.dtype(dtype).kind
    if kind == "b":
        return drawn.random(shape) < 0.5
    if kind in "iu":
        return drawn.integers(0, 10, shape).astype(dtype)
    return drawn.uniform(low, high, shape).astype(dtype)


def whole(*values: int, dtype: DTypeLike = np.int64) -> Array:
    """Returns a list of whole numbers."""
    return np.array(values, dtype)


def one(value: float, dtype: DTypeLike = np.float32) -> Array:
    """Returns one number without an axis."""
    return np.array(value, dtype)


def node(*inputs: Array | None, outputs: int = 1, known: tuple[int, ...] | None = None, **attributes: Any) -> Recipe:
    """A recipe as a node is written."""
    return Recipe(inputs, attributes, outputs, known)


def always(*recipes: Recipe) -> Recipes:
    return lambda version: list(recipes)


X = numbers(2, 3, 4, 5)
POSITIVE = numbers(2, 3, 4, 5, low=0.1, high=3.0)
INSIDE = numbers(2, 3, 4, 5, low=-0.9, high=0.9)
PICTURE = numbers(1, 4, 6, 6)
COUNTS = numbers(3, 4, dtype=np.uint8)
Recipes = Callable[[int], list[Recipe]]
TRUTHS = numbers(2, 3, 4, 5, dtype=np.bool_), numbers(2, 3, 4, 5, seed=1, dtype=np.bool_)
INTEGERS = numbers(3, 4, dtype=np.uint8), numbers(3, 4, seed=1, dtype=np.uint8) % 4
INDICES = np.array([[0, 2, 1], [2, 0, 0]], np.int64)
