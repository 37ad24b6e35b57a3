"""Another run in the oracle's place: what the present one is held against while somebody chose it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.runs.run import HeldTensor

# So many tensors are looked at side by side, hardly more; a bound is as large as its tensor.
MOST_BOUNDS = 8


@dataclass(frozen=True)
class RunReference:
    """The tensors of another run by the keys of the open session, those alone that have the same shapes here.

    `word` is short enough for a button, `title` tells it from every other run. `number` is that of no other reference,
    and below zero: pictures made with it are told by that from those made with the oracle's.
    """

    number: int
    word: str
    title: str
    tensors: Mapping[str, HeldTensor]
    _bounds: dict[str, Expected] = field(default_factory=dict, repr=False, compare=False)

    def expected(self, key: str) -> Expected | None:
        """The tensor there, with how far another right run may be from it as the bound; None if it has none."""
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
