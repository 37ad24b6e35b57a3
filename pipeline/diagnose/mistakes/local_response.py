"""Local response normalisation over another window of channels: y = x / (bias + alpha / size · Σ x²)^beta."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.redo.redo import NodeChange
from pipeline.diagnose.trial.case import Case
from pipeline.graph import Node
from pipeline.operators.families.lrn import general_form
from pipeline.operators.local_response import LocalResponse

Array = NDArray[Any]


def windows(case: Case) -> Iterator[tuple[Node, int, str, NodeChange]]:
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
            (before + 1, size + 2, "with one more at either end"),
        ):  # fmt: skip
            if count > 0 and count != size:
                says = f"{text} ({count} channels for {size})"
                yield node, count - size, says, NodeChange(node.name, _over(form, first, count))


def _over(form: LocalResponse, before: int, count: int):  # type: ignore[no-untyped-def]
    """The sum over `count` channels from `before` ahead of each, scaled as the right one is."""

    def change(_node: Node, inputs: Any) -> Array:
        x = np.asarray(inputs[0], dtype=np.float64)
        behind = count - 1 - before
        squares = np.pad(np.square(x), [(0, 0), (max(before, 0), max(behind, 0)), *[(0, 0)] * (x.ndim - 2)])
        total = np.zeros_like(x)
        for tap in range(-before, behind + 1):
            total += squares[:, max(before, 0) + tap : max(before, 0) + tap + x.shape[1]]
        return np.asarray(x / np.power(form.bias + form.scale * total, form.exponent), dtype=np.float32)

    return change
