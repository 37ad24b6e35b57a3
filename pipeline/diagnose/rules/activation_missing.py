"""activation_missing: the wrong values are those that go into an activation."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.diagnose.clues.parts import activations
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import node_skipped
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule


class ActivationMissing(Rule):
    """An activation is not applied."""

    cause = "activation_missing"
    band = Band.PARTS

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """One for each activation of the pass."""
        for node in activations(case):
            yield Hypothesis(
                self.cause,
                f"the values before {node.op_type} '{node.name}'",
                f"Apply {node.op_type} to the result.",
                {"activation": node.op_type},
                (node_skipped(node),),
                line=lines.result,
                in_pairs=True,
            )
