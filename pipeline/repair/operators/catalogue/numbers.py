"""Writes other numbers: rows of the model's constants, and unknown ones, which are solved for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from texelscope.pipeline.glsl.semantics.expressions import (
    BinaryExpression,
    FunctionCall,
    NumberLiteral,
    Parenthesised,
    UnaryExpression,
)
from texelscope.pipeline.glsl.semantics.questions import arguments, function_called
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.repair.operators.limits import LIMITS
from texelscope.pipeline.repair.operators.operator import ExpressionOperator, Made, TrialStage
from texelscope.pipeline.repair.operators.place import Place, Shader
from texelscope.pipeline.repair.operators.spelling import PRODUCTS, SUMS, as_float32
from texelscope.pipeline.repair.text.mutation import OPERANDS, UNKNOWN, VALUES

_TABLE = re.compile(r"vec[234]|mat[234]")
_VECTOR = re.compile(r"vec[234]")
Row = tuple[float, ...]


class _Written:
    """The rows of numbers that a shader writes out, and whether it has any table."""

    def __init__(self, shader: Shader) -> None:
        every = [*shader.root.of_type(FunctionCall)]
        self.rows = [row for node in every if (row := _row(node))]
        self.has_tables = any(_is_written_out(node) for node in every)
        self._missing: dict[Sequence[Row], list[Row]] = {}

    def missing(self, rows: Sequence[Row]) -> list[Row]:
        """Returns those that the shader lacks."""
        if rows not in self._missing:
            self._missing[rows] = [row for row in rows if not any(_is_like(row, other) for other in self.rows)]
        return self._missing[rows]


class MissingRow(ExpressionOperator, stage=TrialStage.ROWS):
    """A row of the model's constants is written wrong: `vec3(1.0, 2.0, 4.0)` becomes `vec3(1.0, 2.0, 3.0)`."""

    # With the row (1, 2, 3).

    def mutants(self, at: Place) -> Iterator[Made]:
        if not at.expected.rows or at.node.tree is not at.shader.root.tree:
            return  # macros' bodies have none
        written = at.shader.fact(_Written)
        missing = written.missing(at.expected.rows)
        # Of a text that writes out numbers; if it lacks many, it gets them from elsewhere.
        short = [row for row in missing if f"vec{len(row)}" == at.kind] if written.has_tables else []
        if isinstance(at.parent, VALUES) and not at.is_target and len(short) <= LIMITS.rows:
            yield from (f"({at.text} + {_spelled(at.kind, each)})" for each in short)
        row = _row(at.node) if missing else ()
        alike = [each for each in missing if row and len(each) == len(row)]
        for each in sorted(alike, key=lambda other: float(np.abs(np.subtract(other, row)).sum()))[: LIMITS.rows]:
            yield _spelled(at.name, each)


def _spelled(vector: str, row: Sequence[float]) -> str:
    return f"{vector}({', '.join(map(as_float32, row))})"


def _is_written_out(node: SyntaxNode) -> bool:
    """Whether it is a vector or a matrix of literal numbers."""
    given = arguments(node) if _TABLE.fullmatch(function_called(node)) else ()
    return len(given) > 1 and all(isinstance(each, NumberLiteral | UnaryExpression) for each in given)


def _row(node: SyntaxNode) -> Row:
    """Returns the numbers of a vector that is written out; empty for anything else."""
    if not _VECTOR.fullmatch(function_called(node)):
        return ()
    try:
        row = tuple(float(each.text.replace(" ", "").rstrip("fF")) for each in arguments(node))
    except ValueError:
        return ()
    return row if len(row) > 1 else ()


def _is_like(one: Sequence[float], other: Sequence[float]) -> bool:
    return len(one) == len(other) and bool(np.allclose(one, other, rtol=LIMITS.row_precision, atol=1e-6))


class UnknownNumber(
    ExpressionOperator, stage=TrialStage.UNKNOWN, nodes=(*OPERANDS, BinaryExpression, NumberLiteral), scalars="float"
):
    """A number, a factor or a summand has any other value: `exp(x)` becomes `exp((x * TEXELSCOPE_NUMBER.x))`."""

    def mutants(self, at: Place) -> Iterator[Made]:
        text, inner = at.text, at.sign
        if at.has(NumberLiteral):
            yield at.mutation("replaced", text, UNKNOWN)
        elif not at.is_in_a_table and "//" not in text:
            if at.around not in PRODUCTS or (at.is_first and inner not in PRODUCTS):
                alone = text if at.has(*OPERANDS) else f"({text})"
                yield at.mutation("put in", f"({alone} * {UNKNOWN})")
            if at.around not in SUMS and inner not in PRODUCTS and not at.has(Parenthesised):
                yield at.mutation("put in", f"({text} + {UNKNOWN})")
