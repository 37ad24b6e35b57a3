"""Finds where a text has the elements of a tensor, without names: by their values, and by the order that they show.

Whoever writes a tensor out, by hand or in loops over its axes and over blocks of four, gives the place of an element as
a sum of functions of its indices: the place of (o, i) is that of (o', i) plus that of (o, i') less that of (o', i').
Elements whose value occurs once show the order; it then says where every other element has to be.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.glsl.number_literals import NumberLiterals

Array = NDArray[Any]
Places = NDArray[np.int64]

# The place of an element that is not known.
UNKNOWN = -1
# Neighbours at these distances along two axes predict a place; blocks of four end after four.
_DISTANCES = (-1, 1, -2, 2, -3, 3)
# Of large tensors the nearest neighbours alone: a hundred thousand elements take long.
_LARGE, _NEAREST = 1 << 14, (-1, 1)
# Runs of so many elements are told apart where single values are not; enough elements are known at this share.
_LONGEST_RUN, _MOSTLY = 4, 0.6
# Two elements in each other's places.
_EXCHANGED = 2
# Rounds in which predictions that the values confirm become known places.
_ROUNDS = 3
# An element is in its place if at least this share of its predictions say so: at the edge of a smaller block many are
# wrong. It is elsewhere if this share and number of them agree, so many times as for any other place.
_AGREED, _ELSEWHERE, _FEWEST, _AHEAD = 0.25, 0.3, 2, 1.5


@dataclass(frozen=True)
class TensorPlaces:
    """Where the literals of a tensor are: `held` and `due` are numbers of literals, in the tensor's shape, or UNKNOWN.

    `held` is where the order and the value agree. `due` is where the order has an element whose value is not there.
    """

    held: Places
    due: Places

    @property
    def share(self) -> float:
        """Returns the share of elements whose literal is in its place."""
        return float(np.mean(self.held != UNKNOWN)) if self.held.size else 0.0


def places_of(tensor: Array, literals: NumberLiterals, most: int, free: NDArray[np.bool_]) -> Iterator[TensorPlaces]:
    """Yields ways to find a tensor's elements among the literals that are `free`, the likeliest first.

    Nothing where more than `most` elements are not in their places: then it is another order, or another tensor.
    """
    value = np.squeeze(tensor.astype(np.float64))
    value = value.reshape(-1) if value.ndim < 2 else value
    known = _by_values(value, literals, free)
    ways = _along_one_axis(value, literals, known) if value.ndim == 1 else _along_axes(value, literals, known, most)
    for held, due in ways:
        if np.count_nonzero(held == UNKNOWN) <= most:
            yield TensorPlaces(held.reshape(tensor.shape), due.reshape(tensor.shape))


def _by_values(value: Array, literals: NumberLiterals, free: NDArray[np.bool_]) -> Places:
    """Returns the places of elements whose value occurs once, or else those of runs of elements that occur once."""
    known = np.full(value.shape, UNKNOWN, np.int64)
    codes_of_text, codes = _codes(value, literals, free)
    for length in range(1, _LONGEST_RUN + 1):
        runs = (_by_runs(codes, codes_of_text, axis, length) for axis in range(value.ndim if length > 1 else 1))
        known = max((*runs, known), key=lambda places: np.count_nonzero(places != UNKNOWN))
        if np.count_nonzero(known != UNKNOWN) >= _MOSTLY * known.size:
            break
    return known


def _codes(
    value: Array, literals: NumberLiterals, free: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Returns a number for each literal and for each element, the same for the same value; -1 for literals not free.

    Elements without a literal of their value have -2.
    """
    printed, of_text = np.unique(literals.values, return_inverse=True)
    tolerances = np.full(len(printed), np.inf)
    np.minimum.at(tolerances, of_text, literals.tolerances)
    after = np.clip(np.searchsorted(printed, value), 1, max(len(printed) - 1, 1))
    before, after = after - 1, np.minimum(after, len(printed) - 1)
    nearest = np.where(np.abs(printed[before] - value) <= np.abs(printed[after] - value), before, after)
    is_there = np.abs(printed[nearest] - value) <= tolerances[nearest]
    return np.where(free, of_text.reshape(-1), -1), np.where(is_there, nearest, -2)


