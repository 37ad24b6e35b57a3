"""Describes where elements lie in few numbers, and restricts a hypothesis to such a region.

A region has some pictures, channels, rows and columns, in all combinations, or some columns, rows and lanes of the
texture. Choosing element by element would fit anything; a region has a few places along each axis at most, and they
are counted.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit, NodeChange, OutputChange
from texelscope.pipeline.diagnose.model_slice.window_sum import DoesNotApplyError
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis
from texelscope.pipeline.graph import Node

Array = NDArray[Any]
Places = tuple[int, ...]
_OF_VIEW = ("picture", "channel", "row", "column")
_OF_TEXTURE = ("texel row", "texel column", "lane")
_SHOWN = 6
# Parts are tried if the hypothesis, applied everywhere, explains at least this share of the wrong elements.
_MOST, _FRACTION = 0.9, 1.0 / 16.0


@dataclass(frozen=True)
class Region:
    """A region: `mask`, bool [N, C, H, W], says which elements lie in it, `numbers` how many numbers describe it.

    Its text completes "in …".
    """

    mask: NDArray[np.bool_]
    numbers: int
    says: str

    def __str__(self) -> str:
        return self.says


def regions(elements: NDArray[np.bool_], address: NDArray[np.integer[Any]]) -> Iterator[Region]:
    """Yields the smallest regions that contain `elements`, bool [N, C, H, W]: by one axis, and by all.

    Axes are those of the 4-d view and of the texture. `address` [height, width, lanes] says which element, in linear
    order, lies where, -1 for none. All elements are no region; regions of fewer numbers come first.
    """
    there = address >= 0
    texels = np.zeros(address.shape, dtype=bool)
    texels[there] = elements.reshape(-1)[address[there]]
    found = []
    for inside, names in ((elements, _OF_VIEW), (texels, _OF_TEXTURE)):
        every = tuple(tuple(range(size)) for size in inside.shape)
        box = _box(inside)
        limited = [axis for axis in range(inside.ndim) if len(box[axis]) < inside.shape[axis]]
        for axes in dict.fromkeys((*((axis,) for axis in limited), tuple(limited))):
            places = tuple(box[axis] if axis in axes else every[axis] for axis in range(inside.ndim))
            mask = np.zeros(inside.shape, dtype=bool)
            mask[np.ix_(*places)] = True
            if inside is texels:
                flat = np.zeros(elements.size, dtype=bool)
                flat[address[mask & there]] = True
                mask = flat.reshape(elements.shape)
            numbers = sum(_numbers(each, size) for each, size in zip(places, inside.shape, strict=True))
            if axes and not mask.all():
                found.append(Region(mask, numbers, _told(places, inside.shape, names)))
    found += _border(elements)
    yield from sorted(found, key=lambda region: region.numbers) if elements.any() else ()


def _border(elements: NDArray[np.bool_]) -> list[Region]:
    """Returns the rows and columns around the innermost rectangle without any, if the border is equally wide all round.

    A border that reaches the middle does not count.
    """
    rows, columns = elements.shape[2:]
    y, x = np.arange(rows)[:, None], np.arange(columns)
    away = np.minimum(np.minimum(y, rows - 1 - y), np.minimum(x, columns - 1 - x))
    widest = int(away[elements.any(axis=(0, 1))].max(initial=-1)) + 1
    mask = np.broadcast_to(away < widest, elements.shape)
    if not widest or mask.all():
        return []
    return [Region(mask, 1, "the border" if widest == 1 else f"the border of {widest}")]


def _told(places: tuple[Places, ...], shape: Places, names: tuple[str, ...]) -> str:
    parts = [
        f"{name}{'s' if len(each) > 1 else ''} {_listed(each)} of {size}"
        for name, each, size in zip(names, places, shape, strict=True)
        if len(each) < size
    ]
    return ", ".join(parts)


def _box(inside: NDArray[np.bool_]) -> tuple[Places, ...]:
    """Returns for each axis the places at which something is set, in order."""
    every = range(inside.ndim)
    return tuple(
        tuple(np.flatnonzero(inside.any(axis=tuple(other for other in every if other != axis))).tolist())
        for axis in every
    )


def _numbers(places: Places, size: int) -> int:
    """Returns how many numbers describe the places along an axis: 0 for all, 1 for an end, 2 for a step, else each."""
    if len(places) == size:
        return 0
    if len(places) == 1 or places in (tuple(range(len(places))), tuple(range(size - len(places), size))):
        return 1
    regular = len({later - place for place, later in itertools.pairwise(places)}) == 1
    return 2 if regular else min(len(places), size - len(places))


def _listed(places: Places) -> str:
    return ", ".join(map(str, places[:_SHOWN])) + (" …" if len(places) > _SHOWN else "")


def with_parts(case: FailingPass, whole: Hypothesis) -> Iterator[Hypothesis]:
    """Yields the hypothesis for all elements, then restricted to the wrong ones."""
    yield whole
    yield from in_parts(case, whole)


def in_parts(case: FailingPass, whole: Hypothesis) -> Iterator[Hypothesis]:
    """Yields the hypothesis restricted to the wrong elements, with the oracle elsewhere: one for each such region.

    Yields nothing if it does not reproduce the wrong elements, or if none is right.
    """
    if len(whole.changes) != 1 or case.wrong.all() or not reproduces_wrong(case, whole.changes):
        return
    for number, region in enumerate(regions(case.wrong, case.address)):
        change = _limited(case, whole.changes[0], region.mask)
        if change is not None:
            yield dataclasses.replace(
                whole,
                says=f"{whole.says} in {region}",
                parameters={**whole.parameters, "part": str(region)},
                changes=(change,),
                prior=whole.prior + 0.2 + number / 1000.0,
                in_pairs=False,
                fitted=whole.fitted + region.numbers,
            )


def reproduces_wrong(case: FailingPass, changes: Sequence[ModelEdit]) -> bool:
    """Whether the edits reproduce most wrong elements, whatever they do to the others."""
    try:
        left, before = case.errors_at_sample(changes), case.errors_at_sample(())
    except DoesNotApplyError:
        return False
    with np.errstate(all="ignore"):
        return bool(left.size and np.mean(left <= _FRACTION * before) >= _MOST)


def _limited(case: FailingPass, change: ModelEdit, mask: NDArray[np.bool_]) -> ModelEdit | None:
    """Returns the edit inside the mask only; None if its elements do not lie as the output's do."""
    if isinstance(change, OutputChange):
        return OutputChange(lambda y: np.where(mask, change.change(y), y))
    if not isinstance(change, NodeChange):
        return None
    node = case.model_slice.named(change.node)
    if not _leads_straight(case, node):
        return None
    inside = mask.reshape(case.model_slice.values[node.outputs[0]].shape)

    def changed(node: Node, inputs: Sequence[Array | None]) -> Array:
        return np.where(inside, change.change(node, inputs), case.model_slice.run_node(node, inputs))

    return NodeChange(node.name, changed)


def _leads_straight(case: FailingPass, node: Node) -> bool:
    """Whether each of the node's elements becomes that of the result in the same place."""
    tail = case.model_slice.tail()
    straight = {*(name for each in tail for name in each.outputs), case.model_slice.before_tail()}
    return node.outputs[0] in straight and case.model_slice.values[node.outputs[0]].size == case.wrong.size
