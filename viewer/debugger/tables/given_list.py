"""Draws what the fragment was given: uniforms, samplers, constants, its coordinates."""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import imgui

from texelscope.pipeline.stepping.environment import GivenValue, Part
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.debugger.tables import value_text
from texelscope.viewer.widgets.controls import shortened

_SHARE = 0.4


def draw(app: App, parts: Sequence[Part]) -> None:
    """Draws a table for each part, under its heading."""
    for heading, rows in parts:
        imgui.text_disabled(heading)
        if not imgui.begin_table(heading, 2, int(imgui.TableFlags_.sizing_fixed_fit | imgui.TableFlags_.row_bg)):
            continue
        imgui.table_setup_column("name", int(imgui.TableColumnFlags_.width_stretch), _SHARE)
        imgui.table_setup_column("value", int(imgui.TableColumnFlags_.width_stretch), 1 - _SHARE)
        for row in rows:
            _row(app, row)
        imgui.end_table()


def _row(app: App, row: GivenValue) -> None:
    imgui.table_next_row()
    imgui.table_next_column()
    imgui.push_id(row.name)
    span = int(imgui.SelectableFlags_.span_all_columns | imgui.SelectableFlags_.allow_overlap)
    room = imgui.get_content_region_avail().x
    if imgui.selectable("##given", False, span)[0] and row.key:
        app.send("show_tensor", key=row.key)
    app.mark(f"given {row.name}")
    if imgui.is_item_hovered():
        imgui.set_tooltip(f"{row.type} {row.name}\n{row.exact}" + ("\nClick to show it whole." if row.key else ""))
    if imgui.begin_popup_context_item("menu"):
        if imgui.menu_item("Copy the value", "", False)[0]:
            imgui.set_clipboard_text(row.exact)
        imgui.end_popup()
    imgui.same_line(0, 0)
    imgui.text_unformatted(shortened(row.name, room))
    imgui.table_next_column()
    if row.key:
        imgui.text_wrapped(row.text)
    else:
        value_text.text_in(app, _shortened(app, row))
    imgui.pop_id()


def _shortened(app: App, row: GivenValue) -> str:
    """Returns the value, cut to the room in the cell."""
    imgui.push_font(app.display.fonts.mono, theme.FONT_PIXELS * value_text.MONO_SHARE)
    text = shortened(row.text, imgui.get_content_region_avail().x)
    imgui.pop_font()
    return text
