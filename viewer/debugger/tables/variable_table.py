"""Draws the table of variables: name, type, value, a plot over the turns, and the line of the last assignment."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from imgui_bundle import ImVec2, imgui

from texelscope.pipeline.stepping.loops import Series
from texelscope.pipeline.stepping.numbers import exact_text
from texelscope.pipeline.stepping.rows import VariableRow
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.debugger.tables import sparkline, value_text
from texelscope.viewer.widgets.controls import shortened

_MOST_NAME_SHARE, _PLOT_WIDTH, _LINE_WIDTH = 0.42, 52.0, 34.0
# A narrower panel shows types only on hover, and smaller plots.
_NARROW, _NARROW_PLOT = 340.0, 34.0
_INDENT = 12.0
# A longer table scrolls separately: what is below it stays visible.
_MOST_HEIGHT = 0.6
# This many rows are measured for the width of the names.
_MEASURED = 60
_BIG_PLOT = (220.0, 64.0)
# A plot over the surrounding loop, and one over the whole trace; made when the row is first visible.
Plot = tuple[Series, Series | None]
Plots = Callable[[VariableRow], Plot | None]


def draw(app: App, rows: Sequence[VariableRow], plots: Plots, turns: tuple[int, ...]) -> None:
    """Draws the visible rows only; `turns` are the present turns of the surrounding loops."""
    flags = imgui.TableFlags_.row_bg | imgui.TableFlags_.sizing_fixed_fit | imgui.TableFlags_.no_saved_settings
    most = imgui.get_window_height() * _MOST_HEIGHT
    tall = len(rows) * (imgui.get_text_line_height() + 2 * imgui.get_style().cell_padding.y)
    if tall > most:
        flags |= imgui.TableFlags_.scroll_y
    if not imgui.begin_table("variables", 4, int(flags), ImVec2(0, most if tall > most else 0)):
        return
    fixed, stretch = int(imgui.TableColumnFlags_.width_fixed), int(imgui.TableColumnFlags_.width_stretch)
    is_narrow = imgui.get_content_region_avail().x < _NARROW * app.scale
    plot_width = (_NARROW_PLOT if is_narrow else _PLOT_WIDTH) * app.scale
    imgui.table_setup_column("name", fixed, _name_width(app, rows, with_type=not is_narrow))
    imgui.table_setup_column("value", stretch)
    imgui.table_setup_column("over turns", fixed, plot_width)
    imgui.table_setup_column("line", fixed, _LINE_WIDTH * app.scale)
    clipper = imgui.ListClipper()
    clipper.begin(len(rows))
    while clipper.step():
        for row in rows[clipper.display_start : clipper.display_end]:
            _row(app, row, (plots(row), turns, plot_width))
    imgui.end_table()


def _name_width(app: App, rows: Sequence[VariableRow], *, with_type: bool) -> float:
    """Returns the width of the longest of the first names, with the type if shown, leaving room for values."""
    texts = (f"{row.label} {row.type}" if with_type else row.label for row in rows[:_MEASURED])
    wanted = max((imgui.calc_text_size(text).x for text in texts), default=0.0) + 6 * app.scale
    return float(min(wanted, imgui.get_content_region_avail().x * _MOST_NAME_SHARE))


def _row(app: App, row: VariableRow, plotted: tuple[Plot | None, tuple[int, ...], float]) -> None:
    imgui.table_next_row()
    if row.is_changed:
        imgui.table_set_bg_color(int(imgui.TableBgTarget_.row_bg1), theme.packed(theme.WARNING, 0.13))
    imgui.push_id(f"{row.name} of {row.keys[0][1]}")
    imgui.table_next_column()
    _name(app, row)
    imgui.table_next_column()
    app.debugger.looking.texts[row.name] = exact_text(row.type, row.value) + (" changed" if row.is_changed else "")
    if row.value:
        value_text.draw(app, row.type, row.value, is_changed=row.is_changed)
    else:
        imgui.text_disabled(f"{row.parts} {'elements' if row.type.endswith(']') else 'fields'}")
    imgui.table_next_column()
    _plot(app, *plotted)
    imgui.table_next_column()
    _last_line(app, row)
    imgui.pop_id()


def _plot(app: App, plot: Plot | None, turns: tuple[int, ...], width: float) -> None:
    """Draws the small plot in its cell, the large one on hover, and the whole trace's below it."""
    near, whole = plot if plot is not None else (None, None)
    turn = turns[near.depth - 1] if near is not None and 0 < near.depth <= len(turns) else None
    sparkline.draw(near, turn, (width, imgui.get_text_line_height()))
    if near is None or not imgui.is_item_hovered() or not imgui.begin_tooltip():
        return
    size = (_BIG_PLOT[0] * app.scale, _BIG_PLOT[1] * app.scale)
    if near.depth:
        imgui.text_disabled(f"over {len(near.at)} turns: {near.low:.6g} to {near.high:.6g}")
        sparkline.draw(near, turn, size)
    if whole is not None:
        imgui.text_disabled(f"whole trace: {whole.low:.6g} to {whole.high:.6g}")
        sparkline.draw(whole, None, size)
    imgui.end_tooltip()


