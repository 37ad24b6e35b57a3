"""Local response normalisation over another window of channels: y = x / (bias + alpha / size · Σ x²)^beta."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.model_slice.model_slice import NodeChange
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.lrn import general_form

Array = NDArray[Any]


def windows(case: FailingPass) -> Iterator[tuple[Node, int, str, NodeChange]]:
    """For each such node windows with fewer or more channels: how many more, in words, and the change."""
    for node in case.redo.node("LRN"):
        form = general_form(case.redo.call(node))
        size, before = form.window, form.before
        if form.spatial or form.repeat_edge:
            continue
        for first, count, text in (
            (before, size - 1, "without the last"), (before - 1, size - 1, "without the first"),
            (before - 1, size - 2, "without the first and the last"), (0, 1, "of one channel"),
            (before, size + 1, "with one more behind"), (before + 1, size + 1, "with one more before"),
            (before + 1, size + 2, "with one more at either end"), (0, size - before, "from the channel itself on"),
            (before, before + 1, "up to the channel itself"),
        ):  # fmt: skip
            if count > 0 and count != size:
                says = f"{text} ({count} channels for {size})"
                yield node, count - size, says, NodeChange(node.name, _over(case, first, count))
        if len(np.shape(case.redo.values[node.inputs[0]])) == 4:
            for first, behind, text in (
                (0, size - 1 - before, "behind the last channel those of the next picture"),
                (before, 0, "before the first channel those of the picture before"),
                (before, size - 1 - before, "beyond the first and last channels those of other pictures"),
            ):
                change = _over(case, before, size, across=(first, behind))
                yield node, first + behind, f"with, {text}", NodeChange(node.name, change)


def _over(case: FailingPass, before: int, count: int, across: tuple[int, int] = (0, 0)):  # type: ignore[no-untyped-def]
    """The sum over `count` channels from `before` ahead of each, scaled as the right one is.

    `across`: with so many channels of the picture before and of the next one where a picture has no more.
    """

    def change(node: Node, inputs: Any) -> Array:
        form = general_form(case.redo.call(node))
        x = np.asarray(inputs[0], dtype=np.float64)
        behind = count - 1 - before
        squares = np.pad(np.square(x), [(0, 0), (max(before, 0), max(behind, 0)), *[(0, 0)] * (x.ndim - 2)])
        first, last = across
        if first and len(x) > 1:
            squares[1:, before - first : before] = np.square(x[:-1, x.shape[1] - first :])
        if last and len(x) > 1:
            start = before + x.shape[1]
            squares[:-1, start : start + last] = np.square(x[1:, :last])
        total = np.zeros_like(x)
        for tap in range(-before, behind + 1):
            total += squares[:, max(before, 0) + tap : max(before, 0) + tap + x.shape[1]]
        return np.asarray(x / np.power(form.bias + form.scale * total, form.exponent), dtype=np.float32)

    return change
