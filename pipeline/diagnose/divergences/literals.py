"""Names weights that are other numbers: those of other elements of a constant, or numbers that no constant has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.divergences.counted import counted_places
from texelscope.pipeline.diagnose.divergences.functions import weights_of
from texelscope.pipeline.diagnose.divergences.moves import seen_in_moves
from texelscope.pipeline.diagnose.divergences.seen import Seen, output_coordinates
from texelscope.pipeline.operators.families.registry import facts_of
from texelscope.pipeline.symbolic.canonical import Place
from texelscope.pipeline.symbolic.kinds import Curved, Moved, Numbered
from texelscope.pipeline.symbolic.pass_divergences import ElementDivergences, PassDivergences

# Constants hold float32: a number is one of them if it agrees in so many digits.
_EXACT = 1e-6
# Quotients of sums of them agree in fewer.
_CLOSE = 1e-4
# So many elements must agree: a single factor may be any quotient.
_FEWEST = 3
# Two weights that stand for one another, seen from both, are two pairs; one such couple may be chance.
_PAIRS = 4
# What is added several times is added at least this often, but for rounding.
_TWICE = 1.9
# At least this share of the elements shows what is said: where borders repeat reads, terms are paired wrongly.
_MOST = 0.5


def seen_in_weights(found: PassDivergences, elements: Sequence[ElementDivergences]) -> Seen | None:
    """Names factors of terms that are other numbers than the model's weights; None where they are not known."""
    facts = [facts_of(node) for node in found.nodes]
    if any(each.means for each in facts):
        return None  # what a term is multiplied by is no weight alone
    if any(each.window not in (None, "product") for each in facts):
        elements = _inner(found, elements)
    table = ConstantTable(found)
    shown = Counter[str]()
    moves: list[tuple[int, Moved]] = []
    literals: dict[float, Numbered] = {}
    for element in elements:
        numbers = _weights(element)
        here = [move for each in numbers if (move := table.moved(each)) is not None]
        written = [each for each in numbers if table.is_literal(each)]
        if numbers and len(here) == len(numbers):
            shown["moved"] += 1
            moves += [(element.element, each) for each in here]
        elif numbers and len(written) == len(numbers) and (len(numbers) == 1 or _factor_of(element) is None):
            shown["literal"] += 1
            if any(literals.setdefault(each.expected, each).got != each.got for each in written):
                return None  # one weight is several numbers: these depend on more than the text
    if shown["literal"] > _MOST * len(elements):
        literal = next(iter(literals.values()))
        says = f"multiplies by {literal.got:.6g} where the model has the weight {literal.expected:.6g}"
        return Seen(causes.WRONG_LITERAL, says)
    if not moves or shown["moved"] <= _MOST * len(elements):
        return None
    if all(each.expected[0] != each.got[0] for _, each in moves):
        return Seen(causes.WRONG_INPUT, f"multiplies by '{moves[0][1].got[0]}', not by '{moves[0][1].expected[0]}'")
    if _are_swapped(moves):
        return Seen(causes.FILTER_IO_SWAP, f"exchanges inputs and outputs of '{moves[0][1].expected[0]}'")
    seen = seen_in_moves(found, moves)
    return seen or Seen(causes.INDEX_MAP, f"multiplies by other elements of '{moves[0][1].expected[0]}'")


def seen_in_counts(found: PassDivergences, elements: Sequence[ElementDivergences]) -> Seen | None:
    """Names products that the text has several times, of weights at some places of one axis."""
    times, table = _counted(elements), ConstantTable(found)
    if times is None:
        return None
    places = {
        each.element: frozenset(at for number in _weights(each) for at in table.places(number.expected)[:1])
        for each in elements
    }
    told = counted_places(found, places)
    says = f"adds terms {times} times"
    return Seen(causes.DOUBLE_COUNTED, says, {"times": times, **told}) if told else None


def _counted(elements: Sequence[ElementDivergences]) -> int | None:
    """Returns the whole number by which several terms of every element are multiplied; None if there is none."""
    factors = [_factor_of(each) for each in elements if len(_weights(each)) > 1]
    if not factors or len(factors) < len(elements) or factors[0] is None or factors[0] < _TWICE:
        return None
    times = round(factors[0])
    is_so = all(each is not None and abs(each - times) < _CLOSE * times for each in factors)
    return times if is_so else None


def _weights(element: ElementDivergences) -> list[Numbered]:
    """Returns the factors of terms that differ, also of terms that are a rectified element."""
    found: list[Numbered] = []
    for each in dict.fromkeys(element.divergences):
        if isinstance(each, Curved) and (weights := weights_of(each)) is not None:
            found.append(Numbered(*weights, each.row))
        elif isinstance(each, Numbered) and not each.is_added:
            found.append(each)
    return found


