"""Places names beside their points: in the picture, on no point and on no other name, if there is room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Box:
    """Bounds a rectangle in units of the picture, y downwards."""

    x0: float
    y0: float
    x1: float
    y1: float

    def moved(self, dx: float, dy: float) -> Box:
        """Returns the box elsewhere."""
        return Box(self.x0 + dx, self.y0 + dy, self.x1 + dx, self.y1 + dy)

    def meets(self, other: Box) -> bool:
        """Whether there is more than an edge in common."""
        return self.x0 < other.x1 and other.x0 < self.x1 and self.y0 < other.y1 and other.y0 < self.y1

    def is_inside(self, other: Box) -> bool:
        """Whether all of it lies inside the other."""
        return other.x0 <= self.x0 and self.x1 <= other.x1 and other.y0 <= self.y0 and self.y1 <= other.y1


def free(places: Sequence[Box], taken: Sequence[Box], frame: Box) -> Box:
    """Returns the first of the places that lies in the frame and meets no taken box; the first where none does."""
    for box in places:
        if box.is_inside(frame) and not any(box.meets(other) for other in taken):
            return box
    return places[0]


def beside_points(
    points: Sequence[tuple[float, float]],
    sizes: Sequence[tuple[float, float]],
    frame: Box,
    radius: float,
    texts: Sequence[Box] = (),
) -> list[Box]:
    """Returns a box for the name of each of the first points, of these widths and heights; marks are `radius` large.

    `texts` are the boxes already taken.
    """
    taken = [*texts, *(Box(x - radius, y - radius, x + radius, y + radius) for x, y in points)]
    found = []
    for (x, y), (width, height) in zip(points, sizes, strict=False):
        gap = radius + 3
        right = Box(x + gap, y - height / 2, x + gap + width, y + height / 2)
        sides = (0.0, -width - 2 * gap, -gap - width / 2)
        places = [right.moved(dx, dy * height) for dy in (0, 1, -1, 2, 3, 4, -2, -3) for dx in sides]
        box = free(places, taken, frame)
        taken.append(box)
        found.append(box)
    return found
