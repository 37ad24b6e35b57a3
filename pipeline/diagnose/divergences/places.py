"""Sets coordinates side by side: of outputs, of weights' taps, of what is read and of what should be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.diagnose.divergences.seen import Ints, coordinates, output_coordinates
from texelscope.pipeline.symbolic.kinds import Moved
from texelscope.pipeline.symbolic.pass_divergences import PassDivergences

# Kernels have rows and columns if their weights have so many axes.
_KERNEL_AXES = 4


@dataclass(frozen=True, eq=False)
class MovedReads:
    """Moved reads of one tensor, a row each: n, c, h, w of the output, of what should be read, and of what is read.

    `taps` are n, c, h, w of the weight that each is multiplied by, in a kernel of that many rows and columns; None
    where that is not known of all. `shape` is that of the tensor, n, c, h, w.
    """

    outputs: Ints
    expected: Ints
    got: Ints
    taps: Ints | None
    shape: tuple[int, int, int, int]
    kernel: tuple[int, int] | None = None

    @property
    def has_all_taps(self) -> bool:
        """Whether every tap of the kernel is among the reads; true without taps if each output has one read."""
        if self.taps is None or self.kernel is None:
            return len({tuple(each) for each in self.outputs.tolist()}) == len(self.outputs)
        return len({tuple(each) for each in self.taps[:, 2:].tolist()}) == self.kernel[0] * self.kernel[1]

    @property
    def is_of_pictures(self) -> bool:
        """Whether what should be read moves along with the output, row by row and column by column."""
        lines = [line_over(self.expected[:, axis], self.outputs[:, axis], *self._taps(axis)) for axis in (2, 3)]
        return all(each is not None for each in lines) and any(each is not None and each[0] > 0 for each in lines)

    def _taps(self, axis: int) -> tuple[Ints, ...]:
        return () if self.taps is None else (self.taps[:, axis],)

    @property
    def steps(self) -> Ints:
        """How far along each axis every read has moved."""
        return self.got - self.expected


def moved_reads(found: PassDivergences, inner: Sequence[tuple[int, Moved]], shape: Sequence[int]) -> MovedReads | None:
    """Returns moved reads of one tensor; None where some are of another one, or of no element."""
    expected, got = (coordinates(found, [getattr(each, name) for _, each in inner]) for name in ("expected", "got"))
    if expected is None or got is None:
        return None
    weights = [each.weight for _, each in inner if each.weight is not None]
    has_taps = len(weights) == len(inner) and len({tensor for tensor, _ in weights}) == 1
    has_taps = has_taps and len(found.shapes.get(weights[0][0], ())) == _KERNEL_AXES
    n, c, h, w = shape
    kernel = as_nchw(found.shapes[weights[0][0]])[2:] if has_taps else None
    return MovedReads(
        output_coordinates(found, [element for element, _ in inner]),
        expected,
        got,
        coordinates(found, weights) if has_taps else None,
        (n, c, h, w),
        kernel,
    )


def line_over(steps: Ints, *features: Ints) -> tuple[int, ...] | None:
    """Returns whole numbers a, b, …, z with steps = a · features[0] + b · features[1] + … + z.

    Equal steps are that constant. None if there are no such numbers, or several.
    """
    if len(np.unique(steps)) == 1:
        return (*(0 for _ in features), int(steps[0]))
    varying = [number for number, each in enumerate(features) if np.ptp(each)]
    table = np.stack([*(features[number] for number in varying), np.ones_like(steps)], axis=1).astype(np.float64)
    solved, _, rank, _ = np.linalg.lstsq(table, steps.astype(np.float64), rcond=None)
    whole = np.rint(solved)
    if rank < table.shape[1] or not np.array_equal(table @ whole, steps):
        return None
    factors = [0] * len(features)
    for number, factor in zip(varying, whole, strict=False):
        factors[number] = int(factor)
    return (*factors, int(whole[-1]))
