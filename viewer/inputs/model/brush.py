"""Holds the brush, and the stroke that is being painted with it on an input."""

from __future__ import annotations

from dataclasses import dataclass, field

from texelscope.viewer.inputs.model.painting import Planes, Point, stroke

Colour = tuple[float, float, float]


@dataclass
class Brush:
    """Holds the `colour` of strokes (red, green and blue, 0 to 1) and their `radius` in pixels of the input.

    While it is `on`, the left mouse button paints on the texture of an input.
    """

    colour: Colour = (1.0, 0.85, 0.2)
    radius: float = 4.0
    on: bool = False

    def values(self, channels: int) -> tuple[float, ...]:
        """Returns the number for each of 1, 3 or 4 channels; opacity is 1."""
        return (sum(self.colour) / 3,) if channels == 1 else (*self.colour, 1.0)[:channels]

    def take(self, colour: Colour) -> None:
        """Paints with that colour from now on; with the present one, puts the brush away."""
        self.on = not (self.on and self.colour == colour)
        self.colour = colour


@dataclass
class LiveStroke:
    """A stroke on the input `name`, begun on the canvas called `canvas`, through `points` in pixels of the input.

    `before` and `after` are the input's planes (float32 C, H, W), `sent` those that the network last ran on.
    """

    name: str
    canvas: str
    before: Planes
    after: Planes
    sent: Planes
    points: list[Point] = field(default_factory=list)

    @classmethod
    def begin(cls, name: str, canvas: str, planes: Planes) -> LiveStroke:
        """Begins a stroke without a point."""
        return cls(name, canvas, planes, planes, planes)

    def go_to(self, at: Point, brush: Brush) -> None:
        """Paints up to a point, in pixels from the input's corner."""
        if self.points and self.points[-1] == at:
            return
        start = self.points[-1] if self.points else at
        self.after = stroke(self.after, start, at, brush.radius, brush.values(len(self.after)))
        self.points.append(at)

    @property
    def is_ahead(self) -> bool:
        """Whether the network has not run on the stroke as it is."""
        return self.sent is not self.after

    def to_send(self) -> Planes | None:
        """Returns the planes if the network has not run on them yet, and takes them as sent."""
        if not self.is_ahead:
            return None
        self.sent = self.after
        return self.after
