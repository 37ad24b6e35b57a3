"""Evaluates a graph as an oracle: tensors end to end, and one pass on its real inputs, with bounds.

A pass may cover several nodes; the part of the graph between its inputs and its output is evaluated, and
the rounding bound carried through it node by node.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.outside_text import logger, said_by
from texelscope.pipeline.deadline import DeadlineError, check, phase
from texelscope.pipeline.errors import TexelscopeError, UndeterminedError
from texelscope.pipeline.graph import Graph, Node
from texelscope.pipeline.operators.base import Array, Call, Evaluation
from texelscope.pipeline.operators.element_types import is_integer
from texelscope.pipeline.operators.families.registry import operator_of
from texelscope.pipeline.operators.rounding import UNIT_ROUNDOFF
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.oracle.reference import Reference
from texelscope.pipeline.quotas import QuotaError

_LOG = logger(__name__)
_BEHIND = "Comes after "
_HALF = 0.5


class GraphOracle:
    """Evaluates a graph in numpy. May be used from one worker thread; holds no GL."""

    def __init__(self, graph: Graph, *, fast: bool = True) -> None:
        self._graph = graph
        self._reference = Reference(fast=fast)
        self._producers = {output: node for node in graph.nodes for output in node.outputs if output}
        self._ended: dict[str, DeadlineError] = {}
        self._positions = {node.name: i for i, node in enumerate(graph.nodes)}

    def chained(
        self,
        inputs: Mapping[str, Array],
        *,
        gaps: dict[str, str] | None = None,
        carried: Mapping[str, Expected] | None = None,
        progress: Callable[[float], None] | None = None,
        unit: float = UNIT_ROUNDOFF["float32"],
    ) -> dict[str, Expected]:
        """Returns every tensor of the graph from its inputs alone, with an estimate of accumulated rounding.

        Inputs are exact but for the `carried` ones, which an earlier frame computed. Errors add up in quadrature: a
        worst-case bound grows by the sum of a layer's weights and means nothing after a few layers. Tensors behind a
        node that cannot be evaluated are left out; `gaps` gets why. `progress` gets the finished share before each
        node.
        """
        with phase("oracle_seconds", f"the oracle of {self._graph.name}"):
            known = self._exact(inputs) | {
                name: each for name, each in (carried or {}).items() if name in self._graph.tensors
            }
            return self._chained(known, {} if gaps is None else gaps, unit, progress)

    def _chained(
        self,
        known: dict[str, Expected],
        gaps: dict[str, str],
        unit: float,
        progress: Callable[[float], None] | None,
    ) -> dict[str, Expected]:
        for done, node in enumerate(self._graph.nodes):
            if progress is not None:
                progress(done / len(self._graph.nodes))
            missing = [name for name in node.inputs if name and name not in known and name not in self._graph.constants]
            try:
                if not missing:
                    known.update(self._node(node, known, unit=unit, quadrature=True))
                    continue
                reason = _behind(self._producers.get(missing[0]), missing[0], gaps)
            except TexelscopeError as error:
                reason = str(error)
            except Exception as error:  # noqa: BLE001 - a fault of one node is no reason to lose the others
                _LOG.debug("evaluating '%s'", node.name, exc_info=True)
                reason = said_by(error, with_type=True)
            gaps.update(dict.fromkeys(node.outputs, reason))
        return known

    def isolated(
        self,
        given: Mapping[str, Array],
        wanted: str,
        *,
        unit: float = UNIT_ROUNDOFF["float32"],
        errors: Mapping[str, Array] | None = None,
    ) -> Expected | None:
        """Returns the tensor `wanted` from the exact tensors `given`, with a rigorous rounding bound.

        `errors` bounds how far those given may be off where they are read, which the bound propagates.

        A given constant (rounded for storage, say) replaces the model's. Returns None if the graph has no such tensor;
        ignores given ones that it lacks. Raises UndeterminedError if `wanted` depends on a tensor that is neither given
        nor constant.
        """
        if wanted not in self._graph.tensors:
            return None
        exact = self._exact(given)
        known = dict(exact)
        for name, error in (errors or {}).items():
            if name in known and np.any(error):
                known[name] = Expected(known[name].value, np.asarray(error, np.float64))
        for node in self.between(exact, wanted):
            known.update(self._node(node, known, unit=unit, quadrature=False))
        return known[wanted]

    def values(self, given: Mapping[str, Array], wanted: Sequence[str]) -> dict[str, Array]:
        """Returns every tensor from those `given`, taken as exact, to those `wanted`, both included; no bounds.

        Raises TexelscopeError as `isolated` does, and for a node that cannot be evaluated.
        """
        known = self.typed(given)
        for name in wanted:
            for node in self.between(known, name):
                if not all(output in known for output in node.outputs if output):
                    inputs = [self._value(known, each) for each in node.inputs]
                    results = self._run(node, inputs)
                    made = zip(node.outputs, results, strict=False)
                    known.update({out: x for out, x in made if x is not None and out not in known})
        return known

    def _run(self, node: Node, inputs: Sequence[Array | None]) -> tuple[Array | None, ...]:
        """Runs the node by the reference; a node that once took too long is not tried again."""
        if node.name in self._ended:
            raise self._ended[node.name]
        try:
            return self._reference.run_node(node, inputs)
        except DeadlineError as error:
            check()  # the deadline around it
            self._ended[node.name] = DeadlineError(error.who, error.expected, error.got, error.do_next)
            raise

    def _value(self, known: Mapping[str, Array], name: str) -> Array | None:
        if not name:
            return None
        return known[name] if name in known else self._graph.constants[name]

    def typed(self, given: Mapping[str, Array]) -> dict[str, Array]:
        """Converts GPU tensors (float32) to the dtypes of the graph's tensors; leaves out those that it lacks."""
        return {name: expected.value for name, expected in self._exact(given).items()}

    def _exact(self, given: Mapping[str, Array]) -> dict[str, Expected]:
        """Returns those of `given` that are tensors of the graph."""
        known = {name: value for name, value in given.items() if name in self._graph.tensors}
        return {name: Expected(self._typed(name, value), None) for name, value in known.items()}

    def between(self, given: Mapping[str, object] | Sequence[str], wanted: str) -> tuple[Node, ...]:
        """Returns the nodes from the tensors `given` to `wanted`, in the graph's order."""
        needed: dict[str, Node] = {}
        pending = [wanted]
        while pending:
            name = pending.pop()
            if (name in given and name != wanted) or name in self._graph.constants or not name:
                continue
            node = self._producers.get(name)
            if node is None:
                raise _undetermined(wanted, name)
            if node.name not in needed:
                needed[node.name] = node
                pending.extend(node.inputs)
        return tuple(sorted(needed.values(), key=lambda node: self._positions[node.name]))

    def _typed(self, name: str, value: Array) -> Array:
        """Converts a GPU tensor (float32) to the dtype of the graph's tensor."""
        dtype = np.dtype(self._graph.tensors[name].dtype)
        value = np.asarray(value)
        with np.errstate(invalid="ignore", over="ignore"):
            if dtype.kind in "iu" and value.dtype.kind == "f":
                return np.rint(value).astype(dtype)
            return value.astype(dtype, copy=False)

    def _node(self, node: Node, known: Mapping[str, Expected], *, unit: float, quadrature: bool) -> dict[str, Expected]:
        refusal = self._graph.refusals.get(node.name)
        if isinstance(refusal, QuotaError):  # a loop that demands too much would demand as much here
            raise refusal
        values: list[Array | None] = []
        errors: list[Array | None] = []
        for name in node.inputs:
            if name and name not in known and name not in self._graph.constants:
                raise _undetermined(node.name, name)
            constant = self._graph.constants.get(name) if name not in known else None
            values.append(None if not name else constant if constant is not None else known[name].value)
            errors.append(_storing(constant) if constant is not None else known[name].bound if name in known else None)
        outputs = self._run(node, values)
        results = {}
        for position, (name, value) in enumerate(zip(node.outputs, outputs, strict=False)):
            if name and value is not None:
                self._check_shape(node, name, value)
                evaluation = Evaluation(
                    tuple(values),
                    tuple(errors),
                    np.asarray(value),
                    partial(self._output, node, position),
                    _unit_of(value.dtype, unit),
                    quadrature,
                    position,
                )
                results[name] = Expected(evaluation.output, self._bound(node, evaluation))
        return results

    def _check_shape(self, node: Node, name: str, value: Array) -> None:
        """Raises TexelscopeError for a value whose size differs from the graph's."""
        info = self._graph.tensors.get(name)
        if info is not None and np.size(value) != math.prod(info.shape):
            raise TexelscopeError(
                f"{node.op_type} '{node.name}' ({self._graph.name})",
                f"an output of shape {list(info.shape)}, as the model has it",
                f"{list(np.shape(value))} by its inputs",
                "Check the exporting script.",
            )

    def _output(self, node: Node, position: int, inputs: Sequence[Array | None]) -> Array:
        value = self._run(node, inputs)[position]
        assert value is not None
        return value

    def _bound(self, node: Node, evaluation: Evaluation) -> NDArray[np.float64]:
        operator = operator_of(node)
        shape = np.shape(evaluation.output)
        if operator is None:
            return np.zeros(shape)
        try:
            with np.errstate(all="ignore"):
                bound = np.asarray(operator.error(Call(node, self._graph), evaluation), dtype=np.float64)
        except Exception:
            if not evaluation.quadrature:
                raise
            # The value is known; only an estimate is lost, on which no verdict rests.
            _LOG.debug("estimating the rounding of '%s'", node.name, exc_info=True)
            return np.zeros(shape)
        if evaluation.output.dtype == np.float16:
            bound = bound + np.finfo(np.float16).smallest_subnormal
        if evaluation.output.dtype.kind in "biu":  # an error below one half rounds to that number
            bound = np.where(bound < _HALF, 0.0, bound)
        return np.broadcast_to(np.nan_to_num(bound, nan=0.0, posinf=np.inf), shape)