def _by_runs(codes: NDArray[np.int64], of_text: NDArray[np.int64], axis: int, length: int) -> Places:
    """Returns the places of runs of elements along an axis that occur once in the tensor and once in the text."""
    places = np.full(codes.shape, UNKNOWN, np.int64)
    rows, found = np.moveaxis(codes, axis, -1), np.moveaxis(places, axis, -1)
    if rows.shape[-1] < length or len(of_text) < length:
        return places
    count, starts = rows.shape[-1] - length + 1, len(of_text) - length + 1
    own, others = rows[..., :count].reshape(-1), of_text[:starts]
    is_whole, others_whole = own >= 0, others >= 0
    for step in range(1, length):
        following, behind = rows[..., step : step + count].reshape(-1), of_text[step : step + starts]
        is_whole, others_whole = is_whole & (following >= 0), others_whole & (behind >= 0)
        both = np.concatenate([own * (len(of_text) + 1) + following, others * (len(of_text) + 1) + behind])
        _, packed = np.unique(both, return_inverse=True)
        own, others = packed.reshape(-1)[: len(own)], packed.reshape(-1)[len(own) :]
    size = int(max(own.max(initial=0), others.max(initial=0))) + 1
    once = np.bincount(own[is_whole], minlength=size) == 1
    once &= np.bincount(others[others_whole], minlength=size) == 1
    start_of = np.full(size, UNKNOWN, np.int64)
    start_of[others[others_whole]] = np.flatnonzero(others_whole)
    is_once = is_whole & once[np.where(is_whole, own, 0)]
    start = np.where(is_once, start_of[np.where(is_once, own, 0)], UNKNOWN).reshape(*rows.shape[:-1], count)
    for step in range(length):
        part = found[..., step : step + count]
        part[start != UNKNOWN] = (start + step)[start != UNKNOWN]
    return places


def _has_value(value: Array, places: Places, literals: NumberLiterals) -> NDArray[np.bool_]:
    """Masks elements whose value is that of the literal at a place."""
    at = np.clip(places, 0, len(literals) - 1)
    is_there = (places >= 0) & (places < len(literals))
    return np.asarray(is_there & (np.abs(literals.values[at] - value) <= literals.tolerances[at]))


# -- one axis ----------------------------------------------------------------------------------------------


