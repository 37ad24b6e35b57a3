"""The Inspector panel shows the selected layer's verdict and figures, and the texel under the mouse or picked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from imgui_bundle import ImVec2, imgui

from texelscope.layouts.outside_text import one_line
from texelscope.pipeline.compare.convention_fits import node_with_choice
from texelscope.pipeline.compare.report import Figures, PassReport, ratio_text
from texelscope.pipeline.compare.words import cause_words, ratio_words, relative_words, surety_words
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.gradients.links import links
from texelscope.pipeline.lowerings.lowering import backend_word
from texelscope.pipeline.plan import Plan
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.canvas.readout import LaneReadout, read_out
from texelscope.viewer.findings import repair_card
from texelscope.viewer.findings.lines import LOOKING, made_at, place_words, words_beside_line
from texelscope.viewer.inspector import convention_choice
from texelscope.viewer.inspector.figures import dispatch_rows, draw_changes, draw_values, jump_line
from texelscope.viewer.key_names import with_keys
from texelscope.viewer.layers.injecting import is_missing, oracle_value
from texelscope.viewer.layers.panel import sign_of
from texelscope.viewer.panel import Panel
from texelscope.viewer.runs import against, beside
from texelscope.viewer.widgets import controls
from texelscope.viewer.widgets.controls import shortened, wrapped_tooltip

_LANE_LETTERS = "rgba"
# The column of values in notes, in pixels behind its label.
_NOTE_COLUMN = 110.0
_WHAT_WIDTH = 78.0


class InspectorPanel(Panel):
    """Shows the selected layer in figures, and one texel: tile, index, value, oracle, error."""

    title = "Inspector"
    place = "bottom_left"
    key = "5"

    def draw(self, app: App) -> None:
        """Draws the verdict and the texel, which change during work, and below them the layer's properties."""
        name = app.selected
        session = app.document.session
        if name is None or session is None:
            imgui.text_disabled("Select a layer.")
            return
        _title(app, name)
        _injection(app, name)
        report = app.document.report_of(name)
        if report is not None:
            _comparison(app, report)
            _found(app, name)
        draw_changes(app, name)
        node = node_with_choice(session.plan, name)
        if node is not None:
            convention_choice.draw(app, name, node)
        draw_values(app, name)
        _gradients(app, session.plan, name)
        _texel(app)
        _layer(app, name)


def _title(app: App, name: str) -> None:
    session = app.document.session
    assert session is not None
    imgui.push_font(app.display.fonts.bold, theme.FONT_PIXELS * 1.15)
    imgui.text_wrapped(one_line(name))
    imgui.pop_font()
    sign = theme.SIGNS[sign_of(app, name)]
    if session.plan.find(name) is not None or session.plan.missing(name) is not None:
        at = imgui.get_cursor_screen_pos()
        theme.draw_sign(imgui.get_window_draw_list(), at.x + 7 * app.scale, at.y + 9 * app.scale, 6 * app.scale, sign)
        imgui.dummy(ImVec2(14 * app.scale, 0))
        imgui.same_line()
        imgui.text_colored(sign.colour, sign.word)
        if imgui.is_item_hovered(int(imgui.HoveredFlags_.for_tooltip)):
            wrapped_tooltip(app, sign.meaning)


def _layer(app: App, name: str) -> None:
    session = app.document.session
    assert session is not None
    found = session.plan.find(name)
    stored = app.document.stored(name)
    imgui.dummy(ImVec2(0, 4 * app.scale))
    imgui.separator_text("Layer")
    rows = [("operator", app.operator_of(name))]
    if stored is not None:
        height, width = stored.texture_shape
        rows += [
            ("shape", " × ".join(map(str, stored.shape)) or "scalar"),
            ("layout", str(stored.layout)),
            *((("because", stored.reason),) if stored.reason else ()),
            ("texture", f"{width} × {height}, {stored.layout.lanes} lane{'s' * (stored.layout.lanes > 1)}"),
        ]
    if found is not None:
        reads = [session.plan.textures[key].tensor for key in found.reads]
        rows.append(("reads", ", ".join(dict.fromkeys(reads))))
        rows += dispatch_rows(found, session.program_source(found.name))
        rows += _how_it_ran(app, session, found.name)
    _table(app, "layer", rows)
    if found is not None and found.notes:
        _notes(app, found.notes, found.recorded_ms)


def _notes(app: App, notes: Sequence[tuple[str, str]], recorded_ms: float | None) -> None:
    """Draws the notes of the engine that the recording is from."""
    imgui.separator_text("Where it was recorded")
    app.mark("notes")
    took = [("took", f"{recorded_ms:.3f} ms")] if recorded_ms is not None else []
    for label, text in (*notes[:1], *took, *notes[1:]):
        imgui.text_disabled(label)
        imgui.same_line(_NOTE_COLUMN * app.scale)
        imgui.text_wrapped(text)


