"""Adds an operation to a value or an index, puts a size there, a row of the model's constants, or an unknown number."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

import numpy as np

from texelscope.pipeline.glsl.semantics.expressions import (
    ArgumentList,
    BinaryExpression,
    FunctionCall,
    NumberLiteral,
    Parenthesised,
    UnaryExpression,
)
from texelscope.pipeline.glsl.semantics.questions import arguments, bare, function_called
from texelscope.pipeline.glsl.semantics.statements import ForLoop
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.repair.operators.catalogue.other_names import calls_like, is_constructor
from texelscope.pipeline.repair.operators.limits import LIMITS
from texelscope.pipeline.repair.operators.operator import ExpressionOperator, Made, TrialStage
from texelscope.pipeline.repair.operators.place import Place, Shader
from texelscope.pipeline.repair.operators.spelling import OF_DIVISION, PRODUCTS, SUMS, as_float32
from texelscope.pipeline.repair.text.mutation import LEAVES, NAMED, NUMBER, OPERANDS, UNKNOWN, VALUES

_TABLE = re.compile(r"vec[234]|mat[234]")
_VECTOR = re.compile(r"vec[234]")
Row = tuple[float, ...]
_OF_ONE = ("max({0}, 0.0)", "min({0}, 0.0)", "clamp({0}, 0.0, 1.0)", "clamp({0}, 0.0, 6.0)",
           "abs({0})", "-({0})", "({0}) * ({0})", "sqrt({0})", "inversesqrt({0})", "exp({0})", "1.0 / ({0})",
           "log({0})", "tanh({0})", "1.0 / (1.0 + exp(-({0})))", "floor({0})", "round({0})", "1.0 - ({0})")  # fmt: skip
_SLOPES = (0.01, 0.1, 0.2, 0.25, 0.5)
_TURNED = ("yzwx", "wxyz", "zyxw", "wzyx", "yxwz", "zwxy", "xzyw", "yxzw", "xywz")
_BY_SIZE = ("{0} / {1}", "{0} % {1}", "{0} / {1} * {1}", "{0} - {1} / 2", "max({0} - {1} / 2, 0)")
_MEANS = ("{0} / float({1})", "{0} * float({1})", "{0} / sqrt(float({1}))", "{0} / float(4 * {1})")
# What counts elements of an index, and elements of a texel.
_COUNTED = (*LEAVES, FunctionCall, Parenthesised)
_LANES = 4


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
    """A row of the model, here 1, 2, 3, is written wrong: `vec3(1.0, 2.0, 4.0)` becomes `vec3(1.0, 2.0, 3.0)`."""

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


class _Inserted(ExpressionOperator, stage=TrialStage.INSERTED, kind="put in"):
    def takes(self, at: Place) -> bool:
        is_part = at.call is not None and is_constructor(at.called)
        is_table = at.has(NumberLiteral) and at.is_in_a_table
        return (at.is_value or is_part) and bool(at.scalar) and super().takes(at) and not at.is_matrix and not is_table


class VariableForAFloat(_Inserted, nodes=(NumberLiteral,), scalars="float"):
    """A variable, or an unused function's result, stands for a number: `0.0` becomes `x`."""

    def mutants(self, at: Place) -> Iterator[str]:
        yield from at.names()[: LIMITS.names]
        for unused in at.scope.unused(at.node, at.kind):
            yield from (unused, f"{at.text} + {unused}", f"{at.text} - {unused}")


class _OfComputed(_Inserted):
    """Adds to a value that is no literal float."""

    def takes(self, at: Place) -> bool:
        return super().takes(at) and not (at.scalar == "float" and at.has(NumberLiteral))


