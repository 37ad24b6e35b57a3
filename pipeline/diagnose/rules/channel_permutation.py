"""channel_permutation: the wrong values are those of the layer with channels in another order, tried or matched."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.clues.moved import by, moved_input, moved_output, ordered, orders_of
from pipeline.diagnose.clues.tap_pattern import in_order
from pipeline.diagnose.evidence.evidence import ReadTensor
from pipeline.diagnose.evidence.stored_values import Beyond
from pipeline.diagnose.maps.seen import Seen
from pipeline.diagnose.maps.weights_there import solved
from pipeline.diagnose.redo.redo import Change
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, LineOf

Array = NDArray[Any]
Order = NDArray[np.int64]

# Beyond this many channels the search for an arbitrary order takes too long.
_MOST_CHANNELS = 1024
_SAMPLES = 24
_BEYOND: tuple[Beyond, ...] = ("texel", "fetch", "edge", "zero")


class ChannelPermutation(Seen):
    """Channels are read or written in another order: counted from the last, packed otherwise, red and blue swapped."""

    cause = "channel_permutation"
    remedy = "Count channels as the layout does: tile or lane k holds channel k."
    band = Band.PLACES

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Orders that shaders get by mistake, for each input; of the output the one that fits."""
        yield from solved(case, self.cause)
        for read in case.activations():
            windowed = bool(case.windows()) and read.values.dims[1] > 1
            if not (windowed and in_order(case, read.tensor, 1)):
                yield from self._read(case, read)
        order = _matching(case)
        if order is not None:
            change, fitted = moved_output(case, ordered(order), "zero"), int((order != np.arange(len(order))).sum())
            light, shown = 0.5 if case.writes_otherwise else 1.3, _short(order)
            yield self._hypothesis(
                "writes the channels in another order", change, lines.target, light, fitted=fitted, order=shown
            )

    def _read(self, case: Case, read: ReadTensor) -> Iterator[Hypothesis]:
        tensor, line = read.tensor, lines.handed(read.tensor)
        for weight, (text, order) in enumerate(orders_of(read.values.dims[1])):
            change = moved_input(read, ordered(order), "edge")
            says = f"reads the channels of '{tensor}' {text}"
            yield self._hypothesis(says, change, line, 1.1 + weight / 100, order=_short(order))
        # As many as there are, or more: all of them lie outside, and any other reason would do as well.
        for offset in (each for each in (1, -1, 2, -2) if abs(each) < read.values.dims[1]):
            for beyond in _BEYOND:
                says = f"reads channel c {offset:+d} of '{tensor}' for channel c"
                yield self._hypothesis(says, moved_input(read, by(dc=offset), beyond), line, 1.05, offset=offset)

    def _hypothesis(
        self, says: str, change: Change, line: LineOf, weight: float, *, fitted: int = 0, **parameters: Any
    ) -> Hypothesis:
        return Hypothesis(
            self.cause,
            says,
            self.remedy,
            parameters,
            (change,),
            line=line,
            weight=weight,
            fitted=fitted,
        )


def _matching(case: Case) -> Order | None:
    """For each channel the one whose right values it holds, where every channel has one of its own; -1 of zeros.

    A choice for each channel, that its elements, four at least, agree on; counted as fitted.
    """
    _, C, H, W = case.dims
    if C < 2 or C > _MOST_CHANNELS or H * W < 4:
        return None
    chosen = np.random.default_rng(0).choice(H * W, size=min(_SAMPLES, H * W), replace=False)
    actual = case.actual[0].reshape(C, -1)[:, chosen]
    expected = case.expected[0].reshape(C, -1)[:, chosen]
    if not np.isfinite(actual).all():
        return None
    distance = np.zeros((C, C))
    for sample in range(len(chosen)):  # one after the other: C² of each is memory enough
        distance = np.maximum(distance, np.abs(actual[:, sample, None] - expected[None, :, sample]))
    order = distance.argmin(axis=1)
    near = distance[np.arange(C), order] <= 1e-4 * max(float(np.abs(expected).max()), 1e-30)
    empty = ~near & ~actual.any(axis=1)
    order = np.where(empty, -1, order)
    proper = len(np.unique(order)) == C and empty.sum() <= 1 and not np.array_equal(order, np.arange(C))
    return order if (near | empty).all() and proper and (near & (order != np.arange(C))).any() else None


def _short(order: Order) -> list[int]:
    return [int(channel) for channel in order[:16]]
