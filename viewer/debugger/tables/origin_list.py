"""Draws where a value or an address came from: the assignments behind it as links to their lines and steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import ImVec2, imgui

from texelscope.pipeline.stepping.numbers import lanes_text
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.debugger.model.seen import Origin, statement
from texelscope.viewer.debugger.tables import value_text
from texelscope.viewer.debugger.tables.watch_list import type_of
from texelscope.viewer.widgets.controls import shortened

if TYPE_CHECKING:  # imported with the first fragment that is stepped through
    from texelscope.pipeline.step_trace.provenance import ProvenanceLink


_INDENT, _MOST_INDENT = 8.0, 8
_SHARE = 0.6
# At most this many links are drawn; a sum over a large window has more behind it than anybody reads.
MOST_LINKS = 60


def draw(app: App, origin: Origin) -> None:
    """Draws the last requested chain, and a button that closes it."""
    room = imgui.get_content_region_avail().x - 18 * app.scale
    start = imgui.get_cursor_pos_x()
    imgui.push_font(app.display.fonts.bold, 0.0)
    imgui.text_unformatted(shortened(origin.what, room - 6 * app.scale))
    imgui.pop_font()
    app.mark("origin")
    if app.debugger.looking.is_new:
        imgui.set_scroll_here_y(0.3)
        app.debugger.looking.is_new = False
    imgui.same_line(start + room)
    if imgui.small_button("×##origin"):
        app.debugger.looking.explain(None)
    app.mark("close origin")
    if origin.problem:
        imgui.push_style_color(int(imgui.Col_.text), theme.packed(theme.WARNING))
        imgui.text_wrapped(origin.problem)
        imgui.pop_style_color()
    if not origin.links or not imgui.begin_table("chain", 3, int(imgui.TableFlags_.sizing_fixed_fit)):
        return
    imgui.table_setup_column("statement", int(imgui.TableColumnFlags_.width_stretch), _SHARE)
    imgui.table_setup_column("value", int(imgui.TableColumnFlags_.width_stretch), 1 - _SHARE)
    imgui.table_setup_column("line", int(imgui.TableColumnFlags_.width_fixed), 32 * app.scale)
    for number, link in enumerate(origin.links[:MOST_LINKS]):
        imgui.table_next_row()
        imgui.push_id(number)
        _link(app, number, link)
        imgui.pop_id()
    imgui.end_table()
    if len(origin.links) > MOST_LINKS:
        imgui.text_disabled(f"and {len(origin.links) - MOST_LINKS:,} more")


def _link(app: App, number: int, link: ProvenanceLink) -> None:
    """Draws a statement on as many lines as needed: the important part may be at its end."""
    imgui.table_next_column()
    indent = min(link.depth, _MOST_INDENT) * _INDENT * app.scale
    if indent:
        imgui.indent(indent)
    imgui.push_font(app.display.fonts.mono, theme.FONT_PIXELS * value_text.MONO_SHARE)
    is_there, text = link.step >= 0, statement(link)
    room = imgui.get_content_region_avail().x
    tall = imgui.calc_text_size(text, wrap_width=room).y
    span = int(imgui.SelectableFlags_.span_all_columns | imgui.SelectableFlags_.allow_overlap)
    if imgui.selectable("##link", is_there and link.step == app.debugger.stepping.at, span, ImVec2(0, tall))[0]:
        _follow(app, link)
    app.mark(f"link {number}")
    app.debugger.looking.texts[f"link {number}"] = f"{text} :{link.line[1]}"
    is_hovered = imgui.is_item_hovered()
    imgui.same_line(0, 0)
    imgui.push_text_wrap_pos(imgui.get_cursor_pos_x() + room)
    imgui.text_colored(theme.TEXT if is_there else theme.QUIET, text)
    imgui.pop_text_wrap_pos()
    imgui.pop_font()
    if is_hovered:
        where = f"{link.line[0]}:{link.line[1]}" if link.line[1] else "given from outside"
        step = f", step {link.step + 1:,}: click to go there" if is_there else ""
        imgui.set_tooltip(f"{link.text or link.name}\n{lanes_text(type_of(link.value), link.value, 9)}\n{where}{step}")
    if indent:
        imgui.unindent(indent)
    imgui.table_next_column()
    if link.value:
        value_text.draw(app, type_of(link.value), link.value)
    imgui.table_next_column()
    if link.line[1]:
        imgui.text_colored(theme.ACCENT if is_there else theme.QUIET, f":{link.line[1]}")


def _follow(app: App, link: ProvenanceLink) -> None:
    """Goes to the link's step, or without one to the line that declares the name."""
    if link.step >= 0:
        app.send("step_to", number=link.step)
    elif link.line[1]:
        app.send("show_line", file=link.line[0], line=link.line[1])
