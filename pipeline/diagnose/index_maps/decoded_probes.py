"""Compares a pass's answers to designed inputs with the model's, element by element and term by term."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.evidence.evidence import ReadTensor
from texelscope.pipeline.diagnose.index_maps.product_terms import ProductTerms, Summed, filled_with
from texelscope.pipeline.diagnose.model_slice.model_slice import InputChange, ModelEdit, NodeChange
from texelscope.pipeline.diagnose.model_slice.window_sum import DoesNotApplyError
from texelscope.pipeline.diagnose.probes.designs import Answers, AskedTensor, Responses, taken
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Moves:
    """For some `elements` of the output: which element of one tensor they read, and which one is expected.

    NOTHING for none; UNKNOWN where the answers do not decide. `factor` is the actual weight of the element over the
    expected one; `slope` is the expected derivative of the output, known where all other tensors held their own values.
    """

    read: ReadTensor
    elements: Indices
    actual: Indices
    expected: Indices
    factor: Array
    slope: Array | None = None


class DecodedProbes:
    """The probes' answers of a case, decoded on demand; made once a case."""

    def __init__(self, case: FailingPass, answers: Answers) -> None:
        self._case = case
        self._answers = answers
        self.sums = tuple(Summed(case, answers, total) for total in answers.totals)

    @cached_property
    def moves(self) -> Sequence[Moves]:
        """Returns the moves of every tensor of which each element of the output reads one element."""
        found = (self._moves(each) for each in self._answers.tensors)
        return tuple(each for each in found if each is not None)

    def _moves(self, asked: AskedTensor) -> Moves | None:
        read = next((each for each in self._case.evidence.reads if each.sampler.key == asked.key), None)
        expected = self._expected(asked)
        if read is None or expected is None:
            return None
        actual = taken(asked.lanes, asked.draws.astype(np.float64))
        elements = asked.lanes.element
        with np.errstate(all="ignore"):
            factor = np.where(expected.lane >= 0, actual.factor / expected.factor, 1.0)
        as_element = [
            np.where(each.lane >= 0, elements[np.maximum(each.lane, 0)], each.lane) for each in (actual, expected)
        ]
        slope = expected.factor if asked.is_alone or not self._held_otherwise(asked) else None
        return Moves(read, self._answers.elements, as_element[0], as_element[1], factor, slope)

    def _expected(self, asked: AskedTensor) -> Responses | None:
        """Returns the model's answers to the same probes."""
        case, lanes = self._case, asked.lanes
        tensor = lanes.stored[0].tensor
        others = () if asked.is_alone else self._held_otherwise(asked)
        draws = []
        try:
            for values in (np.zeros(lanes.count), lanes.one, lanes.code, lanes.check):
                held = lanes.stored[0].layout.decode(lanes.textures(values)[asked.key], lanes.stored[0].shape)
                change = InputChange(tensor, lambda old, held=held: held.reshape(old.shape))  # type: ignore[misc]
                draws.append(case.model_slice.evaluate([*others, change]).reshape(-1)[self._answers.elements])
        except DoesNotApplyError:
            return None
        return taken(lanes, np.stack(draws).astype(np.float64))

    def _held_otherwise(self, asked: AskedTensor) -> list[ModelEdit]:
        """Returns the edits for tensors that did not hold their own values while a tensor was probed."""
        tensor = asked.lanes.stored[0].tensor
        held: list[ModelEdit] = [each for each in filled_with(self._case, self._answers) if each.tensor != tensor]
        for node in (each.node for each in self._answers.wiring.sums if tensor not in each.node.inputs):
            zero = np.zeros_like(self._case.model_slice.values[node.outputs[0]])
            held.append(NodeChange(node.name, lambda _node, _inputs, zero=zero: zero))  # type: ignore[misc]
        return held

    @cached_property
    def terms(self) -> ProductTerms | None:
        """Returns the terms of the pass's only sum of products."""
        return self.sums[0].terms if len(self.sums) == 1 else None


def asked_of(case: FailingPass) -> DecodedProbes | None:
    """Returns the decoded answers of a case; None if no probes were made."""
    answers = case.evidence.answers
    if answers is not None and "asked" not in case.kept:
        case.kept["asked"] = DecodedProbes(case, answers)
    return case.kept.get("asked")
