"""The Modes panel shows an ncnn shader in every mode and pack: error over bound, wrong ones highlighted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.document.plan_kinds import as_drafted_plan
from texelscope.viewer.panel import Panel

if TYPE_CHECKING:
    from texelscope.pipeline.modes.table import ModeResult, ModeTable

_ENDING = ".comp"


class ModesPanel(Panel):
    """Shows a row for each mode, a column for each pack; a click opens the shader that way."""

    title = "Modes"
    place = "bottom"
    order = 7
    key = "'"
    comes_and_goes = True

    def is_there(self, app: App) -> bool:
        """Returns whether a shader of ncnn is open."""
        target, session = app.document.target, app.document.session
        is_shader = target is not None and target.path.lower().endswith(_ENDING)
        return is_shader and session is not None and as_drafted_plan(session.plan) is None

    def draw(self, app: App) -> None:
        """Draws the table, which is made when the panel is first shown."""
        target = app.document.target
        if target is None:
            return
        if not app.analyses.modes.fits(target):
            app.analyses.modes.run(target)
        imgui.begin_disabled(app.analyses.modes.is_under_way)
        if imgui.button("Run all modes again"):
            app.analyses.modes.run(target)
        app.mark("modes again")
        imgui.end_disabled()
        imgui.same_line()
        table = app.analyses.modes.table
        if app.analyses.modes.is_under_way:
            imgui.text_disabled("Running and comparing every mode and pack …")
        elif table is not None:
            colour = theme.BAD if any(cell.is_wrong for cell in table.cells) else theme.GOOD
            imgui.text_colored(colour, table.conclusion)
            app.mark("modes conclusion")
        if table is not None:
            _table(app, table)


def _table(app: App, table: ModeTable) -> None:
    flags = imgui.TableFlags_.sizing_fixed_fit | imgui.TableFlags_.row_bg | imgui.TableFlags_.borders_inner_v
    if not imgui.begin_table("modes", len(table.packs) + 1, int(flags)):
        return
    imgui.table_setup_column("error / bound")
    for pack in table.packs:
        imgui.table_setup_column(f"pack {pack}", 0, 120 * app.scale)
    imgui.table_headers_row()
    for mode in table.modes:
        imgui.table_next_row()
        imgui.table_next_column()
        imgui.text_unformatted(mode)
        for pack in table.packs:
            imgui.table_next_column()
            cell = table.at(mode, pack)
            if cell is not None:
                _cell(app, cell)
    imgui.end_table()


def _cell(app: App, cell: ModeResult) -> None:
    """Draws a cell: a click opens the shader in that mode and pack; its tooltip says what is wrong or did not run."""
    from texelscope.pipeline.modes.table import cell_text

    text = cell_text(cell)
    if cell.ratio is None:
        imgui.text_disabled(text)
        imgui.set_item_tooltip(cell.reason or "It was not run.")
        return
    imgui.push_style_color(int(imgui.Col_.text), theme.packed(theme.BAD if cell.is_wrong else theme.GOOD))
    clicked, _ = imgui.selectable(f"{text}##{cell.mode} {cell.pack}", p_selected=False)
    imgui.pop_style_color()
    app.mark(f"mode {cell.mode} {cell.pack}")
    wrong = f"{cell.verdict} in '{cell.worst}'. " if cell.is_wrong else ""
    imgui.set_item_tooltip(f"{wrong}Opens the shader in {cell.mode} with pack {cell.pack}.")
    if clicked and app.document.target is not None:
        said = app.document.target.options.dialect
        app.send("reopen", dialect={**said, "mode": cell.mode, "pack": str(cell.pack)})


PANEL = ModesPanel()
