"""float_index_precision: wrong elements, at regular distances, hold values of others or read elsewhere."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.judge import PART
from texelscope.pipeline.diagnose.clues import float_indices
from texelscope.pipeline.diagnose.clues.moved import moved_output
from texelscope.pipeline.diagnose.clues.recurrence import Recurrence, recurrence, recurrence_of_texels
from texelscope.pipeline.diagnose.evidence.stored_values import Beyond
from texelscope.pipeline.diagnose.fault_models.float_index_errors import (
    SLIPS,
    grids,
    misread,
    rounded_places,
    slipped,
)
from texelscope.pipeline.diagnose.model_slice.model_slice import InputMove, ModelEdit, grid
from texelscope.pipeline.diagnose.model_slice.softmax import softmaxes
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, LineOf, Rule, Stage, Traits
from texelscope.pipeline.diagnose.trial.model_edits import constant_as

Array = NDArray[Any]
_BEYOND: tuple[Beyond, ...] = ("texel", "fetch")
# A pattern of wrong elements has three fitted numbers: its period, its first place and what the elements hold.
_OF_PATTERN = 3


class FloatIndexPrecision(Rule):
    """An index computed in floats is rounded below or above the integer: some elements are off by one."""

    cause = "float_index_precision"
    stage = Stage.READS
    family = "reading"
    traits = Traits(is_rounding=True)

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes elements that hold neighbours' values, and reads at a quotient or remainder that is off by one."""
        if case.wrong_are_alike:
            return
        pattern = recurrence(case.wrong.reshape(-1), case.dims)
        if not float_indices.are_possible(case):
            return
        yield from self._neighbours(case, pattern)
        yield from self._grids(case, pattern)
        yield from self._rows(case, pattern)
        yield from self._parameters(case, pattern)

    def _neighbours(self, case: FailingPass, pattern: Recurrence | None) -> Iterator[Hypothesis]:
        """Proposes elements that hold a neighbour's value: where floats get a row or tile wrong, or periodically.

        In a pattern all elements are off by the same step: a step per element would find a neighbour for anything.
        """
        if not _holds_others(case):
            return
        _, C, H, W = case.dims
        size = case.actual.size
        for g in dict.fromkeys(each for each in (W, H * W, C * H * W) if 1 < each < size):
            for weight, slip in enumerate(SLIPS):
                moved = moved_output(case, rounded_places(case.dims, slip.moved(g)), "zero")
                says = f"writes at the linear index k, {slip.says} (g = {g})"
                yield self._hypothesis(says, pattern, lines.summand(), 1.05 + weight / 1000.0, [moved])
        for found in (pattern, recurrence_of_texels(case.wrong.reshape(-1), case.address)):
            for step in dict.fromkeys((1, -1, W, -W, H * W, -H * W, 2, -2, 2 * H * W, -2 * H * W) if found else ()):
                assert found is not None
                says = f"element k holds the value of k {step:+d}, {found}"
                held = moved_output(case, rounded_places(case.dims, _of_pattern(found, step)), "zero")
                yield self._hypothesis(says, found, lines.summand(), 1.0, [held], fitted=_OF_PATTERN)

    def _grids(self, case: FailingPass, pattern: Recurrence | None) -> Iterator[Hypothesis]:
        """Proposes tiles, kernels and texels in rows of g, where the row or column of the k-th is off by one."""
        for text, reads, counted in grids(case):
            for weight, slip in enumerate(SLIPS):
                for beyond in _BEYOND:
                    moves = [slipped(case, read, slip, beyond, counted) for read in reads]
                    if not any(_meets_something(move) for move in moves):
                        continue
                    changes: list[ModelEdit] = [*moves]
                    says = f"reads {text} {slip.says}"
                    yield self._hypothesis(says, pattern, lines.handed(reads[0].tensor), 1.2 + weight / 100.0, changes)

    def _rows(self, case: FailingPass, pattern: Recurrence | None) -> Iterator[Hypothesis]:
        """Proposes a softmax whose elements use another row's maximum and sum, since floats get the row index wrong."""
        for softmax in softmaxes(case.model_slice):
            own = softmax.rows_of_elements()
            inner = math.prod(softmax.rows.view[max(softmax.rows.axes) + 1 :])
            outer, k = (int(own.max()) + 1) // inner, np.arange(own.size)
            row = own.size // outer
            next_to = ((k // row + step) % outer * inner + own % inner for step in (-1, 1))
            if not _tells(case, *(case.evaluate([softmax.with_sums_of(each)]) for each in next_to)):
                continue
            for weight, (text, taken) in enumerate(misread(k, row, outer)):
                change = softmax.with_sums_of(taken * inner + own % inner)
                says = f"an element's row is k / {row}, {text}, so it uses another row's sums"
                yield self._hypothesis(says, pattern, lines.summand(), 1.4 + weight / 1000.0, [change])

    def _parameters(self, case: FailingPass, pattern: Recurrence | None) -> Iterator[Hypothesis]:
        """Proposes parameters of another channel, by one channel index computed in floats."""
        graph = case.model_slice.graph
        _, C, H, W = case.dims
        k = np.arange(case.actual.size)
        for node in case.model_slice.nodes if graph is not None and not case.wrong.all() else ():
            assert graph is not None
            if case.model_slice.window(node) is not None:
                continue
            names = [name for name in node.inputs if name in graph.constants and graph.constants[name].size > 1]
            if not names:
                continue
            next_to = {step: case.evaluate([_rolled(name, step) for name in names]).reshape(-1) for step in (-1, 1)}
            if not _tells(case, *next_to.values()):
                continue
            for g, count in dict.fromkeys(((H * W, C), (W, H), (1, W), (C * H * W, case.dims[0]))):
                for weight, (text, taken) in enumerate(misread(k, g, count)):
                    off = (taken - k // g) % count
                    if not np.isin(off, (0, 1, count - 1)).all():
                        continue
                    right = case.expected.reshape(-1)
                    made = np.where(off == 1, next_to[1], np.where(off == 0, right, next_to[-1]))
                    says = f"{node.op_type} '{node.name}' indexes its parameters by k / {g}, {text}"
                    values = made.reshape(case.dims).astype(np.float32)
                    light = 1.5 + weight / 1000.0
                    yield self._hypothesis(says, pattern, lines.read(names[0]), light, values=values)

    def _hypothesis(
        self, says: str, pattern: Recurrence | None, line: LineOf, prior: float, changes: Sequence[ModelEdit] = (),
        values: Array | None = None, fitted: int = 0,
    ) -> Hypothesis:  # fmt: skip
        return Hypothesis(
            self.cause,
            says,
            "Compute indices in integers, or add 0.5 before floor: floats hold no exact thirds.",
            {} if pattern is None else pattern.parameters(),
            tuple(changes),
            values,
            line=line,
            prior=prior,
            fitted=fitted,
        )


def _meets_something(move: InputMove) -> bool:
    """Whether some reads return other numbers: reads that return only nothing occur with other causes too."""
    found = np.broadcast_to(move.values.read(*move.coordinates(*grid(move.values.dims)), move.beyond), move.values.dims)
    return bool(((found != move.values.elements) & (found != 0)).any())


def _holds_others(case: FailingPass) -> bool:
    """Whether most wrong elements, by a sample, hold right values of other elements."""
    wrong = case.sample[case.wrong.reshape(-1)[case.sample]]
    values = np.sort(case.expected.reshape(-1))
    actual, bound = case.actual.reshape(-1)[wrong], case.bound.reshape(-1)[wrong]
    with np.errstate(all="ignore"):
        place = np.clip(np.searchsorted(values, actual), 1, max(len(values) - 1, 1))
        held = (
            np.minimum(np.abs(values[place - 1] - actual), np.abs(values[place % len(values)] - actual)) <= 4.0 * bound
        )
    return bool(held.size and np.mean(held) >= PART)


def _tells(case: FailingPass, *values: Array) -> bool:
    """Whether most wrong elements agree with one of the predictions; a formula decides which agrees with which."""
    explained = [case.judge.explained_by(each.reshape(case.dims)) for each in values]
    return bool(np.count_nonzero(np.any(explained, axis=0)) >= PART * np.count_nonzero(case.wrong))


def _of_pattern(pattern: Recurrence, step: int) -> Callable[[Array], Array]:
    return lambda k: k + pattern.covers[k] * step


def _rolled(tensor: str, step: int) -> ModelEdit:
    """Returns the edit that puts the value of place c + step at place c of a constant."""
    return constant_as(tensor, lambda old: np.roll(old.reshape(-1), -step))
