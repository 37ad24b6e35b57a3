"""What the shader panel's buttons do: save a user's file, or try a text in one pass."""

from __future__ import annotations

import shutil
from codecs import BOM_UTF8
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import ShaderError, TexelscopeError
from pipeline.plan import SourceFile
from pipeline.whole_files import write_whole
from viewer.app import App
from viewer.content.pass_texts import with_text


def save_shader(app: App, path: Path, text: str) -> None:
    """Writes a shader file, whole or not at all; the watcher of the target's files does the rest.

    Line ends, a byte order mark and permissions stay as they are. A file that another program has changed since the
    text was taken up stays too: the panel asks then.
    """
    draft = app.drafts.of_file(path)
    try:
        kept = _Kept.of(path)
        if draft is not None and kept is not None and kept.text not in (draft.base, draft.clean, text):
            draft.other = kept.text
            app.log.add(f"{path.name} was not saved: another program has saved it meanwhile.", warning=True)
            return
        write_whole(path, lambda place: _write(place, path, text, kept))
    except TexelscopeError as error:
        app.log.add(str(error), error=True)
        return
    if draft is not None:
        draft.saved(text)
    app.log.add(f"Saved {path.name}.")


@dataclass(frozen=True)
class _Kept:
    """A file as it is kept: its text with plain line ends, how its lines end, and whether a byte order mark leads."""

    text: str
    line_end: str
    encoding: str

    @classmethod
    def of(cls, path: Path) -> _Kept | None:
        """What lies there; None for a file that is gone, or whose text is not known."""
        try:
            data = path.read_bytes()
            encoding = "utf-8-sig" if data.startswith(BOM_UTF8) else "utf-8"
            text = data.decode(encoding)
        except (OSError, UnicodeDecodeError):
            return None
        line_end = "\r\n" if "\r\n" in text else "\n"
        return cls(text.replace("\r\n", "\n").replace("\r", "\n"), line_end, encoding)


def _write(place: Path, path: Path, text: str, kept: _Kept | None) -> None:
    if kept is None:
        place.write_text(text, encoding="utf-8", newline="\n")
        return
    place.write_text(text, encoding=kept.encoding, newline=kept.line_end)
    shutil.copymode(path, place)


def try_shader(app: App, name: str, file: SourceFile, text: str) -> None:
    """Compiles the pass called `name` with another text for one of its files, and runs it and what follows.

    The file stays as it is; a text that does not compile leaves the last good program running.
    """
    session = app.document.session
    found = session.plan.find(name) if session is not None else None
    if session is None or found is None:
        return
    running = session.program_source(found.name)
    current = next((each for each in running.files if each.number == file.number), file)
    source = with_text(running, current, text)
    if source is None:
        app.log.add(f"{file.path} stands nowhere in the shader of '{name}': eject the model to edit it.", error=True)
        return
    try:
        session.replace_program(found.name, source)
    except ShaderError as error:
        app.log.add(str(error), error=True)
        return
    app.log.add(f"'{name}' runs the changed {Path(file.path).name}; nothing was saved.")
    app.document.run.on_from(session.plan.position(found.name))
