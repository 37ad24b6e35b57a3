"""bias_offset: the wrong values are those of the layer with its biases dealt out otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.clues.parts import added_inputs, biases
from texelscope.pipeline.diagnose.maps.classify import Seen
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, Stage
from texelscope.pipeline.diagnose.trial.model_edits import constant_as

Indices = NDArray[np.int64]
# So many are common enough to be one of two faults.
_IN_PAIRS = 4


class BiasOffset(Seen):
    """Another channel's bias is added."""

    cause = "bias_offset"
    band = Stage.PARTS
    remedy = "Read the bias at the index of the output channel."

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """The commonest slips, where nobody could ask which one is added."""
        for bias in biases(case):
            # Of four outputs at a time only the reads of all four together are known.
            if case.reads_rightly(bias.tensor) and case.output.layout.lanes == 1:
                continue
            for weight, (says, parameters, taken) in enumerate(_maps(int(np.size(case.redo.values[bias.tensor])))):
                yield self._hypothesis(f"for channel c the bias {says}", parameters, bias.tensor, taken, weight)
        for name in added_inputs(case):
            for weight, (says, parameters, taken) in enumerate(_maps(case.redo.given[name].size)):
                yield self._hypothesis(f"for element i of '{name}' element {says}", parameters, name, taken, weight)

    def _hypothesis(
        self, says: str, parameters: dict[str, Any], tensor: str, taken: Indices, weight: float
    ) -> Hypothesis:
        return Hypothesis(
            self.cause,
            says,
            self.remedy,
            parameters,
            (constant_as(tensor, lambda value: value.reshape(-1)[taken]),),
            line=lines.handed(tensor),
            weight=1.0 + weight / 100.0,
            in_pairs=weight < _IN_PAIRS,
        )


def _maps(count: int) -> Iterator[tuple[str, dict[str, Any], Indices]]:
    """What is read, its parameters, and which one that is for each of `count` biases; simplest first."""
    index = np.arange(count)
    for offset in (1, -1) if count > 1 else ():
        says = f"c {'+' if offset > 0 else '-'} 1"
        yield says, {"offset": offset, "beyond": "clamped"}, np.clip(index + offset, 0, count - 1)
        yield says, {"offset": offset, "beyond": "wrapped"}, (index + offset) % count
    yield "0, the same for all,", {"index": 0}, 0 * index
    yield "(count - 1) - c", {"index": "(count - 1) - c"}, index[::-1]
