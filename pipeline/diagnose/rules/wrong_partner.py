"""wrong_partner: the wrong values are those of the layer whose products are of elements that do not belong together."""

from __future__ import annotations

from collections.abc import Iterator

from texelscope.pipeline.diagnose.maps.seen import Seen
from texelscope.pipeline.diagnose.trial.case import Case
from texelscope.pipeline.diagnose.trial.hypothesis import Band, Hypothesis


class WrongPartner(Seen):
    """Elements of two tensors, or of two parts of one, are multiplied that belong to other partners."""

    cause = "wrong_partner"
    band = Band.READS
    remedy = "Take both factors of a product at the same head, row and channel, and each from its own part."

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """What is seen."""
        return self.seen(case)
