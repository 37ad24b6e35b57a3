"""missing_taps: the wrong values are those of the layer without some taps."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from texelscope.pipeline.diagnose.fault_models.reductions import along_one, fewer, reductions
from texelscope.pipeline.diagnose.maps.classify import axes_of_weights
from texelscope.pipeline.diagnose.maps.counts import counted_of, counted_otherwise, taps_of
from texelscope.pipeline.diagnose.maps.weights_there import solved
from texelscope.pipeline.diagnose.model_slice.model_slice import WindowChange
from texelscope.pipeline.diagnose.model_slice.window_sum import Pair, WindowSum
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import (
    ANOTHER,
    BEYOND,
    MORE_READ,
    Hypothesis,
    Proposing,
    Rule,
    Stage,
    Traits,
)
from texelscope.pipeline.diagnose.trial.model_edits import window_with

Taps = frozenset[Pair]
# Windows of at most this many taps are tried tap by tap.
_FEW = 64


class MissingTaps(Rule):
    """Some taps of the window are not read: loops that end a row or column early."""

    cause = "missing_taps"
    stage = Stage.WINDOW
    family = "reading"
    traits = Traits(
        edits=("put in",),
        leaves_out=True,
        confirmed_by=frozenset({"dropped_lane", "missing_channels", "missing_taps"}),
        denied_by_reads=ANOTHER | BEYOND | MORE_READ | {"a bias twice"},
    )

    def turns(self) -> tuple[tuple[Stage, Proposing], ...]:
        """Puts causes that designed inputs show before guessed ones."""
        return ((Stage.DRAWING, self._seen), (self.stage, self.propose))

    def _seen(self, case: FailingPass) -> Iterator[Hypothesis]:
        yield from solved(case, self.cause)
        times = taps_of(case)
        if times is not None and times.max() <= 1:
            yield counted_otherwise(case, self.cause, times, "Loop over the whole picture.")
        for found in counted_of(case):
            window = next(iter(case.windows()), None)
            name = axes_of_weights(case)[1].get(found.axis, found.axis) if found.is_missing else ""
            if window is None or name not in ("p", "q", "hw"):
                continue
            rows, columns = window.kernel
            turned = window.inner != (0, 0)  # a transposed convolution's window counts taps backwards
            at = np.indices((rows, columns))
            number = {"p": at[0], "q": at[1], "hw": at[0] * columns + at[1]}[name]
            every = [(int(p), int(q)) for p, q in np.argwhere(np.isin(number, found.places))]
            taps = frozenset((rows - 1 - p, columns - 1 - q) if turned else (p, q) for p, q in every)
            yield self._hypothesis(window, "taps", taps, window_with(window.node, left_out=taps), 0.9, pairs=True)

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes outer rows and columns first, then single taps; for sums over whole pictures too."""
        for reduction in (each for each in reductions(case) if each.is_of_places):
            across = reduction.rows.view[reduction.rows.axes[-1]]
            for weight, (text, kept) in enumerate((*fewer(reduction.count, across), *along_one(reduction.rows))):
                says, lost = f"{reduction.node.op_type} leaves out {text}", reduction.count - len(kept)
                for divide in (False, True) if reduction.means else (False,):
                    yield Hypothesis(
                        self.cause, says, "Loop over the whole picture.", {"count": lost},
                        (reduction.change(lambda rows, k=kept: rows[:, k], divide=divide),),  # type: ignore[misc]
                        line=lines.summand(), prior=1.0 + weight / 100.0,
                    )  # fmt: skip
        for window in case.windows():
            rows, columns = window.kernel
            if window.kernel == (1, 1) or case.uses_all_reads(window.stored):
                continue
            seen: set[Taps] = set()
            for weight, (text, taps) in enumerate(_sets(window)):
                if not taps or taps in seen or len(taps) == rows * columns:
                    continue
                seen.add(taps)
                light = 1.0 + weight / 100.0
                change = window_with(window.node, left_out=taps)
                yield self._hypothesis(window, text, taps, change, light, pairs=weight < 3)
                if window.kind == "mean":  # the divisor may still count all taps
                    change = WindowChange(window.node, _sum_without(taps))
                    yield self._hypothesis(window, text, taps, change, light + 0.001)
            yield from self._borders(window)

    def _borders(self, window: WindowSum) -> Iterator[Hypothesis]:
        """Proposes a border test that is too strict: an outer row or column of the picture counts as outside."""
        if window.kind == "mean":
            return
        for text, place in (
            ("last row", np.s_[:, :, -1:]), ("last column", np.s_[..., -1:]),
            ("first row", np.s_[:, :, :1]), ("first column", np.s_[..., :1]),
        ):  # fmt: skip
            source = np.array(window.source)
            source[place] = window.outside
            yield Hypothesis(
                self.cause, f"treats the {text} of the picture as outside", "Compare with the picture's size itself.",
                {"border": text}, (window_with(window.node, source=source, stored=None),),
                line=lines.summand(), prior=2.0,
            )  # fmt: skip

    def _hypothesis(
        self, window: WindowSum, text: str, taps: Taps, change: WindowChange, prior: float, *, pairs: bool = False
    ) -> Hypothesis:
        rows, columns = window.kernel
        gap = min(p * columns + q for p, q in taps)
        return Hypothesis(
            self.cause,
            f"leaves out {text} of the {columns}x{rows} window ({len(taps)} tap{'s' * (len(taps) > 1)})",
            "Loop over the whole kernel.",
            {"taps": sorted([q, p] for p, q in taps)},
            (change,),
            line=lines.first(lines.repeated(rows * columns - len(taps), gap), lines.summand()),
            prior=prior,
            in_pairs=pairs,
        )


def _sum_without(taps: Taps) -> Callable[[WindowSum], WindowSum]:
    """Returns the mean without some taps, divided by the number of all, where all lie inside."""

    def change(window: WindowSum) -> WindowSum:
        return window.replaced(left_out=taps, count=float(window.kernel[0] * window.kernel[1]))

    return change


def _sets(window: WindowSum) -> Iterator[tuple[str, Taps]]:
    rows, columns = window.kernel
    every = [(p, q) for p in range(rows) for q in range(columns)]
    # A transposed convolution's window counts taps backwards.
    last, first = ("first", "last") if window.inner != (0, 0) else ("last", "first")
    for name, row, column in ((last, rows - 1, columns - 1), (first, 0, 0)):
        yield f"the {name} column", frozenset((p, q) for p, q in every if q == column)
        yield f"the {name} row", frozenset((p, q) for p, q in every if p == row)
        yield f"the {name} row and column", frozenset((p, q) for p, q in every if p == row or q == column)
    yield "the outer ring", frozenset((p, q) for p, q in every if p in (0, rows - 1) or q in (0, columns - 1))
    for text, kept in (("first", (0, 0)), ("middle", (rows // 2, columns // 2))):
        yield f"all but the {text} tap", frozenset(every) - {kept}
    for p, q in every if len(every) <= _FEW else ():
        yield f"tap ({q}, {p})", frozenset({(p, q)})
