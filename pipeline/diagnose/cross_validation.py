"""Cross-validates explanations: tests them on held-out inputs, and against rival hypotheses.

A model slice that reproduces the wrong values does so on one input. On held-out inputs
(`pipeline.diagnose.evidence.held_out_inputs`) a false hypothesis fails, and so do most that
are true of something else. If no input separates two of them, the finding is one of several.
"""

from __future__ import annotations

import dataclasses
import re
import time
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from texelscope.pipeline.compare.judge import KEPT
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.evidence.evidence import Evidence
from texelscope.pipeline.diagnose.evidence.stored_values import StoredValues
from texelscope.pipeline.diagnose.fault_models.curves import NearestTo
from texelscope.pipeline.diagnose.fault_models.equal_largest import LastPlaces, TiesEverywhere
from texelscope.pipeline.diagnose.hypotheses.registry import generators_of
from texelscope.pipeline.diagnose.model_slice.model_slice import (
    InputChange,
    InputMove,
    ModelEdit,
    NodeChange,
    OutputChange,
    OutputMove,
)
from texelscope.pipeline.diagnose.model_slice.window_sum import DoesNotApplyError
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis
from texelscope.pipeline.diagnose.trial.judging import try_out
from texelscope.pipeline.errors import TexelscopeError

# Rivals are counted, or are as many as were tried before, so that a slow machine gives the result of a fast one. The
# clock (processor time, or as long as it took until then) ends only the search of a pass whose every trial is slow.
RIVALS, RIVAL_SECONDS = 2000, 5.0
# A fitted number is confirmed on other inputs if it comes out this near.
_SAME = 1e-3
# On other inputs this share must be explained: there, more errors may be rounding errors near zero.
_HOLDS = 0.98
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
# At most this many of a generator's proposals on other inputs are searched for the same hypothesis.
_MOST_AGAIN = 2000


class Allowance:
    """Limits how many rivals are tried once something explains everything; unless all are tried it is not sure."""

    def __init__(self) -> None:
        self._began, self._most, self._end = time.thread_time(), 0, 0.0

    def begin(self, count: int) -> None:
        """Starts counting, after so many trials; a second call changes nothing."""
        if not self._end:
            now = time.thread_time()
            self._most, self._end = count + max(RIVALS, count), now + max(RIVAL_SECONDS, now - self._began)

    def is_spent(self, count: int) -> bool:
        """Whether no further generator is tried after so many trials."""
        return bool(self._end) and (count > self._most or time.thread_time() > self._end)


class CrossValidation:
    """The held-out inputs of a case, on which hypotheses about it are tried again."""

    def __init__(self, case: FailingPass) -> None:
        self._case = case
        self._waiting = list(case.evidence.fresh)
        self._cases: list[FailingPass] = []
        self._known: dict[tuple[int, int], bool | None] = {}
        self._kept: list[Hypothesis] = []  # keeps objects alive that are identified by their address

    def surviving(self, whole: Iterable[Hypothesis]) -> list[Hypothesis]:
        """Returns those that hold on values of the same kind; of these, on other kinds, those that hold if any do.

        What the wrong values themselves show stays, also where another fault shows on other inputs.
        """
        left = [
            each
            for each in whole
            if (self.holds(each, 0) is not False or (each.observed and each.cause.is_seen))
            and not is_without_end(self._case, each)
        ]
        for number in range(1, self.count):
            if len(left) > 1:
                left = [each for each in left if self.holds(each, number)] or left
        return left

    def is_sure(self, changes: Hypothesis) -> bool:
        """Whether it holds on values of the same kind, and fails on no inputs in their range.

        Never true for an activation more in a pass without a model: it may as well be another constant of the function.
        """
        if self._case.model_slice.graph is None and changes.cause is causes.ACTIVATION_EXTRA:
            return False
        found = [self.holds(changes, number) for number in range(self.count)][: self.count]
        alike = [each for number, each in enumerate(found) if self._at(number).evidence.facts["alike"]]
        return True in found[:1] and False not in alike

    def hold_together(self, chain: Sequence[Hypothesis], number: int) -> bool | None:
        """Returns `holds` for causes that explain everything together: each in turn as it is proposed again."""
        if number >= self.count or not all(each.changes for each in chain):
            return None
        try:
            left = fresh = self._at(number)
        except TexelscopeError:
            self._waiting.clear()
            return None
        changes: tuple[ModelEdit, ...] = ()
        for each in chain:
            again = next(iter(_again(each, left)), None)
            if again is None or not again.changes:
                changes += tuple(_rebound(change, self._case.evidence, fresh) for change in each.changes)
            else:
                changes += again.changes
            left = fresh.changed(changes)
        return _gives(fresh, dataclasses.replace(chain[0], changes=changes, fitted=0, values=None, covers=None))

    def are_sure(self, chain: Sequence[Hypothesis]) -> bool:
        """Returns `is_sure` for causes that explain everything together."""
        found = [self.hold_together(chain, number) for number in range(self.count)][: self.count]
        alike = [each for number, each in enumerate(found) if self._at(number).evidence.facts["alike"]]
        return True in found[:1] and False not in alike

    @property
    def count(self) -> int:
        """Returns the number of kinds of inputs."""
        return len(self._cases) + len(self._waiting)

    def holds(self, hypothesis: Hypothesis, number: int) -> bool | None:
        """Whether it gives the pass's result on the inputs of that number; None if unknown."""
        if number >= self.count:
            return None
        known = (id(hypothesis), number)
        if known not in self._known:
            try:
                fresh = self._at(number)
            except TexelscopeError:  # the right result is known for the given inputs alone, as in a recording
                self._waiting.clear()
                return None
            self._kept.append(hypothesis)
            self._known[known] = self._tried(hypothesis, fresh)
        return self._known[known]

    def _at(self, number: int) -> FailingPass:
        while len(self._cases) <= number:
            self._cases.append(FailingPass(self._waiting.pop(0)))
        return self._cases[number]

    def _tried(self, hypothesis: Hypothesis, fresh: FailingPass) -> bool | None:
        """Tests it as it was proposed; or as it is proposed again, if it took numbers from the inputs."""
        if hypothesis.changes:
            changes = tuple(_rebound(change, self._case.evidence, fresh) for change in hypothesis.changes)
            if _gives(fresh, dataclasses.replace(hypothesis, changes=changes, fitted=0)):
                return True
        again = list(_again(hypothesis, fresh))
        if any(_gives(fresh, each) for each in again):
            return True
        # The target's state, or races between invocations, are not repeated on other inputs.
        return False if hypothesis.changes or again else None


