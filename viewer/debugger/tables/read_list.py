"""Draws the reads of a step: texel, tensor element and value; a click shows where the address came from."""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import imgui

from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.trace.trace import TexelRead, TraceStep
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.debugger.model.words import element_text, read_value
from texelscope.viewer.debugger.tables import read_picture, value_text
from texelscope.viewer.widgets.short_text import shortened

# A step rarely reads more often; of one that does the first reads are listed.
_MOST = 64
_SHARE = 0.62


def draw(app: App, session: Session, step: TraceStep) -> None:
    """Draws a row for each read; the one under the mouse lights up in the textures."""
    if not imgui.begin_table("reads", 2, int(imgui.TableFlags_.sizing_fixed_fit | imgui.TableFlags_.row_bg)):
        return
    imgui.table_setup_column("what", int(imgui.TableColumnFlags_.width_stretch), _SHARE)
    imgui.table_setup_column("value", int(imgui.TableColumnFlags_.width_stretch), 1 - _SHARE)
    for number, read in enumerate(step.reads[:_MOST]):
        imgui.table_next_row()
        imgui.table_next_column()
        imgui.push_id(number)
        _read(app, session, step, number, read)
        imgui.table_next_column()
        value_text.draw(app, *read_value(read))
        imgui.pop_id()
    imgui.end_table()
    _more(step.reads)


def _read(app: App, session: Session, step: TraceStep, number: int, read: TexelRead) -> None:
    stored = session.plan.textures.get(read.key)
    what = element_text(stored, read) if stored is not None else read.uniform
    room = imgui.get_content_region_avail().x
    span = int(imgui.SelectableFlags_.span_all_columns | imgui.SelectableFlags_.allow_overlap)
    if imgui.selectable("##read", False, span)[0]:
        app.send("explain_read", step=step.number, number=number)
    app.debugger.looking.texts[f"read {number}"] = what
    app.mark(f"step read {number}")
    if imgui.is_item_hovered():
        place = f"texel ({read.texel[0]}, {read.texel[1]}) of {read.uniform}, at ({read.at[0]:.6g}, {read.at[1]:.6g})"
        outside = "\nThe address is outside the texture." if read.outside else ""
        said = f"{read.text or read.uniform}\n{place}{outside}\nClick to show where the address came from."
        read_picture.tooltip(app, said, read.key, read.texel)
    imgui.same_line(0, 0)
    is_odd = read.outside or not read.elements
    imgui.text_colored(theme.WARNING if is_odd else theme.TEXT, shortened(what, room))


def _more(reads: Sequence[TexelRead]) -> None:
    if len(reads) > _MOST:
        imgui.text_disabled(f"and {len(reads) - _MOST:,} more")
