"""bias_offset: the wrong values are those of the layer with its biases assigned to other channels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.clues.parts import added_inputs, biases
from texelscope.pipeline.diagnose.maps.classify import Seen
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import LESS_READ, MORE_READ, Hypothesis, Stage, Traits
from texelscope.pipeline.diagnose.trial.model_edits import constant_as

Indices = NDArray[np.int64]
# The first maps are common enough to be one of two faults.
_IN_PAIRS = 4


class BiasOffset(Seen):
    """Another channel's bias is added."""

    cause = "bias_offset"
    stage = Stage.PARTS
    family = "computing"
    traits = Traits(
        repaired_in="addresses",
        edits=("added",),
        is_of_sums=True,
        confirmed_by=frozenset({"index_map", "wrong_partner"}),
        denied_by_reads=LESS_READ | MORE_READ | {"a bias twice"},
    )
    remedy = "Index the biases by output channel."

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes the most common index errors, where no probe could show which bias is added."""
        for bias in biases(case):
            # Where a texel holds four outputs, only the reads of all four together are known.
            if case.reads_rightly(bias.tensor) and case.output.layout.lanes == 1:
                continue
            for weight, (says, parameters, taken) in enumerate(
                _maps(int(np.size(case.model_slice.values[bias.tensor])))
            ):
                yield self._hypothesis(f"for channel c the bias {says}", parameters, bias.tensor, taken, weight)
        for name in added_inputs(case):
            for weight, (says, parameters, taken) in enumerate(_maps(case.model_slice.given[name].size)):
                yield self._hypothesis(f"for element i of '{name}' element {says}", parameters, name, taken, weight)

    def _hypothesis(
        self, says: str, parameters: dict[str, Any], tensor: str, taken: Indices, prior: float
    ) -> Hypothesis:
        return Hypothesis(
            self.cause,
            says,
            self.remedy,
            parameters,
            (constant_as(tensor, lambda value: value.reshape(-1)[taken]),),
            line=lines.handed(tensor),
            prior=1.0 + prior / 100.0,
            in_pairs=prior < _IN_PAIRS,
        )


def _maps(count: int) -> Iterator[tuple[str, dict[str, Any], Indices]]:
    """Yields for each of `count` biases the index read, as words, parameters and an array; simplest first."""
    index = np.arange(count)
    for offset in (1, -1) if count > 1 else ():
        says = f"c {'+' if offset > 0 else '-'} 1"
        yield says, {"offset": offset, "beyond": "clamped"}, np.clip(index + offset, 0, count - 1)
        yield says, {"offset": offset, "beyond": "wrapped"}, (index + offset) % count
    yield "0 for all channels", {"index": 0}, 0 * index
    yield "(count - 1) - c", {"index": "(count - 1) - c"}, index[::-1]