class ActivationForgotten(_OfComputed, scalars="float"):
    """A value lacks a function, a slope, a factor or an order: `x + y` becomes `max(x + y, 0.0)`."""

    def mutants(self, at: Place) -> Iterator[Made]:
        text, numbers, slope = at.text, at.expected.numbers, "max({0}, {1} * ({0}))"
        yield from (form.format(text) for form in _OF_ONE)
        for each in dict.fromkeys((*(each for each in numbers if 0 < each < 1), *_SLOPES)):
            yield slope.format(text, repr(each)), slope.format(text, f"{NUMBER}.x"), (each, each)
        scaled = f"(({text}) * {NUMBER}.x)"
        for number in dict.fromkeys((2.0, 0.5, *numbers, *(1.0 / each for each in numbers if each))):
            yield f"({text}) * {number!r}", scaled, (number, number)
        for size in at.expected.sizes:
            root = math.sqrt(size)
            yield f"({text}) / {size!r}", scaled, (1.0 / size, 1.0 / size)
            yield f"({text}) / sqrt({size!r})", scaled, (1.0 / root, 1.0 / root)
        yield from (f"({text}).{letters}" for letters in _TURNED if at.lanes == 4)
        yield from (f"{name}({text})" for name in at.scope.of_one(at.kind, at.node)[: LIMITS.names])


class IntegerScaled(_OfComputed, scalars="int uint"):
    """A whole number lacks a factor or a divisor: `i` becomes `(i) / 4`."""

    def mutants(self, at: Place) -> Iterator[Made]:
        for number in dict.fromkeys((2.0, 4.0, *at.expected.numbers)):
            if number.is_integer() and 1 < number < LIMITS.largest_step:
                for sign in "*/%":
                    shown = f"({at.text}) {sign} {int(number)}" + "u" * (at.scalar == "uint")
                    yield shown, f"(({at.text}) {sign} {at.one})", (number, number)


class ValueNegated(_OfComputed, types="bool"):
    """A Boolean value is the opposite one: `flag` becomes `!(flag)`."""

    def mutants(self, at: Place) -> Iterator[str]:
        yield f"!({at.text})"


class TermForgotten(_OfComputed, scalars="float int uint"):
    """A value lacks a variable, or its square, as addend or factor: `x` becomes `x + y`."""

    def mutants(self, at: Place) -> Iterator[str]:
        text, is_float = at.text, at.scalar == "float"
        for other in [each for each in at.names()[: LIMITS.names] if each != text]:
            yield from (f"{text} {sign} {other}" for sign in "+-")
            yield from (f"({text}) {sign} {other}" for sign in ("*/" if is_float else "*"))
            if is_float and at.is_value:
                yield f"{text} - {other} * {other}"
        for other in at.names("float")[: LIMITS.names] if is_float and at.kind != "float" else ():
            yield from (f"({text}) {sign} {other}" for sign in "*/+-")


class ReadForgotten(_OfComputed, scalars="float"):
    """A value lacks what is read elsewhere: `x = half_of(z); y = z;` becomes `x = half_of(z); y = z + half_of(z);`."""

    def mutants(self, at: Place) -> Iterator[str]:
        text, seen = at.text, set[str]()
        for unused in at.scope.unused(at.node, at.kind):
            yield unused
            yield from (f"{text} {sign} {unused}" for sign in "+-")
            yield f"({text}) * {unused}"
        for new in at.scope.in_place(at.node) if at.kind == "vec4" else ():
            seen.add(new)
            yield from (f"{text} {sign} {new}" for sign in "+-")
        for call in at.scope.reads(at.node):
            own = at.of(call)
            ending = "" if own == at.kind else ".x" if (at.kind, own) == ("float", "vec4") else None
            for new in (call.text, *calls_like(Place(call, at.shader, at.expected))) if ending is not None else ():
                if new not in seen and len(seen) < LIMITS.reads and "INT(" not in new:
                    seen.add(new)
                    yield from (f"{text} {sign} {new}{ending}" for sign in "+-")
                    yield f"({text}) * {new}{ending}"


class AxisForgotten(ExpressionOperator, stage=TrialStage.INDEX_TERMS, kind="put in", types="int"):
    """An index lacks a variable times a stride: `j` becomes `i * 4 + j`, `j` becomes `i * n + j`."""

    def mutants(self, at: Place) -> Iterator[Made]:
        text, few = at.text, LIMITS.names
        ints = at.names("int") if at.is_whole or at.around == "*" else []
        for name in [each for each in ints if each not in at.used | {*at.types.macros}][:few] if at.is_whole else ():
            for step in at.every_step:
                yield f"{name} * {step} + {text}", f"({name} * int({NUMBER}.x) + {text})", (step, step)
        is_counted = isinstance(at.parent, BinaryExpression) and at.around == "*" and at.has(*_COUNTED)
        if is_counted or at.is_whole:
            for name in [each for each in ints if each != text and not at.shader.is_size(each)][:few]:
                for size in at.sizes:
                    new = f"{name} * {size} + {text}"
                    yield f"({new})" if is_counted else new


