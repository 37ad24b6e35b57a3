"""Evaluates the model slice between a pass's inputs and its output with model edits.

An edit is data: another value of an input, another window of a convolution or pool, another function of a node, or a
function of the result. Edits can be combined, which is how two faults at once are tried. Constants that the model has
transposed in advance are restored for a pass that reads the original ones.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.diagnose.evidence.stored_values import Beyond, StoredValues
from texelscope.pipeline.diagnose.model_slice.window_sum import DoesNotApplyError, WindowSum, in_view, window_sum
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Graph, Node
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.operators.facts import Facts, Rows
from texelscope.pipeline.operators.families.registry import facts_of, operator_of
from texelscope.pipeline.oracle.expected import Oracle
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.oracle.reference import Reference

Array = NDArray[Any]
_MOST_AXES = 4
Places = NDArray[np.int64]
Values = Sequence[Array | None]
# From n, c, h, w of elements, as integer arrays that broadcast, to those of the elements read instead.
Coordinates = Callable[[Array, Array, Array, Array], tuple[Array, Array, Array, Array]]


def turned(graph: Graph, given: Mapping[str, Array], nodes: Sequence[Node]) -> Iterator[Node]:
    """Yields a Transpose for each constant of a node that is not an input, but is a transposed one of `given`.

    Then an edit of the tensor that the pass reads affects what the model computes.
    """
    used = dict.fromkeys(
        name for node in nodes for name in node.inputs if name in graph.constants and name not in given
    )
    for name in used:
        value = graph.constants[name]
        if value.dtype.kind != "f" or not 1 < value.ndim <= _MOST_AXES:
            continue
        for other in (each for each in given if each in graph.constants and graph.constants[each].ndim == value.ndim):
            axes = next((axes for axes in _orders(value.ndim) if _is_so(graph.constants[other], axes, value)), None)
            if axes is not None:
                yield Node(name, "Transpose", (other,), (name,), MappingProxyType({"perm": axes}), opset=13)
                break


def _orders(rank: int) -> Iterator[tuple[int, ...]]:
    return (axes for axes in itertools.permutations(range(rank)) if axes != tuple(range(rank)))


def _is_so(whole: Array, axes: tuple[int, ...], value: Array) -> bool:
    return tuple(whole.shape[axis] for axis in axes) == value.shape and np.array_equal(whole.transpose(axes), value)


@dataclass(frozen=True)
class InputChange:
    """Replaces the value of an input or constant: old to new, in its logical shape.

    `pointwise`: each element depends only on its own old value. `node`: as only that node reads it.
    """

    tensor: str
    change: Callable[[Array], Array]
    pointwise: bool = False
    node: str = ""


@dataclass(frozen=True)
class InputMove:
    """Reads every element of a tensor at other coordinates of its texture; `beyond` decides outside.

    `node`: as only that node reads it.
    """

    tensor: str
    values: StoredValues
    coordinates: Coordinates
    beyond: Beyond
    node: str = ""


@dataclass(frozen=True)
class WindowChange:
    """Replaces the window of a convolution, product or pool; None if the edit does not apply."""

    node: str
    change: Callable[[WindowSum], WindowSum | None]


@dataclass(frozen=True)
class NodeChange:
    """Replaces a node's function, from its input values to its (first) output value.

    `pointwise`: from some elements of the inputs (as vectors) it computes those of the output. A `change` that combines
    with another one of the same node is a `Joining`; of others the first is used.
    """

    node: str
    change: Callable[[Node, Values], Array]
    pointwise: bool = False


class Joining(Protocol):
    """A node's function that can be combined with another one."""

    def __call__(self, node: Node, inputs: Values) -> Array:
        """Returns the node's first output."""

    def joined(self, other: Callable[[Node, Values], Array]) -> Callable[[Node, Values], Array] | None:
        """Returns both combined; None if that is impossible."""


@dataclass(frozen=True)
class OutputChange:
    """Applies a function to the result, in the 4-d view; `pointwise` if each element depends only on itself."""

    change: Callable[[Array], Array]
    pointwise: bool = False


@dataclass(frozen=True)
class OutputMove:
    """Writes each element of the result to the place of the one at `coordinates`; read from the result's texels.

    `of_result` has a result's texels, `unchanged` those of the right one.
    """

    of_result: Callable[[Array], StoredValues]
    unchanged: StoredValues
    coordinates: Coordinates
    beyond: Beyond