def _undetermined(wanted: str, missing: str) -> UndeterminedError:
    return UndeterminedError(
        f"oracle of '{wanted}'",
        "a pass whose inputs determine its output",
        f"'{missing}', an input that the pass does not read",
        "Bind it to the pass, or name another oracle tensor.",
    )


def _behind(maker: Node | None, tensor: str, gaps: Mapping[str, str]) -> str:
    """Says why a reader of `tensor` has no value: the node at the beginning of the gap."""
    if tensor in gaps and gaps[tensor].startswith(_BEHIND):
        return gaps[tensor]
    return f"{_BEHIND}'{tensor if maker is None else maker.name}', which the oracle could not evaluate."


def _storing(constant: Array) -> Array | None:
    """Returns the rounding error of a constant that is stored as float32; None if it is exact."""
    if constant.dtype != np.float64:
        return None
    with np.errstate(invalid="ignore", over="ignore"):
        lost = np.abs(constant - constant.astype(np.float32))
    return lost if lost.any() else None


def _unit_of(dtype: np.dtype[Any], unit: float) -> float:
    """Returns the unit round-off of an element type: whole numbers and booleans are exact, narrow floats coarser."""
    return 0.0 if dtype.kind in "biu" or is_integer(dtype.name) else max(unit, UNIT_ROUNDOFF.get(dtype.name, unit))
