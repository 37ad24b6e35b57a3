"""Converts an ONNX message to a graph: infers every shape and folds constants, node by node in one pass.

ONNX's own per-node inference gets the values of constant inputs, so that a
Reshape fed by Shape → Slice → Concat is as static as one with a literal. Schema defaults are written into
the attributes here, once; no operator has to repeat them.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

from texelscope.pipeline.deadline import DeadlineError, check, within
from texelscope.pipeline.errors import TexelscopeError, UnsupportedError
from texelscope.pipeline.graph import Graph, Node, Shape, TensorInfo
from texelscope.pipeline.model_file.apart import Bytes
from texelscope.pipeline.model_file.asked_for import COPIES, nodes_within
from texelscope.pipeline.model_file.contrib.writer import NodeInput
from texelscope.pipeline.model_file.definitions import Definition, contributed, definition, with_defaults
from texelscope.pipeline.model_file.inputs import check_names, check_not_empty, static_types
from texelscope.pipeline.model_file.message import array_of, dense
from texelscope.pipeline.model_file.nodes import (
    as_cast,
    attributes_of,
    bodies,
    captured,
    label,
    plain_domain,
    schema_of,
    who,
)
from texelscope.pipeline.model_file.refusals import check_outputs, refused
from texelscope.pipeline.model_file.sequences import unroll_of
from texelscope.pipeline.model_file.so_far import AtHand, SoFar, settled
from texelscope.pipeline.model_file.tensor_types.evaluated_types import evaluated_types, zeros_of
from texelscope.pipeline.model_file.tensor_types.free_dimensions import declared as named_dimensions
from texelscope.pipeline.model_file.tensor_types.free_dimensions import sizes_by_name
from texelscope.pipeline.model_file.tensor_types.known_types import KnownTypes, static_shape, type_of
from texelscope.pipeline.model_file.unrolling import GraphScope, Unroll
from texelscope.pipeline.model_file.wiring import NodeWires, order
from texelscope.pipeline.model_file.written import writes
from texelscope.pipeline.operators.families.registry import all_listed, all_operators, key_of
from texelscope.pipeline.oracle.reference import Reference
from texelscope.pipeline.planning.memory import needed_for
from texelscope.pipeline.quotas import QuotaError, hold, present

# Constants up to this many elements are shown to shape inference: shapes, axes, pads, sizes.
_SHAPE_LIKE_COUNT = 4096
# These operators use their input's shape and element type, never its elements.
_OF_SHAPES = frozenset({"Shape", "Size", "EyeLike"})
# Their output has the type of their first input, which ONNX's inference does not say.
_LIKE_INPUT = frozenset({"GroupNormalization", "MeanVarianceNormalization"})
# For these operators inference forgets an attribute's default.
_FORGETFUL = frozenset({"STFT"})
# An invalid loop or sequence may raise these when it is unrolled.
_MALFORMED = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
# Bytes of the widest element type.
_WIDEST = 8
_RANDOM = frozenset({f"Random{kind}" for kind in ("Normal", "Uniform", "NormalLike", "UniformLike")})
_RANDOM |= {"Bernoulli", "Multinomial"}


def graph_of(
    model: onnx.ModelProto,
    name: str,
    shapes: Mapping[str, Shape],
    values: Mapping[str, NDArray[Any]] | None = None,
    weights: Mapping[int, Bytes] | None = None,
) -> Graph:
    """Returns the model's graph with every shape static; errors call it `name`.

    `shapes` are those of inputs with free dimensions, and of any other tensor that the caller knows; `values`
    are known ones, of inputs and of nodes that cannot run. Control flow and sequences are unrolled by the values.
    A tensor whose shape depends on data, or that follows an operator unknown to ONNX, is left out of the graph's
    `tensors` if neither determines its shape. `weights` are bytes of initializers, by number, that `model` lacks.
    Raises TexelscopeError for a malformed model, and if inputs have free dimensions that `shapes` does not set.
    """
    return _Builder(model, name, shapes, values or {}).build(weights or {})


class _Builder:
    """Traverses the nodes once, with types and constant values."""

    def __init__(
        self, model: onnx.ModelProto, name: str, shapes: Mapping[str, Shape], values: Mapping[str, NDArray[Any]]
    ) -> None:
        self._model = model
        self._opsets = {plain_domain(entry.domain): entry.version for entry in model.opset_import}
        self._folded_count = 0
        self._folding_seconds: float = present().folding_seconds
        self._reference = Reference()
        self._known = self._known_types(shapes, values)
        self._so_far = SoFar(name, AtHand({}, self._reference))
        self._refusals: dict[str, UnsupportedError] = {}

    def _known_types(self, shapes: Mapping[str, Shape], values: Mapping[str, NDArray[Any]]) -> KnownTypes:
        declared = {value.name: value.type for value in (*self._model.graph.value_info, *self._model.graph.output)}
        sizes = sizes_by_name([named_dimensions(value) for value in self._model.graph.input], shapes)
        return KnownTypes(declared, shapes, values, sizes)

    def build(self, weights: Mapping[int, Bytes]) -> Graph:
        graph = self._model.graph
        ordered = self._ordered()
        for number, tensor in enumerate(graph.initializer):
            self._so_far.add_constant(tensor.name, array_of(tensor, self._so_far.model, weights.get(number)))
        for sparse in graph.sparse_initializer:
            self._so_far.add_constant(sparse.values.name, dense(sparse, self._so_far.model))
        inputs = [value for value in graph.input if value.name not in self._so_far.constants]
        made = [output for proto in nodes_within(graph.node) for output in proto.output if output]
        check_names(self._known.shapes, [*(value.name for value in inputs), *made])
        self._so_far.types.update(static_types(inputs, self._known.shapes, self._so_far.model, graph.node))
        for value in inputs:
            self._so_far.hold(value.name, f"input '{value.name}' ({self._so_far.model})")
        known = [info for value in inputs if (info := self._info(value.name)) is not None]
        needed_for(known).check(self._so_far.model)  # before constants are made of their shapes
        if any(not self._is_empty(value.name) for value in inputs):
            # For example the memory of a first step, whose length was given as 0.
            for name in (value.name for value in inputs if value.name in self._known.shapes):
                self._add_if_empty(name)
        self._so_far.at_hand = AtHand(
            {name: self._typed(name, value) for name, value in self._known.values.items()},
            self._reference,
            complete={value.name for value in inputs} <= {*self._known.values, *self._so_far.constants},
        )
        self._so_far.at_hand.know(self._so_far.bytes_of)
        for proto in ordered:
            self._add(proto, self._opsets)
        return self._graph([value.name for value in inputs if value.name not in self._so_far.constants])

    def _typed(self, name: str, value: NDArray[Any]) -> NDArray[Any]:
        """Returns an input's value in the input's own type; for a node that cannot run the value's type counts."""
        if name not in self._so_far.types:
            return np.asarray(value)
        with np.errstate(invalid="ignore", over="ignore"):
            return np.asarray(value).astype(self._dtype(name))

    def _dtype(self, name: str) -> np.dtype[Any]:
        return np.dtype(helper.tensor_dtype_to_np_dtype(self._so_far.types[name].tensor_type.elem_type))

    def _graph(self, inputs: Sequence[str]) -> Graph:
        outputs = tuple(tensor for value in self._model.graph.output for tensor in self._so_far.tensors(value.name))
        used = {name for node in self._so_far.nodes for name in node.inputs} | set(outputs)
        # An empty input without readers (the memory of an old loop, for example) needs no texture.
        kept = tuple(name for name in inputs if name in used or math.prod(self._so_far.shape(name) or ()) > 0)
        for name in kept:
            check_not_empty(name, self._so_far.shape(name) or (), self._so_far.model)
        infos = (self._info(name) for name in self._so_far.types)
        return Graph(
            name=self._so_far.model,
            nodes=tuple(self._so_far.nodes),
            tensors=MappingProxyType({info.name: info for info in infos if info is not None}),
            inputs=kept,
            outputs=outputs,
            constants=MappingProxyType({name: value for name, value in self._so_far.constants.items() if name in used}),
            refusals=MappingProxyType(self._refusals),
            decided=MappingProxyType(self._so_far.at_hand.decided),
            undecided=tuple(name for name, reason in self._so_far.at_hand.undecided.items() if not reason),
        )

    def _ordered(self) -> list[onnx.NodeProto]:
        graph = self._model.graph
        fixed = [tensor.name for tensor in graph.initializer]
        fixed += [sparse.values.name for sparse in graph.sparse_initializer]
        known = set(fixed)
        # Before IR version 4 initializers had to be listed among the inputs as well.
        given = [*(value.name for value in graph.input if value.name not in known), *fixed]
        wires = [NodeWires(who(proto), (*proto.input, *captured(proto)), tuple(proto.output)) for proto in graph.node]
        positions = order(wires, given, [output.name for output in graph.output], self._so_far.model)
        return [graph.node[position] for position in positions]

    def _add_if_empty(self, name: str) -> None:
        """Makes an output without elements a constant."""
        if self._is_empty(name):
            self._so_far.add_constant(name, np.array(zeros_of(self._so_far.types[name])))

    def _is_empty(self, name: str) -> bool:
        return name in self._so_far.types and 0 in (self._so_far.shape(name) or ())

    def _add(self, proto: onnx.NodeProto, opsets: Mapping[str, int]) -> None:
        """Adds a node, or its replacements, with those versions by domain."""
        check()
        if (
            proto.op_type == "CastLike"
            and not proto.domain
            and len(proto.input) == 2
            and proto.input[1] in self._so_far.types
        ):
            proto = as_cast(proto, self._so_far.types[proto.input[1]].tensor_type.elem_type)
        unroll = unroll_of(proto, {*self._so_far.sequences, *self._so_far.optionals})
        if unroll is not None and self._unroll(proto, unroll, opsets):
            return
        domain = plain_domain(proto.domain)
        opset = opsets.get(domain, 1)
        schema = schema_of(proto.op_type, opset, domain)
        defined = self._definition(proto, schema) if unroll is None else None
        if defined is not None and self._put(defined, proto, opsets, must=schema is not None):
            return
        node = Node(
            name=self._so_far.names.give(label(proto)),
            op_type=proto.op_type,
            inputs=tuple(proto.input),
            outputs=tuple(proto.output),
            attributes=MappingProxyType({**_defaults(proto), **attributes_of(proto, schema, self._so_far.model)}),
            domain=domain,
            opset=opset,
        )
        self._infer(proto, schema, node)
        with_values = settled(proto, self._so_far)
        if with_values is not None:
            self._so_far.names.take_back(node.name)
            self._add(with_values, opsets)
            return
        constants = self._so_far.constants
        if all(name in constants for name in node.inputs if self._is_empty(name)):
            for output in node.outputs:
                self._add_if_empty(output)
        if any(node.outputs) and all(name in constants for name in node.outputs if name):
            return
        if schema is None or not self._is_constant(node, proto) or not self._fold(node):
            self._so_far.nodes.append(node)

    def _put(self, defined: Definition, proto: onnx.NodeProto, opsets: Mapping[str, int], *, must: bool) -> bool:
        """Adds a node's replacements; returns False, and keeps the reason, if they do not fit and are optional."""
        before = len(self._so_far.nodes)
        try:
            for each in defined.nodes:
                self._add(each, {**opsets, **defined.opsets})
        except TexelscopeError as error:
            if must:
                raise
            del self._so_far.nodes[before:]
            expected, do_next = "attributes and shapes that make sense together", "Check the exporting script."
            name = self._so_far.names.give(label(proto))
            self._so_far.names.take_back(name)  # the node keeps it
            self._refusals[name] = UnsupportedError(who(proto), expected, error.got, do_next)
            return False
        return True

    def _unroll(self, proto: onnx.NodeProto, unroll: Unroll, opsets: Mapping[str, int]) -> bool:
        """Replaces a node by plain ones; returns False, and keeps the reason, if a needed value is unknown."""
        before = len(self._so_far.nodes)
        try:
            unroll(proto, GraphScope(self._so_far, opsets, self._add))
        except QuotaError as error:
            refusal: UnsupportedError = error
        except TexelscopeError as error:
            refusal = UnsupportedError(error.who, error.expected, error.got, error.do_next)
        except _MALFORMED as error:
            expected, got = "attributes and shapes that make sense together", f"{type(error).__name__}: {error}"
            who_ = f"{who(proto)} ({self._so_far.model})"
            refusal = UnsupportedError(who_, expected, got, "Check the exporting script.")
        else:
            return True
        del self._so_far.nodes[before:]
        name = self._so_far.names.give(label(proto))
        self._so_far.names.take_back(name)  # the node keeps it
        self._refusals[name] = refusal
        return False

    def _definition(self, proto: onnx.NodeProto, schema: onnx.defs.OpSchema | None) -> Definition | None:
        """Returns the nodes that define one without an operator here by others, from ONNX or ONNX Runtime."""
        domain = plain_domain(proto.domain)
        if (schema is None or domain) and writes(domain, proto.op_type) is not None:
            return self._contributed(proto, schema)
        if schema is None or key_of(proto.op_type, domain) in all_operators():
            return None
        if any(name and name not in self._so_far.types for name in proto.input):
            return None
        types = [self._so_far.types[name] if name else None for name in proto.input]
        name = self._so_far.names.give(label(proto))
        found = definition(proto, schema, types, name)
        if found is None:
            self._so_far.names.take_back(name)  # the node keeps it
        return found

    def _contributed(self, proto: onnx.NodeProto, schema: onnx.defs.OpSchema | None) -> Definition | None:
        """Returns the nodes of a `write`; None if shapes would be lost, or with a reason."""
        if any(name and (name not in self._so_far.types or self._info(name) is None) for name in proto.input):
            return None
        infos = [self._info(name) if name else None for name in proto.input]
        given = [NodeInput(i.name, i.shape, i.dtype, self._so_far.constants.get(i.name)) if i else None for i in infos]
        name = self._so_far.names.give(label(proto))
        self._so_far.names.take_back(name)  # a node keeps it, this one or the one that makes its output
        try:
            return contributed(proto, given, attributes_of(proto, schema, self._so_far.model), name)
        except UnsupportedError as error:
            self._refusals[name] = error
            return None

    def _infer(self, proto: onnx.NodeProto, schema: onnx.defs.OpSchema | None, node: Node) -> None:
        """Returns types of the node's outputs; for an operator unknown to ONNX, those that the model declares."""
        if schema is not None and node.op_type in _LIKE_INPUT and node.inputs[0] in self._so_far.types:
            self._so_far.types[node.outputs[0]] = self._so_far.types[node.inputs[0]]
            return
        known = all(not name or name in self._so_far.types for name in node.inputs) and node.name not in self._refusals
        inferred = self._inferred(proto, schema, node) if known and schema is not None and not bodies(proto) else {}
        types = dict(inferred)
        if known and any(name and not _is_static(types.get(name)) for name in node.outputs):
            so_far = self._so_far
            types = {**types, **evaluated_types(node, schema, so_far.types, so_far.constants, self._reference)}
        for output in filter(None, node.outputs):
            found = self._known.of(output, types.get(output), f"{node.op_type} '{node.name}' ({self._so_far.model})")
            if found is not None:
                self._so_far.types[output] = found
                self._so_far.hold(output, f"{node.op_type} '{node.name}' ({self._so_far.model})")
            if output in self._known.values and _is_static(found):
                self._so_far.at_hand.retype(output, self._dtype(output))

    def _inferred(self, proto: onnx.NodeProto, schema: onnx.defs.OpSchema, node: Node) -> Mapping[str, onnx.TypeProto]:
        values = {
            name: self._so_far.constants[name]
            for name in node.inputs
            if name in self._so_far.constants and self._so_far.constants[name].size <= _SHAPE_LIKE_COUNT
        }
        # Types of all others, which only bodies of control flow need, would be serialised again for each node.
        types = {name: self._so_far.types[name] for name in node.inputs if name}
        if node.op_type == "Range":
            # ONNX's own definition of AffineGrid gives it one-element tensors, which its inference refuses.
            scalars = {name: value.reshape(()) for name, value in values.items() if value.size == 1}
            values = {**values, **scalars}
            types = {**types, **{name: type_of(value) for name, value in scalars.items()}}
        check_outputs(node, f"{node.op_type} '{node.name}' ({self._so_far.model})")
        proto = with_defaults(proto, schema) if node.op_type in _FORGETFUL else proto
        data = {name: numpy_helper.from_array(value, name) for name, value in values.items()}
        try:
            return onnx.shape_inference.infer_node_outputs(
                schema, proto, types, data, opset_imports=list(self._model.opset_import)
            )
        except Exception as error:
            raise refused(proto, schema, types, f"{node.op_type} '{node.name}' ({self._so_far.model})") from error

    def _is_constant(self, node: Node, proto: onnx.NodeProto) -> bool:
        if node.op_type in _RANDOM or bodies(proto):
            return False
        if node.op_type in _OF_SHAPES and node.inputs[0] in self._so_far.types:
            return self._so_far.shape(node.inputs[0]) is not None
        return all(not name or name in self._so_far.constants for name in node.inputs)

    def _fold(self, node: Node) -> bool:
        """Makes the node's outputs constants; returns False if the oracle cannot evaluate it."""
        values: Sequence[NDArray[Any] | None]
        if node.op_type in _OF_SHAPES:
            values = [zeros_of(self._so_far.types[node.inputs[0]])]
        else:
            values = [self._so_far.constants[name] if name else None for name in node.inputs]
        for output in filter(None, node.outputs):
            self._count_folded(node, self._so_far.shape(output) if output in self._so_far.types else None)
        begun = time.monotonic()
        try:
            with within(self._folding_seconds, f"folding constants of {self._so_far.model}"):
                results = self._reference.run_node(node, values)
            self._folding_seconds -= time.monotonic() - begun
        except DeadlineError:
            raise
        except TexelscopeError:
            return False  # it becomes a pass, or a node that does not run: both name the node
        for output, value in zip(node.outputs, results, strict=False):
            if output and value is not None:
                self._so_far.add_constant(output, np.asarray(value))
        return True

    def _count_folded(self, node: Node, shape: Shape | None) -> None:
        """Refuses a disproportionate amount of memory, before it is allocated."""
        who, count = f"{node.op_type} '{node.name}' ({self._so_far.model})", math.prod(shape or ())
        self._folded_count += count
        hold(who, "folded_elements", self._folded_count, f" of constants that nodes make, {list(shape or ())} the last")
        hold(who, "memory_bytes", self._so_far.constant_bytes + COPIES * count * _WIDEST, " for constants")

    def shape_of(self, name: str) -> Shape | None:
        return static_shape(self._so_far.types[name])

    def _info(self, name: str) -> TensorInfo | None:
        """Returns None for no tensor, or for a shape that depends on data."""
        shape = self._so_far.shape(name)
        if shape is None:
            return None
        element = self._so_far.types[name].tensor_type.elem_type
        try:
            dtype = np.dtype(helper.tensor_dtype_to_np_dtype(element)).name
        except KeyError:
            return None
        return TensorInfo(name, shape, dtype)


def _defaults(proto: onnx.NodeProto) -> Mapping[str, Any]:
    """Returns defaults, from the operator's module, for attributes that a node of its domain may omit."""
    listed = all_listed().get(key_of(proto.op_type, proto.domain))
    return {} if listed is None else listed.defaults


def _is_static(kind: onnx.TypeProto | None) -> bool:
    return kind is not None and static_shape(kind) is not None
