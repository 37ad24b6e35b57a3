"""Writes one node as several of ONNX's own, whose shapes are inferred as usual."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
from numpy.typing import ArrayLike, NDArray
from onnx import helper, numpy_helper

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.unique_names import UniqueNames

# The opset of the nodes: it has DequantizeLinear by blocks, Gelu and RMSNormalization.
OPSET = 23
_REAL = ("float32", "float16", "bfloat16", "float64")


@dataclass(frozen=True)
class NodeInput:
    """Describes an input of the node: a tensor's name, shape and numpy dtype name, and its value if known."""

    name: str
    shape: Shape
    dtype: str
    value: NDArray[Any] | None = None

    @property
    def rank(self) -> int:
        """The number of axes."""
        return len(self.shape)


class Writer:
    """Collects one node of com.microsoft, and the nodes that replace it.

    Tensors are handled by name. New tensors are named after the node, for which `name` is unique.
    """

    def __init__(
        self,
        name: str,
        op_type: str,
        inputs: Sequence[NodeInput | None],
        outputs: Sequence[str],
        attributes: Mapping[str, Any],
    ) -> None:
        self.name = name
        self.op_type = op_type
        self.inputs = tuple(inputs)
        self.outputs = tuple(outputs)
        self.attributes = attributes
        self._nodes: list[onnx.NodeProto] = []
        self._names = UniqueNames()
        self._results: dict[str, str] = {}

    def has(self, position: int) -> bool:
        """Reports whether the input at `position` is given."""
        return position < len(self.inputs) and self.inputs[position] is not None

    def given(self, position: int) -> NodeInput:
        """Returns the input at `position`. Raises UnsupportedError if it is omitted."""
        found = self.inputs[position] if position < len(self.inputs) else None
        if found is None:
            raise self.refusal(f"input {position}", "an omitted one")
        return found

    def x(self, position: int) -> str:
        """Returns the name of the input at `position`, which must be given."""
        return self.given(position).name

    def value(self, position: int, meaning: str) -> NDArray[Any]:
        """Returns the value of the input at `position`. Raises UnsupportedError if it depends on the run."""
        given = self.given(position)
        if given.value is None:
            raise self.refusal(
                f"{meaning} known before the run",
                f"'{given.name}', which depends on the input",
                "Make it an initializer.",
            )
        return given.value

    def wants(self, position: int) -> bool:
        """Reports whether the output at `position` is wanted."""
        return position < len(self.outputs) and bool(self.outputs[position])

    def attribute(self, name: str, default: Any) -> Any:
        """Returns the attribute, or its documented default."""
        return self.attributes.get(name, default)

    def some(self, *names: str) -> dict[str, Any]:
        """Returns those attributes by name, None for one that is left out."""
        return {name: self.attributes.get(name) for name in names}

    def required(self, name: str) -> Any:
        """Returns the attribute. Raises UnsupportedError if it is left out."""
        if name not in self.attributes:
            raise self.refusal(f"attribute '{name}'", "none")
        return self.attributes[name]

    def refusal(self, expected: str, got: str, do_next: str = "Check the exporting script.") -> UnsupportedError:
        """Returns an error that names the node."""
        return UnsupportedError(f"{self.op_type} '{self.name}'", expected, got, do_next)

    def add(self, op_type: str, *inputs: str, label: str = "", **attributes: Any) -> str:
        """Adds a node, an attribute of None left out; returns its output's name, which ends in `label`."""
        return self.add_several(op_type, *inputs, labels=(label or op_type.lower(),), **attributes)[0]

    def add_several(self, op_type: str, *inputs: str, labels: Sequence[str], **attributes: Any) -> tuple[str, ...]:
        """Adds a node with an output for each of `labels`."""
        names = tuple(self._names.give(f"{self.name}/{label}") for label in labels)
        said = {key: value for key, value in attributes.items() if value is not None}
        self._nodes.append(helper.make_node(op_type, list(inputs), list(names), names[0], **said))
        return names

    @property
    def real(self) -> str:
        """Returns the type of the real numbers that the node computes with: that of its first real input."""
        types = (given.dtype for given in self.inputs if given is not None)
        return next((dtype for dtype in types if dtype in _REAL), "float32")

    def constant(self, value: ArrayLike, dtype: str = "", label: str = "constant") -> str:
        """Adds a constant, of the type `real` unless another is named; returns its name."""
        name = self._names.give(f"{self.name}/{label}")
        kind = np.dtype(dtype or self.real)
        tensor = numpy_helper.from_array(np.asarray(value, dtype=kind, order="C"), name)
        self._nodes.append(helper.make_node("Constant", [], [name], name, value=tensor))
        return name

    def whole(self, *numbers: int, label: str = "sizes") -> str:
        """Adds a constant int64 [k]: sizes of a shape, axes, starts."""
        return self.constant(numbers, "int64", label)

    def reshape(self, x: str, *sizes: int, label: str = "") -> str:
        """Reshapes `x`; 0 keeps the size, −1 is the rest."""
        return self.add("Reshape", x, self.whole(*sizes), label=label)

    def result(self, position: int, tensor: str) -> None:
        """Makes `tensor` the node's output at `position`; has no effect if that is not wanted."""
        if not self.wants(position):
            return
        made = {name for node in self._nodes for name in node.output}
        taken = tensor not in made or tensor in self._results
        self._results[self.add("Identity", tensor) if taken else tensor] = self.outputs[position]

    def nodes(self) -> tuple[onnx.NodeProto, ...]:
        """Returns the added nodes, in order; the node of the first output has the name of the replaced one."""
        for node in self._nodes:
            for names in (node.input, node.output):
                for position, name in enumerate(names):
                    names[position] = self._results.get(name, name)
            if self.outputs[0] in node.output:
                node.name = self.name
        return tuple(self._nodes)


# Adds the nodes that replace a node, and names its outputs among their tensors.
Write = Callable[[Writer], None]
