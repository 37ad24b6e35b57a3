"""Defines frames as data: the moment that a frame is of, and the tensors that one frame hands on to the next.

A frame is one run of all passes. What changes from frame to frame is evaluated to numbers before anything is drawn: the
plan of a frame is an ordinary plan.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

# The frames a second of a file that does not say them.
PER_SECOND = 60.0
# The stored tensor with the values of the frame before has the tensor's key and this.
PREVIOUS = "@previous"

# x, y, and x, y where a button was pressed last: texels of the picture, from its upper left corner.
Mouse = tuple[float, float, float, float]


@dataclass(frozen=True)
class Moment:
    """Says which frame it is: its number, from 0, and where the mouse is; `per_second` makes seconds of the number."""

    frame: int = 0
    per_second: float = PER_SECOND
    mouse: Mouse = (0.0, 0.0, 0.0, 0.0)

    @property
    def time(self) -> float:
        """Seconds since frame 0."""
        return self.frame / self.per_second

    @property
    def numbers(self) -> Mapping[str, tuple[int | float, ...]]:
        """What an expression may call by name."""
        return {"frame": (self.frame,), "time": (self.time,), "mouse": self.mouse}


@dataclass(frozen=True)
class CarriedTensor:
    """A tensor that one frame hands on: `key` holds what `of` held at the end of the frame before.

    Both are keys of stored tensors of one shape, layout and storage. In frame 0 it holds the values of the input or
    constant `first`; without one it is zero.
    """

    key: str
    of: str
    first: str = ""


@dataclass(frozen=True)
class Frames:
    """Says how many frames a whole run has, what they hand on, and of which moment a plan's uniforms are."""

    count: int = 1
    carried: tuple[CarriedTensor, ...] = ()
    moment: Moment = Moment()

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the stored tensors that hold values of the frame before."""
        return tuple(each.key for each in self.carried)
