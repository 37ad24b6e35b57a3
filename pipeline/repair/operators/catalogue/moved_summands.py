"""Moves a summand to the other side of a function, before an activation instead of after it.

`f(v) + b` becomes `f(v)` with `b` added where `v` is computed, or right before its use; the function may be in another
statement, which a name refers to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from texelscope.pipeline.glsl.semantics.expressions import (
    ArgumentList,
    Assignment,
    BinaryExpression,
    ConditionalExpression,
    FunctionCall,
    Identifier,
    NumberLiteral,
)
from texelscope.pipeline.glsl.semantics.questions import (
    arguments,
    bare,
    function_around,
    function_called,
    target_of,
    value_of,
)
from texelscope.pipeline.glsl.semantics.statements import (
    CompoundStatement,
    ExpressionStatement,
    InitDeclarator,
    ReturnStatement,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import is_matrix, lanes_of, scalar_of
from texelscope.pipeline.repair.operators.limits import LIMITS
from texelscope.pipeline.repair.operators.operator import TextOperator
from texelscope.pipeline.repair.operators.place import ExpectedNumbers, Shader
from texelscope.pipeline.repair.operators.spelling import SUMS
from texelscope.pipeline.repair.text.mutation import (
    VALUES,
    Mutation,
    Places,
    around,
    is_target,
    leaves_of,
    with_texts,
)

_BOUNDS = frozenset({"max", "min", "clamp"})


class SummandMoved(TextOperator, kind="replaced"):
    """A summand is added after a function, and belongs into its argument.

    `float k = x * z; x = max(k, 0.0) + y;` becomes `float k = (x * z) + y; x = max(k, 0.0);`.
    """

    def mutants(self, shader: Shader, expected: ExpectedNumbers, free: Sequence[SyntaxNode]) -> Iterator[Places]:
        for node in free:
            if isinstance(node, BinaryExpression) and node.operator in SUMS:
                yield from self._of_sum(shader, node)

    def _of_sum(self, shader: Shader, node: BinaryExpression) -> Iterator[Places]:
        kind, text = shader.types.of(node), node.text
        if not isinstance(node.parent, (*VALUES, ArgumentList)) or scalar_of(kind) != "float" or is_matrix(kind):
            return
        if len(text) > LIMITS.wrapped_characters or "#" in text or "//" in text or is_target(node):
            return
        sides = (node.left, node.right)
        for through, summand in (sides, sides[::-1])[: 1 if node.operator == "-" else 2]:
            if shader.types.of(through) != kind or shader.types.of(summand) not in (kind, "float"):
                continue
            added, value = f"{node.operator} {around(summand)}", bare(through)
            if isinstance(value, Identifier):
                for made in _given(value, value.text):
                    if _decides(made) and shader.may_stand(summand, made):
                        for new in _under(made, added, shader):
                            yield self.instead(node, value.text), self.instead(made, new)
            elif _decides(value):
                yield from self._before(shader, node, value, summand, added)

    def _before(
        self, shader: Shader, node: SyntaxNode, value: SyntaxNode, summand: SyntaxNode, added: str
    ) -> Iterator[Places]:
        """Adds the summand to a variable in the sum instead: where that is computed, or right before."""
        alone = value.text
        for name in _variables(value, shader):
            for made in [*_given(node, name)][-1:]:
                if shader.may_stand(summand, made):
                    new = added.removeprefix("+ ") if _is_nothing(made) else f"{around(made)} {added}"
                    yield self.instead(node, alone), self.instead(made, new)
            statement = node.enclosing(ExpressionStatement, ReturnStatement)
            if statement is None or not isinstance(statement.parent, CompoundStatement):
                continue
            old = statement.text
            if len(old) <= LIMITS.statement_characters and "#" not in old and "//" not in old:
                new = f"{name} {added[:1]}= {added[2:]}; {with_texts(statement, {node: alone})}"
                instead = Mutation(statement.start_byte, statement.end_byte, old, new, "statement", new)
                yield ((statement, instead),)
        yield from ((self.instead(node, new),) for new in _under(value, added, shader))


def _under(value: SyntaxNode, added: str, shader: Shader) -> Iterator[str]:
    """Yields a choice with a summand added to the values that it compares."""
    given, of = arguments(value), shader.types.of
    if given and of(given[0]) == of(value) and (len(given) == 1 or function_called(value) in _BOUNDS):
        yield with_texts(value, {given[0]: f"{given[0].text} {added}"})
        return
    for name in _variables(value, shader):
        places = [each for leaf in leaves_of(value) for each in leaf.of_type(Identifier) if each.text == name]
        yield with_texts(value, dict.fromkeys(places, f"({name} {added})"))


def _variables(value: SyntaxNode, shader: Shader) -> list[str]:
    """Returns variables in an expression that have its type and are not constants."""
    kind = shader.types.of(value)
    known = {name for name, own in shader.scope.variables(value) if own == kind} - shader.fixed
    names = (each.text for leaf in leaves_of(value) for each in leaf.of_type(Identifier))
    return [name for name in dict.fromkeys(names) if name in known][: LIMITS.summand_names]


def _given(node: SyntaxNode, name: str) -> Iterator[SyntaxNode]:
    """Yields whole values that a variable is assigned before a node in its function."""
    function = function_around(node)
    for each in function.of_type(InitDeclarator, Assignment) if function is not None else ():
        target, value = target_of(each), value_of(each)
        is_whole = (isinstance(each, InitDeclarator) or each.operator == "=") and each.end_byte < node.start_byte
        if target is not None and value is not None and is_whole and target.text == name:
            yield value


def _decides(value: SyntaxNode) -> bool:
    """Whether it is not a sum or product of its parts."""
    calls = (each for each in value.of_type(FunctionCall) if scalar_of(each.name) == "" and each.arguments)
    return next(value.of_type(ConditionalExpression), None) is not None or next(calls, None) is not None


def _is_nothing(value: SyntaxNode) -> bool:
    """Whether it is zero, of any type."""
    given: Sequence[SyntaxNode] = (value,)
    if isinstance(value, FunctionCall):
        given = value.arguments if lanes_of(value.name) or value.name == "FLOAT" else (value,)
    return all(isinstance(each, NumberLiteral) and not each.text.strip("0.f") for each in given)
