"""index_map: the wrong values are those of the layer with elements taken from where solved index formulas say."""

from __future__ import annotations

from collections.abc import Iterator

from texelscope.pipeline.diagnose.maps.classify import Seen
from texelscope.pipeline.diagnose.maps.index_maps import IndexMap
from texelscope.pipeline.diagnose.maps.reshape_orders import dealt_otherwise
from texelscope.pipeline.diagnose.maps.weights_there import solved
from texelscope.pipeline.diagnose.model_slice.softmax import softmaxes
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, Proposing, Stage


class IndexMapRule(Seen):
    """Elements are taken from other places, by a formula of the indices that has no name of its own."""

    cause = "index_map"
    band = Stage.READS
    remedy = "Work the index out as the layer does: what the map changes is to be left as it is."

    def turns(self) -> tuple[tuple[Stage, Proposing], ...]:
        """One formula of the place expected is seen; before others goes what has a name that no formula tells.

        Such as a whole texture turned, or elements written elsewhere.
        """
        return ((Stage.DRAWING, self._simple), (self.band, self._other))

    def _simple(self, case: FailingPass) -> Iterator[Hypothesis]:
        return self.seen(case, _is_simple)

    def _other(self, case: FailingPass) -> Iterator[Hypothesis]:
        yield from solved(case, self.cause)
        yield from self.seen(case, lambda found: not _is_simple(found))
        for softmax in softmaxes(case.redo):
            for axis, rows in softmax.first_rows():
                says = f"{softmax.node.op_type} takes the sums of the first place along axis {axis} for all"
                change = softmax.with_sums_of(rows)
                told = {"axis": axis}
                yield Hypothesis(self.cause, says, self.remedy, told, (change,), line=lines.summand(), weight=1.4)
        for number, (says, taken) in enumerate(dealt_otherwise(case)):
            weight = 1.5 + number / 1000.0
            yield Hypothesis(self.cause, says, self.remedy, {}, taken, line=lines.result, weight=weight)


def _is_simple(found: IndexMap) -> bool:
    return len(found.forms) == 1 and found.features <= {*"nchw"}
