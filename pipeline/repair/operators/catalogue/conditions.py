"""Changes conditions, and makes a value depend on one; a condition has another bound, or one more part."""

from __future__ import annotations

from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import (
    Assignment,
    BinaryExpression,
    ConditionalExpression,
    Parenthesised,
)
from texelscope.pipeline.glsl.semantics.questions import function_around, names_in
from texelscope.pipeline.glsl.semantics.statements import ForLoop, IfStatement
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.repair.operators.limits import LIMITS
from texelscope.pipeline.repair.operators.operator import ExpressionOperator, Made, TrialStage
from texelscope.pipeline.repair.operators.place import Place
from texelscope.pipeline.repair.operators.spelling import COMPARING, JOINING
from texelscope.pipeline.repair.text.mutation import LEAVES, LOOPS, NAMED


class OperandNegated(ExpressionOperator, stage=TrialStage.CONDITIONS, kind="put in", nodes=NAMED, types="bool"):
    """One of two conditions is the opposite one: `flag && i < n` becomes `!flag && i < n`."""

    def mutants(self, at: Place) -> Iterator[str]:
        if at.around in JOINING:
            yield f"!{at.text}"


class ConditionForgotten(ExpressionOperator, stage=TrialStage.CONDITIONS, kind="put in", types="bool"):
    """A condition lacks a part: `if (i < n) x = y;` becomes `if (i < n && flag) x = y;`."""

    def takes(self, at: Place) -> bool:
        return super().takes(at) and not at.has(Parenthesised) and _is_asked(at.node)

    def mutants(self, at: Place) -> Iterator[str]:
        every = [*at.node.walk()]
        inside = {each.text for each in every}
        whole = f"({at.text})" if at.sign in JOINING else at.text
        for other in _conditions(at):
            if other not in inside:
                yield from (f"{whole} {sign} {other}" for sign in ("&&", "||"))
        signs = {each.operator for each in every if each.operator in JOINING}
        for each in every:
            if not isinstance(each, BinaryExpression) or each.operator not in COMPARING:
                continue
            kind, text = at.of(each.left), each.left.text
            tests = [(f"fract({text}) > 0.0", f"fract({text}) == 0.0")] if kind == "float" else []
            for size in (*at.sizes[: LIMITS.nearest_sizes], "2") if kind == "int" else ():
                tests.append((f"{text} % {size} != 0", f"{text} % {size} == 0"))
            for either, both in tests if isinstance(each.left, LEAVES) else ():
                if "&&" not in signs:
                    yield f"{whole} || {either}"
                if "||" not in signs:
                    yield f"{whole} && {both}"


def _is_asked(node: SyntaxNode) -> bool:
    """Whether it is the whole condition of an `if` or a choice."""
    around = node.parent
    while isinstance(around, Parenthesised):
        node, around = around, around.parent
    return isinstance(around, IfStatement | ConditionalExpression) and around.condition == node


def _conditions(at: Place) -> Iterator[str]:
    """Yields Booleans known at a place, and comparisons of known values that its function makes."""
    names = at.shader.names_at(at.node)
    known = [name for name, kind in at.scope.variables(at.node) if kind == "bool"]
    function = function_around(at.node)
    for each in function.of_type(BinaryExpression) if function is not None else ():
        if each.operator in COMPARING and {*names_in(each)} <= names and not isinstance(each.parent, LOOPS):
            known.append(each.text)
    alike = (each for each in dict.fromkeys(known) if at.text not in each and each not in at.text)
    yield from [*alike][: LIMITS.paired_names]


class SummandGuarded(ExpressionOperator, stage=TrialStage.CONDITIONS, kind="put in", nodes=NAMED, scalars="float"):
    """A summand counts only where a condition holds: `x += y;` becomes `x += (flag ? y : 0.0);`."""

    def mutants(self, at: Place) -> Iterator[str]:
        is_summand = at.around == ("+=" if isinstance(at.parent, Assignment) else "+")
        if is_summand and isinstance(at.parent, Assignment | BinaryExpression) and not at.is_in_a_table:
            nothing = "0.0" if at.lanes == 1 else f"{at.kind}(0.0)"
            yield from (f"({each} ? {at.text} : {nothing})" for each in _conditions(at))


class OtherBound(ExpressionOperator, nodes=(BinaryExpression,), stage=TrialStage.BOUNDS, kind="put in"):
    """A condition lacks the other bound, or a loop has a farther end: `i < 0` becomes `(i < 0 || i >= n)`."""

    def mutants(self, at: Place) -> Iterator[Made]:
        left, right, sign = at.left, at.right, at.sign
        if not isinstance(left, LEAVES) or at.of(left) != "int":
            return
        sizes, text = at.scope.of_type(at.node, "int"), left.text
        if sign in ("<", "<=") and isinstance(at.parent, ForLoop):
            others = [each for each in sizes if each not in (text, right.text)]
            end = Place(right, at.shader, at.expected)
            for new in (f"{right.text} + {each}" for each in others if each in at.shader.fixed):
                yield end.mutation("put in", new, f"({new})")
            if sign == "<":
                yield from (f"{text} <= {each}" for each in others if each not in at.shader.fixed)
        if sign in ("<", ">=") and right.text == "0":
            for size in (each for each in sizes if each != text):
                yield f"({at.text} {f'|| {text} >= {size}' if sign == '<' else f'&& {text} < {size}'})"
        elif sign in (">=", "<"):
            yield f"({text} < 0 || {at.text})" if sign == ">=" else f"({text} >= 0 && {at.text})"
