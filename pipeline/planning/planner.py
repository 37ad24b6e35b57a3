"""Turns a graph into a plan: rewrites what one pass cannot do, chooses layouts, assembles shaders. No GL."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from texelscope import layouts
from texelscope.layouts.base import Layout
from texelscope.layouts.outside_text import said_by
from texelscope.pipeline.deadline import check, phase
from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import TexelscopeError, UnsupportedError
from texelscope.pipeline.glsl.assemble import assemble, sampler_names
from texelscope.pipeline.graph import Graph, Node, Shape, TensorInfo
from texelscope.pipeline.installation import command
from texelscope.pipeline.operators.base import Array, Call, Kernel, Rewrite, table_name
from texelscope.pipeline.operators.families.registry import operator_of
from texelscope.pipeline.plan import EXACT_INTEGERS, NotRun, Pass, Plan, Role, Sampler, Storage, StoredTensor
from texelscope.pipeline.planning.layout_choice import LayoutChoice, choose, preferred_name
from texelscope.pipeline.planning.memory import needed_by
from texelscope.pipeline.quotas import hold
from texelscope.pipeline.target import AUTO, DEFAULT_LAYOUT
from texelscope.pipeline.unique_names import UniqueNames

# The errors of an operator's arithmetic on a model's attributes and shapes that contradict each other.
MALFORMED = (ArithmeticError, AssertionError, LookupError, MemoryError, TypeError, ValueError, layouts.LayoutError)
# A node becomes others, and those others again, a few times; more is an operator that undoes its own work.
MAX_REWRITES = 64
# How many tensors a line names.
_LISTED = 4
_GO_ON = "Go on after it with the oracle's value (--inject, or Ctrl+I)."
_SEE_THAT = "See why that has none."
# Behind these nothing can go on: the oracle has no value either, or not yet.
_FAULTY = ("Check the exporting script.", _SEE_THAT)
_COUNTS = frozenset({"int16", "int32", "int64", "uint16", "uint32", "uint64"})
_NOT_REAL = frozenset({"object", "complex64", "complex128"})


def plan_graph(
    graph: Graph,
    *,
    layout: str = DEFAULT_LAYOUT,
    precision: Storage = "float32",
    limits: Limits | None = None,
    inputs_in: Mapping[str, Layout] = MappingProxyType({}),
) -> Plan:
    """Plans every node of `graph` with activations in `layout`, stored as `precision`.

    `inputs_in` are the layouts of inputs, by name, that are stored already.

    `pipeline.planning.layout_choice` interprets a layout's name, or AUTO. A tensor too large for the requested layout
    takes one that fits; the plan's warnings name such inputs and activations. A gradient is stored as the tensor whose
    gradient it is. Raises TexelscopeError for an unknown layout and for an input that no texture holds; a node whose
    output none holds is not run.
    """
    limits = limits or Limits()
    if layout != AUTO:
        layouts.layout(layout)
    needed_by(graph).check(graph.name)
    with phase("planning_seconds", f"planning {graph.name}"):
        return _Planner(lower(graph, limits), layout, precision, limits, inputs_in).plan()


def lower(graph: Graph, limits: Limits) -> Graph:
    """Replaces every node of `graph` that its operator rewrites; repeats until nothing changes.

    Each node of the result has a unique name. Raises AssertionError for an operator whose rewrites never end.
    """
    tensors = dict(graph.tensors)
    constants = dict(graph.constants)
    pending = [(node, 0) for node in reversed(graph.nodes)]
    nodes: list[Node] = []
    backward = set(graph.backward)
    names = UniqueNames()
    while pending:
        check()
        node, depth = pending.pop()
        assert depth <= MAX_REWRITES, f"rewrites of {node.op_type} '{node.name}' do not end"
        rewrite = _rewrite(node, graph, tensors, constants, limits)
        if rewrite is None:
            unique = names.give(node.name)
            if unique != node.name and node.name in backward:
                backward.add(unique)
            nodes.append(node if unique == node.name else dataclasses.replace(node, name=unique))
            continue
        if node.name in backward:
            backward.update(each.name for each in rewrite.nodes)
        tensors.update({info.name: info for info in rewrite.tensors})
        constants.update(rewrite.constants)
        for name, value in rewrite.constants.items():
            tensors.setdefault(name, TensorInfo(name, value.shape, value.dtype.name))
        pending.extend((each, depth + 1) for each in reversed(rewrite.nodes))
    return dataclasses.replace(
        graph,
        nodes=tuple(nodes),
        tensors=MappingProxyType(tensors),
        constants=MappingProxyType(constants),
        backward=frozenset(backward.intersection(node.name for node in nodes)),
    )


def _rewrite(
    node: Node,
    graph: Graph,
    tensors: Mapping[str, TensorInfo],
    constants: Mapping[str, Array],
    limits: Limits,
) -> Rewrite | None:
    operator = operator_of(node)
    if operator is None or any(name and name not in tensors for name in (*node.inputs, *node.outputs)):
        return None
    current = dataclasses.replace(graph, tensors=tensors, constants=constants)
    try:
        return operator.rewrite(Call(node, current), limits)
    except (UnsupportedError, *MALFORMED):
        return None  # the planner asks again and keeps the reason


class _Planner:
    def __init__(
        self, graph: Graph, layout: str, precision: Storage, limits: Limits, inputs_in: Mapping[str, Layout]
    ) -> None:
        self._graph = graph
        self._inputs_in = inputs_in
        self._layout = layout
        self._precision = precision
        self._limits = limits
        self._textures: dict[str, StoredTensor] = {}
        self._passes: list[Pass] = []
        self._not_run: list[NotRun] = []
        self._tables: dict[str, Array] = {}
        self._moved: dict[str, list[str]] = {}
        self._names = UniqueNames()
        self._of = {gradient: tensor for tensor, gradient in reversed(tuple(graph.gradients.items()))}

    def plan(self) -> Plan:
        for name in self._graph.inputs:
            self._textures[name] = self._activation(name, "input")
        consumed = {name for node in self._graph.nodes for name in node.inputs} | set(self._graph.outputs)
        for node in self._graph.nodes:
            check()
            for position, output in enumerate(node.outputs):
                if output and output not in self._graph.constants and (position == 0 or output in consumed):
                    self._add(node, position)
        empty = {name for name in self._graph.outputs if self._is_empty(name)}
        for name in self._graph.outputs:
            if name in self._graph.constants and name not in self._textures and name not in empty:
                self._textures[name] = self._constant(name, name, self._choice(name, self._graph.tensors[name].shape))
        return Plan(
            name=self._graph.name,
            textures=MappingProxyType(self._textures),
            passes=tuple(self._passes),
            inputs=self._graph.inputs,
            outputs=tuple(name for name in self._graph.outputs if name not in empty),
            graph=self._graph_with_tables(),
            not_run=tuple(self._not_run),
            warnings=tuple(self._about(layout, names) for layout, names in self._moved.items()),
        )

    def _about(self, layout: str, names: Sequence[str]) -> str:
        """Warns that those tensors are not in the requested layout."""
        listed = ", ".join(f"'{name}' {list(self._graph.tensors[name].shape)}" for name in names[:_LISTED])
        more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
        return (
            f"{self._graph.name}: expected tensors that fit a texture of {self._limits.max_texture_texels} texels a "
            f"side in {self._layout}, got {listed}{more}. Stored in {layout} instead."
        )

    def _add(self, node: Node, position: int) -> None:
        name = self._names.give(node.name if position == 0 else f"{node.name}:{node.outputs[position]}")
        output = node.outputs[position]
        try:
            self._textures.update(self._held(output))
            kernel = self._with_tables(name, self._kernel(node, position))
            self._check_stored(Call(node, self._graph), (*node.inputs, output))
            target = self._textures[output] = self._turning(self._textures[output], kernel)
            self._check_turns(Call(node, self._graph), kernel, target.layout)
            self._check_work(Call(node, self._graph), kernel, target)
            stored = {tensor: self._read(tensor, kernel) for tensor in kernel.tensors()}
        except UnsupportedError as error:
            reason = self._reason(error, node, output)
            self._not_run.append(NotRun(name, node.op_type, (output,), reason, self._waits_for(node)))
            return
        call = Call(node, self._graph)
        title = f"{call.who}, output in {target.layout.name}"
        samplers = tuple(
            Sampler(uniform, stored[tensor].key)
            for accessor, tensors in kernel.reads.items()
            for uniform, tensor in zip(
                sampler_names(accessor, tensors),
                [tensors] if isinstance(tensors, str) else tensors,
                strict=True,
            )
        )
        program = assemble(kernel, title, stored, target)
        self._passes.append(
            Pass(name, node.op_type, (target.key,), samplers, program, nodes=(node.name,), from_operator=position == 0)
        )

    def _reason(self, error: UnsupportedError, node: Node, output: str) -> str:
        """Returns the error's text, with advice to go on with a value where it has none and a value can be had."""
        text = str(error)
        is_faulty = text.endswith(_FAULTY) or node.name in self._graph.refusals
        return text if is_faulty or " --" in text or output not in self._textures else f"{text} {_GO_ON}"

    def _waits_for(self, node: Node) -> str:
        """Returns the node's first input of which nothing is known; empty if there is none."""
        known = (self._textures, self._graph.constants, self._graph.tensors)
        return next((name for name in node.inputs if name and not any(name in each for each in known)), "")

    def _kernel(self, node: Node, position: int) -> Kernel:
        operator = operator_of(node)
        call = Call(node, self._graph)
        if node.name in self._graph.refusals:
            raise self._graph.refusals[node.name]
        if operator is None:
            label = f"{node.domain}.{node.op_type}" if node.domain else node.op_type
            raise UnsupportedError(
                call.who,
                "an operator that runs as a pass",
                f"'{label}'",
                f"{_GO_ON} '{command()} list' shows what runs.",
            )
        self._check_known(call, (*node.inputs, node.outputs[position]))
        try:
            kernel = operator.kernel(call, position)
        except MALFORMED as error:
            raise UnsupportedError(
                call.who,
                "attributes and shapes that make sense together",
                said_by(error, with_type=True),
                "Check the exporting script.",
            ) from error
        if not all(kernel.tensors()):
            raise UnsupportedError(
                call.who, "every input that it needs", "an omitted one", "Check the exporting script."
            )
        if len(kernel.tensors()) > self._limits.max_samplers:
            raise UnsupportedError(
                call.who,
                f"at most {self._limits.max_samplers} inputs",
                str(len(kernel.tensors())),
                "Split the node.",
            )
        return kernel

    def _held(self, name: str) -> Mapping[str, StoredTensor]:
        """Returns the activation's texture by its name; nothing while its shape is unknown, or where nothing holds it.

        Raises UnsupportedError for one that no texture holds.
        """
        return {name: self._activation(name, "activation")} if name in self._graph.tensors else {}

    def _check_stored(self, call: Call, names: Iterable[str]) -> None:
        for name in filter(None, names):
            if name not in self._graph.constants and name not in self._textures:
                raise UnsupportedError(call.who, "inputs that a texture holds", f"'{name}' without one", _SEE_THAT)

    def _turning(self, stored: StoredTensor, kernel: Kernel) -> StoredTensor:
        """Returns a pass's output in a layout of which a fragment can compute every lane."""
        if self._layout != AUTO or kernel.turns * stored.layout.lanes <= self._limits.max_loop_turns:
            return stored
        choice = self._choice(stored.tensor, stored.shape, turns=kernel.turns)
        return dataclasses.replace(stored, layout=choice.layout, reason=choice.reason)

    def _check_turns(self, call: Call, kernel: Kernel, layout: Layout) -> None:
        """Raises UnsupportedError if a fragment, which computes every lane of its texel, loops too often."""
        turns, most = kernel.turns * layout.lanes, self._limits.max_loop_turns
        if turns > most:
            narrow = [name for name, kind in layouts.all_layouts().items() if kernel.turns * kind.lanes <= most]
            fewer = f"Choose a layout of fewer lanes: --layout {' or '.join(narrow)}."
            advice = fewer if narrow else "Use a smaller --shape, or split the node."
            raise UnsupportedError(
                call.who, f"at most {most} turns of all loops for a texel", f"{turns} in {layout.name}", advice
            )

    def _check_work(self, call: Call, kernel: Kernel, target: StoredTensor) -> None:
        """Limits the work of a draw: a software driver cannot be interrupted, and is no faster than the processor."""
        if self._limits.is_software:
            hold(call.who, "pass_turns", kernel.turns * math.prod(target.shape), " of all loops of all its elements")

    def _check_known(self, call: Call, names: Iterable[str]) -> None:
        for name in filter(None, names):
            info = self._graph.tensors.get(name)
            if info is None:
                raise UnsupportedError(
                    call.who,
                    "tensors of a shape known before the run",
                    f"'{name}' without one",
                    "It depends on data, or follows an operator that is not known. If it is always the same, say it: "
                    f"--shape {name}=SIZE,SIZE",
                )
            if info.dtype in _NOT_REAL:
                raise UnsupportedError(call.who, "real numbers", f"'{name}' of {info.dtype}", "Textures hold floats.")

    def _with_tables(self, name: str, kernel: Kernel) -> Kernel:
        """Adds the kernel's tables as constant tensors; they hold places, so they are float32 in any precision."""
        reads = dict(kernel.reads)
        for accessor, table in kernel.tables.items():
            tensor = reads[accessor] = table_name(name, accessor)
            self._tables[tensor] = table
            choice = self._choice(tensor, table.shape)
            self._textures[tensor] = StoredTensor(
                tensor, tensor, table.shape, choice.layout, "float32", "constant", reason=choice.reason
            )
        return dataclasses.replace(kernel, reads=MappingProxyType(reads))

    def _graph_with_tables(self) -> Graph:
        tensors = {name: TensorInfo(name, table.shape, table.dtype.name) for name, table in self._tables.items()}
        return dataclasses.replace(
            self._graph,
            tensors=MappingProxyType({**self._graph.tensors, **tensors}),
            constants=MappingProxyType({**self._graph.constants, **self._tables}),
        )

    def _read(self, name: str, kernel: Kernel) -> StoredTensor:
        """Returns the stored tensor behind a kernel's input; constants are stored at their first reader."""
        if name in self._tables or name not in self._graph.constants:
            return self._textures[name]
        is_filter = any(kernel.reads.get(accessor) == name for accessor in kernel.filters)
        choice = self._choice(name, self._graph.tensors[name].shape, is_filter=is_filter)
        stored = self._textures.get(name)
        is_otherwise = stored is not None and stored.layout != choice.layout and not choice.is_other
        key = f"{name}@{choice.layout.name}" if is_otherwise else name
        if key not in self._textures:
            self._textures[key] = self._constant(key, name, choice)
        return self._textures[key]

    def _constant(self, key: str, name: str, choice: LayoutChoice) -> StoredTensor:
        info = self._graph.tensors[name]
        self._check_exact(name, self._graph.constants[name])
        return StoredTensor(
            key, name, info.shape, choice.layout, self._storage(info), "constant", info.dtype, choice.reason
        )

    def _choice(self, name: str, shape: Shape, *, is_filter: bool = False, turns: int = 1) -> LayoutChoice:
        """Chooses the layout of a tensor of that shape. Raises UnsupportedError if none fits or the tensor is empty."""
        self._check_not_empty(name, shape)
        if turns == 1 and (like := self._textures.get(self._of.get(name, ""))) is not None and like.shape == shape:
            return LayoutChoice(like.layout, f"as '{like.tensor}', whose gradient it is")
        choice = choose(shape, self._layout, self._limits, is_filter=is_filter, turns=turns)
        if choice is None:
            raise self._too_large(name, shape)
        return choice

    def _activation(self, name: str, role: Role) -> StoredTensor:
        info = self._graph.tensors[name]
        given = self._inputs_in.get(name)
        choice = self._choice(name, info.shape) if given is None else LayoutChoice(given, "as it is stored")
        if choice.is_other:
            self._moved.setdefault(choice.layout.name, []).append(name)
        return StoredTensor(name, name, info.shape, choice.layout, self._storage(info), role, info.dtype, choice.reason)

    def _storage(self, info: TensorInfo) -> Storage:
        """Returns the storage: whole numbers are exact in any precision, and half floats hold them up to 2048 alone."""
        return "float32" if info.dtype in _COUNTS else self._precision

    def _is_empty(self, name: str) -> bool:
        return name in self._graph.tensors and 0 in self._graph.tensors[name].shape

    def _check_not_empty(self, name: str, shape: Shape) -> None:
        if 0 in shape:
            raise UnsupportedError(
                f"tensor '{name}' ({self._graph.name})",
                "positive sizes",
                str(list(shape)),
                "An empty tensor has no texture; give an input other sizes with --shape.",
            )

    def _too_large(self, name: str, shape: Shape) -> TexelscopeError:
        preferred = preferred_name(shape, self._layout)
        height, width = layouts.layout(preferred).texture_shape(shape)
        limit = self._limits.max_texture_texels
        return UnsupportedError(
            f"{'constant' if name in self._graph.constants else 'tensor'} '{name}' {list(shape)} ({self._graph.name})",
            f"a texture of at most {limit}x{limit} texels",
            f"{width}x{height} (width x height) in {preferred}",
            "No layout fits; use a smaller --shape.",
        )

    def _check_exact(self, name: str, value: Array) -> None:
        if value.dtype.kind not in "iu" or not value.size:
            return
        largest = max(int(value.max()), -int(value.min()))
        if largest > EXACT_INTEGERS:
            raise UnsupportedError(
                f"constant '{name}' ({self._graph.name})",
                f"integers up to {EXACT_INTEGERS}, exact in a float texture",
                str(largest),
                "Use numbers that a float holds.",
            )
