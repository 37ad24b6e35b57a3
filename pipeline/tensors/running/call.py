"""Describes a call by all that its plan depends on: operator, attributes and input types; and builds its graph."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.base import Layout
from texelscope.pipeline.errors import TexelscopeError, UnsupportedError
from texelscope.pipeline.gradients.reverse import BackwardGraph, backward_alone, differentiated
from texelscope.pipeline.graph import Graph, Shape, TensorInfo
from texelscope.pipeline.model_file.continued import continued
from texelscope.pipeline.model_file.contrib.writer import Writer


@dataclass(frozen=True)
class TensorSignature:
    """Describes a tensor by all that a plan depends on."""

    shape: Shape
    dtype: str
    layout: Layout

    def __str__(self) -> str:
        return f"{self.dtype}{list(self.shape)}"


@dataclass(frozen=True)
class Constant:
    """Holds numbers that a plan depends on: axes, sizes, bounds."""

    shape: Shape
    dtype: str
    data: bytes

    @classmethod
    def of(cls, array: NDArray[Any]) -> Constant:
        """Returns that of an array."""
        return cls(array.shape, array.dtype.name, array.tobytes())

    def array(self) -> NDArray[Any]:
        """Returns the numbers."""
        return np.frombuffer(self.data, dtype=self.dtype).reshape(self.shape)

    def __str__(self) -> str:
        return str(self.array().tolist())


Given = TensorSignature | Constant | None


@dataclass(frozen=True)
class OperatorCall:
    """One operator on inputs of those looks, with that many outputs, in that layout (by name).

    Inputs are named `x0`, `x1` …, outputs `y0`, `y1` …
    """

    op_type: str
    inputs: tuple[Given, ...]
    attributes: tuple[tuple[str, Any], ...]
    outputs: int
    layout: str

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the inputs; empty for an omitted one."""
        return tuple(f"x{i}" if given is not None else "" for i, given in enumerate(self.inputs))

    def looks(self) -> Mapping[str, TensorSignature]:
        """Returns the inputs that are tensors, by name."""
        return {f"x{i}": given for i, given in enumerate(self.inputs) if isinstance(given, TensorSignature)}

    @cached_property
    def graph(self) -> Graph:
        """Builds the graph of this operator. Raises TexelscopeError, in terms of the call, if inputs do not fit."""
        names = self.names
        outputs = [f"y{i}" for i in range(self.outputs)]
        known = {name: given for name, given in zip(names, self.inputs, strict=True) if given is not None}
        tensors = {name: TensorInfo(name, given.shape, given.dtype) for name, given in known.items()}
        constants = {name: given.array() for name, given in known.items() if isinstance(given, Constant)}
        inputs = tuple(name for name in known if name not in constants)
        base = Graph("tensors", (), MappingProxyType(tensors), inputs, (), MappingProxyType(constants))
        writer = Writer(self.op_type, self.op_type, (), outputs, {})
        made = writer.add_several(self.op_type, *names, labels=outputs, **dict(self.attributes))
        for i, name in enumerate(made):
            writer.result(i, name)
        try:
            graph = continued(base, writer.nodes(), outputs, base.name)
        except TexelscopeError as error:
            raise self.refusal(error.do_next) from error
        if any(name not in graph.tensors for name in outputs):
            raise self.refusal("Its result has no shape that is known before it runs.")
        return graph

    def refusal(self, do_next: str) -> TexelscopeError:
        """Returns the error of inputs that do not fit the operator."""
        expected = "shapes, types and arguments that fit together"
        advice = do_next if do_next != "Check the exporting script." else "Check them against each other."
        return TexelscopeError(self.op_type, expected, self._given, advice)

    @property
    def _given(self) -> str:
        said = [str(given) for given in self.inputs if given is not None]
        said += [f"{name}={value}" for name, value in self.attributes]
        return ", ".join(said) or "nothing"


def attributes_of(attributes: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """Returns attributes as part of a key: in order, without those of None, lists as tuples."""
    said = ((name, value) for name, value in sorted(attributes.items()) if value is not None)
    return tuple(
        (name, tuple(value) if isinstance(value, Sequence | np.ndarray) and not isinstance(value, str) else value)
        for name, value in said
    )


@dataclass(frozen=True)
class BackwardCall:
    """Describes a call's backward pass: the inputs that want a gradient, the outputs at which gradients arrive.

    The gradient at output i is called `dyi`: `dy0`, `dy1` …
    """

    call: OperatorCall
    wanted: tuple[bool, ...]
    arriving: tuple[TensorSignature | None, ...]
    made: tuple[TensorSignature, ...]

    @property
    def op_type(self) -> str:
        """The name in errors."""
        return f"backward() through {self.call.op_type}"

    def looks(self) -> Mapping[str, TensorSignature]:
        """Returns all tensors that the backward nodes may read, by name."""
        found = dict(self.call.looks())
        found.update({f"y{i}": each for i, each in enumerate(self.made)})
        found.update({f"dy{i}": each for i, each in enumerate(self.arriving) if each is not None})
        return found

    def written(self) -> BackwardGraph:
        """Returns the backward nodes. Raises UnsupportedError for an operator without a derivative."""
        graph = self.call.graph
        arriving = {f"y{i}": f"dy{i}" for i, each in enumerate(self.arriving) if each is not None}
        seeds = {name: TensorInfo(name, graph.tensors[of].shape, "float32") for of, name in arriving.items()}
        graph = dataclasses.replace(graph, tensors=MappingProxyType({**graph.tensors, **seeds}))
        wrt = [name for name, is_wanted in zip(self.call.names, self.wanted, strict=True) if is_wanted]
        alone = backward_alone(graph, arriving, wrt)
        if alone.graph is None or self.looks().keys() >= set(alone.graph.inputs):
            return alone
        return self._with_forward(graph, arriving, wrt)

    def _with_forward(self, graph: Graph, arriving: Mapping[str, str], wrt: Sequence[str]) -> BackwardGraph:
        """Returns what `written` does, for an operator of several nodes, whose tensors between are recomputed."""
        (of, seed), *others = arriving.items()
        if others:
            got = "gradients at several outputs"
            raise UnsupportedError(self.call.op_type, "a gradient at one output", got, "Use one output.")
        found = differentiated(dataclasses.replace(graph, inputs=(*graph.inputs, seed)), of, wrt, seed)
        outputs = tuple(dict.fromkeys(found.gradients.values()))
        return BackwardGraph(dataclasses.replace(found.graph, outputs=outputs), found.gradients)
