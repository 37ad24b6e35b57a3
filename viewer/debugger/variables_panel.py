"""The Variables panel shows variables before the present step of a fragment, its reads, watches, and what was given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.debugger.model.words import loop_words, place_words, step_words
from texelscope.viewer.debugger.tables import given_list, origin_list, read_list, variable_table, watch_list
from texelscope.viewer.debugger.tables.variable_table import Plot
from texelscope.viewer.panel import Panel
from texelscope.viewer.widgets.controls import shortened

if TYPE_CHECKING:
    from texelscope.pipeline.step_trace.trace import Trace, TraceStep
    from texelscope.pipeline.stepping.environment import Part
    from texelscope.pipeline.stepping.index import CallFrame, Key, TraceIndex
    from texelscope.pipeline.stepping.loops import LoopRun
    from texelscope.pipeline.stepping.rows import FunctionPlace, VariableRow
    from texelscope.pipeline.stepping.scopes import ScopedName


class VariablesPanel(Panel):
    """Shows everything in scope before the present step of a fragment."""

    title = "Variables"
    place = "bottom_left"
    order = 1
    key = "]"
    comes_and_goes = True

    def __init__(self) -> None:
        self._at = 0
        self.let_go()

    def let_go(self) -> None:
        """Releases the trace's data: a trace has thousands of steps."""
        self._trace: Trace | None = None
        self._declared: dict[str, tuple[ScopedName, ...]] = {}
        self._rows: tuple[object, list[VariableRow]] = (None, [])
        self._loops: tuple[int, tuple[LoopRun, ...]] = (-1, ())
        self._plots: dict[Key, Plot | None] = {}
        self._given: tuple[Part, ...] = ()

    def is_there(self, app: App) -> bool:
        """Returns whether a fragment is stepped through."""
        return app.debugger.stepping.is_on

    def draw(self, app: App) -> None:
        """Draws the position, the variables, and below them what explains them."""
        stepping, looking = app.debugger.stepping, app.debugger.looking
        index, session = stepping.index, app.document.session
        looking.texts.clear()
        if stepping.at != self._at:
            self._at, looking.call = stepping.at, None
        if index is None or session is None:
            imgui.text_disabled("Step through a texel: F10.")
            return
        if self._trace is not index.trace:
            self._begin(app, index.trace)
        # The field for watches stands below what scrolls: it stays where it is while variables come and go.
        room = imgui.get_content_region_avail().y - imgui.get_frame_height_with_spacing()
        imgui.begin_child("variables", (0, max(room, 1.0)))
        self._tables(app, index)
        imgui.end_child()
        watch_list.draw_field(app)

    def _tables(self, app: App, index: TraceIndex) -> None:
        """Draws all but the field for watches."""
        stepping, looking = app.debugger.stepping, app.debugger.looking
        frames = index.frames(min(stepping.at, max(index.end - 1, index.first)))
        frame = next((each for each in frames if each.call == looking.call), frames[0] if frames else None)
        _heading(app)
        if len(frames) > 1:
            _calls(app, frames, frame)
        if frame is not None:
            self._table(app, index, frame)
        _reads(app, index)
        if looking.origin is not None:
            _heading_line(app, "Where it came from")
            origin_list.draw(app, looking.origin)
        if stepping.watches:
            _heading_line(app, "Watches")
            watch_list.draw(app)
        _space(app)
        is_open = imgui.collapsing_header("Given: uniforms, samplers, constants")
        app.mark("given")
        if is_open:
            given_list.draw(app, self._given)

    def _begin(self, app: App, trace: Trace) -> None:
        """Collects what stays the same throughout a trace."""
        from texelscope.pipeline.stepping.environment import environment
        from texelscope.pipeline.stepping.rows import types_of
        from texelscope.pipeline.stepping.scopes import declared_in

        session = app.document.session
        assert session is not None
        self._trace, self._loops = trace, (-1, ())
        self._plots.clear()
        source = session.program_source(trace.pass_name)
        self._declared = {file.path: declared_in(file.text) for file in source.files}
        types = {name: kind for each in self._declared.values() for name, kind in types_of(each).items()}
        tensors = {key: stored.tensor for key, stored in session.plan.textures.items()}
        self._given = environment(trace, types, tensors)

    def _table(self, app: App, index: TraceIndex, frame: CallFrame) -> None:
        from texelscope.pipeline.stepping.rows import place_of

        place = place_of(index, frame, app.debugger.stepping.at)
        rows = self._rows_at(app, index, place)
        if not rows:
            imgui.text_disabled("No variable has a value yet.")
            return
        loops = self._loops_at(index, app.debugger.stepping.at)

        def plot(row: VariableRow) -> Plot | None:
            return self._plot_of(index, loops, row)

        variable_table.draw(app, rows, plot, place.turns)

    def _rows_at(self, app: App, index: TraceIndex, place: FunctionPlace) -> list[VariableRow]:
        from texelscope.pipeline.stepping.rows import rows_at

        stepping, opened = app.debugger.stepping, frozenset(app.debugger.looking.opened)
        asked = (index.trace, stepping.at, stepping.was, place.call, opened)
        if self._rows[0] != asked:
            found = index.variables(stepping.at, place.call)
            declared = self._declared.get(place.line[0], ())
            self._rows = (asked, rows_at(index, found, place, declared, stepping.changed(), opened))
        return self._rows[1]

    def _loops_at(self, index: TraceIndex, at: int) -> tuple[LoopRun, ...]:
        from texelscope.pipeline.stepping.loops import loops_around

        if self._loops[0] != at:
            loops = loops_around(index, at)
            if loops != self._loops[1]:
                self._plots.clear()
            self._loops = (at, loops)
        return self._loops[1]

    def _plot_of(self, index: TraceIndex, loops: Sequence[LoopRun], row: VariableRow) -> Plot | None:
        from texelscope.pipeline.stepping.loops import nearest_series, series

        if len(row.keys) != 1 or not loops:
            return None
        if row.keys[0] not in self._plots:
            history = index.history(row.keys[0])
            near = nearest_series(index, loops, history)
            self._plots[row.keys[0]] = (near, series(index, loops[-1], history)) if near is not None else None
        return self._plots[row.keys[0]]


