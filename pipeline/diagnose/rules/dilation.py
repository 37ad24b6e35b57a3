"""dilation: the wrong values are those of the layer whose taps lie at other distances."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.diagnose.evidence.stored_values import Beyond
from pipeline.diagnose.maps.seen import Seen
from pipeline.diagnose.redo.window_sum import Pair, WindowSum
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import window_with
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, LineOf
from pipeline.operators.families.registry import facts_of

_LARGEST = 4
_BEYOND: tuple[Beyond, ...] = ("zero", "texel", "fetch", "edge")


class Dilation(Seen):
    """The taps of the window lie at other distances."""

    cause = "dilation"
    remedy = "Multiply the number of the tap by the dilation of the layer."
    band = Band.WINDOW

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Every pair up to four, those with one axis right before others."""
        for window in case.windows():
            known = window.stored is not None and case.reads_rightly(window.stored.stored.tensor)
            if known or window.kernel == (1, 1) or window.size == (1, 1):
                continue
            is_turned = any(
                facts_of(node).window == "transposed" for node in case.redo.nodes if node.name == window.node
            )
            every = range(1, _LARGEST + 1)
            for got in ((y, x) for y in every for x in every if (y, x) != window.dilation):
                for beyond in _BEYOND if window.stored is not None else ("zero",):
                    yield self._hypothesis(window, got, beyond, window.first)
                    if is_turned:
                        yield self._hypothesis(window, got, beyond, _from_last(window, got))

    def _hypothesis(self, window: WindowSum, got: Pair, beyond: Beyond, first: Pair) -> Hypothesis:
        right = window.dilation
        simple = got[0] == got[1]
        return Hypothesis(
            self.cause,
            f"reads taps ({got[1]}, {got[0]}) texels apart (x, y) instead of ({right[1]}, {right[0]})",
            f"Multiply the number of the tap by ({right[1]}, {right[0]}).",
            {"expected": [right[1], right[0]], "got": [got[1], got[0]]},
            (window_with(window.node, dilation=got, beyond=beyond, first=first),),
            line=_line(right, got),
            weight=(1.0 if simple else 1.1) + (0.5 if beyond != "zero" else 0.0),
            in_pairs=simple and beyond == "zero" and got[0] <= 2,
        )


def _from_last(window: WindowSum, got: Pair) -> Pair:
    """Where tap 0 falls if the last one, the first as a transposed convolution counts, stays where it is."""
    return (
        window.first[0] + (window.kernel[0] - 1) * (window.dilation[0] - got[0]),
        window.first[1] + (window.kernel[1] - 1) * (window.dilation[1] - got[1]),
    )


def _line(right: Pair, got: Pair) -> LineOf:
    axis = 0 if got[0] != right[0] else 1
    return lines.first(lines.setting(("dilation", "rate", "spacing"), got[axis], "yx"[axis]), lines.read())
