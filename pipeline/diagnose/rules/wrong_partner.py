"""wrong_partner: the wrong values are those of the layer with products of elements that do not belong together."""

from __future__ import annotations

from collections.abc import Iterator

from texelscope.pipeline.diagnose.maps.classify import Seen
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, Stage, Traits


class WrongPartner(Seen):
    """Products multiply elements of two tensors, or of two parts of one, that do not belong together."""

    cause = "wrong_partner"
    stage = Stage.READS
    family = "reading"
    traits = Traits(
        repaired_in="addresses",
        confirmed_by=frozenset({"index_map"}),
        denied_by_edits=frozenset({"filter", "layout", "number", "order", "size", "wrap"}),
    )
    remedy = "Read both factors of a product at the same head, row and channel, each from its own part."

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes what probes showed."""
        return self.seen(case)
