"""Compares the terms of a sum with the oracle's, one by one: unexpected, repeated, wrongly weighted, or missing."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.plan import Plan, StoredTensor
from texelscope.pipeline.read_trace.products import Addend, ReadProducts
from texelscope.pipeline.step_trace.increments import ROUNDED, Increment, ProductPart, Segment
from texelscope.pipeline.step_trace.trace import Number, TexelRead, Trace, TraceStep

# What is wrong with a term; empty where nothing is.
TermFault = Literal["", "start", "not_expected", "again", "weight", "value", "product", "missing"]

# A shader that walks more axes than this is not asked for their order.
_MOST_AXES = 4
# How far a product of two numbers may be rounded, relatively.
_EXACT = 2.0**-21


@dataclass(frozen=True)
class SumTerm:
    """One product, or another number, that went into the accumulator in step `step`, with its `reads`.

    `value` (an activation's element) times `weight` is `product`, what the shader added; other addends (a bias, a
    start) have neither. `expected` is what the oracle adds for the same element: 0 where it adds nothing. `running` and
    `expected_running` are the two sums after this term. `share` is |product| over the sum of all terms' |product|.
    `wrong` says that the term differs from the oracle's by more than rounding explains, `fault` in which way, `text`
    that in a person's words. A term that is `missing` was never added: it stands where its place would have been.
    """

    step: int
    reads: tuple[TexelRead, ...]
    value: Number | None
    weight: Number | None
    product: float
    expected: float | None
    running: float
    expected_running: float
    share: float
    wrong: bool
    fault: TermFault = ""
    text: str = ""


@dataclass(frozen=True)
class MissingProduct:
    """A product that only the oracle adds: `element` of the texture `key`, and how much."""

    key: str
    element: int
    product: float


@dataclass(frozen=True)
class _What:
    """Compares an addend with the oracle's; a product has its factors."""

    product: float
    expected: float
    value: float | None = None
    weight: float | None = None


def element_of(stored: StoredTensor, read: TexelRead, lane: int) -> int:
    """Returns the linear index of the element in a lane of a read; negative for padding."""
    return stored.layout.index_of(stored.shape, *read.texel, lane) if lane < stored.layout.lanes else -1


