"""Explains why the end-to-end error jumps in a pass: only what its figures prove, and *unexplained* otherwise.

A difference in the last place beside a threshold may tip a decision: it changes a whole number or a choice. A decision
is reported only if every differing element lies at its threshold, on both sides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.figures import of_largest
from texelscope.pipeline.compare.report import UNBLAMED, PassReport
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Graph, Node
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.operators.element_types import is_integer
from texelscope.pipeline.operators.families.quantize import quotients
from texelscope.pipeline.operators.families.registry import facts_of
from texelscope.pipeline.operators.rounding import UNIT_ROUNDOFF
from texelscope.pipeline.oracle.expected import Expected, Oracle
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.plan import Pass, Plan

# A quotient divided in float32 may be off by this many units of its size (2.5 ulp), on either side.
_DIVISION = 8.0 * UNIT_ROUNDOFF["float32"]


@dataclass(frozen=True)
class Decision:
    """Names what tipped (`rounding_decision`, `comparison`, `choice`), with the sentence and the number of elements."""

    cause: str
    evidence: str
    elements: int


def tipped(node: Node, graph: Graph, had: Mapping[str, Array], known: Mapping[str, Array]) -> Decision | None:
    """Returns the decision of `node` that fell differently on the values it `had` than on those `known`, if any did.

    Both hold the node's inputs, those that are not constant, and its first output.
    """
    read = _READERS.get(node.op_type)
    if read is None:
        return None
    names = [name for name in node.inputs if name]
    sides = [[side.get(name, graph.constants.get(name)) for name in names] for side in (had, known)]
    if any(value is None for side in sides for value in side):
        return None
    first, second = ([np.asarray(value) for value in side] for side in sides)
    results = [np.asarray(side[node.outputs[0]]) for side in (had, known)]
    differ = results[0] != results[1]
    if not differ.any():
        return None
    with np.errstate(all="ignore"):
        return read(Call(node, graph), (first, second), (results[0], results[1]), differ)


Array = NDArray[Any]
Sides = tuple[list[Array], list[Array]]


def _rounding(call: Call, sides: Sides, results: tuple[Array, Array], differ: Array) -> Decision | None:
    op_type = call.node.op_type
    if op_type == "Cast" and not is_integer(call.output_info().dtype):
        return None
    if op_type == "QuantizeLinear":
        if not is_integer(call.output_info().dtype):
            return None
        a, b = (quotients(call, side[0], side[1]) for side in sides)
    else:
        a, b = (np.asarray(side[0], dtype=np.float64) for side in sides)
    a, b = a[differ], b[differ]
    middle = (a + b) / 2.0
    half = op_type in ("QuantizeLinear", "Round")
    border = np.floor(middle) + 0.5 if half else np.rint(middle)
    near = np.maximum(np.abs(a - border), np.abs(b - border))
    steps = np.abs(results[0][differ].astype(np.float64) - results[1][differ].astype(np.float64))
    if not (((a - border) * (b - border) <= 0.0) | (near <= _DIVISION * np.abs(border))).all() or steps.max() > 1.0:
        return None
    what = "x/scale" if op_type == "QuantizeLinear" else "x"
    return Decision(
        "rounding_decision",
        f"A rounding decision that tipped: {differ.sum()} of {differ.size} elements of '{call.node.outputs[0]}' round "
        f"to the other number; |{what} − k{' − 0.5' if half else ''}| ≤ {near.max():.1e} there.",
        int(differ.sum()),
    )


def _comparison(call: Call, sides: Sides, _: tuple[Array, Array], differ: Array) -> Decision | None:
    a, b = (_difference(side)[differ] for side in sides)
    if not (np.sign(a) != np.sign(b)).all():
        return None
    near = np.maximum(np.abs(a), np.abs(b)).max()
    between = "the compared values differ" if len(sides[0]) > 1 else "x is from 0"
    return Decision(
        "comparison",
        f"A comparison that tipped: {differ.sum()} of {differ.size} elements of '{call.node.outputs[0]}' fall the "
        f"other way; {between} by {near:.1e} at most there.",
        int(differ.sum()),
    )


def _difference(inputs: list[Array]) -> NDArray[np.float64]:
    first = np.asarray(inputs[0], dtype=np.float64)
    other = np.asarray(inputs[1], dtype=np.float64) if len(inputs) > 1 else np.zeros(())
    return np.broadcast_to(first - other, np.broadcast_shapes(first.shape, other.shape))


def _choice(call: Call, sides: Sides, results: tuple[Array, Array], differ: Array) -> Decision | None:
    axis, x = call.axis(), [np.asarray(side[0], dtype=np.float64) for side in sides]
    places = [np.asarray(r, dtype=np.int64) for r in results]
    if not call.attribute("keepdims", 1):
        places, differ = [np.expand_dims(p, axis) for p in places], np.expand_dims(differ, axis)
    gaps = [np.abs(np.take_along_axis(v, places[0], axis) - np.take_along_axis(v, places[1], axis)) for v in x]
    moved = np.max(np.abs(x[0] - x[1]), axis=axis, keepdims=True)
    gap = np.maximum(*gaps)[differ]
    if not (gap <= 2.0 * moved[differ]).all():
        return None
    return Decision(
        "choice",
        f"A choice that tipped: {differ.sum()} of {differ.size} elements of '{call.node.outputs[0]}' point elsewhere; "
        f"the two values differ by {gap.max():.1e} at most.",
        int(differ.sum()),
    )


_Reader = Callable[[Call, Sides, tuple[Array, Array], Array], Decision | None]
_READERS: Mapping[str, _Reader] = {
    **dict.fromkeys(("QuantizeLinear", "Round", "Floor", "Ceil", "Cast"), _rounding),
    **dict.fromkeys(("Less", "Greater", "LessOrEqual", "GreaterOrEqual", "Equal", "Sign"), _comparison),
    **dict.fromkeys(("ArgMax", "ArgMin"), _choice),
}


# A change of the oracle's own result counts from here on, above rounding.
_SEEN = 32.0 * float(np.finfo(np.float32).eps)
# The largest numbers of storages that overflow; a channel of 8 bits clamps.
_LARGEST = {"float32": float(np.finfo(np.float32).max), "float16": float(np.finfo(np.float16).max)}


@dataclass(frozen=True)
class JumpCause:
    """Holds the cause's name, the sentence with its figures, and the number of elements."""

    cause: str
    evidence: str
    elements: int = 0


