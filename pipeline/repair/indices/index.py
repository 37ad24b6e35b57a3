"""An expression that says where something is read, with what other expressions of its kind are made of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import tree_sitter

from texelscope.pipeline.glsl.syntax import text_of
from texelscope.pipeline.repair.indices.addresses import Addresses
from texelscope.pipeline.repair.indices.named_sizes import is_size, sizes_at
from texelscope.pipeline.repair.words.mutation import NUMBER, Kind, Mutation
from texelscope.pipeline.repair.words.scope import NameScope
from texelscope.pipeline.repair.words.types import Types, lanes_of, scalar_of

# What stands around an expression that needs no parentheses of its own.
APART = frozenset({"argument_list", "init_declarator", "assignment_expression", "return_statement",
                   "parenthesized_expression", "subscript_expression", "subscript_argument_list"})  # fmt: skip
# Around an index as a whole.
_WHOLE = APART - {"parenthesized_expression"}
_LOOSE = frozenset({"binary_expression", "conditional_expression", "unary_expression", "assignment_expression"})
OPERANDS = frozenset({"identifier", "field_expression", "parenthesized_expression", "call_expression",
                      "subscript_expression"})  # fmt: skip


@dataclass(frozen=True)
class Index:
    """`steps` are whole numbers that indices are counted by: those that are expected, small ones, sizes of tensors.

    Where it is not `has_remainders`, the language has no operator for them.
    """

    node: tree_sitter.Node
    types: Types
    scope: NameScope
    addresses: Addresses
    steps: tuple[int, ...]
    has_remainders: bool = True

    @cached_property
    def text(self) -> str:
        return text_of(self.node)

    @property
    def summand(self) -> str:
        """Its text with another summand behind it."""
        return f"({self.text})" if self.node.type in ("conditional_expression", "assignment_expression") else self.text

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
        """Whether it is handed on as it is."""
        parent = self.node.parent
        return parent is not None and parent.type in _WHOLE and parent.child_by_field_name("left") != self.node

    @property
    def one(self) -> str:
        """In a template the edit's number, of its scalar type."""
        return f"{NUMBER}.x" if self.scalar == "float" else f"{self.scalar}({NUMBER}.x)"

    def shown(self, number: float) -> str:
        """A number as one writes it beside the index."""
        if self.scalar == "float":
            return f"{number:g}" if set(f"{number:g}") & set(".en") else f"{number:g}.0"
        return f"{number:g}" + "u" * (self.scalar == "uint")

    def sizes(self, most: int, kind: str = "") -> list[str]:
        """Names of sizes of its type, or of another one, the nearest so many."""
        kind = kind or self.kind
        if kind == "int":
            return [each for each in sizes_at(self.node, self.types, self.scope) if each != self.text][:most]
        every = self.scope.every_of_type(self.node, kind)
        return [each for each in every if is_size(each, self.types) and each != self.text][:most]

    def variables(self, most: int, kind: str = "") -> list[str]:
        """Variables of its type that say where something is read; the nearest so many."""
        kind = kind or self.kind
        every = (self.scope.of_type if scalar_of(kind) == "float" else self.scope.of_places)(self.node, kind)
        names = [each for each in every if not is_size(each, self.types)]
        if scalar_of(kind) == "float":
            names = [each for each in names if self.addresses.is_name(self.node, each)]
        return [each for each in names if each != self.text][:most]

    def is_fixed(self, node: tree_sitter.Node) -> bool:
        """Whether a part of it is made of sizes and numbers alone."""
        if node.type == "number_literal" or is_size(text_of(node), self.types):
            return True
        inner = [each for each in node.named_children if each.type != "comment"]
        if node.type == "call_expression":
            arguments = node.child_by_field_name("arguments")
            is_made = scalar_of(text_of(node.children[0]).lower()) != ""
            inner = list(arguments.named_children) if arguments is not None and is_made else []
        elif node.type not in ("binary_expression", "parenthesized_expression", "unary_expression"):
            inner = []
        return bool(inner) and all(self.is_fixed(each) for each in inner)

    def as_index(self, new: str, template: str = "", number: float = 0.0) -> Mutation:
        """What stands in its place, one of few; `template` where it has a number."""
        return self._said("index", new, template, number)

    def as_moved(self, new: str, template: str = "", number: float = 0.0) -> Mutation:
        """What stands in its place, one of many."""
        return self._said("moved", new, template, number)

    def _said(self, kind: Kind, new: str, template: str, number: float) -> Mutation:
        parent = self.node.parent
        shown = new if parent is None or parent.type in APART or not _is_loose(new) else f"({new})"
        return Mutation(
            self.node.start_byte, self.node.end_byte, self.text, shown, kind, f"({template or new})", (number, number)
        )


def enclosed(node: tree_sitter.Node) -> str:
    """A part of an expression as an operand of anything."""
    return f"({text_of(node)})" if node.type in _LOOSE else text_of(node)


def _is_loose(text: str) -> bool:
    """Whether a text has an operator outside of all parentheses."""
    depth = 0
    for letter in text:
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(letter, 0)
        if depth == 0 and letter in "+-*/%?":
            return True
    return False
