"""Writes and follows `#line`, so that a line of a shader has the file and number that its author sees.

Source-string 0 is generated text or the author's main file, 1 and up are further files of `ProgramSource.files`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from texelscope.pipeline.glsl.source_text import head_length, version_of, without_comments
from texelscope.pipeline.plan import ProgramSource, SourceFile

# File and 1-based line in the author's file.
Line = tuple[str, int]

# The name of generated text in place of a file.
GENERATED = "generated"

# Lines of file k are numbered from k times this number on.
LINES_PER_FILE = 100_000

_DIRECTIVE = re.compile(r"[ \t]*#[ \t]*line[ \t]+(?P<line>[0-9]{1,99})(?:[ \t]+(?P<file>[0-9]{1,99}))?")


def line_directive(file_number: int, line: int) -> str:
    """Returns `#line` for a file's line; its number includes the file, as Mesa omits the source-string in errors."""
    return f"#line {file_number * LINES_PER_FILE + line} {file_number}"


def line_told(program: ProgramSource, number: int, source_string: int) -> Line:
    """Returns the line that a driver calls `number`, of that source-string."""
    return _line(_paths(program.files), number, source_string)


def line_map(program: ProgramSource, *, of_vertex: bool = False) -> list[Line]:
    """Maps each line of the fragment shader (or the vertex shader) to the author's file and line.

    Follows `#line` directives; before the first, text belongs to the program's first file if it has only
    one, else it is generated.
    """
    source = (program.vertex or "") if of_vertex else program.fragment
    paths = _paths(program.files)
    version = version_of(source)
    offset = version.line_offset if version is not None else 0
    whole = len(program.files) == 1 and program.files[0].text == source
    file, number = program.files[0].path if whole else GENERATED, 1
    result = []
    for text in without_comments(source).split("\n"):
        result.append((file, number))
        match = _DIRECTIVE.match(text)
        if match is None:
            number += 1
        else:
            named, number = _line(paths, int(match["line"]), int(match["file"] or 0))
            number += offset
            file = file if match["file"] is None else named
    return result


def pieces(text: str) -> list[tuple[int, str]]:
    """Yields source-string and text before the first `#line` (0 there) and after each."""
    found: list[tuple[int, list[str]]] = [(0, [])]
    for line, bare in zip(text.split("\n"), without_comments(text).split("\n"), strict=True):
        match = _DIRECTIVE.match(bare)
        if match is not None:
            found.append((int(match["file"] or found[-1][0]), []))
        else:
            found[-1][1].append(f"{line}\n")
    return [(number, "".join(lines)) for number, lines in found]


def numbered(text: str, file_number: int) -> str:
    """Adds a `#line` with the file's number after the whole shader's `#version`, and changes nothing else."""
    version = version_of(text)
    assert version is not None
    end = text.find("\n", version.stop)
    head, rest = (f"{text}\n", "") if end < 0 else (text[: end + 1], text[end + 1 :])
    return f"{head}{line_directive(file_number, head.count(chr(10)) + 1 - version.line_offset)}\n{rest}"


def without_directives(text: str) -> str:
    """Returns `text` without its `#line`s: a shader as a single file."""
    return "".join(piece for _, piece in pieces(text)).rstrip("\n") + "\n"


def behind_head(text: str, *parts: str) -> str:
    """Returns `text` with `parts` after its last `#version` or `#extension`; later lines keep their numbers."""
    lines, head = text.split("\n"), head_length(text)
    return "\n".join([*lines[:head], *parts, directive_at(text, head), *lines[head:]])


def directive_at(text: str, row: int) -> str:
    """Returns the `#line` that gives the 0-based row of a text the number that it has there."""
    version = version_of(text)
    offset = version.line_offset if version is not None else 0
    line, file = row + 1 - offset, 0
    for at, each in enumerate(without_comments(text).split("\n")[:row]):
        match = _DIRECTIVE.match(each)
        if match is not None:
            line, file = int(match["line"]) + row - at - 1, int(match["file"] or file)
    return f"#line {line} {file}"


def _paths(files: tuple[SourceFile, ...]) -> Mapping[int, str]:
    return {file.number: file.path for file in files}


def _line(paths: Mapping[int, str], number: int, source_string: int) -> Line:
    high, line = divmod(number, LINES_PER_FILE)
    return paths.get(high or source_string, GENERATED), line
