"""Replaces shaders of passes, for one run, by other files or by text."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from pathlib import Path

from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import ShaderError, TexelscopeError
from texelscope.pipeline.front_ends.languages import language_of
from texelscope.pipeline.glsl.lines import numbered
from texelscope.pipeline.glsl.replaced_file import with_text
from texelscope.pipeline.glsl.source_text import version_of
from texelscope.pipeline.pipeline_file.build import file_folder
from texelscope.pipeline.pipeline_file.file_plan import FilePlan, with_shader_instead
from texelscope.pipeline.plan import Pass, Plan, ProgramSource, SourceFile
from texelscope.pipeline.untrusted_files import read_text


class ReplacedShaders:
    """Maps passes to the path of a file, or to a text, in place of their shader.

    `texts` has, once a session has them, the text of each such file by the path that findings name: a file below the
    target's folder by its path from there, another by its own, and a text by the path of the file that it replaces, as
    does anything that is translated: a repair is planned by that path.
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
            if not path or language_of(found.program.files[0].path) is not None:
                path = _path_of(found, text)
            self.texts[path] = text
            text = text.replace("\r\n", "\n")
            if isinstance(session.plan, FilePlan):
                session.adopt(_of_file(session.plan, found, path, text))
                refusal = session.shader_error(found.name)
            else:
                refusal = _put_into_built_in(session, found, path, text)
            if refusal is not None:
                do_next = f"Correct the shader that is given for pass '{found.name}'."
                raise ShaderError(refusal.file, refusal.line, refusal.message, do_next)

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


def _path_of(shader_pass: Pass, text: str) -> str:
    """Returns the path by which findings name a text: of the file that it replaces, or a new one of a whole program."""
    program = shader_pass.program
    is_built_in = shader_pass.from_operator
    if is_built_in and _is_whole(text) and not _is_whole(program.files[0].text):
        return f"{shader_pass.name}.{'comp' if program.stage == 'compute' else 'frag'}"
    return program.files[0].path


def _of_file(plan: FilePlan, shader_pass: Pass, path: str, text: str) -> Plan:
    """Returns the plan of a pipeline file with the text in place of the pass's file, made as for the file itself."""
    file = shader_pass.program.files[0].path
    planned = with_shader_instead(plan, shader_pass.name, {file: text}, file_folder(plan.path))
    if planned is None:
        raise _refused(shader_pass, "samplers of the same kinds as the pipeline file's shader", "others")
    passes = (
        dataclasses.replace(each, program=_renamed(each.program, file, path)) if each.name == shader_pass.name else each
        for each in planned.passes
    )
    return dataclasses.replace(planned, passes=tuple(passes))


def _put_into_built_in(session: DebugSession, shader_pass: Pass, path: str, text: str) -> ShaderError | None:
    """Replaces the shader of a pass that is made for an operator; returns the error of one that does not compile."""
    program = session.program_source(shader_pass.name)
    first = program.files[0]
    if _is_whole(text) and not _is_whole(first.text):
        changed: ProgramSource | None = dataclasses.replace(
            program.with_fragment(numbered(text, first.number)), files=(SourceFile(first.number, path, text),)
        )
    else:
        changed = with_text(program, first, text)
    if changed is None:
        raise _refused(shader_pass, "a whole shader in GLSL, with its #version", "another text")
    try:
        session.replace_program(shader_pass.name, _renamed(changed, first.path, path))
    except ShaderError as error:
        return error
    return None


def _is_whole(text: str) -> bool:
    return version_of(text) is not None


def _renamed(program: ProgramSource, old: str, new: str) -> ProgramSource:
    files = tuple(dataclasses.replace(each, path=new) if each.path == old else each for each in program.files)
    return dataclasses.replace(program, files=files)


def _refused(shader_pass: Pass, expected: str, got: str) -> TexelscopeError:
    return TexelscopeError(f"shaders['{shader_pass.name}']", expected, got, "Name the shader in a pipeline file.")