def _how_it_ran(app: App, session: Session, name: str) -> list[tuple[str, str]]:
    """Returns rows on what computed the pass, and how long that took."""
    run = app.document.run
    form, timer = run.form_of(name), run.timer_of(name) or (run.groups.forms[name][0].name if run.groups else name)
    rows = []
    if form is not None:
        count = sum(step.kind != "copy" for step in form.steps)
        kind = backend_word(form)
        steps = f"{count} {kind}{'es' if kind == 'dispatch' else 's'}" if count > 1 else f"a {kind}"
        rows.append(("runs as", f"{steps} for {form.name}" if len(form.covers) > 1 else f"{steps} of its form"))
    time_ms = session.gpu_ms(timer) if form is not None or session.has_run(name) else None
    earlier = " when it last ran alone" if name in run.untimed and run.groups is None else ""
    rows.append(("GPU time", f"{time_ms:.2f} ms{earlier}" if time_ms is not None else "–"))
    return rows


def _gradients(app: App, plan: Plan, name: str) -> None:
    """Draws links from the layer and its weights to their gradients, or back."""
    found = links(plan, name)
    if not found:
        return
    imgui.dummy(ImVec2(0, 4 * app.scale))
    imgui.separator_text("Gradients")
    for link in found:
        imgui.text_disabled(link.label)
        imgui.same_line()
        if not (link.layer or link.key):
            imgui.text_unformatted(one_line(link.tensor))
        elif imgui.text_link(one_line(link.tensor)):
            if link.layer:
                app.send("select", name=link.layer)
            else:
                app.send("show_tensor", key=link.key)
        app.mark(f"link {link.tensor}")


def _injection(app: App, name: str) -> None:
    """Offers to inject a value for a layer that has not run."""
    known = oracle_value(app, name) is not None
    if known or (is_missing(app, name) and app.document.is_compared):
        if imgui.button("Inject the oracle's value" if known else "Inject a value"):
            app.send("inject", name=name)
        app.mark("inject")
        imgui.set_item_tooltip(
            with_keys(
                "Replaces the missing value, so that the layers after it can run (Ctrl+I). Takes the oracle's value, "
                "else ONNX Runtime's. You can also drop an .npy file here."
            )
        )


def _comparison(app: App, report: PassReport) -> None:
    if report.message:
        imgui.push_style_color(int(imgui.Col_.text), theme.packed(theme.WARNING))
        imgui.text_wrapped(report.message)
        imgui.pop_style_color()
    imgui.dummy(ImVec2(0, 4 * app.scale))
    imgui.separator_text("Against what was recorded" if report.compared_with == "recording" else "Against the oracle")
    if report.isolated is None:
        imgui.text_disabled("Nothing to compare with.")
        return
    session = app.document.session
    if session is not None and session.shader_error(report.name) is not None:
        imgui.text_colored(theme.WARNING, "From the last good program:")
        app.mark("last good figures")
    columns = {"isolated": report.isolated, "chained": report.chained}
    if report.page is not None:
        columns["page"] = report.page.isolated
    if imgui.begin_table("figures", 1 + len(columns), int(imgui.TableFlags_.sizing_fixed_fit)):
        imgui.table_setup_column("what", int(imgui.TableColumnFlags_.width_fixed))
        for column in columns:
            imgui.table_setup_column(column, int(imgui.TableColumnFlags_.width_stretch))
        imgui.table_next_row()
        for heading in ("", *columns):
            imgui.table_next_column()
            imgui.text_disabled(heading)
        for label, read in _FIGURES:
            imgui.table_next_row()
            imgui.table_next_column()
            imgui.text_disabled(label)
            for column, figures in columns.items():
                imgui.table_next_column()
                text = read(figures) if figures is not None else "–"
                imgui.text_unformatted(text)
                controls.copy_menu(app, f"{label} {column}", {f"Copy {text}": text})
        imgui.end_table()
    _end_to_end(app, report)
    if report.isolated.mismatched:
        if imgui.button("Go to the worst element"):
            _go_to_worst(app, report.isolated)
        app.mark("worst element")


def _found(app: App, name: str) -> None:
    """Draws the name of the bug and its repairs, once they are known."""
    inquiry = app.analyses.diagnoses.inquiry(app.document, name)
    found = inquiry.diagnosis if inquiry is not None else None
    if inquiry is None or found is None or not (found.findings or inquiry.repairs):
        return
    imgui.dummy(ImVec2(0, 4 * app.scale))
    imgui.separator_text("Finding")
    for finding in found.findings[:1]:
        imgui.text_colored(theme.BAD if finding.explained >= 1.0 else theme.WARNING, cause_words(finding))
        app.mark("inspector finding")
        imgui.set_item_tooltip(f"{finding.evidence}\n{finding.remedy}")
        place = made_at(finding)
        if place is not None:
            imgui.same_line()
            if imgui.text_link(place_words(place)):
                app.send("show_finding", name=name, file=place[0], line=place[1])
        if words := words_beside_line(app, name, finding):
            imgui.text_colored(theme.WARNING if words == LOOKING else theme.QUIET, words)
        if surety_words(finding):
            imgui.text_wrapped(surety_words(finding))
    repair_card.draw(app, name, inquiry.repairs, where="inspector ")