def by_reader(case: FailingPass, proposed: Iterable[Hypothesis]) -> Iterator[Hypothesis]:
    """Yields each hypothesis; and for a tensor that several nodes read, the same for each node alone."""
    for each in proposed:
        yield each
        changes = [change for change in each.changes if isinstance(change, InputChange | InputMove)]
        tensors = {change.tensor for change in changes}
        if len(changes) != len(each.changes) or len(tensors) != 1:
            continue
        readers = case.model_slice.readers(*tensors)
        for node in readers if len(readers) > 1 else ():
            alone = tuple(dataclasses.replace(change, node=node.name) for change in changes)
            says = f"{each.says}, as input of {node.op_type} '{node.name}',"
            yield dataclasses.replace(each, changes=alone, says=says, prior=each.prior + 0.05, in_pairs=False)


def _gives(fresh: FailingPass, hypothesis: Hypothesis) -> bool:
    """Whether it gives the actual values; if nothing is wrong, whether it leaves the values right."""
    try:
        if fresh.wrong.any():
            score = try_out(fresh, hypothesis, parts=False)
            return score is not None and score.share >= _HOLDS and score.kept >= KEPT
        return bool(hypothesis.changes) and fresh.judge.reproduces(fresh.evaluate(hypothesis.changes)).kept >= KEPT
    except (DoesNotApplyError, TexelscopeError):
        return False


def is_without_end(case: FailingPass, hypothesis: Hypothesis) -> bool:
    """Whether twice the factor does as well: then it removes a bound, and is no factor."""
    if hypothesis.cause is not causes.SCALE or not all(isinstance(each, InputChange) for each in hypothesis.changes):
        return False
    twice = tuple(_twice(each) for each in hypothesis.changes if isinstance(each, InputChange))
    return bool(twice) and _gives(case, dataclasses.replace(hypothesis, changes=twice, fitted=0))


def _twice(one: InputChange) -> InputChange:
    return dataclasses.replace(one, change=lambda value: np.float32(2.0) * one.change(value))


def _again(hypothesis: Hypothesis, fresh: FailingPass) -> Iterable[Hypothesis]:
    """Yields what its generators propose for other inputs in the same words, with numbers as near as fitted ones."""
    if not fresh.wrong.any():
        return
    try:
        for generator in generators_of(hypothesis.cause):
            for _, each in zip(range(_MOST_AGAIN), by_reader(fresh, generator.propose(fresh)), strict=False):
                if _is_same(each, hypothesis):
                    yield each
    except Exception:  # noqa: BLE001 - a generator's bug on inputs that nobody gave is no reason to end
        return


def _is_same(one: Hypothesis, other: Hypothesis) -> bool:
    if one.says == other.says:
        return True
    words = [_NUMBER.split(each.says) for each in (one, other)]
    if words[0] != words[1] or one.is_intervention != other.is_intervention:
        return False
    numbers = [np.array(_NUMBER.findall(each.says), dtype=np.float64) for each in (one, other)]
    return other.observed or bool(np.allclose(numbers[0], numbers[1], rtol=_SAME, atol=1e-9))


def _rebound(change: ModelEdit, before: Evidence, fresh: FailingPass) -> ModelEdit:
    """Returns the edit with the new value of a tensor that it holds."""
    if isinstance(change, OutputMove):
        return dataclasses.replace(change, unchanged=fresh.right_stored)
    if isinstance(change, OutputChange) and isinstance(change.change, NearestTo):
        return dataclasses.replace(change, change=dataclasses.replace(change.change, case=fresh))
    if isinstance(change, InputChange) and isinstance(change.change, LastPlaces):
        return dataclasses.replace(change, change=dataclasses.replace(change.change, case=fresh))
    if isinstance(change, NodeChange) and isinstance(change.change, TiesEverywhere):
        return dataclasses.replace(change, change=dataclasses.replace(change.change, case=fresh))
    if isinstance(change, InputMove):
        return dataclasses.replace(change, values=_now(change.values, before, fresh.evidence))
    return change


def _now(values: StoredValues, before: Evidence, fresh: Evidence) -> StoredValues:
    pairs: Sequence[tuple[StoredValues, StoredValues]] = [
        (one.values, other.values) for one, other in zip(before.reads, fresh.reads, strict=True)
    ]
    for one, other in pairs:
        if one.texels.shape == values.texels.shape and np.array_equal(one.texels, values.texels, equal_nan=True):
            return dataclasses.replace(values, texels=other.texels)
    return values
