"""Replaces shaders of passes, for one run, by other files or by text."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from pathlib import Path

from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import ShaderError, TexelscopeError
from texelscope.pipeline.glsl.lines import numbered
from texelscope.pipeline.glsl.replaced_file import with_text
from texelscope.pipeline.glsl.source_text import version_of
from texelscope.pipeline.plan import ProgramSource, SourceFile
from texelscope.pipeline.untrusted_files import read_text


class ReplacedShaders:
    """Maps passes to the path of a file, or to a text, in place of their shader.

    `texts` has, once a session has them, the text of each such file by the path that findings name: a file below the
    target's folder by its path from there, another by its own, and a text by the path of the file that it replaces.
    """

    def __init__(self, shaders: Mapping[str, str | os.PathLike[str]], target: Path) -> None:
        self._shaders = dict(shaders)
        self._folder = target.parent
        self.texts: dict[str, str] = {}

    def put_into(self, session: DebugSession) -> None:
        """Compiles them. Raises TexelscopeError for a name of no pass, and for a text that cannot take its place."""
        for name, given in self._shaders.items():
            found = session.plan.pass_called(name)
            path, text = self._read(given, name)
            program = session.program_source(found.name)
            changed = _with(program, text.replace("\r\n", "\n"), path)
            if changed is None:
                raise TexelscopeError(
                    f"shaders['{name}']",
                    "a whole shader in GLSL, with its #version, for a pass in GLSL",
                    "another text",
                    "Name the shader in a pipeline file.",
                )
            self.texts[path or program.files[0].path] = text
            try:
                session.replace_program(found.name, changed)
            except ShaderError as error:
                do_next = f"Correct the shader that is given for pass '{found.name}'."
                raise ShaderError(error.file, error.line, error.message, do_next) from error

    def _read(self, given: str | os.PathLike[str], name: str) -> tuple[str, str]:
        """Returns the path by which findings name the file, empty for a text, and the text."""
        if isinstance(given, str) and "\n" in given:
            return "", given
        path = Path(given)
        text = read_text(path, f"shaders['{name}'] ({path})")
        try:
            return path.resolve().relative_to(self._folder.resolve()).as_posix(), text
        except ValueError:
            return str(path), text


def _with(program: ProgramSource, text: str, path: str) -> ProgramSource | None:
    """Returns the program with the text in place of its first file's; None if that is not part of it."""
    first = program.files[0]
    changed = with_text(program, first, text)
    if (
        changed is None and version_of(text) is not None and program.translated is None
    ):  # a whole one for a built-in one
        changed = dataclasses.replace(
            program.with_fragment(numbered(text, first.number)), files=(SourceFile(first.number, first.path, text),)
        )
    if changed is None or not path:
        return changed
    files = tuple(
        dataclasses.replace(each, path=path) if each.number == first.number else each for each in changed.files
    )
    return dataclasses.replace(changed, files=files)
