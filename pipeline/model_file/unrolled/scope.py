"""What an operator that is unrolled sees of the graph that is being built, and puts into it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import onnx
from numpy.typing import NDArray

from texelscope.pipeline.graph import Shape


class GraphScope(Protocol):
    """The graph so far, in the order in which it runs.

    `sequences` holds the tensors of each sequence by name, and `optionals` what each optional value holds, None for
    nothing. `opset` is the version of ONNX's own operators that holds for the node.
    """

    sequences: dict[str, tuple[str, ...]]
    optionals: dict[str, str | None]
    opset: int

    def emit(self, proto: onnx.NodeProto) -> None:
        """Adds a node, or what it is unrolled into. Raises UnsupportedError where there are too many."""
        ...

    def count(self, proto: onnx.NodeProto) -> None:
        """Counts a turn of a loop, which may have no nodes. Raises QuotaError where there are too many."""
        ...

    def add_constant(self, name: str, value: NDArray[Any]) -> None:
        """Adds a tensor that is known before the run."""
        ...

    def add_initializer(self, tensor: onnx.TensorProto) -> None:
        """As `add_constant`, of a body's initializer."""
        ...

    def value(self, proto: onnx.NodeProto, name: str, what: str) -> NDArray[Any]:
        """The value of a tensor: a constant, or what the values at hand make it.

        Raises UnsupportedError where it is not known; `what` says what the node needs it for.
        """
        ...

    def shape(self, proto: onnx.NodeProto, name: str) -> Shape:
        """The tensor's shape. Raises UnsupportedError where it is not known."""
        ...

    def unique(self, proto: onnx.NodeProto) -> str:
        """A name for the node that nothing else has, to call after it what it is unrolled into."""
        ...

    def has(self, name: str) -> bool:
        """Whether something of that name is there already."""
        ...

    def who(self, proto: onnx.NodeProto) -> str:
        """What errors call the node."""
        ...


# Puts plain nodes in place of one. Raises UnsupportedError where what it needs is not known.
Unroll = Callable[[onnx.NodeProto, GraphScope], None]


def body_of(proto: onnx.NodeProto, name: str = "body") -> onnx.GraphProto:
    """The body that the attribute holds; an empty one where it is left out."""
    return next((each.g for each in proto.attribute if each.name == name), onnx.GraphProto())
