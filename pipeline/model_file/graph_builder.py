"""An ONNX message to a graph: every shape inferred, what is constant folded, node by node in one pass.

Shapes are inferred by ONNX's own per-node inference with the values of constant inputs at hand, so that a
Reshape fed by Shape → Slice → Concat is as static as one with a literal. Schema defaults are written into
the attributes here, once; no operator has to repeat them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

from pipeline.errors import TexelscopeError, UnsupportedError
from pipeline.graph import Graph, Node, Shape, TensorInfo
from pipeline.model_file.contrib.writer import Given
from pipeline.model_file.definitions import Definition, branch, contributed, definition, with_defaults
from pipeline.model_file.inputs import check_names, check_not_empty, static_type
from pipeline.model_file.message import array_of, dense
from pipeline.model_file.schemas import schema_of
from pipeline.model_file.wiring import Wires, order
from pipeline.model_file.written import writes
from pipeline.operators.families.registry import all_operators
from pipeline.oracle.reference import Reference
from pipeline.unique_names import UniqueNames

# More folded elements than this are more likely a broadcast gone wrong than weights.
MAX_FOLDED_COUNT = 1 << 28
# Constants up to this many elements are shown to shape inference: shapes, axes, pads, sizes.
_SHAPE_LIKE_COUNT = 4096
# Operators of some of whose outputs old versions say nothing. Others, of opset 1 most of them, tell of none at all.
_HALF_TOLD = frozenset({"BatchNormalization", "Dropout", "LSTM"})
# Operators that look at their input's shape and element type, never at its elements.
_OF_SHAPES = frozenset({"Shape", "Size", "EyeLike"})
# The input that decides the output's shape where ONNX's inference does not look at it.
_DECISIVE = {"Compress": 1, "OneHot": 1, "MaxUnpool": 2, "Tile": 1}
# Operators whose output is of the type of their first input, which ONNX's inference does not say.
_LIKE_INPUT = frozenset({"GroupNormalization", "MeanVarianceNormalization"})
# Operators whose inference forgets an attribute's default.
_FORGETFUL = frozenset({"STFT"})
# A default of GRU 1 as its schema spells it.
_MISSPELT = {"foward": "forward"}
_RANDOM = frozenset(
    {"RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike", "Bernoulli", "Multinomial"}
)


def graph_of(model: onnx.ModelProto, name: str, shapes: Mapping[str, Shape]) -> Graph:
    """The model's graph with every shape static; `name` is what errors call it by.

    A tensor whose shape depends on data, or that follows an operator unknown to ONNX, is left out of the
    graph's `tensors`. Raises TexelscopeError for a model that is not well-formed, and where an input has
    free dimensions that `shapes` does not settle.
    """
    return _Builder(model, name, shapes).build()


class _Builder:
    """Walks the nodes once, carrying types and constant values along."""

    def __init__(self, model: onnx.ModelProto, name: str, shapes: Mapping[str, Shape]) -> None:
        self._model = model
        self._name = name
        self._opsets = {_domain(entry.domain): entry.version for entry in model.opset_import}
        declared = (*model.graph.value_info, *model.graph.output)
        self._declared = {value.name: value.type for value in declared}
        self._types: dict[str, onnx.TypeProto] = {}
        self._constants: dict[str, NDArray[Any]] = {}
        self._folded_count = 0
        self._shapes = dict(shapes)
        self._reference = Reference()
        self._nodes: list[Node] = []
        self._names = UniqueNames()
        self._refusals: dict[str, UnsupportedError] = {}

    def build(self) -> Graph:
        graph = self._model.graph
        ordered = self._ordered()
        for tensor in graph.initializer:
            self._add_constant(tensor.name, array_of(tensor, self._name))
        for sparse in graph.sparse_initializer:
            self._add_constant(sparse.values.name, dense(sparse, self._name))
        inputs = [value for value in graph.input if value.name not in self._constants]
        check_names(self._shapes, [value.name for value in inputs])
        for value in inputs:
            self._types[value.name] = static_type(value, self._shapes.get(value.name), self._name)
        if any(not self._is_empty(value.name) for value in inputs):
            # The memory of a first step, say, whose length was given as 0.
            for name in (value.name for value in inputs if value.name in self._shapes):
                self._add_if_empty(name)
            inputs = [value for value in inputs if value.name not in self._constants]
        for proto in ordered:
            self._add_node(proto, self._opsets)
        return self._graph([value.name for value in inputs])

    def _graph(self, inputs: Sequence[str]) -> Graph:
        outputs = tuple(output.name for output in self._model.graph.output)
        used = {name for node in self._nodes for name in node.inputs} | set(outputs)
        # An empty input that nobody reads any more (the memory of an old loop, say) needs no texture.
        kept = tuple(name for name in inputs if name in used or math.prod(self._static_shape(name) or ()) > 0)
        for name in kept:
            check_not_empty(name, self._static_shape(name) or (), self._name)
        infos = (self._info(name) for name in self._types)
        return Graph(
            name=self._name,
            nodes=tuple(self._nodes),
            tensors=MappingProxyType({info.name: info for info in infos if info is not None}),
            inputs=kept,
            outputs=outputs,
            constants=MappingProxyType({name: value for name, value in self._constants.items() if name in used}),
            refusals=MappingProxyType(self._refusals),
        )

    def _ordered(self) -> list[onnx.NodeProto]:
        graph = self._model.graph
        fixed = [tensor.name for tensor in graph.initializer]
        fixed += [sparse.values.name for sparse in graph.sparse_initializer]
        known = set(fixed)
        # Before IR version 4 initializers had to be listed among the inputs as well.
        given = [*(value.name for value in graph.input if value.name not in known), *fixed]
        wires = [Wires(_who(proto), (*proto.input, *_captured(proto)), tuple(proto.output)) for proto in graph.node]
        positions = order(wires, given, [output.name for output in graph.output], self._name)
        return [graph.node[position] for position in positions]

    def _add_constant(self, name: str, value: NDArray[Any]) -> None:
        self._constants[name] = value
        self._types[name] = _type_of(value)

    def _add_if_empty(self, name: str) -> None:
        """What has no elements is known before the run."""
        if self._is_empty(name):
            dtype = helper.tensor_dtype_to_np_dtype(self._types[name].tensor_type.elem_type)
            self._add_constant(name, np.zeros(self._static_shape(name) or (0,), dtype))

    def _is_empty(self, name: str) -> bool:
        return name in self._types and 0 in (self._static_shape(name) or ())

    def _add_node(self, proto: onnx.NodeProto, opsets: Mapping[str, int]) -> None:
        if proto.op_type == "CastLike" and not proto.domain and len(proto.input) == 2 and proto.input[1] in self._types:
            proto = _cast(proto, self._types[proto.input[1]].tensor_type.elem_type)
        if proto.op_type == "If" and not proto.domain and proto.input[0] in self._constants:
            self._add_branch(proto, opsets)
            return
        domain = _domain(proto.domain)
        opset = opsets.get(domain, 1)
        schema = schema_of(proto.op_type, opset, domain)
        defined = self._definition(proto, schema)
        if defined is not None:
            for each in defined.nodes:
                self._add_node(each, {**opsets, **defined.opsets})
            return
        node = Node(
            name=self._names.give(_label(proto)),
            op_type=proto.op_type,
            inputs=tuple(proto.input),
            outputs=tuple(proto.output),
            attributes=MappingProxyType(self._attributes(proto, schema)),
            domain=domain,
            opset=opset,
        )
        self._infer(proto, schema, node)
        if all(name in self._constants for name in node.inputs if self._is_empty(name)):
            for output in filter(None, node.outputs):
                self._add_if_empty(output)
        if all(output in self._constants for output in filter(None, node.outputs)) and any(node.outputs):
            return
        if schema is None or not self._is_constant(node, proto) or not self._fold(node):
            self._nodes.append(node)

    def _add_branch(self, proto: onnx.NodeProto, opsets: Mapping[str, int]) -> None:
        """Puts the branch that an If will always take in its place."""
        initializers, nodes = branch(proto, holds=bool(self._constants[proto.input[0]].any()))
        for tensor in initializers:
            self._add_constant(tensor.name, array_of(tensor, self._name))
        for each in nodes:
            self._add_node(each, opsets)

    def _definition(self, proto: onnx.NodeProto, schema: onnx.defs.OpSchema | None) -> Definition | None:
        """The nodes that stand for one that no operator runs but that ONNX, or ONNX Runtime, defines by others."""
        domain = _domain(proto.domain)
        if (schema is None or domain) and writes(domain, proto.op_type) is not None:
            return self._contributed(proto, schema)
        if schema is None or proto.op_type in all_operators():
            return None
        if any(name and name not in self._types for name in proto.input):
            return None
        types = [self._types[name] if name else None for name in proto.input]
        name = self._names.give(_label(proto))
        found = definition(proto, schema, types, name)
        if found is None:
            self._names.take_back(name)  # the node keeps it
        return found

    def _contributed(self, proto: onnx.NodeProto, schema: onnx.defs.OpSchema | None) -> Definition | None:
        """The nodes that stand for one that is written here; None where shapes are lost, or with a reason."""
        if any(name and (name not in self._types or self._info(name) is None) for name in proto.input):
            return None
        infos = [self._info(name) if name else None for name in proto.input]
        given = [Given(i.name, i.shape, i.dtype, self._constants.get(i.name)) if i else None for i in infos]
        name = self._names.give(_label(proto))
        try:
            return contributed(proto, given, self._attributes(proto, schema), name)
        except UnsupportedError as error:
            self._names.take_back(name)
            self._refusals[name] = error
            return None

    def _attributes(self, proto: onnx.NodeProto, schema: onnx.defs.OpSchema | None) -> dict[str, Any]:
        values: dict[str, Any] = {}
        if schema is not None:
            for name, attribute in schema.attributes.items():
                if attribute.default_value.type != onnx.AttributeProto.UNDEFINED:
                    value = _value(attribute.default_value, self._name)
                    values[name] = _MISSPELT.get(value, value) if isinstance(value, str) else value
        for given in proto.attribute:
            try:
                values[given.name] = _value(given, self._name)
            except ValueError as error:
                who = f"{_who(proto)} ({self._name})"
                what = f"a value of attribute '{given.name}'"
                raise TexelscopeError(who, what, str(error), "Check the exporting script.") from error
        return values

    def _infer(self, proto: onnx.NodeProto, schema: onnx.defs.OpSchema | None, node: Node) -> None:
        """Types of the node's outputs; for an operator unknown to ONNX, those that the model declares."""
        if schema is not None and node.op_type in _LIKE_INPUT and node.inputs[0] in self._types:
            self._types[node.outputs[0]] = self._types[node.inputs[0]]
            return
        known = schema is not None and all(not name or name in self._types for name in node.inputs)
        inferred = self._inferred(proto, schema, node) if known and schema is not None and not _graphs(proto) else {}
        types = dict(inferred)
        if known and schema is not None and any(name and not _is_static(types.get(name)) for name in node.outputs):
            types = {**types, **self._evaluated_types(node, schema)}
        for output in filter(None, node.outputs):
            found = types.get(output)
            if not _is_static(found):
                found = self._declared.get(output, found)
            if found is not None:
                self._types[output] = found

    def _evaluated_types(self, node: Node, schema: onnx.defs.OpSchema) -> Mapping[str, onnx.TypeProto]:
        """The types of what the node makes of zeros, if constants and the shapes of its inputs decide them."""
        if not self._is_decided(node, schema) or any(name and self._static_shape(name) is None for name in node.inputs):
            return {}
        values = [self._constants.get(name, self._zeros(name)) if name else None for name in node.inputs]
        try:
            results = self._reference.run_node(node, values)
        except TexelscopeError:
            return {}  # it is not run, and says why
        return {name: _type_of(value) for name, value in zip(node.outputs, results, strict=True) if value is not None}

    def _is_decided(self, node: Node, schema: onnx.defs.OpSchema) -> bool:
        decisive = _DECISIVE.get(node.op_type, -1)
        if 0 < decisive < len(node.inputs):
            return node.inputs[decisive] in self._constants
        return not node.domain and (node.op_type in _HALF_TOLD or not schema.has_type_and_shape_inference_function)

    def _zeros(self, name: str) -> NDArray[Any]:
        """A tensor of the type of `name`, which takes no memory."""
        dtype = helper.tensor_dtype_to_np_dtype(self._types[name].tensor_type.elem_type)
        return np.broadcast_to(np.zeros((), dtype), self._static_shape(name) or ())

    def _inferred(self, proto: onnx.NodeProto, schema: onnx.defs.OpSchema, node: Node) -> Mapping[str, onnx.TypeProto]:
        values = {
            name: self._constants[name]
            for name in node.inputs
            if name in self._constants and self._constants[name].size <= _SHAPE_LIKE_COUNT
        }
        types = self._types
        if node.op_type == "Range":
            # ONNX's own definition of AffineGrid gives it one-element tensors, which its inference refuses.
            scalars = {name: value.reshape(()) for name, value in values.items() if value.size == 1}
            values = {**values, **scalars}
            types = {**types, **{name: _type_of(value) for name, value in scalars.items()}}
        proto = with_defaults(proto, schema) if node.op_type in _FORGETFUL else proto
        data = {name: numpy_helper.from_array(value, name) for name, value in values.items()}
        try:
            return onnx.shape_inference.infer_node_outputs(
                schema, proto, types, data, opset_imports=list(self._model.opset_import)
            )
        except Exception as error:
            detail = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise TexelscopeError(
                f"{node.op_type} '{node.name}' ({self._name})",
                "inputs that fit the operator",
                detail,
                "Check the exporting script.",
            ) from error

    def _is_constant(self, node: Node, proto: onnx.NodeProto) -> bool:
        if node.op_type in _RANDOM or _graphs(proto):
            return False
        if node.op_type in _OF_SHAPES and node.inputs[0] in self._types:
            return self._static_shape(node.inputs[0]) is not None
        return all(not name or name in self._constants for name in node.inputs)

    def _fold(self, node: Node) -> bool:
        """Makes the node's outputs constants; False where the oracle cannot evaluate it."""
        values: Sequence[NDArray[Any] | None]
        if node.op_type in _OF_SHAPES:
            values = [self._zeros(node.inputs[0])]
        else:
            values = [self._constants[name] if name else None for name in node.inputs]
        for output in filter(None, node.outputs):
            self._count_folded(node, self._static_shape(output) if output in self._types else None)
        try:
            results = self._reference.run_node(node, values)
        except TexelscopeError:
            return False  # it becomes a pass, or one that is not run: both name the node
        for output, value in zip(node.outputs, results, strict=False):
            if output and value is not None:
                self._add_constant(output, np.asarray(value))
        return True

    def _count_folded(self, node: Node, shape: Shape | None) -> None:
        """Refuses what would take memory out of proportion, before it is taken."""
        self._folded_count += math.prod(shape or ())
        if self._folded_count > MAX_FOLDED_COUNT:
            raise UnsupportedError(
                f"{node.op_type} '{node.name}' ({self._name})",
                f"at most {MAX_FOLDED_COUNT} elements of constants that nodes make",
                f"{list(shape or ())}, {self._folded_count} with those before",
                "Check the exporting script.",
            )

    def _static_shape(self, name: str) -> Shape | None:
        return _static(self._types[name])

    def _info(self, name: str) -> TensorInfo | None:
        """None for what is no tensor or has a shape that depends on data."""
        shape = self._static_shape(name)
        if shape is None:
            return None
        element = self._types[name].tensor_type.elem_type
        try:
            dtype = np.dtype(helper.tensor_dtype_to_np_dtype(element)).name
        except KeyError:
            return None
        return TensorInfo(name, shape, dtype)


