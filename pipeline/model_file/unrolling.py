"""What there is of a graph while it is built, and what an operator that is unrolled sees of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import onnx
from numpy.typing import NDArray

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.graph import Node, Shape
from texelscope.pipeline.model_file.asked_for import count_of
from texelscope.pipeline.model_file.message import array_of
from texelscope.pipeline.model_file.nodes import label, who
from texelscope.pipeline.model_file.tensor_types.known_types import static_shape, type_of
from texelscope.pipeline.model_file.unrolled.at_hand import AtHand
from texelscope.pipeline.quotas import QuotaError, hold, present
from texelscope.pipeline.unique_names import UniqueNames

# Bytes of most element types.
_ABOUT_BYTES = 4
_INJECT = "Go on after it with its value: --inject TENSOR=FILE.npy."

Add = Callable[[onnx.NodeProto, Mapping[str, int]], None]


@dataclass
class SoFar:
    """The nodes so far with the types and constants that they read and make; `model` is what errors call the file.

    `sequences` and `optionals` say what those hold, see `Scope`.
    """

    model: str
    at_hand: AtHand
    nodes: list[Node] = field(default_factory=list)
    types: dict[str, onnx.TypeProto] = field(default_factory=dict)
    constants: dict[str, NDArray[Any]] = field(default_factory=dict)
    names: UniqueNames = field(default_factory=UniqueNames)
    sequences: dict[str, tuple[str, ...]] = field(default_factory=dict)
    optionals: dict[str, str | None] = field(default_factory=dict)
    unrolled_count: int = 0
    constant_bytes: int = 0

    def add_constant(self, name: str, value: NDArray[Any]) -> None:
        """A tensor that is known before the run. Raises QuotaError where all of them take too much memory."""
        self.constant_bytes += value.nbytes
        hold(f"constant '{name}' ({self.model})", "memory_bytes", self.constant_bytes, " with those before")
        self.constants[name] = value
        self.types[name] = type_of(value)

    def hold(self, name: str, who: str) -> None:
        """Raises QuotaError for a tensor of too many dimensions or elements; `who` is what makes it."""
        shape = self.shape(name)
        if shape is not None:
            hold(who, "dimensions", len(shape), f" of '{name}'")
            hold(who, "elements", count_of(shape), f" of '{name}' {list(shape)}")

    def bytes_of(self, name: str) -> int:
        """About how many bytes a tensor takes in numpy; 0 where its shape is not known."""
        return count_of(self.shape(name) or ()) * _ABOUT_BYTES if name in self.types else 0

    def tensors(self, name: str) -> tuple[str, ...]:
        """The tensors that a sequence or an optional value holds; itself for a tensor."""
        if name in self.optionals:
            held = self.optionals[name]
            return () if held is None else self.tensors(held)
        return self.sequences.get(name, (name,))

    def shape(self, name: str) -> Shape | None:
        """None for a tensor whose shape is not known, and for what is none."""
        return static_shape(self.types[name]) if name in self.types else None


class Unrolling:
    """A `Scope` on what there is so far; `opsets` are those that hold for its node, `add` takes what is to be added."""

    def __init__(self, so_far: SoFar, opsets: Mapping[str, int], add: Add) -> None:
        self._so_far = so_far
        self._opsets = opsets
        self._add = add
        self.sequences = so_far.sequences
        self.optionals = so_far.optionals
        self.opset = opsets.get("", 1)
        self.add_constant = so_far.add_constant

    def emit(self, proto: onnx.NodeProto) -> None:
        """See `Scope`."""
        self.count(proto)
        self._add(proto, self._opsets)

    def count(self, proto: onnx.NodeProto) -> None:
        """See `Scope`."""
        self._so_far.unrolled_count += 1
        if self._so_far.unrolled_count > present().loop_nodes:
            raise QuotaError(self.who(proto), "loop_nodes", present().loop_nodes, None, " of all turns")

    def add_initializer(self, tensor: onnx.TensorProto) -> None:
        """See `Scope`."""
        self.add_constant(tensor.name, array_of(tensor, self._so_far.model))

    def value(self, proto: onnx.NodeProto, name: str, what: str) -> NDArray[Any]:
        """See `Scope`."""
        at_hand = self._so_far.at_hand
        found = at_hand.value(name, self._so_far.nodes, self._so_far.constants)
        if found is None:
            reason = at_hand.undecided[name]
            got = f"'{name}', which depends on {reason or 'the inputs'}"
            do_next = _INJECT if reason else "Set the inputs: it is planned for their values."
            raise UnsupportedError(self.who(proto), f"{what} known once the inputs are", got, do_next)
        return found

    def shape(self, proto: onnx.NodeProto, name: str) -> Shape:
        """See `Scope`."""
        found = self._so_far.shape(name)
        if found is None:
            raise UnsupportedError(
                self.who(proto), "tensors of a shape known before the run", f"'{name}' without one", _INJECT
            )
        return found

    def unique(self, proto: onnx.NodeProto) -> str:
        """See `Scope`."""
        return self._so_far.names.give(label(proto))

    def has(self, name: str) -> bool:
        """See `Scope`."""
        return name in self._so_far.types or name in self.sequences or name in self.optionals

    def who(self, proto: onnx.NodeProto) -> str:
        """See `Scope`."""
        return f"{who(proto)} ({self._so_far.model})"
