"""missing_barrier: with a barrier where shared memory is written the result comes right."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule


class MissingBarrier(Rule):
    """Invocations read shared memory before others have written it, or write it while others still read."""

    cause = "missing_barrier"
    band = Band.DRAWING

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        cured, facts = case.redrawn("barriers"), case.evidence.facts
        if cured is None:
            return
        where, line = facts.get("barrier", ("before and after what is written to shared memory", None))
        says = f"with a barrier() {where}"
        if "other_size" in facts and _differs(case):
            says = f"in work groups of {facts['other_size']} it gives other values; {says}"
        yield Hypothesis(
            self.cause,
            says,
            f"Put barrier(); {where}, where all invocations of the work group come by.",
            values=cured[0],
            is_cure=True,
            covers=cured[1],
            line=lambda _case: line,
            weight=0.4,
        )


def _differs(case: Case) -> bool:
    other = case.redrawn("other_size")
    return other is not None and bool((other[0] != case.actual).any())
