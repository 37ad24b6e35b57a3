"""Variables: what they hold before the present step of a fragment, what it reads, watches, what it was given."""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import imgui

from pipeline.trace.trace import Step, Trace
from viewer import theme
from viewer.app import App
from viewer.content.short_text import shortened
from viewer.explained import given_list, origin_list, read_list, variable_table, watch_list
from viewer.panels.registry import Panel
from viewer.stepping.index import Frame, TraceIndex
from viewer.variables.environment import Part, environment
from viewer.variables.rows import Place, Row, place_of, rows_at, types_of
from viewer.variables.scopes import Declared, declared_in
from viewer.variables.turns import Loop, Series, loop_around, series


class VariablesPanel(Panel):
    """All that is in scope before the present step of a fragment."""

    title = "Variables"
    place = "right"
    order = 1
    comes_and_goes = True

    def __init__(self) -> None:
        self._trace: Trace | None = None
        self._at = 0
        self._declared: dict[str, tuple[Declared, ...]] = {}
        self._rows: tuple[object, list[Row]] = (None, [])
        self._loop: Loop | None = None
        self._series: dict[tuple[object, ...], Series | None] = {}
        self._given: tuple[Part, ...] = ()

    def is_there(self, app: App) -> bool:
        """While a fragment is stepped through."""
        return app.stepping.is_on

    def draw(self, app: App) -> None:
        """Where one stands, the variables, and below them what explains them."""
        stepping, looking = app.stepping, app.looking
        index, session = stepping.index, app.document.session
        if stepping.at != self._at:
            self._at, looking.call = stepping.at, None
        if index is None or session is None:
            imgui.text_disabled("Step through a texel: F10.")
            return
        if self._trace is not index.trace:
            self._begin(app, index.trace)
        frames = index.frames(min(stepping.at, max(index.end - 1, index.first)))
        frame = next((each for each in frames if each.call == looking.call), frames[0] if frames else None)
        _heading(app, index)
        if len(frames) > 1:
            _calls(app, frames, frame)
        if frame is not None:
            self._table(app, index, frame)
        _reads(app, index)
        if looking.origin is not None:
            _heading_line(app, "Where it came from")
            origin_list.draw(app, looking.origin)
        _heading_line(app, "Watches")
        watch_list.draw(app)
        _space(app)
        is_open = imgui.collapsing_header("Given: uniforms, samplers, constants")
        app.mark("given")
        if is_open:
            given_list.draw(app, self._given)

    def _begin(self, app: App, trace: Trace) -> None:
        """What stays as it is all through a trace."""
        session = app.document.session
        assert session is not None
        self._trace, self._loop = trace, None
        self._series.clear()
        source = session.program_source(trace.pass_name)
        self._declared = {file.path: declared_in(file.text) for file in source.files}
        types = {name: kind for each in self._declared.values() for name, kind in types_of(each).items()}
        tensors = {key: stored.tensor for key, stored in session.plan.textures.items()}
        self._given = environment(trace, types, tensors)

    def _table(self, app: App, index: TraceIndex, frame: Frame) -> None:
        place = place_of(index, frame, app.stepping.at)
        rows = self._rows_at(app, index, place)
        if not rows:
            imgui.text_disabled("No variable has a value yet.")
            return
        step = index.step(min(app.stepping.at, index.end - 1))
        loop = self._loop_at(index, app.stepping.at)
        turn = step.turns[-1] if step is not None and loop is not None and loop.depth and step.turns else None

        def plot(row: Row) -> Series | None:
            return self._series_of(index, loop, row)

        variable_table.draw(app, rows, plot, turn)

    def _rows_at(self, app: App, index: TraceIndex, place: Place) -> list[Row]:
        stepping, opened = app.stepping, frozenset(app.looking.opened)
        asked = (index.trace, stepping.at, stepping.was, place.call, opened)
        if self._rows[0] != asked:
            found = index.variables(stepping.at, place.call)
            declared = self._declared.get(place.line[0], ())
            self._rows = (asked, rows_at(index, found, place, declared, stepping.changed(), opened))
        return self._rows[1]

    def _loop_at(self, index: TraceIndex, at: int) -> Loop | None:
        loop, step = self._loop, index.step(min(at, index.end - 1))
        is_same = loop is not None and step is not None and (step.call, len(step.turns)) == (loop.call, loop.depth)
        if loop is None or not is_same or not loop.first <= at <= loop.last:
            loop = loop_around(index, at)
            if loop != self._loop:
                self._series.clear()
            self._loop = loop
        return loop

    def _series_of(self, index: TraceIndex, loop: Loop | None, row: Row) -> Series | None:
        if loop is None or len(row.keys) != 1:
            return None
        if row.keys not in self._series:
            self._series[row.keys] = series(index, loop, index.history(row.keys[0]))
        return self._series[row.keys]


def _heading(app: App, index: TraceIndex) -> None:
    """Which fragment it is, and how far it is."""
    stepping, trace = app.stepping, index.trace
    step = stepping.step
    imgui.push_font(app.fonts.bold, 0.0)
    where = f"{step.function}  :{step.line[1]}" if step is not None else "done"
    imgui.text_unformatted(where)
    imgui.pop_font()
    imgui.same_line()
    turns = f"turn {', '.join(str(turn) for turn in step.turns)},  " if step is not None and step.turns else ""
    texel = f"texel ({trace.place[0]}, {trace.place[1]}) of {trace.pass_name}"
    text = f"{turns}before step {stepping.at:,} of {trace.total:,}"
    imgui.text_disabled(shortened(text, imgui.get_content_region_avail().x))
    if imgui.is_item_hovered():
        imgui.set_tooltip(f"{text}\n{texel}")
    app.mark("present step")
    if trace.discarded and step is None:
        imgui.text_colored(theme.WARNING, "The fragment was discarded.")


def _calls(app: App, frames: Sequence[Frame], chosen: Frame | None) -> None:
    """The calls under way, innermost first; a click shows the variables of another."""
    for frame in frames:
        label = f"{frame.function}()  :{frame.line[1]}##call {frame.call}"
        if imgui.selectable(label, frame is chosen)[0]:
            app.looking.call = frame.call
        app.mark(f"call {frame.call}")
        imgui.set_item_tooltip("Shows the variables of this call")


def _reads(app: App, index: TraceIndex) -> None:
    """What the present step reads; between two reads, what the last one read."""
    session, at = app.document.session, app.stepping.at
    here, last = index.step(at), index.step(at - 1)
    step: Step | None = here if here is not None and here.reads else last
    if step is None or not step.reads or session is None:
        return
    _heading_line(app, f"This step reads, on line {step.line[1]}" if step is here else f"Read on line {step.line[1]}")
    read_list.draw(app, session, step)


def _heading_line(app: App, text: str) -> None:
    _space(app)
    imgui.separator_text(text)


def _space(app: App) -> None:
    imgui.dummy((0, 3 * app.scale))


PANEL = VariablesPanel()
