"""Syntax trees of GLSL, the lines that an author knows, and insertions into the text that they are of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

import tree_sitter
import tree_sitter_glsl

from pipeline.glsl.assemble import LINES_PER_FILE
from pipeline.plan import ProgramSource

# File and 1-based line where the author finds it.
Line = tuple[str, int]

READS = frozenset(
    {
        "texture", "textureLod", "textureGrad", "textureOffset", "textureLodOffset", "texelFetch", "texelFetchOffset",
    }
)  # fmt: skip

# Reads that have no wrapper: said by name, never passed over.
OTHER_READS = frozenset(
    {
        "texture2D", "texture2DLod", "texture2DProj", "textureProj", "textureProjOffset", "textureProjLod",
        "textureProjGrad", "textureGradOffset", "textureGather", "textureGatherOffset", "imageLoad",
    }
)  # fmt: skip

# How text that no author wrote is called where a file is named.
GENERATED = "generated"

_CONSTRUCTOR = re.compile(rb"\b(int|uint|float|double|bool)(\s*\()")


@cache
def _parser() -> tree_sitter.Parser:
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_glsl.language()))


def parse(source: bytes) -> tree_sitter.Node:
    """The syntax tree of GLSL text; what does not parse is an ERROR node in it."""
    return _parser().parse(source).root_node


def constructors_as_calls(source: bytes) -> bytes:
    """Text as long as `source`, for the parser alone, in which `int(x)` is a call of a function.

    Otherwise it takes `(int(x) * y)` for a cast, as in C, and calls within for declarations.
    """
    return _CONSTRUCTOR.sub(lambda match: match[1].upper() + match[2], source)


@dataclass
class Edits:
    """Insertions by byte offset; those at one offset keep their order."""

    at: dict[int, list[str]] = field(default_factory=dict)

    def insert(self, offset: int, text: str) -> None:
        self.at.setdefault(offset, []).append(text)

    def apply(self, source: bytes) -> str:
        parts, last = [], 0
        for offset in sorted(self.at):
            parts.append(source[last:offset].decode())
            parts.extend(self.at[offset])
            last = offset
        return "".join([*parts, source[last:].decode()])


def walk(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The node and all below it, in the order of the text."""
    yield node
    for child in node.children:
        yield from walk(child)


def line_map(program: ProgramSource) -> list[Line]:
    """For each line of the fragment shader, the file and 1-based line that its author knows it by.

    Follows `#line` directives; before the first, text belongs to the first file if there is just the one
    that is the program, else it is generated.
    """
    files: Mapping[int, str] = {file.number: file.path for file in program.files}
    whole = len(program.files) == 1 and program.files[0].text == program.fragment
    file = program.files[0].path if whole else GENERATED
    number = 1
    result = []
    for text in program.fragment.split("\n"):
        result.append((file, number))
        words = text.split()
        if words[:1] == ["#line"] and len(words) >= 2 and words[1].isdigit():
            number = int(words[1]) % LINES_PER_FILE
            if len(words) > 2 and words[2].isdigit():
                file = files.get(int(words[2]), GENERATED)
        else:
            number += 1
    return result
