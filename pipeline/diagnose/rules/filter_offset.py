"""filter_offset: the wrong values are those of the layer with its weights read some places further on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.clues.contributions import filters_used
from pipeline.diagnose.clues.moved import along
from pipeline.diagnose.clues.tap_pattern import in_order
from pipeline.diagnose.clues.weights import moved_weights, weight_read, weighted_windows
from pipeline.diagnose.evidence.stored_values import Beyond
from pipeline.diagnose.redo.redo import Change
from pipeline.diagnose.redo.window_sum import WindowSum
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import constant_as, window_with
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule

Array = NDArray[Any]

_AXES = ("output", "input", "row", "column")
_OFFSETS = (1, -1, 2, -2, 4, -4, 3, -3)
_BEYOND: tuple[Beyond, ...] = ("edge", "zero", "texel", "fetch")


class FilterOffset(Rule):
    """Another filter's weights are used, or weights some places further on."""

    cause = "filter_offset"
    band = Band.WINDOW

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Offsets along each axis of the weights and in memory; one filter for all; the order reversed."""
        for window, tensor, value in weighted_windows(case):
            for axis in range(value.ndim):
                yield from self._offsets(case, tensor, value, axis, stored=weight_read(case, window.node) is not None)
            yield from self._alike(case, tensor, value)
            yield from self._matched(case, window, tensor)
            for offset in (1, -1, 4, -4):
                flat = np.roll(value.reshape(-1), -offset)
                yield self._hypothesis(_as(tensor, flat), tensor, "memory", offset, 1.5)

    def _offsets(self, case: Case, tensor: str, value: Array, axis: int, *, stored: bool) -> Iterator[Hypothesis]:
        name = _AXES[axis] if value.ndim == 4 else ("inner", "output")[axis % 2]
        of_view = axis + 4 - value.ndim
        if name in ("input", "inner") and _reads_in_order(case, tensor, of_view):
            return
        for offset in _OFFSETS:
            if abs(offset) > value.shape[axis] and abs(offset) != 4:
                continue
            light = abs(offset) / 100.0
            yield self._hypothesis(_as(tensor, np.roll(value, -offset, axis)), tensor, name, offset, 1.0 + light)
            nothing = abs(offset) >= value.shape[axis]  # all of it lies outside: any other reason would do as well
            for weight, beyond in enumerate(_BEYOND if stored and not nothing else ()):
                change = moved_weights(case, tensor, along(of_view, offset), beyond)
                yield self._hypothesis(change, tensor, name, offset, 1.2 + light + weight / 1000.0)

    def _alike(self, case: Case, tensor: str, value: Array) -> Iterator[Hypothesis]:
        """One filter for all, or all in reverse order."""
        if value.ndim != 4:
            return
        ways: list[tuple[Array, dict[str, Any], str]] = [
            (np.broadcast_to(value[i : i + 1], value.shape), {"filter": i}, f"filter {i} used for every output")
            for i in range(min(len(value), 4))
        ]
        ways.append((value[::-1], {"order": "reversed"}, "the filters used in reverse order"))
        if not _reads_in_order(case, tensor, 1):
            ways.append((value[:, ::-1], {"order": "reversed"}, "each filter's inputs used in reverse order"))
        for weight, (taken, parameters, says) in enumerate(ways):
            yield Hypothesis(
                self.cause,
                f"of '{tensor}' {says}",
                "Read the filter of the output channel.",
                parameters,
                (_as(tensor, taken),),
                line=lines.read(tensor),
                weight=1.4 + weight / 100.0,
            )

    def _matched(self, case: Case, window: WindowSum, tensor: str) -> Iterator[Hypothesis]:
        """For each output the filter that gives what came out, where there is one for all."""
        used = filters_used(case, window)
        if used is None or np.array_equal(used, np.arange(len(used))):
            return
        assert window.weights is not None
        yield Hypothesis(
            self.cause,
            f"of '{tensor}' other outputs' filters used: for output 0, 1 … number {', '.join(map(str, used[:8]))}",
            "Read the filter of the output channel.",
            {"filters": used[:16].tolist()},
            (window_with(window.node, weights=window.weights[used]),),
            line=lines.read(tensor),
            weight=1.6,
            fitted=int(np.count_nonzero(used != np.arange(len(used)))),
        )

    def _hypothesis(self, change: Change, tensor: str, axis: str, offset: int, weight: float) -> Hypothesis:
        return Hypothesis(
            self.cause,
            f"the weights '{tensor}' read {abs(offset)} {'further on' if offset > 0 else 'back'} along {axis}",
            "Read the weights at the indices of output, input and tap.",
            {"axis": axis, "offset": offset},
            (change,),
            line=lines.read(tensor),
            weight=weight,
            in_pairs=axis == "output" and abs(offset) == 1 and weight < 1.1,
        )


def _as(tensor: str, value: Array) -> Change:
    return constant_as(tensor, lambda _old: value)


def _reads_in_order(case: Case, tensor: str, axis: int) -> bool:
    """Whether the weights are read in order, and are those of the model."""
    return tensor not in case.evidence.facts.get("other_constants", ()) and bool(in_order(case, tensor, axis))
