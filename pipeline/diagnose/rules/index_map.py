"""index_map: the wrong values are those of the layer with elements read where solved index formulas point."""

from __future__ import annotations

from collections.abc import Iterator

from texelscope.pipeline.diagnose.maps.classify import Seen
from texelscope.pipeline.diagnose.maps.index_maps import IndexMap
from texelscope.pipeline.diagnose.maps.reshape_orders import dealt_otherwise
from texelscope.pipeline.diagnose.maps.weights_there import solved
from texelscope.pipeline.diagnose.model_slice.softmax import softmaxes
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import LESS_READ, MORE_READ, Hypothesis, Proposing, Stage, Traits


class IndexMapRule(Seen):
    """Elements are read at other places, by an index formula that no other cause names."""

    cause = "index_map"
    stage = Stage.READS
    family = "reading"
    traits = Traits(
        repaired_in="addresses",
        denied_by_edits=frozenset({"bytes", "count", "epsilon", "function", "half", "number", "tensor"}),
        denied_by_reads=LESS_READ | MORE_READ | {"a bias twice"},
    )
    remedy = "Compute the index as the layer does: the map shows which coordinates differ."

    def turns(self) -> tuple[tuple[Stage, Proposing], ...]:
        """A single formula is seen and comes first; other formulas come after the causes that no formula expresses.

        Those are a whole texture turned, or elements written elsewhere.
        """
        return ((Stage.DRAWING, self._simple), (self.stage, self._other))

    def _simple(self, case: FailingPass) -> Iterator[Hypothesis]:
        return self.seen(case, _is_simple)

    def _other(self, case: FailingPass) -> Iterator[Hypothesis]:
        yield from solved(case, self.cause)
        yield from self.seen(case, lambda found: not _is_simple(found))
        for softmax in softmaxes(case.model_slice):
            for axis, rows in softmax.first_rows():
                says = f"{softmax.node.op_type} uses the sums of the first position along axis {axis} for all"
                change = softmax.with_sums_of(rows)
                told = {"axis": axis}
                yield Hypothesis(self.cause, says, self.remedy, told, (change,), line=lines.summand(), prior=1.4)
        for number, (says, taken) in enumerate(dealt_otherwise(case)):
            weight = 1.5 + number / 1000.0
            yield Hypothesis(self.cause, says, self.remedy, {}, taken, line=lines.result, prior=weight)


def _is_simple(found: IndexMap) -> bool:
    return len(found.forms) == 1 and found.features <= {*"nchw"}
