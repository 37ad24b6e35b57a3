"""Defines the interface of an unrolled operator to the graph under construction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import onnx
from numpy.typing import NDArray

from texelscope.pipeline.graph import Shape


class GraphScope(Protocol):
    """Gives access to the graph so far, in the order in which it runs.

    `sequences` holds the tensors of each sequence by name, and `optionals` the content of each optional value, None for
    nothing. `opset` is the version of ONNX's own operators for the node.
    """

    sequences: dict[str, tuple[str, ...]]
    optionals: dict[str, str | None]
    opset: int

    def emit(self, proto: onnx.NodeProto) -> None:
        """Adds a node, or its unrolled form. Raises UnsupportedError if there are too many."""
        ...

    def count(self, proto: onnx.NodeProto) -> None:
        """Counts an iteration of a loop, which may have no nodes. Raises QuotaError if there are too many."""
        ...

    def add_constant(self, name: str, value: NDArray[Any]) -> None:
        """Adds a tensor that is known before the run."""
        ...

    def add_initializer(self, tensor: onnx.TensorProto) -> None:
        """Adds a constant, as `add_constant`, from a body's initializer."""
        ...

    def value(self, proto: onnx.NodeProto, name: str, what: str) -> NDArray[Any]:
        """Returns the value of a tensor: a constant, or computed from known values.

        Raises UnsupportedError if it is unknown; `what` says what the node needs it for.
        """
        ...

    def shape(self, proto: onnx.NodeProto, name: str) -> Shape:
        """Returns the tensor's shape. Raises UnsupportedError if it is unknown."""
        ...

    def unique(self, proto: onnx.NodeProto) -> str:
        """Returns a unique name for the node, to name its unrolled form after."""
        ...

    def has(self, name: str) -> bool:
        """Reports whether that name exists already."""
        ...

    def who(self, proto: onnx.NodeProto) -> str:
        """Returns the node's name in errors."""
        ...


# Replaces a node by plain ones. Raises UnsupportedError if a needed value is unknown.
Unroll = Callable[[onnx.NodeProto, GraphScope], None]


def body_of(proto: onnx.NodeProto, name: str = "body") -> onnx.GraphProto:
    """Returns the body in the attribute; an empty one if it is left out."""
    return next((each.g for each in proto.attribute if each.name == name), onnx.GraphProto())
