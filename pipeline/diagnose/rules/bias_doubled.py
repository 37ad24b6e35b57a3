"""bias_doubled: the wrong values are those of the layer with a multiple of its bias."""

from __future__ import annotations

from collections.abc import Iterator

from texelscope.pipeline.diagnose.clues.parts import biases
from texelscope.pipeline.diagnose.model_slice.model_slice import InputChange
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, Rule, Stage, Traits
from texelscope.pipeline.diagnose.trial.model_edits import constant_as, times
from texelscope.pipeline.operators.families.registry import facts_of


class BiasDoubled(Rule):
    """The bias is added more than once: at every step of a loop, or before and after it."""

    cause = "bias_doubled"
    stage = Stage.PARTS
    family = "computing"
    traits = Traits(
        repaired_in="values",
        is_of_sums=True,
        confirmed_by=frozenset({"double_counted"}),
        denied_by_edits=frozenset({"set"}),
        denied_by_reads=frozenset({"no bias"}),
    )

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes two times, and as many times as the layer's loops have steps."""
        counts = [2, 3, 4]
        for window in case.windows():
            taps, channels = window.kernel[0] * window.kernel[1], window.channels.shape[1]
            groups_of_four = -(-channels // 4)
            counts += [taps, channels, groups_of_four, window.kernel[0], window.kernel[1]]
            counts += [taps * channels, taps * groups_of_four, taps + 1, channels + 1]
        for node in case.model_slice.nodes:
            for tensor in node.inputs if facts_of(node).adds else ():
                if case.read_of(tensor) is not None and tensor not in {bias.tensor for bias in biases(case)}:
                    change = InputChange(tensor, times(2.0), node=node.name)
                    yield Hypothesis(
                        self.cause, f"'{tensor}' added 2 times", "Add it once.", {"count": 2}, (change,),
                        line=lines.read(tensor),
                    )  # fmt: skip
        for bias in biases(case):
            for count in dict.fromkeys(count for count in counts if count > 1):
                yield Hypothesis(
                    self.cause,
                    f"the bias '{bias.tensor}' added {count} times",
                    "Add the bias once, outside the loops.",
                    {"count": count},
                    (constant_as(bias.tensor, times(count)),),
                    line=lines.read(bias.tensor),
                    prior=1.0 + count / 1e4,
                    in_pairs=count == 2,
                )
