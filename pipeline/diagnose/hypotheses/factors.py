"""Proposes factors over the right values, the sums or an input, with an addend, or as a mean's count."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.fault_models.fits import fitted_number, is_meant, shortened
from texelscope.pipeline.diagnose.fault_models.layer_parts import inner_curves, normalised, undone_to
from texelscope.pipeline.diagnose.fault_models.reductions import means_of_sums, reductions, shares
from texelscope.pipeline.diagnose.fault_models.region import with_parts
from texelscope.pipeline.diagnose.index_maps.weights_there import solved
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit, NodeChange
from texelscope.pipeline.diagnose.model_slice.window_sum import WindowSum
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Generator, Hypothesis, Stage
from texelscope.pipeline.diagnose.trial.model_edits import (
    constant_as,
    input_through,
    node_of,
    node_through,
    output_through,
    plus,
    times,
    window_with,
)
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.registry import facts_of

Array = NDArray[Any]
# A factor and an addend.
Line = tuple[float, float]

# A sign, a half, and byte divisors; any other factor is fitted.
_COMMON_FACTORS = (-1.0, 2.0, 0.5, 255.0, 1.0 / 255.0, 256.0, 1.0 / 256.0, 127.5, 1.0 / 127.5)
# Pictures in 0 … 1 taken to -1 … 1, and back.
_COMMON_LINES = ((2.0, -1.0), (0.5, 0.5), (1.0, -0.5), (1.0, 0.5), (1.0, -1.0), (1.0, 1.0))


@dataclass(frozen=True)
class _Limits:
    """Says what counts as a factor or an addend."""

    # Factors, and shares of the largest value as addends, below which they are made of rounding errors.
    nothing: float = 1e-5
    squared: float = 1e150  # values whose squares overflow, of which LAPACK complains on standard output


_LIMITS = _Limits()


def _of_result(case: FailingPass, *, turned: bool = False) -> Iterator[Hypothesis]:
    """Proposes factors of the result; -1 comes later, since swapped operands give it too."""
    factors = dict.fromkeys((*fitted(case.actual, case.expected), *_COMMON_FACTORS))
    for factor in (each for each in factors if (each == -1.0) is turned):
        says, change = f"the right result times {factor:.6g}", output_through(times(factor))
        pairs = factor in _COMMON_FACTORS[:3]
        yield from with_parts(case, _scaled_by(factor, says, change, prior=1.6, in_pairs=pairs))


def _scale(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes factors of the sum with and without its bias, and of each input; fitted ones and common ones."""
    yield from _of_result(case, turned=True)
    for node in inner_curves(case):
        for factor in fitted_number(case, lambda f, n=node: node_of(case, n, times(f)), 1.0):  # type: ignore[misc]
            says = f"the input of {node.op_type} times {factor:.6g}"
            yield _scaled_by(factor, says, node_of(case, node, times(factor)), prior=1.17)
    yield from solved(case, causes.SCALE)
    fed = {node.inputs[0] for node in case.model_slice.nodes if case.model_slice.window(node) is not None}
    for tensor in (read.tensor for read in case.activations()):
        scaled = _input_times(tensor)
        # A window's input and its weights have the same factor.
        found = () if tensor in fed else fitted_number(case, scaled, 1.0)
        for factor in dict.fromkeys((*(each for each in found if abs(each) >= _LIMITS.nothing), *_COMMON_FACTORS)):
            yield _scaled_by(factor, f"the input '{tensor}' times {factor:.6g}", scaled(factor), prior=1.3)


def _input_times(tensor: str) -> Callable[[float], ModelEdit]:
    return lambda factor: input_through(tensor, times(factor))


def _scaled_by(factor: float, says: str, change: ModelEdit, **rest: Any) -> Hypothesis:
    line = lines.first(lines.written(factor, 1.0 / factor), lines.rooted(factor**2, 1.0 / factor**2), lines.result)
    is_fitted = factor not in _COMMON_FACTORS
    return Hypothesis(causes.SCALE, says, (change,), {"factor": factor}, line=line, fitted=int(is_fitted), **rest)


