"""Keeps keys and buttons for the interface, and passes on a frame's share at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable


class KeyStrokes:
    """Keeps events in the order in which they came.

    Imgui checks Ctrl, Shift and Alt once a frame. If Ctrl+G ended within one frame, imgui would see G without Ctrl,
    which is another command: the duration of a frame must not change the meaning of keys.
    """

    def __init__(self) -> None:
        self._waiting: deque[tuple[bool, Callable[[], None]]] = deque()

    def add(self, deliver: Callable[[], None], *, modifier: bool = False) -> None:
        """Appends an event; `deliver` passes it on. `modifier` if it is Ctrl, Shift, Alt or Super."""
        self._waiting.append((modifier, deliver))

    def deliver_one_frame(self) -> None:
        """Passes on what one frame may take: all up to the first modifier that changes after something else."""
        other = False
        while self._waiting and not (other and self._waiting[0][0]):
            modifier, deliver = self._waiting.popleft()
            other = other or not modifier
            deliver()
