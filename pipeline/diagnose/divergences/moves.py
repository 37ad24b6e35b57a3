"""Names reads of other elements than the model's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.divergences.observing import ElementDivergences, PassDivergences
from texelscope.pipeline.diagnose.divergences.seen import Ints, Seen, coordinates, output_coordinates
from texelscope.pipeline.operators.families.registry import facts_of
from texelscope.pipeline.symbolic.canonical import Place
from texelscope.pipeline.symbolic.kinds import Missed, Moved

# Windows of usual sizes leave the picture this near to its border.
_BORDER = 4
# If a border causes the errors, at least this share of some row or column is wrong.
_ALONG = 0.5


def seen_in_moves(found: PassDivergences, inner: Sequence[tuple[int, Moved]]) -> Seen | None:
    """Names how elements that are read lie beside those that the model reads."""
    moves = [each for _, each in inner]
    if len({each.is_weight for each in moves}) > 1:
        return None
    if all(each.expected[0] != each.got[0] for each in moves):
        return None if moves[0].is_weight else Seen(causes.WRONG_INPUT, f"reads '{moves[0].got[0]}'")
    right, got = (coordinates(found, [getattr(each, name) for each in moves]) for name in ("expected", "got"))
    if right is None or got is None:
        return None
    step = got - right
    outputs = output_coordinates(found, [element for element, _ in inner])
    is_of_pictures = not step[:, :2].any() and len({tuple(each) for each in outputs[:, 2:].tolist()}) > 1
    if is_of_pictures and not moves[0].is_weight and _are_of_all_taps(found, moves):
        if (step == step[0]).all():
            return Seen(causes.SHIFT, f"reads {step[0, 3]:+d} columns and {step[0, 2]:+d} rows off")
        if _follows(step[:, 2:], outputs[:, 2:]):
            return Seen(causes.STRIDE, "reads further off for every further output")
    return Seen(causes.INDEX_MAP, f"reads other elements of '{moves[0].got[0]}'")


def seen_beyond(elements: Sequence[ElementDivergences]) -> Seen:
    """Names other reads at the border: of padding or, if they are more, of what lies beside the tile."""
    every = [each for element in elements for each in element.divergences]
    places = [each.got if isinstance(each, Moved) else each.place for each in every
              if isinstance(each, Moved) or (isinstance(each, Missed) and each.is_extra)]  # fmt: skip
    if places and all(index < 0 for _, index in places):
        return Seen(causes.TILE_BLEED, "reads padding beyond the picture's border")
    return Seen(causes.PADDING_MODE, "reads other values beyond the picture's border")


def is_at_border(found: PassDivergences) -> bool:
    """Whether a window goes over pictures, and all wrong elements lie at their border, and there are others."""
    facts = [facts_of(node) for node in found.nodes]
    if not any(each.window not in (None, "product") or each.may_move for each in facts):
        return False
    _, _, height, width = as_nchw(found.output)
    wrong = np.flatnonzero(found.wrong)
    pictures = found.wrong.reshape(-1, height, width)
    pictures = pictures[pictures.any(axis=(1, 2))]
    if max(pictures.mean(axis=axis).max(initial=0.0) for axis in (1, 2)) < _ALONG:
        return False
    rows, columns = np.divmod(wrong % (height * width), width)
    depth = np.minimum(np.minimum(rows, height - 1 - rows), np.minimum(columns, width - 1 - columns))
    deepest = (min(height, width) - 1) // 2
    return bool(depth.max(initial=0) < min(_BORDER, deepest)) and len(wrong) < found.wrong.size


def taps_of(found: PassDivergences, weights: Sequence[Place]) -> Literal["all", "some", "unknown"]:
    """Whether weights are of all taps of their kernel."""
    kernel = coordinates(found, weights)
    if kernel is None:
        return "unknown"
    rows, columns = as_nchw(found.shapes[weights[0][0]])[2:]
    return "all" if len({tuple(each) for each in kernel[:, 2:].tolist()}) == rows * columns else "some"


def _are_of_all_taps(found: PassDivergences, moves: Sequence[Moved]) -> bool:
    """Whether reads for every tap of a kernel are among them."""
    weights = [each.weight for each in moves if each.weight is not None]
    return not weights or taps_of(found, weights) == "all"


def _follows(step: Ints, place: Ints) -> bool:
    """Whether steps along each axis are a straight line over the place along it, and not constant along some axis."""
    is_constant = True
    for axis in (0, 1):
        known: dict[int, int] = {}
        for at, by in zip(place[:, axis].tolist(), step[:, axis].tolist(), strict=True):
            if known.setdefault(at, by) != by:
                return False
        items = sorted(known.items())
        if len({by for _, by in items}) > 1:
            is_constant = False
            (x0, y0), (x1, y1) = items[0], items[-1]
            if not all((y - y0) * (x1 - x0) == (y1 - y0) * (x - x0) for x, y in items):
                return False
    return not is_constant
