"""Implements the commands of the export panel."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import moderngl
from imgui_bundle import imgui

from texelscope.pipeline.errors import TexelscopeError
from texelscope.viewer.app import App
from texelscope.viewer.command import Action, Command, MenuGroup, chord
from texelscope.viewer.export.folder import bundle_place, save_bundle, save_folder
from texelscope.viewer.export.model.exports import folder_for, save_screen, write_text_into

_WRITING = "Writing the report"


def _commands() -> tuple[Command, ...]:
    """Returns the commands that write files, by default into the target's folder."""
    actions: tuple[tuple[str, Action, str, str], ...] = (
        ("export_all", export_all, "Export all layers", "E"),
        ("save_seen", _save_seen, "Save the view as seen", "V"),
        ("save_json", _save_json, "Save the report (JSON)", "J"),
        ("save_page", save_page, "Save the report (HTML page)", "R"),
        ("save_bundle", save_bundle, "Save a bundle that reopens this state", "S"),
        ("save_folder", save_folder, "Save as a folder of shaders", "F"),
    )
    return (
        Command("snapshot", snapshot, "Snapshot of the selected layer", "Ctrl+E", chord(imgui.Key.e, ctrl=True)),
        *(
            Command(name, action, title, f"Ctrl+Shift+{letter}", chord(_key(letter), ctrl=True, shift=True))
            for name, action, title, letter in actions
        ),
        Command("export_layers", export_layers),
        Command("save_view", save_view),
        Command("save_report", save_report),
        Command("cancel_export", lambda app: app.saving.exports.cancel()),
        Command("keep_in_bundle", lambda app: save_bundle(app, path=bundle_place(app))),
    )


def export_layers(app: App, folder: Path, names: list[str], formats: list[str]) -> None:
    """Writes layers that have run, one between two frames."""
    session = app.document.session
    ran = [name for name in names if session is not None and session.has_run(name)]
    if not ran:
        app.log.add("Nothing to export: none of these layers has run. F5 runs everything.", warning=True)
        return
    app.saving.exports.begin(folder, ran, formats)


def export_all(app: App) -> None:
    """Exports every layer that has run, as picture and array, into the default folder."""
    if app.document.origin is not None:
        names = [each.name for each in app.document.passes]
        export_layers(app, folder_for(app.document.origin), names, ["png", "npy"])


def save_view(app: App, folder: Path) -> None:
    """Saves the texture panel as the next frame shows it."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "_", f"{app.selected}_{app.state.view.mode.name.lower()}")
    app.display.wanted_shot = folder / f"{name}.png"


def snapshot(app: App) -> None:
    """Exports the selected layer as picture and array, and the view as seen, into the default folder."""
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
        app.saving.exports.problem = str(error)
        return
    app.saving.exports.files, app.saving.exports.problem = [path], ""
    app.log.add(f"Wrote {path}")


def save_page(app: App, folder: Path | None = None) -> None:
    """Writes the newest comparison, with known causes, as one page to debug in.

    Reads and executions of wrong passes are recorded first, between frames. Raises TexelscopeError while another file
    is being written.
    """
    document = app.document
    comparison, session, target = document.comparison, document.session, document.target
    if comparison is None or session is None or target is None or not document.is_compared:
        app.log.add("There is no comparison to report yet. F5 runs everything.", warning=True)
        return
    from texelscope.pipeline.export.live_page.contents import PageSubject
    from texelscope.pipeline.export.live_page.recordings import PageRecorder, Recordings

    path = (folder_for(document.origin or target.path) if folder is None else folder) / "report.html"
    app.saving.background.check_free(_WRITING)
    report, revision = app.analyses.diagnoses.named(document, comparison.report), document.revision

    def write(recordings: Recordings) -> None:
        subject = PageSubject(
            report, comparison.plan, comparison.capture, comparison.isolated, recordings, programs=comparison.programs
        )

        def making(progress: Callable[[float], None]) -> Path:
            from texelscope.pipeline.export.html_report import render

            text = render(subject, progress=progress)
            write_text_into(path, text)
            return path

        app.saving.background.make(_WRITING, making)

    def is_current() -> bool:
        return document.session is session and document.revision == revision

    def stale() -> None:
        app.log.add(f"{_WRITING}: stopped, because something was changed. Save it again.", warning=True)

    recorder = PageRecorder(session, report, comparison.capture, comparison.isolated)
    app.saving.recording.begin(recorder, is_current, write, stale)


def take_shot(app: App, screen: moderngl.Framebuffer, window_height: int) -> None:
    """Saves the texture panel from the frame just drawn, if a command requested it."""
    path, place = app.display.wanted_shot, app.display.places.get("as seen")
    app.display.wanted_shot = None
    if path is None or place is None:
        return
    try:
        save_screen(screen, place, window_height, path)
    except TexelscopeError as error:
        app.saving.exports.problem = str(error)
        app.log.add(str(error), error=True)
        return
    app.saving.exports.files.append(path)
    app.saving.exports.problem = ""
    app.log.add(f"Wrote {path}")


def _save_seen(app: App) -> None:
    if app.document.origin is not None:
        save_view(app, folder_for(app.document.origin))


def _save_json(app: App) -> None:
    if app.document.origin is not None:
        save_report(app, folder_for(app.document.origin))


def _key(letter: str) -> imgui.Key:
    found: imgui.Key = getattr(imgui.Key, letter.lower())
    return found


COMMANDS = _commands()
MENUS = (
    MenuGroup("File", 30, ("snapshot", "export_all", "save_seen", "save_json", "save_page", "save_bundle",
              "save_folder")),
)  # fmt: skip
