"""Finds and edits parts of a layer that shaders omit, double or change: weights, biases, activations, normalisations.

A normalisation y = (x − m) / √(v + ε) · s + b is computed with any of its parts changed. These are batch
normalisations, whose statistics are given, and the pass into which all other normalisations are broken down, whose
statistics are sums over groups of its input.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.evidence.evidence import ReadTensor
from texelscope.pipeline.diagnose.evidence.stored_values import StoredValues
from texelscope.pipeline.diagnose.model_slice.model_slice import InputChange, NodeChange
from texelscope.pipeline.diagnose.model_slice.window_sum import WindowSum
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.registry import facts_of, operator_of

Array = NDArray[Any]
_CONVOLUTIONS = ("convolution", "transposed")
# At most this many curves are fitted: each is recomputed a hundred times.
_MOST_CURVES = 4
# Divisors of x − m, for a variance and an epsilon.
ROOTS: Mapping[str, Callable[[Array, float], Array]] = MappingProxyType(
    {
        "√(v + ε)": lambda v, e: np.sqrt(v + e),
        "√v + ε": lambda v, e: np.sqrt(np.maximum(v, 0.0)) + e,
        "√(v + ε²)": lambda v, e: np.sqrt(v + e * e),
        "max(√v, ε)": lambda v, e: np.maximum(np.sqrt(np.maximum(v, 0.0)), e),
        "√max(v, ε)": lambda v, e: np.sqrt(np.maximum(v, e)),
        "√v + √ε": lambda v, e: np.sqrt(np.maximum(v, 0.0)) + math.sqrt(e),
        "1 / (1 / √v + ε)": lambda v, e: 1.0 / (1.0 / np.sqrt(np.maximum(v, 0.0)) + e),
        "√v": lambda v, e: np.sqrt(np.maximum(v, 0.0)),
        "v + ε": lambda v, e: v + e,
    }
)
# A divisor without the root is no matter of the epsilon.
ROOTLESS = ("v + ε",)


def weight_tensor(case: FailingPass, node: str) -> str:
    """Returns the name of the node's second input."""
    return next((each.inputs[1] for each in case.model_slice.nodes if each.name == node and len(each.inputs) > 1), "")


def becomes_weights(case: FailingPass, tensor: str) -> bool:
    """Whether a tensor leads to the weights of a convolution, and not to its input."""
    nodes = [each for each in case.model_slice.nodes if facts_of(each).window in _CONVOLUTIONS and len(each.inputs) > 1]
    return any(
        _is_made_of(case, node.inputs[1], tensor) and not _is_made_of(case, node.inputs[0], tensor) for node in nodes
    )


def _is_made_of(case: FailingPass, name: str, tensor: str) -> bool:
    maker = case.model_slice.makers.get(name)
    return name == tensor or (maker is not None and any(_is_made_of(case, each, tensor) for each in maker.inputs))


def weighted_windows(case: FailingPass) -> Iterator[tuple[WindowSum, str, Array]]:
    """Yields windows whose weights are known: the window, the name of its weights, and their right values."""
    for window in case.windows():
        tensor = weight_tensor(case, window.node)
        value = case.model_slice.values.get(tensor)
        if window.weights is not None and value is not None and value.ndim >= 2:
            yield window, tensor, value


def weight_read(case: FailingPass, node: str) -> ReadTensor | None:
    """Returns the node's weights as the pass reads them; None if the shader contains or computes them."""
    return case.read_of(weight_tensor(case, node))


def right_values(case: FailingPass, tensor: str) -> StoredValues:
    """Returns a constant's right values as they should lie in its texture: those on the GPU may be wrong."""
    read = case.read_of(tensor)
    assert read is not None
    stored = read.values.stored
    texels = stored.encode(np.asarray(case.model_slice.values[tensor]))
    return StoredValues(stored, texels, read.values.wrap)


@dataclass(frozen=True)
class Bias:
    """An addend per channel: the node that adds it and the tensor that holds it."""

    node: Node
    tensor: str


