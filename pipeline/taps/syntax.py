"""Syntax trees of GLSL, and insertions into the text that they are of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import tree_sitter

_CONSTRUCTOR = re.compile(rb"\b(int|uint|float|double|bool)(\s*\()")


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
