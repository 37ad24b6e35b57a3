"""accumulator_not_reset: the wrong values are running sums over the lanes of a texel, or over a loop.

Elements continue the sum of the lane, or the row, before them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.fault_models.reductions import inner_products
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit, NodeChange
from texelscope.pipeline.diagnose.model_slice.window_sum import WindowSum, in_view
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, Rule, Stage
from texelscope.pipeline.diagnose.trial.model_edits import window_with
from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.facts import Accumulator
from texelscope.pipeline.operators.families.registry import facts_of

Array = NDArray[Any]


@dataclass(frozen=True)
class Running:
    """A node whose accumulator is not reset, its description, and the result."""

    says: str
    change: NodeChange


def over_lanes(case: FailingPass) -> Iterator[Running]:
    """Yields every node with an accumulator whose result fills the output's lanes: element k of a texel sums 0 to k."""
    if case.output.layout.lanes < 2:
        return
    for node in case.model_slice.nodes:
        if case.model_slice.values[node.outputs[0]].shape != case.output.shape:
            continue
        window, accumulator = case.model_slice.window(node), facts_of(node).accumulator
        if window is not None and window.kind == "sum":
            yield from _of_window(case, node, window)
        elif accumulator is not None:
            yield _of_result(case, node, accumulator)


def over_rows(case: FailingPass) -> Iterator[Running]:
    """Yields every window: a row's sum continues that of the row before, and is added to the total as well."""
    for node in case.model_slice.nodes:
        window = case.model_slice.window(node)
        if window is not None and window.kind != "largest" and window.kernel[0] > 1 and window.inner == (0, 0):
            says = "the sum of a row continues from the rows before it"
            yield Running(says, _always(case, node, _rows_kept(window).reshape(window.shape)))


def lanes_folded(case: FailingPass, values: Array, fold: np.ufunc) -> Array:
    """Returns [N, C, H, W]: each element combined with those in the lanes before it; empty lanes are skipped."""
    padding = {"maximum": -np.inf, "minimum": np.inf, "multiply": 1.0}.get(fold.__name__, 0.0)
    texels = case.to_texels(np.asarray(values, dtype=np.float32), padding)
    return case.of_texels(np.asarray(fold.accumulate(texels, axis=2), dtype=np.float32))


def _of_window(case: FailingPass, node: Node, window: WindowSum) -> Iterator[Running]:
    """The bias may be part of each sum, or be added afterwards."""
    without = window.replaced(bias=None)
    sums, alone = (in_view(each.evaluate(), window.shape) for each in (window, without))
    every = "every lane holds the sums of the lanes before it too"
    yield Running(f"{every} (the sum and its bias)", _always(case, node, lanes_folded(case, sums, np.add)))
    if window.bias is not None:
        total = lanes_folded(case, alone, np.add) + (sums - alone)
        yield Running(f"{every} (the sum alone)", _always(case, node, total))


def _rows_kept(window: WindowSum) -> Array:
    """Sums over the rows inside the picture the sums of all rows up to each; a mean divides by its count."""
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


def _of_result(case: FailingPass, node: Node, accumulator: Accumulator) -> Running:
    value = np.asarray(case.model_slice.values[node.outputs[0]], dtype=np.float64)
    with np.errstate(all="ignore"):
        made = accumulator.finish(lanes_folded(case, accumulator.start(value), accumulator.by))
    return Running("every lane continues from the lanes before it", _always(case, node, made))


def _always(case: FailingPass, node: Node, value: Array) -> NodeChange:
    made = np.asarray(value, dtype=np.float32).reshape(case.model_slice.values[node.outputs[0]].shape)
    return NodeChange(node.name, lambda _node, _inputs: made)


class AccumulatorNotReset(Rule):
    """A sum continues from the previous lane or element instead of starting at zero."""

    cause = causes.ACCUMULATOR_NOT_RESET
    stage = Stage.PARTS

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes sums that continue from lane to lane or row to row, and partial sums written inside a loop."""
        yield from self._running(over_lanes(case), "lanes", 1.0)
        yield from self._loops(case)
        yield from self._running(over_rows(case), "rows", 1.3)

    def _running(self, found: Iterable[Running], of: str, prior: float) -> Iterator[Hypothesis]:
        for more, running in enumerate(found):
            remedy = "Reset the accumulator inside the function or loop that computes one element."
            yield self._hypothesis(running.says, remedy, of, running.change, prior + more / 100.0)

    def _loops(self, case: FailingPass) -> Iterator[Hypothesis]:
        """The sum is added to the result at every step of a loop: channel i counts (count - i) times."""
        for window in case.windows():
            if window.kind != "sum" or window.weights is None or window.channels.shape[1] < 2:
                continue
            count = window.channels.shape[1]
            times = np.arange(count, 0, -1, dtype=np.float32)[:, None, None]
            says = "each channel's partial sum is added to the result again for every later channel"
            change = window_with(window.node, weights=window.weights * times)
            yield self._hypothesis(says, "Write the result after the loops, not inside them.", "channels", change, 1.2)

        for node, count, weighted in inner_products(case):
            factors = np.arange(count, 0, -1, dtype=np.float32)
            change_of = NodeChange(node.name, _with_factors(case, factors, weighted))
            says = "each term's partial sum is added to the result again for every later term"
            yield self._hypothesis(says, "Write the result after the loop, not inside it.", "terms", change_of, 1.21)

    def _hypothesis(self, says: str, remedy: str, of: str, change: ModelEdit, prior: float) -> Hypothesis:
        line = lines.first(_summing, _keeping, lines.result)
        return Hypothesis(self.cause, says, remedy, {"of": of}, (change,), line=line, prior=prior)


def _with_factors(case: FailingPass, factors: Array, weighted: Callable[[Array, Array], Array]):  # type: ignore[no-untyped-def]
    return lambda node, inputs: case.model_slice.run_node(node, [weighted(np.asarray(inputs[0]), factors), *inputs[1:]])


def _summing(case: FailingPass) -> Line | None:
    """Returns the line of the sum that is not reset."""
    sums = case.text.sums()
    return sums[-1].line if sums else None


def _keeping(case: FailingPass) -> Line | None:
    """Returns the line of a variable that lives longer than the function that computes one element."""
    kept = case.text.kept()
    return kept[-1] if kept else None
