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
from pipeline.diagnose.trial.changes import window_with
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule


class KernelTranspose(Rule):
    """Rows and columns of the kernel are swapped."""

    cause = "kernel_transpose"
    band = Band.WINDOW

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Swapped, swapped and turned around."""
        for window in case.windows():
            if window.weights is None or window.kernel == (1, 1):
                continue
            swapped = np.swapaxes(window.weights, 2, 3)
            if window.kernel[0] != window.kernel[1]:  # as it lies in memory, row by row
                swapped = np.swapaxes(window.weights.reshape(*window.weights.shape[:2], *window.kernel[::-1]), 2, 3)
            ways = [(swapped, "with x and y swapped"), (np.flip(swapped, (2, 3)), "with x and y swapped, backwards")]
            tensor = weight_tensor(case, window.node)
            changes: list[tuple[str, Change]] = [
                (says, window_with(window.node, weights=turned)) for turned, says in ways
            ]
            if window.kernel[0] != window.kernel[1] and weight_read(case, window.node) is not None:
                swap: list[Beyond] = ["texel", "fetch"]
                changes += [("at (y, x)", moved_weights(case, tensor, rows_as_columns, beyond)) for beyond in swap]
            for weight, (says, change) in enumerate(changes):
                yield Hypothesis(
                    self.cause,
                    f"the kernel read {says}",
                    "Read row p and column q of the kernel for row p and column q of the window.",
                    {},
                    (change,),
                    line=lines.read(tensor),
                    weight=1.0 + weight / 10.0,
                    in_pairs=weight == 0,
                )
