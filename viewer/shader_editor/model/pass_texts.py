"""Collects the texts behind a pass: files as written, what GL compiles, the vertex shader, and the steps of a form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from texelscope.pipeline.errors import ShaderError
from texelscope.pipeline.front_ends.languages import is_compiled
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.glsl.lines import GENERATED, line_map
from texelscope.pipeline.lowerings.lowering import Lowering, form_words, step_words, texture_words
from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.reload.user_files import user_path

VERTEX = "vertex"
FORM = "form"
COMPILED = "The text of a compiled file: change its source, and compile that again"
NOT_READ = "// This file is too large to read."


@dataclass(frozen=True)
class PassText:
    """One text of a pass. `path` is the user's file, which can be saved; `file` is its entry in the plan.

    A built-in file has no `path`: it can be tried in a pass but not saved, and `original` is its text. `about` explains
    what the label does not. From `first_line` on the text is the author's.
    """

    label: str
    text: str
    path: Path | None = None
    file: SourceFile | None = None
    original: str | None = None
    about: str = ""
    first_line: int = 1

    @property
    def editable(self) -> bool:
        """Whether the text can be edited here: a file can, generated text and that of a compiled file cannot."""
        return self.file is not None and not is_compiled(self.file.path)


def texts_of(session: Session, name: str, target: str | Path) -> tuple[PassText, ...]:
    """Returns the files of the pass called `name` as they are now, then the compiled text, and the vertex shader.

    A file shows its newest text; one that was too large to read cannot be edited. `generated` shows the running
    program, which is an older one if the newest does not compile.
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
        path = user_path(file, target)
        text = file.text if path is not None else tried.get(file.number, file.text)
        own = found.program.supplied_lines + 1 if file is found.program.files[0] else 1
        original = None if path else file.text
        about = COMPILED if is_compiled(file.path) else ""
        files.append(PassText(_label(file, found.program.files), text, path, file, original, about, own))
    generated = PassText(GENERATED, running.fragment)
    if running.stage == "compute":
        return (*files, generated)
    return (*files, generated, PassText(VERTEX, session.vertex_text(found.name)))


def form_texts(form: Lowering | None) -> tuple[PassText, ...]:
    """Returns the read-only program of each step of a form but copies; none without a form."""
    if form is None:
        return ()
    steps = [step for step in form.steps if step.kind != "copy"]
    return tuple(
        PassText(
            FORM if len(steps) == 1 else f"{FORM} step {number}",
            step.program.fragment,
            about=f"{step_words(step).capitalize()}; {texture_words(step, form)}",
        )
        for number, step in enumerate(steps, 1)
    )


def how_it_runs(session: Session, name: str, form: Lowering | None) -> tuple[str, bool]:
    """Describes how the pass called `name` runs, in a line, and returns whether an edited shader is the reason.

    The line is empty where its own shader runs as planned.
    """
    found = session.plan.find(name)
    if found is None:
        return "", False
    if form is not None:
        others = [each for each in form.covers if each != found.name]
        together = f" together with {', '.join(others)}" if others else ""
        return f"Runs{together} as {form_words(form)}", False
    if found.from_operator and session.program_source(found.name) is not found.program:
        return "Runs its own shader, which was edited here", True
    return "", False


def first_line(program: ProgramSource, file: SourceFile) -> int:
    """Returns the line, from 1, where a program's part of a file of several passes begins; 1 if no code precedes."""
    first = min((line for path, line in line_map(program) if path == file.path), default=1)
    before = (line.strip() for line in file.text.splitlines()[: first - 1])
    return first if any(line and not line.startswith(("//", "#")) for line in before) else 1


def error_lines(error: ShaderError | None, shown: PassText) -> Mapping[int, str]:
    """Returns messages by 1-based line, if the error is in the text shown."""
    if error is None:
        return {}
    path = shown.file.path if shown.file is not None else shown.label
    return {error.line: error.message} if error.file == path and error.line > 0 else {}


def _label(file: SourceFile, files: tuple[SourceFile, ...]) -> str:
    """Returns the file's name, with its folder where two files share a name."""
    short = Path(file.path).name
    same = [other for other in files if Path(other.path).name == short]
    return short if len(same) == 1 else file.path
