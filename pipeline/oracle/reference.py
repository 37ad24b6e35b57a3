"""Evaluates nodes with onnx.reference, which is the definition; the only module of the oracle that knows onnx.

Operators with a module in `pipeline.oracle.fast`, `.pools` or `.early` are handed to it through the evaluator's own
extension point (`new_ops`). Where such a module declines, and for every other operator, onnx.reference computes;
operators that it lacks are expanded by the function body of their schema.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import onnx
from onnx import FunctionProto, NodeProto, defs, helper
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun
from onnx.reference.ops import load_op

from pipeline.errors import TexelscopeError, UnsupportedError, nearest
from pipeline.graph import CONTRIB_DOMAIN, OWN_DOMAIN, Node
from pipeline.oracle import contrib as contrib_folder
from pipeline.oracle import early as early_folder
from pipeline.oracle import fast as fast_folder
from pipeline.oracle import own as own_folder
from pipeline.oracle import pools as pools_folder
from pipeline.oracle.arithmetic.invocation import Array, Invocation, Outputs
from pipeline.oracle.arithmetic.workers import Workers, single_threaded_blas
from pipeline.oracle.old_opsets import lined_up, modern_name, obsolete_attributes
from pipeline.oracle.versions import Evaluate, discover

# Called before each node with the node, its position and the number of nodes; False ends the run.
Proceed = Callable[[Node, int, int], bool]


class Reference:
    """Runs single nodes and chains of them on numpy arrays.

    With `fast=False` nothing but onnx.reference is used. Results may share memory with inputs; treat all as
    read-only. One instance may be used from several threads: it only caches.
    """

    def __init__(self, *, fast: bool = True) -> None:
        self._workers = Workers()
        self._versions: Mapping[str, Evaluate] = discover(fast_folder, pools_folder, early_folder) if fast else {}
        self._defined: Mapping[str, Mapping[str, Evaluate]] = {
            OWN_DOMAIN: discover(own_folder),
            CONTRIB_DOMAIN: discover(contrib_folder),
        }
        self._classes: dict[int, list[type[OpRun]]] = {}
        self._evaluators: dict[int, tuple[weakref.ref[Node], ReferenceEvaluator]] = {}

    def run_node(self, node: Node, inputs: Sequence[Array | None]) -> tuple[Array | None, ...]:
        """The outputs of `node` in its order, with None in place of an omitted output.

        `inputs` are in the node's order, None for an omitted one. Dtypes are ONNX's, or float64 throughout
        in place of float32. Raises UnsupportedError for an operator that nothing here can evaluate and
        TexelscopeError for inputs that the operator refuses; both name the node.
        """
        try:
            # Infinities and NaN are results like any other here: numpy need not warn of them.
            with np.errstate(all="ignore"), single_threaded_blas():
                if node.domain in self._defined:
                    return self._run_defined(node, inputs)
                evaluator = self._evaluator(node)
                feeds = dict(zip(evaluator.input_names, _present(node, lined_up(node, inputs)), strict=True))
                results = iter(evaluator.run(None, feeds, attributes={}))
        except (NotImplementedError, defs.SchemaError) as error:
            raise _unsupported(node) from error
        except UnsupportedError:
            raise
        except Exception as error:
            shapes = ", ".join("-" if x is None else f"{x.dtype}{list(x.shape)}" for x in inputs)
            raise TexelscopeError(
                _who(node), "inputs that the operator accepts", shapes or "none", "Check the exporting script."
            ) from error
        return tuple(_tensor(node, next(results)) if name else None for name in node.outputs)

    def run(
        self,
        nodes: Sequence[Node],
        given: Mapping[str, Array],
        wanted: Collection[str] | None = None,
        proceed: Proceed | None = None,
    ) -> dict[str, Array]:
        """Runs `nodes`, which are in topological order, from the tensors in `given`.

        Without `wanted` every output of every node is kept and returned. With it only the nodes that `wanted`
        depends on run, only `wanted` is returned, and other tensors are let go as soon as nobody reads them.
        Tensors in `given` are never computed again. When `proceed` answers False, what there is is returned.
        Raises TexelscopeError for a tensor that neither `given` nor `nodes` provides.
        """
        needed = list(nodes) if wanted is None else _needed(nodes, given, wanted)
        known = dict(given)
        results: dict[str, Array] = {}
        readers = _readers(needed)
        for position, node in enumerate(needed):
            if proceed is not None and not proceed(node, position, len(needed)):
                break
            outputs = self.run_node(node, [_value(known, name, node) for name in node.inputs])
            for name, array in zip(node.outputs, outputs, strict=True):
                if array is not None and name not in given:
                    known[name] = array
                    if wanted is None or name in wanted:
                        results[name] = array
            if wanted is not None:
                _let_go(known, node, readers)
        return results | {name: given[name] for name in wanted or () if name in given}

    def _run_defined(self, node: Node, inputs: Sequence[Array | None]) -> tuple[Array | None, ...]:
        """A node of a domain that has its definitions here, not in onnx.reference."""
        known = self._defined[node.domain]
        if node.op_type not in known:
            raise UnsupportedError(
                _who(node), f"an operator of {node.domain}", f"'{node.op_type}'", nearest(node.op_type, known)
            )
        invocation = Invocation(node.opset, tuple(inputs), node.attributes, len(node.outputs), self._workers)
        results = known[node.op_type](invocation) or ()
        return tuple(result if name else None for name, result in zip(node.outputs, results, strict=False))

    def _evaluator(self, node: Node) -> ReferenceEvaluator:
        """The evaluator of this very object, made once; it is forgotten with the node."""
        key = id(node)
        entry = self._evaluators.get(key)
        if entry is not None and entry[0]() is node:
            return entry[1]
        evaluator = ReferenceEvaluator(_function(node), new_ops=self._new_ops(node))
        forget = self._evaluators.pop
        self._evaluators[key] = weakref.ref(node, lambda _: forget(key, None)), evaluator
        return evaluator

    def _new_ops(self, node: Node) -> list[type[OpRun]] | None:
        if node.domain:
            return None
        if node.opset not in self._classes:
            self._classes[node.opset] = [
                _operator_class(name, node.opset, evaluate, self._workers)
                for name, evaluate in self._versions.items()
                if defs.has(name, node.opset, "")
            ]
        return self._classes[node.opset]


def _operator_class(op_type: str, opset: int, evaluate: Evaluate, workers: Workers) -> type[OpRun]:
    """The adapter from a fast version to the evaluator's extension point, for one opset."""

    def run(self: OpRun, *inputs: Array | None, **attributes: Any) -> Outputs:
        outputs = self.onnx_node.output
        last = max((i + 1 for i, name in enumerate(outputs) if name), default=1)
        results = evaluate(Invocation(opset, inputs, attributes, last, workers))
        if results is None:
            known = _known_opset(op_type, opset, "")
            definition = load_op("", op_type, known, evaluator_cls=ReferenceEvaluator)
            return tuple(definition(self.onnx_node, self.run_params).run(*inputs))
        return results

    # The evaluator takes an operator's name from its class, and defaults from `op_schema`.
    members = {"op_domain": "", "op_schema": defs.get_schema(op_type, opset, ""), "_run": run}
    return type(op_type, (OpRun,), members)


