"""flip_y: the wrong values are those of the layer with the rows of a picture in reverse."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.diagnose.maps.seen import Seen
from pipeline.diagnose.mistakes.flips import flips
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis


class FlipY(Seen):
    """Rows are counted from the other end, in every tile or in the whole texture."""

    cause = "flip_y"
    remedy = "Count rows from the first in memory, which is shown at the top."
    band = Band.PLACES

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Of each tile and of the whole texture, read and written."""
        return flips(case, self.cause, axis=2)
