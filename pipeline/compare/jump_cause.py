"""Why the end-to-end error jumps in a pass: only what its figures prove, and *unexplained* otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.decisions import tipped
from texelscope.pipeline.compare.figures import of_largest
from texelscope.pipeline.compare.report import UNBLAMED, PassReport
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Graph, Node
from texelscope.pipeline.operators.families.registry import facts_of
from texelscope.pipeline.oracle.expected import Expected, Oracle
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.plan import Pass, Plan

Array = NDArray[Any]
# What the oracle's own result moves by is seen beside rounding.
_SEEN = 32.0 * float(np.finfo(np.float32).eps)
# The largest numbers of storages that overflow; a channel of 8 bits clamps.
_LARGEST = {"float32": float(np.finfo(np.float32).max), "float16": float(np.finfo(np.float16).max)}


@dataclass(frozen=True)
class Cause:
    """The word, the sentence with its figures, and how many elements it is about."""

    cause: str
    evidence: str
    elements: int = 0


UNEXPLAINED = Cause(
    "unexplained",
    "The pass is right for the values that it read; no decision that tipped, no overflow and no cancellation is found.",
)


def cause_of(
    plan: Plan,
    oracle: Oracle | None,
    capture: Capture,
    chained: Mapping[str, Expected],
    each: Pass,
    report: PassReport | None,
) -> Cause:
    """Why the error of the pass's output is so much larger than that of what it read."""
    key = each.output
    stored = plan.textures[key]
    have, want = capture.tensors[key], np.asarray(chained[stored.tensor].value)
    overflow = _overflow(have, want, stored.storage)
    if overflow is not None:
        return overflow
    if report is not None and report.verdict not in UNBLAMED:
        return Cause("wrong_pass", f"The pass is wrong for the values that it read ({report.verdict}).")
    if report is not None and report.verdict == "precision":
        return Cause("storage", f"It is stored as {stored.storage}, which rounds away what the oracle has.")
    if not isinstance(oracle, GraphOracle) or plan.graph is None or report is None or report.isolated is None:
        return UNEXPLAINED
    others = {
        plan.textures[name].tensor: values
        for name, values in capture.tensors.items()
        if plan.textures[name].tensor != stored.tensor
    }
    try:
        right = oracle.values(others, [stored.tensor])
    except TexelscopeError:
        return UNEXPLAINED
    had = {**right, **oracle.typed({stored.tensor: have})}
    known = {name: np.asarray(expected.value) for name, expected in chained.items()}
    nodes = [node for node in plan.graph.nodes if node.name in each.nodes]
    node = _where(nodes, had, known)
    return UNEXPLAINED if node is None else _of_node(node, plan.graph, had, known, right)


def _where(nodes: list[Node], had: Mapping[str, Array], known: Mapping[str, Array]) -> Node | None:
    """Of the nodes that a pass covers the one in which the error grows most."""

    def growth(node: Node) -> float:
        errors = [
            max((of_largest(had[name], known[name]) for name in names if name in had and name in known), default=0.0)
            for names in (node.outputs, node.inputs)
        ]
        return errors[0] / max(errors[1], float(np.finfo(np.float32).eps))

    usable = [node for node in nodes if node.outputs[0] in had and node.outputs[0] in known]
    return max(usable, key=growth, default=None)


def _of_node(
    node: Node, graph: Graph, had: Mapping[str, Array], known: Mapping[str, Array], right: Mapping[str, Array]
) -> Cause:
    decision = tipped(node, graph, had, known)
    if decision is not None:
        return Cause(decision.cause, decision.evidence, decision.elements)
    return _shrunk(node, graph, had, known) or _amplified(node, right, known) or UNEXPLAINED


def _overflow(have: Array, want: Array, storage: str) -> Cause | None:
    """Infinite on one side, and beyond what the storage holds, or nearly, on the other."""
    limit = _LARGEST.get(storage, np.inf)
    for mine, other, whose in ((have, want, "The GPU"), (want, have, "The oracle")):
        beyond = ~np.isfinite(mine) & np.isfinite(other)
        if beyond.any():
            largest = float(np.abs(np.asarray(other, dtype=np.float64)[beyond]).max())
            if largest < limit * (1.0 - 1e-3):
                return None
            return Cause(
                "overflow",
                f"An overflow: {whose} has {beyond.sum()} of {beyond.size} elements beyond {limit:.4g}, the largest "
                f"number of {storage}; the other side has up to {largest:.4g} there.",
                int(beyond.sum()),
            )
    return None


def _errors(name: str, had: Mapping[str, Array], known: Mapping[str, Array]) -> float:
    if name not in had or name not in known:
        return 0.0
    with np.errstate(invalid="ignore"):  # an infinity is as far from itself as NaN is: not at all
        errors = np.abs(np.asarray(had[name], np.float64) - np.asarray(known[name], np.float64))
    return float(np.nan_to_num(errors, nan=0.0, posinf=np.inf).max(initial=0.0))


def _largest(name: str, graph: Graph, known: Mapping[str, Array]) -> float:
    value = known.get(name, graph.constants.get(name))
    return 0.0 if value is None else float(np.abs(np.asarray(value, np.float64)).max(initial=0.0))


def _shrunk(node: Node, graph: Graph, had: Mapping[str, Array], known: Mapping[str, Array]) -> Cause | None:
    """The values became small and the error did not: of terms that cancel, or of small ones picked out."""
    facts = facts_of(node)
    inputs = [name for name in node.inputs if name in known or name in graph.constants]
    size, largest = (
        _largest(node.outputs[0], graph, known),
        max((_largest(n, graph, known) for n in inputs), default=0),
    )
    error, carried = _errors(node.outputs[0], had, known), sum(_errors(name, had, known) for name in inputs)
    rounding = float(np.finfo(np.float32).eps) * largest
    if not size or size * 4.0 > largest or error > 1.01 * carried + rounding:
        return None
    words = f"values of up to {largest:.2g} become {size:.2g} at most, and the error stays {error:.1e}"
    if facts.adds or node.op_type in ("Sub", "ReduceSum", "ReduceMean", "Sum"):
        return Cause("cancellation", f"A cancellation: {words}.")
    return Cause("small_values", f"What is left is small: {words}.")


def _amplified(node: Node, right: Mapping[str, Array], known: Mapping[str, Array]) -> Cause | None:
    """The operator is steep there: the oracle, `right` for what the pass read, is as far off."""
    moved = max((_errors(name, right, known) for name in node.inputs), default=0.0)
    error = _errors(node.outputs[0], right, known)
    if not moved or not np.isfinite(error) or of_largest(right[node.outputs[0]], known[node.outputs[0]]) < _SEEN:
        return None
    return Cause(
        "amplified",
        f"{node.op_type} is steep there: what it reads differs by {moved:.1e}, and the oracle's own result for that by "
        f"{error:.1e}.",
    )
