"""What the shader panel's buttons do: save a user's file, or try a text in one pass."""

from __future__ import annotations

from pathlib import Path

from pipeline.errors import ShaderError, TexelscopeError
from pipeline.plan import SourceFile
from viewer.app import App
from viewer.content.pass_texts import with_text


def save_shader(app: App, path: Path, text: str) -> None:
    """Writes a shader file; the watcher of the target's files does the rest."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        problem = TexelscopeError(str(path), "a file that can be written", str(error.strerror), "Save it elsewhere.")
        app.log.add(str(problem), error=True)
        return
    app.log.add(f"Saved {path.name}.")


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
    app.document.revision += 1  # what was found out about the pass is about another text
    app.document.run.on_from(session.plan.position(found.name))
