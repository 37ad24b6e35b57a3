"""Tensors as arrays, for pointing at: read back once for each time that they are written."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.inputs.values import checked_input

# Tensors kept: those of the tabs in sight.
MOST_KEPT = 4


class TensorValues:
    """What was read back of one session after the other."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[int, NDArray[np.float32]]] = {}

    def clear(self) -> None:
        """For another session."""
        self._kept.clear()

    def of(self, session: Session, key: str) -> NDArray[np.float32] | None:
        """The tensor as it is now, in its logical shape; None if it has not been written."""
        if not session.is_valid(key):
            return None
        known = self._kept.get(key)
        if known is None or known[0] != session.generation(key):
            return self._keep(session, key, session.tensor(key))
        return known[1]

    def uploaded(self, session: Session, key: str, array: NDArray[Any]) -> None:
        """Notes what was just written to an input, so that nobody reads it back, where its texture holds just that."""
        if session.plan.textures[key].storage == "float32":
            self._keep(session, key, np.asarray(checked_input(session.plan, key, array), dtype=np.float32))

    def _keep(self, session: Session, key: str, value: NDArray[np.float32]) -> NDArray[np.float32]:
        self._kept.pop(key, None)
        while len(self._kept) >= MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        self._kept[key] = (session.generation(key), value)
        return value
