"""Determines what a texture tab shows, and its range: that of its data, unless the user set another."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from texelscope.pipeline.inputs.sources import PICTURE_SUFFIXES
from texelscope.pipeline.operators.element_types import whole_range
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import StoredTensor
from texelscope.viewer.app import App
from texelscope.viewer.canvas.canvas import RATIO_RANGE
from texelscope.viewer.canvas.spread import Spread
from texelscope.viewer.colour.picture import NAME, PREPARED, Limits, black_and_white, still_seen_as
from texelscope.viewer.colour.ranges import Range, shown_range
from texelscope.viewer.runs import beside
from texelscope.viewer.state import NEEDS_ORACLE, View, ViewMode

# Where all values agree there must still be a range to show differences in.
NO_DIFFERENCE = 1e-6
# During live runs a range is measured again when it is this old, in seconds.
LIVE_SECONDS = 0.25


@dataclass(frozen=True)
class ShownTensor:
    """A tab's tensor: `stored` in the layout that it is shown in, `own` in the layout that it is stored in.

    `mode` is the tab's mode, or ACTUAL if that needs an oracle and there is none. `data` are the numbers that the range
    covers, `odd` the numbers shown, which may be non-finite. `span` is the data's range, `limits` the first and last
    colour, `chosen` the user's choice. `why` explains a picture's black and white, and `nominal` are those that its
    values should lie between: values outside are counted in `odd`. None if the values are not prepared so.
    """

    stored: StoredTensor
    own: StoredTensor
    expected: Expected | None
    mode: ViewMode
    data: Spread
    odd: Spread
    span: Limits
    limits: Limits
    chosen: Range
    why: str = ""
    nominal: Limits | None = None

    @property
    def is_picture(self) -> bool:
        """Whether it is shown in its own colours."""
        return self.stored.layout.name == NAME

    @property
    def differs(self) -> bool:
        """Whether differences are shown, plain or over their bounds."""
        return self.mode in (ViewMode.DIFFERENCE, ViewMode.RATIO)

    @property
    def is_signed(self) -> bool:
        """Whether the colours show a sign."""
        return self.differs or self.limits[0] < 0.0


def expected_of(app: App, key: str) -> Expected | None:
    """Returns what a tensor is compared with now, the oracle's or another run's; None if unknown (yet)."""
    return app.document.expected(key, chained=app.state.chained)


def is_there(app: App, key: str) -> bool:
    """Returns whether there is a picture of a tensor: it was written, or the last frame or another run is shown."""
    session, frame, run = app.document.session, app.document.frame_compared, app.document.shown
    if session is None or run is not None:
        return session is not None and run is not None and key in run.tensors
    return session.is_valid(key) or (frame is not None and key in frame)


def look(app: App, view: View) -> ShownTensor | None:
    """Returns what the tab shows; None while there is nothing."""
    stored, session = app.shown_in(view), app.document.session
    if stored is None or session is None or not is_there(app, stored.key):
        return None
    own, expected = session.plan.textures[stored.key], expected_of(app, stored.key)
    mode = ViewMode.ACTUAL if view.mode in NEEDS_ORACLE and expected is None else view.mode
    actual = spread(app, own, ViewMode.ACTUAL)
    chosen = app.state.range_of(mode, stored)
    if mode in (ViewMode.DIFFERENCE, ViewMode.RATIO):
        data = spread(app, own, ViewMode.DIFFERENCE)
        span = RATIO_RANGE if mode is ViewMode.RATIO else _reach(app, own.key, data)
        limits = span if mode is ViewMode.RATIO else shown_range(chosen, *span)
        return ShownTensor(stored, own, expected, mode, data, data, span, limits, chosen)
    oracle = spread(app, own, ViewMode.ORACLE) if expected is not None else Spread()
    data, odd = actual | oracle | _beside(app, view, own), oracle if mode is ViewMode.ORACLE else actual
    if stored.layout.name != NAME:
        span = shown_range(Range(), *data.range)
        return ShownTensor(stored, own, expected, mode, data, odd, span, shown_range(chosen, *span), chosen)
    side = ViewMode.ORACLE if expected is not None else ViewMode.ACTUAL
    span, why = _prepared(app, own, side)
    limits = span if chosen.follows else (chosen.low, chosen.high)
    nominal = next((pair for pair in (limits, span) if pair in PREPARED), None)
    if nominal is not None and (odd.low < nominal[0] or odd.high > nominal[1]):
        odd = spread(app, own, ViewMode.ORACLE if odd is oracle else ViewMode.ACTUAL, still_seen_as(nominal))
    why = why if chosen.follows else "as you set it"
    return ShownTensor(stored, own, expected, mode, data, odd, span, limits, chosen, why, nominal)


def _beside(app: App, view: View, own: StoredTensor) -> Spread:
    """Returns the range of a tensor's numbers in the tabs of other runs, so that colours mean the same in all."""
    found = Spread()
    if view.against is not None or not any(each.is_of_run for each in app.state.views):
        return found
    name = view.locked or app.selected
    for each in app.state.views:
        if each is not view and each.against is None and (each.locked or app.selected) == name:
            with beside.present(app), beside.pane(app, each):
                if is_there(app, own.key):
                    found |= spread(app, own, ViewMode.ACTUAL)
    return found


