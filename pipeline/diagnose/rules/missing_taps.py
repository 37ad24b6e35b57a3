"""missing_taps: the wrong values are those of the layer without some taps, guessed, or solved for by least squares."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from pipeline.diagnose.clues.contributions import shares_of_taps
from pipeline.diagnose.mistakes.local_response import windows
from pipeline.diagnose.redo.redo import WindowChange
from pipeline.diagnose.redo.window_sum import Pair, WindowSum
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import window_with
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule

Taps = frozenset[Pair]
# Up to so many taps each is tried alone.
_FEW = 64


class MissingTaps(Rule):
    """Some taps of the window are not read: a row or column short."""

    cause = "missing_taps"
    band = Band.WINDOW

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Outer rows and columns first, then single taps, then those that least squares finds absent."""
        for window in case.windows():
            rows, columns = window.kernel
            if window.kernel == (1, 1) or case.uses_all_reads(window.stored):
                continue
            seen: set[Taps] = set()
            usual = tuple(_sets(window))
            for weight, (text, taps) in enumerate((*usual, *_solved(case, window))):
                if not taps or taps in seen or len(taps) == rows * columns:
                    continue
                seen.add(taps)
                fitted = len(taps) if weight >= len(usual) else 0
                light = 1.0 + weight / 100.0
                change = window_with(window.node, left_out=taps)
                yield self._hypothesis(window, text, taps, change, light, pairs=weight < 3, fitted=fitted)
                if window.kind == "mean":  # the count may be that of all taps nevertheless
                    change = WindowChange(window.node, _sum_without(taps))
                    yield self._hypothesis(window, text, taps, change, light + 0.001, fitted=fitted)

            yield from self._borders(window)
        for node, extra, text, local in windows(case):
            if extra < 0:
                yield Hypothesis(
                    self.cause, f"{node.op_type} sums over a window {text}", "Let the loop run over the whole window.",
                    {"count": -extra}, (local,), line=lines.summand(), weight=1.0 - extra / 10.0,
                )  # fmt: skip

    def _borders(self, window: WindowSum) -> Iterator[Hypothesis]:
        """A border test that is too strict: an outer row or column of the picture counts as outside."""
        if window.kind == "mean":
            return
        for text, place in (
            ("last row", np.s_[:, :, -1:]), ("last column", np.s_[..., -1:]),
            ("first row", np.s_[:, :, :1]), ("first column", np.s_[..., :1]),
        ):  # fmt: skip
            source = np.array(window.source)
            source[place] = window.outside
            yield Hypothesis(
                self.cause, f"takes the {text} of the picture for outside", "Compare with the picture's size itself.",
                {"border": text}, (window_with(window.node, source=source, stored=None),),
                line=lines.summand(), weight=2.0,
            )  # fmt: skip

    def _hypothesis(
        self, window: WindowSum, text: str, taps: Taps, change: WindowChange, weight: float, *, pairs: bool = False,
        fitted: int = 0,
    ) -> Hypothesis:  # fmt: skip
        rows, columns = window.kernel
        gap = min(p * columns + q for p, q in taps)
        return Hypothesis(
            self.cause,
            f"leaves out {text} of the {columns}x{rows} window ({len(taps)} tap{'s' * (len(taps) > 1)})",
            "Let the loops run over the whole kernel.",
            {"taps": sorted([q, p] for p, q in taps)},
            (change,),
            line=lines.first(lines.repeated(rows * columns - len(taps), gap), lines.summand()),
            weight=weight,
            in_pairs=pairs,
            fitted=fitted,
        )


def _sum_without(taps: Taps) -> Callable[[WindowSum], WindowSum]:
    """The mean without some taps, divided by the number of all: where all lie inside."""

    def change(window: WindowSum) -> WindowSum:
        return window.replaced(left_out=taps, count=float(window.kernel[0] * window.kernel[1]))

    return change


def _sets(window: WindowSum) -> Iterator[tuple[str, Taps]]:
    rows, columns = window.kernel
    every = [(p, q) for p in range(rows) for q in range(columns)]

    def chosen(test: Callable[[int, int], bool]) -> Taps:
        return frozenset(tap for tap in every if test(*tap))

    # A transposed convolution's window counts taps backwards.
    last, first = ("first", "last") if window.inner != (0, 0) else ("last", "first")
    ends = {
        last: (chosen(lambda p, q: q == columns - 1), chosen(lambda p, q: p == rows - 1)),
        first: (chosen(lambda p, q: q == 0), chosen(lambda p, q: p == 0)),
    }
    for name, (column, row) in ends.items():
        yield f"the {name} column", column
        yield f"the {name} row", row
        yield f"the {name} row and column", column | row
    for lost in range(2, max(rows, columns)):
        behind = chosen(lambda p, q, k=lost: q >= columns - k), chosen(lambda p, q, k=lost: p >= rows - k)  # type: ignore[misc]
        ahead = chosen(lambda p, q, k=lost: q < k), chosen(lambda p, q, k=lost: p < k)  # type: ignore[misc]
        for name, (across, down) in ((last, behind), (first, ahead)):
            yield f"the {name} {lost} columns", across
            yield f"the {name} {lost} rows", down
            yield f"the {name} {lost} rows and columns", across | down
    yield "the outer ring", chosen(lambda p, q: p in (0, rows - 1) or q in (0, columns - 1))
    yield "all but the first tap", chosen(lambda p, q: (p, q) != (0, 0))
    yield "all but the middle tap", chosen(lambda p, q: (p, q) != (rows // 2, columns // 2))
    if len(every) <= _FEW:
        for tap in every:
            yield f"tap ({tap[1]}, {tap[0]})", frozenset({tap})


def _solved(case: Case, window: WindowSum) -> Iterator[tuple[str, Taps]]:
    shares = shares_of_taps(case, window)
    if shares is not None:
        yield "taps", frozenset((int(p), int(q)) for p, q in np.argwhere(np.abs(shares) < 0.05))
