"""Holds what the window shows as plain data: selection, and the view of each texture tab. No GL, no session.

A selection may name something that is gone; `ViewState.effective` makes it valid before anything is drawn.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from texelscope.pipeline.plan import StoredTensor
from texelscope.pipeline.target import Target
from texelscope.viewer.colour.picture import NAME, TrueColour
from texelscope.viewer.colour.ranges import Colours, Kind, Range, Ranges
from texelscope.viewer.graph.model.folding import Folds

# A size class of the window: each has an arrangement of panels of its own.
Room = Literal["small", "middle", "large"]


class ViewMode(enum.IntEnum):
    """What a texture tab shows; the numbers are those of the canvas shader, flicker alternates the first two."""

    ACTUAL = 0
    ORACLE = 1
    DIFFERENCE = 2
    RATIO = 3
    SPLIT = 4
    FLICKER = 5


MODE_LABELS = {
    ViewMode.ACTUAL: "Actual",
    ViewMode.ORACLE: "Oracle",
    ViewMode.DIFFERENCE: "Difference",
    ViewMode.RATIO: "Error / bound",
    ViewMode.SPLIT: "Split",
    ViewMode.FLICKER: "Flicker",
}

NEEDS_ORACLE = (ViewMode.ORACLE, ViewMode.DIFFERENCE, ViewMode.RATIO, ViewMode.SPLIT, ViewMode.FLICKER)

MIN_ZOOM, MAX_ZOOM = 0.02, 96.0
# A long thin texture is fitted no thinner than this; its beginning is shown.
THINNEST_PIXELS = 20.0


@dataclass
class View:
    """One texture tab. Centre and pick are in texels, `zoom` in pixels per texel.

    `run` is the number of a kept run that the tab shows in the present one's place, and `against` that of a run that
    takes the oracle's place in this tab alone. `shown_as` names the layout that tensors are shown in; None shows them
    as stored. `echo` is the texel under the mouse in a linked view. `texts` caches the values at high zoom, by texel
    and mode, while `texts_of` stays the same. `typed_end` is the end of the range (0 or 1) that is being `typed`,
    `typed_anew` in the first frame. `fitted` is what the view was fitted to last, `fitted_as` the zoom and centre that
    it got and the room in pixels.
    """

    locked: str | None = None
    run: int | None = None
    against: int | None = None
    mode: ViewMode = ViewMode.ACTUAL
    shown_as: str | None = None
    zoom: float = 1.0
    centre: tuple[float, float] = (0.0, 0.0)
    fitted: str | None = None
    fitted_as: tuple[float, tuple[float, float], tuple[float, float]] | None = field(default=None, compare=False)
    lanes: list[bool] = field(default_factory=lambda: [True, True, True, True])
    seam: float = 0.5
    seam_held: bool = False
    low_mark_held: bool = False
    typed_end: int | None = field(default=None, compare=False)
    typed: str = field(default="", compare=False)
    typed_anew: bool = field(default=False, compare=False)
    mark_negative: bool = False
    mark_outside: bool = True
    grid: bool = True
    labels: bool = True
    hover: tuple[int, int] | None = None
    pick: tuple[int, int] | None = None
    echo: tuple[int, int] | None = None
    texts: dict[tuple[int, int, ViewMode], tuple[str, ...]] = field(default_factory=dict, compare=False)
    texts_of: tuple[object, ...] = field(default=(), compare=False)

    def zoom_at(self, factor: float, anchor: tuple[float, float]) -> None:
        """Zooms by `factor` and keeps the texel position `anchor` where it is on the screen."""
        wanted = min(max(self.zoom * factor, MIN_ZOOM), MAX_ZOOM)
        ratio = self.zoom / wanted
        self.centre = tuple(a + (c - a) * ratio for a, c in zip(anchor, self.centre, strict=True))  # type: ignore[assignment]
        self.zoom = wanted

    def move(self, dx: float, dy: float, width_texels: int, height_texels: int) -> None:
        """Moves the view by `dx`, `dy` texels, but keeps the texture in sight."""
        x, y = self.centre[0] + dx, self.centre[1] + dy
        self.centre = (min(max(x, 0.0), float(width_texels)), min(max(y, 0.0), float(height_texels)))

    def fit(self, width_texels: int, height_texels: int, width_pixels: float, height_pixels: float) -> None:
        """Shows the whole texture; whole pixels per texel where it is smaller than the panel.

        Of a texture so long that it would be a hairline, the beginning is shown.
        """
        zoom = min(width_pixels / width_texels, height_pixels / height_texels) * 0.97
        zoom = max(zoom, min(THINNEST_PIXELS / min(width_texels, height_texels), width_pixels, height_pixels))
        zoom = float(int(zoom)) if zoom >= 2.0 else zoom
        self.zoom = zoom = min(max(zoom, MIN_ZOOM), MAX_ZOOM)
        half_width, half_height = width_pixels / zoom / 2.0, height_pixels / zoom / 2.0
        self.centre = (min(width_texels / 2.0, half_width), min(height_texels / 2.0, half_height))
        self.fitted_as = (self.zoom, self.centre, (width_pixels, height_pixels))

    def outgrew_fit(self, width_pixels: float, height_pixels: float) -> bool:
        """Returns whether the room has another size since the view was fitted, and nobody has zoomed or moved it."""
        if self.fitted_as is None:
            return False
        zoom, centre, room = self.fitted_as
        return (self.zoom, self.centre) == (zoom, centre) and room != (width_pixels, height_pixels)

    @property
    def is_of_run(self) -> bool:
        """Whether the tab shows another run, or the difference from one."""
        return self.run is not None or self.against is not None


def fit_key(key: str, texture_shape: tuple[int, int]) -> str:
    """Returns a key of what a view was fitted to: another tensor or size is fitted again."""
    return f"{key} {texture_shape}"


@dataclass
class TensorVisit:
    """Another tensor in the first tab for a while: `view` is locked to it. All else stays with the focus.

    `of` is the pass whose reads led there, `came_from` the number of the tab with its picked texel.
    """

    view: View
    of: str
    came_from: int = 0


@dataclass(frozen=True)
class TextInSight:
    """The visible text of a file in the shader panel, by line counted from 1, and which lines are marked as what."""

    file: str
    lines: Mapping[int, str]
    marked: Mapping[int, str]


@dataclass
class ViewState:
    """All that the panels share. `selected` is what the user chose, by pass or input name.

    `chosen` says that something was selected since the target was opened, by the user or as the first wrong pass.
    `goes_on_in` is the target that the open one was saved as: opening it keeps the selection. `wanted_sight` is a line
    to scroll into view in the shader panel, without selecting it as `wanted_line` is. `wanted_panels` are to come to
    the front with the keyboard, `wanted_tabs` without it: nobody asked for them just now. `ranges` of values and
    `pictures` are by tensor key, for all tabs. `folds` are the folded scopes of the graph. `room` is the size
    class of the present arrangement of panels.
    """

    selected: str | None = None
    chosen: bool = False
    goes_on_in: str | None = None
    filter_text: str = ""
    only_wrong: bool = False
    chained: bool = False
    views: list[View] = field(default_factory=lambda: [View()])
    visit: TensorVisit | None = None
    active_view: int = 0
    ranges: Ranges = field(default_factory=Ranges)
    pictures: dict[str, TrueColour] = field(default_factory=dict)
    colours: Colours = field(default_factory=Colours)
    side_by_side: bool = False
    linked: bool = True
    filter_over: bool = False
    folds: Folds = field(default_factory=Folds)
    palette_open: bool = False
    goto_open: bool = False
    help_shown: str = ""
    pin_open: bool = False
    pin_name: str = ""
    open_dialog: bool = False
    first_layout: bool = True
    texture_first: bool = False
    panels_before: str = ""
    room: Room | None = None
    layout_name: str = ""
    layout_used: str = ""
    tour: int | None = None
    tour_shown: int | None = None
    plants_bug: bool = False
    wanted_view: int | None = None
    wanted_filter: bool = False
    wanted_line: tuple[str, int] | None = None
    shown_line: tuple[str, int] | None = None
    wanted_sight: tuple[str, int] | None = None
    text_in_sight: TextInSight | None = None
    wanted_panels: list[str] = field(default_factory=list)
    wanted_tabs: list[str] = field(default_factory=list)
    declined: set[str] = field(default_factory=set)
    shown_panels: dict[str, bool] = field(default_factory=dict)

    def effective(self, names: Sequence[str]) -> str | None:
        """Returns the selection if it is among `names`, else the first of them."""
        if self.selected in names:
            return self.selected
        return names[0] if names else None

    def select(self, name: str) -> None:
        """Selects the layer called `name` for all panels; after that nothing is selected automatically."""
        self.selected, self.chosen = name, True
        self.views[0].pick = self.visit = None

    def range_of(self, mode: ViewMode, stored: StoredTensor) -> Range:
        """Returns the range that a tensor is shown with, in its displayed layout."""
        is_picture = stored.layout.name == NAME
        kind: Kind = "difference" if mode is ViewMode.DIFFERENCE else "picture" if is_picture else "value"
        return self.ranges.of(stored.key, kind)

    @property
    def view(self) -> View:
        """The texture tab that has the keyboard, as it is shown."""
        self.active_view = min(self.active_view, len(self.views) - 1)
        return self.tabs[self.active_view]

    @property
    def tabs(self) -> list[View]:
        """The texture tabs as they are shown; during a visit, that replaces the first."""
        return self.views if self.visit is None else [self.visit.view, *self.views[1:]]

    @property
    def focus(self) -> View:
        """The view whose picked texel is examined; during a visit, the view that it came from."""
        view = self.view
        if self.visit is None or view is not self.visit.view:
            return view
        return self.views[min(self.visit.came_from, len(self.views) - 1)]


@dataclass
class LeaveRequest:
    """A request to open `target`, or, without one, to close the window. `is_saving` while a bundle is written first."""

    target: Target | None = None
    is_saving: bool = False
    problem: str = ""
