"""What is done to values before they are summed up, channel by channel: so much of what is above zero, so much below.

The sum is linear in both, so that a few numbers for each channel follow from all that came out: a half without its
ReLU, a lane without its sign, the smaller for the larger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.clues.parts import undone_to
from pipeline.diagnose.clues.pattern import listed
from pipeline.diagnose.maps.weights_there import on_all_inputs
from pipeline.diagnose.redo.redo import NodeChange
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.hypothesis import Hypothesis
from pipeline.graph import Node
from pipeline.operators.families.registry import facts_of

Array = NDArray[Any]

_MOST_CHANNELS, _EQUATIONS, _MOST_PRODUCTS = 64, 4, 100_000_000
# So far a slope may be off, and what is left of the errors.
_OFF, _LEFT = 2e-3, 1e-3
_SKIPPED, _NOTHING = (1.0, 1.0), (0.0, 0.0)
_WORDS = {(0.0, 1.0): "min(x, 0)", (1.0, -1.0): "Abs", (0.0, -1.0): "Relu of -x", (1.0, 0.0): "Relu"}


@dataclass(frozen=True)
class Slopes:
    """Of the `node`, on `channels` of its result, what values above and below zero are multiplied with."""

    node: Node
    channels: tuple[int, ...]
    above: float
    below: float
    run: Callable[[Node, Sequence[Array | None]], Array]

    def change(self) -> NodeChange:
        """The node with that on those channels."""

        def changed(node: Node, inputs: Sequence[Array | None]) -> Array:
            made, some = np.array(self.run(node, inputs)), np.asarray(inputs[0])[:, list(self.channels)]
            made[:, list(self.channels)] = np.where(some > 0, self.above * some, self.below * some)
            return made

        return NodeChange(self.node.name, changed)


def of_parts(case: Case, cause: str) -> Iterator[Hypothesis]:
    """Hypotheses of that cause, of what is done otherwise on some channels before they are summed up."""
    if "before sum" not in case.kept:
        case.kept["before sum"] = tuple(_found(case))
    for found in case.kept["before sum"]:
        called = f"{found.node.op_type} '{found.node.name}'"
        slopes = (found.above, found.below)
        part = f"of channels {listed([str(channel) for channel in found.channels])}"
        told = {
            _SKIPPED: ("activation_missing", f"without {called} {part}", f"Apply {found.node.op_type} there too."),
            _NOTHING: ("missing_channels", f"without what {called} makes {part}", "Add all channels."),
        }
        words = _WORDS.get(slopes, f"{found.above:.4g} x above zero, {found.below:.4g} x below,")
        named, says, remedy = told.get(
            slopes, ("wrong_function", f"{words} in place of {called} {part}", f"Apply {found.node.op_type} there.")
        )
        if named == cause:
            parameters: dict[str, Any] = {"channels": list(found.channels)}
            if cause == "activation_missing":
                parameters["activation"] = found.node.op_type
            elif cause == "wrong_function":
                parameters |= {"function": words, "expected": found.node.op_type}
            yield Hypothesis(
                cause,
                says,
                remedy,
                parameters,
                (found.change(),),
                line=lines.before_sum(found.node.inputs[0]),
                weight=1.25,
                in_pairs=True,
            )


def _found(case: Case) -> Iterator[Slopes]:
    windows = [window for window in case.windows() if window.kind == "sum"]
    if len(windows) != 1:
        return
    total = next(node for node in case.redo.nodes if node.name == windows[0].node)
    for node in case.redo.nodes:
        value = np.asarray(case.redo.values[node.outputs[0]])
        if node is total or not facts_of(node).pointwise or len(node.inputs) != 1 or value.ndim != 4:
            continue
        work = value.shape[1] * windows[0].products * case.expected.size
        if value.shape[1] <= _MOST_CHANNELS and work <= _MOST_PRODUCTS and _leads_to(case, node, total):
            yield from _solved(case, node, total)


def _leads_to(case: Case, node: Node, total: Node) -> bool:
    """Whether its result comes to the sum as it is, be it moved."""
    readers = case.redo.readers(node.outputs[0])
    return len(readers) == 1 and all(
        each is total or ((facts_of(each).moves or facts_of(each).may_move) and _leads_to(case, each, total))
        for each in readers
    )


def _solved(case: Case, node: Node, total: Node) -> Iterator[Slopes]:
    x, value = (np.asarray(case.redo.values[name], dtype=np.float64) for name in (node.inputs[0], node.outputs[0]))
    above, below = (_slope(x[side], value[side]) for side in (x > 0.0, x < 0.0))
    parts = [_equations(each, node, total) for each in on_all_inputs(case)]
    if above is None or below is None or any(part is None for part in parts):
        return
    table, errors = (np.concatenate(each) for each in zip(*(part for part in parts if part is not None), strict=True))
    known, used = np.isfinite(errors), np.abs(table).max(axis=0) > _OFF * np.abs(table).max()
    if known.sum() < _EQUATIONS * used.sum() or not used.any():
        return
    a, b = table[known][:, used], errors[known]
    solved, _, rank, _ = np.linalg.lstsq(a, b, rcond=1e-7)
    if rank < a.shape[1] or np.abs(b - a @ solved).max() > _LEFT * np.abs(b).max():
        return
    slopes = np.zeros(table.shape[1])
    slopes[used] = solved
    slopes = slopes.reshape(-1, 2) + np.array([above, below])
    rounded = np.where(np.abs(slopes - np.rint(slopes)) < _OFF, np.rint(slopes), slopes)
    other = [c for c, pair in enumerate(slopes) if np.abs(pair - (above, below)).max() > _OFF]
    pairs = {tuple(float(f"{each:.4g}") for each in rounded[channel]) for channel in other}
    if len(pairs) == 1 and len(other) < len(slopes):
        (pair,) = pairs
        yield Slopes(node, tuple(other), pair[0], pair[1], case.redo.run_node)


def _equations(case: Case, node: Node, total: Node) -> tuple[Array, Array] | None:
    """What a unit of each slope adds to the sums, a column each: above and below zero; and what was added to them."""
    redo = case.redo
    made, right = undone_to(case, case.actual, total), redo.values[total.outputs[0]].astype(np.float64).reshape(-1)
    if made is None:
        return None
    x, columns = np.asarray(redo.values[node.inputs[0]], dtype=np.float32), []
    nothing = _sums(case, node, total, np.zeros_like(x))
    for channel in range(x.shape[1]):
        for side in (np.maximum(x[:, channel], 0.0), np.minimum(x[:, channel], 0.0)):
            alone = np.zeros_like(x)
            alone[:, channel] = side
            columns.append(_sums(case, node, total, alone) - nothing)
    size = max(float(np.abs(x).max()), 1e-12)
    return np.stack(columns, axis=1) / size, (made - right) / size


def _sums(case: Case, node: Node, total: Node, value: Array) -> Array:
    change = NodeChange(node.name, lambda _node, _inputs: value)
    return np.asarray(case.redo.whole([change], total.outputs[0]), dtype=np.float64).reshape(-1)


def _slope(x: Array, y: Array) -> float | None:
    """y / x, where that is one number."""
    if not x.size:
        return None
    ratio = y / x
    return float(ratio[0]) if np.ptp(ratio) < 1e-5 else None
