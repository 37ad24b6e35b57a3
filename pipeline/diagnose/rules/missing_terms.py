"""Causes that are missing terms of a sum: channels, taps, or all but the last where it should add."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
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
from texelscope.pipeline.diagnose.index_maps.classify import axes_of_weights
from texelscope.pipeline.diagnose.index_maps.decoded_probes import (
    ReadMoves,
    asked_of,
    counted_of,
    counted_otherwise,
    taps_of,
)
from texelscope.pipeline.diagnose.index_maps.redone import lost, taken_otherwise
from texelscope.pipeline.diagnose.index_maps.weights_there import solved
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit, NodeChange, Values, WindowChange
from texelscope.pipeline.diagnose.model_slice.window_sum import DoesNotApplyError, Pair, WindowSum
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import (
    Hypothesis,
    Proposing,
    Rule,
    Stage,
)
from texelscope.pipeline.diagnose.trial.model_edits import Function, node_as, window_with
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.families.registry import facts_of, operator_of

Array = NDArray[Any]
# Larger results are not searched for elements that come together.
_MOST = 1 << 12
Taps = frozenset[Pair]
# Windows of at most this many taps are tried tap by tap.
_FEW = 64


def kept_last(case: FailingPass) -> Iterator[tuple[Node, NodeChange]]:
    """Yields nodes that scatter, and windows put back where they overlap, with the edit."""
    for node in case.model_slice.nodes:
        if node.attributes.get("reduction") == "add":
            yield node, node_as(case, node, with_attributes(node, reduction="none"))
        if node.op_type == "Col2Im" and case.model_slice.values[node.outputs[0]].size <= _MOST:
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


class MissingChannels(Rule):
    """Some input channels (or terms of a product) are not read: a loop that ends too early."""

    cause = causes.MISSING_CHANNELS
    stage = Stage.WINDOW

    def turns(self) -> tuple[tuple[Stage, Proposing], ...]:
        """Puts causes that designed inputs show before guessed ones."""
        return ((Stage.DRAWING, self._seen), (self.stage, self.propose))

    def _seen(self, case: FailingPass) -> Iterator[Hypothesis]:
        yield from solved(case, self.cause)
        for found in counted_of(case):
            window = next(iter(case.windows()), None)
            if found.is_missing and window is not None and axes_of_weights(case)[1].get(found.axis) == "input":
                yield self._without(window, found.places, 0.9)
        asked = asked_of(case)
        for moves in asked.moves if asked is not None else ():
            if (places := lost(moves).get("c")) and not _looks(case, moves):
                values, covers = taken_otherwise(case, asked.moves)  # type: ignore[union-attr]
                tensor, count = moves.read.tensor, moves.read.values.dims[1]
                yield Hypothesis(
                    self.cause, f"leaves out {_text(places, count)} of '{tensor}', as designed inputs show",
                    f"Read all {count} channels of '{tensor}'.", {"channels": list(places), "tensor": tensor},
                    values=values, covers=covers, line=lines.asked(tensor), prior=0.9,
                )  # fmt: skip

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes the last channels, groups of four, every fourth; sums along axes and over windows of channels."""
        for window in case.windows():
            count = window.channels.shape[1]
            if window.weights is not None and _reads_nothing(case, window):
                yield self._without(window, tuple(range(count)), 0.9)
            if window.weights is None or count < 2 or case.uses_all_reads(window.stored):
                continue
            seen: set[tuple[int, ...]] = set()
            for weight, missing in enumerate(_term_sets(case, window)):
                key = tuple(missing)
                if key and len(key) < count and key not in seen:
                    seen.add(key)
                    yield self._without(window, key, 1.0 + weight / 100.0)
        yield from self._reductions(case)
        for node, extra, text, local in windows(case):
            if extra < 0:
                yield self._shortened(f"{node.op_type} sums over a window {text}", -extra, (local,), 1.0 - extra / 10.0)

    def _without(self, window: WindowSum, missing: tuple[int, ...], prior: float) -> Hypothesis:
        assert window.weights is not None
        weights = np.array(window.weights)
        weights[:, list(missing)] = 0.0
        count = window.channels.shape[1]
        return Hypothesis(
            self.cause,
            f"leaves out {_text(missing, count)}",
            f"Loop over all {count} channels.",
            {"channels": list(missing)},
            (window_with(window.node, weights=weights),),
            line=lines.summand(),
            prior=prior,
            in_pairs=missing == (count - 1,),
        )

    def _reductions(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes shorter sums along axes; if a pass has several over the same terms, all of them together too."""
        found = reductions(case)
        groups: list[list[ReductionMistake]] = [[each] for each in found]
        if len(found) > 1 and len({each.count for each in found}) == 1:
            groups.append(found)
        for group in groups:
            count, across = group[0].count, group[0].rows.view[group[0].rows.axes[-1]]
            for weight, (text, kept) in enumerate((*fewer(count, across), *along_one(group[0].rows))):
                for divide in (False, True) if any(each.means for each in group) else (False,):
                    changes = tuple(each.change(lambda rows, k=kept: rows[:, k], divide=divide) for each in group)  # type: ignore[misc]
                    says = f"{listed(list(dict.fromkeys(each.node.op_type for each in group)))} leaves out {text}"
                    light = 1.0 + weight / 100 + divide / 1000 + 0.5 * all(each.is_of_places for each in group)
                    yield self._shortened(says, count - len(kept), changes, light)
        for node, count, weighted in inner_products(case):
            for weight, (text, kept) in enumerate(fewer(count, count)):
                used = np.isin(np.arange(count), kept)
                change = NodeChange(node.name, _with_first(case, lambda x, f=used, w=weighted: w(x, f)))  # type: ignore[misc]
                says = f"{node.op_type} leaves out {text}"
                yield self._shortened(says, count - len(kept), (change,), 1.0 + weight / 100)
                # The shares and their sum may come from one loop.
                before = [each.change(lambda rows, k=kept: rows[:, k]) for each in found if each.count == count]  # type: ignore[misc]
                if before:
                    says = f"{node.op_type} and the sum before it leave out {text}"
                    yield self._shortened(says, count - len(kept), (*before, change), 1.005 + weight / 100)

        for node, change in kept_last(case):
            says = f"keeps only the last of several values that {node.op_type} '{node.name}' adds at one place"
            yield Hypothesis(
                self.cause, says, "Write += instead of =.", {"kept": "the last"}, (change,), line=lines.summand()
            )

    def _shortened(self, says: str, lost: int, changes: tuple[ModelEdit, ...], prior: float) -> Hypothesis:
        return Hypothesis(
            self.cause, says, "Loop over the whole axis.", {"count": lost}, changes,
            line=lines.summand(), prior=prior,
        )  # fmt: skip


def _with_first(case: FailingPass, function: Function):  # type: ignore[no-untyped-def]
    return lambda node, inputs: case.model_slice.run_node(node, [function(np.asarray(inputs[0])), *inputs[1:]])


def _looks(case: FailingPass, moves: ReadMoves) -> bool:
    """Whether elements that lack one of a tensor were seen to read the tensor, wherever that was."""
    key, flat = moves.read.values.stored.key, case.wrong.reshape(-1)
    return any(tap.key == key for taps in case.evidence.taps if flat[taps.element] for tap in taps.reads)


def _reads_nothing(case: FailingPass, window: WindowSum) -> bool:
    """Whether wrong elements were recorded, and none of them read the window's source."""
    flat = case.wrong.reshape(-1)
    recorded = [taps for taps in case.evidence.taps if flat[taps.element]]
    if window.stored is None or not recorded:
        return False
    key = window.stored.stored.key
    return not any(tap.key == key for taps in recorded for tap in taps.reads)


def _term_sets(case: FailingPass, window: WindowSum) -> Iterator[list[int]]:
    """Yields sets of terms; if a product's terms are a flattened picture, its columns and channels too."""
    node = next(each for each in case.model_slice.nodes if each.name == window.node)
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


class MissingTaps(Rule):
    """Some taps of the window are not read: loops that end a row or column early."""

    cause = causes.MISSING_TAPS
    stage = Stage.WINDOW

    def turns(self) -> tuple[tuple[Stage, Proposing], ...]:
        """Puts causes that designed inputs show before guessed ones."""
        return ((Stage.DRAWING, self._seen), (self.stage, self.propose))

    def _seen(self, case: FailingPass) -> Iterator[Hypothesis]:
        yield from solved(case, self.cause)
        times = taps_of(case)
        if times is not None and times.max() <= 1:
            yield counted_otherwise(case, self.cause, times, "Loop over the whole picture.")
        for found in counted_of(case):
            window = next(iter(case.windows()), None)
            name = axes_of_weights(case)[1].get(found.axis, found.axis) if found.is_missing else ""
            if window is None or name not in ("p", "q", "hw"):
                continue
            rows, columns = window.kernel
            turned = window.inner != (0, 0)  # a transposed convolution's window counts taps backwards
            at = np.indices((rows, columns))
            number = {"p": at[0], "q": at[1], "hw": at[0] * columns + at[1]}[name]
            every = [(int(p), int(q)) for p, q in np.argwhere(np.isin(number, found.places))]
            taps = frozenset((rows - 1 - p, columns - 1 - q) if turned else (p, q) for p, q in every)
            yield self._hypothesis(window, "taps", taps, window_with(window.node, left_out=taps), 0.9, pairs=True)

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes outer rows and columns first, then single taps; for sums over whole pictures too."""
        for reduction in (each for each in reductions(case) if each.is_of_places):
            across = reduction.rows.view[reduction.rows.axes[-1]]
            for weight, (text, kept) in enumerate((*fewer(reduction.count, across), *along_one(reduction.rows))):
                says, lost = f"{reduction.node.op_type} leaves out {text}", reduction.count - len(kept)
                for divide in (False, True) if reduction.means else (False,):
                    yield Hypothesis(
                        self.cause, says, "Loop over the whole picture.", {"count": lost},
                        (reduction.change(lambda rows, k=kept: rows[:, k], divide=divide),),  # type: ignore[misc]
                        line=lines.summand(), prior=1.0 + weight / 100.0,
                    )  # fmt: skip
        for window in case.windows():
            rows, columns = window.kernel
            if window.kernel == (1, 1) or case.uses_all_reads(window.stored):
                continue
            seen: set[Taps] = set()
            for weight, (text, taps) in enumerate(_tap_sets(window)):
                if not taps or taps in seen or len(taps) == rows * columns:
                    continue
                seen.add(taps)
                light = 1.0 + weight / 100.0
                change = window_with(window.node, left_out=taps)
                yield self._hypothesis(window, text, taps, change, light, pairs=weight < 3)
                if window.kind == "mean":  # the divisor may still count all taps
                    change = WindowChange(window.node, _sum_without(taps))
                    yield self._hypothesis(window, text, taps, change, light + 0.001)
            yield from self._borders(window)

    def _borders(self, window: WindowSum) -> Iterator[Hypothesis]:
        """Proposes a border test that is too strict: an outer row or column of the picture counts as outside."""
        if window.kind == "mean":
            return
        for text, place in (
            ("last row", np.s_[:, :, -1:]), ("last column", np.s_[..., -1:]),
            ("first row", np.s_[:, :, :1]), ("first column", np.s_[..., :1]),
        ):  # fmt: skip
            source = np.array(window.source)
            source[place] = window.outside
            yield Hypothesis(
                self.cause, f"treats the {text} of the picture as outside", "Compare with the picture's size itself.",
                {"border": text}, (window_with(window.node, source=source, stored=None),),
                line=lines.summand(), prior=2.0,
            )  # fmt: skip

    def _hypothesis(
        self, window: WindowSum, text: str, taps: Taps, change: WindowChange, prior: float, *, pairs: bool = False
    ) -> Hypothesis:
        rows, columns = window.kernel
        gap = min(p * columns + q for p, q in taps)
        return Hypothesis(
            self.cause,
            f"leaves out {text} of the {columns}x{rows} window ({len(taps)} tap{'s' * (len(taps) > 1)})",
            "Loop over the whole kernel.",
            {"taps": sorted([q, p] for p, q in taps)},
            (change,),
            line=lines.first(lines.repeated(rows * columns - len(taps), gap), lines.summand()),
            prior=prior,
            in_pairs=pairs,
        )


def _sum_without(taps: Taps) -> Callable[[WindowSum], WindowSum]:
    """Returns the mean without some taps, divided by the number of all, where all lie inside."""

    def change(window: WindowSum) -> WindowSum:
        return window.replaced(left_out=taps, count=float(window.kernel[0] * window.kernel[1]))

    return change


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
    for p, q in every if len(every) <= _FEW else ():
        yield f"tap ({q}, {p})", frozenset({(p, q)})
