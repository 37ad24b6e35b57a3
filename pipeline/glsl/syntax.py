"""Syntax trees of GLSL: parsed, walked, asked for functions; what loops and assignments are; and insertions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

import tree_sitter
import tree_sitter_glsl

from pipeline.glsl.lines import Line

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

_CONSTRUCTOR = re.compile(rb"\b(int|uint|float|double|bool)(\s*\()")


@dataclass(frozen=True)
class Loop:
    """A for loop: where its head is, and the text of its condition."""

    line: Line
    condition: str
    variable: str
    depth: int


@dataclass(frozen=True)
class Statement:
    """An assignment: the variable it changes, its operator (`=`, `+=` …), its text."""

    line: Line
    variable: str
    operator: str
    text: str
    depth: int
    value: tree_sitter.Node | None = None


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
    """Insertions by byte offset; those at one offset by their rank, and those of one rank keep their order."""

    at: dict[int, list[tuple[tuple[int, ...], str]]] = field(default_factory=dict)

    def insert(self, offset: int, text: str, rank: tuple[int, ...] = (0,)) -> None:
        self.at.setdefault(offset, []).append((rank, text))

    def apply(self, source: bytes) -> str:
        parts, last = [], 0
        for offset in sorted(self.at):
            parts.append(source[last:offset].decode())
            parts.extend(text for _, text in sorted(self.at[offset], key=lambda each: each[0]))
            last = offset
        return "".join([*parts, source[last:].decode()])


def walk(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The node and all below it, in the order of the text, however deep."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(reversed(current.children))


def parents(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """What the node is in, from the inside out."""
    current = node.parent
    while current is not None:
        yield current
        current = current.parent


def text_of(node: tree_sitter.Node) -> str:
    """The node's text, as it was parsed."""
    return (node.text or b"").decode()


def function_around(node: tree_sitter.Node) -> tree_sitter.Node | None:
    """The definition of the function that the node is in; None outside all."""
    return next((each for each in parents(node) if each.type == "function_definition"), None)


def function_name(node: tree_sitter.Node | None) -> str:
    """The name in a function's definition, or in its declarator; empty where there is none."""
    if node is not None and node.type != "function_declarator":
        node = node.child_by_field_name("declarator")
    name = node.child_by_field_name("declarator") if node is not None else None
    return text_of(name) if name is not None else ""


def declared_name(node: tree_sitter.Node) -> str:
    """The name in a parameter's declaration; empty where it has none."""
    name = node.child_by_field_name("declarator")
    while name is not None and name.type == "array_declarator":
        name = name.child_by_field_name("declarator")
    return text_of(name) if name is not None else ""


def function_called(call: tree_sitter.Node) -> str:
    """The name of the function that a call calls; empty where it has none."""
    function = call.child_by_field_name("function")
    return text_of(function) if function is not None else ""
