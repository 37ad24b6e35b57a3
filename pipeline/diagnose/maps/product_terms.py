"""A sum of products that was asked for, decoded: which elements of its two factors were multiplied for which output."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.diagnose.evidence.evidence import ReadTensor
from texelscope.pipeline.diagnose.model_slice.does_not_apply import DoesNotApplyError
from texelscope.pipeline.diagnose.model_slice.model_slice import InputChange, NodeChange
from texelscope.pipeline.diagnose.probes.answers import Answers, AskedSum
from texelscope.pipeline.diagnose.probes.decoded import DecodedProducts, Inverse, products
from texelscope.pipeline.diagnose.probes.designs import NOTHING, UNKNOWN, ProbeLanes
from texelscope.pipeline.diagnose.probes.wiring import element_of_sum, reads_of
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.graph import Node

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
# The place of a sum, elements of its sources and weights, and the sign of each product.
Pairs = tuple[int, Indices, Indices, Indices]

# So many elements, and products seen, are held against what the operator asks for.
_MOST_ELEMENTS, _MOST_TERMS = 96, 600
# How finely what is done to a sum afterwards is tabulated, and up to which sum.
_STEPS, _HIGHEST, _MOST_ROUNDS = 4096, 4.0, 64


@dataclass(frozen=True)
class ProductTerms:
    """Products seen, of which element of the output: elements of the source's and the weights' tensors.

    `partner` is the element of the source that belongs to the weight there, `weight_of` the weight that belongs to the
    source; NOTHING where there is none. `place` is the element of the sum's output. `missing` are products expected
    alone in a turn that were not there: rows (place, source, weight). In a mean a weight is the number of a tap.
    `by_rank` where neither factor belongs to the place and partners are told by their order.
    """

    node: Node
    source: ReadTensor
    weights: ReadTensor | None
    element: Indices
    place: Indices
    taken: Indices
    weight: Indices
    partner: Indices
    weight_of: Indices
    factor: Array
    missing: Indices
    seen: int
    by_rank: bool


class Summed:
    """One sum's answers, decoded on demand."""

    def __init__(self, case: FailingPass, answers: Answers, total: AskedSum) -> None:
        self._case = case
        self._answers = answers
        self._total = total
        self._pairs: dict[int, Pairs | None] = {}

    @cached_property
    def terms(self) -> ProductTerms | None:
        """The products that were seen; None where they cannot be told."""
        total, node = self._total, self._total.wiring.node
        if len(total.sources.stored) != 1:
            return None
        undone = self._inverse(node)
        reads = {each.sampler.key: each for each in self._case.evidence.reads}
        source = reads.get(total.sources.stored[0].key)
        if undone is None or source is None:
            return None
        weights = reads.get(total.weights.stored[0].key) if total.weights is not None else None
        # Of one texture for both each factor is a side of its own.
        weights = copy.copy(weights) if weights is source else weights
        return self._held_against(node, total, products(total, undone), source, weights)

    @property
    def node(self) -> Node:
        """The sum's."""
        return self._total.wiring.node

    @property
    def is_one(self) -> bool:
        """Whether both factors are of one texture, so that which is which is told by what is expected."""
        return self._total.wiring.sources == self._total.wiring.weights

    def pairs(self, element: int) -> Pairs | None:
        """For an element of the output, the place of its sum, and its products: elements of source and weights, sign.

        Elements are of the tensors as the pass reads them, NOTHING for zeros put around.
        """
        if element not in self._pairs:
            self._pairs[element] = self._products(element)
        return self._pairs[element]

    def _products(self, element: int) -> Pairs | None:
        wiring, graph = self._total.wiring, self._case.evidence.plan.graph
        place = None if graph is None else element_of_sum(graph, wiring, element)
        if graph is None or place is None:
            return None
        one, other = wiring.positions
        reads = reads_of(graph, wiring.node, place)
        if reads is None or one not in reads:
            return None
        first, second = self._behind
        first = first[reads[one]]
        if second is None or other is None or other not in reads:
            return place, np.abs(first) - 1, np.full(len(first), UNKNOWN), np.where(first < 0, -1, 1)
        second = second[reads[other]]
        return place, np.abs(first) - 1, np.abs(second) - 1, np.where((first < 0) != (second < 0), -1, 1)

    @cached_property
    def _behind(self) -> tuple[Indices, Indices | None]:
        """For each element of the sum's two factors, its number in what the pass reads, from 1; below 0 negated."""
        total, node, (one, other) = self._total, self._total.wiring.node, self._total.wiring.positions
        first = self._numbers(node.inputs[one], total.sources)
        if total.weights is None or other is None:
            return first, None
        return first, self._numbers(node.inputs[other], total.weights)

    def _numbers(self, tensor: str, lanes: ProbeLanes) -> Indices:
        name = lanes.stored[0].tensor
        change = InputChange(name, lambda old: (np.arange(old.size, dtype=np.float32) + 1).reshape(old.shape))
        return np.rint(self._case.redo.whole([change], tensor)).astype(np.int64).reshape(-1)

    def _inverse(self, node: Node) -> Inverse | None:
        """Undoes what the model does to the sum afterwards, with all that was filled; None where it does too much."""
        before = self._case.redo.values[node.outputs[0]]
        count = min(_STEPS, _MOST_ROUNDS * before.size)
        steps = np.linspace(0.0, _HIGHEST, count).astype(np.float32)
        rounds = -(-count // before.size)
        filled = filled_with(self._case, self._answers)
        made = []
        try:
            for part in (np.zeros(before.size, np.float32), *np.resize(steps, (rounds, before.size))):
                change = NodeChange(node.name, lambda _node, _inputs, part=part: part.reshape(before.shape))  # type: ignore[misc]
                made.append(self._case.redo.evaluate([*filled, change]).reshape(-1).astype(np.float64))
        except DoesNotApplyError:
            return None
        after, nothing = np.concatenate(made[1:]), made[0]
        if rounds * before.size != after.size:
            return None
        held = np.sort(np.resize(steps, after.size))
        more = np.sort(after - np.tile(nothing, rounds))
        factor = float(np.median(more[-held.size // 2 :] / held[-held.size // 2 :]))
        rounding = 2.0 * float(np.finfo(np.float32).eps * np.abs(nothing).max())
        if factor > 0 and np.allclose(more, held * factor, rtol=1e-6, atol=rounding):
            return lambda values: np.asarray(values, dtype=np.float64) / factor
        if self._total.wiring.is_shared:
            return None  # what is left of differences is told of what is linear
        some = after[:count]
        # Up to where it is capped: what comes out at the cap may be of any larger sum.
        rising = np.append(np.diff(some) > 0, False)
        last = int(np.argmin(rising))
        is_told = count == _STEPS and steps[last] >= 1.0
        return (lambda values: np.interp(values, some[: last + 1], steps[: last + 1])) if is_told else None

    def _held_against(
        self, node: Node, total: AskedSum, found: DecodedProducts, source: ReadTensor, weights: ReadTensor | None
    ) -> ProductTerms:
        wrong = self._case.wrong.reshape(-1)[self._answers.elements]
        seen = np.unique(found.asked)
        chosen = np.concatenate(
            [_some(seen[wrong[seen]], _MOST_ELEMENTS * 3 // 4), _some(seen[~wrong[seen]], _MOST_ELEMENTS // 4)]
        )
        rows: list[tuple[int, ...]] = []
        factors: list[float] = []
        ranked = 0
        missing: list[tuple[int, int, int]] = []
        lit = [set(total.sources.element[each].tolist()) for each in total.lit]
        for asked in chosen.tolist():
            element = int(self._answers.elements[asked])
            pairs = self.pairs(element)
            if pairs is None:
                continue
            place, first, second, _ = pairs
            if total.weights is None:
                second = np.arange(len(first))
            by_weight, by_source = _of_each(second, first), _of_each(first, second)
            own: list[tuple[int, int]] = []
            for row in np.flatnonzero(found.asked == asked):
                a = int(total.sources.element[found.source[row]])
                b = by_source.get(a, NOTHING)
                if total.weights is not None:
                    b = int(total.weights.element[found.weight[row]])
                if self.is_one and a not in by_source and (b in by_source or a in by_weight):
                    a, b = b, a
                own.append((a, b))
                factors.append(float(found.factor[row]))
            by_place = _by_coordinate(source, own, first) if total.weights is None else {}
            is_ranked = total.weights is not None and not all(a in by_source for a, _ in own)
            if is_ranked and not all(b in by_weight for _, b in own):
                by_weight, by_source = _by_rank(own, first, second)
                ranked += 1
            for a, b in own:
                rows.append(
                    (element, place, a, b, by_weight.get(b, by_place.get(a, NOTHING)), by_source.get(a, NOTHING))
                )
            for turn in np.flatnonzero(found.silent[:, asked]):
                there = [a for a in by_source if a in lit[turn]]
                if len(there) == 1:
                    missing.append((place, there[0], by_source[there[0]]))
        # Some of all elements: the last ones may be where an index comes round.
        kept = np.unique(np.linspace(0, max(len(rows) - 1, 0), min(len(rows), _MOST_TERMS)).astype(np.int64))
        table = np.array(rows, dtype=np.int64).reshape(-1, 6)[kept].T
        elements, places, firsts, seconds, partners, owns = table
        lost = np.array(missing, dtype=np.int64).reshape(-1, 3)
        factor = np.array(factors)[kept]
        return ProductTerms(
            node, source, weights, elements, places, firsts, seconds, partners, owns, factor, lost, len(rows),
            2 * ranked > len(chosen),
        )  # fmt: skip


def _by_rank(seen: Sequence[tuple[int, int]], first: Indices, second: Indices) -> tuple[dict[int, int], dict[int, int]]:
    """Partners where neither factor of an element's products belongs to it: the first for the first, and so on.

    By weight the source that is expected, by source the weight. Nothing where not all products were seen.
    """
    products = sorted({*seen})
    if len(products) != len(first):
        return {}, {}
    order = np.lexsort((second, first))
    by_weight = {b: int(e) for (_, b), e in zip(products, first[order], strict=True)}
    return by_weight, {a: int(e) for (a, _), e in zip(products, second[order], strict=True)}


def _by_coordinate(read: ReadTensor, seen: Sequence[tuple[int, int]], expected: Indices) -> dict[int, int]:
    """Of elements without weights the one expected at the same place of a picture, or alone with a coordinate."""
    found = {}
    picture = math.prod(read.values.dims[2:])
    by_place = {a % picture: a for a in expected.tolist() if a >= 0}
    of_expected = axes_of(read, expected)
    for a in {a for a, _ in seen}:
        at = axes_of(read, np.array([a]))
        alike = [np.flatnonzero(of_expected[axis] == at[axis]) for axis in "nchw"]
        alone = {int(expected[each[0]]) for each in alike if len(each) == 1}
        if len(by_place) == len(expected) and a % picture in by_place:
            found[a] = by_place[a % picture]
        elif len(alone) == 1:
            found[a] = alone.pop()
    return found


def _of_each(keys: Indices, values: Indices) -> dict[int, int]:
    """Values by key, but for keys that are there several times, as mirrored elements are."""
    once = dict(zip(keys.tolist(), values.tolist(), strict=True))
    if len(once) == len(keys):
        return once
    elements, counts = np.unique(keys, return_counts=True)
    return {key: once[key] for key in elements[counts == 1].tolist()}


def filled_with(case: FailingPass, answers: Answers) -> list[InputChange]:
    """What textures were filled with that were not asked for."""
    textures = case.evidence.plan.textures
    found = []
    for key, value in answers.filled.items():
        tensor = textures[key].tensor
        if tensor in case.redo.values:
            found.append(InputChange(tensor, lambda old, value=value: np.full_like(old, value)))  # type: ignore[misc]
    return found


def _some(places: Indices, most: int) -> Indices:
    return places if len(places) <= most else np.random.default_rng(0).choice(places, most, replace=False)


def axes_of(read: ReadTensor, elements: Indices) -> Mapping[str, Indices]:
    """Coordinates of elements in the 4-d view of a tensor: n, c, h, w."""
    at = np.unravel_index(np.maximum(elements, 0), as_nchw(read.values.stored.shape))
    return dict(zip("nchw", (np.asarray(each) for each in at), strict=True))
