"""Proposes missing terms of a sum: channels, taps, or all but the last where it should add."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.fault_models.error_pattern import listed
from texelscope.pipeline.diagnose.fault_models.layer_parts import with_attributes
from texelscope.pipeline.diagnose.fault_models.reductions import (
    ReductionMistake,
    along_one,
    fewer,
    inner_products,
    reductions,
    windows,
)
from texelscope.pipeline.diagnose.index_maps.weights_there import solved
from texelscope.pipeline.diagnose.model_slice.model_slice import NodeChange, Values
from texelscope.pipeline.diagnose.model_slice.window_sum import DoesNotApplyError, Pair, WindowSum
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Generator, Hypothesis, Stage
from texelscope.pipeline.diagnose.trial.model_edits import node_as, window_with
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.registry import facts_of, operator_of
from texelscope.pipeline.read_trace.expected import ReadTrace

Array = NDArray[Any]
Taps = frozenset[Pair]


@dataclass(frozen=True)
class _Limits:
    """Bounds the search for missing terms."""

    elements: int = 1 << 12  # elements of a result that are searched for those that come together, one at a time
    taps: int = 64  # taps of a window that are tried one by one


_LIMITS = _Limits()


def kept_last(case: FailingPass) -> Iterator[tuple[Node, NodeChange]]:
    """Yields nodes that scatter, and windows put back where they overlap, with the edit."""
    for node in case.model_slice.nodes:
        if node.attributes.get("reduction") == "add":
            yield node, node_as(case, node, with_attributes(node, reduction="none"))
        if node.op_type == "Col2Im" and case.model_slice.values[node.outputs[0]].size <= _LIMITS.elements:
            yield node, NodeChange(node.name, _last_window(case, node))


def _last_window(case: FailingPass, node: Node) -> Callable[[Node, Values], Array]:
    """Computes each element as the last window with any value there leaves it."""

    def change(_node: Node, inputs: Values) -> Array:
        operator, call, columns = operator_of(node), case.model_slice.call(node), np.asarray(inputs[0])
        shape = case.model_slice.values[node.outputs[0]].shape
        found = np.zeros(shape, dtype=columns.dtype)
        for element in range(found.size):
            read = None if operator is None else operator.reads(call, element)
            if read is None:
                raise DoesNotApplyError(node.name)
            places = read[0]
            ordered = columns.reshape(-1)[places[np.argsort(places % columns.shape[-1], kind="stable")]]
            there = ordered[ordered != 0.0]
            found.reshape(-1)[element] = there[-1] if there.size else 0.0
        return found

    return change


def _seen_channels(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes channels that solved weights show to be missing."""
    yield from solved(case, causes.MISSING_CHANNELS)


