"""Holds a graph under construction, and what is known of its values before a run.

Known are those of inputs, of nodes that cannot run, and what the nodes so far compute from them. They replace settings
that other nodes compute, such as a shape or lengths of sequences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Node, Shape
from texelscope.pipeline.model_file.asked_for import count_of
from texelscope.pipeline.model_file.tensor_types.known_types import static_shape, type_of
from texelscope.pipeline.operators.families.registry import all_operators, key_of
from texelscope.pipeline.oracle.reference import Reference
from texelscope.pipeline.quotas import hold
from texelscope.pipeline.unique_names import UniqueNames

Array = NDArray[Any]

# How often evaluation may hold a node's tensors at once.
_AT_TIMES = 3
# Bytes of most element types.
_ABOUT_BYTES = 4
# A larger tensor is no setting.
MAX_ELEMENTS = 1 << 16


class AtHand:
    """Evaluates tensors in numpy and records which decisions used them.

    `decided` are the values that the graph was built for, `undecided` the tensors whose values would have decided more,
    with the reason why they are unknown: none if that is because an input is missing, which `complete` denies.
    """

    def __init__(self, values: Mapping[str, Array], reference: Reference, *, complete: bool = False) -> None:
        self.decided: dict[str, Array] = {}
        self.undecided: dict[str, str] = {}
        self._values = dict(values)
        self._reference = reference
        self._complete = complete
        self._bytes_of: Callable[[str], int] = lambda _name: 0

    def know(self, bytes_of: Callable[[str], int]) -> None:
        """Records that tensors have this many bytes, 0 for unknown: nodes that take too many are not evaluated."""
        self._bytes_of = bytes_of

    def retype(self, name: str, dtype: np.dtype[Any]) -> None:
        """Records the tensor's type, whatever the type of its value."""
        if name in self._values and self._values[name].dtype != dtype:
            self._values[name] = self._values[name].astype(dtype)

    def value(self, name: str, nodes: Sequence[Node], constants: Mapping[str, Array]) -> Array | None:
        """Returns the tensor's value, from `nodes`; None, with the reason in `undecided`, if it cannot be evaluated."""
        if name in constants:
            return constants[name]
        try:
            made = self._reference.run(nodes, {**constants, **self._values}, wanted=[name], proceed=self._has_room)
        except TexelscopeError as error:
            self.undecided[name] = f"{error.who}: expected {error.expected}, got {error.got}" if self._complete else ""
            return None
        self._values.update(made)
        self.decided[name] = np.asarray(made[name])
        return self.decided[name]

    def _has_room(self, node: Node, _position: int, _count: int) -> bool:
        """Raises QuotaError for a node that would take too much memory."""
        taken = sum(map(self._bytes_of, {*node.inputs, *node.outputs}))
        hold(f"{node.op_type} '{node.name}'", "memory_bytes", _AT_TIMES * taken, " to decide what depends on it")
        return True


@dataclass
class SoFar:
    """Holds the nodes so far with the types and constants that they use; errors call the file `model`.

    `sequences` and `optionals` have their content, see `GraphScope`.
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
        """Adds a tensor that is known before the run. Raises QuotaError if all of them take too much memory."""
        self.constant_bytes += value.nbytes
        hold(f"constant '{name}' ({self.model})", "memory_bytes", self.constant_bytes, " with those before")
        self.constants[name] = value
        self.types[name] = type_of(value)

    def hold(self, name: str, who: str) -> None:
        """Raises QuotaError for a tensor of too many dimensions or elements; `who` computes it."""
        shape = self.shape(name)
        if shape is not None:
            hold(who, "dimensions", len(shape), f" of '{name}'")
            hold(who, "elements", count_of(shape), f" of '{name}' {list(shape)}")

    def bytes_of(self, name: str) -> int:
        """Estimates the bytes of a tensor in numpy; 0 where its shape is unknown."""
        return count_of(self.shape(name) or ()) * _ABOUT_BYTES if name in self.types else 0

    def tensors(self, name: str) -> tuple[str, ...]:
        """Returns the tensors in a sequence or an optional value; itself for a tensor."""
        if name in self.optionals:
            held = self.optionals[name]
            return () if held is None else self.tensors(held)
        return self.sequences.get(name, (name,))

    def shape(self, name: str) -> Shape | None:
        """Returns None for a tensor whose shape is unknown, and for anything else."""
        return static_shape(self.types[name]) if name in self.types else None


def settled(proto: onnx.NodeProto, known: SoFar) -> onnx.NodeProto | None:
    """Returns the node with constants for its settings; None if it has no variable ones, or they are unknown.

    The constants are named after the tensors whose values they have, which other nodes still use.
    """
    values = dict(_values(proto, known))
    if not values or any(value is None for value in values.values()):
        return None
    replaced = onnx.NodeProto()
    replaced.CopyFrom(proto)
    for position, value in values.items():
        assert value is not None
        replaced.input[position] = f"{proto.input[position]} (known)"
        known.add_constant(replaced.input[position], value)
    return replaced


def _values(proto: onnx.NodeProto, known: SoFar) -> Iterator[tuple[int, NDArray[Any] | None]]:
    operator = all_operators().get(key_of(proto.op_type, proto.domain))
    if operator is None or any(name and known.shape(name) is None for name in proto.input):
        return
    lacks_shape = any(name and known.shape(name) is None for name in proto.output)
    for position, name in enumerate(proto.input):
        if not name or name in known.constants or not _is_small(known.shape(name)):
            continue
        if position in operator.settings or (lacks_shape and _is_whole(known.types[name])):
            yield position, known.at_hand.value(name, known.nodes, known.constants)


def _is_small(shape: Shape | None) -> bool:
    return shape is not None and int(np.prod(shape, dtype=np.int64)) <= MAX_ELEMENTS


def _is_whole(kind: onnx.TypeProto) -> bool:
    """Whether it is a tensor of integers or truth values, as shapes, indices and conditions are."""
    return helper.tensor_dtype_to_np_dtype(kind.tensor_type.elem_type).kind in "biu"
