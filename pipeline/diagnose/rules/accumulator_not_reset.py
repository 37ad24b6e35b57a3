"""accumulator_not_reset: the wrong values are running sums over the lanes of a texel, or over a loop."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from texelscope.pipeline.diagnose.fault_models.reductions import inner_products
from texelscope.pipeline.diagnose.fault_models.running import Running, over_lanes, over_rows
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit, NodeChange
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, Rule, Stage, Traits
from texelscope.pipeline.diagnose.trial.model_edits import Array, window_with
from texelscope.pipeline.glsl.lines import Line


class AccumulatorNotReset(Rule):
    """A sum continues from the previous lane or element instead of starting at zero."""

    cause = "accumulator_not_reset"
    stage = Stage.PARTS
    family = "computing"
    traits = Traits(
        confirmed_by=frozenset(
            {"accumulator_not_reset", "bias_missing", "clamped_0_1", "filter_io_swap", "scale", "wrong_function"}
        )
    )

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes sums that continue from lane to lane or row to row, and partial sums written inside a loop."""
        yield from self._running(over_lanes(case), "lanes", 1.0)
        yield from self._loops(case)
        yield from self._running(over_rows(case), "rows", 1.3)

    def _running(self, found: Iterable[Running], of: str, prior: float) -> Iterator[Hypothesis]:
        for more, running in enumerate(found):
            remedy = "Reset the accumulator inside the function or loop that computes one element."
            yield self._hypothesis(running.says, remedy, of, running.change, prior + more / 100.0)

    def _loops(self, case: FailingPass) -> Iterator[Hypothesis]:
        """The sum is added to the result at every step of a loop: channel i counts (count - i) times."""
        for window in case.windows():
            if window.kind != "sum" or window.weights is None or window.channels.shape[1] < 2:
                continue
            count = window.channels.shape[1]
            times = np.arange(count, 0, -1, dtype=np.float32)[:, None, None]
            says = "each channel's partial sum is added to the result again for every later channel"
            change = window_with(window.node, weights=window.weights * times)
            yield self._hypothesis(says, "Write the result after the loops, not inside them.", "channels", change, 1.2)

        for node, count, weighted in inner_products(case):
            factors = np.arange(count, 0, -1, dtype=np.float32)
            change_of = NodeChange(node.name, _with_factors(case, factors, weighted))
            says = "each term's partial sum is added to the result again for every later term"
            yield self._hypothesis(says, "Write the result after the loop, not inside it.", "terms", change_of, 1.21)

    def _hypothesis(self, says: str, remedy: str, of: str, change: ModelEdit, prior: float) -> Hypothesis:
        line = lines.first(_summing, _keeping, lines.result)
        return Hypothesis(self.cause, says, remedy, {"of": of}, (change,), line=line, prior=prior)


def _with_factors(case: FailingPass, factors: Array, weighted: Callable[[Array, Array], Array]):  # type: ignore[no-untyped-def]
    return lambda node, inputs: case.model_slice.run_node(node, [weighted(np.asarray(inputs[0]), factors), *inputs[1:]])


def _summing(case: FailingPass) -> Line | None:
    """Returns the line of the sum that is not reset."""
    sums = case.text.sums()
    return sums[-1].line if sums else None


def _keeping(case: FailingPass) -> Line | None:
    """Returns the line of a variable that lives longer than the function that computes one element."""
    kept = case.text.kept()
    return kept[-1] if kept else None