def _channels(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes the last channels, groups of four, every fourth; sums along axes and over windows of channels."""
    for window in case.windows():
        count = window.channels.shape[1]
        if window.weights is None:
            continue
        if _reads_nothing(case, window):
            yield _without(window, tuple(range(count)), 0.9)
        if count < 2 or case.uses_all_reads(window.stored):
            continue
        seen: set[tuple[int, ...]] = set()
        for number, missing in enumerate(map(tuple, _term_sets(case, window))):
            if missing and len(missing) < count and missing not in seen:
                seen.add(missing)
                yield _without(window, missing, 1.0 + number / 100.0)
    yield from _reductions(case)
    yield from _products(case)
    for node, change in kept_last(case):
        says = f"keeps only the last of several values that {node.op_type} '{node.name}' adds at one place"
        yield _fewer_terms(says, (change,), {"kept": "the last"}, remedy="Write += instead of =.")
    for node, extra, text, local in windows(case):
        if extra < 0:
            says, prior = f"{node.op_type} sums over a window {text}", 1.0 - extra / 10.0
            yield _fewer_terms(says, (local,), {"count": -extra}, prior=prior)


# What leaves out terms of a sum.
_fewer_terms = partial(Hypothesis, causes.MISSING_CHANNELS, line=lines.summand())


def _without(window: WindowSum, missing: tuple[int, ...], prior: float) -> Hypothesis:
    assert window.weights is not None
    weights, count = np.array(window.weights), window.channels.shape[1]
    weights[:, list(missing)] = 0.0
    return _fewer_terms(
        f"leaves out {_text(missing, count)}", (window_with(window.node, weights=weights),),
        {"channels": list(missing)}, remedy=f"Loop over all {count} channels.", prior=prior,
        in_pairs=missing == (count - 1,),
    )  # fmt: skip


def _reductions(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes shorter sums along axes; if a pass has several over the same terms, all of them together too."""
    found = reductions(case)
    groups = [[each] for each in found]
    if len(found) > 1 and len({each.count for each in found}) == 1:
        groups.append(found)
    for group in groups:
        names = listed(list(dict.fromkeys(each.node.op_type for each in group)))
        for number, (text, kept) in enumerate(_shorter(group[0])):
            for divide in (False, True) if any(each.means for each in group) else (False,):
                changes = tuple(_shortened(each, kept, divide=divide) for each in group)
                prior = 1.0 + number / 100 + divide / 1000 + 0.5 * all(each.is_of_places for each in group)
                lost = {"count": group[0].count - len(kept)}
                yield _fewer_terms(f"{names} leaves out {text}", changes, lost, prior=prior)


def _products(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes shorter matrix products, alone and together with a sum before them: both may come from one loop."""
    for product in inner_products(case):
        name, count = product.node.op_type, product.count
        for number, (text, kept) in enumerate(fewer(count, count)):
            change, lost = product.times(np.isin(np.arange(count), kept)), {"count": count - len(kept)}
            yield _fewer_terms(f"{name} leaves out {text}", (change,), lost, prior=1.0 + number / 100)
            before = [_shortened(each, kept) for each in reductions(case) if each.count == count]
            if before:
                says = f"{name} and the sum before it leave out {text}"
                yield _fewer_terms(says, (*before, change), lost, prior=1.005 + number / 100)


def _shorter(reduction: ReductionMistake) -> Iterator[tuple[str, NDArray[np.int64]]]:
    """Yields which terms of a reduction may be left, with a description of those that are not."""
    yield from fewer(reduction.count, reduction.rows.view[reduction.rows.axes[-1]])
    yield from along_one(reduction.rows)


def _shortened(reduction: ReductionMistake, kept: NDArray[np.int64], *, divide: bool = False) -> NodeChange:
    return reduction.change(lambda rows: rows[:, kept], divide=divide)


def _reads_nothing(case: FailingPass, window: WindowSum) -> bool:
    """Whether wrong elements were recorded, and none of them read the window's source."""
    recorded = _wrong_reads(case)
    if window.stored is None or not recorded:
        return False
    return not any(_read_of(taps, window.stored.stored.key) for taps in recorded)


def _wrong_reads(case: FailingPass) -> list[ReadTrace]:
    flat = case.wrong.reshape(-1)
    return [taps for taps in case.evidence.taps if flat[taps.element]]


def _read_of(taps: ReadTrace, key: str) -> bool:
    return any(tap.key == key for tap in taps.reads)


def _term_sets(case: FailingPass, window: WindowSum) -> Iterator[list[int]]:
    """Yields sets of terms; if a product's terms are a flattened picture, its columns and channels too."""
    node = case.model_slice.named(window.node)
    maker, count = case.model_slice.makers.get(node.inputs[0]), window.channels.shape[1]
    picture = None if maker is None or not facts_of(maker).keeps_order else case.model_slice.inputs_of(maker)[0]
    is_whole = picture is not None and picture.ndim > 2 and math.prod(picture.shape[1:]) == count
    for axis in range(2, picture.ndim + 1) if picture is not None and is_whole else (0,):
        across = math.prod(picture.shape[axis:]) if axis and picture is not None else count
        for _, kept in fewer(count, across):
            yield np.setdiff1d(np.arange(count), kept).tolist()


def _text(missing: Sequence[int], count: int) -> str:
    if len(missing) == 1:
        return f"channel {missing[0]} of {count}"
    if list(missing) == list(range(missing[0], missing[-1] + 1)):
        return f"channels {missing[0]} to {missing[-1]} of {count}"
    shown = ", ".join(map(str, missing[:6]))
    return f"channels {shown}{' …' if len(missing) > 6 else ''} of {count}"


def _seen_taps(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes taps that solved weights show to be missing."""
    yield from solved(case, causes.MISSING_TAPS)


def _taps(case: FailingPass) -> Iterator[Hypothesis]:
    """Proposes outer rows and columns first, then single taps; for sums over whole pictures too."""
    for reduction in (each for each in reductions(case) if each.is_of_places):
        for number, (text, kept) in enumerate(_shorter(reduction)):
            says, lost = f"{reduction.node.op_type} leaves out {text}", {"count": reduction.count - len(kept)}
            for divide in (False, True) if reduction.means else (False,):
                yield Hypothesis(
                    causes.MISSING_TAPS, says, (_shortened(reduction, kept, divide=divide),), lost,
                    remedy="Loop over the whole picture.", line=lines.summand(), prior=1.0 + number / 100.0,
                )  # fmt: skip
    for window in case.windows():
        if window.kernel == (1, 1) or case.uses_all_reads(window.stored):
            continue
        seen: set[Taps] = set()
        for number, (text, taps) in enumerate(_tap_sets(window)):
            if not taps or taps in seen or len(taps) == math.prod(window.kernel):
                continue
            seen.add(taps)
            prior = 1.0 + number / 100.0
            yield _without_taps(window, text, taps, prior=prior, in_pairs=number < 3)
            if window.kind == "mean":  # the divisor may still count all taps
                change = window_with(window.node, left_out=taps, count=float(math.prod(window.kernel)))
                yield replace(_without_taps(window, text, taps, prior=prior + 0.001), changes=(change,))
        yield from _borders(window)


def _borders(window: WindowSum) -> Iterator[Hypothesis]:
    """Proposes a border test that is too strict: an outer row or column of the picture counts as outside."""
    if window.kind == "mean":
        return
    for text, place in (
        ("last row", np.s_[:, :, -1:]),
        ("last column", np.s_[..., -1:]),
        ("first row", np.s_[:, :, :1]),
        ("first column", np.s_[..., :1]),
    ):
        source = np.array(window.source)
        source[place] = window.outside
        yield Hypothesis(
            causes.MISSING_TAPS, f"treats the {text} of the picture as outside",
            (window_with(window.node, source=source, stored=None),), {"border": text},
            remedy="Compare with the picture's size itself.", line=lines.summand(), prior=2.0,
        )  # fmt: skip


def _without_taps(window: WindowSum, text: str, taps: Taps, **rest: Any) -> Hypothesis:
    rows, columns = window.kernel
    gap = min(p * columns + q for p, q in taps)
    return Hypothesis(
        causes.MISSING_TAPS,
        f"leaves out {text} of the {columns}x{rows} window ({len(taps)} tap{'s' * (len(taps) > 1)})",
        (window_with(window.node, left_out=taps),), {"taps": sorted([q, p] for p, q in taps)},
        line=lines.first(lines.repeated(rows * columns - len(taps), gap), lines.summand()), **rest,
    )  # fmt: skip


def _tap_sets(window: WindowSum) -> Iterator[tuple[str, Taps]]:
    rows, columns = window.kernel
    every = [(p, q) for p in range(rows) for q in range(columns)]
    # A transposed convolution's window counts taps backwards.
    last, first = ("first", "last") if window.inner != (0, 0) else ("last", "first")
    for name, row, column in ((last, rows - 1, columns - 1), (first, 0, 0)):
        yield f"the {name} column", frozenset((p, q) for p, q in every if q == column)
        yield f"the {name} row", frozenset((p, q) for p, q in every if p == row)
        yield f"the {name} row and column", frozenset((p, q) for p, q in every if p == row or q == column)
    yield "the outer ring", frozenset((p, q) for p, q in every if p in (0, rows - 1) or q in (0, columns - 1))
    for text, kept in (("first", (0, 0)), ("middle", (rows // 2, columns // 2))):
        yield f"all but the {text} tap", frozenset(every) - {kept}
    if len(every) <= _LIMITS.taps:
        yield from ((f"tap ({q}, {p})", frozenset({(p, q)})) for p, q in every)


GENERATORS = (
    Generator(causes.MISSING_CHANNELS, Stage.DRAWING, _seen_channels),
    Generator(causes.MISSING_CHANNELS, Stage.WINDOW, _channels),
    Generator(causes.MISSING_TAPS, Stage.DRAWING, _seen_taps),
    Generator(causes.MISSING_TAPS, Stage.WINDOW, _taps),
)
