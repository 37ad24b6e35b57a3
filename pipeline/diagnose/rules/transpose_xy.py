"""transpose_xy: the wrong values are those of the layer with rows and columns of a picture swapped."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.diagnose.clues.moved import moved_input, moved_output, rows_as_columns
from pipeline.diagnose.evidence.stored_values import Beyond
from pipeline.diagnose.maps.seen import Seen
from pipeline.diagnose.redo.redo import Change
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, LineOf

_READ: tuple[Beyond, ...] = ("texel", "fetch", "edge", "zero", "wrap")
_WRITTEN: tuple[Beyond, ...] = ("texel", "edge", "zero")


class TransposeXy(Seen):
    """Rows and columns are swapped."""

    cause = "transpose_xy"
    remedy = "Read (x, y) where (x, y) is meant: texture coordinates take the column first."
    band = Band.PLACES

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Coordinates swapped, read and written."""
        for read in case.activations():
            shape = read.values.stored.shape
            if len(shape) < 2 or 1 in shape[-2:] or case.reads_rightly(read.tensor):
                continue
            line = lines.read(read.tensor)
            for weight, beyond in enumerate(_READ):
                change = moved_input(read, rows_as_columns, beyond)
                says = f"reads '{read.tensor}' with x and y swapped"
                yield self._hypothesis(says, change, line, 1.0 + weight / 100.0, pairs=weight == 0)
        light = 0.5 if case.writes_otherwise else 1.3
        for weight, beyond in enumerate(_WRITTEN):
            written = moved_output(case, rows_as_columns, beyond)
            yield self._hypothesis("writes with x and y swapped", written, lines.target, light + weight / 100)

    def _hypothesis(self, says: str, change: Change, line: LineOf, weight: float, *, pairs: bool = False) -> Hypothesis:
        return Hypothesis(
            self.cause,
            says,
            "Read (x, y) where (x, y) is meant: texture coordinates take the column first.",
            {},
            (change,),
            line=line,
            weight=weight,
            in_pairs=pairs,
        )
