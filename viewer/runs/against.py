"""Draws the choice of the reference to compare with, the banner above textures, and words for both."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.runs.model.change_words import summary_words
from texelscope.viewer.state import MODE_LABELS, ViewMode
from texelscope.viewer.widgets.controls import as_label, shortened

WIDTH = 128.0
ORACLE = "oracle"


def word(app: App) -> str:
    """Returns the reference's name for buttons: `oracle`, or the chosen run."""
    reference = app.document.reference
    return reference.word if reference is not None else ORACLE


def mine(app: App) -> str:
    """Returns the name of what is shown: `actual`, or the run in its place."""
    return app.document.shown.word if app.document.shown is not None else "actual"


def label(app: App, mode: ViewMode) -> str:
    """Returns the name of a mode, which depends on the reference."""
    reference = app.document.reference
    if mode is ViewMode.ACTUAL:
        return _capital(mine(app))
    if reference is None or mode not in (ViewMode.ORACLE, ViewMode.RATIO):
        return MODE_LABELS[mode]
    return _capital(reference.word) if mode is ViewMode.ORACLE else "Difference / tolerance"


def _capital(text: str) -> str:
    """Returns a word as buttons have it; the path of a target stays as it is."""
    return text if "/" in text or "." in text else text[:1].upper() + text[1:]


def why_none(app: App) -> str:
    """Returns why there is nothing to compare a tensor with."""
    reference = app.document.reference
    if reference is not None:
        return f"{mine(app)}: '{reference.word}' has no such tensor"
    if app.document.shown is not None:
        return f"{mine(app)}: choose a run to compare it with"
    return "actual: there is no oracle for it (yet)"


def choice(app: App) -> None:
    """Draws the list in the tool bar; a reference other than the oracle is highlighted."""
    runs, reference = app.analyses.runs, app.document.reference
    if reference is not None:
        imgui.push_style_color(int(imgui.Col_.frame_bg), theme.packed(theme.ACCENT, 0.55))
    imgui.set_next_item_width(WIDTH * app.scale)
    shown = shortened(f"vs {word(app)}", (WIDTH - 34) * app.scale)
    is_open = imgui.begin_combo("##against", shown, int(imgui.ComboFlags_.height_large))
    if reference is not None:
        imgui.pop_style_color()
    if not is_open:
        app.mark("against")
        imgui.set_item_tooltip(
            "Compares the present run with the oracle, the state before an edit (B),\n"
            "a pinned result (P pins this one), or another target. Verdicts are always against the oracle."
        )
    else:
        if imgui.selectable(ORACLE, reference is None)[0]:
            app.send("compare_with", number=None)
        app.mark("against oracle")
        for number, run in enumerate(runs.shelf.runs):
            if imgui.selectable(f"{as_label(run.title)}##{run.number}", run.number == runs.chosen)[0]:
                app.send("compare_with", number=run.number)
            app.mark(f"against {run.word}" if run.kind != "edit" else f"against edit {number}")
        imgui.separator()
        if imgui.selectable("Pin this result …", p_selected=False)[0]:
            app.send("pin")
        app.mark("against pin")
        imgui.end_combo()
    _pin_popup(app)


def banner(app: App) -> None:
    """Draws above textures that a run replaces the oracle, how much differs, and a button back."""
    reference, shown = app.document.reference, app.document.shown
    if reference is None and shown is None:
        return
    back = "Back to the oracle" if shown is None else "Back to now"
    at, room = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    height = imgui.get_frame_height()
    corner = ImVec2(at.x + room, at.y + height)
    imgui.get_window_draw_list().add_rect_filled(at, corner, theme.packed(theme.ACCENT, 0.28), 3.0)
    button = imgui.calc_text_size(back).x + 2 * imgui.get_style().frame_padding.x
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + 8 * app.scale)
    imgui.align_text_to_frame_padding()
    place = f"Compared with {reference.title}" if reference is not None else ""
    if shown is not None:
        place = f"Shown: {shown.title}  ·  compared with: {reference.title if reference is not None else 'nothing yet'}"
    text = f"{place}  ·  {summary_words(app.analyses.runs, app.document)}" if reference is not None else place
    imgui.text_unformatted(shortened(text, room - button - 24 * app.scale))
    imgui.set_item_tooltip(text)
    imgui.same_line(imgui.get_cursor_pos_x() + room - button)
    if imgui.button(back):
        app.send("back_to_oracle")
    app.mark("back to oracle")
    imgui.set_item_tooltip("Shift+O; B switches between the oracle and the state before the edit")


def _pin_popup(app: App) -> None:
    """Asks for the name of the result to pin."""
    if app.state.pin_open:
        app.state.pin_open = False
        app.state.pin_name = app.analyses.runs.name_for_pin
        imgui.open_popup("pin")
    if "against" in app.display.places:
        left, top, _, height = app.display.places["against"]
        imgui.set_next_window_pos(ImVec2(left, top + height + 4 * app.scale), int(imgui.Cond_.appearing))
    if not imgui.begin_popup("pin"):
        return
    imgui.text_unformatted("Pin this result as")
    if imgui.is_window_appearing():
        imgui.set_keyboard_focus_here()
    flags = imgui.InputTextFlags_.enter_returns_true | imgui.InputTextFlags_.auto_select_all
    imgui.set_next_item_width(220 * app.scale)
    entered, app.state.pin_name = imgui.input_text("##name", app.state.pin_name, int(flags))
    app.mark("pin name")
    imgui.same_line()
    if imgui.button("Pin") or entered:
        app.send("pin_as", name=app.state.pin_name)
        imgui.close_current_popup()
    app.mark("pin button")
    imgui.end_popup()
