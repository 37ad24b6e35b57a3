"""Joins the two gradients of a convolution of repeated elements: both read the same sums over boxes, drawn once."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from texelscope.pipeline.lowerings.buffered import largest
from texelscope.pipeline.lowerings.fusion.matching import Matching
from texelscope.pipeline.lowerings.fusion.repeats import BOXES
from texelscope.pipeline.lowerings.lowering import Lowering


def with_shared_boxes(passes: Matching, weights: Sequence[Lowering], others: Sequence[Lowering]) -> list[Lowering]:
    """Returns all these forms; gradients of weights are part of that of the input where both read the same boxes."""
    found = list(others)
    for form in weights:
        place = next((i for i, other in enumerate(found) if _are_one(passes, form, other)), None)
        if place is None:
            found.append(form)
        else:
            found[place] = _joined(form, found[place])
    return found


def _are_one(passes: Matching, weights: Lowering, other: Lowering) -> bool:
    """Whether both begin with the same boxes, and nobody reads the first one's result before the second is there."""
    if BOXES not in weights.steps[0].targets or weights.steps[0] != other.steps[0]:
        return False
    last = passes.place(other.covers[-1])
    return passes.place(weights.covers[-1]) < last < min(passes.first_read(key) for key in weights.writes)


def _joined(first: Lowering, second: Lowering) -> Lowering:
    one, other = first.tuned, second.tuned
    return dataclasses.replace(
        second,
        covers=(*first.covers, *second.covers),
        reads=tuple(dict.fromkeys((*first.reads, *second.reads))),
        writes=(*first.writes, *second.writes),
        steps=(*first.steps, *second.steps[1:]),
        scratch=tuple(dict.fromkeys((*first.scratch, *second.scratch))),
        buffers=largest((*first.buffers, *second.buffers)),
        tuned=None if one is None or other is None else lambda: _joined(one(), other()),
    )
