"""Implements the buttons of the shader panel: save a user's file, or try a text in one pass."""

from __future__ import annotations

from codecs import BOM_UTF8
from dataclasses import dataclass
from pathlib import Path

from texelscope.pipeline.atomic_files import write_whole
from texelscope.pipeline.errors import ShaderError, TexelscopeError
from texelscope.pipeline.front_ends.languages import language_of
from texelscope.pipeline.glsl.replaced_file import with_text
from texelscope.pipeline.plan import SourceFile
from texelscope.pipeline.untrusted_files import read_bytes
from texelscope.viewer.app import App
from texelscope.viewer.command import Command
from texelscope.viewer.document.plan_kinds import as_effect_plan


def save_shader(app: App, path: Path, text: str) -> None:
    """Writes a shader file atomically; the watcher of the target's files then reloads it.

    Line ends, byte order mark and permissions are preserved. A file that another program has changed since its text was
    loaded is not overwritten: the panel asks then.
    """
    draft = app.saving.drafts.of_file(path)
    try:
        kept = _Kept.of(path)
        if draft is not None and kept is not None and kept.text not in (draft.base, draft.clean, text):
            draft.other = kept.text
            app.log.add(f"{path.name} was not saved: another program has changed it.", warning=True)
            return
        write_whole(path, lambda unfinished: _write(unfinished, text, kept))
    except TexelscopeError as error:
        app.log.add(str(error), error=True)
        return
    if draft is not None:
        draft.saved(text)
    app.log.add(f"Saved {path.name}.")


@dataclass(frozen=True)
class _Kept:
    """A file as saved: its text with plain line ends, its original line ends, and whether it has a byte order mark."""

    text: str
    line_end: str
    encoding: str

    @classmethod
    def of(cls, path: Path) -> _Kept | None:
        """Reads the file at `path`; None if it is gone or its text is unknown."""
        try:
            data = read_bytes(path)
            encoding = "utf-8-sig" if data.startswith(BOM_UTF8) else "utf-8"
            text = data.decode(encoding)
        except (TexelscopeError, UnicodeDecodeError):
            return None
        line_end = "\r\n" if "\r\n" in text else "\n"
        return cls(text.replace("\r\n", "\n").replace("\r", "\n"), line_end, encoding)


def _write(unfinished: Path, text: str, kept: _Kept | None) -> None:
    encoding, line_end = (kept.encoding, kept.line_end) if kept is not None else ("utf-8", "\n")
    unfinished.write_text(text, encoding=encoding, newline=line_end)


def try_shader(app: App, name: str, file: SourceFile, text: str) -> None:
    """Runs a text as `run_text` does, and records it as work that no file holds."""
    if not run_text(app, name, file, text):
        return
    planned = planned_file(app, name, file.path)
    app.saving.drafts.note_tried(name, file.path, text, planned.text if planned is not None else "")
    app.log.add(f"'{name}' runs the changed {Path(file.path).name}; nothing was saved.")


def run_text(app: App, name: str, file: SourceFile, text: str) -> bool:
    """Compiles the pass called `name` with another text for one of its files, and runs it and what follows.

    The file stays unchanged. A text that does not compile leaves the last good program running. Returns whether the new
    text runs.
    """
    session = app.document.session
    found = session.plan.find(name) if session is not None else None
    if session is None or found is None:
        return False
    running = session.program_source(found.name)
    current = next((each for each in running.files if each.number == file.number), file)
    source = with_text(running, current, text)
    is_translated = language_of(file.path) is not None or as_effect_plan(session.plan) is not None
    if source is None and is_translated:
        app.log.add(f"{file.path} is translated when it is saved: save it to run it.", error=True)
        return False
    if source is None:
        app.log.add(f"{file.path} is not part of the shader of '{name}': eject the model to edit it.", error=True)
        return False
    try:
        session.replace_program(found.name, source)
    except ShaderError as error:
        app.log.add(str(error), error=True)
        return False
    app.document.revision += 1  # earlier findings are about another text
    app.document.run.on_from(session.plan.position(found.name))
    return True


def try_again(app: App) -> None:
    """Makes the passes of a new session run the texts that were tried before, where they have the same files."""
    left = []
    for (name, path), text in list(app.saving.drafts.tried.items()):
        file = planned_file(app, name, path)
        if file is None or not run_text(app, name, file, text):
            left.append(f"{Path(path).name} of '{name}'")
    if left:
        text = f"Not tried here: {', '.join(left)}. The edit is kept, and runs again once a pass has that file."
        app.log.add(text, warning=True)


def planned_file(app: App, name: str, path: str) -> SourceFile | None:
    """Returns the planned file with that path of the pass called `name`."""
    session = app.document.session
    found = session.plan.find(name) if session is not None else None
    return next((each for each in found.program.files if each.path == path), None) if found is not None else None


COMMANDS = (Command("save_shader", save_shader), Command("try_shader", try_shader))
