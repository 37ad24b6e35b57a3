"""The texts behind a pass, for reading and editing: files as written, what GL compiles, the vertex shader."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import ShaderError
from pipeline.gl.session import Session
from pipeline.glsl.assemble import SHADER_FOLDER
from pipeline.glsl.lines import GENERATED, line_directive
from pipeline.plan import ProgramSource, SourceFile

VERTEX = "vertex"
FORM = "form"
NOT_READ = "// This file is too large to be read."


@dataclass(frozen=True)
class PassText:
    """One text of a pass. `path` is the user's file, which can be saved; `file` what the program knows of it.

    A file of Texelscope itself has no `path`: it can be tried in a pass, not saved; `original` is its text then.
    """

    label: str
    text: str
    path: Path | None = None
    file: SourceFile | None = None
    original: str | None = None

    @property
    def editable(self) -> bool:
        """Whether the text can be changed here: a file can, what is made from files cannot."""
        return self.file is not None


def texts_of(session: Session, name: str, target: str | Path) -> tuple[PassText, ...]:
    """The files of the pass called `name` as they are written now, then what GL runs.

    A file shows its newest text; one that was too large to be read cannot be edited. `generated` shows the program
    that runs, which is an older one if the newest does not compile; a pass that runs as a form has its steps' programs
    after that.
    """
    found = session.plan.find(name)
    if found is None:
        return ()
    running = session.program_source(found.name)
    tried = {file.number: file.text for file in running.files}
    files = []
    for file in found.program.files:
        if not file.text and found.program.refused is not None:
            files.append(PassText(_label(file, found.program.files), NOT_READ))
            continue
        path = _user_path(file, target)
        text = file.text if path is not None else tried.get(file.number, file.text)
        files.append(PassText(_label(file, found.program.files), text, path, file, None if path else file.text))
    generated = PassText(GENERATED, running.fragment)
    form = session.form(found.name)
    steps = form.steps if form is not None else ()
    titles = [FORM] if len(steps) == 1 else [f"{FORM} {i}" for i in range(1, len(steps) + 1)]
    forms = (PassText(title, step.program.fragment) for title, step in zip(titles, steps, strict=True))
    return (*files, generated, PassText(VERTEX, session.vertex_text(found.name)), *forms)


def with_text(source: ProgramSource, file: SourceFile, text: str) -> ProgramSource | None:
    """`source` with another text for one of its files; None if the program does not hold the file's text.

    What is generated around the files stays: an accessor that the old text did not mention is not there.
    """
    changed = dataclasses.replace(file, text=text)
    files = tuple(changed if each.number == file.number else each for each in source.files)
    head = line_directive(file.number, 1) + "\n"
    old, new = head + file.text.rstrip(), head + text.rstrip()
    if old in source.fragment:
        return dataclasses.replace(source, fragment=source.fragment.replace(old, new, 1), files=files)
    return None


def error_lines(error: ShaderError | None, shown: PassText) -> Mapping[int, str]:
    """1-based line → message, for the text that an error is in."""
    if error is None:
        return {}
    path = shown.file.path if shown.file is not None else shown.label
    return {error.line: error.message} if error.file == path and error.line > 0 else {}


def _label(file: SourceFile, files: tuple[SourceFile, ...]) -> str:
    """The file's name; with its folder where two files have the same one."""
    short = Path(file.path).name
    same = [other for other in files if Path(other.path).name == short]
    return short if len(same) == 1 else file.path


def _user_path(file: SourceFile, target: str | Path) -> Path | None:
    own = SHADER_FOLDER.parent / file.path
    if own.is_file() and own.is_relative_to(SHADER_FOLDER):
        return None
    path = Path(target).resolve().parent / file.path
    return path if path.is_file() else None