def node_message(node: Node, inputs: Sequence[str], outputs: Sequence[str]) -> NodeProto:
    """The node as ONNX has it, over tensors of those names; attributes that its opset no longer knows are left out."""
    proto = NodeProto(op_type=node.op_type, domain=node.domain, name=node.name, input=inputs, output=outputs)
    types = _attribute_types(node)
    obsolete = obsolete_attributes(node)
    for name, value in node.attributes.items():
        if node.op_type == "Cast" and name == "to" and isinstance(value, str):  # before opset 6
            proto.attribute.append(helper.make_attribute(name, onnx.TensorProto.DataType.Value(value.upper())))
        elif name not in obsolete:
            proto.attribute.append(_attribute(name, value, types.get(name)))
    return proto


def _function(node: Node) -> FunctionProto:
    """A function of one node; inputs and outputs are named by position, so that a tensor may come twice."""
    inputs = [f"in{i}" if name else "" for i, name in enumerate(node.inputs)]
    outputs = [f"out{i}" if name else "" for i, name in enumerate(node.outputs)]
    op_type = modern_name(node)
    proto = node_message(node, inputs, outputs)
    proto.op_type = op_type
    proto.attribute.extend(_outdated_defaults(node))
    opsets = {"": defs.onnx_opset_version(), node.domain: _known_opset(op_type, node.opset, node.domain)}
    # The evaluator expands operators whose body depends on types only if it knows a type, no matter of what.
    some_type = helper.make_tensor_value_info("unused", onnx.TensorProto.FLOAT, [])
    return helper.make_function(
        "texelscope", "node", _named(inputs), _named(outputs), [proto],
        [helper.make_opsetid(domain, opset) for domain, opset in opsets.items()], value_info=[some_type],
    )  # fmt: skip


