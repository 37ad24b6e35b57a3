"""Evaluates one node with onnx.reference, which is the definition.

Importing that takes as long as planning a model: nothing should import this module before a node is evaluated.
Operators with a version of our own go to it through the evaluator's extension point (`new_ops`). Where that version
declines, and for every other operator, onnx.reference computes; operators that it lacks are expanded by the function
body of their schema.
"""

from __future__ import annotations

import weakref
from collections.abc import Collection, Mapping, Sequence
from contextvars import ContextVar
from functools import cache
from typing import Any

import onnx
from onnx import FunctionProto, defs, helper
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun
from onnx.reference.ops import load_op

from texelscope.pipeline.arithmetic.invocation import Array, Evaluate, Invocation, Outputs
from texelscope.pipeline.arithmetic.workers import Workers
from texelscope.pipeline.errors import UnsupportedError, nearest
from texelscope.pipeline.graph import Node
from texelscope.pipeline.oracle.node_message import lined_up, modern_name, node_message

# The threads of the evaluator that runs a node. Classes of operators, which take long to make, belong to no evaluator.
_WORKERS: ContextVar[Workers] = ContextVar("workers")


class NodeEvaluator:
    """Runs nodes of ONNX's domains, and of functions, with onnx.reference and our own `versions`; it caches."""

    def __init__(self, versions: Mapping[str, Evaluate], workers: Workers) -> None:
        self._versions = versions
        self._workers = workers
        self._evaluators: dict[int, tuple[weakref.ref[Node], ReferenceEvaluator]] = {}

    def run(self, node: Node, inputs: Sequence[Array | None], who: str) -> list[Any]:
        """Returns the evaluator's outputs for `inputs`, in the node's order, for the outputs that the node names.

        `who` is what errors call the node. Raises UnsupportedError for an operator that cannot be evaluated, and what
        onnx.reference raises for inputs that the operator refuses.
        """
        try:
            evaluator = self._evaluator(node)
            feeds = dict(zip(evaluator.input_names, _present(node, lined_up(node, inputs)), strict=True))
            token = _WORKERS.set(self._workers)
            try:
                return list(evaluator.run(None, feeds, attributes={}))
            finally:
                _WORKERS.reset(token)
        except (NotImplementedError, defs.SchemaError) as error:
            raise _unsupported(node, who) from error

    def _evaluator(self, node: Node) -> ReferenceEvaluator:
        """Returns the evaluator of this very object, made once; it is dropped with the node."""
        key = id(node)
        entry = self._evaluators.get(key)
        if entry is not None and entry[0]() is node:
            return entry[1]
        evaluator = ReferenceEvaluator(_function(node), new_ops=self._new_ops(node))
        forget = self._evaluators.pop
        self._evaluators[key] = weakref.ref(node, lambda _: forget(key, None)), evaluator
        return evaluator

    def _new_ops(self, node: Node) -> list[type[OpRun]] | None:
        """Returns our version of the node's operator, or all of them for one that ONNX defines by others."""
        if node.domain:
            return None
        own = modern_name(node)
        if own in self._versions or not _has_body(node):
            names: Collection[str] = self._versions.keys() & {own}
        else:
            names = self._versions.keys()
        return [
            _operator_class(name, node.opset, self._versions[name]) for name in names if defs.has(name, node.opset, "")
        ]


def _has_body(node: Node) -> bool:
    """Whether ONNX may define the operator by a graph of others."""
    if not defs.has(node.op_type, node.opset, ""):
        return True
    schema = defs.get_schema(node.op_type, node.opset, "")
    # The stub lacks both.
    return bool(schema.has_function or schema.has_context_dependent_function)  # type: ignore[attr-defined]


@cache
def _operator_class(op_type: str, opset: int, evaluate: Evaluate) -> type[OpRun]:
    """Returns the adapter from a fast version to the evaluator's extension point, for one opset."""

    def run(self: OpRun, *inputs: Array | None, **attributes: Any) -> Outputs:
        outputs = self.onnx_node.output
        last = max((i + 1 for i, name in enumerate(outputs) if name), default=1)
        results = evaluate(Invocation(opset, inputs, attributes, last, _WORKERS.get()))
        if results is None:
            known = _known_opset(op_type, opset, "")
            definition = load_op("", op_type, known, evaluator_cls=ReferenceEvaluator)
            return tuple(definition(self.onnx_node, self.run_params).run(*inputs))
        return results

    # The evaluator takes an operator's name from its class, and defaults from `op_schema`.
    members = {"op_domain": "", "op_schema": defs.get_schema(op_type, opset, ""), "_run": run}
    return type(op_type, (OpRun,), members)


def _function(node: Node) -> FunctionProto:
    """Makes a function of one node; inputs and outputs are named by position, so that a tensor may come twice."""
    inputs = [f"in{i}" if name else "" for i, name in enumerate(node.inputs)]
    outputs = [f"out{i}" if name else "" for i, name in enumerate(node.outputs)]
    op_type = modern_name(node)
    proto = node_message(node, inputs, outputs)
    proto.op_type = op_type
    proto.attribute.extend(_outdated_defaults(node))
    opsets = {"": defs.onnx_opset_version(), node.domain: _known_opset(op_type, node.opset, node.domain)}
    # The evaluator expands operators whose body depends on types only if it has a type, no matter which.
    some_type = helper.make_tensor_value_info("unused", onnx.TensorProto.FLOAT, [])
    return helper.make_function(
        "texelscope", "node", _named(inputs), _named(outputs), [proto],
        [helper.make_opsetid(domain, opset) for domain, opset in opsets.items()], value_info=[some_type],
    )  # fmt: skip


@cache
def _known_opset(op_type: str, opset: int, domain: str) -> int:
    """Returns `opset`, or the first later one that onnx.reference has, where it leaves the earlier ones out.

    `pipeline.oracle.fast.forms` and `node_message` make up for the difference.
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


def _outdated_defaults(node: Node) -> list[onnx.AttributeProto]:
    """Returns defaults that later opsets changed, for attributes that the node leaves out.

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
    """Returns the inputs that the node names; the evaluator knows that the others are omitted."""
    return [x for name, x in zip(node.inputs, inputs, strict=True) if name]


def _unsupported(node: Node, who: str) -> UnsupportedError:
    known = {schema.name for schema in defs.get_all_schemas() if schema.domain == node.domain}
    domain = f"{node.domain or 'ai.onnx'} {node.opset}"
    if node.op_type in known:
        return UnsupportedError(who, f"an operator that the oracle can evaluate in {domain}",
                                "none for it", "Convert the model to a newer opset.")  # fmt: skip
    return UnsupportedError(who, f"an operator of {domain}", f"'{node.op_type}'", nearest(node.op_type, known))
