"""The losses of a training, step by step, and where it went back: plain data."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

# So many points are drawn at most: more than a plot has pixels across.
MOST_DRAWN = 2000


@dataclass
class Branch:
    """Losses of steps one after the other, the first of which is step number `first`, counted from 1."""

    first: int
    losses: array[float] = field(default_factory=lambda: array("d"))

    @property
    def last(self) -> int:
        """The number of its last step; one less than `first` while it has none."""
        return self.first + len(self.losses) - 1

    def drawn(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Steps and losses. Of many, the first ones of stretches of the same length, and the last."""
        losses = np.frombuffer(self.losses, dtype=np.float64) if self.losses else np.zeros(0)
        every = len(losses) // MOST_DRAWN + 1
        places = np.arange(0, len(losses), every)
        if len(losses) and places[-1] != len(losses) - 1:
            places = np.append(places, len(losses) - 1)
        return (places + self.first).astype(np.float64), losses[places].copy()


@dataclass
class Curve:
    """`branches`, the last of which grows; those before ended where training went back. `newest` is the last loss."""

    branches: list[Branch] = field(default_factory=lambda: [Branch(1)])
    newest: float | None = None

    def add(self, loss: float) -> None:
        """The loss of the next step."""
        self.branches[-1].losses.append(loss)
        self.newest = loss

    def go_back(self, step: int, loss: float | None) -> None:
        """The next loss is that of the step after `step`, whose own was `loss`; what there was so far stays."""
        self.newest = loss
        if not self.branches[-1].losses:
            self.branches.pop()
        self.branches.append(Branch(step + 1))

    @property
    def steps(self) -> int:
        """How many losses there are in all."""
        return sum(len(branch.losses) for branch in self.branches)