class StrideForgotten(ExpressionOperator, stage=TrialStage.INDEX_TERMS, kind="put in", types="int", nodes=_COUNTED):
    """A summand of an index lacks its stride: `i + j` becomes `i * 4 + j`."""

    def mutants(self, at: Place) -> Iterator[Made]:
        if isinstance(at.parent, BinaryExpression) and at.around in SUMS:
            for step in at.every_step:
                yield f"{at.text} * {step}", f"({at.text} * int({NUMBER}.x))", (step, step)


class OtherCoordinate(ExpressionOperator, stage=TrialStage.INDEX_TERMS, types="int"):
    """One coordinate is a quotient, and the other its remainder: `ivec2(i % 4, j)` becomes `ivec2(i % 4, i / 4)`."""

    def mutants(self, at: Place) -> Iterator[str]:
        for beside in arguments(at.call) if at.call is not None else ():
            inner = bare(beside)
            if inner != at.node and isinstance(inner, BinaryExpression) and inner.operator in OF_DIVISION:
                yield f"{inner.left.text} {OF_DIVISION[inner.operator]} {inner.right.text}"


class BoundBySize(ExpressionOperator, stage=TrialStage.SIZES, kind="put in", types="int"):
    """An index or a loop's end is not clamped to a size: `i` becomes `min(i, n - 1)`."""

    def mutants(self, at: Place) -> Iterator[str]:
        text = at.text
        if isinstance(at.parent, BinaryExpression):
            if not at.is_first and at.around in ("<", "<=") and isinstance(at.parent.parent, ForLoop):
                yield from (f"min({text}, {size}{' - 1' * (at.around == '<=')})" for size in at.sizes)
        elif (at.is_value or isinstance(at.parent, ArgumentList)) and not at.has(NumberLiteral):
            yield f"max({text}, 0)"
            yield from (f"min({text}, {size} - 1)" for size in at.sizes if size != text)


class IndexBySize(ExpressionOperator, stage=TrialStage.SIZES, types="int"):
    """An index along another axis is right, divided by a size: `0` becomes `i / n`."""

    def mutants(self, at: Place) -> Iterator[str]:
        ints = at.names("int") if at.is_value else ()
        for index in [each for each in ints if not at.shader.is_size(each)][: LIMITS.divisors]:
            for size in at.sizes:
                yield from (form.format(index, size) for form in _BY_SIZE)


class SizeForgotten(ExpressionOperator, stage=TrialStage.SIZES, kind="put in", types="int"):
    """An argument lacks a size: `float(i)` becomes `float(i * n)`, `ivec2(i, 0)` becomes `ivec2(i - n, 0)`."""

    def mutants(self, at: Place) -> Iterator[Made]:
        if not isinstance(at.parent, ArgumentList):
            return
        for size in at.sizes if at.has(*NAMED) else ():
            yield from (f"{at.text} {sign} {size}" for sign in "-+" if size != at.text)
        if at.called == "FLOAT":
            yield from (f"{at.text} * {size}" for size in at.sizes)
            if at.has(*LEAVES) or at.sign == "*":
                yield at.mutation("swapped", f"{_LANES} * {at.text}")  # elements are counted, not texels


class MeanOverASize(ExpressionOperator, stage=TrialStage.SIZES, kind="put in", scalars="float"):
    """A sum has to be a mean over a size, or a mean a sum: `x` becomes `(x) / float(n)`."""

    def mutants(self, at: Place) -> Iterator[str]:
        is_operand = isinstance(at.parent, BinaryExpression) and at.around in ("*", "+", "-") and at.has(*NAMED)
        if (is_operand or (at.is_value and not at.has(NumberLiteral))) and not at.is_in_a_table:
            whole = at.text if is_operand else f"({at.text})"
            yield from (form.format(whole, size) for size in at.sizes for form in _MEANS)
