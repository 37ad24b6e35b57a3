"""kernel_transpose: the wrong values are those of the layer with rows and columns of its kernels swapped."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.diagnose.clues.moved import rows_as_columns
from pipeline.diagnose.clues.weights import moved_weights, weight_read, weight_tensor
from pipeline.diagnose.evidence.stored_values import Beyond
from pipeline.diagnose.redo.redo import Change
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import frame_with
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule


class KernelTranspose(Rule):
    """Rows and columns of the kernel are swapped."""

    cause = "kernel_transpose"
    band = Band.WINDOW

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Swapped, swapped and turned around."""
        for frame in case.frames():
            if frame.weights is None or frame.kernel == (1, 1):
                continue
            swapped = np.swapaxes(frame.weights, 2, 3)
            if frame.kernel[0] != frame.kernel[1]:  # as it lies in memory, row by row
                swapped = np.swapaxes(frame.weights.reshape(*frame.weights.shape[:2], *frame.kernel[::-1]), 2, 3)
            ways = [(swapped, "with x and y swapped"), (np.flip(swapped, (2, 3)), "with x and y swapped, backwards")]
            tensor = weight_tensor(case, frame.node)
            changes: list[tuple[str, Change]] = [
                (says, frame_with(frame.node, weights=turned)) for turned, says in ways
            ]
            if frame.kernel[0] != frame.kernel[1] and weight_read(case, frame.node) is not None:
                swap: list[Beyond] = ["texel", "fetch"]
                changes += [("at (y, x)", moved_weights(case, tensor, rows_as_columns, beyond)) for beyond in swap]
            for weight, (says, change) in enumerate(changes):
                yield Hypothesis(
                    self.cause,
                    f"the kernel read {says}",
                    "Read row p and column q of the kernel for row p and column q of the window.",
                    {},
                    (change,),
                    place=lines.read(tensor),
                    weight=1.0 + weight / 10.0,
                    in_pairs=weight == 0,
                )
