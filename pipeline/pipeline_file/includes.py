"""Prepares a person's shader for GL: includes in place, defines after `#version`, the files' line numbers.

What else a text lacks, `pipeline.glsl.authored` adds. Source-string 0 is the shader's own file; included files and the
vertex shader follow (see `pipeline.glsl.lines`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.front_ends.languages import language_of
from texelscope.pipeline.front_ends.request import TranslationRequest
from texelscope.pipeline.front_ends.rows import rows_of
from texelscope.pipeline.glsl.assemble import literal
from texelscope.pipeline.glsl.authored.refused import AuthorTextError, check_suffix
from texelscope.pipeline.glsl.authored.sections import section_of
from texelscope.pipeline.glsl.authored.shadertoy import SuppliedUniform
from texelscope.pipeline.glsl.authored.taking import AuthorText, taken
from texelscope.pipeline.glsl.lines import GENERATED, line_directive, line_map
from texelscope.pipeline.glsl.old_words import Stage
from texelscope.pipeline.glsl.source_text import version_of, without_comments
from texelscope.pipeline.pipeline_file.folder import Folder
from texelscope.pipeline.plan import ProgramSource, Refusal, SourceFile, TranslatedText
from texelscope.pipeline.quotas import present

MAX_INCLUDE_DEPTH = 16
Define = str | int | float | bool

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"(?P<name>[^"\n]*)"[ \t]*$')
_ANY_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b")


@dataclass(frozen=True)
class SaidOfText:
    """What a pass says of its shader's text: the `version` of one without `#version`; of one of another language the
    function called `entry`, empty for its only entry point, and the textures, images and buffers that are `bound`.
    """

    version: str = ""
    entry: str = ""
    bound: Collection[str] = ()


@dataclass(frozen=True)
class AuthorProgram:
    """Holds a program, and what was recognised of its fragment (or compute) shader and of its vertex shader."""

    source: ProgramSource
    fragment: AuthorText | None = None
    vertex: AuthorText | None = None

    @property
    def texts(self) -> tuple[AuthorText, ...]:
        """The texts of its stages, as far as they could be read."""
        return tuple(each for each in (self.fragment, self.vertex) if each is not None)

    @property
    def supplied(self) -> tuple[SuppliedUniform, ...]:
        """The uniforms that its author's engine declares."""
        return tuple(each for text in self.texts for each in text.supplied)

    @property
    def is_vulkan(self) -> bool:
        """Whether a stage is written in Vulkan's GLSL."""
        return any(text.is_vulkan for text in self.texts)


def program_source(
    folder: Folder, fragment: str, vertex: str | None, defines: Mapping[str, Define], stage: Stage = "fragment"
) -> ProgramSource:
    """Returns the program of `author_program` alone."""
    return author_program(folder, fragment, vertex, defines, stage).source


def author_program(
    folder: Folder,
    fragment: str,
    vertex: str | None,
    defines: Mapping[str, Define],
    stage: Stage = "fragment",
    said: SaidOfText | None = None,
) -> AuthorProgram:
    """Returns the program of a fragment (or compute) shader and, where there is one, a vertex shader.

    Both are paths in the folder, and may be the same one of Godot's. A text of another language is translated.

    Raises TexelscopeError for a file that is missing, outside the folder or no text of its stage, and for an
    `#include` that cannot be followed. A file that is too large, an included one too, makes a program that is refused,
    so that one pass fails and the others go on.
    """
    files: list[SourceFile] = []
    said = said or SaidOfText()
    version = said.version
    first = _translated(_Expansion(folder, files).expand(fragment, stage), files, defines, said)
    if vertex is None:
        own = _taken(first, files, defines, version=version)
        source = ProgramSource(_text_of(own), tuple(files), refused=first.refused, translated=first.translated)
        return AuthorProgram(source, own)
    second = _translated(_Expansion(folder, files).expand(vertex, "vertex"), files, defines)
    own = _taken(first, files, defines, second.text, version)
    other = _taken(second, files, defines, first.text, version)
    refused = second.refused or first.refused
    source = ProgramSource(_text_of(own), tuple(files), _text_of(other), refused, translated=first.translated)
    return AuthorProgram(source, own, other)


