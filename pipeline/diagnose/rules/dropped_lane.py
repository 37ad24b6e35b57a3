"""dropped_lane: one lane of every texel is unwritten or constant, or is missing from the inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.model_slice.model_slice import InputChange
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, Rule, Stage
from texelscope.pipeline.plan import StoredTensor

Array = NDArray[Any]


class DroppedLane(Rule):
    """One component of every texel is not written, or not read: `.xyz` where four lanes were meant."""

    cause = causes.DROPPED_LANE
    stage = Stage.DRAWING

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        yield from self._written(case)
        for read in case.activations():
            stored = read.values.stored
            for lanes in _LANES if stored.layout.lanes > 1 else ():
                says = f"lane{_plural(lanes)} of the input '{read.tensor}' read as 0"
                change = InputChange(read.tensor, _without(stored, lanes))
                yield self._hypothesis(says, lanes, changes=(change,), line=lines.summand(read.tensor), prior=1.5)

    def _written(self, case: FailingPass) -> Iterator[Hypothesis]:
        address = case.output.layout.address(case.output.shape)
        lanes_count = address.shape[2]
        if lanes_count == 1:
            return
        survivors = case.evidence.survivors
        for lanes in _LANES:
            lost = np.zeros(case.actual.size, dtype=bool)
            chosen = address[..., list(lanes)]
            lost[chosen[chosen >= 0]] = True
            if not lost.any() or lost.all():
                continue
            lost = lost.reshape(case.dims)
            unwritten = survivors is not None and bool((case.of_texels(survivors) > 0)[lost].all())
            constants = (0.0, 1.0) if not unwritten else ()
            for constant in constants:
                values = np.where(lost, np.float32(constant), case.expected.astype(np.float32))
                says = f"lane{_plural(lanes)} of the output written as {constant:g}"
                yield self._hypothesis(says, lanes, values=values, line=lines.result, prior=0.9)
            if unwritten:
                values = np.where(lost, case.actual, case.expected).astype(np.float32)
                yield self._hypothesis(
                    f"lane{_plural(lanes)} of the output not written", lanes, values=values, prior=0.8
                )

    def _hypothesis(self, says: str, lanes: tuple[int, ...], **rest: Any) -> Hypothesis:
        parameters = {"lane": lanes[0]} if len(lanes) == 1 else {"lanes": list(lanes)}
        remedy = "Write and read all four components, and do not mask any of them (glColorMask)."
        return Hypothesis(self.cause, says, remedy, parameters, **rest)


_LANES = ((3,), (2,), (1,), (0,), (2, 3), (1, 2, 3))


def _plural(lanes: tuple[int, ...]) -> str:
    return f" {lanes[0]}" if len(lanes) == 1 else f"s {', '.join(map(str, lanes))}"


def _without(stored: StoredTensor, lanes: tuple[int, ...]) -> Callable[[Array], Array]:
    def change(value: Array) -> Array:
        texels = stored.encode(value)
        texels[..., list(lanes)] = 0.0
        return stored.decode(texels).reshape(value.shape)

    return change