UNEXPLAINED = JumpCause(
    "unexplained",
    "The pass is right for the values that it read; no decision that tipped, no overflow and no cancellation is found.",
)


def cause_of(
    plan: Plan,
    oracle: Oracle | None,
    capture: Capture,
    chained: Mapping[str, Expected],
    shader_pass: Pass,
    report: PassReport | None,
) -> JumpCause:
    """Finds why the error of the pass's output is so much larger than that of its inputs."""
    key = shader_pass.output
    stored = plan.textures[key]
    have, want = capture.tensors[key], np.asarray(chained[stored.tensor].value)
    overflow = _overflow(have, want, stored.storage)
    if overflow is not None:
        return overflow
    if report is not None and report.verdict not in UNBLAMED:
        return JumpCause("wrong_pass", f"The pass is wrong for the values that it read ({report.verdict}).")
    if report is not None and report.verdict == "precision":
        return JumpCause("storage", f"It is stored as {stored.storage}, which rounds away what the oracle has.")
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
    nodes = [node for node in plan.graph.nodes if node.name in shader_pass.nodes]
    node = _where(nodes, had, known)
    return UNEXPLAINED if node is None else _of_node(node, plan.graph, had, known, right)


def _where(nodes: list[Node], had: Mapping[str, Array], known: Mapping[str, Array]) -> Node | None:
    """Returns the node in which the error grows most, of those that the pass covers."""

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
) -> JumpCause:
    decision = tipped(node, graph, had, known)
    if decision is not None:
        return JumpCause(decision.cause, decision.evidence, decision.elements)
    return _shrunk(node, graph, had, known) or _amplified(node, right, known) or UNEXPLAINED


def _overflow(have: Array, want: Array, storage: str) -> JumpCause | None:
    """Detects an overflow: infinite on one side, and at or near the storage's limit on the other."""
    limit = _LARGEST.get(storage, np.inf)
    for mine, other, whose in ((have, want, "The GPU"), (want, have, "The oracle")):
        beyond = ~np.isfinite(mine) & np.isfinite(other)
        if beyond.any():
            largest = float(np.abs(np.asarray(other, dtype=np.float64)[beyond]).max())
            if largest < limit * (1.0 - 1e-3):
                return None
            return JumpCause(
                "overflow",
                f"An overflow: {whose} has {beyond.sum()} of {beyond.size} elements beyond {limit:.4g}, the largest "
                f"number of {storage}; the other side has up to {largest:.4g} there.",
                int(beyond.sum()),
            )
    return None


def _errors(name: str, had: Mapping[str, Array], known: Mapping[str, Array]) -> float:
    if name not in had or name not in known:
        return 0.0
    with np.errstate(invalid="ignore"):  # inf - inf is NaN, like an unexpected NaN
        errors = np.abs(np.asarray(had[name], np.float64) - np.asarray(known[name], np.float64))
    return float(np.nan_to_num(errors, nan=0.0, posinf=np.inf).max(initial=0.0))


def _largest(name: str, graph: Graph, known: Mapping[str, Array]) -> float:
    value = known.get(name, graph.constants.get(name))
    return 0.0 if value is None else float(np.abs(np.asarray(value, np.float64)).max(initial=0.0))


def _shrunk(node: Node, graph: Graph, had: Mapping[str, Array], known: Mapping[str, Array]) -> JumpCause | None:
    """Detects values that became small while the error did not: terms cancelled, or small ones were selected."""
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
        return JumpCause("cancellation", f"A cancellation: {words}.")
    return JumpCause("small_values", f"The result is small: {words}.")


def _amplified(node: Node, right: Mapping[str, Array], known: Mapping[str, Array]) -> JumpCause | None:
    """Detects a steep operator: the oracle, with `right` for the pass's inputs, is as far off."""
    moved = max((_errors(name, right, known) for name in node.inputs), default=0.0)
    error = _errors(node.outputs[0], right, known)
    if not moved or not np.isfinite(error) or of_largest(right[node.outputs[0]], known[node.outputs[0]]) < _SEEN:
        return None
    return JumpCause(
        "amplified",
        f"{node.op_type} is steep there: its inputs differ by {moved:.1e}, and the oracle's result for them by "
        f"{error:.1e}.",
    )
