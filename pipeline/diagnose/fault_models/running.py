"""Accumulators that are not reset: what an element comes to when it goes on from the lane, or the row, before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.model_slice.model_slice import NodeChange
from texelscope.pipeline.diagnose.model_slice.window_sum import WindowSum
from texelscope.pipeline.diagnose.model_slice.windows import in_view
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.facts import Accumulator
from texelscope.pipeline.operators.families.registry import facts_of

Array = NDArray[Any]


@dataclass(frozen=True)
class Running:
    """A node whose accumulator goes on, in words, and what it comes to."""

    says: str
    change: NodeChange


def over_lanes(case: FailingPass) -> Iterator[Running]:
    """Every node with an accumulator whose result lies in the output's lanes: element k of a texel takes in 0 to k."""
    if case.output.layout.lanes < 2:
        return
    for node in case.redo.nodes:
        if case.redo.values[node.outputs[0]].shape != case.output.shape:
            continue
        window, accumulator = case.redo.window(node), facts_of(node).accumulator
        if window is not None and window.kind == "sum":
            yield from _of_window(case, node, window)
        elif accumulator is not None:
            yield _of_result(case, node, accumulator)


def over_rows(case: FailingPass) -> Iterator[Running]:
    """Every window: a row's sum goes on from the row before, and is added to the whole all the same."""
    for node in case.redo.nodes:
        window = case.redo.window(node)
        if window is not None and window.kind != "largest" and window.kernel[0] > 1 and window.inner == (0, 0):
            says = "the sum of a row goes on from the rows before it"
            yield Running(says, _always(case, node, _rows_kept(window).reshape(window.shape)))


def lanes_folded(case: FailingPass, values: Array, fold: np.ufunc) -> Array:
    """[N, C, H, W]: each element joined with those in the lanes before it; lanes without an element are passed over."""
    padding = {"maximum": -np.inf, "minimum": np.inf, "multiply": 1.0}.get(fold.__name__, 0.0)
    texels = case.to_texels(np.asarray(values, dtype=np.float32), padding)
    return case.of_texels(np.asarray(fold.accumulate(texels, axis=2), dtype=np.float32))


# -- windows ----------------------------------------------------------------------------------------------------


def _of_window(case: FailingPass, node: Node, window: WindowSum) -> Iterator[Running]:
    """The bias is in each sum, or added afterwards."""
    without = window.replaced(bias=None)
    sums, alone = (in_view(each.evaluate(), window.shape) for each in (window, without))
    every = "every lane holds the sums of the lanes before it too"
    yield Running(f"{every} (the sum and its bias)", _always(case, node, lanes_folded(case, sums, np.add)))
    if window.bias is not None:
        total = lanes_folded(case, alone, np.add) + (sums - alone)
        yield Running(f"{every} (the sum alone)", _always(case, node, total))


def _rows_kept(window: WindowSum) -> Array:
    """Σ over the rows inside the picture of the sum of all rows up to that one; a mean's divided by its count."""
    every = frozenset((p, q) for p in range(window.kernel[0]) for q in range(window.kernel[1]))
    plain = window.replaced(bias=None, count=1.0)
    place = np.arange(window.size[0]) * window.stride[0] + window.first[0]
    running: Array = np.zeros(1, dtype=np.float32)
    total: Array = np.zeros(1, dtype=np.float32)
    for p in range(window.kernel[0]):
        at = place + p * window.dilation[0]
        inside = ((at >= 0) & (at < window.source.shape[2]))[:, None]
        running = running + plain.replaced(left_out=every - {(p, q) for q in range(window.kernel[1])}).evaluate()
        total = total + np.where(inside, running, 0.0)
    right = plain.evaluate()
    with np.errstate(all="ignore"):
        if window.kind == "mean":
            counted = window.replaced(source=np.ones_like(window.source), count=1.0).evaluate()
            return total / (counted if window.count == "inside" else window._count())
        return window.evaluate() - right + total


# -- other nodes ------------------------------------------------------------------------------------------------


def _of_result(case: FailingPass, node: Node, accumulator: Accumulator) -> Running:
    value = np.asarray(case.redo.values[node.outputs[0]], dtype=np.float64)
    with np.errstate(all="ignore"):
        made = accumulator.finish(lanes_folded(case, accumulator.start(value), accumulator.by))
    return Running("every lane goes on from the lanes before it", _always(case, node, made))


def _always(case: FailingPass, node: Node, value: Array) -> NodeChange:
    made = np.asarray(value, dtype=np.float32).reshape(case.redo.values[node.outputs[0]].shape)
    return NodeChange(node.name, lambda _node, _inputs: made)