def fitted(actual: Array, expected: Array) -> list[float]:
    """Returns the factor between the two, if it is nearly the same for most elements; rounded first."""
    with np.errstate(all="ignore"):
        ratio = actual.astype(np.float64) / expected.astype(np.float64)
    size = np.abs(expected)
    usable = np.isfinite(ratio) & np.isfinite(size) & (size > 0)
    if np.count_nonzero(usable) < 3:
        return []
    usable &= size >= np.quantile(size[usable], 0.5)
    value = float(np.median(ratio[usable]))
    if abs(value) < _LIMITS.nothing or not is_meant(value, 1.0):
        return []
    spread = float(np.quantile(np.abs(ratio[usable] - value), 0.5))
    return shortened(value, 2e-6) if spread < 0.01 * abs(value) else []


def _affine(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes a line through the result, through the sum before the activation, and through each input."""
    is_shift = not _rounds_otherwise(case)
    common = [each for each in _COMMON_LINES if is_shift or each[0] != 1.0]
    for line in (*(each for each in _line(case.actual, case.expected) if is_shift or each[0] != 1.0), *common):
        yield _along(line, "y", "y is the right result", output_through(plus(*line)), 2.0)
    curves = inner_curves(case) if is_shift else []
    for node in curves:
        for offset in fitted_number(case, lambda c, n=node: node_of(case, n, plus(1.0, c)), 0.0):  # type: ignore[misc]
            change = node_of(case, node, plus(1.0, offset))
            yield _along((1.0, offset), "x", f"x enters {node.op_type}", change, 2.15)
    for read in case.activations():
        for line in common:
            of_input = input_through(read.tensor, plus(*line))
            yield _along(line, "x", f"x is the input '{read.tensor}'", of_input, 2.2)


def _along(line: Line, name: str, where: str, change: ModelEdit, prior: float) -> Hypothesis:
    factor, offset = line
    head = name if factor == 1.0 else f"{factor:.6g} {name}"
    says = f"{head} {'+' if offset >= 0 else '-'} {abs(offset):.6g} where {where}"
    return Hypothesis(
        causes.AFFINE, says, (change,), {"scale": factor, "offset": offset}, line=lines.number(offset, factor),
        prior=prior, fitted=0 if line in _COMMON_LINES else 2,
    )  # fmt: skip


def _rounds_otherwise(case: FailingPass) -> bool:
    """Whether the model rounds, and the text does not call that function: then a summand is another rounding's.

    Between two ways of rounding lies a summand, mostly: ⌊x⌋ is ⌈x⌉ - 1.
    """
    spelled = [names for node in case.model_slice.nodes if (names := facts_of(node).rounded_by)]
    return any(not case.text.calls(*names) for names in spelled)


def _line(actual: Array, expected: Array) -> list[tuple[float, float]]:
    """Fits a line through (expected, actual) and returns it, rounded first, if it passes near most; no constant."""
    usable = np.isfinite(actual) & np.isfinite(expected)
    if np.count_nonzero(usable) < 8:
        return []
    x, y = expected[usable].astype(np.float64), actual[usable].astype(np.float64)
    if np.ptp(x) == 0.0 or np.ptp(y) == 0.0 or max(np.abs(x).max(), np.abs(y).max()) > _LIMITS.squared:
        return []
    error = np.zeros(0)
    for _ in range(3):
        factor, offset = np.polyfit(x, y, 1)
        error = np.abs(y - factor * x - offset)
        near = error <= max(np.quantile(error, 0.8), 1e-30)
        x, y = x[near], y[near]
        if len(x) < 8 or np.ptp(x) == 0.0:
            break
    if np.quantile(error, 0.5) > 1e-3 * max(np.ptp(y), 1e-30):
        return []
    if abs(factor) < _LIMITS.nothing:
        return []  # a constant, or numbers that stand for nothing, all of them tiny
    if abs(offset) < _LIMITS.nothing * float(np.abs(y).max()):
        return []  # only a factor
    return [(float(f"{factor:.4g}"), float(f"{offset:.4g}")), (float(factor), float(offset))]


def _average_count(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes counts for pools, means along axes, and the variance of an instance normalisation."""
    for window in case.windows():
        if window.kind == "mean":
            yield from _pool(case, window)
    for reduction in reductions(case):
        if facts_of(reduction.node).means:
            yield from _mean(case, reduction.node)
    yield from _written_out(case)
    yield from _shared_out(case)
    for node in case.model_slice.node("Normalise"):
        yield from _variance(case, node)


def _pool(case: FailingPass, window: WindowSum) -> Iterator[Hypothesis]:
    rows, columns = window.kernel
    taps = rows * columns
    right = "the taps inside the picture" if window.count == "inside" else f"all {taps} taps"
    names: dict[int | str, str] = {"all": f"all {taps} taps", "inside": "the taps inside the picture"}
    counts: list[int | str] = ["all" if window.count == "inside" else "inside"]
    counts += [taps, taps - 1, taps + 1, rows, columns, (rows + 1) * (columns + 1), (rows - 1) * (columns - 1)]
    counts += [1, 2 * taps, rows * rows, columns * columns]
    node = case.model_slice.named(window.node)
    sums = window.replaced(count=1.0).evaluate().reshape(-1)
    for count in dict.fromkeys((*counts, *_whole_ratio(sums, undone_to(case, case.actual, node)))):
        if count != 0:
            says, change = f"the sum divided by {names.get(count, count)}", window_with(window.node, count=count)
            prior = 1.0 if isinstance(count, str) else 1.5
            yield _divided(says, right, change, {"got": count}, prior=prior, fitted=int(count not in counts))
    if window.inner != (0, 0):
        return
    height, width = _taps_inside(window, 0)[:, None], _taps_inside(window, 1)
    told = height * width if window.count == "inside" else float(taps)
    for says, got, inside in (
        ("all rows of the window times the columns inside the picture", "all rows", rows * width),
        ("the rows of the window inside the picture alone", "rows alone", height),
        ("all columns of the window times the rows inside the picture", "all columns", height * columns),
        ("the columns of the window inside the picture alone", "columns alone", width),
    ):
        change_of = _scaled(case, node, told / np.maximum(inside, 1.0))
        yield _divided(f"the sum divided by {says}", right, change_of, {"got": got}, prior=1.2)


def _mean(case: FailingPass, node: Node) -> Iterator[Hypothesis]:
    x = case.model_slice.inputs_of(node)[0]
    made = case.model_slice.values[node.outputs[0]]
    if x is None or not made.size:
        return
    count = x.size // made.size
    found = _whole_ratio(made.reshape(-1) * float(count), undone_to(case, case.actual, node))
    counts = (*x.shape, count - 1, count + 1, 1, -(-count // 4), math.prod(x.shape[-2:]), x.size)
    for got in dict.fromkeys((*found, *counts)):
        if got > 0 and got != count:
            change, says = _scaled(case, node, count / got), f"the sum of {count} elements divided by {got}"
            fitted = int(got not in counts)
            yield _divided(says, str(count), change, {"expected": count, "got": got}, fitted=fitted)


def _written_out(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes counts for means made of two nodes, sum and factor: for all of equal count at once, then each."""
    by_count: dict[int, list[Node]] = {}
    for node, count in means_of_sums(case):
        by_count.setdefault(count, []).append(node)
    for count, nodes in by_count.items():
        for some in [nodes, *([node] for node in nodes if len(nodes) > 1)]:
            for got in (count - 1, count + 1, 1):
                if got not in (0, count):
                    changes = tuple(_scaled(case, node, count / got) for node in some)
                    which = "" if len(some) == len(nodes) else f" for '{some[0].name}'"
                    says = f"the sum of {count} elements divided by {got}{which}"
                    found = _divided(says, str(count), changes[0], {"expected": count, "got": got})
                    yield replace(found, changes=changes, prior=1.1 if which else 1.0)


def _shared_out(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes the largest count everywhere for means whose counts differ, as at a border."""
    for node, name, counts in shares(case):
        most = int(counts.max())
        says = f"'{node.inputs[0]}' divided by {most} everywhere, where the model counts up from {int(counts.min())}"
        change = constant_as(name, lambda old: np.full_like(old, old.min()))
        yield _divided(says, "the elements inside", change, {"got": most})


def _variance(case: FailingPass, node: Node) -> Iterator[Hypothesis]:
    """Proposes a variance over one element less (Bessel's correction), over other counts, or not divided at all."""
    found = normalised(case, node)
    if found is None or found.count < 2:
        return
    dims = (node.attributes.get("view", ()), case.dims)
    sizes = {math.prod(some) for each in dims for k in (1, 2, 3) for some in itertools.combinations(each, k)}
    counts = dict.fromkeys((found.count - 1, found.count + 1, 1, *sorted(sizes - {found.count})))
    for number, got in enumerate(counts):
        ratio, parameters = found.count / got, {"expected": found.count, "got": got}
        says, prior = f"divided by {got} instead of {found.count}", 1.0 + number / 1000.0
        maker = case.model_slice.makers.get(node.inputs[2])
        if maker is not None and len(case.model_slice.readers(node.inputs[2])) > 1:  # other nodes use it too
            change = _scaled(case, maker, ratio)
        else:
            change = found.change(variance=found.variance * ratio)
        yield _divided(f"the variance {says}", str(found.count), change, parameters, prior=prior)
        if found.mean is None:
            continue
        mean, squares = found.mean * ratio, (found.variance + np.square(found.mean)) * ratio
        # The variance is the mean of squares less the squared mean, or of distances from a mean that is wrong
        # already.
        apart = found.variance + np.square(found.mean - mean)
        for variance, what in (
            (squares - np.square(mean), "mean and mean of squares"),
            (apart * ratio, "mean and variance"),
            (apart, "mean"),
        ):
            change = found.change(mean=mean, variance=variance)
            yield _divided(f"the {what} {says}", str(found.count), change, parameters, prior=prior + 0.05)


def _divided(says: str, right: str, change: ModelEdit, parameters: Mapping[str, Any], **rest: Any) -> Hypothesis:
    remedy = f"Divide by {right}."
    return Hypothesis(causes.AVERAGE_COUNT, says, (change,), parameters, remedy=remedy, line=lines.division, **rest)


def _taps_inside(window: WindowSum, axis: int) -> Array:
    """Returns how many of a window's taps are inside, for each output position along rows (0) or columns (1)."""
    size = window.source.shape[2 + axis]
    inside = np.stack([(at >= 0) & (at < size) for at in window.places(axis)])
    return np.asarray(inside.sum(axis=0), dtype=np.float64)


def _whole_ratio(sums: Array, made: Array | None) -> list[int]:
    """Returns the integer that is the ratio of `sums` to `made`."""
    if made is None or made.size != sums.size:
        return []
    with np.errstate(all="ignore"):
        ratio = sums.astype(np.float64) / made
    ratio = ratio[np.isfinite(ratio) & (np.abs(sums) >= np.quantile(np.abs(sums), 0.5))]
    middle = float(np.median(ratio)) if ratio.size else 0.0
    return [round(middle)] if middle > 0.5 and abs(middle - round(middle)) < 1e-3 * middle else []


def _scaled(case: FailingPass, node: Node, factor: float | Array) -> NodeChange:
    return node_through(case, node, lambda made: made * np.asarray(factor, dtype=np.float32))


GENERATORS = (
    Generator(causes.SCALE, Stage.PARTS, _of_result),
    Generator(causes.SCALE, Stage.FITS, _scale),
    Generator(causes.AFFINE, Stage.FITS, _affine),
    Generator(causes.AVERAGE_COUNT, Stage.PARTS, _average_count),
)
