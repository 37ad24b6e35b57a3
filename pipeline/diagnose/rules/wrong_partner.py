"""wrong_partner: the wrong values are those of the layer with products of elements that do not belong together."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.diagnose.maps.seen import Seen
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis


class WrongPartner(Seen):
    """Products multiply elements of two tensors, or of two parts of one, that do not belong together."""

    cause = "wrong_partner"
    band = Band.READS
    remedy = "Read both factors of a product at the same head, row and channel, each from its own part."

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Proposes what probes showed."""
        return self.seen(case)
