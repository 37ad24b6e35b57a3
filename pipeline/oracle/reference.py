"""Evaluates nodes as ONNX defines them: with onnx.reference, or with a version of our own that is tested against it.

The modules in `pipeline.oracle.fast` compute their operators. Those of the program's own domain and of ONNX Runtime's
have their definitions here, in `pipeline.oracle.own` and `.contrib`; an operator of any other domain is defined in its
own module.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from texelscope.layouts.installed import EntryPoint
from texelscope.pipeline.arithmetic.invocation import Array, Evaluate, Invocation
from texelscope.pipeline.arithmetic.workers import Workers, single_threaded_blas
from texelscope.pipeline.crash_report.fault_log import raised_in_plugin
from texelscope.pipeline.deadline import DeadlineError, check, phase
from texelscope.pipeline.errors import TexelscopeError, UnsupportedError, nearest, said_by
from texelscope.pipeline.graph import CONTRIB_DOMAIN, OWN_DOMAIN, Node
from texelscope.pipeline.operators.families.registry import definition_of
from texelscope.pipeline.oracle.costly import may_take_long
from texelscope.pipeline.oracle.versions import discover
from texelscope.pipeline.workers.apart import in_a_process

if TYPE_CHECKING:
    from texelscope.pipeline.oracle.node_evaluator import NodeEvaluator

# Called before each node with the node, its position and the number of nodes; False ends the run.
Proceed = Callable[[Node, int, int], bool]


class Reference:
    """Runs single nodes and chains of them on numpy arrays.

    With `fast=False` nothing but onnx.reference is used. Results may share memory with inputs; treat all as
    read-only. One instance may be used from several threads: it only caches.
    """

    def __init__(self, *, fast: bool = True, apart: bool = True) -> None:
        """`apart` lets a node that could take long, and cannot be interrupted, run in another process."""
        self._apart = apart
        self._workers = Workers()
        self._fast = fast
        self._defined: dict[str, Mapping[str, Evaluate]] = {}

    @cached_property
    def _evaluator(self) -> NodeEvaluator:
        from texelscope.pipeline.oracle import fast
        from texelscope.pipeline.oracle.node_evaluator import (
            NodeEvaluator,  # takes long, and many models need no node evaluated
        )

        return NodeEvaluator(discover(fast) if self._fast else {}, self._workers)

    def run_node(self, node: Node, inputs: Sequence[Array | None]) -> tuple[Array | None, ...]:
        """Returns the outputs of `node` in its order, with None in place of an omitted output.

        `inputs` are in the node's order, None for an omitted one. Dtypes are ONNX's, or float64 throughout in place of
        float32. Raises UnsupportedError for an operator that nothing here can evaluate and TexelscopeError for inputs
        that the operator refuses; both name the node. Raises DeadlineError for one that takes too long.
        """
        with phase("node_seconds", f"evaluating {_who(node)}"):
            check()
            if self._apart and definition_of(node) is None and may_take_long(node, inputs):
                arguments = (dataclasses.replace(node, attributes=dict(node.attributes)), list(inputs), self._fast)
                who = f"evaluating {_who(node)}"
                made: tuple[Array | None, ...]
                made = in_a_process("texelscope.pipeline.oracle.reference:evaluated_here", arguments, who)
                return made
            return self._run_node(node, inputs)

    def _run_node(self, node: Node, inputs: Sequence[Array | None]) -> tuple[Array | None, ...]:
        define = definition_of(node)
        is_defined = define is not None or node.domain in (OWN_DOMAIN, CONTRIB_DOMAIN)
        known = {} if not is_defined else self._definitions(node.domain) if define is None else {node.op_type: define}
        evaluator = None if is_defined else self._evaluator
        try:
            # Infinities and NaN are results like any other here: numpy need not warn of them.
            with np.errstate(all="ignore"), single_threaded_blas():
                if evaluator is None:
                    return self._run_defined(node, inputs, known)
                results = iter(evaluator.run(node, inputs, _who(node)))
        except (UnsupportedError, DeadlineError):
            raise
        except Exception as error:
            if define is not None and not isinstance(error, ValueError):
                raise _undefined(node, said_by(error, with_type=True), raised_in_plugin(error)) from error
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

        Without `wanted` every output of every node is kept and returned. With it only the nodes that `wanted` depends
        on run, only `wanted` is returned, and other tensors are freed as soon as nobody reads them. Tensors in `given`
        are never computed again. When `proceed` answers False, the tensors so far are returned.
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

    def _definitions(self, domain: str) -> Mapping[str, Evaluate]:
        """Returns the evaluators of a domain that is defined here."""
        if domain not in self._defined:
            from texelscope.pipeline.oracle import contrib, own

            self._defined[domain] = discover(own if domain == OWN_DOMAIN else contrib)
        return self._defined[domain]

    def _run_defined(
        self, node: Node, inputs: Sequence[Array | None], known: Mapping[str, Evaluate]
    ) -> tuple[Array | None, ...]:
        """Runs a node of a domain that is defined here, not in onnx.reference."""
        if node.op_type not in known:
            raise UnsupportedError(
                _who(node), f"an operator of {node.domain}", f"'{node.op_type}'", nearest(node.op_type, known)
            )
        invocation = Invocation(node.opset, tuple(inputs), node.attributes, len(node.outputs), self._workers)
        results = known[node.op_type](invocation) or ()
        if not isinstance(results, tuple):
            raise _undefined(node, type(results).__name__, None)
        return tuple(result if name else None for name, result in zip(node.outputs, results, strict=False))


def evaluated_here(node: Node, inputs: Sequence[Array | None], fast: bool) -> tuple[Array | None, ...]:  # noqa: FBT001
    """Runs the node as `Reference.run_node`, in this process, whatever it takes."""
    return Reference(fast=fast, apart=False).run_node(node, inputs)


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


def _undefined(node: Node, got: str, plugin: tuple[EntryPoint, str] | None) -> TexelscopeError:
    """Returns the error of a definition, in a module of the operator's domain, that fails or returns no tuple."""
    where = f" ({plugin[1]} of {plugin[0].distribution})" if plugin is not None else ""
    expected = f"a definition of {node.domain}.{node.op_type} that returns a tuple of arrays"
    return TexelscopeError(_who(node), expected, f"{got}{where}", "Correct it in DEFINITIONS of its module.")


def _who(node: Node) -> str:
    return f"{node.op_type} '{node.name}'"
