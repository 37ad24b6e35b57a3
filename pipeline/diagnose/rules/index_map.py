"""index_map: the wrong values are those of the layer with elements taken from where solved index formulas say."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.diagnose.clues.moved import others_of
from pipeline.diagnose.clues.pattern import listed
from pipeline.diagnose.clues.wired import cut_elsewhere
from pipeline.diagnose.maps.dealt import dealt_otherwise
from pipeline.diagnose.maps.index_maps import IndexMap
from pipeline.diagnose.maps.seen import Seen
from pipeline.diagnose.maps.weights_there import solved
from pipeline.diagnose.redo.redo import Change, OutputChange
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import constant_as
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, LineOf, Proposing

# Of wider rows columns are not matched; so many rows are looked at, and a column is another one as near to that.
_MOST_COLUMNS, _ROWS, _NEAR = 256, 24, 1e-4
# Of fewer elements a column is no column; so many of them are told.
_FEWEST, _TOLD = 4, 16


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
        for number, (says, taken) in enumerate((*dealt_otherwise(case), *cut_elsewhere(case), *_of_statistics(case))):
            yield self._of(says, taken, lines.result, 1.5 + number / 1000.0)
        yield from self._matched(case)

    def _matched(self, case: Case) -> Iterator[Hypothesis]:
        """For every row, or column, the one whose right values it holds; a choice for each, counted as fitted."""
        for axis, name in ((3, "column"), (2, "row")):
            actual, expected = (
                np.moveaxis(each, axis, 0).reshape(case.dims[axis], -1) for each in (case.actual, case.expected)
            )
            count, width = actual.shape
            if not 1 < count <= _MOST_COLUMNS or width < _FEWEST or not np.isfinite(actual).all():
                continue
            some = np.random.default_rng(0).choice(width, min(_ROWS, width), replace=False)
            away = np.abs(actual[:, None, some] - expected[None, :, some]).max(axis=2)
            order = away.argmin(axis=1)
            other = order != np.arange(count)
            if other.any() and away.min(axis=1).max() <= _NEAR * np.abs(expected).max():
                on = np.unique((order - np.arange(count)) % count)
                told = f"({name} + {on[0]}) mod {count}" if len(on) == 1 else ", ".join(map(str, order[:_TOLD]))
                change = OutputChange(lambda y, order=order, axis=axis: np.take(y, order, axis=axis))  # type: ignore[misc]
                says, fitted = f"writes for each {name} what belongs to {told}", 1 if len(on) == 1 else int(other.sum())
                yield self._of(says, (change,), lines.target, 1.7, fitted)

    def _of(
        self, says: str, changes: tuple[Change, ...], line: LineOf, weight: float, fitted: int = 0
    ) -> Hypothesis:  # fmt: skip
        return Hypothesis(self.cause, says, self.remedy, {}, changes, line=line, weight=weight, fitted=fitted)


def _of_statistics(case: Case) -> Iterator[tuple[str, tuple[Change, ...]]]:
    """What the pass reads of one value for several elements, such as means: those of others, of one shape together."""
    by_shape: dict[tuple[int, ...], list[str]] = {}
    for name, value in case.redo.given.items():
        made = [case.redo.values[node.outputs[0]].size for node in case.redo.readers(name)]
        if made and 1 < value.size < max(each.size for each in case.redo.given.values()) and value.size <= min(made):
            by_shape.setdefault(np.shape(value), []).append(name)
    for shape, names in by_shape.items():
        for some in (names, *([name] for name in names if len(names) > 1)):
            for says, taken in others_of(shape):
                changes = tuple(constant_as(name, lambda x, at=taken: x.reshape(-1)[at]) for name in some)  # type: ignore[misc]
                named = listed([f"'{name}'" for name in some])
                yield f"takes of {named} {says.replace('group', 'element')}", changes


def _is_simple(found: IndexMap) -> bool:
    return len(found.forms) == 1 and found.features <= {*"nchw"}
