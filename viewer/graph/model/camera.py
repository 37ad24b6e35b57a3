"""Holds which part of a graph is shown, and moves and zooms it; lengths of the graph are in pixels at zoom 1."""

from __future__ import annotations

from dataclasses import dataclass

BOX_WIDTH, BOX_HEIGHT = 196.0, 84.0
STEP_X, STEP_Y = 262.0, 120.0
MARGIN = 24.0
MAX_ZOOM = 2.0
# From here on a box has room for words, from there on for its sign and a short name; below it is a bar.
WORDS_ZOOM, SHORT_ZOOM = 0.55, 0.24
FITTED_ZOOM = 0.9
# A graph that is zoomed out further gets flatter or narrower, but not both, as long as it fits.
FLATTEST_ZOOM = 0.12


@dataclass(frozen=True)
class GraphArea:
    """Describes a rectangle of the graph."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass
class Camera:
    """Shows the graph from (`x`, `y`), at the top left, on. `room` is width and height of the panel in pixels.

    `extent` is width and height of the graph with its margins. Pixels are those of a display of scale 1.
    """

    x: float = -MARGIN
    y: float = -MARGIN
    zoom: float = 1.0
    room: tuple[float, float] = (1.0, 1.0)
    extent: tuple[float, float] = (1.0, 1.0)

    @property
    def whole_zoom(self) -> float:
        """The zoom at which the whole graph is in sight."""
        return min(self.room[0] / self.extent[0], self.room[1] / self.extent[1])

    @property
    def across(self) -> float:
        """Pixels from left to right for a pixel at zoom 1."""
        return max(self.zoom, min(FLATTEST_ZOOM, self.room[0] / self.extent[0]))

    @property
    def down(self) -> float:
        """Pixels from top to bottom for a pixel at zoom 1."""
        return max(self.zoom, min(FLATTEST_ZOOM, self.room[1] / self.extent[1]))

    @property
    def seen(self) -> GraphArea:
        """The part in sight."""
        return GraphArea(self.x, self.y, self.x + self.room[0] / self.across, self.y + self.room[1] / self.down)

    @property
    def sees_all(self) -> bool:
        """Whether all boxes are in sight."""
        area, (width, height) = self.seen, self.extent
        return (
            area.left <= 0 and area.top <= 0 and area.right >= width - 2 * MARGIN and area.bottom >= height - 2 * MARGIN
        )

    def zoom_at(self, factor: float, at: tuple[float, float]) -> None:
        """Zooms by `factor`; what is at the pixel `at` of the panel stays there."""
        held = self.x + at[0] / self.across, self.y + at[1] / self.down
        least = min(FLATTEST_ZOOM, self.whole_zoom)
        self.zoom = min(max(self.zoom * factor, least), MAX_ZOOM)
        self.x, self.y = held[0] - at[0] / self.across, held[1] - at[1] / self.down

    def move(self, dx: float, dy: float) -> None:
        """Moves the view by so many pixels."""
        self.x += dx / self.across
        self.y += dy / self.down

    def fit(self, least: float = FITTED_ZOOM) -> None:
        """Shows the whole graph, or its beginning where the zoom would fall below `least`."""
        self.zoom = min(max(self.whole_zoom, least), 1.0)
        slack = max(self.room[0] / self.across - self.extent[0], 0.0) / 2
        self.x, self.y = -MARGIN - slack, -MARGIN

    def centre_on(self, x: float, y: float) -> None:
        """Shows that place of the graph in the middle."""
        self.x, self.y = x - self.room[0] / self.across / 2, y - self.room[1] / self.down / 2

    def bring(self, left: float, top: float) -> None:
        """Moves a box with that corner into sight; the view stays where the box is in sight already."""
        area = self.seen
        if not area.left <= left <= area.right - BOX_WIDTH:
            self.x = left - (area.right - area.left - BOX_WIDTH) / 2
        if not area.top <= top <= area.bottom - BOX_HEIGHT:
            self.y = max(top - (area.bottom - area.top) / 2, -MARGIN)

    def go_to(self, left: float, top: float) -> None:
        """Shows a box with that corner near enough to read it, then in the middle; `bring`s one that could be read."""
        if self.zoom >= WORDS_ZOOM:
            self.bring(left, top)
            return
        self.zoom = FITTED_ZOOM
        self.centre_on(left + BOX_WIDTH / 2, top + BOX_HEIGHT / 2)
