"""Reads tensors back as arrays, for pointing at texels, once for each time that they are written."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.inputs.values import checked_input

# Kept tensors: those of the visible tabs.
MOST_KEPT = 4


class TensorValues:
    """Keeps arrays of the present session's tensors."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[int, NDArray[np.float32]]] = {}

    def clear(self) -> None:
        """Drops all arrays, for another session."""
        self._kept.clear()

    def of(self, session: Session, key: str) -> NDArray[np.float32] | None:
        """Returns the tensor as it is now, in its logical shape; None if it has not been written."""
        if not session.is_valid(key):
            return None
        known = self._kept.get(key)
        if known is None or known[0] != session.generation(key):
            return self._keep(session, key, session.tensor(key))
        return known[1]

    def uploaded(self, session: Session, key: str, array: NDArray[Any]) -> None:
        """Records what was just written to an input, to avoid reading it back, if the texture holds it exactly."""
        if session.plan.textures[key].storage == "float32":
            self._keep(session, key, np.asarray(checked_input(session.plan, key, array), dtype=np.float32))

    def _keep(self, session: Session, key: str, value: NDArray[np.float32]) -> NDArray[np.float32]:
        self._kept.pop(key, None)
        while len(self._kept) >= MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        self._kept[key] = (session.generation(key), value)
        return value
