"""bias_offset: the wrong values are those of the layer with its biases dealt out otherwise."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.clues.addend import NONE, UNKNOWN, addend
from pipeline.diagnose.clues.parts import Bias, added_inputs, biases
from pipeline.diagnose.maps.seen import Seen
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import constant_as
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis

Indices = NDArray[np.int64]


class BiasOffset(Seen):
    """Another channel's bias is added."""

    cause = "bias_offset"
    band = Band.PARTS
    remedy = "Read the bias at the index of the output channel."

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """What was found to be added, one for each channel."""
        for bias in biases(case):
            # Of four outputs at a time only the reads of all four together are known.
            if case.reads_rightly(bias.tensor) and case.output.layout.lanes == 1:
                continue
            yield from self._found(case, bias)
        for name in added_inputs(case):
            index = np.arange(case.redo.given[name].size)
            ways = {"the first for all": 0 * index, "the next": np.roll(index, -1), "the one before": np.roll(index, 1)}
            for says, taken in ways.items():
                change = constant_as(name, lambda value, at=taken: value.reshape(-1)[at])  # type: ignore[misc]
                yield Hypothesis(
                    self.cause, f"of '{name}' {says}", self.remedy, {"index": says}, (change,), line=lines.handed(name)
                )

    def _found(self, case: Case, bias: Bias) -> Iterator[Hypothesis]:
        found = addend(case, bias)
        by_channel = None if found is None or len(found.biases) < 2 else found.by_channel()
        if found is None or by_channel is None:
            return
        other = by_channel != np.arange(len(by_channel))
        if (other & (by_channel != NONE)).any():
            says = f"for channels 0, 1, … the biases {_listed(by_channel)}"
            change, parameters = found.change(by_channel[found.own]), {"index": by_channel[:16].tolist()}
            yield Hypothesis(
                self.cause, says, self.remedy, parameters, (change,), line=lines.handed(bias.tensor), weight=1.8,
                fitted=int(other.sum()),
            )  # fmt: skip


def _listed(biases_of: Indices) -> str:
    shown = ", ".join({NONE: "none", UNKNOWN: "?"}.get(int(each), str(each)) for each in biases_of[:8])
    return f"{shown}{' …' if len(biases_of) > 8 else ''}"
