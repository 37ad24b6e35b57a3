"""Proposes other numbers: unknown ones as variables, and rows of the model's constants for rows that are written out.

A literal, a factor, a summand or the slope below zero becomes a variable. A row may be missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from texelscope.pipeline.glsl.semantics.expressions import (
    Assignment,
    BinaryExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    NumberLiteral,
    Parenthesised,
    Subscript,
    UnaryExpression,
)
from texelscope.pipeline.glsl.semantics.questions import arguments, function_called, sides_of
from texelscope.pipeline.glsl.semantics.statements import InitDeclarator, ReturnStatement
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, is_in_a_table, is_matrix, scalar_of
from texelscope.pipeline.repair.edits.proposals import LOOPS
from texelscope.pipeline.repair.text.mutation import NUMBER, Mutation, is_target, swap

# The number that is solved for.
VARIABLE = f"{NUMBER}.x"
_LONGEST = 200
_ALONE = (Identifier, FieldAccess, FunctionCall, Subscript, Parenthesised)  # fmt: skip
_VALUES = (*_ALONE, BinaryExpression)
_SUMS, _PRODUCTS = frozenset("+-"), frozenset("*/")
# People write rows to about this precision.
_NEAR = 2e-3
# At most this many rows are tried in one place, the most similar ones.
_MOST = 8
_LONGEST_ROW = 400
_WITH_ROWS = (InitDeclarator, Assignment, ReturnStatement)
_TABLE = re.compile(r"vec[234]|mat[234]")
_VECTOR = re.compile(r"vec[234]")


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


class Tables:
    """Holds the rows of numbers in one parsed shader, and rows of the model that it lacks."""

    def __init__(self, root: SyntaxNode, rows: Sequence[tuple[float, ...]]) -> None:
        written = [row for node in root.walk() if (row := _row(node))] if rows else []
        self._missing = [row for row in rows if not any(_is_like(row, other) for other in written)]
        # Of a text that writes out numbers; if it lacks many, it gets them from elsewhere.
        lanes: dict[str, list[tuple[float, ...]]] = {}
        for row in self._missing if any(_is_written_out(node) for node in root.walk()) else ():
            lanes.setdefault(f"vec{len(row)}", []).append(row)
        self._left_out = {kind: some for kind, some in lanes.items() if len(some) <= _MOST}

    def proposals(self, node: SyntaxNode, types: Types) -> Iterator[Mutation]:
        """Proposes missing rows in place of a node that is one, and added to a whole value."""
        parent = node.parent
        if self._left_out and parent is not None and isinstance(parent, _WITH_ROWS) and not is_target(node):
            text = node.text
            for each in self._left_out.get(types.of(node), ()) if len(text) <= _LONGEST_ROW and "#" not in text else ():
                yield swap(node, f"({text} + {_written(types.of(node), each)})")
        row = _row(node) if self._missing else ()
        alike = [each for each in self._missing if row and len(each) == len(row)]
        for each in sorted(alike, key=lambda other: float(np.abs(np.subtract(other, row)).sum()))[:_MOST]:
            yield swap(node, _written(function_called(node), each))


def _written(vector: str, row: Sequence[float]) -> str:
    return f"{vector}({', '.join(_shown(number) for number in row)})"


def _is_written_out(node: SyntaxNode) -> bool:
    """Whether it is a vector or a matrix of literal numbers."""
    if not isinstance(node, FunctionCall) or not _TABLE.fullmatch(function_called(node)):
        return False
    given = arguments(node)
    return len(given) > 1 and all(isinstance(each, NumberLiteral | UnaryExpression) for each in given)


def _row(node: SyntaxNode) -> tuple[float, ...]:
    """Returns the numbers of a vector that is written out; empty for anything else."""
    if not isinstance(node, FunctionCall) or not _VECTOR.fullmatch(function_called(node)):
        return ()
    try:
        row = tuple(float(each.text.replace(" ", "").rstrip("fF")) for each in arguments(node))
    except ValueError:
        return ()
    return row if len(row) > 1 else ()


def _is_like(one: Sequence[float], other: Sequence[float]) -> bool:
    return len(one) == len(other) and bool(np.allclose(one, other, rtol=_NEAR, atol=1e-6))


def _shown(number: float) -> str:
    """Writes a number as people do, with the digits that distinguish it from its float32 neighbours."""
    text = str(np.float32(number))
    return text if set(text) & set(".en") else f"{text}.0"