def _end_to_end(app: App, report: PassReport) -> None:
    """Draws the layer's end-to-end state, beside its figures."""
    if report.inherited:
        imgui.text_colored(theme.WARNING, "Right for its inputs; the error comes from an earlier pass.")
    if report.not_chained:
        imgui.text_wrapped(f"Chained: {report.not_chained}")
    comparison = app.document.comparison
    is_known = comparison is not None and app.document.has_current_verdicts
    line = jump_line(comparison.report, report) if comparison is not None and is_known else ""
    if line:
        imgui.text_wrapped(line)


def _go_to_worst(app: App, figures: Figures) -> None:
    if app.state.view.locked not in (
        None,
        app.selected,
    ):  # a tab of another layer: switch to the tab that follows the selection
        app.state.active_view = app.state.wanted_view = 0
    app.send("go_to_element", element=figures.worst)


_FIGURES: tuple[tuple[str, Callable[[Figures], str]], ...] = (
    ("max |error|", lambda figures: f"{figures.max_abs:.3g}"),
    ("relative", relative_words),
    ("error / bound", lambda figures: ratio_text(figures.bound_ratio)),
    ("wrong", lambda figures: f"{figures.mismatched:,}"),
    ("of", lambda figures: f"{figures.count:,}"),
)


def _texel(app: App) -> None:
    view = app.state.view
    if view.hover is None and view.pick is None:
        view = app.state.focus
    name = view.locked or app.selected or ""
    stored = app.shown_in(view)
    texel = view.hover or view.pick
    imgui.dummy(ImVec2(0, 4 * app.scale))
    imgui.separator_text("Texel")
    if stored is None or texel is None:
        imgui.push_text_wrap_pos(0.0)
        imgui.text_disabled("Point at the texture; click to keep a texel.")
        imgui.pop_text_wrap_pos()
        return
    with beside.pane(app, view):
        readout = read_out(app.document, stored, *texel, chained=app.state.chained)
        mine, other = against.mine(app), against.word(app)
    if readout is None:
        imgui.text_disabled("Outside this texture.")
        return
    kept = "picked" if view.hover is None or view.hover == view.pick else "under the mouse"
    if name != app.selected:
        _table(app, "owner", [("layer", name)])
    _table(app, "texel", [("texel", f"({readout.tx}, {readout.ty})  {kept}"), ("tile", readout.tile)])
    for lane in readout.lanes:
        _lane(app, lane, mine, other, alone=len(readout.lanes) == 1)
    beside.draw_values(app)


def _lane(app: App, lane: LaneReadout, mine: str, other: str, *, alone: bool) -> None:
    rows: list[tuple[str, str]] = []
    title = "" if alone else f"lane {_LANE_LETTERS[lane.lane]}"
    if lane.element < 0:
        _table(app, f"lane{lane.lane}", [(title or "element", "padding")])
        return
    if title:
        rows.append((title, ""))
    rows.append(("index", f"{_named(lane.index)}   #{lane.element}"))
    rows.append((shortened(mine, _WHAT_WIDTH), _number(lane.actual)))
    by_oracle = other == against.ORACLE
    rows.append((shortened(other, _WHAT_WIDTH), _number(lane.oracle)))
    rows.append(("error" if by_oracle else "difference", _number(lane.error)))
    if lane.ratio is not None and by_oracle:
        rows.append(("which is", ratio_words(lane.ratio)))
    _table(app, f"lane{lane.lane}", rows)


def _named(index: tuple[int, ...]) -> str:
    """Formats an index as `n0 c1 y12 x1` for rank 4, as plain numbers otherwise."""
    if len(index) == 4:
        return " ".join(f"{letter}{i}" for letter, i in zip("ncyx", index, strict=True))
    return f"[{', '.join(map(str, index))}]"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.7g}"


def _table(app: App, label: str, rows: list[tuple[str, str]]) -> None:
    """Draws rows of a name and a value; a right-click on a value copies it, or all rows."""
    if not imgui.begin_table(label, 2, int(imgui.TableFlags_.sizing_fixed_fit)):
        return
    imgui.table_setup_column(
        "what", int(imgui.TableColumnFlags_.width_fixed), _WHAT_WIDTH * imgui.get_style().font_scale_dpi
    )
    imgui.table_setup_column("value", int(imgui.TableColumnFlags_.width_stretch))
    whole = "\n".join(f"{what}: {value}" for what, value in rows if value)
    for what, value in rows:
        imgui.table_next_row()
        imgui.table_next_column()
        imgui.text_disabled(what)
        imgui.table_next_column()
        imgui.text_wrapped(value)
        if value:
            app.mark(f"{label} {what}")
            controls.copy_menu(
                app, f"{label} {what}", {f"Copy {shortened(value, 200 * app.scale)}": value, "Copy the rows": whole}
            )
    imgui.end_table()


PANEL = InspectorPanel()