def spread(app: App, own: StoredTensor, what: ViewMode, limits: Limits | None = None) -> Spread:
    """Returns the range of a tensor's numbers: actual, the oracle's, or their differences.

    Numbers outside `limits` are counted.
    """
    session, run = app.document.session, app.document.shown
    assert session is not None
    seconds, expected = LIVE_SECONDS if app.document.run.is_live else 0.0, expected_of(app, own.key)
    number = (app.document.expected_number(own.key, chained=app.state.chained), app.state.chained)
    if run is not None and own.key in run.tensors:
        values, place = run.tensors[own.key].values, list(session.plan.textures).index(own.key)
        name, held = f"run {run.number}", run.number * len(session.plan.textures) - place
        return app.display.canvas.spread(
            what,
            lambda: app.display.canvas.hold("spread", held, own.encode(values)),
            own,
            name,
            expected,
            number,
            limits=limits,
        )
    if not session.is_valid(own.key):
        return app.display.canvas.last_spread(what, own, limits)
    generation = session.generation(own.key)
    return app.display.canvas.spread(
        what, lambda: session.texture(own.key), own, generation, expected, number, seconds, limits
    )


def data_range(app: App, key: str) -> Limits:
    """Returns the least and greatest finite number of a tensor and, if known, its oracle; (0, 1) before it is written.

    For thumbnails: compared tensors need no GPU request, and none is made while passes run.
    """
    document = app.document
    statistics = document.comparison.statistics.get(key) if document.comparison is not None else None
    if statistics is not None:
        return statistics.shared
    if document.session is None or not document.session.is_valid(key) or document.run.is_under_way:
        return 0.0, 1.0  # the GPU would have to finish running passes first
    return spread(app, document.session.plan.textures[key], ViewMode.ACTUAL).range


def _reach(app: App, key: str, data: Spread) -> Limits:
    """Returns the range of differences: symmetric about zero, for a match as wide as the bound."""
    low, high = data.range
    reach = max(-low, high) if data.low <= data.high else 0.0
    if not reach:
        return -NO_DIFFERENCE, NO_DIFFERENCE
    report = app.document.report_of(key) if app.document.reference is None else None
    figures = None if report is None else report.chained if app.state.chained else report.isolated
    wider = 1.0 / figures.bound_ratio if figures is not None and 0.0 < figures.bound_ratio < 1.0 else 1.0
    reach = min(reach * wider, 3e38)
    return -reach, reach


def black_and_white_of(app: App, own: StoredTensor) -> Limits:
    """Returns black and white of a picture, as the texture shows it before the user sets others. For thumbnails."""
    expected = expected_of(app, own.key)
    return _prepared(app, own, ViewMode.ORACLE if expected is not None else ViewMode.ACTUAL)[0]


def _prepared(app: App, own: StoredTensor, side: ViewMode) -> tuple[Limits, str]:
    """Returns black and white of a picture, and their origin; `side` has the numbers that it should have."""
    right = spread(app, own, side)
    target, limits = app.document.target, whole_range(own.dtype)
    source = target.inputs.get(own.key, "") if target is not None else ""
    if limits is not None and limits[1] - limits[0] == 255:
        return (float(limits[0]), float(limits[1])), f"as {own.dtype} has it"
    if Path(source).suffix.lower() in PICTURE_SUFFIXES and 0.0 <= right.low <= right.high <= 1.0:
        return (0.0, 1.0), "as the picture was loaded"

    def share_outside(limits: Limits) -> float:
        outside = spread(app, own, side, still_seen_as(limits))
        return (outside.below + outside.above) / math.prod(own.shape)

    low, high = right.range
    black, white = black_and_white(low, high, share_outside)
    return (black, white), "the range of the values" if (black, white) == (low, high) else "detected from the values"
