"""Chooses other sizes for a pass: a little more and less, odd ones, and about twice as much along every other axis.

Along every axis at once, and along one alone: a shader that holds the size of one axis may follow the others.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from texelscope.pipeline.graph import Shape
from texelscope.pipeline.resizing.axes import AxisGroup, Cut, cut, is_valid_cut
from texelscope.pipeline.resizing.subject import PassSubject

# Shaders count in steps of up to this many: lanes, tiles and work groups.
_STEP = 16
# A subject with more numbers than this many times its own, and this many at least, takes too long to run.
_MOST_TIMES, _FEW = 6, 1 << 12
# At most this many groups are changed alone.
_MOST_ALONE = 2


@dataclass(frozen=True)
class OtherSize:
    """A pass on values of other sizes. `is_in_step`: its sizes have the remainders that a shader may count on."""

    subject: PassSubject
    is_in_step: bool


def other_sizes(
    subject: PassSubject,
    followed: Sequence[AxisGroup],
    others: Sequence[AxisGroup],
    is_valid: Callable[[PassSubject], bool],
    *,
    is_large: bool,
) -> Iterator[OtherSize]:
    """Yields the subject at other sizes that are valid, each once; a large one only at smaller sizes.

    First groups whose sizes the shader follows, by steps that keep the remainders by powers of two that a size has, at
    last some up and some down; then all groups, by steps and with other remainders, at last some down and some up: an
    index may hold the difference of two sizes.
    """
    seen = {_shapes(subject)}
    for groups, ways in (
        *((followed, ways) for ways in ((_a_step_more,), (_a_step_less,), (_twice, _a_step_less))),
        *(((*followed, *others), ways) for ways in ((_a_step_more,), (_one_more,), (_one_less, _one_more))),
    ):
        if is_large and not {*ways} <= {_a_step_less, _one_less}:
            continue
        resized = _changed(subject, groups, ways, is_valid)
        most = max(_MOST_TIMES * subject.elements, _FEW)
        if _shapes(resized) not in seen and resized.elements <= most:
            seen.add(_shapes(resized))
            yield OtherSize(resized, groups is followed)


def sizes_alone(
    subject: PassSubject, others: Sequence[AxisGroup], is_valid: Callable[[PassSubject], bool], *, is_large: bool
) -> Iterator[OtherSize]:
    """Yields the subject with one group changed alone, to more than twice its size and to one less.

    Heights and widths change together, to one more.
    """
    spatial = [group for group in others if group.is_spatial]
    ways = (_one_less,) if is_large else (_twice, _one_less)
    alone = [(group,) for group in others if group not in spatial][:_MOST_ALONE]
    every = [*itertools.product(alone, ways), *([(spatial, _one_less if is_large else _one_more)] if alone else [])]
    seen = {_shapes(subject)}
    most = max(_MOST_TIMES * subject.elements, _FEW)
    for groups, way in every:
        resized = _changed(subject, groups, (way,), is_valid)
        if _shapes(resized) not in seen and resized.elements <= most:
            seen.add(_shapes(resized))
            yield OtherSize(resized, is_in_step=False)


def _changed(
    subject: PassSubject,
    groups: Sequence[AxisGroup],
    ways: Sequence[Callable[[int], int]],
    is_valid: Callable[[PassSubject], bool],
) -> PassSubject:
    """Returns the subject with as many groups changed as are valid together, in turn by each of some ways."""
    cuts: dict[AxisGroup, Cut] = {}
    for group, way in zip(groups, itertools.cycle(ways), strict=False):
        size = way(group.size)
        if size < 1:
            continue
        more = {**cuts, group: Cut(size)}
        if is_valid_cut(subject, more, is_valid):
            cuts = more
    return cut(subject, cuts)


def _shapes(subject: PassSubject) -> tuple[Shape, ...]:
    return tuple(subject.shape(name) for name in subject.values)


def step_of(size: int) -> int:
    """Returns by how much a size changes so that its remainders by powers of two stay."""
    return math.gcd(size, _STEP)


def _a_step_more(size: int) -> int:
    return size + step_of(size)


def _a_step_less(size: int) -> int:
    return size - step_of(size)


def _twice(size: int) -> int:
    return 2 * size + step_of(size)


def _one_more(size: int) -> int:
    return size + 1


def _one_less(size: int) -> int:
    return size - 1