def _along_one_axis(value: Array, literals: NumberLiterals, known: Places) -> Iterator[tuple[Places, Places]]:
    """Yields the places of a row, whose elements follow each other: first by the longest rising part, then sorted."""
    held = _rising(known)
    steps = Counter(np.diff(held)[(held[1:] != UNKNOWN) & (held[:-1] != UNKNOWN)].tolist())
    step = steps.most_common(1)[0][0] if steps else 1
    due = np.full(len(held), UNKNOWN, np.int64)
    there = np.flatnonzero(held != UNKNOWN)
    for element in np.flatnonzero(held == UNKNOWN) if len(there) else ():
        after = np.searchsorted(there, element)
        left, right = there[after - 1] if after else None, there[after] if after < len(there) else None
        if left is not None and right is not None:
            between, gap = right - left, held[right] - held[left]
            due[element] = held[left] + (element - left) * (gap // between) if gap % between == 0 else UNKNOWN
        elif left is not None:
            due[element] = held[left] + (element - left) * step
        elif right is not None:
            due[element] = held[right] - (right - element) * step
    if 2 * len(there) >= len(held):
        yield _told(value, literals, held, due)
    if (known != UNKNOWN).all():
        yield from _exchanged(value, literals, known, np.sort(known))


def _exchanged(
    value: Array, literals: NumberLiterals, known: Places, ordered: Places
) -> Iterator[tuple[Places, Places]]:
    """Yields the places in another order, if that exchanges two of them."""
    if np.count_nonzero(ordered != known) == _EXCHANGED:
        yield _told(value, literals, np.where(ordered == known, known, UNKNOWN), ordered)


def _told(value: Array, literals: NumberLiterals, held: Places, due: Places) -> tuple[Places, Places]:
    """Separates the elements that are due at a place by whether their value is there."""
    due = np.where((held == UNKNOWN) & (due >= 0) & (due < len(literals)), due, UNKNOWN)
    right = _has_value(value, due, literals)
    return np.where(right, due, held), np.where(right, UNKNOWN, due)


def _rising(places: Places) -> Places:
    """Returns the places of the longest part that rises; the others are unknown."""
    tails: list[int] = []
    at: list[int] = []
    before = np.full(len(places), -1, np.int64)
    for element in np.flatnonzero(places != UNKNOWN).tolist():
        rank = bisect_left(tails, int(places[element]))
        before[element] = at[rank - 1] if rank else -1
        tails[rank : rank + 1], at[rank : rank + 1] = [int(places[element])], [element]
    found = np.full(len(places), UNKNOWN, np.int64)
    element = at[-1] if at else -1
    while element >= 0:
        found[element], element = places[element], int(before[element])
    return found


# -- several axes ------------------------------------------------------------------------------------------


def _along_axes(value: Array, literals: NumberLiterals, known: Places, most: int) -> Iterator[tuple[Places, Places]]:
    """Yields the places of a tensor of at least two axes, by the predictions of its neighbours."""
    held = _agreed(_filled(value, literals, known))
    held = _agreed(_filled(value, literals, held))  # a value that is elsewhere by chance kept out what belongs there
    due = np.full(value.shape, UNKNOWN, np.int64)
    away = np.argwhere(held == UNKNOWN)
    if len(away) <= most:
        for element in map(tuple, away):
            due[element] = _voted(held, element)
        yield _told(value, literals, held, due)
    if (known != UNKNOWN).all():
        for axis in range(value.ndim):
            yield from _exchanged(value, literals, known, _ordered_alike(known, axis))


def _filled(value: Array, literals: NumberLiterals, known: Places) -> Places:
    """Adds the places that neighbours predict and that the values confirm."""
    known = known.copy()
    for _ in range(_ROUNDS):
        if (known != UNKNOWN).all():
            break
        for predicted in _predictions(known):
            fits = (known == UNKNOWN) & _has_value(value, predicted, literals)
            known[fits] = predicted[fits]
    return known


def _agreed(known: Places) -> Places:
    """Returns the places that the neighbours' predictions agree with; the others are unknown."""
    agreeing, voting = np.zeros(known.shape, np.int64), np.zeros(known.shape, np.int64)
    for predicted in _predictions(known):
        voting += predicted != UNKNOWN
        agreeing += (predicted != UNKNOWN) & (predicted == known)
    return np.where((known != UNKNOWN) & (agreeing >= _AGREED * voting), known, UNKNOWN)


def _ordered_alike(places: Places, axis: int) -> Places:
    """Returns the places with those of each row along an axis in the order that most rows have."""
    rows = np.moveaxis(places, axis, -1)
    flat = rows.reshape(-1, places.shape[axis])
    order = np.argsort(flat, axis=1)
    kinds, counts = np.unique(order, axis=0, return_counts=True)
    ordered = np.empty_like(flat)
    ordered[:, kinds[counts.argmax()]] = np.sort(flat, axis=1)
    return np.moveaxis(ordered.reshape(rows.shape), -1, axis)


def _predictions(places: Places) -> Iterator[Places]:
    """Yields for every element the place that three neighbours give it, UNKNOWN where one is missing."""
    for one, other in itertools.combinations(range(places.ndim), 2):
        for by, across in itertools.product(_NEAREST if places.size > _LARGE else _DISTANCES, repeat=2):
            if abs(by) < places.shape[one] and abs(across) < places.shape[other]:
                first, second = _moved(places, one, by), _moved(places, other, across)
                third = _moved(first, other, across)
                is_known = (first != UNKNOWN) & (second != UNKNOWN) & (third != UNKNOWN)
                yield np.where(is_known, np.maximum(first + second - third, UNKNOWN), UNKNOWN)


def _moved(places: Places, axis: int, by: int) -> Places:
    """Returns for each element its neighbour's place, `by` further along an axis."""
    result = np.full(places.shape, UNKNOWN, np.int64)
    to, of = slice(max(-by, 0), places.shape[axis] - max(by, 0)), slice(max(by, 0), places.shape[axis] + min(by, 0))
    before = (slice(None),) * axis
    result[(*before, to)] = places[(*before, of)]
    return result


def _voted(held: Places, element: tuple[int, ...]) -> int:
    """Returns the place that most pairs of other elements of its rows give an element; UNKNOWN if they do not agree."""
    votes: Counter[int] = Counter()
    for one, other in itertools.combinations(range(held.ndim), 2):
        plane = held[tuple(slice(None) if axis in (one, other) else at for axis, at in enumerate(element))]
        row, column = plane[element[one]], plane[:, element[other]]
        is_known = (plane != UNKNOWN) & (row != UNKNOWN)[None] & (column != UNKNOWN)[:, None]
        votes.update((row[None] + column[:, None] - plane)[is_known].tolist())
    if not votes:
        return UNKNOWN
    (place, count), *others = votes.most_common(2)
    is_ahead = not others or count >= _AHEAD * others[0][1]
    return place if is_ahead and count >= max(_FEWEST, _ELSEWHERE * votes.total()) else UNKNOWN