def _are_swapped(moves: Sequence[tuple[int, Moved]]) -> bool:
    """Whether some pairs of weights stand for one another, each in another output."""
    by_element: dict[int, set[tuple[Place, Place]]] = {}
    for element, each in moves:
        by_element.setdefault(element, set()).add((each.expected, each.got))
    if any((got, right) in of for of in by_element.values() for right, got in of):
        return False  # of one filter: its taps change places
    every = set().union(*by_element.values())
    return sum((got, right) in every for right, got in every) >= _PAIRS


def _inner(found: PassDivergences, elements: Sequence[ElementDivergences]) -> list[ElementDivergences]:
    """Returns elements that are not at the border: there reads may repeat, and terms are paired wrongly."""
    _, _, height, width = as_nchw(found.output)
    inner = []
    for each in elements:
        y, x = divmod(each.element % (height * width), width)
        if 0 < y < height - 1 and 0 < x < width - 1:
            inner.append(each)
    return inner


def seen_in_gains(found: PassDivergences, elements: Sequence[ElementDivergences]) -> Seen | None:
    """Names factors of everything that are another element's of a constant with one number a channel or a place."""
    factors = [_factor_of(each) for each in elements]
    if len(elements) < _FEWEST or any(each is None for each in factors):
        return None
    outputs = output_coordinates(found, [each.element for each in elements])
    for name, values in found.constants.items():
        for axis, size in enumerate(as_nchw(found.output)):
            if size != values.size or not np.ptp(values) or not values.all():
                continue
            wanted = values[outputs[:, axis]] * np.array(factors, dtype=np.float64)
            if np.isclose(wanted[:, None], values[None], rtol=_CLOSE, atol=0.0).any(axis=1).all():
                return Seen(causes.INDEX_MAP, f"multiplies by another element of '{name}'")
            for other, others in found.constants.items():
                if others.size == size and np.allclose(wanted, others[outputs[:, axis]], rtol=_CLOSE, atol=0.0):
                    return Seen(causes.WRONG_INPUT, f"multiplies by '{other}', not by '{name}'")
    return None


def _factor_of(element: ElementDivergences) -> float | None:
    """Returns the number by which all terms that differ are multiplied; None where they differ in it."""
    numbers = [each for each in element.divergences if isinstance(each, Numbered) and not each.is_added]
    ratios = [each.got / each.expected for each in numbers if each.expected]
    if not ratios or len(ratios) < len(numbers) or np.ptp(ratios) > _CLOSE * abs(ratios[0]):
        return None
    return float(ratios[0])


class ConstantTable:
    """Finds numbers among the elements of the model's constants."""

    def __init__(self, found: PassDivergences) -> None:
        self._names = [name for name, values in found.constants.items() if values.size]
        self._values = np.concatenate([found.constants[name] for name in self._names] or [np.zeros(0)])
        self._sizes = {name: found.constants[name].size for name in self._names}
        self._starts = np.cumsum([0, *(found.constants[name].size for name in self._names)])

    def places(self, number: float, near: float = _EXACT) -> list[Place]:
        """Returns the elements of constants that have a value."""
        every = np.flatnonzero(np.isclose(self._values, number, rtol=near, atol=0.0)).tolist()
        owners = np.searchsorted(self._starts, every, side="right") - 1
        return [(self._names[owner], at - int(self._starts[owner])) for at, owner in zip(every, owners, strict=True)]

    def moved(self, each: Numbered) -> Moved | None:
        """Returns which element of a constant is read in place of which; None where one of both is not known."""
        right, got = self.places(each.expected), self.places(each.got)
        if len(right) != 1 or len(got) != 1:
            return None
        return Moved(right[0], got[0], True, each.row)

    def placed(self, each: Numbered) -> Numbered:
        """Returns an addend with the constants that it is where the text has it as a number."""
        if not each.expected_at and len(right := self.places(each.expected)) == 1 and self.is_long(right[0]):
            each = replace(each, expected_at=(right[0],))
        tensors = {tensor for tensor, _ in each.expected_at}
        got = [] if each.got_at else [place for place in self.places(each.got) if place[0] in tensors]
        return replace(each, got_at=(got[0],)) if len(got) == 1 and len(each.expected_at) == 1 else each

    def is_long(self, place: Place) -> bool:
        """Whether an element is one of several."""
        return self._sizes[place[0]] > 1

    def is_literal(self, each: Numbered) -> bool:
        """Whether a weight is a number that no constant has."""
        if abs(each.expected) == 1.0 or not each.got:
            return False
        return any(map(self.places, (each.expected, -each.expected))) and not self.places(each.got)
