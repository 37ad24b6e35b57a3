"""One pass cut out of its run: what it reads, as it was there, what it stands for, and its shader."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import OWN_DOMAIN, Graph, Node, Shape
from texelscope.pipeline.plan import OracleFile, Pass, Plan, ProgramSource, StoredTensor, Tolerance
from texelscope.pipeline.planning.planner import lower
from texelscope.pipeline.value_dependence import typed

Array = NDArray[Any]


@dataclass(frozen=True)
class Subject:
    """A pass with everything that decides what it makes and what it should.

    `values` are tensors by the oracle's name, in logical shape and the model's type; those that are no constants are
    `given`. `stored` are the textures of the pass by key. `nodes` are what it stands for, none where the oracle is a
    file of functions; where a rewrite made them, and ONNX has no such node, the one that was rewritten, following
    `conventions`. `program` is what ran, `uniforms` and `defines` as the pipeline file writes them.
    """

    name: str
    each: Pass
    nodes: tuple[Node, ...]
    values: Mapping[str, Array]
    given: tuple[str, ...]
    stored: Mapping[str, StoredTensor]
    program: ProgramSource
    uniforms: Mapping[str, Any]
    defines: Mapping[str, Any]
    shader: str | None
    vertex: str | None
    tolerance: Tolerance | None = None
    oracle_file: OracleFile | None = None
    conventions: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def wanted(self) -> tuple[str, ...]:
        """The tensors that its nodes are asked for: what the pass writes, or, of a rewritten node, all."""
        made = [name for node in self.nodes for name in node.outputs if name]
        own = tuple(self.stored[key].tensor for key in self.each.outputs)
        return own if set(own) <= set(made) else tuple(made)

    @property
    def elements(self) -> int:
        """How many numbers it is made of, weights and inputs together."""
        return sum(value.size for value in self.values.values())

    def shape(self, tensor: str) -> Shape:
        """Logical shape of one of its values."""
        return tuple(np.shape(self.values[tensor]))

    def key(self, tensor: str) -> str:
        """Under which name the pipeline file knows a given tensor."""
        return next((key for key, stored in self.stored.items() if stored.tensor == tensor), tensor)

    def with_values(self, values: Mapping[str, Array], nodes: tuple[Node, ...] | None = None) -> Subject:
        """The same on other values, and with other attributes of its nodes."""
        return dataclasses.replace(self, values=dict(values), nodes=self.nodes if nodes is None else nodes)


def cut_out(
    plan: Plan,
    capture: Capture,
    each: Pass,
    program: ProgramSource,
    whole: Callable[[], Graph | None] = lambda: None,
    conventions: Mapping[str, str] = MappingProxyType({}),
) -> Subject:
    """The pass alone, on the values that it read in the run that was captured. `whole` reads the model as it came.

    Raises TexelscopeError where something that it needs was not computed, and for a compute pass.
    """
    if each.dispatch is not None:
        raise TexelscopeError(
            f"reduce of pass '{each.name}'", "a pass that is drawn", "one that is dispatched",
            "Its work groups hang on the shape: make 'shape' and 'dispatch' smaller by hand.",
        )  # fmt: skip
    graph = plan.graph
    nodes = tuple(node for node in graph.nodes if node.name in each.nodes) if graph is not None else ()
    read = [plan.textures[key].tensor for key in each.reads]
    if any(node.domain == OWN_DOMAIN for node in nodes) and (came := whole()) is not None:
        nodes, read = _before_rewriting(came, nodes), []
    made = {name for node in nodes for name in node.outputs}
    needed = [name for node in nodes for name in node.inputs if name and name not in made]
    stored = {key: plan.textures[key] for key in (*each.reads, *each.outputs)}
    values: dict[str, Array] = {}
    given: list[str] = []
    for name in dict.fromkeys([*needed, *read]):
        constant = plan.constant(name)
        if constant is not None and name not in _captured(plan, capture):
            values[name] = np.asarray(constant)
            continue
        key = _captured(plan, capture).get(name)
        if key is None:
            raise TexelscopeError(
                f"pass '{each.name}'", "values of all that it reads", f"'{name}', which was not computed",
                "Reduce an earlier pass (--pass), or go on after it with the oracle's value (diff --inject).",
            )  # fmt: skip
        stored.setdefault(key, plan.textures[key])
        values[name] = capture.tensors[key] if graph is None else typed(graph, name, capture.tensors[key])
        given.append(name)
    entry = _entry(plan, each.name)
    return Subject(
        each.name, each, nodes, values, tuple(given), stored, program,
        entry.uniforms if entry else dict(each.uniforms), entry.defines if entry else {},
        entry.shader if entry else None, entry.vertex if entry else None,
        plan.tolerances.get(each.name), plan.oracle_file,
        {node.op_type: conventions[node.op_type] for node in nodes if node.op_type in conventions},
    )  # fmt: skip


def _before_rewriting(whole: Graph, nodes: Sequence[Node]) -> tuple[Node, ...]:
    """The node of the model in place of which `nodes` stand; themselves where there is none."""
    names = {node.name for node in nodes}
    for node in whole.nodes:
        alone = dataclasses.replace(whole, nodes=(node,))
        if node.name in names or names & {each.name for each in lower(alone, Limits()).nodes}:
            return (node,)
    return tuple(nodes)


def _captured(plan: Plan, capture: Capture) -> dict[str, str]:
    """Tensor → the key under which the capture has it."""
    return {plan.textures[key].tensor: key for key in reversed(list(capture.tensors))}


def _entry(plan: Plan, name: str) -> Any:
    """What a pipeline file says of the pass; None for a plan that was made of a model."""
    entries = getattr(plan, "entries", None)
    return next((each for each in entries.passes if each.name == name), None) if entries is not None else None