def _type_of(value: NDArray[Any]) -> onnx.TypeProto:
    return helper.make_tensor_type_proto(helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)


def _label(proto: onnx.NodeProto) -> str:
    return proto.name or next((out for out in proto.output if out), proto.op_type)


def _who(proto: onnx.NodeProto) -> str:
    return f"{proto.op_type} '{proto.name or next((out for out in proto.output if out), '')}'"


def _domain(domain: str) -> str:
    return "" if domain == "ai.onnx" else domain


def _static(kind: onnx.TypeProto) -> Shape | None:
    """The shape of a tensor type without free dimensions; None for any other type."""
    if kind.WhichOneof("value") != "tensor_type" or not kind.tensor_type.HasField("shape"):
        return None
    dims = kind.tensor_type.shape.dim
    # Some exporters write -1 for a free dimension.
    return tuple(d.dim_value for d in dims) if all(d.HasField("dim_value") and d.dim_value >= 0 for d in dims) else None


def _is_static(kind: onnx.TypeProto | None) -> bool:
    return kind is not None and _static(kind) is not None


def _graphs(proto: onnx.NodeProto) -> list[onnx.GraphProto]:
    """The bodies of If, Loop and Scan."""
    single = (attribute.g for attribute in proto.attribute if attribute.HasField("g"))
    return [*single, *(graph for attribute in proto.attribute for graph in attribute.graphs)]


def _captured(proto: onnx.NodeProto) -> Iterator[str]:
    """Tensors from outside that the node's bodies read."""
    for graph in _graphs(proto):
        own = {value.name for value in graph.input} | {tensor.name for tensor in graph.initializer}
        own |= {output for node in graph.node for output in node.output}
        for node in graph.node:
            yield from (name for name in (*node.input, *_captured(node)) if name not in own)


def _cast(proto: onnx.NodeProto, element: int) -> onnx.NodeProto:
    """CastLike with what its second input is for, the element type, put as an attribute."""
    cast = onnx.NodeProto()
    cast.CopyFrom(proto)
    cast.op_type = "Cast"
    del cast.input[1]
    cast.attribute.append(helper.make_attribute("to", element))
    return cast


def _value(attribute: onnx.AttributeProto, who: str) -> Any:
    value = helper.get_attribute_value(attribute)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, onnx.TensorProto):
        return array_of(value, who)
    if isinstance(value, list) or attribute.type in (onnx.AttributeProto.INTS, onnx.AttributeProto.FLOATS):
        return tuple(item.decode("utf-8", "replace") if isinstance(item, bytes) else item for item in value)
    return value
