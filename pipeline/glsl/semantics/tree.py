"""Syntax trees: what all nodes of a shader's tree have in common, and nodes that are no construct of GLSL.

A node knows its bytes in the parsed text, its children, and through its tree what it stands in. Nodes are compared by
identity: two that read alike are two nodes. What the grammar takes for C and GLSL does not have is `OtherNode`; text
that does not parse is `ErrorNode`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar, dataclass_transform, overload

from texelscope.pipeline.glsl.lines import Line

N = TypeVar("N", bound="SyntaxNode")
M = TypeVar("M", bound="SyntaxNode")


class SyntaxTree:
    """The nodes of one parsed text in the order of the text, and what each stands in."""

    def __init__(self, source: bytes, parents: Sequence[int], lines: Sequence[Line] = ()) -> None:
        """`parents` has the number of each node's parent, -1 of the root; `lines` the author's line of each row."""
        self.source, self.lines = source, lines
        self.nodes: list[SyntaxNode] = []
        self.missing: set[int] = set()
        self.broken: set[int] = set()
        self._parents = parents
        self._row_starts: list[int] = []

    def parent_of(self, node: SyntaxNode) -> SyntaxNode | None:
        """What a node stands in; None of the root."""
        number = self._parents[node.number]
        return self.nodes[number] if number >= 0 else None

    def row_of(self, byte: int) -> int:
        """Returns the row of a byte, from 0 on."""
        if not self._row_starts:
            start = -1
            self._row_starts.append(0)
            while (start := self.source.find(b"\n", start + 1)) >= 0:
                self._row_starts.append(start + 1)
        return bisect_right(self._row_starts, byte) - 1

    def descendant(self, start: int, stop: int) -> SyntaxNode:
        """The innermost node around some bytes; the root where there is no other."""
        found = self.nodes[0]
        while (inner := self._child_around(found, start, stop)) is not None:
            found = inner
        return found

    @staticmethod
    def _child_around(node: SyntaxNode, start: int, stop: int) -> SyntaxNode | None:
        for child in node.children:
            if child.end_byte < stop or (child.end_byte <= start and child.end_byte > child.start_byte):
                continue
            return child if child.start_byte <= start else None
        return None


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class SyntaxNode:
    """A part of the text: bytes `start_byte` to `end_byte`, and its `children`, words and signs among them.

    It is the node `number` of its tree, and those in it come before the node `behind`.
    """

    tree: SyntaxTree
    number: int
    behind: int
    start_byte: int
    end_byte: int
    children: tuple[SyntaxNode, ...]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.text!r}>"

    @property
    def text(self) -> str:
        """The text as it was parsed."""
        return self.tree.source[self.start_byte : self.end_byte].decode()

    @property
    def row(self) -> int:
        """The row of the parsed text where the node starts, from 0 on."""
        return self.tree.row_of(self.start_byte)

    @property
    def end_row(self) -> int:
        """The row where the node ends."""
        return self.tree.row_of(self.end_byte)

    @property
    def place(self) -> Line:
        """File and line of the node's start, as the author knows them; for a tree that was parsed with lines."""
        return self.tree.lines[self.row]

    @property
    def parent(self) -> SyntaxNode | None:
        """What the node stands in."""
        return self.tree.parent_of(self)

    @property
    def named_children(self) -> tuple[SyntaxNode, ...]:
        """The children without words and signs."""
        return tuple(each for each in self.children if not isinstance(each, Token))

    @property
    def is_missing(self) -> bool:
        """Whether the parser put the node in because the text lacks it."""
        return self.number in self.tree.missing

    @property
    def has_error(self) -> bool:
        """Whether something within does not parse."""
        return self.number in self.tree.broken

    @property
    def operator(self) -> str:
        """The operator of an expression that has one; empty of any other node."""
        return ""

    def walk(self) -> Iterator[SyntaxNode]:
        """Yields the node and all below it, in the order of the text."""
        return iter(self.tree.nodes[self.number : self.behind])

    @overload
    def of_type(self, kind: type[N], /) -> Iterator[N]: ...
    @overload
    def of_type(self, kind: type[N], other: type[M], /) -> Iterator[N | M]: ...
    @overload
    def of_type(self, *kinds: type[SyntaxNode]) -> Iterator[SyntaxNode]: ...
    def of_type(self, *kinds: type[SyntaxNode]) -> Iterator[SyntaxNode]:
        """Yields those of some classes among the node and all below it, in the order of the text."""
        return (each for each in self.walk() if isinstance(each, kinds))

    def ancestors(self) -> Iterator[SyntaxNode]:
        """What the node stands in, from the inside out."""
        current = self.parent
        while current is not None:
            yield current
            current = current.parent

    def enclosing(self, *kinds: type[N]) -> N | None:
        """The innermost node of one of some classes that this one stands in."""
        return next((each for each in self.ancestors() if isinstance(each, kinds)), None)

    @property
    def words(self) -> tuple[str, ...]:
        """The texts of the children."""
        return tuple(each.text for each in self.children)

    def has_word(self, word: str) -> bool:
        """Whether a word stands among the children, as a qualifier does in a declaration."""
        return any(each.text == word for each in self.children)

    @property
    def next_sibling(self) -> SyntaxNode | None:
        """The node behind this one in the same parent."""
        return next(iter(self._siblings_behind()), None)

    @property
    def next_named_sibling(self) -> SyntaxNode | None:
        """The node behind this one in the same parent that is no word or sign."""
        return next((each for each in self._siblings_behind() if not isinstance(each, Token)), None)

    def _siblings_behind(self) -> Sequence[SyntaxNode]:
        parent = self.parent
        if parent is None:
            return ()
        return [each for each in parent.children if each.number > self.number and not each.is_missing]


@dataclass_transform(frozen_default=True, eq_default=False)
def syntax_node(construct: type[N]) -> type[N]:
    """Makes a class of nodes: frozen, compared by identity."""
    return dataclass(frozen=True, eq=False, slots=True, repr=False)(construct)


@syntax_node
class Token(SyntaxNode):
    """A keyword, an operator, a bracket: `kind` is what the grammar expects, which the text may lack."""

    kind: str


@syntax_node
class Comment(SyntaxNode):
    """Represents a comment."""


@syntax_node
class ErrorNode(SyntaxNode):
    """Text that does not parse."""


@syntax_node
class OtherNode(SyntaxNode):
    """A construct of C that GLSL lacks, by the grammar's name; `parts` are children by the grammar's names for them."""

    kind: str
    parts: tuple[tuple[str, SyntaxNode], ...]

    def part(self, name: str) -> SyntaxNode | None:
        """Returns the child of that name."""
        return next((each for known, each in self.parts if known == name), None)
