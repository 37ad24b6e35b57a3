"""wrong_partner: the wrong values are those of the layer whose products are of elements that do not belong together."""

from __future__ import annotations

from collections.abc import Iterator

from texelscope.pipeline.diagnose.maps.classify import Seen
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, Stage


class WrongPartner(Seen):
    """Elements of two tensors, or of two parts of one, are multiplied that belong to other partners."""

    cause = "wrong_partner"
    band = Stage.READS
    remedy = "Take both factors of a product at the same head, row and channel, and each from its own part."

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """What is seen."""
        return self.seen(case)
