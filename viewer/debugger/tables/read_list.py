"""Draws the reads of a step: texel, tensor element and value; a click shows where the address came from.

A tooltip describes a read in words, and shows the texel among its neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from imgui_bundle import ImVec2, imgui

from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.stepping.reads import element_text, read_value
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.canvas import tap_overlay
from texelscope.viewer.canvas.canvas import Picture
from texelscope.viewer.canvas.overlay import Area
from texelscope.viewer.colour.ranges import Range, shown_range
from texelscope.viewer.debugger.tables import value_text
from texelscope.viewer.state import ViewMode
from texelscope.viewer.texture.shown import data_range
from texelscope.viewer.widgets.controls import shortened

if TYPE_CHECKING:
    from texelscope.pipeline.step_trace.trace import TexelRead, TraceStep

# Texels to each side of the one that was read, and pixels per texel.
_AROUND, _ZOOM = 4, 11.0


def tooltip(app: App, text: str, key: str, texel: tuple[int, int]) -> None:
    """Draws the tooltip of the item under the mouse; the texel lights up wherever its texture is visible."""
    app.debugger.looking.light(key, texel, imgui.get_frame_count())
    if not imgui.begin_tooltip():
        return
    imgui.text_unformatted(text)
    session = app.document.session
    stored = session.plan.textures.get(key) if session is not None else None
    if session is not None and stored is not None and session.is_valid(key):
        zoom = float(round(_ZOOM * app.scale))
        side = int((2 * _AROUND + 1) * zoom)
        origin = (float(texel[0] - _AROUND), float(texel[1] - _AROUND))
        picture = Picture(
            key=key,
            generation=session.generation(key),
            mode=ViewMode.ACTUAL,
            origin=origin,
            pixels_per_texel=zoom,
            size=(side, side),
            value_range=shown_range(Range(), *data_range(app, key)),
            lanes=(True, True, True, True),
            seam=0.0,
            mark_negative=False,
        )
        texture = app.display.canvas.draw("read under the mouse", session.texture(key), stored, None, picture)
        corner = imgui.get_cursor_screen_pos()
        imgui.image(imgui.ImTextureRef(texture.glo), ImVec2(side, side))
        area = Area(corner.x, corner.y, side, side, origin, zoom)
        tap_overlay.draw_lit(imgui.get_window_draw_list(), {texel}, area)
        app.debugger.looking.texts["read in a picture"] = f"{stored.tensor} {texel}"
    imgui.end_tooltip()


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
        tooltip(app, said, read.key, read.texel)
    imgui.same_line(0, 0)
    is_odd = read.outside or not read.elements
    imgui.text_colored(theme.WARNING if is_odd else theme.TEXT, shortened(what, room))


def _more(reads: Sequence[TexelRead]) -> None:
    if len(reads) > _MOST:
        imgui.text_disabled(f"and {len(reads) - _MOST:,} more")