def biases(case: FailingPass) -> list[Bias]:
    """Returns the addends of the pass's nodes, including constants of sums."""
    found: list[Bias] = []
    for node in case.model_slice.nodes:
        facts, graph = facts_of(node), case.model_slice.graph
        assert graph is not None
        if facts.adds and not _is_under_a_root(case, node):
            held = (name for name in node.inputs if name in graph.constants)
            # A table with more axes, such as a mask or positions, is no bias.
            found.extend(Bias(node, name) for name in held if sum(size > 1 for size in graph.tensors[name].shape) <= 1)
        elif facts.addend is not None and any(node.inputs[facts.addend : facts.addend + 1]):
            found.append(Bias(node, node.inputs[facts.addend]))
    return found


def _is_under_a_root(case: FailingPass, node: Node) -> bool:
    """Whether the node adds one small number before a root, which is an epsilon and not a bias."""
    readers = case.model_slice.readers(node.outputs[0])
    held = [case.model_slice.values[name] for name in node.inputs if case.model_slice.values[name].size == 1]
    return bool(held and readers) and all(each.op_type == "Sqrt" for each in readers)


def added_inputs(case: FailingPass) -> list[str]:
    """Returns tensors that a function of the pipeline file adds: one more in all of them is one more everywhere."""
    if case.model_slice.graph is not None:
        return []
    found = []
    for name in case.model_slice.given:
        with np.errstate(all="ignore"):
            more = case.model_slice.evaluate([InputChange(name, lambda x: x + 1)]) - case.model_slice.expected()
            rest = case.model_slice.evaluate([InputChange(name, np.zeros_like)])
        # Without a rest there is nothing that it could be added to: its elements are only moved.
        if np.allclose(more, 1.0, rtol=1e-3) and np.any(rest != 0.0):
            found.append(name)
    return found


def is_added(case: FailingPass, tensor: str) -> bool:
    """Whether a tensor is a bias of the pass, whose errors have causes of their own."""
    if "added" not in case.kept:
        case.kept["added"] = frozenset(bias.tensor for bias in biases(case))
    return tensor in case.kept["added"]


def activations(case: FailingPass) -> list[Node]:
    """Returns the activation nodes of the pass."""
    return list(case.model_slice.nodes_with(lambda facts: facts.is_activation))


def inner_curves(case: FailingPass) -> list[Node]:
    """Returns activations and softmaxes that do not read the pass's inputs directly: a few, the last first."""
    found = case.model_slice.nodes_with(lambda facts: facts.is_activation or facts.share is not None)
    return [node for node in reversed(found) if node.inputs[0] not in case.model_slice.given][:_MOST_CURVES]


def spread_by_channel(case: FailingPass, tensor: str) -> Array | None:
    """Returns a constant of one value per channel (or one that broadcasts) in a shape that adds to the output."""
    value = np.asarray(case.model_slice.values[tensor], dtype=np.float32)
    shape = case.output.shape
    if value.size == 1:
        return value.reshape(1, 1, 1, 1)
    if value.ndim == 1 and len(shape) > 2 and value.size == shape[1]:
        return value.reshape((1, -1, 1, 1)) if len(shape) == 4 else None
    wide = value.reshape((1,) * (4 - value.ndim) + value.shape) if value.ndim <= 4 else None
    fits = wide is not None and all(size in (1, own) for size, own in zip(wide.shape, case.dims, strict=True))
    return wide if fits else None


def with_attributes(node: Node, **attributes: Any) -> Node:
    """Returns the node with some attributes replaced."""
    return dataclasses.replace(node, attributes=MappingProxyType({**node.attributes, **attributes}))


def undone_to(case: FailingPass, values: Array, node: Node) -> Array | None:
    """Inverts the nodes behind `node`: returns what it must have computed to give `values`; NaN where unknown.

    Float64, flat in the order of `values`. None if a later node cannot be inverted.
    """
    result, wanted = values.astype(np.float64), case.model_slice.wanted
    while wanted not in node.outputs:
        maker = case.model_slice.makers.get(wanted)
        made = [] if maker is None else [name for name in maker.inputs if name in case.model_slice.makers]
        if maker is None or len(made) != 1 or case.model_slice.values[made[0]].size != result.size:
            return None
        given = _undone(case, maker, result, maker.inputs.index(made[0]))
        if given is None:
            return None
        result, wanted = given, made[0]
    return result.reshape(-1)


