"""A model as pure data: operator nodes in topological order over tensors of known shape and type.

`pipeline.model_file` makes a `Graph` of an ONNX message, and rewrites and conventions make one of another; the planner,
the oracle and the diagnosis read it. Nothing here imports onnx or GL, so a graph can be built by hand in a test.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import UnsupportedError

Shape = tuple[int, ...]

# The domain of operators that only this program knows: what rewrites and conventions need beside ONNX's own.
OWN_DOMAIN = "texelscope"
# The domain of ONNX Runtime's own operators.
CONTRIB_DOMAIN = "com.microsoft"


@dataclass(frozen=True)
class TensorInfo:
    """Name, logical shape and element type (a numpy dtype name such as `float32`) of one tensor."""

    name: str
    shape: Shape
    dtype: str = "float32"

    @property
    def count(self) -> int:
        """Number of elements."""
        return int(np.prod(self.shape, dtype=np.int64))


# What a gradient is called after its tensor, as PyTorch's users know it.
GRADIENT = ".grad"


@dataclass(frozen=True)
class Node:
    """One operator application, by a name that no other node of its graph has.

    `inputs` and `outputs` are tensor names; an omitted optional one is the empty string. `attributes` hold
    Python scalars, strings, tuples or numpy arrays, the schema's defaults among them; the bodies of a control-flow
    node, which nothing here runs, are kept as they came. `opset` is the version of `domain` under which the node is
    to be understood ("" is ONNX's own domain).
    """

    name: str
    op_type: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    domain: str = ""
    opset: int = 1


@dataclass(frozen=True)
class Graph:
    """Nodes in topological order over named tensors.

    `constants` are the tensors whose value is known without running (weights, folded nodes) and that somebody reads.
    `tensors` describes inputs, constants and node outputs alike; one whose shape depends on data, or that follows an
    operator unknown to ONNX, is not among them. `refusals` says of nodes, by name, why they could not be written in
    terms of others. `decided` is what the values at hand made of the tensors that control flow hangs on, `undecided`
    names those of them that wait for the values of inputs. Of a graph with backward nodes, `backward` by name,
    `differentiated` is the tensor whose gradients they make, and `gradients` says by tensor which is its gradient.
    """

    name: str
    nodes: tuple[Node, ...]
    tensors: Mapping[str, TensorInfo]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    constants: Mapping[str, NDArray[Any]]
    refusals: Mapping[str, UnsupportedError] = field(default_factory=lambda: MappingProxyType({}))
    decided: Mapping[str, NDArray[Any]] = field(default_factory=lambda: MappingProxyType({}))
    undecided: tuple[str, ...] = ()
    gradients: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    backward: frozenset[str] = frozenset()
    differentiated: str = ""

    def producer(self, tensor: str) -> Node | None:
        """The node that makes `tensor`; None for inputs and constants."""
        return self._producers.get(tensor)

    def tensor_called(self, name: str) -> str:
        """`name`; for `T.grad`, where that is no tensor, the gradient of T: it may go by the name of another's.

        As where T is one side of a sum, through which the gradient goes as it is.
        """
        of = name.removesuffix(GRADIENT)
        return self.gradients.get(of, name) if of != name and name not in self.tensors else name

    @cached_property
    def made_backward(self) -> frozenset[str]:
        """The tensors that backward nodes make."""
        return frozenset(name for node in self.nodes if node.name in self.backward for name in node.outputs if name)

    @cached_property
    def _producers(self) -> Mapping[str, Node]:
        return {output: node for node in reversed(self.nodes) for output in reversed(node.outputs)}
