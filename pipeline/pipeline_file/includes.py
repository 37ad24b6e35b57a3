"""Prepares a person's shader for GL: includes in place, defines after `#version`, the files' line numbers.

Nothing else is changed, but that a text of WebGL 1 without `#version` gets the one that browsers take it as, and that
Godot's `#[compute]` is left out. Source-string 0 is
the shader's own file; included files and the vertex shader follow (see `pipeline.glsl.lines`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.glsl.assemble import literal
from texelscope.pipeline.glsl.lines import line_directive
from texelscope.pipeline.glsl.source_text import version_of, without_comments
from texelscope.pipeline.pipeline_file.folder import Folder
from texelscope.pipeline.plan import ProgramSource, Refusal, SourceFile
from texelscope.pipeline.quotas import present

MAX_INCLUDE_DEPTH = 16
Define = str | int | float | bool

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"(?P<name>[^"\n]*)"[ \t]*$')
# The version of a text of WebGL 1, words that only old versions have, and words that GLSL ES 1.00 has not.
_WEBGL_1 = "#version 100"
_OLD_WORDS = re.compile(r"\b(?:gl_FragColor|gl_FragData|texture2D|varying|attribute)\b")
_NEW_WORDS = re.compile(r"\b(?:texelFetch|textureSize|textureLod|layout|uint|uvec[234])\b|\btexture[ \t]*\(")
# The line by which Godot's shaders say their stage.
_STAGE = re.compile(r"^#\[compute\][ \t]*$", re.MULTILINE)
_ANY_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b")


def program_source(folder: Folder, fragment: str, vertex: str | None, defines: Mapping[str, Define]) -> ProgramSource:
    """Returns the program of a fragment shader and, where there is one, a vertex shader, both paths in the folder.

    Raises TexelscopeError for a file that is missing, outside the folder or without `#version`, and for an
    `#include` that cannot be followed. A file that is too large, an included one too, makes a program that is
    refused, so that one pass fails and the others go on.
    """
    files: list[SourceFile] = []
    text, refused = _Expansion(folder, files).expand(fragment, defines)
    if vertex is None:
        return ProgramSource(text, tuple(files), refused=refused)
    vertex_text, vertex_refused = _Expansion(folder, files).expand(vertex, defines)
    return ProgramSource(text, tuple(files), vertex_text, vertex_refused or refused)


def _is_of_webgl_1(text: str) -> bool:
    """Whether the words of a text without `#version` are those of WebGL 1, which browsers take as GLSL ES 1.00."""
    bare = without_comments(text)
    return _OLD_WORDS.search(bare) is not None and _NEW_WORDS.search(bare) is None


def define_lines(defines: Mapping[str, Define]) -> list[str]:
    """Returns a `#define` for each; true defines a name as 1, false leaves it undefined."""
    lines = []
    for name, value in defines.items():
        if value is not False:
            text = value if isinstance(value, str) else "1" if value is True else literal(value)
            lines.append(f"#define {name} {text}".rstrip())
    return lines


class _TooLargeError(Exception):
    """A file makes a shader larger than it may be."""

    def __init__(self, path: str, got: str) -> None:
        super().__init__(path, got)
        self.refusal = Refusal(path, f"{got}, more than {present().shader_bytes}")


@dataclass
class _Expansion:
    """Puts included files in place; `files` collects them all, numbered in order."""

    folder: Folder
    files: list[SourceFile]
    # Files found so far by folder and name, and their sizes in bytes by path: a file may be included many times.
    _found: dict[tuple[str, str], tuple[str, Path]] = field(default_factory=dict)
    _sizes: dict[str, int] = field(default_factory=dict)
    _stack: list[str] = field(default_factory=list)
    _shift: int = 0
    _length: int = 0

    def expand(self, name: str, defines: Mapping[str, Define]) -> tuple[str, Refusal | None]:
        """Returns the text of a shader; empty, with the reason, where it is too large."""
        try:
            return self._expanded(name, defines), None
        except _TooLargeError as error:
            return "", error.refusal

    def _expanded(self, name: str, defines: Mapping[str, Define]) -> str:
        path = self.folder.file(name)
        relative = self.folder.relative(path)
        number, text = self._read(relative, path)
        text = _STAGE.sub("", text)
        version = version_of(text)
        lines = text.rstrip("\n").split("\n")
        if version is None and _is_of_webgl_1(text):
            head, first = 0, [_WEBGL_1]
        elif version is None or without_comments(text)[: version.start].strip():
            raise TexelscopeError(
                f"'{relative}'", "#version on its first line", "none there", "For example #version 300 es."
            )
        else:
            self._shift = version.line_offset
            head = text.count("\n", 0, version.start) + 1
            first = lines[:head]
        body = self._lines(relative, number, text, head)
        return "\n".join([*first, *define_lines(defines), self._line(number, head + 1), *body]) + "\n"

    def _lines(self, relative: str, number: int, text: str, skip: int) -> list[str]:
        """Returns the lines of a file without the first `skip`, with their includes in place."""
        self._stack.append(relative)
        expanded = []
        lines = zip(text.rstrip("\n").split("\n"), without_comments(text).split("\n"), strict=False)
        for line_number, (line, bare) in enumerate(list(lines)[skip:], skip + 1):
            match = _INCLUDE.match(bare)
            if match is not None:
                expanded += self._included(relative, match["name"], line_number)
                expanded.append(self._line(number, line_number + 1))
            elif _ANY_INCLUDE.match(bare):
                raise TexelscopeError(
                    f"'{relative}' line {line_number}", '#include "file"', line.strip(), "Use double quotes."
                )
            else:
                expanded.append(line)
        self._stack.pop()
        return expanded

    def _included(self, relative: str, name: str, line: int) -> list[str]:
        who = f"'{relative}' line {line}"
        try:
            included, path = self._place(name, relative.rpartition("/")[0])
            number, text = self._read(included, path)
        except TexelscopeError as error:
            raise TexelscopeError(
                who, f"an #include of {error.expected}", f"{error.who}, {error.got}", error.do_next
            ) from error
        if included in self._stack or len(self._stack) >= MAX_INCLUDE_DEPTH:
            chain = " → ".join([*self._stack, included])
            raise TexelscopeError(who, "an #include that ends", chain, "Break the circle.")
        if version_of(text) is not None:
            raise TexelscopeError(
                who, "an included file without #version", f"'{included}' with one", "Remove it there."
            )
        return [self._line(number, 1), *self._lines(included, number, text, 0)]

    def _place(self, name: str, base: str) -> tuple[str, Path]:
        """Returns the path of an included file in the folder, and its absolute path."""
        if (name, base) not in self._found:
            path = self.folder.file(name, base=base)
            self._found[name, base] = self.folder.relative(path), path
        return self._found[name, base]

    def _read(self, relative: str, path: Path) -> tuple[int, str]:
        """Returns the file's number and text; each inclusion counts towards the shader's size limit."""
        number = next((file.number for file in self.files if file.path == relative), len(self.files))
        most = present().shader_bytes
        if relative not in self._sizes:
            self._sizes[relative] = path.stat().st_size
        size_bytes = self._sizes[relative]
        self._length += size_bytes
        if number == len(self.files):
            text = self.folder.text(path) if size_bytes <= most else ""
            self.files.append(SourceFile(number, relative, text))
        if size_bytes > most:
            raise _TooLargeError(relative, f"{size_bytes} bytes of source")
        if self._length > most:
            whole = f"{self._length} bytes of source with what it includes"
            raise _TooLargeError((*self._stack, relative)[0], whole)
        return number, self.files[number].text

    def _line(self, number: int, line: int) -> str:
        return line_directive(number, line - self._shift)
