"""Names differences of functions and numbers where every term reads what it should.

Each element is named for itself; what most elements show is said of the pass.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.causes import Cause
from texelscope.pipeline.diagnose.divergences.functions import (
    argument_factor_of,
    factor_of,
    is_branch,
    reciprocal,
    seen_in_curve,
    seen_in_name,
    step_of,
    weights_of,
)
from texelscope.pipeline.diagnose.divergences.literals import (
    ConstantTable,
    seen_in_counts,
    seen_in_gains,
    seen_in_weights,
)
from texelscope.pipeline.diagnose.divergences.numbers import is_epsilon, seen_in_added, seen_in_factor, seen_in_whole
from texelscope.pipeline.diagnose.divergences.roots import seen_in_roots
from texelscope.pipeline.diagnose.divergences.seen import Seen
from texelscope.pipeline.operators.families.registry import facts_of
from texelscope.pipeline.symbolic.kinds import Curved, Divergence, Numbered, Renamed, near
from texelscope.pipeline.symbolic.pass_divergences import ElementDivergences, PassDivergences

Array = NDArray[Any]
# At least this share of the elements shows what is said: where borders repeat reads, terms are paired wrongly.
_MOST = 2.0 / 3.0
# Of two faults, each shows on at least this share: elsewhere it makes no difference.
_SOME = 1.0 / 3.0
# A factor shows on nearly all elements that are not small beside the largest one.
_LARGE, _NEARLY_ALL = 0.1, 0.8
# Factors that differ by less, relatively, are one.
_ALIKE = 1e-2
# So many terms that are multiplied by one number are multiplied, not written otherwise each.
_FEW = 3


Named = dict[Cause, tuple[Seen, tuple[Divergence, ...]]]
# What some elements show of another function, each on its side of a choice.
_PARTS = frozenset({causes.ACTIVATION_MISSING, causes.ACTIVATION_EXTRA, causes.ALPHA})


_FACTORS = (causes.SCALE, causes.AVERAGE_COUNT)
# Functions that choose: what they compare is inside, too.
_CHOICES = frozenset({"curve", "select", "<", ">", "<=", ">="})


class SeenHere(NamedTuple):
    """What was seen of one cause, the divergences that show it, and on how many elements."""

    seen: Seen
    divergences: tuple[Divergence, ...]
    elements: int


def are_values(elements: Sequence[ElementDivergences]) -> bool:
    """Whether all differences are of functions and of numbers."""
    return all(isinstance(each, Curved | Numbered | Renamed) for of in elements for each in of.divergences)


def seen_in_values(
    found: PassDivergences, elements: Sequence[ElementDivergences], expected: Array
) -> tuple[SeenHere, ...]:
    """Returns the causes that most elements show; none where they show several and have none in common.

    `expected` are the oracle's values, flat.
    """
    roots = seen_in_roots(found, elements) or seen_in_counts(found, elements)
    if roots is not None:
        return (SeenHere(roots, _all(elements), len(elements)),)
    table = ConstantTable(found)
    every = [_Element(found, table, each).named() for each in elements]
    every = [_with_wrong_function(of) for of in every] if _is_function_of_parts(every) else every
    counted = any(facts_of(node).window == "mean" for node in found.nodes)  # at the border, of fewer terms
    weights = seen_in_weights(found, elements) or seen_in_gains(found, elements) if not all(every) else None
    if not all(
        _are_of_one_factor(every, cause) for cause in _FACTORS if not (counted and cause is causes.AVERAGE_COUNT)
    ):
        weights = seen_in_weights(found, elements) or seen_in_gains(found, elements)
        return (SeenHere(weights, _all(elements), len(elements)),) if weights is not None else ()
    counts = Counter(cause for of in every for cause in of)
    chosen = [cause for cause, count in counts.items() if count >= _SOME * len(every)]
    if causes.SCALE in chosen and _is_of_one_sign(found, expected):
        every = [
            {causes.ALPHA if cause is causes.SCALE else cause: shown for cause, shown in of.items()} for of in every
        ]
        chosen = [causes.ALPHA if cause is causes.SCALE else cause for cause in chosen]
    if causes.SCALE in chosen and not _may_be_of_all(found, expected):
        return ()
    if not chosen or sum(bool(of.keys() & set(chosen)) for of in every) < _MOST * len(every):
        return (SeenHere(weights, _all(elements), len(elements)),) if weights is not None else ()
    found_here = []
    for cause in chosen:
        shown = [of[cause] for of in every if cause in of]
        divergences = tuple(each for _, inner in shown for each in inner)
        seen = next((of for of, _ in shown if of.cause is cause), Seen(cause, shown[0][0].says))
        found_here.append(SeenHere(seen, divergences, len(shown)))
    return tuple(found_here)


def _is_function_of_parts(every: Sequence[Named]) -> bool:
    """Whether some elements show another function, and others only a part of it."""
    return any(causes.WRONG_FUNCTION in of for of in every) and any(_PARTS & of.keys() for of in every)


def _with_wrong_function(of: Named) -> Named:
    """Returns what was seen with the parts of another function as another function."""
    return {causes.WRONG_FUNCTION if cause in _PARTS else cause: shown for cause, shown in of.items()}


def _is_of_one_sign(found: PassDivergences, expected: Array) -> bool:
    """Whether negative elements alone are wrong, as by another slope below zero of an activation."""
    if not any(facts_of(node).is_activation for node in found.nodes):
        return False
    positive = expected > 0.0
    return bool(positive.any() and found.wrong.any() and not (found.wrong & positive).any())


def _may_be_of_all(found: PassDivergences, expected: Array) -> bool:
    """Whether so many elements are wrong as one factor of everything makes wrong, or parts are joined."""
    if any(facts_of(node).moves or facts_of(node).may_move for node in found.nodes):
        return True
    sizes = np.abs(expected)
    large = np.isfinite(sizes) & (sizes > _LARGE * sizes.max(initial=0.0))
    return not large.any() or bool(found.wrong[large].mean() >= _NEARLY_ALL)


def _all(elements: Sequence[ElementDivergences]) -> tuple[Divergence, ...]:
    return tuple(each for of in elements for each in of.divergences)


def _are_of_one_factor(every: Sequence[Named], cause: Cause) -> bool:
    """Whether all elements that show factors show the same ones; a scale is one factor."""
    factors = [sorted(factor for each in of[cause][1] if (factor := _factor(each)) is not None)
               for of in every if cause in of]  # fmt: skip
    known = [each for each in factors if each]
    if cause is causes.SCALE:
        known = [[each] for of in known for each in of]
    return all(len(each) == len(known[0]) and np.allclose(each, known[0], rtol=_ALIKE, atol=0.0) for each in known)


def _factor(each: Divergence) -> float | None:
    if isinstance(each, Numbered):
        return each.got / each.expected if each.expected else None
    return factor_of(each) if isinstance(each, Curved) else None


def _is_beside(each: Curved, number: float) -> bool:
    """Whether a number is added to a function, or to its reciprocal."""
    steps = (step_of(each), step_of(reciprocal(each)))
    return any(step is not None and near(step, number, 10.0 * number) for step in steps)


def _is_of_curve(each: Numbered) -> bool:
    """Whether an addend has the constants that it should have: its other value is the function's."""
    if each.inside == "curve":
        return sorted(each.expected_at) == sorted(each.got_at)
    return bool(each.expected_at) and set(each.expected_at) <= set(each.got_at)


