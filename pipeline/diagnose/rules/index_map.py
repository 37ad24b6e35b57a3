"""index_map: the wrong values are those of the layer with elements taken from where solved index formulas say."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.diagnose.maps.index_maps import IndexMap
from pipeline.diagnose.maps.seen import Seen
from pipeline.diagnose.maps.weights_there import solved
from pipeline.diagnose.redo.redo import OutputChange
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Proposing

# Of wider rows columns are not matched; so many rows are looked at, and a column is another one as near to that.
_MOST_COLUMNS, _ROWS, _NEAR = 256, 24, 1e-4


class IndexMapRule(Seen):
    """Elements are taken from other places, by a formula of the indices that has no name of its own."""

    cause = "index_map"
    band = Band.READS
    remedy = "Work the index out as the layer does: what the map changes is to be left as it is."

    def turns(self) -> tuple[tuple[Band, Proposing], ...]:
        """One formula of the place expected is seen; before others goes what has a name that no formula tells.

        Such as a whole texture turned, or elements written elsewhere.
        """
        return ((Band.DRAWING, self._simple), (self.band, self._other))

    def _simple(self, case: Case) -> Iterator[Hypothesis]:
        return self.seen(case, _is_simple)

    def _other(self, case: Case) -> Iterator[Hypothesis]:
        yield from solved(case, self.cause)
        yield from self.seen(case, lambda found: not _is_simple(found))
        yield from self._columns(case)

    def _columns(self, case: Case) -> Iterator[Hypothesis]:
        """Of rows of features: for every column the one whose right values it holds, where all are so many on."""
        width = case.dims[3]
        if case.dims[1] != 1 or not 1 < width <= _MOST_COLUMNS or not np.isfinite(case.actual).all():
            return
        actual, expected = (each.reshape(-1, width)[:_ROWS].T for each in (case.actual, case.expected))
        away = np.abs(actual[:, None] - expected[None]).max(axis=2)
        on = np.unique((away.argmin(axis=1) - np.arange(width)) % width)
        if len(on) == 1 and on[0] and away.min(axis=1).max() <= _NEAR * np.abs(expected).max():
            change = OutputChange(lambda y: np.roll(y, -int(on[0]), axis=3))
            yield Hypothesis(
                self.cause, f"writes for column w what belongs to (w + {on[0]}) mod {width}", self.remedy,
                changes=(change,), line=lines.target, weight=1.7, fitted=1,
            )  # fmt: skip


def _is_simple(found: IndexMap) -> bool:
    return len(found.forms) == 1 and found.features <= {*"nchw"}
