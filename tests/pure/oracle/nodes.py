"""Nodes made by hand, and their evaluation with and without fast versions."""

from __future__ import annotations

from collections.abc import Collection
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.graph import Node
from texelscope.pipeline.oracle.reference import Reference

Array = NDArray[Any]

FAST = Reference()
PLAIN = Reference(fast=False)


def node(
    op_type: str,
    input_count: int,
    *,
    opset: int = 21,
    output_count: int = 1,
    omitted: Collection[int] = (),
    **attributes: Any,
) -> Node:
    """A node with inputs x0, x1 … but those at `omitted`, and outputs y0, y1 …"""
    inputs = tuple("" if i in omitted else f"x{i}" for i in range(input_count))
    outputs = tuple(f"y{i}" for i in range(output_count))
    return Node(f"the {op_type}", op_type, inputs, outputs, MappingProxyType(attributes), "", opset)


def fast(made: Node, *inputs: Array | None) -> Array:
    """The node's first output with fast versions."""
    return output(FAST, made, *inputs)


def plain(made: Node, *inputs: Array | None) -> Array:
    """The node's first output by onnx.reference alone."""
    return output(PLAIN, made, *inputs)


def output(reference: Reference, made: Node, *inputs: Array | None) -> Array:
    """The node's first output."""
    first = reference.run_node(made, list(inputs))[0]
    assert first is not None
    return first


def random(*shape: int, dtype: Any = np.float32, seed: int = 0) -> Array:
    """Normally distributed values, the same in every run."""
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


def assert_close(actual: Array, expected: Array, *, within: float = 1e-5) -> None:
    """Same shape and dtype, and values within rounding of small sums of order one."""
    assert actual.dtype == expected.dtype
    assert actual.shape == expected.shape
    np.testing.assert_allclose(actual, expected, rtol=within, atol=within)
