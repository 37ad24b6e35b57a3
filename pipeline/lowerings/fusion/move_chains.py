"""Finds passes in a row that only move elements, as attention has them around its heads."""

from __future__ import annotations

import math
from collections.abc import Sequence

from texelscope.layouts.row_major_rgba import RowMajorRgba
from texelscope.pipeline.lowerings.fusion.matching import Matching
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.lowerings.moves import Digit, can_move, is_move, move_form, moved, whole
from texelscope.pipeline.plan import Pass


def move_forms(passes: Matching) -> list[Lowering]:
    """Returns a form for each run of passes that move elements of one tensor into another."""
    found: list[Lowering] = []
    taken: set[str] = set()
    for each in passes.passes:
        if each.name in taken:
            continue
        form = _form(passes, each)
        if form is not None:
            found.append(form)
            taken.update(form.covers)
    return found


def _form(passes: Matching, first: Pass) -> Lowering | None:
    textures = passes.plan.textures
    x = textures.get(first.reads[0]) if first.reads and is_move(passes.node(first)) else None
    if x is None or x.role == "constant" or not can_move(x):
        return None
    chain = [first]
    following = passes.only_reader(first.output)
    while following is not None and is_move(passes.node(following)):
        chain.append(following)
        following = passes.only_reader(following.output)
    y = textures[chain[-1].output]
    if not can_move(y):
        return None
    digits: Sequence[Digit] | None = whole(math.prod(x.shape))
    for each in chain:
        digits = moved(passes.call(each), digits) if digits is not None else None
    if digits is None:
        return None
    is_copy = len(digits) <= 1 and isinstance(x.layout, RowMajorRgba) and isinstance(y.layout, RowMajorRgba)
    return None if is_copy else move_form(digits, x.key, y.key, [each.name for each in chain], textures)
