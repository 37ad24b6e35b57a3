"""Collects the nodes of a network under construction: names, weights with their lines in the text, shared parts."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.graph import Node

# Pad, Resize, Clip and PRelu have had their present meaning since opset 16 or earlier.
OPSET = 17


class Nodes:
    """Holds nodes in the order of creation, over tensors [1, channels, height, width].

    `lines` has for each constant of literals their lines in the file, as int32 of its shape.
    """

    def __init__(self) -> None:
        self.made: list[Node] = []
        self.constants: dict[str, NDArray[Any]] = {}
        self.lines: dict[str, NDArray[np.int32]] = {}
        self.channels: dict[str, int] = {}
        self._shared: dict[Hashable, str] = {}
        self._names: set[str] = set()
        self._block = ""
        self._first = 0

    @property
    def used(self) -> frozenset[str]:
        """The tensors that nodes read."""
        return frozenset(tensor for node in self.made for tensor in node.inputs)

    def begin(self, block: str) -> None:
        """Begins a block, after which all further nodes are named."""
        self._block = block
        self._first = len(self.made)

    def finish(self, tensor: str, name: str) -> None:
        """Ends a block: `tensor` is its result and is called `name`."""
        own = range(self._first, len(self.made))
        at = next((i for i in own if tensor in self.made[i].outputs), None)
        if at is None or tensor in self._shared.values():
            self._names.add(name)
            self.node("Identity", [tensor], self.channels[tensor], named=name)
            return
        self._names.add(name)
        self.made[at] = dataclasses.replace(self.made[at], outputs=(name,))
        for i in own:
            inputs = tuple(name if each == tensor else each for each in self.made[i].inputs)
            self.made[i] = dataclasses.replace(self.made[i], inputs=inputs)
        self.channels[name] = self.channels.pop(tensor)

    def take_back(self) -> None:
        """Forgets the nodes since the last `begin`."""
        gone = {output for node in self.made[self._first :] for output in node.outputs}
        used = {name for node in self.made[: self._first] for name in node.inputs}
        del self.made[self._first :]
        self._shared = {key: name for key, name in self._shared.items() if name not in gone}
        self.constants = {name: value for name, value in self.constants.items() if name in used}
        self.lines = {name: value for name, value in self.lines.items() if name in used}

    def node(
        self,
        operator: str,
        inputs: Sequence[str],
        channels: int,
        attributes: Mapping[str, Any] | None = None,
        named: str | None = None,
    ) -> str:
        """Adds a node; returns the name of its tensor, which has that many channels."""
        output = named or self._unique(f"{self._block}/{operator}")
        self.made.append(Node(f"{output}" if named is None else f"{output}/{operator}", operator, tuple(inputs),
                              (output,), dict(attributes or {}), opset=OPSET))  # fmt: skip
        self.channels[output] = channels
        return output

    def shared(
        self,
        operator: str,
        inputs: Sequence[str],
        channels: int,
        attributes: Mapping[str, Any] | None = None,
    ) -> str:
        """Adds a node, as `node`; reuses the tensor of an equal earlier node."""
        key = (operator, tuple(inputs), tuple(sorted((k, str(v)) for k, v in (attributes or {}).items())))
        if key not in self._shared:
            self._shared[key] = self.node(operator, inputs, channels, attributes)
        return self._shared[key]

    def constant(self, kind: str, value: NDArray[Any], lines: NDArray[np.int32] | None = None) -> str:
        """Adds a constant named after the block and its `kind`; reuses one with the same value and kind."""
        if lines is None:
            key = ("constant", kind, value.dtype.str, value.shape, value.tobytes())
            if key in self._shared:
                return self._shared[key]
            name = self._shared[key] = self._unique(kind)
        else:
            name = self._unique(f"{self._block}.{kind}")
            self.lines[name] = lines
        self.constants[name] = value
        return name

    def _unique(self, wanted: str) -> str:
        name, number = wanted, 1
        while name in self._names:
            number += 1
            name = f"{wanted}_{number}"
        self._names.add(name)
        return name
