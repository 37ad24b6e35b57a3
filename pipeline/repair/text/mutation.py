"""A mutation is one change at one place of a shader's text; the variables in an expression are listed and replaced."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from texelscope.pipeline.glsl.semantics.expressions import (
    ArgumentList,
    Assignment,
    BinaryExpression,
    BooleanLiteral,
    ConditionalExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    NumberLiteral,
    Parenthesised,
    Subscript,
    UnaryExpression,
)
from texelscope.pipeline.glsl.semantics.questions import arguments, function_called
from texelscope.pipeline.glsl.semantics.statements import (
    DoWhileLoop,
    ForLoop,
    InitDeclarator,
    ReturnStatement,
    WhileLoop,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode

Kind = Literal["replaced", "swapped", "statement", "added", "put in", "barrier", "index", "moved", "left out", "copied"]
# The two numbers of a mutation in its template.
NUMBER = "TEXELSCOPE_NUMBER"
# The number that is solved for.
UNKNOWN = f"{NUMBER}.x"
# The argument of a read that is the texture's level: there is only one level.
_LEVELS = {"texelFetch": 2, "texelFetchOffset": 2, "textureLod": 2, "textureLodOffset": 2, "textureSize": 1}
# A mutation's text, its template, its numbers.
Numbered = tuple[str, str, tuple[float, float]]
# Variables; what a product takes without parentheses; what has its value assigned, or returned.
LEAVES = (Identifier, FieldAccess)
NAMED = (*LEAVES, FunctionCall, Subscript)
OPERANDS = (*NAMED, Parenthesised)
VALUES = (InitDeclarator, Assignment, ReturnStatement)
EXPRESSIONS = (*OPERANDS, BinaryExpression, UnaryExpression, ConditionalExpression, NumberLiteral, BooleanLiteral)
# Nodes around an expression that needs no parentheses there.
APART = (*VALUES, ArgumentList, Parenthesised, ForLoop, Subscript)
LOOPS = (ForLoop, WhileLoop, DoWhileLoop)


@dataclass(frozen=True)
class Mutation:
    """Replaces bytes `start` to `stop` of the text, an expression or a statement `old`, by `new`.

    `template` is `new` with its numbers as lanes of `NUMBER`, whose `values` they are: one text for many. If replacing
    a smaller part has the same effect, that is at the bytes `at`.
    """

    start: int
    stop: int
    old: str
    new: str
    kind: Kind
    template: str
    values: tuple[float, float] = (0.0, 0.0)
    at: tuple[int, int] | None = None

    @property
    def place(self) -> tuple[int, int]:
        """Returns where the template goes."""
        return (self.start, self.stop) if self.at is None else self.at

    def moved(self, by: int) -> Mutation:
        """Returns the same proposal so many bytes further on."""
        at = None if self.at is None else (self.at[0] + by, self.at[1] + by)
        return dataclasses.replace(self, start=self.start + by, stop=self.stop + by, at=at)


# Several places that are changed together, each with its node.
Places = tuple[tuple[SyntaxNode, Mutation], ...]


def swap(node: SyntaxNode, new: str) -> Mutation:
    """Returns the proposal to replace a node, with the text as written."""
    return Mutation(node.start_byte, node.end_byte, node.text, new, "swapped", new)


def rank_of(mutation: Mutation) -> int:
    """Returns the order of trials of an unknown number: other numbers, then factors, then summands."""
    if mutation.template == UNKNOWN:
        return 0
    return 1 if "* " + UNKNOWN in mutation.template else 2


def is_target(node: SyntaxNode) -> bool:
    """Whether it is assigned to, or part of a target."""
    inner = node
    for each in node.ancestors():
        if isinstance(each, Assignment):
            return each.left == inner
        if not isinstance(each, FieldAccess | Subscript | Parenthesised):
            return False
        inner = each
    return False


def is_level(node: SyntaxNode) -> bool:
    """Whether it is the level of a texture: other levels are empty."""
    call = node.parent.parent if node.parent is not None and isinstance(node.parent, ArgumentList) else None
    place = _LEVELS.get(function_called(call)) if call is not None and isinstance(node, NumberLiteral) else None
    return call is not None and place is not None and node in arguments(call)[place:]


def leaves_of(node: SyntaxNode) -> Iterator[SyntaxNode]:
    """Yields variables in an expression in text order, fields as wholes, without names of functions."""
    if isinstance(node, LEAVES):
        yield node
        return
    called = node.callee if isinstance(node, FunctionCall) else None
    for child in node.named_children:
        if child != called:
            yield from leaves_of(child)


def summands(node: SyntaxNode) -> list[SyntaxNode]:
    """Returns the operands of nested sums, in order; a node that is no sum is the only one."""
    if not isinstance(node, BinaryExpression) or node.operator != "+":
        return [node]
    return [*summands(node.left), *summands(node.right)]


def with_texts(node: SyntaxNode, texts: Mapping[SyntaxNode, str]) -> str:
    """Returns the text of a node with some nodes in it replaced, which must not overlap."""
    whole, start = node.text.encode(), node.start_byte
    for each in sorted(texts, key=lambda place: -place.start_byte):
        whole = whole[: each.start_byte - start] + texts[each].encode() + whole[each.end_byte - start :]
    return whole.decode()


def enclosed(node: SyntaxNode) -> str:
    """Returns the text of a part of an expression as an operand of anything."""
    is_loose = isinstance(node, BinaryExpression | ConditionalExpression | UnaryExpression | Assignment)
    return f"({node.text})" if is_loose else node.text


def around(node: SyntaxNode) -> str:
    """Returns the text of an operand, in parentheses if its operators would bind wrongly."""
    text = node.text
    return f"({text})" if isinstance(node, BinaryExpression | ConditionalExpression) else text
