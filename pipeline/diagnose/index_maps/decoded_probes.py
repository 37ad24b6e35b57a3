"""Compares a pass's answers to designed inputs with the model's, element by element and term by term.

Products that are missing or counted several times are found as places of one index.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.diagnose.causes import Cause
from texelscope.pipeline.diagnose.evidence.evidence import ReadTensor
from texelscope.pipeline.diagnose.index_maps.product_terms import ProductTerms, SumAnswers, axes_of, filled_with
from texelscope.pipeline.diagnose.model_slice.model_slice import InputChange, ModelEdit, NodeChange
from texelscope.pipeline.diagnose.model_slice.window_sum import DoesNotApplyError
from texelscope.pipeline.diagnose.probes.designs import AskedTensor, ProbeAnswers, Responses, taken
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis
from texelscope.pipeline.graph import Node

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
_FEWEST = 3
# At most this many places are listed.
_SHOWN = 16
# At least this share of the products at those places has that count, and at most this share elsewhere.
_MOST_OF, _FEW_OF = 0.9, 0.02


@dataclass(frozen=True)
class ReadMoves:
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

    def __init__(self, case: FailingPass, answers: ProbeAnswers) -> None:
        self._case = case
        self._answers = answers
        self.sums = tuple(SumAnswers(case, answers, total) for total in answers.totals)

    @cached_property
    def moves(self) -> Sequence[ReadMoves]:
        """Returns the moves of every tensor of which each element of the output reads one element."""
        found = (self._moves(each) for each in self._answers.tensors)
        return tuple(each for each in found if each is not None)

    def _moves(self, asked: AskedTensor) -> ReadMoves | None:
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
        return ReadMoves(read, self._answers.elements, as_element[0], as_element[1], factor, slope)

    def _expected(self, asked: AskedTensor) -> Responses | None:
        """Returns the model's answers to the same probes."""
        case, lanes = self._case, asked.lanes
        tensor = lanes.stored[0].tensor
        others = () if asked.is_alone else self._held_otherwise(asked)
        draws = []
        try:
            for values in (np.zeros(lanes.count), lanes.one, lanes.code, lanes.check):
                held = lanes.stored[0].decode(lanes.textures(values)[asked.key])
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


@dataclass(frozen=True)
class CountedProducts:
    """Products at `places` of `axis` count `times`: of the weights' 4-d view (n, c, h, w; hw: row by row), or of the
    output's (m, o, y, x)."""

    axis: str
    places: tuple[int, ...]
    times: int
    of_weights: bool

    @property
    def is_missing(self) -> bool:
        """Whether the products are missing altogether."""
        return self.of_weights and not self.times


def counted_of(case: FailingPass) -> tuple[CountedProducts, ...]:
    """Returns counts other than one, of products whose factors belong together, each by its simplest index."""
    asked = asked_of(case)
    terms = asked.terms if asked is not None else None
    if terms is None or not len(terms.taken):
        return ()
    right = terms.partner == terms.taken
    usual = float(np.median(terms.factor[right])) if right.any() else 0.0
    if not usual or terms.weights is None:
        return ()
    times = np.concatenate([np.rint(terms.factor[right] / usual), np.zeros(len(terms.missing))]).astype(np.int64)
    weight = np.concatenate([terms.weight[right], terms.missing[:, 2]])
    place = np.concatenate([terms.place[right], terms.missing[:, 0]])
    found = (_by_index(case, terms, weight, place, times, number) for number in np.unique(times) if number != 1)
    return tuple(each for each in found if each is not None)


