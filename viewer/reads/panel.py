"""The Taps panel shows which texels the picked element read, in every input, and which it should have read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from imgui_bundle import ImVec2, imgui

from texelscope.layouts.outside_text import in_cell
from texelscope.pipeline.plan import StoredTensor
from texelscope.pipeline.stepping.reads import index_text
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.canvas.overlay import Area
from texelscope.viewer.panel import Panel
from texelscope.viewer.reads.judging import judged
from texelscope.viewer.reads.model.tap_filter import TapProduct, of_fragment
from texelscope.viewer.reads.model.tap_view import TappedInput, TapView
from texelscope.viewer.texture import input_picture, marks_legend
from texelscope.viewer.widgets import controls
from texelscope.viewer.widgets.controls import shortened, toggle_button

if TYPE_CHECKING:  # imported with the first fragment that is stepped through
    from texelscope.pipeline.step_trace.sums import FragmentSum


MIN_PICTURE_PIXELS = 120.0
_MOST_SITES = 40
# The most terms of one texel that a tooltip lists.
_MOST_TOLD = 8


class TapsPanel(Panel):
    """Shows what the picked element read and what it should have read, input by input."""

    title = "Taps"
    place = "bottom"
    order = 2
    key = "7"

    def __init__(self) -> None:
        self._added: tuple[FragmentSum | None, tuple[TapProduct, ...]] = (None, ())

    def _products_of(self, app: App, view: TapView) -> tuple[TapProduct, ...]:
        """Returns the products of the reads: of the fragment stepped through, else of the model."""
        trace, sums = app.debugger.stepping.trace, app.debugger.stepping.sums
        if (
            trace is None
            or sums is None
            or not sums.terms
            or (trace.pass_name, trace.element) != (view.name, view.element)
        ):
            return view.products
        if self._added[0] is not sums:
            self._added = (sums, of_fragment(sums))
        return self._added[1]

    def draw(self, app: App) -> None:
        """Draws numbers and the reading lines at the left, a picture for each input beside them."""
        wanted, view = _wanted(app), app.fresh_taps()
        if wanted is not None and (view is None or wanted != (view.name, view.element)):
            app.send("trace_taps", name=wanted[0], element=wanted[1])
        if view is None:
            imgui.text_disabled("Click a texel of a layer that has run to see here which texels it reads.")
            return
        if view.problem:
            imgui.text_wrapped(view.problem)
            return
        width = imgui.get_content_region_avail().x
        imgui.begin_child("reads", ImVec2(min(width * 0.42, 360 * app.scale), 0))
        products = self._products_of(app, view)
        _summary(app, view)
        _products(app, products, are_of_model=products is view.products)
        imgui.end_child()
        imgui.same_line()
        imgui.begin_child("inputs", ImVec2(0, 0), 0, int(imgui.WindowFlags_.horizontal_scrollbar))
        for number, tapped in enumerate(view.inputs):
            if number:
                imgui.same_line()
            _input(app, tapped, products)
        imgui.end_child()


def _wanted(app: App) -> tuple[str, int] | None:
    """Returns pass and element of the picked texel."""
    session, view = app.document.session, app.state.focus
    name = view.locked or app.selected
    found = session.plan.find(name) if session is not None and name is not None else None
    if session is None or found is None or view.pick is None or not session.has_run(found.name):
        return None
    stored = app.shown_in(view)
    if stored is None or stored.key != found.output:
        return None
    height, width = stored.texture_shape
    tx, ty = view.pick
    if tx >= width or ty >= height:
        return None
    lanes = [lane for lane in range(stored.layout.lanes) if view.lanes[lane]] or [0]
    elements = (stored.layout.index_of(stored.shape, tx, ty, lane) for lane in lanes)
    element = next((each for each in elements if each >= 0), -1)
    return (found.name, element) if element >= 0 else None


def _summary(app: App, view: TapView) -> None:
    imgui.push_font(app.display.fonts.bold, 0.0)
    imgui.text_unformatted(f"{in_cell(view.name)} [{', '.join(map(str, view.index))}]")
    imgui.pop_font()
    is_good, said = judged(app, view)
    colour = theme.QUIET if is_good is None else theme.GOOD if is_good else theme.BAD
    imgui.push_style_color(int(imgui.Col_.text), theme.packed(colour))
    imgui.text_wrapped(f"{view.reads:,} read{'s' * (view.reads != 1)} – {in_cell(said)}")
    imgui.pop_style_color()
    if app.document.run.form_of(view.name) is not None:
        imgui.push_style_color(int(imgui.Col_.text), theme.packed(theme.QUIET))
        imgui.text_wrapped(
            "These reads are those of the pass's shader; the values come from the fused program that ran."
        )
        imgui.pop_style_color()
        app.mark("taps of a form")
    if view.filter is not None:
        changed, _ = controls.checkbox("Filter over its input", app.state.filter_over)
        if changed:
            app.send("filter_over")
        app.mark("filter over")
        imgui.set_item_tooltip("Draws each weight over the texel that it is multiplied with, in every tile (O)")
        imgui.same_line(0, 14 * app.scale)
    if toggle_button("Marks", on=app.state.colours.marks):
        app.send("marks")
    app.mark("taps marks")
    imgui.set_item_tooltip("Shows what the marks in the textures mean (Shift+Y)")
    if app.state.colours.marks:
        marks_legend.draw_reads(app)
    _sites(app, view)


def _sites(app: App, view: TapView) -> None:
    """Draws the lines that read."""
    if not imgui.begin_table("sites", 2, int(imgui.TableFlags_.sizing_stretch_prop)):
        return
    imgui.table_setup_column("line", int(imgui.TableColumnFlags_.width_stretch))
    imgui.table_setup_column("reads", int(imgui.TableColumnFlags_.width_fixed))
    for number, each in enumerate(view.sites[:_MOST_SITES]):
        imgui.table_next_row()
        imgui.table_next_column()
        place = f"{each.site.file.rpartition('/')[2]}:{each.site.line}  {each.site.text}"
        if imgui.selectable(f"{place}##{number}", False)[0]:
            app.send("show_line", file=each.site.file, line=each.site.line)
        app.mark(f"read on line {each.site.line}")
        imgui.set_item_tooltip(f"{each.site.file}:{each.site.line}\n{each.site.text}")
        imgui.table_next_column()
        text = f"{each.reads:,}" + (f", {each.wrong:,} wrong" if each.wrong else "")
        imgui.text_colored(theme.BAD if each.wrong else theme.QUIET, text)
    imgui.end_table()


def _products(app: App, products: Sequence[TapProduct], *, are_of_model: bool) -> None:
    """Draws a row for each value read, or that the model says should be, the largest share of the sum first."""
    session = app.document.session
    if not products or session is None or not imgui.begin_table("products", 3, int(imgui.TableFlags_.row_bg)):
        return
    imgui.table_setup_column(
        "should be read" if are_of_model else "read", int(imgui.TableColumnFlags_.width_stretch), 1.5
    )
    imgui.table_setup_column("value × weight", int(imgui.TableColumnFlags_.width_stretch), 1.2)
    imgui.table_setup_column("share", int(imgui.TableColumnFlags_.width_fixed), 44 * app.scale)
    imgui.table_headers_row()
    clipper = imgui.ListClipper()
    clipper.begin(len(products))
    while clipper.step():
        for number in range(clipper.display_start, clipper.display_end):
            each = products[number]
            stored = session.plan.textures.get(each.key)
            imgui.table_next_row()
            imgui.table_next_column()
            what = index_text(stored, each.element) if stored and each.element >= 0 else f"{each.key} padding"
            what = f"not read: {what}" if are_of_model and each.wrong else what
            room = imgui.get_content_region_avail().x
            imgui.selectable(f"##{number}", False, int(imgui.SelectableFlags_.span_all_columns))
            app.mark(f"product {number}")
            if imgui.is_item_hovered():
                app.debugger.looking.light(each.key, each.texel, imgui.get_frame_count())
                imgui.set_tooltip(f"{what}\n{each.text}")
            imgui.same_line(0, 0)
            imgui.text_colored(theme.BAD if each.wrong else theme.TEXT, shortened(what, room))
            imgui.table_next_column()
            text = f"{each.value:.4g} × {each.weight:.4g}"
            imgui.text_unformatted(shortened(text, imgui.get_content_region_avail().x))
            imgui.table_next_column()
            imgui.text_disabled(f"{100 * each.share:.2g} %")
    imgui.end_table()


def _input(app: App, tapped: TappedInput, products: Sequence[TapProduct]) -> None:
    session = app.document.session
    stored = app.document.stored(tapped.key)
    if session is None or stored is None:
        return
    imgui.begin_group()
    room = imgui.get_content_region_avail()
    line = imgui.get_text_line_height_with_spacing()
    side = max(min(room.y - line - 14 * app.scale, 420 * app.scale), MIN_PICTURE_PIXELS * app.scale)
    _heading(tapped, stored)
    area = input_picture.draw(app, tapped, stored, side, f"taps {stored.key}")
    if imgui.is_item_clicked():
        app.send("show_tensor", key=stored.key)
    app.mark(f"taps in {stored.key}")
    if imgui.is_item_hovered():
        products_text = _products_text(products, stored, area)
        imgui.set_tooltip(f"{products_text}{in_cell(stored.tensor)}: click to show it whole, Esc to go back")
    if imgui.begin_popup_context_item(f"menu of {stored.key}"):
        if imgui.menu_item("Open in a new tab", "", False)[0]:
            app.send("lock", name=stored.key)
        app.mark("menu lock")
        controls.copy_entries(app, {"Copy the name": stored.key})
        imgui.end_popup()
    input_picture.draw_marks(app, tapped, stored, area)
    imgui.end_group()


def _products_text(products: Sequence[TapProduct], stored: StoredTensor, area: Area) -> str:
    """Returns the products of the texel under the mouse."""
    mouse = imgui.get_mouse_pos()
    x, y = area.to_texels(mouse.x, mouse.y)
    texel = (int(x // 1), int(y // 1))
    lines = [each.text for each in products if each.is_at(stored.key, texel)]
    more = f"\nand {len(lines) - _MOST_TOLD} more" if len(lines) > _MOST_TOLD else ""
    return f"texel ({texel[0]}, {texel[1]})\n" + "\n".join(lines[:_MOST_TOLD]) + f"{more}\n" if lines else ""


def _heading(tapped: TappedInput, stored: StoredTensor) -> None:
    counts = [f"{len(tapped.right):,}"]
    if tapped.unexpected:
        counts.append(f"{len(tapped.unexpected):,} unexpected")
    if tapped.missing:
        counts.append(f"{len(tapped.missing):,} missing")
    wrong = bool(tapped.unexpected or tapped.missing)
    imgui.text_colored(theme.BAD if wrong else theme.TEXT, f"{stored.tensor}  {', '.join(counts)}")


PANEL = TapsPanel()
