"""Makes the formulas of a model's tensor from the program's own shaders for its nodes, without GL."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Graph, Node
from texelscope.pipeline.oracle.reference import Reference
from texelscope.pipeline.plan import Pass, Plan
from texelscope.pipeline.planning.planner import plan_graph
from texelscope.pipeline.symbolic.bound import BoundTexels, texels_of
from texelscope.pipeline.symbolic.moved_elements import moved_from
from texelscope.pipeline.symbolic.running import SymbolicPass
from texelscope.pipeline.symbolic.terms import SymbolicTerm
from texelscope.pipeline.symbolic.values import UnknownTextError

# Functions of the program's own shaders that are exact versions of others.
_KNOWN: Mapping[str, str] = MappingProxyType(
    {
        "is_nan": "isnan", "is_infinite": "isinf", "hyperbolic_tangent": "tanh", "sigmoid": "logistic", "erf": "erf",
        "softplus": "softplus", "expm1": "expm1", "log1p": "log1p", "ln": "log", "sine": "sin", "cosine": "cos",
        "arcsin": "asin", "arctan": "atan", "power": "pow", "square_root": "sqrt", "greater_of": "max",
        "lesser_of": "min",
    }
)  # fmt: skip


class _Computed(BoundTexels):
    """An intermediate tensor: a read of an element stands for its formula, which is made only if it matters."""

    def _lane(self, y: int, x: int, lane: int, row: int) -> Any:
        if lane >= self.stored.layout.lanes:
            return super()._lane(y, x, lane, row)
        element = int(self.elements[y, x, lane])
        value = float(self.values[y, x, lane])
        return SymbolicTerm("computed", (self.stored.key, element), value, row) if element >= 0 else 0.0


class ModelFormulas:
    """Formulas of the elements of one tensor of a model, over other tensors of it. Raises UnknownTextError."""

    def __init__(self, graph: Graph, nodes: Sequence[Node], output: str, given: Callable[[str], NDArray[Any]]) -> None:
        """`nodes` make `output`; `given` returns what they read by tensor, float32 in its logical shape."""
        made = {name for node in nodes for name in node.outputs}
        read = dict.fromkeys(name for node in nodes for name in node.inputs if name and name not in made)
        names = [name for name in read if name not in graph.constants]
        part = dataclasses.replace(graph, nodes=tuple(nodes), inputs=tuple(names), outputs=(output,))
        try:
            self._plan: Plan = plan_graph(part, layout="row_major_rgba")
        except TexelscopeError as error:
            raise UnknownTextError(str(error)) from None
        if self._plan.not_run:
            raise UnknownTextError(self._plan.not_run[0].reason)
        self._given = {name: given(name) for name in names}
        self._made: dict[str, SymbolicPass] = {}
        self._values: dict[tuple[str, int], Any] = {}
        self._output = output

    @property
    def constants(self) -> Mapping[str, NDArray[Any]]:
        """Returns the constants of the model and the tables that its passes read, by name."""
        return self._plan.graph.constants if self._plan.graph is not None else {}

    def element(self, element: int) -> Any:
        """Returns the formula of an element of the output, by its linear index."""
        return self.computed(self._output, element)

    def computed(self, key: str, element: int) -> Any:
        """Returns the formula of an element of an intermediate tensor."""
        known = self._values.get((key, element))
        if known is None:
            known = self._values[key, element] = self._made_of(key, element)
        return known

    def _made_of(self, key: str, element: int) -> Any:
        graph = self._plan.graph
        assert graph is not None
        tensor, at = self._plan.textures[key].tensor, element
        while tensor not in self._given and tensor not in graph.constants:
            source = moved_from(graph, tensor, at)
            if source is None:
                return self._pass_of(tensor).element(at)
            tensor, at = source
        values = self._given[tensor] if tensor in self._given else graph.constants[tensor]
        return SymbolicTerm("read", (tensor, at), float(np.asarray(values).reshape(-1)[at]), -1)

    def _pass_of(self, key: str) -> SymbolicPass:
        if key not in self._made:
            maker = next((each for each in self._plan.passes if key in each.outputs), None)
            if maker is None:
                raise UnknownTextError(f"the pass that writes {key}")
            self._made[key] = _ComputedPass(self, self._plan, maker)
        return self._made[key]

    def texels(self, key: str) -> BoundTexels:
        """Returns a tensor of the plan: one that is given, a constant, or an intermediate one."""
        stored = self._plan.textures[key]
        graph = self._plan.graph
        value = self._given.get(stored.tensor)
        if value is None and graph is not None:
            value = graph.constants.get(stored.tensor)
        if value is not None:
            return texels_of(stored, stored.encode(np.asarray(value).reshape(stored.shape)))
        bound = texels_of(stored, stored.encode(self._intermediate[stored.tensor].astype(np.float32)))
        return _Computed(bound.stored, bound.values, bound.elements)

    @cached_property
    def _intermediate(self) -> Mapping[str, NDArray[Any]]:
        """The values of the tensors between, by name. Raises UnknownTextError where nothing evaluates a node."""
        graph = self._plan.graph
        assert graph is not None
        try:
            return Reference().run(graph.nodes, {**graph.constants, **self._given})
        except TexelscopeError as error:
            raise UnknownTextError(str(error)) from None


class _ComputedPass(SymbolicPass):
    """A pass of the model's own plan, which reads other passes' formulas."""

    known_functions = _KNOWN

    def __init__(self, model: ModelFormulas, plan: Plan, shader_pass: Pass) -> None:
        self._model = model
        super().__init__(plan, shader_pass, shader_pass.program, lambda _key: np.zeros(0, np.float32))

    def _bound(self, texels: Any) -> dict[str, BoundTexels]:
        return {sampler.uniform: self._model.texels(sampler.key) for sampler in self._pass.samplers}


def nodes_between(graph: Graph, output: str, stored: Iterable[str]) -> tuple[Node, ...]:
    """Returns the nodes that make a tensor from others that are `stored`, in the graph's order."""
    ends, names, pending = {*stored} - {output}, set[str](), [output]
    while pending:
        name = pending.pop()
        node = graph.producer(name) if name not in names and name not in ends else None
        names.add(name)
        pending.extend(node.inputs if node is not None else ())
    return tuple(node for node in graph.nodes if not (names - ends).isdisjoint(node.outputs))