def with_includes(folder: Folder, files: list[SourceFile], text: str, first_line: int) -> str:
    """Returns part of a text, which begins on a line of the first of `files`, with its includes in place.

    Files that it includes are added to `files`; their paths are relative to the first one's folder. Raises
    TexelscopeError for an `#include` that cannot be followed, and for files that are too large together.
    """
    own = files[0]
    try:
        return _Expansion(folder, files).part(own, text, first_line)
    except _TooLargeError as error:
        raise TexelscopeError(
            f"'{error.refusal.file}'", "a shader of a size that a driver takes", error.refusal.reason, "Split it."
        ) from error


@dataclass(frozen=True)
class _Expanded:
    """A stage's text with its includes in place; empty where it was `refused`. It may be `translated`."""

    path: str
    stage: Stage
    text: str
    refused: Refusal | None = None
    translated: TranslatedText | None = None


def _text_of(text: AuthorText | None) -> str:
    return "" if text is None else text.text


def _translated(
    own: _Expanded,
    files: list[SourceFile],
    defines: Mapping[str, Define],
    said: SaidOfText | None = None,
) -> _Expanded:
    """Returns a text of another language as GLSL. Raises TexelscopeError with the author's line."""
    language = language_of(own.path)
    if language is None or own.refused is not None:
        return own
    said = said or SaidOfText()
    given = {name: _as_text(value) for name, value in defines.items() if value is not False}
    try:
        text = language.translated(TranslationRequest(own.text, own.stage, said.entry, given, said.bound))
    except AuthorTextError as error:
        raise _at_the_line(error, own, files) from error
    plain = "\n".join(row.text for row in rows_of(own.text))
    origin = TranslatedText(language.name, plain, said.entry, tuple(given.items()))
    return replace(own, text=text, translated=origin)


def _taken(
    own: _Expanded, files: list[SourceFile], defines: Mapping[str, Define], beside: str = "", version: str = ""
) -> AuthorText | None:
    """Returns the text for the driver; None where it was refused. Raises TexelscopeError with the author's line."""
    if own.refused is not None:
        return None
    # A translated text has its macros in place.
    lines = [] if own.translated is not None else define_lines(defines)
    try:
        return taken(own.text, own.stage, defines=lines, beside=beside, version=version)
    except AuthorTextError as error:
        raise _at_the_line(error, own, files) from error


def _at_the_line(error: AuthorTextError, own: _Expanded, files: list[SourceFile]) -> TexelscopeError:
    path, line = line_map(ProgramSource(own.text, tuple(files)))[error.row]
    path = own.path if path == GENERATED else path
    who = f"'{path}' line {line}" if error.row else f"'{path}'"
    return TexelscopeError(who, error.expected, error.got, error.do_next)


def define_lines(defines: Mapping[str, Define]) -> list[str]:
    """Returns a `#define` for each; true defines a name as 1, false leaves it undefined."""
    lines = []
    for name, value in defines.items():
        if value is not False:
            lines.append(f"#define {name} {_as_text(value)}".rstrip())
    return lines


def _as_text(value: Define) -> str:
    return value if isinstance(value, str) else "1" if value is True else literal(value)


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

    def expand(self, name: str, stage: Stage) -> _Expanded:
        """Returns the text of a shader; empty, with the reason, where it is too large."""
        try:
            return self._expanded(name, stage)
        except _TooLargeError as error:
            return _Expanded(name, stage, "", error.refusal)

    def _expanded(self, name: str, stage: Stage) -> _Expanded:
        path = self.folder.file(name)
        relative = self.folder.relative(path)
        check_suffix(relative, stage)
        number, text = self._read(relative, path)
        try:
            text = section_of(text, stage)
        except AuthorTextError as error:
            who = f"'{relative}' line {error.row + 1}"
            raise TexelscopeError(who, error.expected, error.got, error.do_next) from error
        version, head = version_of(text), 0
        if version is not None:
            self._shift = version.line_offset
            head = text.count("\n", 0, version.start) + 1
        first = text.rstrip("\n").split("\n")[:head]
        body = self._lines(relative, number, text, head)
        return _Expanded(relative, stage, "\n".join([*first, self._line(number, head + 1), *body]) + "\n")

    def part(self, file: SourceFile, text: str, first_line: int) -> str:
        """Returns lines of a file that begin on `first_line`, with their includes in place."""
        padded = "\n" * (first_line - 1) + text
        return "\n".join(self._lines(file.path, file.number, padded, first_line - 1))

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
