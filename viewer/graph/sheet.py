"""Converts places of the graph to pixels of the window, for the frame being drawn."""

from __future__ import annotations

from dataclasses import dataclass

from imgui_bundle import imgui

from texelscope.viewer.graph.model.camera import BOX_HEIGHT, BOX_WIDTH, Camera
from texelscope.viewer.graph.model.geometry import Floats, Geometry, Indices

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

    def corners(self, geometry: Geometry, boxes: Indices) -> tuple[Floats, Floats]:
        """Returns left and top of boxes."""
        camera = self.camera
        return (
            self.left + (geometry.lefts[boxes] - camera.x) * (camera.across * self.scale),
            self.top + (geometry.tops[boxes] - camera.y) * (camera.down * self.scale),
        )

    def rects(self, geometry: Geometry, boxes: Indices) -> list[Rect]:
        """Returns the rectangles of boxes."""
        (xs, ys), (width, height) = self.corners(geometry, boxes), self.box_size
        ends = (xs + width).tolist(), (ys + height).tolist()
        return list(zip(xs.tolist(), ys.tolist(), *ends, strict=True))
