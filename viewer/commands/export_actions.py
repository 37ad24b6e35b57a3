"""What the export panel asks for."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import moderngl

from texelscope.pipeline.errors import TexelscopeError
from texelscope.viewer.app import App
from texelscope.viewer.document.exports import folder_for, save_screen, write_text_into


def export_layers(app: App, folder: Path, names: list[str], formats: list[str]) -> None:
    """Writes layers that have run, one between two frames."""
    session = app.document.session
    ran = [name for name in names if session is not None and session.has_run(name)]
    if not ran:
        app.log.add("Nothing to export: none of these layers has run. F5 runs everything.", warning=True)
        return
    app.exports.begin(folder, ran, formats)


def export_all(app: App) -> None:
    """Every layer that has run, as picture and array, where exports go by default."""
    if app.document.origin is not None:
        names = [each.name for each in app.document.passes]
        export_layers(app, folder_for(app.document.origin), names, ["png", "npy"])


def save_view(app: App, folder: Path) -> None:
    """Has the texture panel saved as the next frame shows it."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "_", f"{app.selected}_{app.state.view.mode.name.lower()}")
    app.wanted_shot = folder / f"{name}.png"


def snapshot(app: App) -> None:
    """The selected layer as picture and array, and the view as seen, where exports go by default."""
    origin = app.document.origin
    if origin is not None and app.selected is not None:
        folder = folder_for(origin)
        export_layers(app, folder, [app.selected], ["png", "npy"])
        save_view(app, folder)


def save_report(app: App, folder: Path) -> None:
    """Writes the newest comparison as JSON."""
    comparison = app.document.comparison
    if comparison is None:
        return
    path = folder / "report.json"
    try:
        write_text_into(path, comparison.report.as_json() + "\n")
    except TexelscopeError as error:
        app.exports.problem = str(error)
        return
    app.exports.files, app.exports.problem = [path], ""
    app.log.add(f"Written: {path}")


def save_page(app: App, folder: Path | None = None) -> None:
    """Writes the newest comparison, with what is known of causes, as one page with every texture.

    Raises TexelscopeError while another file is under way.
    """
    document = app.document
    comparison, session, target = document.comparison, document.session, document.target
    if comparison is None or session is None or target is None or not document.is_compared:
        app.log.add("There is no comparison to report yet. F5 runs everything.", warning=True)
        return
    folder = folder_for(document.origin or target.path) if folder is None else folder
    report, plan = app.diagnoses.named(document, comparison.report), session.plan

    def making(progress: Callable[[float], None]) -> Path:
        from texelscope.pipeline.export.html_report import render

        text = render(report, plan, comparison.capture, comparison.isolated)
        progress(0.9)
        path = folder / "report.html"
        write_text_into(path, text)
        return path

    app.background.make("Writing the report", making)


def take_shot(app: App, screen: moderngl.Framebuffer, window_height: int) -> None:
    """Saves the texture panel, if that was asked for, from the frame that was just drawn."""
    path, place = app.wanted_shot, app.places.get("as seen")
    app.wanted_shot = None
    if path is None or place is None:
        return
    try:
        save_screen(screen, place, window_height, path)
    except TexelscopeError as error:
        app.exports.problem = str(error)
        app.log.add(str(error), error=True)
        return
    app.exports.files.append(path)
    app.exports.problem = ""
    app.log.add(f"Written: {path}")
