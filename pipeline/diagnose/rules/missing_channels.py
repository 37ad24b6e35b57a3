"""missing_channels: the wrong values are those of the layer without some terms."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from texelscope.pipeline.diagnose.clues.pattern import listed
from texelscope.pipeline.diagnose.fault_models.local_response import windows
from texelscope.pipeline.diagnose.fault_models.reductions import (
    ReductionMistake,
    along_one,
    fewer,
    inner_products,
    reductions,
)
from texelscope.pipeline.diagnose.functions.kept_last import kept_last
from texelscope.pipeline.diagnose.maps.classify import axes_of_weights
from texelscope.pipeline.diagnose.maps.counts import counted_of
from texelscope.pipeline.diagnose.maps.decoded_probes import Moves, asked_of
from texelscope.pipeline.diagnose.maps.redone import lost, taken_otherwise
from texelscope.pipeline.diagnose.maps.weights_there import solved
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit, NodeChange
from texelscope.pipeline.diagnose.model_slice.window_sum import WindowSum
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import (
    ANOTHER,
    BEYOND,
    ELSEWHERE,
    MORE_READ,
    Hypothesis,
    Proposing,
    Rule,
    Stage,
    Traits,
)
from texelscope.pipeline.diagnose.trial.model_edits import Function, window_with
from texelscope.pipeline.operators.families.registry import facts_of


class MissingChannels(Rule):
    """Some input channels (or terms of a product) are not read: a loop that ends too early."""

    cause = "missing_channels"
    stage = Stage.WINDOW
    family = "reading"
    traits = Traits(
        edits=("put in",),
        leaves_out=True,
        confirmed_by=frozenset({"dropped_lane", "missing_channels", "missing_taps"}),
        denied_by_reads=ELSEWHERE | ANOTHER | BEYOND | MORE_READ | {"a bias twice"},
    )

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
            for weight, missing in enumerate(_sets(case, window)):
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


def _looks(case: FailingPass, moves: Moves) -> bool:
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


def _sets(case: FailingPass, window: WindowSum) -> Iterator[list[int]]:
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
