"""An address expression, with the sizes and variables from which its replacements are made."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from texelscope.pipeline.glsl.semantics.expressions import (
    ArgumentList,
    Assignment,
    BinaryExpression,
    ConditionalExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    NumberLiteral,
    Parenthesised,
    Subscript,
    UnaryExpression,
)
from texelscope.pipeline.glsl.semantics.questions import sides_of
from texelscope.pipeline.glsl.semantics.scope import NameScope
from texelscope.pipeline.glsl.semantics.statements import InitDeclarator, ReturnStatement
from texelscope.pipeline.glsl.semantics.tree import Comment, SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, lanes_of, scalar_of
from texelscope.pipeline.repair.indices.addresses import Addresses
from texelscope.pipeline.repair.indices.named_sizes import is_size, sizes_at
from texelscope.pipeline.repair.words.mutation import NUMBER, Kind, Mutation

# Nodes around an expression that needs no parentheses.
APART = (ArgumentList, InitDeclarator, Assignment, ReturnStatement, Parenthesised, Subscript)  # fmt: skip
# Nodes around a whole index.
_WHOLE = tuple(kind for kind in APART if kind is not Parenthesised)
_LOOSE = (BinaryExpression, ConditionalExpression, UnaryExpression, Assignment)
OPERANDS = (Identifier, FieldAccess, Parenthesised, FunctionCall, Subscript)  # fmt: skip


@dataclass(frozen=True)
class Index:
    """An index expression; `steps` are its possible strides: expected numbers, small ones, sizes of tensors.

    Without `has_remainders` the language has no operator for remainders.
    """

    node: SyntaxNode
    types: Types
    scope: NameScope
    addresses: Addresses
    steps: tuple[int, ...]
    has_remainders: bool = True

    @cached_property
    def text(self) -> str:
        return self.node.text

    @property
    def summand(self) -> str:
        """Returns its text with room for another summand."""
        return f"({self.text})" if isinstance(self.node, ConditionalExpression | Assignment) else self.text

    @cached_property
    def kind(self) -> str:
        return self.types.of(self.node)

    @property
    def scalar(self) -> str:
        return scalar_of(self.kind)

    @property
    def lanes(self) -> int:
        return lanes_of(self.kind)

    @property
    def is_whole(self) -> bool:
        """Whether it is used as it is."""
        parent = self.node.parent
        return isinstance(parent, _WHOLE) and sides_of(parent)[0] is not self.node

    @property
    def one(self) -> str:
        """Returns the mutation's number in a template, of its scalar type."""
        return f"{NUMBER}.x" if self.scalar == "float" else f"{self.scalar}({NUMBER}.x)"

    def shown(self, number: float) -> str:
        """Writes a number as people do beside the index."""
        if self.scalar == "float":
            return f"{number:g}" if set(f"{number:g}") & set(".en") else f"{number:g}.0"
        return f"{number:g}" + "u" * (self.scalar == "uint")

    def sizes(self, most: int, kind: str = "") -> list[str]:
        """Returns the nearest names of sizes of its type, or of another one."""
        kind = kind or self.kind
        if kind == "int":
            return [each for each in sizes_at(self.node, self.types, self.scope) if each != self.text][:most]
        every = self.scope.every_of_type(self.node, kind)
        return [each for each in every if is_size(each, self.types) and each != self.text][:most]

    def variables(self, most: int, kind: str = "") -> list[str]:
        """Returns the nearest variables of its type that are addresses."""
        kind = kind or self.kind
        every = (self.scope.of_type if scalar_of(kind) == "float" else self.scope.of_places)(self.node, kind)
        names = [each for each in every if not is_size(each, self.types)]
        if scalar_of(kind) == "float":
            names = [each for each in names if self.addresses.is_name(self.node, each)]
        return [each for each in names if each != self.text][:most]

    def is_fixed(self, node: SyntaxNode) -> bool:
        """Whether a part of it consists of sizes and numbers."""
        if isinstance(node, NumberLiteral) or is_size(node.text, self.types):
            return True
        inner = [each for each in node.named_children if not isinstance(each, Comment)]
        if isinstance(node, FunctionCall):
            inner = list(node.arguments) if scalar_of(node.name.lower()) != "" else []
        elif not isinstance(node, BinaryExpression | Parenthesised | UnaryExpression):
            inner = []
        return bool(inner) and all(self.is_fixed(each) for each in inner)

    def as_index(self, new: str, template: str = "", number: float = 0.0) -> Mutation:
        """Returns a replacement, one of few; `template` has its number."""
        return self._said("index", new, template, number)

    def as_moved(self, new: str, template: str = "", number: float = 0.0) -> Mutation:
        """Returns a replacement, one of many."""
        return self._said("moved", new, template, number)

    def _said(self, kind: Kind, new: str, template: str, number: float) -> Mutation:
        parent = self.node.parent
        shown = new if parent is None or isinstance(parent, APART) or not _is_loose(new) else f"({new})"
        return Mutation(
            self.node.start_byte, self.node.end_byte, self.text, shown, kind, f"({template or new})", (number, number)
        )


def enclosed(node: SyntaxNode) -> str:
    """Returns a part of an expression as an operand of anything."""
    return f"({node.text})" if isinstance(node, _LOOSE) else node.text


def _is_loose(text: str) -> bool:
    """Whether a text has an operator outside all parentheses."""
    depth = 0
    for letter in text:
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(letter, 0)
        if depth == 0 and letter in "+-*/%?":
            return True
    return False
