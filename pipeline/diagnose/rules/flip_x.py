"""flip_x: the wrong values are those of the layer with the columns of a picture in reverse."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.diagnose.maps.seen import Seen
from pipeline.diagnose.mistakes.flips import flips
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis


class FlipX(Seen):
    """Columns are counted from the other side, in every tile or in the whole texture."""

    cause = "flip_x"
    remedy = "Count columns from the first in memory, which is shown at the left."
    band = Band.PLACES

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Of each tile and of the whole texture, read and written."""
        return flips(case, self.cause, axis=3)
