"""One other thing that a shader may have meant to say, at one place of its text."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Literal

import tree_sitter

from texelscope.pipeline.glsl.syntax import arguments, function_called, parents, text_of

Kind = Literal["replaced", "swapped", "statement", "added", "put in", "barrier", "index", "moved", "left out"]
# Stands in templates for the two numbers of an edit.
NUMBER = "TEXELSCOPE_NUMBER"
# Which argument of a read says the level of a texture: there is one level.
_LEVELS = {"texelFetch": 2, "texelFetchOffset": 2, "textureLod": 2, "textureLodOffset": 2, "textureSize": 1}
# How an edit reads, its template, its numbers.
Numbered = tuple[str, str, tuple[float, float]]


@dataclass(frozen=True)
class Mutation:
    """Bytes `start` to `stop` of the text, an expression or a statement, as `new` in place of `old`.

    `template` is `new` with its numbers as lanes of `NUMBER`, whose `values` they are: one text for many. Where it does
    the same in place of a part, that lies at the bytes `at`.
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
        """Where the template stands."""
        return (self.start, self.stop) if self.at is None else self.at

    def moved(self, by: int) -> Mutation:
        """The same so many bytes farther on."""
        at = None if self.at is None else (self.at[0] + by, self.at[1] + by)
        return dataclasses.replace(self, start=self.start + by, stop=self.stop + by, at=at)


# Several places that are written otherwise together, each with its node.
Places = tuple[tuple[tree_sitter.Node, Mutation], ...]


def sign_of(node: tree_sitter.Node) -> str:
    """The operator of an expression; empty of one that has none."""
    sign = node.child_by_field_name("operator")
    return sign.type if sign is not None else ""


def swap(node: tree_sitter.Node, new: str) -> Mutation:
    """What stands in place of a node, as it is written."""
    return Mutation(node.start_byte, node.end_byte, text_of(node), new, "swapped", new)


def put(node: tree_sitter.Node, new: str, template: str = "", values: tuple[float, float] = (0.0, 0.0)) -> Mutation:
    """What is done beside with a node's value; `template` where it has numbers."""
    return Mutation(node.start_byte, node.end_byte, text_of(node), new, "put in", template or f"({new})", values)


def is_target(node: tree_sitter.Node) -> bool:
    """Whether something is assigned to it, or within what is assigned to."""
    inner = node
    for each in parents(node):
        if each.type == "assignment_expression":
            return each.child_by_field_name("left") == inner
        if each.type not in ("field_expression", "subscript_expression", "parenthesized_expression"):
            return False
        inner = each
    return False


def is_level(node: tree_sitter.Node) -> bool:
    """Whether it is the number of a texture's level: of another one nothing is read."""
    call = node.parent.parent if node.parent is not None and node.parent.type == "argument_list" else None
    place = _LEVELS.get(function_called(call)) if call is not None and node.type == "number_literal" else None
    return call is not None and place is not None and node in arguments(call)[place:]
