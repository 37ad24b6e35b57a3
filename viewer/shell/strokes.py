"""Keys and buttons on their way to the interface, a frame's share at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable


class KeyStrokes:
    """Events in the order in which they came.

    Imgui looks at Ctrl, Shift and Alt once a frame. Were Ctrl+G over within one frame, it would see G without Ctrl,
    which is another command: how long a frame takes must not change what was asked for.
    """

    def __init__(self) -> None:
        self._waiting: deque[tuple[bool, Callable[[], None]]] = deque()

    def add(self, tell: Callable[[], None], *, modifier: bool = False) -> None:
        """Puts an event last; `tell` passes it on. `modifier` if it is Ctrl, Shift, Alt or Super."""
        self._waiting.append((modifier, tell))

    def tell_one_frame(self) -> None:
        """Passes on what one frame may take: all up to the first modifier that changes after something else."""
        other = False
        while self._waiting and not (other and self._waiting[0][0]):
            modifier, tell = self._waiting.popleft()
            other = other or not modifier
            tell()