def _undone(case: FailingPass, node: Node, values: Array, position: int) -> Array | None:
    """Returns the input at `position` from which the node computes `values`."""
    operator, made = operator_of(node), case.model_slice.values[node.outputs[0]]
    if operator is None or made.size != values.size or node.inputs.count(node.inputs[position]) > 1:
        return None
    if facts_of(node).moves and (sources := case.model_slice.sources(node, np.arange(values.size))) is not None:
        given = np.full(case.model_slice.values[node.inputs[position]].shape, np.nan)
        given.reshape(-1)[sources[1][sources[0] == position]] = values.reshape(-1)[sources[0] == position]
        return given
    with np.errstate(all="ignore"):
        return operator.undo(
            case.model_slice.call(node), case.model_slice.inputs_of(node), position, values.reshape(made.shape)
        )


@dataclass(frozen=True)
class Normalised:
    """The parts of a normalisation: float64 arrays, broadcast to x; `root` is a key of ROOTS; `count`: group size."""

    node: Node
    x: Array
    mean: Array | None
    variance: Array
    scale: Array | None
    shift: Array | None
    epsilon: float
    count: int
    root: str = "√(v + ε)"

    def evaluate(self) -> Array:
        """Computes the result, float32, in the shape of x."""
        with np.errstate(all="ignore"):
            y = self.x if self.mean is None else self.x - self.mean
            y = y / ROOTS[self.root](self.variance, self.epsilon)
            y = y if self.scale is None else y * self.scale
            return np.asarray(y if self.shift is None else y + self.shift, dtype=np.float32)

    def change(self, **fields: Any) -> NodeChange:
        """Returns the edit that changes some parts of the node."""
        return NodeChange(self.node.name, _Changed(self, MappingProxyType(fields)))

    def with_inputs(self, node: Node, inputs: Sequence[Array | None]) -> Normalised:
        """Returns the same normalisation of another x."""
        return replace(self, x=np.asarray(inputs[0], dtype=np.float64).reshape(self.x.shape))


@dataclass(frozen=True)
class _Changed:
    """A normalisation with some of its parts changed; further edits may change others."""

    right: Normalised
    fields: Mapping[str, Any]

    def __call__(self, node: Node, inputs: Sequence[Array | None]) -> Array:
        changed = replace(self.right, **self.fields)
        return changed.with_inputs(node, inputs).evaluate().reshape(np.asarray(inputs[0]).shape)

    def joined(self, other: object) -> _Changed | None:
        if not isinstance(other, _Changed) or {*self.fields} & {*other.fields}:
            return None
        return _Changed(self.right, MappingProxyType({**self.fields, **other.fields}))


def normalisations(case: FailingPass) -> Iterator[Normalised]:
    """Yields the pass's normalisations of this form."""
    yield from filter(None, (normalised(case, node) for node in case.model_slice.nodes))


def normalised(case: FailingPass, node: Node) -> Normalised | None:
    """Returns the node as a normalisation of this form; None if it has another form."""
    inputs = case.model_slice.inputs_of(node)
    if node.op_type == "BatchNormalization" and len(node.outputs) == 1 and all(v is not None for v in inputs[:5]):
        picture = np.asarray(inputs[0], dtype=np.float64)
        axis = (1, -1) + (1,) * (picture.ndim - 2)
        by_channel = [np.asarray(v, dtype=np.float64).reshape(axis) for v in inputs[1:5]]
        factor, addend, centre, spread = by_channel
        epsilon = float(node.attributes.get("epsilon", 1e-5))
        return Normalised(node, picture, centre, spread, factor, addend, epsilon, 0)
    if node.op_type != "Normalise" or inputs[0] is None or inputs[2] is None:
        return None
    view: tuple[int, ...] = tuple(node.attributes["view"])
    axes: tuple[int, ...] = tuple(node.attributes["axes"])
    kept = tuple(1 if axis in axes else size for axis, size in enumerate(view))
    parameters = tuple(node.attributes.get("parameters", (1,) * len(view)))
    found = [None if v is None else np.asarray(v, dtype=np.float64) for v in (*inputs, None, None)[:5]]
    shapes = (view, kept, kept, parameters, parameters)
    held = [None if value is None else value.reshape(shape) for value, shape in zip(found, shapes, strict=True)]
    x, mean, variance, scale, shift = held
    assert x is not None
    assert variance is not None
    root = "√v + ε" if node.attributes.get("outside", 0) else "√(v + ε)"
    count = math.prod(view[axis] for axis in axes)
    return Normalised(node, x, mean, variance, scale, shift, float(node.attributes["epsilon"]), count, root)
