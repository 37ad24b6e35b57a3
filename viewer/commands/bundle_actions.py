"""Saving a bundle, and putting the window as one says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from texelscope.pipeline.export.bundle import SUFFIX, files_of, pack
from texelscope.viewer.app import App
from texelscope.viewer.commands.shader_edits import planned_file, try_shader
from texelscope.viewer.document.exports import folder_for
from texelscope.viewer.editing.drafts import Stamp, stamp_of
from texelscope.viewer.memory.saved_state import as_data, restore

_TEXT = ("pass", "file", "text")


def save_bundle(
    app: App, folder: Path | None = None, path: Path | None = None, then: Callable[[], None] = lambda: None
) -> None:
    """Writes what is open, with inputs, tried and typed shaders and views, as one file that reopens it.

    The file is `path`, or named after what is open in `folder`, or where such things go; `then` is called when it is
    there. Raises TexelscopeError while another file is under way.
    """
    document = app.document
    session, target = document.session, document.target
    if session is None or target is None:
        app.log.add("There is nothing to save: open a model or a pipeline first (Ctrl+O).", warning=True)
        return
    if path is None:
        home = folder_for(document.origin or target.path)
        path = (home if folder is None else folder) / f"{home.name}{SUFFIX}"
    inputs = {name: session.tensor(name) for name in session.plan.inputs if session.is_valid(name)}
    state = {**as_data(app.state), "position": document.run.position, "shaders": _tried(app)}
    state["drafts"] = [dict(zip(_TEXT, text, strict=True)) for text in app.drafts.untried()]
    plan, place, keep = session.plan, path, _keeping(app)

    def making(progress: Callable[[float], None]) -> Path:
        pack(place, target, plan, inputs, state, progress)
        return place

    def made() -> None:
        keep()
        then()

    app.background.make("Saving the bundle", making, made)


def bundle_place(app: App) -> Path:
    """Where a bundle goes that nobody named: into the opened one again, else beside what is exported, over no other."""
    document = app.document
    origin = document.origin or ""
    if document.is_unpacked:
        return Path(origin)
    home = folder_for(origin)
    names = (f"{home.name}{SUFFIX}", *(f"{home.name}-{number}{SUFFIX}" for number in range(2, 1000)))
    return next((home / name for name in names if not (home / name).exists()), home / names[0])


def _keeping(app: App) -> Callable[[], None]:
    """Notes, once it is called, that a bundle holds what is edited by now."""
    kept, files = frozenset(app.drafts.texts()), _files(app)

    def keep() -> None:
        app.drafts.kept = kept
        if app.document.is_unpacked:
            app.drafts.stamps = files

    return keep


def reopen(app: App, state: Mapping[str, Any]) -> None:
    """Puts a target that was just opened from a bundle as it was when that was saved."""
    restore(app.state, state)
    for name, path, text in _texts(state.get("shaders")):
        file = planned_file(app, name, path)
        if file is not None:
            try_shader(app, name, file, text)
    app.drafts.typed.update(((name, path), text) for name, path, text in _texts(state.get("drafts")))
    app.drafts.kept, app.drafts.stamps = frozenset(app.drafts.texts()), _files(app)
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


def _texts(data: Any) -> list[tuple[str, str, str]]:
    """Pass, file and text of each entry that has them; a bundle may come from a stranger."""
    found = data if isinstance(data, list) else []
    return [
        (each["pass"], each["file"], each["text"])
        for each in found
        if isinstance(each, dict) and all(isinstance(each.get(key), str) for key in _TEXT)
    ]


def _files(app: App) -> dict[Path, Stamp]:
    """How the files of an opened bundle are now."""
    session, target = app.document.session, app.document.target
    if session is None or target is None or not app.document.is_unpacked:
        return {}
    start = Path(target.path).resolve()
    return {path: stamp_of(path) for path in files_of(start, session.plan)}