class SumTerms:
    """Makes the terms of one sum, of the lanes `chosen` of its accumulator."""

    def __init__(self, plan: Plan, trace: Trace, products: ReadProducts, chosen: Sequence[Segment]) -> None:
        self._trace, self._products, self._chosen = trace, products, chosen
        self._stored = plan.textures[products.key]
        self._factor = self._mode()
        # By element its products that were not added yet, by their numbers; and of each term its product's number.
        self._left: dict[int, list[int]] = {}
        for number, element in enumerate(products.elements):
            self._left.setdefault(element, []).append(number)
        self._numbers: list[int] = []
        self._addend: Addend | None = products.addend
        self._added_before = False
        self._terms: list[SumTerm] = []
        self.missing: list[MissingProduct] = []
        self._running = self._expected = 0.0
        self._now = -1

    def all(self) -> list[SumTerm]:
        """Returns every term in order, missing ones where they should have been."""
        self._start()
        merged = sorted(
            ((each, number) for number, segment in enumerate(self._chosen) for each in segment.increments),
            key=lambda pair: (pair[0].step.number, pair[1]),
        )
        of_key = [
            position for position, (each, _) in enumerate(merged)
            if any(read.key == self._products.key for read in each.reads)
        ]  # fmt: skip
        last = of_key[-1] if of_key else -1
        for position, (each, _) in enumerate(merged):
            if not self._increment(each, is_last=position > last):
                break
        self._missing()
        whole = sum(abs(term.product) for term in self._terms if math.isfinite(term.product))
        return [
            dataclasses.replace(term, share=abs(term.product) / whole if whole else 0.0) for term in self._terms
        ]  # fmt: skip

    def _mode(self) -> float:
        """Returns the factor from the oracle's weights to the shader's: a mean may be divided at the end."""
        scale = self._products.scale
        parts = [part for each in self._chosen for one in each.increments for part in one.parts]
        if scale in (0.0, 1.0) or not parts:
            return 1.0
        weights = dict(zip(self._products.elements, self._products.weights, strict=True))
        elements = [(part, element_of(self._stored, part.read, part.lane)) for part in parts]
        plain = sum(abs(part.weight - weights[e]) < abs(part.weight - weights[e] / scale)
                    for part, e in elements if e in weights)  # fmt: skip
        is_mean = not self._products.weight_key and self._products.addend is None
        if is_mean:
            return 1.0 if 2 * plain > len(parts) else 1.0 / scale
        return scale if 2 * plain < len(parts) else 1.0

    # -- terms -----------------------------------------------------------------------------------------------

    def _start(self) -> None:
        start = sum(segment.value for segment in self._chosen)
        if start == 0.0:
            return
        addend, step = self._addend, self._chosen[0].start
        expected = addend.value if addend is not None else 0.0
        reads = step.reads if step is not None else ()
        is_right = abs(start - expected) <= _EXACT * abs(expected)
        text = (
            "" if is_right else f"The sum starts at {start:.6g}, not at {f'{expected:.6g} or 0' if expected else '0'}."
        )
        fault: TermFault = "" if is_right else "start"
        if addend is not None and (is_right or any(read.key == addend.key for read in reads)):
            self._added_before = True
        else:
            expected = 0.0
        self._add(step, reads, _What(start, expected), fault, text)

    def _increment(self, each: Increment, *, is_last: bool) -> bool:
        """Adds the terms of one step; returns False where the sum is over and something else is done to it."""
        if each.parts:
            for part in each.parts:
                self._part(each, part)
            self._running = self._total(each)
            if self._terms:
                self._terms[-1] = dataclasses.replace(self._terms[-1], running=self._running)
            return True
        of_key = [read for read in each.reads if read.key == self._products.key]
        slack = ROUNDED * (abs(each.before) + abs(each.after))
        if of_key:
            self._unproven(each, of_key, slack)
            return True
        addend = self._addend
        reads_it = addend is not None and any(read.key == addend.key and addend.key for read in each.reads)
        if addend is not None and (reads_it or abs(each.added - addend.value) <= slack + _EXACT * abs(addend.value)):
            self._add_addend(each, addend, slack)
            return True
        if abs(each.added) <= slack:
            return True
        if is_last:
            return False
        text = f"{each.added:.6g} is added, which is no product of what was read."
        self._add(each.step, each.reads, _What(each.added, 0.0), "product", text)
        return True

    def _total(self, each: Increment) -> float:
        """Returns the sum behind an increment: of several lanes, of all."""
        return each.after if len(self._chosen) == 1 else self._running

    def _add_addend(self, each: Increment, addend: Addend, slack: float) -> None:
        if self._added_before:
            self._add(each.step, each.reads, _What(each.added, 0.0), "again", "The addend is added a second time.")
            return
        self._added_before = True
        is_right = abs(each.added - addend.value) <= slack + _EXACT * abs(addend.value)
        text = (
            "" if is_right else f"{each.added:.6g} is added in place of {addend.value:.6g}, element {addend.element}."
        )
        self._add(each.step, each.reads, _What(each.added, addend.value), "" if is_right else "product", text)

    def _part(self, each: Increment, part: ProductPart) -> None:
        element = element_of(self._stored, part.read, part.lane)
        if element < 0 and part.product == 0.0:
            return  # a lane that holds nothing
        reads = (part.read,) if part.weight_read is None else (part.read, part.weight_read)
        expected, fault, text = self._judged(element, part)
        what = _What(part.product, expected, part.value, part.weight)
        self._add(each.step, reads, what, fault, text)

    def _judged(self, element: int, part: ProductPart) -> tuple[float, TermFault, str]:
        products = self._products
        if element not in products.values:
            if abs(part.product) <= 1e-37:
                return 0.0, "", ""
            what = self._place(element) if element >= 0 else f"the padding at texel {part.read.texel}"
            return 0.0, "not_expected", f"{what} is none of what this element sums up."
        if element not in self._left:
            if abs(part.product) <= 1e-37:
                return 0.0, "", ""
            return 0.0, "again", f"The product of {self._place(element)} is added a second time."
        number = self._take(element, part.value * part.weight)
        value, weight = products.values[element], products.weights[number] * self._factor
        self._now = number
        expected = value * weight
        if abs(part.product - expected) <= (_EXACT + products.rounded) * abs(expected) + 1e-37:
            return expected, "", ""
        if abs(part.value - value) > (_EXACT + products.rounded) * abs(value):
            return expected, "value", f"{self._place(element)} was read as {part.value:.6g} and is {value:.6g}."
        said = f"{self._place(element)} is multiplied by {part.weight:.6g}, its weight is {weight:.6g}."
        return expected, "weight", said

    def _take(self, element: int, product: float) -> int:
        """Returns which product of an element was added: of those left, the one that fits best."""
        left = self._left[element]
        number = min(left, key=lambda each: abs(self._expected_of(each) - product))
        left.remove(number)
        if not left:
            del self._left[element]
        return number

    def _expected_of(self, number: int) -> float:
        products = self._products
        return products.values[products.elements[number]] * products.weights[number] * self._factor

    def _unproven(self, each: Increment, of_key: Sequence[TexelRead], slack: float) -> None:
        """Compares a step as a whole with the oracle, where its reads are known but not their factors."""
        elements = [element_of(self._stored, read, lane) for read in of_key for lane in read.lanes]
        expected, size = 0.0, 0.0
        for element in dict.fromkeys(elements):
            while element in self._left:
                self._now = self._take(element, 0.0)
                product = self._expected_of(self._now)
                expected, size = expected + product, size + abs(product)
        is_right = abs(each.added - expected) <= slack + (_EXACT + self._products.rounded) * size
        value = float(of_key[0].value[of_key[0].lanes[0]]) if len(elements) == 1 else None
        weight = each.added / value if value else None
        text = "" if is_right else f"{each.added:.6g} is added for what was read, {expected:.6g} is right."
        what = _What(each.added, expected, value, weight)
        self._add(each.step, each.reads, what, "" if is_right else "product", text)

    def _add(
        self, step: TraceStep | None, reads: Sequence[TexelRead], what: _What, fault: TermFault, text: str
    ) -> None:
        self._running += what.product
        self._expected += what.expected
        number = step.number if step is not None else 0
        sums = self._running, self._expected
        self._numbers.append(self._now)
        self._now = -1
        self._terms.append(
            SumTerm(number, tuple(reads), what.value, what.weight, what.product, what.expected, *sums, 0.0,
                 bool(fault), fault, text)
        )  # fmt: skip

    # -- what is not there -----------------------------------------------------------------------------------

    def _missing(self) -> None:
        """Adds terms for missing products, in their places where the order of the others shows them."""
        products, count = self._products, len(self._terms)
        least = _EXACT * max((abs(term.expected or 0.0) for term in self._terms), default=0.0)
        gone = [
            number for numbers in self._left.values() for number in numbers if abs(self._expected_of(number)) > least
        ]
        # Where others are in wrong places, their order does not show where one is missing.
        is_told = not any(term.wrong and term.reads for term in self._terms)
        order = _Order(products.places, [number for number in self._numbers if number >= 0] if is_told else [])
        for number in gone:
            position = order.place(number, self._numbers)
            element, weight = products.elements[number], products.weights[number] * self._factor
            value, text = products.values[element], f"The product of {self._place(element)} is never added."
            self._terms.insert(position, _gone(self._step_at(position), value, weight, value * weight, text))
            self._numbers.insert(position, number)
            self.missing.append(MissingProduct(products.key, element, value * weight))
        addend = self._addend
        is_open = addend is not None and not self._added_before and addend.key and abs(addend.value) > least
        if addend is not None and is_open and not self._is_read(addend.key):
            text = f"The addend {addend.value:.6g} is never read."
            self._terms.append(_gone(self._step_at(len(self._terms)), None, None, addend.value, text))
            self.missing.append(MissingProduct(addend.key, addend.element, addend.value))
        if len(self._terms) != count:
            self._run_again()

    def _is_read(self, key: str) -> bool:
        return any(read.key == key for step in self._trace.steps for read in step.reads)

    def _run_again(self) -> None:
        """Recomputes the two running sums with the inserted terms."""
        running = expected = 0.0
        for number, term in enumerate(self._terms):
            expected += term.expected or 0.0
            running = running if term.fault == "missing" else term.running
            self._terms[number] = dataclasses.replace(term, running=running, expected_running=expected)

    def _step_at(self, position: int) -> int:
        """Returns the step that should have added a term: where a loop ended or went on, else the next term's step."""
        before = next((term.step for term in reversed(self._terms[:position]) if term.fault != "missing"), 0)
        after = self._terms[position].step if position < len(self._terms) else self._trace.total
        between = [step for step in self._trace.steps if before < step.number < after]
        ended = next((step for step in between if step.end == "continue" or step.branch is False), None)
        if ended is not None:
            return ended.number
        return after if position < len(self._terms) else before

    def _place(self, element: int) -> str:
        place = [int(i) for i in np.unravel_index(element, self._stored.shape)]
        return f"{self._stored.tensor}{place}"


