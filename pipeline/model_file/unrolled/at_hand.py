"""The values at hand: those of inputs, and of what cannot run, and what the nodes so far make of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Node
from texelscope.pipeline.oracle.reference import Reference
from texelscope.pipeline.quotas import hold

Array = NDArray[Any]

# How often evaluation holds a node's tensors at times.
_AT_TIMES = 3


class AtHand:
    """Evaluates tensors in numpy and keeps what was decided by them.

    `decided` are the values that the graph was built for, `undecided` the tensors whose values would have decided more,
    with the reason why they are not known: none where that is because an input is missing, which `complete` denies.
    """

    def __init__(self, values: Mapping[str, Array], reference: Reference, *, complete: bool = False) -> None:
        self.decided: dict[str, Array] = {}
        self.undecided: dict[str, str] = {}
        self._values = dict(values)
        self._reference = reference
        self._complete = complete
        self._bytes_of: Callable[[str], int] = lambda _name: 0

    def know(self, bytes_of: Callable[[str], int]) -> None:
        """From now on tensors have so many bytes, 0 where nobody knows: what takes too many is not evaluated."""
        self._bytes_of = bytes_of

    def retype(self, name: str, dtype: np.dtype[Any]) -> None:
        """The tensor is of that type, whatever its value came as."""
        if name in self._values and self._values[name].dtype != dtype:
            self._values[name] = self._values[name].astype(dtype)

    def value(self, name: str, nodes: Sequence[Node], constants: Mapping[str, Array]) -> Array | None:
        """The tensor's value, made by `nodes`; None, and the reason in `undecided`, where it cannot be evaluated."""
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
        hold(f"{node.op_type} '{node.name}'", "memory_bytes", _AT_TIMES * taken, " to decide what hangs on it")
        return True
