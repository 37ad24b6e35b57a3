"""Saving a bundle, and putting the window as one says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pipeline.export.bundle import SUFFIX, pack
from viewer.app import App
from viewer.commands.shader_edits import try_shader
from viewer.document.exports import folder_for
from viewer.memory.saved_state import as_data, restore


def save_bundle(app: App, folder: Path | None = None) -> None:
    """Writes what is open, with inputs, tried shaders and views, as one file that reopens it.

    Raises TexelscopeError while another file is under way.
    """
    document = app.document
    session, target = document.session, document.target
    if session is None or target is None:
        app.log.add("There is nothing to save: open a model or a pipeline first (Ctrl+O).", warning=True)
        return
    folder = folder_for(document.origin or target.path) if folder is None else folder
    path = folder / f"{folder_for(document.origin or target.path).name}{SUFFIX}"
    inputs = {name: session.tensor(name) for name in session.plan.inputs if session.is_valid(name)}
    state = {**as_data(app.state), "position": document.run.position, "shaders": _tried(app)}
    plan = session.plan

    def making(progress: Callable[[float], None]) -> Path:
        pack(path, target, plan, inputs, state, progress)
        return path

    app.background.make("Saving the bundle", making)


def reopen(app: App, state: Mapping[str, Any]) -> None:
    """Puts a target that was just opened from a bundle as it was when that was saved."""
    restore(app.state, state)
    if app.document.target is not None:
        place = Path(app.document.target.path).parent
        app.log.add(f"Its files are in {place} while the window is open; Ctrl+Shift+S saves them with your changes.")
    tried = state.get("shaders")
    for each in tried if isinstance(tried, list) else []:
        if isinstance(each, dict) and all(isinstance(each.get(key), str) for key in ("pass", "file", "text")):
            _try(app, each["pass"], each["file"], each["text"])
    position, count = state.get("position"), len(app.document.passes)
    if isinstance(position, int) and 0 < position < count:
        app.document.run.up_to(position - 1)


def _tried(app: App) -> list[dict[str, str]]:
    """Texts that passes run in place of their files' own."""
    session = app.document.session
    assert session is not None
    changed = []
    for each in session.plan.passes:
        own = {file.number: file.text for file in each.program.files}
        for file in session.program_source(each.name).files:
            if own.get(file.number) != file.text:
                changed.append({"pass": each.name, "file": file.path, "text": file.text})
    return changed


def _try(app: App, name: str, path: str, text: str) -> None:
    session = app.document.session
    found = session.plan.find(name) if session is not None else None
    file = next((each for each in found.program.files if each.path == path), None) if found is not None else None
    if file is not None:
        try_shader(app, name, file, text)
