"""Records the losses of a training step by step, and where it went back: plain data."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

# The most points to draw: more than a plot has pixels across.
MOST_DRAWN = 2000
# The margin above and below the line, as a part of its height.
_MARGIN = 0.08
_MOST_TICKS, _MOST_DIGITS = 6, 6


def few_ticks(low: float, high: float) -> tuple[list[float], list[str]]:
    """Returns at most nine ticks and labels for an axis of less than a decade: multiples of 1, 2 or 5."""
    power = 10.0 ** math.floor(math.log10((high - low) / 2.0))
    step = next(step for step in (power, 2.0 * power, 5.0 * power, 10.0 * power) if (high - low) / step <= _MOST_TICKS)
    digits = max(-math.floor(math.log10(step) + 1e-9), 0)
    ticks = [number * step for number in range(math.ceil(low / step), math.floor(high / step) + 1)]
    return ticks, [f"{tick:.{digits}f}" if digits < _MOST_DIGITS else f"{tick:.3g}" for tick in ticks]


@dataclass
class Branch:
    """Losses of consecutive steps, the first of which is step number `first`, counted from 1."""

    first: int
    losses: array[float] = field(default_factory=lambda: array("d"))

    @property
    def last(self) -> int:
        """The number of its last step; one less than `first` while it has none."""
        return self.first + len(self.losses) - 1

    def drawn(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns steps and losses; of many, the first of each stretch of equal length, and the last."""
        losses = np.frombuffer(self.losses, dtype=np.float64) if self.losses else np.zeros(0)
        every = len(losses) // MOST_DRAWN + 1
        places = np.arange(0, len(losses), every)
        if len(losses) and places[-1] != len(losses) - 1:
            places = np.append(places, len(losses) - 1)
        return (places + self.first).astype(np.float64), losses[places].copy()


@dataclass
class LossCurve:
    """The loss curve: the last of `branches` grows; others ended where training went back."""

    branches: list[Branch] = field(default_factory=lambda: [Branch(1)])
    newest: float | None = None

    def limits(self, *, logarithmic: bool) -> tuple[float, float]:
        """Returns the lowest and the highest loss, with a margin; for a logarithmic curve of those above zero."""
        found = np.concatenate([branch.drawn()[1] for branch in self.branches])
        found = found[found > 0.0] if logarithmic else found
        if not len(found):
            return 0.1, 1.0
        low, high = float(found.min()), float(found.max())
        if logarithmic:
            margin = max(high / low, 1.01) ** _MARGIN
            return low / margin, high * margin
        margin = max(high - low, 0.01 * abs(high), 1e-9) * _MARGIN
        return low - margin, high + margin

    def add(self, loss: float) -> None:
        """Adds the loss of the next step."""
        self.branches[-1].losses.append(loss)
        self.newest = loss

    def go_back(self, step: int, loss: float | None) -> None:
        """Continues after `step`, whose loss was `loss`; the losses so far stay as a branch."""
        self.newest = loss
        if not self.branches[-1].losses:
            self.branches.pop()
        self.branches.append(Branch(step + 1))

    @property
    def steps(self) -> int:
        """The number of all losses."""
        return sum(len(branch.losses) for branch in self.branches)
