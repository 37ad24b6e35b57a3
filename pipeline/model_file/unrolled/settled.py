"""Replaces settings computed by other nodes (a shape, lengths of sequences) by their known values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper

from texelscope.pipeline.graph import Node, Shape
from texelscope.pipeline.model_file.unrolled.at_hand import AtHand
from texelscope.pipeline.operators.families.registry import all_operators, key_of

# A larger tensor is no setting.
MAX_ELEMENTS = 1 << 16


class Known(Protocol):
    """Gives access to the graph so far."""

    at_hand: AtHand
    nodes: list[Node]
    types: dict[str, onnx.TypeProto]
    constants: dict[str, NDArray[Any]]

    def add_constant(self, name: str, value: NDArray[Any]) -> None:
        """Adds a tensor that is known before the run."""

    def shape(self, name: str) -> Shape | None:
        """Returns None if it is unknown."""


def settled(proto: onnx.NodeProto, known: Known) -> onnx.NodeProto | None:
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


def _values(proto: onnx.NodeProto, known: Known) -> Iterator[tuple[int, NDArray[Any] | None]]:
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