@cache
def _known_opset(op_type: str, opset: int, domain: str) -> int:
    """`opset`, or the first one later whose meaning onnx.reference knows, where it leaves the earlier ones out.

    What differs between them is made up for in the modules of `pipeline.oracle.early` and in `old_opsets`.
    """
    for candidate in range(opset, defs.onnx_opset_version() + 1) if not domain else ():
        try:
            load_op("", op_type, candidate, evaluator_cls=ReferenceEvaluator)
        except RuntimeError:  # "No implementation for operator … version"
            continue
        except Exception:  # noqa: BLE001  it has none at all, or its definition depends on types
            break
        return candidate
    return opset


def _attribute(name: str, value: Any, kind: int | None) -> onnx.AttributeProto:
    if isinstance(value, np.ndarray):
        if kind in (None, onnx.AttributeProto.TENSOR):
            return helper.make_attribute(name, onnx.numpy_helper.from_array(value))
        value = value.tolist()
    if kind == onnx.AttributeProto.FLOAT:
        value = float(value)
    return helper.make_attribute(name, value, attr_type=kind)


def _attribute_types(node: Node) -> dict[str, int]:
    """Attribute types by the schema: a float given as 1, or an empty list, says nothing of its type itself."""
    if not defs.has(node.op_type, node.opset, node.domain):
        return {}
    schema = defs.get_schema(node.op_type, node.opset, node.domain)
    # The stub hides that the type is an enum.
    return {name: attribute.type.value for name, attribute in schema.attributes.items()}  # type: ignore[attr-defined]


def _outdated_defaults(node: Node) -> list[onnx.AttributeProto]:
    """Defaults that later opsets changed, for attributes that the node leaves out.

    onnx.reference takes defaults from the newest schema: the axis of Softmax, alpha and gamma of Selu.
    """
    if not defs.has(node.op_type, node.opset, node.domain):
        return []
    newest = defs.get_schema(node.op_type, defs.onnx_opset_version(), node.domain) if not node.domain else None
    own = defs.get_schema(node.op_type, node.opset, node.domain)
    if newest is None or newest.since_version == own.since_version:
        return []
    return [
        attribute.default_value
        for name, attribute in own.attributes.items()
        if name not in node.attributes
        and name in newest.attributes
        and attribute.default_value.type != onnx.AttributeProto.UNDEFINED
        and attribute.default_value != newest.attributes[name].default_value
    ]


def _named(names: Sequence[str]) -> list[str]:
    return [name for name in names if name]


def _present(node: Node, inputs: Sequence[Array | None]) -> list[Array | None]:
    """The inputs that the node names; the evaluator knows the others to be omitted."""
    return [x for name, x in zip(node.inputs, inputs, strict=True) if name]


def _needed(nodes: Sequence[Node], given: Mapping[str, Array], wanted: Collection[str]) -> list[Node]:
    missing = {name for name in wanted if name not in given}
    kept: list[Node] = []
    for node in reversed(nodes):
        if missing.intersection(node.outputs):
            kept.append(node)
            missing.difference_update(node.outputs)
            missing.update(name for name in node.inputs if name and name not in given)
    if missing:
        made = {name for node in nodes for name in node.outputs if name}
        lost = sorted(missing)[0]
        raise TexelscopeError("oracle", "a tensor of the model", f"'{lost}'", nearest(lost, made | set(given)))
    return kept[::-1]


def _readers(nodes: Sequence[Node]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for node in nodes:
        for name in node.inputs:
            counts[name] = counts.get(name, 0) + 1
    return counts


def _let_go(known: dict[str, Array], node: Node, readers: dict[str, int]) -> None:
    for name in node.inputs:
        readers[name] -= 1
    for name in (*node.inputs, *node.outputs):
        if not readers.get(name):
            known.pop(name, None)


def _value(known: Mapping[str, Array], name: str, node: Node) -> Array | None:
    if not name:
        return None
    if name not in known:
        raise TexelscopeError(_who(node), f"a value for '{name}'", "none", nearest(name, known))
    return known[name]


def _tensor(node: Node, value: Any) -> Array:
    if not isinstance(value, np.ndarray):
        raise UnsupportedError(_who(node), "tensors as outputs", type(value).__name__, "Remove the node.")
    return value


def _unsupported(node: Node) -> UnsupportedError:
    known = {schema.name for schema in defs.get_all_schemas() if schema.domain == node.domain}
    domain = f"{node.domain or 'ai.onnx'} {node.opset}"
    if node.op_type in known:
        return UnsupportedError(_who(node), f"an operator that the oracle can evaluate in {domain}",
                                "none for it", "Convert the model to a newer opset.")  # fmt: skip
    return UnsupportedError(_who(node), f"an operator of {domain}", f"'{node.op_type}'", nearest(node.op_type, known))


def _who(node: Node) -> str:
    return f"{node.op_type} '{node.name}'"
