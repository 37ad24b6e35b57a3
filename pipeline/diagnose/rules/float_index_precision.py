"""float_index_precision: wrong elements, at regular distances, hold what belongs to others or read elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.clues.moved import moved_input, moved_output
from pipeline.diagnose.evidence.stored_values import Beyond
from pipeline.diagnose.mistakes.recurrence import Recurrence, recurrence
from pipeline.diagnose.mistakes.slips import ROUNDINGS, SLIPS, grids, parts_of, past_the_end, rounded_places, slipped
from pipeline.diagnose.redo.redo import Change, InputMove, NodeChange
from pipeline.diagnose.redo.softmax import Softmax, log_sums, softmaxes
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import constant_as
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Place, Rule
from pipeline.graph import Node

Array = NDArray[Any]
_BEYOND: tuple[Beyond, ...] = ("texel", "fetch")


class FloatIndexPrecision(Rule):
    """An index worked out in floats falls short of, or beyond, the whole number: some elements are off by one."""

    cause = "float_index_precision"
    band = Band.READS

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Wrong elements hold what belongs next to them; or reads follow a quotient, remainder or half that is off."""
        pattern = recurrence(case.wrong.reshape(-1), case.dims)
        yield from self._neighbours(case, pattern)
        yield from self._grids(case, pattern)
        for frame in case.frames():
            for name, changes in past_the_end(case, frame):
                says = f"the first {name} is computed as the one behind the last: its number mod g gives g"
                yield self._hypothesis(says, pattern, lines.summand(), 1.25, changes)
        yield from self._halves(case, pattern)
        yield from self._rows(case, pattern)
        yield from self._parameters(case, pattern)

    def _neighbours(self, case: Case, pattern: Recurrence | None) -> Iterator[Hypothesis]:
        """Each wrong element holds what belongs to one nearby; the right ones lie among them."""
        _, _, H, W = case.dims
        expected, actual, bound = (each.reshape(-1) for each in (case.expected, case.actual, case.bound))
        values, left = expected.copy(), case.wrong.reshape(-1).copy()
        least = max(2, 0.05 * np.count_nonzero(left))
        found: list[int] = []
        for step in dict.fromkeys((1, -1, W, -W, H * W, -H * W, 2, -2, 2 * H * W, -2 * H * W)):
            place = np.clip(np.arange(expected.size) + step, 0, expected.size - 1)
            with np.errstate(all="ignore"):
                near = left & (np.abs(actual - expected[place]) <= bound[place] * 2)
            if np.count_nonzero(near) >= least:
                found.append(step)
                values[near] = expected[place][near]
                left &= ~near
        if found and not case.wrong.all():
            steps = ", ".join(f"k {step:+d}" for step in found)
            says = f"element k holds what belongs to {steps}{f', {pattern}' if pattern is not None else ''}"
            made = values.reshape(case.dims).astype(np.float32)
            yield self._hypothesis(says, pattern, lines.summand(), 1.0, values=made)

    def _grids(self, case: Case, pattern: Recurrence | None) -> Iterator[Hypothesis]:
        """Tiles, kernels and texels in rows of g, where the row or column of the k-th is missed."""
        for text, reads, levels in grids(case):
            partly = [part for slip in SLIPS[:6] for part in parts_of(slip, reads)]
            for weight, slip in enumerate((*SLIPS, *partly)):
                for beyond in _BEYOND:
                    changes: list[Change] = [slipped(case, read, slip, beyond, levels) for read in reads]
                    says = f"reads {text} {slip.says}"
                    yield self._hypothesis(says, pattern, lines.handed(reads[0].tensor), 1.2 + weight / 100.0, changes)

    def _halves(self, case: Case, pattern: Recurrence | None) -> Iterator[Hypothesis]:
        """Linear indices that a half does not hold."""
        for says, rounding in ROUNDINGS:
            if case.actual.size > 2048:
                written = moved_output(case, rounded_places(case.dims, rounding), "zero")
                yield self._hypothesis(f"writes at linear indices {says}", pattern, lines.target, 1.3, [written])
            for read in case.activations():
                if read.values.elements.size > 2048 and not case.reads_rightly(read.tensor):
                    move: InputMove = moved_input(read, rounded_places(read.values.dims, rounding), "zero")
                    text = f"reads '{read.tensor}' at linear indices {says}"
                    yield self._hypothesis(text, pattern, lines.summand(read.tensor), 1.3, [move])

    def _rows(self, case: Case, pattern: Recurrence | None) -> Iterator[Hypothesis]:
        """A softmax whose element takes the sum of the row before or behind, where that fits it."""
        for softmax in softmaxes(case.redo):
            for step, text in ((-1, "before"), (1, "behind")):
                change = NodeChange(softmax.node.name, _with_sums_of(case, softmax, step))
                says = f"some elements are divided by the sum of the row {text}"
                yield self._hypothesis(says, pattern, lines.summand(), 1.4, [change])

    def _parameters(self, case: Case, pattern: Recurrence | None) -> Iterator[Hypothesis]:
        """Parameters of the channel before or behind, all of a node by one index, where those give what came out."""
        graph = case.redo.graph
        for node in case.redo.nodes if graph is not None and not case.wrong.all() else ():
            assert graph is not None
            if case.redo.frame(node) is not None:
                continue
            names = [name for name in node.inputs if name in graph.constants and graph.constants[name].size > 1]
            for step, text in ((-1, "before"), (1, "behind")) if names else ():
                rolled = [constant_as(name, lambda old, by=-step: np.roll(old.reshape(-1), by)) for name in names]  # type: ignore[misc]
                other = case.evaluate(rolled)
                with np.errstate(all="ignore"):
                    taken = np.abs(other - case.actual) < np.abs(case.expected - case.actual)
                says = f"{node.op_type} '{node.name}' takes the parameters of the channel {text} for some elements"
                made = np.where(taken, other, case.expected).astype(np.float32)
                yield self._hypothesis(says, pattern, lines.read(names[0]), 1.5, values=made)

    def _hypothesis(
        self, says: str, pattern: Recurrence | None, place: Place, weight: float, changes: Sequence[Change] = (),
        values: Array | None = None,
    ) -> Hypothesis:  # fmt: skip
        return Hypothesis(
            self.cause,
            says,
            "Work out indices in integers, or add 0.5 before floor; floats hold no exact thirds.",
            {} if pattern is None else pattern.parameters(),
            tuple(changes),
            values,
            place=place,
            weight=weight,
        )


def _with_sums_of(case: Case, softmax: Softmax, step: int):  # type: ignore[no-untyped-def]
    """The row's own sum, or that of the row `step` away: whichever gives what came out."""

    def change(_node: Node, inputs: Sequence[Array | None]) -> Array:
        rows = softmax.of(np.asarray(inputs[0]))
        logarithms = log_sums(rows)
        own, taken = softmax.made(rows, logarithms), softmax.made(rows, np.roll(logarithms, -step, axis=0))
        actual = np.asarray(case.actual, dtype=np.float64).reshape(own.shape)
        return np.where(np.abs(own - actual) <= np.abs(taken - actual), own, taken)

    return change
