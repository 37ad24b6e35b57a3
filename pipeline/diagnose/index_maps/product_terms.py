"""Decodes a probed sum of products: which elements of its two factors were multiplied for which output."""

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
from texelscope.pipeline.diagnose.model_slice.model_slice import InputChange, NodeChange
from texelscope.pipeline.diagnose.model_slice.window_sum import DoesNotApplyError
from texelscope.pipeline.diagnose.probes.designs import (
    NOTHING,
    UNKNOWN,
    AskedSum,
    DecodedProducts,
    Inverse,
    ProbeAnswers,
    ProbeLanes,
    products,
)
from texelscope.pipeline.diagnose.probes.wiring import element_of_sum, reads_of
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.graph import Node

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
# The position of a sum, elements of its source and its weights, and the sign of each product.
Pairs = tuple[int, Indices, Indices, Indices]

# At most this many elements, and observed products, are compared with the model's.
_MOST_ELEMENTS, _MOST_TERMS = 96, 600
# The function behind a sum is tabulated in this many steps, up to this sum.
_STEPS, _HIGHEST, _MOST_ROUNDS = 4096, 4.0, 64


@dataclass(frozen=True)
class ProductTerms:
    """Holds the observed products: for each, the output element and the elements of source and weights.

    `partner` is the source element that belongs to the weight, `weight_of` the weight that belongs to the source
    element; NOTHING where there is none. `place` is the element of the sum's output. `missing` are products that were
    expected alone in a turn and did not occur: rows (place, source, weight). In a mean a weight is the index of a tap.
    `by_rank` if neither factor belongs to the place, so that partners are matched by order.
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


class SumAnswers:
    """The answers of one sum, decoded on demand."""

    def __init__(self, case: FailingPass, answers: ProbeAnswers, total: AskedSum) -> None:
        self._case = case
        self._answers = answers
        self._total = total
        self._pairs: dict[int, Pairs | None] = {}

    @cached_property
    def terms(self) -> ProductTerms | None:
        """Returns the observed products; None if they cannot be decoded."""
        total, node = self._total, self._total.wiring.node
        if len(total.sources.stored) != 1:
            return None
        undone = self._inverse(node)
        reads = {each.sampler.key: each for each in self._case.evidence.reads}
        source = reads.get(total.sources.stored[0].key)
        if undone is None or source is None:
            return None
        weights = reads.get(total.weights.stored[0].key) if total.weights is not None else None
        # One texture may hold both factors, which then differ by position alone.
        weights = copy.copy(weights) if weights is source else weights
        return self._held_against(node, total, products(total, undone), source, weights)

    @property
    def node(self) -> Node:
        """Returns the sum's node."""
        return self._total.wiring.node

    @property
    def is_one(self) -> bool:
        """Whether one texture holds both factors, so that only the expected products distinguish them."""
        return self._total.wiring.sources == self._total.wiring.weights

    def pairs(self, element: int) -> Pairs | None:
        """Returns an output element's position in the sum, and its products: elements of source and weights, and signs.

        Elements are numbered as the pass reads them, NOTHING for padding zeros.
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
        """Returns for each element of both factors its number in the pass's inputs, from 1; negative if negated."""
        total, node, (one, other) = self._total, self._total.wiring.node, self._total.wiring.positions
        first = self._numbers(node.inputs[one], total.sources)
        if total.weights is None or other is None:
            return first, None
        return first, self._numbers(node.inputs[other], total.weights)

    def _numbers(self, tensor: str, lanes: ProbeLanes) -> Indices:
        name = lanes.stored[0].tensor
        change = InputChange(name, lambda old: (np.arange(old.size, dtype=np.float32) + 1).reshape(old.shape))
        return np.rint(self._case.model_slice.whole([change], tensor)).astype(np.int64).reshape(-1)

    def _inverse(self, node: Node) -> Inverse | None:
        """Returns the inverse of what the model applies to the sum, with all filled inputs; None if there is none."""
        before = self._case.model_slice.values[node.outputs[0]]
        count = min(_STEPS, _MOST_ROUNDS * before.size)
        steps = np.linspace(0.0, _HIGHEST, count).astype(np.float32)
        rounds = -(-count // before.size)
        filled = filled_with(self._case, self._answers)
        made = []
        try:
            for part in (np.zeros(before.size, np.float32), *np.resize(steps, (rounds, before.size))):
                change = NodeChange(node.name, lambda _node, _inputs, part=part: part.reshape(before.shape))  # type: ignore[misc]
                made.append(self._case.model_slice.evaluate([*filled, change]).reshape(-1).astype(np.float64))
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
            return None  # differences can be inverted if they are linear
        some = after[:count]
        # Only up to a cap: any larger sum gives the cap too.
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
        # Sampled over all elements: an index may wrap around at the last ones.
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
    """Pairs factors by order, the first with the first, if neither factor of an element's products belongs to it.

    Returns expected sources by weight, and weights by source; empty if some products were not observed.
    """
    products = sorted({*seen})
    if len(products) != len(first):
        return {}, {}
    order = np.lexsort((second, first))
    by_weight = {b: int(e) for (_, b), e in zip(products, first[order], strict=True)}
    return by_weight, {a: int(e) for (a, _), e in zip(products, second[order], strict=True)}


def _by_coordinate(read: ReadTensor, seen: Sequence[tuple[int, int]], expected: Indices) -> dict[int, int]:
    """Returns for elements without weights the expected ones at the same place, or at the same coordinate."""
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
    """Returns values by key, without keys that occur several times, as mirrored elements do."""
    once = dict(zip(keys.tolist(), values.tolist(), strict=True))
    if len(once) == len(keys):
        return once
    elements, counts = np.unique(keys, return_counts=True)
    return {key: once[key] for key in elements[counts == 1].tolist()}


def filled_with(case: FailingPass, answers: ProbeAnswers) -> list[InputChange]:
    """Returns the edits for textures that were filled and not probed."""
    textures = case.evidence.plan.textures
    found = []
    for key, value in answers.filled.items():
        tensor = textures[key].tensor
        if tensor in case.model_slice.values:
            found.append(InputChange(tensor, lambda old, value=value: np.full_like(old, value)))  # type: ignore[misc]
    return found


def _some(places: Indices, most: int) -> Indices:
    return places if len(places) <= most else np.random.default_rng(0).choice(places, most, replace=False)


def axes_of(read: ReadTensor, elements: Indices) -> Mapping[str, Indices]:
    """Returns coordinates of elements in a tensor's 4-d view: n, c, h, w."""
    at = np.unravel_index(np.maximum(elements, 0), as_nchw(read.values.stored.shape))
    return dict(zip("nchw", (np.asarray(each) for each in at), strict=True))
