"""shift: the wrong values are those of the layer with every place moved by the same step."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.diagnose.clues.moved import by, moved_input, moved_output
from pipeline.diagnose.evidence.stored_values import Beyond
from pipeline.diagnose.maps.asked import asked_of
from pipeline.diagnose.maps.seen import Seen
from pipeline.diagnose.redo.redo import Change
from pipeline.diagnose.redo.window_sum import WindowSum
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import window_with
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, LineOf

Dims = tuple[int, int, int, int]
Step = tuple[int, int]
_FARTHEST = 3
_WINDOW: tuple[Beyond, ...] = ("zero", "texel", "fetch", "edge")
_INPUT: tuple[Beyond, ...] = ("zero", "edge", "texel", "fetch", "wrap")


class Shift(Seen):
    """Everything is read (or written) some texels away."""

    cause = "shift"
    remedy = "Look at the padding and at offsets of x and y: they are the map's."
    band = Band.WINDOW

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Windows, then inputs, then what was dumped, moved by up to three texels, the nearest first."""
        sources, whole = set(), set()
        for window in case.windows():
            if window.stored is not None:
                sources.add(window.stored.stored.tensor)
                if window.kernel == window.source.shape[2:]:  # whose sum is moved by nothing
                    whole.add(window.stored.stored.tensor)
            if window.size != (1, 1) and not (
                window.stored is not None and case.reads_rightly(window.stored.stored.tensor)
            ):
                yield from self._windows(window)
        for read in case.activations():
            # What a window reads was moved with it; here only what keeps its border where it is.
            nearest = 1 if read.tensor in sources else _FARTHEST
            if len(read.values.stored.shape) < 2 or case.reads_rightly(read.tensor) or read.tensor in whole:
                continue
            for step in _steps(nearest):
                if abs(step[0]) >= read.values.dims[3] or abs(step[1]) >= read.values.dims[2]:
                    continue  # nothing of it is read then, which is another matter
                for weight, beyond in enumerate(_INPUT if not _is_of_one(step, read.values.dims) else ("zero",)):
                    change = moved_input(read, by(dx=step[0], dy=step[1]), beyond)
                    says = f"reads '{read.tensor}' at {_text(step)}"
                    yield self._hypothesis(says, step, change, lines.read(read.tensor), 1.6 + weight / 100)
        if asked_of(case) is None:  # where a pass answers, what it writes for each place is seen
            for step in _steps(_FARTHEST):
                written = moved_output(case, by(dx=step[0], dy=step[1]), "zero")
                yield self._hypothesis(f"writes what belongs to {_text(step)}", step, written, lines.target, 1.8)

    def _windows(self, window: WindowSum) -> Iterator[Hypothesis]:
        for dx, dy in _steps(_FARTHEST):
            for beyond in _WINDOW if window.stored is not None else ("zero",):
                change = window_with(window.node, first=(window.first[0] + dy, window.first[1] + dx), beyond=beyond)
                padding = lines.setting(
                    ("pad", "margin", "offset"),
                    -(window.first[1] + dx if dx else window.first[0] + dy),
                    "x" if dx else "y",
                )
                line = lines.first(padding, lines.read())
                light = 1.0 if beyond == "zero" else 1.5
                common = beyond == "zero" and abs(dx) + abs(dy) == 1
                yield self._hypothesis(
                    f"reads the window at {_text((dx, dy))}", (dx, dy), change, line, light, pairs=common
                )

    def _hypothesis(
        self, says: str, step: Step, change: Change, line: LineOf, weight: float, *, pairs: bool = False
    ) -> Hypothesis:
        dx, dy = step
        return Hypothesis(
            self.cause,
            says,
            f"Take ({dx}, {dy}) off the place (x, y): look at the padding and at offsets.",
            {"dx": dx, "dy": dy},
            (change,),
            line=line,
            weight=weight + (abs(dx) + abs(dy)) / 1000.0,
            in_pairs=pairs,
        )


def _is_of_one(step: Step, dims: Dims) -> bool:
    """Whether all that is read inside is of one row or column: such a place has a name of its own."""
    return any(abs(by) + 1 == size > 1 for by, size in zip(step, (dims[3], dims[2]), strict=True))


def _steps(farthest: int) -> list[Step]:
    reach = range(-farthest, farthest + 1)
    steps = [(dx, dy) for dx in reach for dy in reach if (dx, dy) != (0, 0)]
    return sorted(steps, key=lambda step: (abs(step[0]) + abs(step[1]), min(abs(step[0]), abs(step[1]))))


def _text(step: Step) -> str:
    return ", ".join(
        f"{name} {'+' if move > 0 else '-'} {abs(move)}" for name, move in zip("xy", step, strict=True) if move
    )