def _by_index(
    case: FailingPass, terms: ProductTerms, weight: Indices, place: Indices, times: Indices, number: int
) -> CountedProducts | None:
    assert terms.weights is not None
    so = times == number
    shape = as_nchw(case.model_slice.values[terms.node.outputs[0]].shape)
    of_weight = axes_of(terms.weights, weight)
    columns = [(axis, of, True) for axis, of in of_weight.items()]
    columns.append(("hw", of_weight["h"] * terms.weights.values.dims[3] + of_weight["w"], True))
    columns += [(axis, of, False) for axis, of in zip("moyx", np.unravel_index(place, shape), strict=True)]
    best: CountedProducts | None = None
    for axis, column, of_weights in columns if np.count_nonzero(so) >= _FEWEST else ():
        places = tuple(int(at) for at in np.unique(column[so]))
        inside = np.isin(column, places)
        if inside.all() or so[inside].mean() < _MOST_OF or so[~inside].mean() > _FEW_OF:
            continue
        if of_weights and axis != "hw":
            places = _with_unseen(places, column[~inside], terms.weights.values.dims["nchw".index(axis)])
        if best is None or len(places) < len(best.places):
            best = CountedProducts(axis, places, int(number), of_weights)
    return best


def _with_unseen(places: tuple[int, ...], others: Indices, count: int) -> tuple[int, ...]:
    """Adds unseen places whose seen neighbours on both sides are among the places."""
    seen = np.unique([*places, *others])
    behind = np.searchsorted(seen, np.arange(count))
    around = seen[np.clip(np.stack([behind, behind - 1]), 0, len(seen) - 1)]
    return tuple(np.flatnonzero(np.isin(around, places).all(axis=0) | np.isin(np.arange(count), places)).tolist())


def moves_of(case: FailingPass) -> Sequence[ReadMoves]:
    """Returns the reads that designed inputs show, by tensor; none if none were asked."""
    asked = asked_of(case)
    return asked.moves if asked is not None else ()


def taps_of(case: FailingPass) -> Indices | None:
    """Returns how often each place counts in a mean over whole pictures; None if always once, or if unknown.

    Unseen places have the count of those before or behind, or follow a period.
    """
    asked = asked_of(case)
    terms = asked.terms if asked is not None else None
    window = next(iter(case.windows()), None)
    if terms is None or terms.weights is not None or window is None or window.kernel != window.source.shape[2:]:
        return None
    count = window.kernel[0] * window.kernel[1]
    there = terms.weight >= 0
    times = np.concatenate([np.rint(terms.factor[there] * count), np.zeros(len(terms.missing))]).astype(np.int64)
    taps = np.concatenate([terms.weight[there], terms.missing[:, 2]])
    if len(times) < _FEWEST or (times == 1).all():
        return None
    order = np.argsort(taps)
    if np.count_nonzero(np.diff(times[order])) == 1:
        return times[order][np.minimum(np.searchsorted(taps[order], np.arange(count)), len(taps) - 1)]
    for step in range(2, count):
        by_rest = [np.unique(times[taps % step == rest]) for rest in range(step)]
        if all(len(each) == 1 for each in by_rest):
            return np.array([int(by_rest[tap % step][0]) for tap in range(count)])
    return None


def counted_otherwise(case: FailingPass, cause: Cause, times: Indices, *, remedy: str) -> Hypothesis:
    """Returns the hypothesis of a mean in which each place counts that often."""
    window = next(iter(case.windows()))
    node = case.model_slice.named(window.node)

    def change(same: Node, inputs: Sequence[Any]) -> Any:
        return case.model_slice.run_node(
            same, [inputs[0] * times.reshape(window.kernel).astype(np.float32), *inputs[1:]]
        )

    lost = np.flatnonzero(times == 0).tolist()
    often = f"; {np.count_nonzero(times > 1)} count more than once" if (times > 1).any() else ""
    says = f"{len(lost)} of {len(times)} places of a picture are not counted{often}, as designed inputs show"
    parameters = {"places": lost[:_SHOWN], "times": times[:_SHOWN].tolist()}
    return Hypothesis(
        cause, says, (NodeChange(node.name, change),), parameters, remedy=remedy, line=lines.summand(), prior=0.9
    )
