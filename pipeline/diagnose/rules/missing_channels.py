"""missing_channels: the wrong values are those of the layer without some terms, guessed or solved for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose import places
from pipeline.diagnose.case import Case
from pipeline.diagnose.changes import frame_with
from pipeline.diagnose.contributions import shares_of_channels
from pipeline.diagnose.hypothesis import Band, Hypothesis, Rule
from pipeline.diagnose.redo import NodeChange
from pipeline.diagnose.window_sum import WindowSum
from pipeline.graph import Node

Array = NDArray[Any]


class MissingChannels(Rule):
    """Some input channels (or terms of a product) are not read: a loop that ends too early."""

    cause = "missing_channels"
    band = Band.WINDOW

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """The last channels, whole groups of four, every fourth; those that least squares finds absent."""
        for frame in case.frames():
            count = frame.channels.shape[1]
            known = case.uses_all_reads(frame.stored)
            if frame.weights is None or count < 2 or known:
                continue
            seen: set[tuple[int, ...]] = set()
            solved = shares_of_channels(case, frame)
            lost = [] if solved is None else np.flatnonzero(np.abs(solved) < 0.05).tolist()
            for weight, missing in enumerate((*_sets(count), lost)):
                key = tuple(missing)
                if not key or len(key) == count or key in seen:
                    continue
                seen.add(key)
                yield self._without(frame, key, 1.0 + weight / 100.0)
        yield from self._reductions(case)

    def _without(self, frame: WindowSum, missing: tuple[int, ...], weight: float) -> Hypothesis:
        assert frame.weights is not None
        weights = np.array(frame.weights)
        weights[:, list(missing)] = 0.0
        count = frame.channels.shape[1]
        return Hypothesis(
            self.cause,
            f"leaves out {_text(missing, count)}",
            f"Let the loop run over all {count} channels.",
            {"channels": list(missing)},
            (frame_with(frame.node, weights=weights),),
            place=places.summand(),
            weight=weight,
            in_pairs=missing == (count - 1,),
        )

    def _reductions(self, case: Case) -> Iterator[Hypothesis]:
        """Sums along an axis that stop one element short."""
        for node in case.redo.node("Softmax", "LogSoftmax", "ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin"):
            for lost in (1, 2, 3, -1):
                change = _shortened(case, node, lost)
                if change is not None:
                    text = (
                        f"the last {lost} elements"
                        if lost > 1
                        else "the last element"
                        if lost == 1
                        else "the first element"
                    )
                    yield Hypothesis(
                        self.cause,
                        f"{node.op_type} leaves out {text}",
                        "Let the loop run over the whole axis.",
                        {"count": abs(lost)},
                        (NodeChange(node.name, change),),
                        place=places.summand(),
                        weight=1.0 + abs(lost) / 10,
                    )


def _sets(count: int) -> Iterator[list[int]]:
    every = list(range(count))
    for lost in (1, 2, 3, 4):
        yield every[count - lost :] if lost < count else []
    yield every[:1]
    yield every[count // 4 * 4 :]  # whole groups of four only
    yield every[(count - 1) // 4 * 4 :]  # all groups but the last
    yield every[4:]
    yield every[1:]
    yield every[: count - 1]
    yield every[: count // 2]
    yield every[count // 2 :]
    for lane in range(4):
        yield every[lane::4]


def _text(missing: Sequence[int], count: int) -> str:
    if len(missing) == 1:
        return f"channel {missing[0]} of {count}"
    if list(missing) == list(range(missing[0], missing[-1] + 1)):
        return f"channels {missing[0]} to {missing[-1]} of {count}"
    shown = ", ".join(map(str, missing[:6]))
    return f"channels {shown}{' …' if len(missing) > 6 else ''} of {count}"


def _shortened(case: Case, node: Node, lost: int):  # type: ignore[no-untyped-def]
    """The node with `lost` elements at the end (or, if negative, the start) of its axis left out of the sum."""
    if node.op_type not in ("Softmax", "LogSoftmax"):
        return _shortened_reduction(case, node, lost)
    axis = int(node.attributes.get("axis", -1))

    def change(_node: Node, inputs: Sequence[Array | None]) -> Array:
        x = np.asarray(inputs[0], dtype=np.float64)
        size = x.shape[axis]
        kept = np.arange(size)[: size - lost] if lost > 0 else np.arange(size)[-lost:]
        part = x.take(kept, axis)
        largest = x.max(axis=axis, keepdims=True)
        total = np.exp(part - largest).sum(axis=axis, keepdims=True)
        if node.op_type == "LogSoftmax":
            return np.asarray(x - largest - np.log(total), dtype=np.float32)
        return np.asarray(np.exp(x - largest) / total, dtype=np.float32)

    return change


def _shortened_reduction(case: Case, node: Node, lost: int):  # type: ignore[no-untyped-def]
    values = case.redo.inputs_of(node)
    x = values[0]
    axes = node.attributes.get("axes")
    if axes is None and len(values) > 1 and values[1] is not None:
        axes = tuple(int(i) for i in np.asarray(values[1]).reshape(-1))
    if x is None or not axes or len(axes) != 1 or x.shape[axes[0]] <= abs(lost):
        return None
    axis = int(axes[0])

    def change(node: Node, inputs: Sequence[Array | None]) -> Array:
        whole = np.asarray(inputs[0])
        size = whole.shape[axis]
        part = whole.take(range(size - lost) if lost > 0 else range(-lost, size), axis)
        result = case.redo.run_node(node, [part, *inputs[1:]])
        return result * np.float32(part.shape[axis] / size) if node.op_type == "ReduceMean" else result

    return change
