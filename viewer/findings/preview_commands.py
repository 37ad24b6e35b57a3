"""Implements the command that shows what a repair gives, beside what the pass gives now, before it is applied."""

from __future__ import annotations

from imgui_bundle import imgui

from texelscope.layouts.outside_text import in_cell
from texelscope.pipeline.compare.repairs import Repair
from texelscope.pipeline.errors import TexelscopeError
from texelscope.viewer.app import App
from texelscope.viewer.command import Command, MenuGroup, chord
from texelscope.viewer.findings.lines import place_words
from texelscope.viewer.state import ViewMode


def preview_repair(app: App, name: str, repair: Repair) -> None:
    """Runs a repair of the pass called `name`, and splits its texture: at the left as it is, at the right repaired.

    Raises TexelscopeError if the repair is not of the shader's text, or if nothing is compared.
    """
    session, comparison = app.document.session, app.document.comparison
    if session is None or comparison is None or not app.document.is_compared:
        raise TexelscopeError("Preview", "results that were compared", "none yet", "Wait until all has run.")
    from texelscope.pipeline.repair.preview import run_repaired  # not needed at the start

    made = run_repaired(session, name, repair)
    place = place_words((repair.in_file[0].file, repair.in_file[0].line))
    app.analyses.runs.show_repaired(app.document, name, made, f"'{in_cell(name)}' repaired at {place}")
    if app.selected != name:
        app.state.select(name)
    app.state.wanted_view = 0
    app.state.views[0].mode = ViewMode.SPLIT
    app.state.wanted_panels.append("Texture")


def _preview_best(app: App) -> None:
    """Shows what the best repair of the selected pass gives."""
    name = app.selected or ""
    diagnosis = app.analyses.diagnoses.diagnosis(app.document, name)
    if diagnosis is None or not diagnosis.repairs:
        raise TexelscopeError(
            "Preview", "a repair of the selected layer", "none", "D names its cause and searches one."
        )
    preview_repair(app, name, diagnosis.repairs[0])


COMMANDS = (
    Command("preview_repair", preview_repair),
    Command(
        "preview_best_repair",
        _preview_best,
        "Show what the repair gives, beside the present texture",
        "Shift+V",
        chord(imgui.Key.v, shift=True),
    ),
)
MENUS = (MenuGroup("Layers", 31, ("preview_best_repair",)),)
