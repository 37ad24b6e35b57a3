"""stride: the wrong values are those of the layer whose window moves on by other steps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.evidence.stored_values import Beyond
from pipeline.diagnose.maps.seen import Seen
from pipeline.diagnose.redo.redo import NodeChange
from pipeline.diagnose.redo.window_sum import Pair, WindowSum
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import window_with
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, LineOf
from pipeline.graph import Node

_LARGEST = 4
_FARTHEST = 8
_BEYOND: tuple[Beyond, ...] = ("zero", "texel", "fetch", "edge")


class Stride(Seen):
    """The window moves on by another number of texels."""

    cause = "stride"
    remedy = "Multiply the place of the output by the stride of the layer."
    band = Band.WINDOW

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Windows by every pair up to four, and further along one axis or both alike; steps of slices."""
        for window in case.windows():
            known = window.stored is not None and case.reads_rightly(window.stored.stored.tensor)
            if known or window.size == (1, 1):
                continue
            right = window.stride if window.inner == (0, 0) else (window.inner[0] + 1, window.inner[1] + 1)
            for got in _pairs(right):
                if window.inner == (0, 0) and _leaves(window, got):
                    continue
                for beyond in _BEYOND if window.stored is not None else ("zero",):
                    yield self._window(window, right, got, beyond)
            if window.inner != (0, 0):
                yield from self._between(window, right)
        for node in case.redo.node("Slice"):
            yield from self._slice(case, node)

    def _window(self, window: WindowSum, right: Pair, got: Pair, beyond: Beyond) -> Hypothesis:
        simple = got[0] == got[1]
        if window.inner == (0, 0):
            change = window_with(window.node, stride=got, beyond=beyond)
            says = f"moves on by ({got[1]}, {got[0]}) texels for each output (x, y) instead of ({right[1]}, {right[0]})"
            remedy = f"Multiply the place of the output by ({right[1]}, {right[0]})."
        else:
            change = window_with(window.node, inner=(got[0] - 1, got[1] - 1), beyond=beyond)
            says = (
                f"moves on by one element for ({got[1]}, {got[0]}) outputs (x, y) instead of ({right[1]}, {right[0]})"
            )
            remedy = f"Divide the place of the output by ({right[1]}, {right[0]})."
        return Hypothesis(
            self.cause,
            says,
            remedy,
            {"expected": [right[1], right[0]], "got": [got[1], got[0]]},
            (change,),
            line=_line(right, got),
            weight=(1.0 if simple else 1.1) + (0.5 if beyond != "zero" else 0.0) + max(got) / 1000.0,
            in_pairs=simple and beyond == "zero" and got[0] <= 2,
        )

    def _between(self, window: WindowSum, right: Pair) -> Iterator[Hypothesis]:
        """An element that counts at all the places that its number divided by the step comes to, rounded to 0 or down.

        The remainder of the place is not looked at.
        """
        held = np.repeat(np.repeat(window.source, right[0], axis=2), right[1], axis=3)
        before = (right[0] - 1, right[1] - 1)
        cut = np.pad(held, ((0, 0), (0, 0), (before[0], 0), (before[1], 0)), mode="edge")
        first = (window.first[0] + before[0], window.first[1] + before[1])
        for weight, (source, at) in enumerate(((cut, first), (held, window.first))):
            yield Hypothesis(
                self.cause,
                f"takes an element at the places between steps of ({right[1]}, {right[0]}) (x, y) too",
                f"Leave out what ({right[1]}, {right[0]}) does not divide.",
                {"expected": [right[1], right[0]], "got": [1, 1], "between": True},
                (window_with(window.node, source=source, first=at, inner=(0, 0), stored=None),),
                line=lines.read(),
                weight=1.2 + weight / 10.0,
            )

    def _slice(self, case: Case, node: Node) -> Iterator[Hypothesis]:
        """Along each axis other steps from the same start, as they lie in memory."""
        x = np.asarray(case.redo.values[node.inputs[0]])
        index = case.redo.run_node(node, [np.arange(x.size).reshape(x.shape), *case.redo.inputs_of(node)[1:]])
        for axis, size in enumerate(index.shape):
            if size < 2 or not index.size:
                continue
            of_axis = int(np.prod(x.shape[axis + 1 :], dtype=np.int64))
            first, second = index.take([0], axis), index.take([1], axis)
            right = int((second - first).reshape(-1)[0]) // of_axis
            along = np.arange(size).reshape([size if each == axis else 1 for each in range(index.ndim)])
            for got in (1, 2, 3, 4, -1, -2):
                if got != right:
                    change = NodeChange(node.name, _taken(first + along * (got * of_axis)))
                    says = f"{node.op_type} takes every {got}. element along axis {axis} instead of every {right}."
                    yield Hypothesis(
                        self.cause, says, f"Multiply the place along axis {axis} by {right}.",
                        {"axis": axis, "expected": right, "got": got}, (change,), line=lines.read(), weight=1.2,
                    )  # fmt: skip


def _leaves(window: WindowSum, got: Pair) -> bool:
    """Whether half of the outputs would lie outside of the picture: then it is nothing that is read, not a stride."""
    return any(
        step * (size // 2) >= extent
        for step, size, extent in zip(got, window.size, window.source.shape[2:], strict=True)
    )


def _pairs(right: Pair) -> Iterator[Pair]:
    """Steps (y, x) other than the right ones."""
    every = range(1, _LARGEST + 1)
    far = range(_LARGEST + 1, _FARTHEST + 1)
    pairs = [*((y, x) for y in every for x in every), *((k, k) for k in far)]
    pairs += [pair for k in far for pair in ((k, right[1]), (right[0], k))]
    return (pair for pair in dict.fromkeys(pairs) if pair != right)


def _taken(places_of: NDArray[Any]):  # type: ignore[no-untyped-def]
    """The elements at linear places of the first input, 0 outside."""

    def change(_node: Node, inputs: Any) -> NDArray[Any]:
        x = np.asarray(inputs[0])
        inside = (places_of >= 0) & (places_of < x.size)
        return np.where(inside, x.reshape(-1)[np.clip(places_of, 0, x.size - 1).astype(np.int64)], 0).astype(x.dtype)

    return change


def _line(right: Pair, got: Pair) -> LineOf:
    axis = 0 if got[0] != right[0] else 1
    return lines.first(lines.setting(("stride", "step"), got[axis], "yx"[axis]), lines.read())