def _gone(step: int, value: float | None, weight: float | None, expected: float, text: str) -> SumTerm:
    return SumTerm(step, (), value, weight, 0.0, expected, 0.0, 0.0, 0.0, wrong=True, fault="missing", text=text)


class _Order:
    """Finds the order in which a shader walks the products: by which axis of their places first, and which way."""

    def __init__(self, places: NDArray[np.int64], walked: Sequence[int]) -> None:
        self._keys = self._walk(places, list(walked)) if len(walked) > 1 else None

    def _walk(self, places: NDArray[np.int64], walked: list[int]) -> list[tuple[int, ...]] | None:
        """Returns a key for each product that grows along the walk; None where it is no walk by axes."""
        moving = [axis for axis in range(places.shape[1]) if len(np.unique(places[:, axis])) > 1]
        if len(moving) > _MOST_AXES:
            return None
        for order in itertools.permutations(moving):
            for signs in itertools.product((1, -1), repeat=len(order)):
                keys = places[:, list(order)] * np.array(signs, dtype=np.int64)
                steps = np.diff(keys[walked], axis=0)
                first = steps[np.arange(len(steps)), (steps != 0).argmax(axis=1)]
                if (first > 0).all():
                    return [tuple(key) for key in keys.tolist()]
        return None

    def place(self, number: int, walked: Sequence[int]) -> int:
        """Returns before which of the terms (-1 for no product) one more belongs; behind all where unknown."""
        if self._keys is None:
            return len(walked)
        own = self._keys[number]
        for position, other in enumerate(walked):
            if other >= 0 and self._keys[other] > own:
                return position
        return max(position for position, other in enumerate(walked) if other >= 0) + 1
