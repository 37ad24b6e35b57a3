"""Cuts one pass out of its run: the values that it read, its part of the model, and its shader."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import OWN_DOMAIN, Graph, Node, Shape
from texelscope.pipeline.plan import OracleFile, Pass, Plan, ProgramSource, StoredTensor, Tolerance
from texelscope.pipeline.planning.planner import lower
from texelscope.pipeline.value_dependence import typed

Array = NDArray[Any]


@dataclass(frozen=True)
class PassSubject:
    """A pass with everything that decides its output and its expected output.

    `values` are tensors by the oracle's name, in logical shape and the model's type; those that are no constants are
    `given`. `stored` are the textures of the pass by key. `nodes` are its part of the model, none where the oracle is a
    file of functions; where a rewrite made them, and ONNX has no such node, the rewritten one, following `conventions`.
    `program` is what ran, `uniforms` and `defines` as the pipeline file writes them.
    """

    name: str
    shader_pass: Pass
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
        """The tensors that its nodes make: the outputs of the pass, or, of a rewritten node, all."""
        made = [name for node in self.nodes for name in node.outputs if name]
        own = tuple(self.stored[key].tensor for key in self.shader_pass.outputs)
        return own if set(own) <= set(made) else tuple(made)

    @property
    def elements(self) -> int:
        """The count of its numbers, weights and inputs together."""
        return sum(value.size for value in self.values.values())

    def shape(self, tensor: str) -> Shape:
        """Returns the logical shape of one of its values."""
        return tuple(np.shape(self.values[tensor]))

    def key(self, tensor: str) -> str:
        """Returns the name of a given tensor in the pipeline file."""
        return next((key for key, stored in self.stored.items() if stored.tensor == tensor), tensor)

    def with_values(self, values: Mapping[str, Array], nodes: tuple[Node, ...] | None = None) -> PassSubject:
        """Returns the subject on other values, and with other attributes of its nodes."""
        return dataclasses.replace(self, values=dict(values), nodes=self.nodes if nodes is None else nodes)


def cut_out(
    plan: Plan,
    tensors: Mapping[str, Array],
    shader_pass: Pass,
    program: ProgramSource,
    whole: Callable[[], Graph | None] = lambda: None,
    conventions: Mapping[str, str] = MappingProxyType({}),
) -> PassSubject:
    """Cuts the pass out, on the `tensors` of a run by key, in logical shapes. `whole` is the original model.

    Raises TexelscopeError where an input was not computed.
    """
    graph = plan.graph
    nodes = tuple(node for node in graph.nodes if node.name in shader_pass.nodes) if graph is not None else ()
    read = [plan.textures[key].tensor for key in shader_pass.reads]
    if any(node.domain == OWN_DOMAIN for node in nodes) and (came := whole()) is not None:
        nodes, read = _before_rewriting(came, nodes), []
    made = {name for node in nodes for name in node.outputs}
    needed = [name for node in nodes for name in node.inputs if name and name not in made]
    stored = {key: plan.textures[key] for key in (*shader_pass.reads, *shader_pass.outputs)}
    # The first of several keys of a tensor, but the one that the pass reads before any other.
    keys = {plan.textures[key].tensor: key for key in reversed([*shader_pass.reads, *tensors]) if key in tensors}
    values: dict[str, Array] = {}
    given: list[str] = []
    for name in dict.fromkeys([*needed, *read]):
        constant = plan.constant(name)
        if constant is not None and name not in keys:
            values[name] = np.asarray(constant)
            continue
        key = keys.get(name)
        if key is None:
            raise TexelscopeError(
                f"pass '{shader_pass.name}'", "values of all that it reads", f"'{name}', which was not computed",
                "Reduce an earlier pass (--pass), or go on after it with the oracle's value (diff --inject).",
            )  # fmt: skip
        stored.setdefault(key, plan.textures[key])
        values[name] = tensors[key] if graph is None else typed(graph, name, tensors[key])
        given.append(name)
    entry = _entry(plan, shader_pass.name)
    return PassSubject(
        shader_pass.name, shader_pass, nodes, values, tuple(given), stored, program,
        _uniforms(shader_pass, entry), entry.defines if entry else {},
        entry.shader if entry else None, entry.vertex if entry else None,
        plan.tolerances.get(shader_pass.name), plan.oracle_file,
        {node.op_type: conventions[node.op_type] for node in nodes if node.op_type in conventions},
    )  # fmt: skip


def _uniforms(shader_pass: Pass, entry: Any) -> Mapping[str, Any]:
    """Returns the uniforms as the file has them; those that change from frame to frame as numbers of this frame."""
    if entry is None:
        return dict(shader_pass.uniforms)
    changing = {name: shader_pass.uniforms[name] for name in shader_pass.by_frame}
    numbers = {name: list(value) if isinstance(value, tuple) else value for name, value in changing.items()}
    return {name: numbers.get(name, value) for name, value in entry.uniforms.items()}


def _before_rewriting(whole: Graph, nodes: Sequence[Node]) -> tuple[Node, ...]:
    """Returns the node of the model that `nodes` replace; themselves where there is none."""
    names = {node.name for node in nodes}
    for node in whole.nodes:
        alone = dataclasses.replace(whole, nodes=(node,))
        if node.name in names or names & {each.name for each in lower(alone, Limits()).nodes}:
            return (node,)
    return tuple(nodes)


def _entry(plan: Plan, name: str) -> Any:
    """Returns the pass's entry in a pipeline file; None for a plan that was made of a model."""
    entries = getattr(plan, "entries", None)
    return next((each for each in entries.passes if each.name == name), None) if entries is not None else None
