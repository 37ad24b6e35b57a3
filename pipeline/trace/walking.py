"""In which order a shader walks the elements of a tensor, told from those that it read: where one more would stand."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from pipeline.plan import StoredTensor


class Order:
    """In which order a shader walks the elements: by which axis first, and which way."""

    def __init__(self, stored: StoredTensor, walked: Sequence[int]) -> None:
        self._shape = stored.shape
        self._axes = self._walk(walked)

    def _walk(self, walked: Sequence[int]) -> list[tuple[int, int]] | None:
        """Axes from the slowest to the quickest, each with 1 or -1; None where the walk is none of those."""
        if len(walked) < 2:
            return []
        places = np.array([np.unravel_index(e, self._shape) for e in walked])
        moving = [axis for axis in range(places.shape[1]) if len(set(places[:, axis].tolist())) > 1]
        if len(moving) > 4:
            return None
        for order in itertools.permutations(moving):
            for signs in itertools.product((1, -1), repeat=len(order)):
                keys = places[:, list(order)] * np.array(signs)
                steps = np.diff(keys, axis=0)
                first = np.array([next((s for s in step if s), 0) for step in steps])
                if (first > 0).all():
                    return list(zip(order, signs, strict=True))
        return None

    def place(self, element: int, walked: Sequence[int]) -> int:
        """Before which of the elements walked, -1 for none, another one belongs; behind all where that is not known."""
        if not self._axes:
            return len(walked)
        own = self._key(element)
        for position, other in enumerate(walked):
            if other >= 0 and self._key(other) > own:
                return position
        last = [position for position, other in enumerate(walked) if other >= 0]
        return last[-1] + 1 if last else len(walked)

    def _key(self, element: int) -> tuple[int, ...]:
        place = np.unravel_index(element, self._shape)
        return tuple(int(place[axis]) * sign for axis, sign in self._axes or ())
