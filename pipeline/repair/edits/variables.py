"""Proposes unknown numbers as variables: a literal, a factor, a summand, the slope below zero."""

from __future__ import annotations

from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import (
    BinaryExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    NumberLiteral,
    Parenthesised,
    Subscript,
)
from texelscope.pipeline.glsl.semantics.questions import sides_of
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, is_in_a_table, is_matrix, scalar_of
from texelscope.pipeline.repair.edits.proposals import LOOPS
from texelscope.pipeline.repair.words.mutation import NUMBER, Mutation, is_target

# The number that is solved for.
VARIABLE = f"{NUMBER}.x"
_LONGEST = 200
_ALONE = (Identifier, FieldAccess, FunctionCall, Subscript, Parenthesised)  # fmt: skip
_VALUES = (*_ALONE, BinaryExpression)
_SUMS, _PRODUCTS = frozenset("+-"), frozenset("*/")


def variables(node: SyntaxNode, types: Types) -> Iterator[Mutation]:
    """Proposes a float expression with a variable in each position; a number of a table is one too."""
    kind, text, parent = types.of(node), node.text, node.parent
    if scalar_of(kind) != "float" or is_matrix(kind) or parent is None or is_target(node) or len(text) > _LONGEST:
        return
    if isinstance(node, NumberLiteral):
        yield Mutation(node.start_byte, node.end_byte, text, text, "replaced", VARIABLE)
    elif isinstance(node, _VALUES) and not is_in_a_table(node) and "#" not in text and "//" not in text:
        sign = parent.operator
        is_first = sides_of(parent)[0] is node
        if sign not in _PRODUCTS or (is_first and node.operator not in _PRODUCTS):
            alone = text if isinstance(node, _ALONE) else f"({text})"
            yield _put(node, f"({alone} * {VARIABLE})")
        if sign not in _SUMS and node.operator not in _PRODUCTS and not isinstance(node, Parenthesised):
            yield _put(node, f"({text} + {VARIABLE})")


def _put(node: SyntaxNode, template: str) -> Mutation:
    return Mutation(node.start_byte, node.end_byte, node.text, template, "put in", template)


def is_often(node: SyntaxNode) -> bool:
    """Whether a loop repeats it: a single operation on the result is likelier."""
    return any(isinstance(each, LOOPS) for each in node.ancestors())


def rank_of(proposal: Mutation) -> int:
    """Returns the order of trials: other numbers, then factors, then summands."""
    if proposal.template == VARIABLE:
        return 0
    return 1 if "* " + VARIABLE in proposal.template else 2
