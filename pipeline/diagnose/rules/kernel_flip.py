"""kernel_flip: the wrong values are those of the layer with its kernels turned around."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.diagnose.clues.weights import weight_tensor
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import window_with
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule


class KernelFlip(Rule):
    """The kernel is applied turned around: true convolution for correlation, or the other way about."""

    cause = "kernel_flip"
    band = Band.WINDOW

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Along both axes, along x, along y."""
        for window in case.windows():
            if window.weights is None or window.kernel == (1, 1):
                continue
            for weight, (axes, name) in enumerate((((2, 3), "xy"), ((3,), "x"), ((2,), "y"))):
                yield Hypothesis(
                    self.cause,
                    f"the kernel read backwards along {' and '.join(name)}",
                    "Read tap (p, q) of the kernel for tap (p, q) of the window.",
                    {"axes": name},
                    (window_with(window.node, weights=np.flip(window.weights, axes)),),
                    line=lines.read(weight_tensor(case, window.node)),
                    weight=1.0 + weight / 100.0,
                    in_pairs=weight == 0,
                )
