"""Chooses the elements whose reads are recorded: some wrong ones far apart, some right ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_WRONG, _RIGHT = 6, 2


def recorded_elements(wrong: NDArray[np.bool_]) -> list[int]:
    """Returns their linear indices, wrong ones first; `wrong` is flat."""
    chosen: list[int] = []
    random = np.random.default_rng(0)
    for places, most in ((np.flatnonzero(wrong), _WRONG), (np.flatnonzero(~wrong), _RIGHT)):
        if len(places):
            ends = [int(places[0]), int(places[-1])]
            rest = random.choice(places, size=min(most, len(places)), replace=False).tolist()
            chosen += list(dict.fromkeys([*ends, *rest]))[:most]
    return chosen
