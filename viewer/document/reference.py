"""Holds another run that the user chose to see, or to compare with instead of the oracle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from texelscope.pipeline.oracle.expected import Expected

if TYPE_CHECKING:
    from texelscope.pipeline.runs.run import HeldTensor

# Few tensors are shown side by side, and a bound is as large as its tensor: only this many bounds are kept.
MOST_BOUNDS = 8


@dataclass(frozen=True)
class RunReference:
    """Holds the tensors of another run by the keys of the open session, where the shapes agree.

    `word` is short enough for a button, `title` is unique among runs. `number` is unique too, and negative: it
    distinguishes pictures made with this reference from pictures made with the oracle. `right` has, by key, what the
    oracle says that the tensors of that run should be, as far as it is known.
    """

    number: int
    word: str
    title: str
    tensors: Mapping[str, HeldTensor]
    right: Mapping[str, Expected] = field(default_factory=dict, repr=False, compare=False)
    _bounds: dict[str, Expected] = field(default_factory=dict, repr=False, compare=False)

    def expected(self, key: str) -> Expected | None:
        """Returns the tensor there, with the tolerance of another correct run as its bound; None if it has none."""
        held = self.tensors.get(key)
        if held is None:
            return None
        if key not in self._bounds:
            while len(self._bounds) >= MOST_BOUNDS:
                del self._bounds[next(iter(self._bounds))]
            tolerance = held.tolerance
            with np.errstate(all="ignore"):
                bound = tolerance.atol + tolerance.rtol * np.abs(held.values.astype(np.float64))
            self._bounds[key] = Expected(held.values, np.where(np.isfinite(bound), bound, 0.0))
        return self._bounds[key]