ModelEdit = InputChange | InputMove | WindowChange | NodeChange | OutputChange | OutputMove


@dataclass
class ModelSlice:
    """A model slice that evaluates with edits. `given` are the pass's inputs, in logical shape; it holds no GL."""

    graph: Graph | None
    oracle: Oracle
    given: Mapping[str, Array]
    wanted: str
    nodes: tuple[Node, ...] = ()
    values: dict[str, Array] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._reference = Reference()
        self._windows: dict[str, WindowSum | None] = {}
        self._sources: dict[tuple[str, bytes], tuple[Array, Array] | None] = {}
        if self.graph is not None:
            nodes = GraphOracle(self.graph).between(self.given, self.wanted)
            self.nodes = (*turned(self.graph, self.given, nodes), *nodes)
            used = dict.fromkeys(
                name for node in self.nodes for name in node.inputs if name
            )  # in order: generators name pairs
            constants = self.graph.constants
            self.values = {name: constants[name] for name in used if name in constants}
            self.values |= {name: _typed(self.graph, name, value) for name, value in self.given.items() if name in used}
            for node in self.nodes:
                self.values.update(self._run(node, [self.values.get(name) if name else None for name in node.inputs]))
            self.result = np.asarray(self.values[self.wanted], dtype=np.float32)
        else:
            self.values = dict(self.given)
            self.result = np.asarray(self._by_oracle(self.given), dtype=np.float32)
        self.shape = self.result.shape
        self.makers = {name: node for node in self.nodes for name in node.outputs if name}

    # -- its parts -----------------------------------------------------------------------------------------

    def node(self, *op_types: str) -> tuple[Node, ...]:
        """Returns the nodes of those types."""
        return tuple(node for node in self.nodes if node.op_type in op_types)

    def named(self, name: str) -> Node:
        """Returns the node of that name."""
        return next(each for each in self.nodes if each.name == name)

    @property
    def constants(self) -> Mapping[str, Array]:
        """Returns the model's constants by name; none without a model."""
        return {} if self.graph is None else self.graph.constants

    def readers(self, tensor: str) -> tuple[Node, ...]:
        """Returns the nodes that read a tensor."""
        return tuple(node for node in self.nodes if tensor in node.inputs)

    def nodes_with(self, fact: Callable[[Facts], object]) -> tuple[Node, ...]:
        """Returns the nodes whose operators have a property."""
        return tuple(node for node in self.nodes if fact(facts_of(node)))

    def call(self, node: Node) -> Call:
        """Returns the node as a call, which its operator can query."""
        assert self.graph is not None
        return Call(node, self.graph)

    def rows(self, node: Node) -> Rows | None:
        """Returns the elements of its first input that the node combines; None if it combines none, or if unknown."""
        operator = operator_of(node)
        try:
            return None if operator is None else operator.rows(self.call(node))
        except TexelscopeError:
            return None

    def inputs_of(self, node: Node) -> list[Array | None]:
        """Returns the node's input values."""
        return [self.values.get(name) if name else None for name in node.inputs]

    def window(self, node: Node) -> WindowSum | None:
        """Returns the node as a window over its unchanged inputs."""
        if node.name not in self._windows:
            assert self.graph is not None
            self._windows[node.name] = window_sum(node, self.graph, self.inputs_of(node))
        return self._windows[node.name]

    def set_stored(self, node: Node, stored: StoredValues | None) -> None:
        """Sets the texture that holds the node's first input."""
        window = self.window(node)
        if window is not None:
            self._windows[node.name] = window.replaced(stored=stored)

    def windows(self) -> list[WindowSum]:
        """Returns the windows of all convolutions, products and pools."""
        return [window for node in self.nodes if (window := self.window(node)) is not None]

    def expected(self) -> Array:
        """Returns the unchanged result in the 4-d view, float32."""
        return self.result.reshape(as_nchw(self.shape))

    def tail(self) -> tuple[Node, ...]:
        """Returns the pointwise nodes at the end, after the last sum, pool or movement."""
        found: list[Node] = []
        wanted = self.wanted
        for node in reversed(self.nodes):
            facts = facts_of(node)
            if wanted not in node.outputs or not (facts.pointwise or facts.by_channel):
                break
            found.append(node)
            chain = [name for name in node.inputs if name in self.makers]
            if len(chain) != 1 or self.values[chain[0]].shape != self.shape:
                break
            wanted = chain[0]
        return tuple(reversed(found))

    def before_tail(self) -> str:
        """Returns the tensor before the tail; the output itself if there is no tail."""
        tail = self.tail()
        if not tail:
            return self.wanted
        return next((name for name in tail[0].inputs if name in self.makers), tail[0].inputs[0])

    def run_node(self, node: Node, inputs: Values) -> Array:
        """Runs a node, which need not be in the model, and returns its first output. Raises DoesNotApplyError."""
        try:
            return self._run(node, inputs)[node.outputs[0]]
        except TexelscopeError as error:
            raise DoesNotApplyError(str(error)) from error

    # -- the whole output ----------------------------------------------------------------------------------

    def evaluate(self, changes: Sequence[ModelEdit]) -> Array:
        """Returns the whole result in the 4-d view, float32. Raises DoesNotApplyError."""
        after = [change for change in changes if isinstance(change, OutputChange | OutputMove)]
        with np.errstate(all="ignore"):
            result = self.whole([change for change in changes if change not in after], self.wanted)
            result = np.asarray(result, dtype=np.float32).reshape(as_nchw(self.shape))
            for change in after:
                if isinstance(change, OutputMove):
                    found = change.of_result(result).read(*change.coordinates(*grid(result.shape)), change.beyond)
                    result = np.asarray(np.broadcast_to(found, result.shape))
                else:
                    try:
                        result = np.asarray(change.change(result), dtype=np.float32)
                    except ValueError as error:  # an addend that does not lie as the result does
                        raise DoesNotApplyError(str(error)) from error
                if result.shape != as_nchw(self.shape):
                    raise DoesNotApplyError(f"a result of shape {result.shape}")
        return result

    def whole(self, changes: Sequence[ModelEdit], wanted: str) -> Array:
        """Returns a tensor under the edits."""
        if not changes:
            return self.values[wanted] if self.graph is not None else self.result
        if self.graph is None:
            return self._functions(changes)
        values = dict(self.values)
        touched: set[str] = set()
        own: dict[tuple[str, str], Array] = {}
        for change in changes:
            if isinstance(change, InputChange | InputMove) and change.node:
                own[change.node, change.tensor] = self._changed_input(change, values)
            elif isinstance(change, InputChange | InputMove):
                values[change.tensor] = self._changed_input(change, values)
                touched.add(change.tensor)
        named = {change.node for change in changes if not isinstance(change, OutputChange | OutputMove)}
        for node in self.nodes if wanted in self.makers else ():
            if node.name in named or touched.intersection(node.inputs):
                inputs = [own.get((node.name, name), values.get(name)) if name else None for name in node.inputs]
                values.update(self._node(node, inputs, changes))
                touched.update(name for name in node.outputs if name)
            if wanted in node.outputs:
                break
        return values[wanted]

    def _changed_input(self, change: InputChange | InputMove, values: Mapping[str, Array]) -> Array:
        if change.tensor not in values:
            raise DoesNotApplyError(change.tensor)
        old = values[change.tensor]
        if isinstance(change, InputMove):
            dims = change.values.dims
            found = change.values.read(*change.coordinates(*grid(dims)), change.beyond)
            new = np.broadcast_to(found, dims).reshape(old.shape)
        else:
            try:
                new = np.asarray(change.change(old))
            except (IndexError, ValueError) as error:  # indices that a tensor of another size does not have
                raise DoesNotApplyError(str(error)) from error
        if new.shape != old.shape:
            raise DoesNotApplyError(f"{new.shape} in place of {old.shape}")
        return np.asarray(new.astype(old.dtype, copy=False))

    def _node(self, node: Node, inputs: list[Array | None], changes: Sequence[ModelEdit]) -> dict[str, Array]:
        others = [change for change in changes if isinstance(change, NodeChange) and change.node == node.name]
        if others:
            value = np.asarray(_joined([change.change for change in others])(node, inputs))
            if value.shape != self.values[node.outputs[0]].shape:
                raise DoesNotApplyError(f"{node.name}: {value.shape}")
            return {node.outputs[0]: value}
        window = self.changed_window(node, inputs, changes)
        if window is None:
            return self._run(node, inputs)
        return {node.outputs[0]: in_view(window.evaluate(), window.shape).reshape(window.shape)}

    def changed_window(self, node: Node, inputs: Values, changes: Sequence[ModelEdit]) -> WindowSum | None:
        """Returns the node's edited window over other inputs; None if it is no window. Raises DoesNotApplyError."""
        assert self.graph is not None
        own = [change for change in changes if isinstance(change, WindowChange) and change.node == node.name]
        kept = self.window(node)
        if kept is None:
            if own:
                raise DoesNotApplyError(node.name)
            return None
        same = all(value is other for value, other in zip(inputs, self.inputs_of(node), strict=True))
        window: WindowSum | None = kept if same else window_sum(node, self.graph, inputs)
        for change in own:
            window = change.change(window) if window is not None else None
            if window is None:
                raise DoesNotApplyError(node.name)
        return window if window is None or window.stored is not None or same else window.replaced(stored=kept.stored)

    # -- the rest ------------------------------------------------------------------------------------------

    def sources(self, node: Node, places: Places) -> tuple[Array, Array] | None:
        """Returns the input position and linear index behind each output element of a node that moves elements."""
        if not facts_of(node).moves:
            return None
        known = (node.name, places.tobytes())
        if known not in self._sources:
            self._sources[known] = self._found_sources(node, places)
        return self._sources[known]

    def _found_sources(self, node: Node, places: Places) -> tuple[Array, Array] | None:
        operator, call = operator_of(node), self.call(node)
        if operator is None:
            return None
        positions, indices = [], []
        for place in places:
            read = operator.reads(call, int(place))
            if read is None:
                return None
            found = [(position, int(index[0])) for position, index in read.items() if len(index) == 1]
            if len(found) != 1:
                return None
            positions.append(found[0][0])
            indices.append(found[0][1])
        return np.array(positions), np.array(indices)

    # -- by the oracle -------------------------------------------------------------------------------------

    def _functions(self, changes: Sequence[ModelEdit]) -> Array:
        """Evaluates an oracle of functions, whose inputs alone can be edited."""
        given = dict(self.given)
        for change in changes:
            if not isinstance(change, InputChange | InputMove) or change.tensor not in given:
                raise DoesNotApplyError("an oracle of functions")
            given[change.tensor] = self._changed_input(change, given)
        return np.asarray(self._by_oracle(given), dtype=np.float32)

    def _by_oracle(self, given: Mapping[str, Array]) -> Array:
        found = self.oracle.isolated(given, self.wanted)
        if found is None:
            raise TexelscopeError(f"oracle of '{self.wanted}'", "a value", "none", "Give the pass an oracle.")
        return found.value

    def _run(self, node: Node, inputs: Values) -> dict[str, Array]:
        outputs = self._reference.run_node(node, inputs)
        return {name: value for name, value in zip(node.outputs, outputs, strict=False) if name and value is not None}


def _joined(changes: Sequence[Callable[[Node, Values], Array]]) -> Callable[[Node, Values], Array]:
    """Combines several functions of one node, as far as possible."""
    made = changes[0]
    for each in changes[1:]:
        ways = ((made, each), (each, made))
        found = (one.joined(other) for one, other in ways if hasattr(one, "joined"))
        made = next((both for both in found if both is not None), made)
    return made


def grid(dims: tuple[int, ...]) -> tuple[Array, Array, Array, Array]:
    """Returns n, c, h, w of every element of [N, C, H, W], as arrays that broadcast to it."""
    N, C, H, W = dims
    return (
        np.arange(N)[:, None, None, None], np.arange(C)[None, :, None, None],
        np.arange(H)[None, None, :, None], np.arange(W)[None, None, None, :],
    )  # fmt: skip


def _typed(graph: Graph, name: str, value: Array) -> Array:
    dtype = np.dtype(graph.tensors[name].dtype)
    if dtype.kind in "iu" and value.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            return np.asarray(np.rint(value).astype(dtype))
    return np.asarray(value).astype(dtype, copy=False).reshape(graph.tensors[name].shape)
