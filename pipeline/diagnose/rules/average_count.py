"""average_count: the wrong values are the sums divided by another count."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.fault_models.layer_parts import normalised, undone_to
from texelscope.pipeline.diagnose.fault_models.reductions import means_of_sums, reductions, shares
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit, NodeChange
from texelscope.pipeline.diagnose.model_slice.window_sum import WindowSum
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import (
    Hypothesis,
    Rule,
    Stage,
)
from texelscope.pipeline.diagnose.trial.model_edits import constant_as, window_with
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.registry import facts_of

Array = NDArray[Any]


class AverageCount(Rule):
    """A mean divides by another number than the model's: with or without the padding, or by a wrong count."""

    cause = causes.AVERAGE_COUNT
    stage = Stage.PARTS

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes counts for pools, means along axes, and the variance of an instance normalisation."""
        for window in case.windows():
            if window.kind == "mean":
                yield from self._pool(case, window)
        for reduction in reductions(case):
            if facts_of(reduction.node).means:
                yield from self._mean(case, reduction.node)
        yield from self._written_out(case)
        yield from self._shared_out(case)
        for node in case.model_slice.node("Normalise"):
            yield from self._variance(case, node)

    def _pool(self, case: FailingPass, window: WindowSum) -> Iterator[Hypothesis]:
        rows, columns = window.kernel
        taps = rows * columns
        right = "the taps inside the picture" if window.count == "inside" else f"all {taps} taps"
        names: dict[int | str, str] = {"all": f"all {taps} taps", "inside": "the taps inside the picture"}
        counts: list[int | str] = ["all" if window.count == "inside" else "inside"]
        counts += [taps, taps - 1, taps + 1, rows, columns, (rows + 1) * (columns + 1), (rows - 1) * (columns - 1)]
        counts += [1, 2 * taps, rows * rows, columns * columns]
        for count in dict.fromkeys((*counts, *self._counted(case, window))):
            if count != 0:
                fitted = int(count not in counts)
                says = f"the sum divided by {names.get(count, count)}"
                light = 1.0 if isinstance(count, str) else 1.5
                yield self._hypothesis(
                    says, right, {"got": count}, (window_with(window.node, count=count),), light, fitted
                )

        if window.inner != (0, 0):
            return
        height, width = _taps_inside(window, 0)[:, None], _taps_inside(window, 1)
        told = height * width if window.count == "inside" else float(taps)
        for what, other, count_there, alone in (
            ("rows", "columns", rows * width, height), ("columns", "rows", height * columns, width),
        ):  # fmt: skip
            for says, got, inside in (
                (f"all {what} of the window times the {other} inside the picture", f"all {what}", count_there),
                (f"the {what} of the window inside the picture alone", f"{what} alone", alone),
            ):
                change = NodeChange(window.node, _scaled(case, told / np.maximum(inside, 1.0)))
                yield self._hypothesis(f"the sum divided by {says}", right, {"got": got}, (change,), 1.2)

    def _counted(self, case: FailingPass, window: WindowSum) -> list[int | str]:
        """Returns the integer by which all sums were divided, if there is one."""
        node = next(each for each in case.model_slice.nodes if each.name == window.node)
        sums = window.replaced(count=1.0).evaluate().reshape(-1)
        return [*_whole_ratio(sums, undone_to(case, case.actual, node))]

    def _mean(self, case: FailingPass, node: Node) -> Iterator[Hypothesis]:
        x = case.model_slice.inputs_of(node)[0]
        made = case.model_slice.values[node.outputs[0]]
        if x is None or not made.size:
            return
        count = x.size // made.size
        found = _whole_ratio(made.reshape(-1) * float(count), undone_to(case, case.actual, node))
        counts = (*x.shape, count - 1, count + 1, 1, -(-count // 4), math.prod(x.shape[-2:]), x.size)
        for got in dict.fromkeys((*found, *counts)):
            if got > 0 and got != count:
                change = NodeChange(node.name, _scaled(case, count / got))
                says = f"the sum of {count} elements divided by {got}"
                fitted = int(got not in counts)
                yield self._hypothesis(says, str(count), {"expected": count, "got": got}, (change,), 1.0, fitted)

    def _written_out(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes counts for means made of two nodes, sum and factor: for all of equal count at once, then each."""
        by_count: dict[int, list[Node]] = {}
        for node, count in means_of_sums(case):
            by_count.setdefault(count, []).append(node)
        for count, nodes in by_count.items():
            for some in [nodes, *([node] for node in nodes if len(nodes) > 1)]:
                for got in (count - 1, count + 1, 1):
                    if got not in (0, count):
                        changes = tuple(NodeChange(node.name, _scaled(case, count / got)) for node in some)
                        which = "" if len(some) == len(nodes) else f" for '{some[0].name}'"
                        says = f"the sum of {count} elements divided by {got}{which}"
                        parameters = {"expected": count, "got": got}
                        yield self._hypothesis(says, str(count), parameters, changes, 1.1 if which else 1.0)

    def _shared_out(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes the largest count everywhere for means whose counts differ, as at a border."""
        for node, name, counts in shares(case):
            most = int(counts.max())
            says = (
                f"'{node.inputs[0]}' divided by {most} everywhere, where the model counts up from {int(counts.min())}"
            )
            change = constant_as(name, lambda old: np.full_like(old, old.min()))
            yield self._hypothesis(says, "the elements inside", {"got": most}, (change,), 1.0)

    def _variance(self, case: FailingPass, node: Node) -> Iterator[Hypothesis]:
        """Proposes a variance over one element less (Bessel's correction), over other counts, or not divided at all."""
        found = normalised(case, node)
        if found is None or found.count < 2:
            return
        dims = (node.attributes.get("view", ()), case.dims)
        sizes = {math.prod(some) for each in dims for k in (1, 2, 3) for some in itertools.combinations(each, k)}
        counts = dict.fromkeys((found.count - 1, found.count + 1, 1, *sorted(sizes - {found.count})))
        for number, got in enumerate(counts):
            ratio, parameters = found.count / got, {"expected": found.count, "got": got}
            says, light = f"instead of {found.count}", 1.0 + number / 1000.0
            maker = case.model_slice.makers.get(node.inputs[2])
            if maker is not None and len(case.model_slice.readers(node.inputs[2])) > 1:  # other nodes use it too
                change: ModelEdit = NodeChange(maker.name, _scaled(case, ratio))
            else:
                change = found.change(variance=found.variance * ratio)
            yield self._hypothesis(
                f"the variance divided by {got} {says}", str(found.count), parameters, (change,), light
            )
            if found.mean is None:
                continue
            mean, squares = found.mean * ratio, (found.variance + np.square(found.mean)) * ratio
            # The variance is the mean of squares less the squared mean, or of distances from a mean that is wrong
            # already.
            apart = found.variance + np.square(found.mean - mean)
            for variance, what in (
                (squares - np.square(mean), "mean and mean of squares"), (apart * ratio, "mean and variance"),
                (apart, "mean"),
            ):  # fmt: skip
                change = found.change(mean=mean, variance=variance)
                yield self._hypothesis(
                    f"the {what} divided by {got} {says}", str(found.count), parameters, (change,), light + 0.05
                )

    def _hypothesis(
        self, says: str, right: str, parameters: dict[str, Any], changes: tuple[ModelEdit, ...], prior: float,
        fitted: int = 0,
    ) -> Hypothesis:  # fmt: skip
        return Hypothesis(
            self.cause, says, f"Divide by {right}.", parameters, changes, line=lines.division, prior=prior,
            fitted=fitted,
        )  # fmt: skip


def _taps_inside(window: WindowSum, axis: int) -> Array:
    """Returns how many of a window's taps are inside, for each output position along rows (0) or columns (1)."""
    places = np.arange(window.shape[2 + axis]) * window.stride[axis] + window.first[axis]
    taps = np.arange(window.kernel[axis]) * window.dilation[axis]
    at = places[:, None] + taps
    return np.asarray(((at >= 0) & (at < window.source.shape[2 + axis])).sum(axis=1), dtype=np.float64)


def _whole_ratio(sums: Array, made: Array | None) -> list[int]:
    """Returns the integer that is the ratio of `sums` to `made`."""
    if made is None or made.size != sums.size:
        return []
    with np.errstate(all="ignore"):
        ratio = sums.astype(np.float64) / made
    ratio = ratio[np.isfinite(ratio) & (np.abs(sums) >= np.quantile(np.abs(sums), 0.5))]
    middle = float(np.median(ratio)) if ratio.size else 0.0
    return [round(middle)] if middle > 0.5 and abs(middle - round(middle)) < 1e-3 * middle else []


def _scaled(case: FailingPass, factor: float | Array):  # type: ignore[no-untyped-def]
    return lambda node, inputs: case.model_slice.run_node(node, inputs) * np.asarray(factor, dtype=np.float32)