def _heading(app: App) -> None:
    """Draws which fragment it is, and the present step."""
    stepping = app.debugger.stepping
    step, trace = stepping.step, stepping.trace
    if trace is None:
        return
    imgui.push_font(app.display.fonts.bold, 0.0)
    imgui.text_unformatted(f"{step.function}  :{step.line[1]}" if step is not None else "end")
    imgui.pop_font()
    imgui.same_line()
    loops = loop_words(stepping)
    text = f"{step_words(stepping)}  ·  {loops}" if loops else step_words(stepping)
    imgui.text_disabled(shortened(text, imgui.get_content_region_avail().x))
    imgui.set_item_tooltip(f"{place_words(stepping, None)}\n{text}")
    app.mark("present step")
    if stepping.is_stale:
        imgui.text_colored(theme.WARNING, "From before the last change; recording again …")
    elif trace.discarded and step is None:
        imgui.text_colored(theme.WARNING, "The fragment was discarded.")


def _calls(app: App, frames: Sequence[CallFrame], chosen: CallFrame | None) -> None:
    """Draws the call stack, innermost first; a click shows the variables of a call."""
    for frame in frames:
        label = f"{frame.function}()  :{frame.line[1]}##call {frame.call}"
        if imgui.selectable(label, frame is chosen)[0]:
            app.debugger.looking.call = frame.call
        app.mark(f"call {frame.call}")
        imgui.set_item_tooltip("Shows the variables of this call")


def _reads(app: App, index: TraceIndex) -> None:
    """Draws what the present step reads; between two reads, what the last one read."""
    session, at = app.document.session, app.debugger.stepping.at
    here, last = index.step(at), index.step(at - 1)
    step: TraceStep | None = here if here is not None and here.reads else last
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
