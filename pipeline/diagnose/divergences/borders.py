"""Names reads beyond the border of pictures, if all errors lie there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.divergences.seen import Seen
from texelscope.pipeline.operators.families.registry import facts_of
from texelscope.pipeline.symbolic.kinds import Missed, Moved
from texelscope.pipeline.symbolic.pass_divergences import ElementDivergences, PassDivergences

# Windows of usual sizes leave the picture this near to its border.
_BORDER = 4
# If a border causes the errors, at least this share of some row or column is wrong.
_ALONG = 0.5


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
