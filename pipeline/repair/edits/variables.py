"""Numbers that nobody has at hand, as variables: a literal, a factor of a value, a summand, the slope below zero."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from texelscope.pipeline.glsl.syntax import parents, text_of
from texelscope.pipeline.repair.edits.proposals import LOOPS
from texelscope.pipeline.repair.words.mutation import NUMBER, Mutation, is_target, sign_of
from texelscope.pipeline.repair.words.types import Types, is_in_a_table, is_matrix, scalar_of

# What stands for the number that is solved for.
VARIABLE = f"{NUMBER}.x"
_LONGEST = 200
_ALONE = frozenset({"identifier", "field_expression", "call_expression", "subscript_expression",
                    "parenthesized_expression"})  # fmt: skip
_VALUES = _ALONE | {"binary_expression"}
_SUMS, _PRODUCTS = frozenset("+-"), frozenset("*/")


def variables(node: tree_sitter.Node, types: Types) -> Iterator[Mutation]:
    """Of an expression of floats, with a variable in each; a number of a table is one too."""
    kind, text, parent = types.of(node), text_of(node), node.parent
    if scalar_of(kind) != "float" or is_matrix(kind) or parent is None or is_target(node) or len(text) > _LONGEST:
        return
    if node.type == "number_literal":
        yield Mutation(node.start_byte, node.end_byte, text, text, "replaced", VARIABLE)
    elif node.type in _VALUES and not is_in_a_table(node) and "#" not in text and "//" not in text:
        sign = sign_of(parent)
        is_first = parent.child_by_field_name("left") == node
        if sign not in _PRODUCTS or (is_first and sign_of(node) not in _PRODUCTS):
            alone = text if node.type in _ALONE else f"({text})"
            yield _put(node, f"({alone} * {VARIABLE})")
        if sign not in _SUMS and sign_of(node) not in _PRODUCTS and node.type != "parenthesized_expression":
            yield _put(node, f"({text} + {VARIABLE})")


def _put(node: tree_sitter.Node, template: str) -> Mutation:
    return Mutation(node.start_byte, node.end_byte, text_of(node), template, "put in", template)


def is_often(node: tree_sitter.Node) -> bool:
    """Whether a loop does it again and again: what is done once with the result is likelier."""
    return any(each.type in LOOPS for each in parents(node))


def rank_of(proposal: Mutation) -> int:
    """Which are tried first: other numbers, then factors, then summands."""
    if proposal.template == VARIABLE:
        return 0
    return 1 if "* " + VARIABLE in proposal.template else 2
