"""Finds the addresses of a shader, indices, coordinates and what these are made of, and what may replace one."""

from __future__ import annotations

import re
from collections.abc import Iterable
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
from texelscope.pipeline.glsl.semantics.questions import (
    OTHER_READS,
    READS,
    arguments,
    declared_name,
    function_called,
    is_decided_by,
    name_around,
    sides_of,
    target_of,
)
from texelscope.pipeline.glsl.semantics.scope import NameScope
from texelscope.pipeline.glsl.semantics.statements import (
    CompoundStatement,
    FunctionDefinition,
    InitDeclarator,
    ParameterMacro,
    ReturnStatement,
    TranslationUnit,
)
from texelscope.pipeline.glsl.semantics.tree import Comment, SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, lanes_of, scalar_of
from texelscope.pipeline.repair.indices.named_sizes import is_size, sizes_at
from texelscope.pipeline.repair.text.mutation import NUMBER, Kind, Mutation

# Nodes around an expression that needs no parentheses.
APART = (ArgumentList, InitDeclarator, Assignment, ReturnStatement, Parenthesised, Subscript)  # fmt: skip
# Nodes around a whole index.
_WHOLE = tuple(kind for kind in APART if kind is not Parenthesised)
_LOOSE = (BinaryExpression, ConditionalExpression, UnaryExpression, Assignment)
OPERANDS = (Identifier, FieldAccess, Parenthesised, FunctionCall, Subscript)  # fmt: skip
_GIVEN = (InitDeclarator, Assignment)
_ENDS = (CompoundStatement, FunctionDefinition, TranslationUnit)
_BASE = re.compile(r"\w+")


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


class Addresses:
    """Knows the addresses of one parsed shader and of the bodies of its macros."""

    def __init__(self, roots: Iterable[SyntaxNode], types: Types) -> None:
        self._types = types
        every = [node for root in roots for node in root.walk()]
        self._parameters = {
            node.name: [declared_name(each) for each in node.parameters]
            for node in every
            if isinstance(node, FunctionDefinition)
        }
        self._reading = {name for node in every if (name := _reading_macro(node))}
        self._values = {
            (_function(node), node.declarator.text): node.value for node in every if isinstance(node, InitDeclarator)
        }
        self._names: set[tuple[str, str]] = set()
        # Functions whose results are used as addresses, of any type.
        self._returning: set[str] = set()
        given = [node for node in every if isinstance(node, Identifier)]
        calls = [node for node in every if function_called(node) in self._parameters]
        grown = -1
        while grown < len(self._names) + len(self._returning):  # parts of an address are addresses
            grown = len(self._names) + len(self._returning)
            self._returning.update(function_called(call) for call in calls if self.has(call))
            calls = [call for call in calls if function_called(call) not in self._returning]
            self._names.update(_named(node) for node in given if self.has(node))
            given = [node for node in given if _named(node) not in self._names]

    def has(self, node: SyntaxNode) -> bool:
        """Whether an expression is an address, or a part of one."""
        inner = node
        for each in node.ancestors():
            if isinstance(each, _ENDS) or is_decided_by(each, inner):
                return False
            if isinstance(each, Subscript) and each.argument != inner:
                return True
            if isinstance(each, ReturnStatement):
                return scalar_of(self._types.of(inner)) == "int" or _function(node) in self._returning
            if isinstance(each, ArgumentList) and each.parent is not None and (said := self._says(each.parent, inner)):
                return said == "address"
            if isinstance(each, _GIVEN):
                target = target_of(each)
                name = _BASE.match(target.text) if target is not None and target is not inner else None
                return name is not None and (_function(node), name[0]) in self._names
            inner = each
        return False

    def value_of(self, node: SyntaxNode) -> SyntaxNode | None:
        """Returns the value that a variable is declared with in its function; None if there is none."""
        return self._values.get(_named(node))

    def is_name(self, node: SyntaxNode, name: str) -> bool:
        """Whether a variable at a node is an address."""
        base = _BASE.match(name)
        return base is not None and (_function(node), base[0]) in self._names

    def _says(self, call: SyntaxNode, given: SyntaxNode) -> str:
        """Returns what a function makes of its argument: an address or a value; empty if it passes that on."""
        name = function_called(call)
        if name in READS or name in OTHER_READS or name in self._reading:
            return "address"
        if name in self._parameters:
            pairs = zip(self._parameters[name], arguments(call), strict=False)
            if any(each == given and (name, own) in self._names for own, each in pairs):
                return "address"
            return "" if scalar_of(self._types.of(call)) == "int" else "value"
        return ""


def _named(node: SyntaxNode) -> tuple[str, str]:
    return _function(node), node.text


def _function(node: SyntaxNode) -> str:
    return name_around(node)


def _reading_macro(node: SyntaxNode) -> str:
    """Returns the name of a macro that reads something."""
    if not isinstance(node, ParameterMacro) or node.body is None:
        return ""
    return node.name if {*_BASE.findall(node.body.text)} & (READS | OTHER_READS) else ""
