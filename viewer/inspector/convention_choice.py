"""Draws the choice of an operator's definition in the inspector, and how far the pass is from each."""

from __future__ import annotations

from imgui_bundle import imgui

from texelscope.pipeline.compare.convention_fits import ConventionFit
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.conventions import convention_of, conventions
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.widgets.controls import entry_tooltip

_MATCH, _OTHER = theme.SIGNS["match"], theme.SIGNS["not_run"]


def draw(app: App, name: str, node: Node) -> None:
    """Draws the choice for `node`, done by the pass called `name`, and the table of which definition fits."""
    imgui.spacing()
    imgui.separator_text(f"{node.op_type} convention")
    _combo(app, node)
    comparison = app.document.comparison
    is_known = app.document.has_current_verdicts and app.document.report_of(name) is not None
    fits = comparison.conventions.get(name, ()) if comparison is not None and is_known else ()
    if not fits:
        imgui.text_disabled("Run this pass to see which definition its values follow.")
        return
    matching = [fit.name for fit in fits if fit.matches]
    if not matching:
        imgui.text_wrapped("The values follow none of these definitions.")
    elif convention_of(node) not in matching:
        imgui.push_style_color(int(imgui.Col_.text), theme.packed(theme.WARNING))
        imgui.text_wrapped(f"The values are those of {' or '.join(matching)}.")
        imgui.pop_style_color()
    _table(app, fits)


def _combo(app: App, node: Node) -> None:
    current = convention_of(node)
    imgui.set_next_item_width(-1.0)
    if not imgui.begin_combo("##convention", current, int(imgui.ComboFlags_.height_largest)):
        app.mark("convention")
        return
    for each in conventions()[node.op_type]:
        if imgui.selectable(each.name, each.name == current)[0] and each.name != current:
            app.send("follow", op_type=node.op_type, convention=each.name)
        app.mark(f"convention {each.name}")
        entry_tooltip(app, each.formula)
    imgui.end_combo()


def _table(app: App, fits: tuple[ConventionFit, ...]) -> None:
    """Draws a row for each convention, the nearest first."""
    if not imgui.begin_table("conventions", 2, int(imgui.TableFlags_.sizing_stretch_prop)):
        return
    for heading in ("values against", "max |error|"):
        imgui.table_next_column()
        imgui.text_disabled(heading)
    for fit in fits:
        sign = _MATCH if fit.matches else _OTHER
        imgui.table_next_row()
        imgui.table_next_column()
        at = imgui.get_cursor_screen_pos()
        theme.draw_sign(imgui.get_window_draw_list(), at.x + 6 * app.scale, at.y + 8 * app.scale, 5 * app.scale, sign)
        imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + 16 * app.scale)
        imgui.text_unformatted(fit.name)
        app.mark(f"fit {fit.name}")
        imgui.set_item_tooltip(fit.formula)
        imgui.table_next_column()
        imgui.text_unformatted(f"{fit.figures.max_abs:.3g}")
    imgui.end_table()
