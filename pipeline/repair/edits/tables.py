"""Proposes rows of the model's constants in place of rows written out in a shader, and rows that are missing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from texelscope.pipeline.glsl.semantics.expressions import Assignment, FunctionCall, NumberLiteral, UnaryExpression
from texelscope.pipeline.glsl.semantics.questions import arguments, function_called
from texelscope.pipeline.glsl.semantics.statements import InitDeclarator, ReturnStatement
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types
from texelscope.pipeline.repair.words.mutation import Mutation, is_target, swap

# People write rows to about this precision.
_NEAR = 2e-3
# At most this many rows are tried in one place, the most similar ones.
_MOST = 8
_LONGEST = 400
_VALUES = (InitDeclarator, Assignment, ReturnStatement)
_TABLE = re.compile(r"vec[234]|mat[234]")
_VECTOR = re.compile(r"vec[234]")


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
        if self._left_out and parent is not None and isinstance(parent, _VALUES) and not is_target(node):
            text = node.text
            for each in self._left_out.get(types.of(node), ()) if len(text) <= _LONGEST and "#" not in text else ():
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