class _Element:
    """Names what one element shows; nothing where one of its differences has no name."""

    def __init__(self, found: PassDivergences, table: ConstantTable, element: ElementDivergences) -> None:
        self._found, self._table = found, table
        every = tuple(dict.fromkeys(element.divergences))
        actual = float(found.actual[element.element])
        self._curves = [each for each in every if isinstance(each, Curved) and not is_branch(each, actual)]
        numbers = [each for each in every if isinstance(each, Numbered)]
        self._added = [each for each in numbers if each.is_added]
        self._whole = [each for each in numbers if each.is_whole]
        self._terms = [each for each in numbers if not each.is_added and not each.is_whole]
        self._names = [each for each in every if isinstance(each, Renamed)]
        self._seen: Named = {}

    def named(self) -> Named:
        """Returns what was seen, by cause."""
        if self._is_of_branch():
            return self._seen
        self._take_epsilon()
        self._take_before_bias()
        if self._is_of_all():
            self._added = []
        if self._curves:  # a number inside a function is part of it: the same constants are added
            self._added = [each for each in self._added if not _is_of_curve(each)]
        is_known = all([self._name_curves(), self._name_added(), self._name_whole(), self._name_terms()])
        for name in self._names:
            seen = seen_in_name(self._found, name)
            is_known = is_known and seen is not None
            if seen is not None:
                self._add(seen, name)
        return self._seen if is_known else {}

    def _add(self, seen: Seen, *divergences: Divergence) -> None:
        before = self._seen.get(seen.cause, (seen, ()))
        self._seen[seen.cause] = (before[0], (*before[1], *divergences))

    def _is_of_branch(self) -> bool:
        """Sees one factor of everything that one side of a choice gives."""
        numbers = (*self._added, *self._whole)
        if self._curves or self._terms or self._names or not any(each.inside == "select" for each in numbers):
            return False
        ratios = [each.got / each.expected for each in numbers if each.expected]
        if len(ratios) < len(numbers) or np.ptp(ratios) > _ALIKE * abs(ratios[0]):
            return False
        self._add(Seen(causes.ALPHA, f"has {ratios[0]:.6g} times the model's values on one side of a choice"), *numbers)
        return True

    def _is_of_all(self) -> bool:
        """Whether addends are multiplied by the number that everything else is multiplied by."""
        numbers = (*self._whole, *self._added)
        if not self._whole or not all(each.expected for each in numbers):
            return False
        ratios = [each.got / each.expected for each in numbers]
        return bool(np.ptp(ratios) <= 0.1 * _ALIKE * abs(ratios[0]))

    def _take_epsilon(self) -> None:
        """Sees a small number that is added outside a function, not inside."""
        for inner in [each for each in self._added if each.inside and is_epsilon(self._found, each) and not each.got]:
            outer = [
                each for each in self._added if each is not inner and near(each.got - each.expected, inner.expected)
            ]
            around = [each for each in self._curves if _is_beside(each, inner.expected)]
            if outer or around:
                seen = Seen(causes.EPSILON, f"adds {inner.expected:.6g} outside the root, not inside")
                self._add(seen, *around, *outer, inner)
                self._added = [each for each in self._added if each is not inner and each not in outer]
                self._curves = [each for each in self._curves if each not in around]

    def _take_before_bias(self) -> None:
        """Sees f(x) + b in place of f(x + b)."""
        for inner in [each for each in self._added if each.inside == "curve"]:
            values = [self._value(each) for each in (Counter(inner.expected_at) - Counter(inner.got_at))]
            for curve in self._curves:
                step = step_of(curve)
                lost = (inner.expected - inner.got, *values)
                if step and any(near(step, each, 0.01 * abs(each)) for each in lost if each):
                    self._add(Seen(causes.ACTIVATION_BEFORE_BIAS, "adds a number after the function, not before it"),
                              curve, inner)  # fmt: skip
                    self._curves = [each for each in self._curves if each is not curve]
                    self._added = [each for each in self._added if each is not inner]
                    break
        self._take_before_choice()

    def _take_before_choice(self) -> None:
        """Sees a number that is added to what a choice gives, not to what it chooses by and from."""
        lost = [each for each in self._added if each.inside in _CHOICES and each.expected and not each.got]
        outer = [each for each in self._added if not each.inside and not each.expected]
        if lost and len(outer) == 1 and all(near(each.expected, outer[0].got) for each in lost):
            self._add(Seen(causes.ACTIVATION_BEFORE_BIAS, "adds a number after the choice, not before it"),
                      *outer, *lost)  # fmt: skip
            self._added = [each for each in self._added if each not in lost and each is not outer[0]]

    def _value(self, place: tuple[str, int]) -> float:
        values = self._found.constants.get(place[0], ())
        return float(values[place[1]]) if 0 <= place[1] < len(values) else 0.0

    def _name_curves(self) -> bool:
        if len({round(factor, 3) for each in self._curves if (factor := factor_of(each)) is not None}) > 1:
            return False  # functions are terms, and each has another weight
        for each in self._curves:
            factor = argument_factor_of(each)
            seen = seen_in_curve(each) if factor is None or factor < 0.0 else \
                seen_in_factor(self._found, factor, "a function")  # fmt: skip
            if seen is not None and seen.cause is causes.SCALE and weights_of(each) is not None and self._has_slope():
                seen = Seen(causes.ALPHA, seen.says.replace("a function", "one side of the function"))
            if seen is None or (seen.cause is causes.SCALE and self._are_terms()):
                return False
            self._add(seen, each)
        return True

    def _are_terms(self) -> bool:
        """Whether functions are terms of a weighted sum: an activation comes before it, and a factor is a weight."""
        facts = [facts_of(node) for node in self._found.nodes]
        bent = [at for at, each in enumerate(facts) if each.is_activation]
        summed = [at for at, each in enumerate(facts) if each.multiplies or each.window is not None]
        return bool(bent and summed) and bent[0] < summed[-1] and len(self._curves) < _FEW

    def _has_slope(self) -> bool:
        """Whether an activation has a constant: an attribute, or another input."""
        active = [(node, facts) for node in self._found.nodes if (facts := facts_of(node)).is_activation]
        return any(facts.shaped_by or len(node.inputs) > 1 for node, facts in active if facts.pointwise)

    def _name_added(self) -> bool:
        for each in self._added:
            seen = seen_in_added(self._found, self._table.placed(each))
            if seen is None:
                seen = self._scaled(each)
            if seen is None:
                return False
            self._add(seen, each)
        return True

    def _scaled(self, each: Numbered) -> Seen | None:
        """Sees an addend of the same constants, or of some of them, that is multiplied by a number."""
        if not each.got_at or set(each.got_at) - set(each.expected_at) or not each.expected:
            return None
        return Seen(causes.SCALE, f"adds {each.got / each.expected:.6g} times the model's number")

    def _name_whole(self) -> bool:
        for each in self._whole:
            seen = seen_in_whole(self._found, each)
            if seen is None or (each.expected != 1.0 and self._is_weight(each.expected)):
                return False
            self._add(seen, each)
        return True

    def _is_weight(self, number: float) -> bool:
        """Whether a number is an element of a constant with several."""
        return any(self._found.constants[tensor].size > 1 for tensor, _ in self._table.places(number))

    def _name_terms(self) -> bool:
        if not self._terms:
            return True
        ratios = [each.got / each.expected for each in self._terms if each.expected]
        is_plain = all(abs(each.expected) == 1.0 for each in self._terms)
        if not is_plain or len(ratios) < len(self._terms) or np.ptp(ratios) > _ALIKE * abs(ratios[0]):
            return False
        self._add(Seen(causes.SCALE, f"multiplies a term by {ratios[0]:.6g}"), *self._terms)
        return True
