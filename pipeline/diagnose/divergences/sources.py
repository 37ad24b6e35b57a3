"""Names elements that have the formula which the model has for other elements: by where these lie."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.divergences.places import line_over
from texelscope.pipeline.diagnose.divergences.seen import Seen, output_coordinates
from texelscope.pipeline.symbolic.pass_divergences import PassDivergences

# Fewer elements show no rule.
_FEWEST = 3


def seen_in_sources(found: PassDivergences, pairs: Sequence[tuple[int, int]]) -> Seen | None:
    """Names where the formulas of elements belong; `pairs` are an element and the one that should have its formula."""
    if len(pairs) < _FEWEST:
        return None
    at, source = (output_coordinates(found, [pair[side] for pair in pairs]) for side in (0, 1))
    steps = source - at
    if steps[:, :2].any():
        return Seen(causes.INDEX_MAP, "computes other elements of the result")
    last = np.array(as_nchw(found.output)) - 1
    for axis, cause, name in ((3, causes.FLIP_X, "columns"), (2, causes.FLIP_Y, "rows")):
        is_mirrored = np.array_equal(source[:, axis], last[axis] - at[:, axis])
        if is_mirrored and not steps[:, 5 - axis].any() and len(np.unique(at[:, axis])) >= _FEWEST:
            return Seen(cause, f"computes the result with its {name} from the other side")
    rows, columns = (line_over(steps[:, axis], at[:, axis]) for axis in (2, 3))
    if rows is None or columns is None:
        return Seen(causes.INDEX_MAP, "computes other elements of the result")
    if rows[0] or columns[0]:
        is_onward = min(rows[0], columns[0]) > -1
        return Seen(causes.STRIDE, "steps otherwise from one output to the next") if is_onward else None
    says = f"computes what belongs {columns[1]:+d} columns and {rows[1]:+d} rows off"
    return Seen(causes.SHIFT, says, {"dx": columns[1], "dy": rows[1]})
