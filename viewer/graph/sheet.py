"""Converts places of the graph to pixels of the window, for the frame being drawn."""

from __future__ import annotations

from dataclasses import dataclass

from imgui_bundle import imgui

from texelscope.viewer.graph.model.camera import BOX_HEIGHT, BOX_WIDTH, Camera

# Left, top, right and bottom in pixels of the window.
Rect = tuple[float, float, float, float]


@dataclass(frozen=True)
class Sheet:
    """The part of the window that the graph is drawn in, from `left`, `top` on, `width` times `height` pixels large."""

    draw_list: imgui.ImDrawList
    left: float
    top: float
    width: float
    height: float
    camera: Camera
    scale: float

    @property
    def zoom(self) -> float:
        """Pixels of the window for a pixel at zoom 1, for texts and lines."""
        return self.camera.zoom * self.scale

    @property
    def box_size(self) -> tuple[float, float]:
        """Width and height of a box."""
        return BOX_WIDTH * self.camera.across * self.scale, BOX_HEIGHT * self.camera.down * self.scale

    def x(self, left: float) -> float:
        """Converts a distance from the first row."""
        return self.left + (left - self.camera.x) * self.camera.across * self.scale

    def y(self, top: float) -> float:
        """Converts a distance from the first rank."""
        return self.top + (top - self.camera.y) * self.camera.down * self.scale

    def rect(self, left: float, top: float) -> Rect:
        """Returns the rectangle of a box with that corner."""
        x, y = self.x(left), self.y(top)
        width, height = self.box_size
        return x, y, x + width, y + height