def _name(app: App, row: VariableRow) -> None:
    """Draws the name, with its type if that fits; a right-click anywhere in the row opens the menu."""
    if row.depth:
        imgui.indent(row.depth * _INDENT * app.scale)
    sign = ("▾ " if row.is_open else "▸ ") if row.parts else ""
    room = imgui.get_content_region_avail().x
    text = shortened(f"{sign}{row.label}", room)
    span = imgui.SelectableFlags_.span_all_columns | imgui.SelectableFlags_.allow_overlap
    if imgui.selectable(f"##{row.name}", False, int(span))[0] and row.parts:
        app.debugger.looking.open_or_close(row.name)
    app.mark(f"variable {row.name}")
    _menu(app, row)
    imgui.same_line(0, 0)
    imgui.text_colored(theme.ACCENT if row.kind == "parameter" else theme.TEXT, text)
    left = room - imgui.calc_text_size(f"{text} ").x
    if imgui.calc_text_size(row.type).x <= left:
        imgui.same_line(0, imgui.calc_text_size(" ").x)
        imgui.text_disabled(row.type)
    if imgui.is_item_hovered():
        imgui.set_tooltip(f"{row.name}: {row.kind} {row.type}".replace(":  ", ": "))
    if row.depth:
        imgui.unindent(row.depth * _INDENT * app.scale)


def _last_line(app: App, row: VariableRow) -> None:
    if row.step < 0:
        return
    imgui.push_style_color(int(imgui.Col_.text), theme.packed(theme.QUIET))
    if imgui.selectable(f":{row.line[1]}", False, 0, ImVec2(0, 0))[0]:
        app.send("step_to", number=row.step)
    imgui.pop_style_color()
    app.mark(f"assigned {row.name}")
    if imgui.is_item_hovered():
        imgui.set_tooltip(f"Last assigned on {row.line[0]}:{row.line[1]}, in step {row.step}: click to go there")


def _menu(app: App, row: VariableRow) -> None:
    if not imgui.begin_popup_context_item(f"menu of {row.name}"):
        return
    app.mark(f"menu of {row.name}")
    if imgui.menu_item("Copy the value", "", False, bool(row.value))[0]:
        imgui.set_clipboard_text(exact_text(row.type, row.value))
    app.mark("copy value")
    if imgui.menu_item("Copy the name", "", False)[0]:
        imgui.set_clipboard_text(row.name)
    imgui.separator()
    if imgui.menu_item("Where it came from", "", False, row.step >= 0)[0]:
        app.send("explain_value", name=row.name, call=row.keys[0][0])
    app.mark("explain value")
    if imgui.menu_item("Go to the assignment", "", False, row.step >= 0)[0]:
        app.send("step_to", number=row.step)
    app.mark("go to assignment")
    if imgui.menu_item("Watch it", "", False)[0]:
        app.send("watch", text=row.name)
    app.mark("watch it")
    imgui.end_popup()
