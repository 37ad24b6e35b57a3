"""Lists the literals of a text that differ from a model's weights, where all others are in their places."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.hypotheses.literals import DifferingNumber
from texelscope.pipeline.diagnose.written_weights.places import UNKNOWN, TensorPlaces, places_of
from texelscope.pipeline.glsl.number_literals import NumberLiterals

Array = NDArray[Any]

# At most this many literals are wrong one by one; more are another kind of fault.
MOST = 8
# At least this share of all weights has to be in its place, and this many.
_SHARE, _FEWEST = 0.6, 4
# At most this many ways to place the weights are tried.
_WAYS = 6
# A list is taken off as a whole if this many of its numbers are right with the other sign, and few as they are.
_OF_A_LIST, _RIGHT_OF_A_LIST = 3, 0.34
# A slip of the pen changes at most this many digits.
_DIGITS = 1
_NEAR = 1e-6


@dataclass(frozen=True)
class WrittenNumber:
    """A literal, by its number, that differs from an element of the model."""

    literal: int
    differing: DifferingNumber


Differing = tuple[WrittenNumber, ...]


def differing_literals(
    tensors: Mapping[str, Array], literals: NumberLiterals, lines: Sequence[int]
) -> Iterator[Differing]:
    """Yields sets of literals that may be wrong, the likeliest first; `lines` has the line of each literal.

    `tensors` are the weights that the text may have, by name. Nothing if it has other numbers, or in no order that
    shows where each belongs, or if all are right.
    """
    total = sum(each.size for each in tensors.values())
    if _SHARE * total > len(literals):
        return
    literals = _turned_back(tensors, literals)
    free = np.ones(len(literals), np.bool_)
    ways: dict[str, list[TensorPlaces]] = {}
    held = 0
    for name in sorted(tensors, key=lambda each: (-np.squeeze(tensors[each]).ndim, -tensors[each].size)):
        ways[name] = [*places_of(tensors[name], literals, MOST, free)]
        if ways[name]:
            placed = ways[name][0].held
            held += int(np.count_nonzero(placed != UNKNOWN))
            free[placed[placed != UNKNOWN]] = False
    if held < max(_FEWEST, _SHARE * total):
        return
    lost = [name for name in tensors if tensors[name].size == 1 and not any(way.share for way in ways[name])]
    known = {name: each for name, each in ways.items() if each and name not in lost}
    alone = [*itertools.islice(_alone(tensors, lost, literals, lines, free), _WAYS)]
    seen = set[Differing]()
    for chosen in itertools.islice(_choices(known), _WAYS):
        found = tuple(_of_places(tensors, literals, lines, chosen))
        for one in alone or [()]:
            both = (*found, *one)
            if both and len(both) <= MOST and both not in seen and len({each.literal for each in both}) == len(both):
                seen.add(both)
                yield both


def _turned_back(tensors: Mapping[str, Array], literals: NumberLiterals) -> NumberLiterals:
    """Returns the literals with other signs in lists that the text takes off as a whole, as in `a - x * vec4(…)`."""
    every = np.sort(np.concatenate([each.astype(np.float64).reshape(-1) for each in tensors.values()] or [np.zeros(0)]))
    if not every.size or not len(literals):
        return literals
    as_they_are, turned = (_are_among(every, sign * literals.values, literals.tolerances) for sign in (1.0, -1.0))
    right, other = (np.bincount(literals.lists, weights=each) for each in (as_they_are, turned))
    is_turned = (other >= _OF_A_LIST) & (right <= _RIGHT_OF_A_LIST * other)
    values = np.where(is_turned[literals.lists], -literals.values, literals.values)
    return dataclasses.replace(literals, values=values)


def _are_among(every: Array, values: Array, tolerances: Array) -> NDArray[np.bool_]:
    """Masks the values that are among sorted ones."""
    low = np.searchsorted(every, values - tolerances, "left")
    return np.asarray(low < np.searchsorted(every, values + tolerances, "right"))


def _choices(ways: Mapping[str, Sequence[TensorPlaces]]) -> Iterator[dict[str, TensorPlaces]]:
    """Yields the first way of every tensor, then for one tensor after the other each of its other ways."""
    first = {name: each[0] for name, each in ways.items()}
    yield first
    for name, each in ways.items():
        for other in each[1:]:
            yield {**first, name: other}


def _of_places(
    tensors: Mapping[str, Array], literals: NumberLiterals, lines: Sequence[int], chosen: Mapping[str, TensorPlaces]
) -> Iterator[WrittenNumber]:
    for name, places in chosen.items():
        for element in map(tuple, np.argwhere(places.due != UNKNOWN)):
            number = int(places.due[element])
            yield WrittenNumber(number, _differing(name, element, tensors, literals, lines, number))


def _differing(
    name: str,
    element: tuple[int, ...],
    tensors: Mapping[str, Array],
    literals: NumberLiterals,
    lines: Sequence[int],
    number: int,
) -> DifferingNumber:
    wanted = float(str(np.float32(tensors[name][element])))
    at = tuple(int(index) for index in element)
    return DifferingNumber(name, at, lines[number], float(literals.values[number]), wanted)


def _alone(
    tensors: Mapping[str, Array],
    names: Sequence[str],
    literals: NumberLiterals,
    lines: Sequence[int],
    free: NDArray[np.bool_],
) -> Iterator[Differing]:
    """Yields a literal for the only element of a tensor, which no order places, if one looks like it with a slip."""
    for name in names:
        for number in np.flatnonzero(free).tolist():
            if is_slip(float(literals.values[number]), float(tensors[name].reshape(-1)[0]), literals, number):
                element = (0,) * tensors[name].ndim
                yield (WrittenNumber(number, _differing(name, element, tensors, literals, lines, number)),)


def is_slip(written: float, wanted: float, literals: NumberLiterals, number: int) -> bool:
    """Whether a number is another one with a slip of the pen: its sign, its exponent, one digit, or two exchanged."""
    if not written or not wanted or not np.isfinite(written) or written == wanted:
        return False
    ratio = abs(written / wanted)
    if not 0.0 < ratio < np.inf:
        return False
    power = round(float(np.log10(ratio)))
    if abs(ratio / 10.0**power - 1.0) <= max(_NEAR, literals.tolerances[number] / abs(written)):
        return True
    one = _digits_of(literals.written(number).lstrip("+-"))
    other = _digits_of(str(np.float32(abs(wanted))))
    return _is_typed_as(one, other)


def _digits_of(text: str) -> str:
    return "".join(each for each in text.lower().partition("e")[0] if each.isdigit()).strip("0")


def _is_typed_as(one: str, other: str) -> bool:
    """Whether one row of digits becomes the other by one digit left out, put in or changed, or two exchanged."""
    if min(len(one), len(other)) <= _DIGITS or abs(len(one) - len(other)) > _DIGITS:
        return False
    head = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    rest, instead = one[head:], other[head:]
    if len(rest) == len(instead):
        return rest[1:] == instead[1:] or (rest[:2] == instead[1::-1] and rest[2:] == instead[2:])
    return rest[1:] == instead or rest == instead[1:]
