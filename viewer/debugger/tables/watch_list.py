"""Draws watches: any GLSL expression, with its value before each step, or why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from texelscope.pipeline.stepping.numbers import exact_text
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.debugger.tables import value_text

if TYPE_CHECKING:
    from texelscope.pipeline.step_trace.trace import Number, Trace, TraceStep

_SHARE = 0.45
_HINT = "Watch: type a GLSL expression, then Enter"


def draw(app: App) -> None:
    """Draws a row for each watch."""
    stepping = app.debugger.stepping
    trace = stepping.trace
    step = stepping.step
    if stepping.watches and imgui.begin_table("watches", 3, int(imgui.TableFlags_.sizing_fixed_fit)):
        stretch, fixed = int(imgui.TableColumnFlags_.width_stretch), int(imgui.TableColumnFlags_.width_fixed)
        imgui.table_setup_column("expression", stretch, _SHARE)
        imgui.table_setup_column("value", stretch, 1 - _SHARE)
        imgui.table_setup_column("remove", fixed, 18 * app.scale)
        for text in list(stepping.watches):
            imgui.push_id(text)
            _row(app, text, trace, step)
            imgui.pop_id()
        imgui.end_table()


def draw_field(app: App) -> None:
    """Draws the field for the next watch."""
    imgui.set_next_item_width(-1)
    enter = int(imgui.InputTextFlags_.enter_returns_true)
    entered, app.debugger.looking.draft = imgui.input_text_with_hint(
        "##watch", _HINT, app.debugger.looking.draft, enter
    )
    app.mark("new watch")
    if entered and app.debugger.looking.draft.strip():
        app.send("watch", text=app.debugger.looking.draft.strip())
        app.debugger.looking.draft = ""
        imgui.set_keyboard_focus_here(-1)


def _row(app: App, text: str, trace: Trace | None, step: TraceStep | None) -> None:
    imgui.table_next_row()
    imgui.table_next_column()
    imgui.push_font(app.display.fonts.mono, 0.0)
    imgui.text_wrapped(text)
    imgui.pop_font()
    imgui.table_next_column()
    value = step.watched.get(text) if step is not None else None
    if trace is not None and text in trace.refused:
        imgui.push_style_color(int(imgui.Col_.text), theme.packed(theme.BAD))
        imgui.text_wrapped(trace.refused[text])
        app.debugger.looking.texts[f"watch {text}"] = trace.refused[text]
        imgui.pop_style_color()
        app.mark(f"refused {text}")
    elif value is not None:
        value_text.draw(app, type_of(value), value)
        app.debugger.looking.texts[f"watch {text}"] = exact_text(type_of(value), value)
        if imgui.begin_popup_context_item("menu"):
            if imgui.menu_item("Copy the value", "", False)[0]:
                imgui.set_clipboard_text(exact_text(type_of(value), value))
            imgui.end_popup()
        app.mark(f"value of {text}")
    else:
        app.debugger.looking.texts[f"watch {text}"] = _without(text, trace, step)
        imgui.text_disabled(app.debugger.looking.texts[f"watch {text}"])
    imgui.table_next_column()
    if imgui.small_button("×"):
        app.send("unwatch", text=text)
    app.mark(f"remove watch {text}")
    imgui.set_item_tooltip("Remove this watch")


def _without(text: str, trace: Trace | None, step: TraceStep | None) -> str:
    """Returns why a watch has no value here."""
    if trace is None or text not in trace.watches:
        return "not recorded yet"
    return "the fragment has ended" if step is None else "not in scope here"


def type_of(value: tuple[Number, ...]) -> str:
    """Returns a type for a watch's value, from its lanes and their number."""
    if len(value) == 1:
        return "bool" if isinstance(value[0], bool) else "int" if isinstance(value[0], int) else "float"
    kind = "b" if isinstance(value[0], bool) else "i" if isinstance(value[0], int) else ""
    return f"{kind}vec{len(value)}" if len(value) <= 4 else ""
