"""Changes what a function, a bound or an operator is applied to, and puts an operand through a function."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from texelscope.pipeline.glsl.semantics.expressions import (
    ArgumentList,
    Assignment,
    BinaryExpression,
    ConditionalExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    NumberLiteral,
    Parenthesised,
    UnaryExpression,
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
from texelscope.pipeline.repair.operators.catalogue.single_changes import is_all_there
from texelscope.pipeline.repair.operators.limits import LIMITS
from texelscope.pipeline.repair.operators.operator import ExpressionOperator, TextOperator, TrialStage
from texelscope.pipeline.repair.operators.place import ExpectedNumbers, Place, Shader
from texelscope.pipeline.repair.operators.spelling import SIGNS, SUMS
from texelscope.pipeline.repair.text.mutation import (
    NAMED,
    OPERANDS,
    VALUES,
    Mutation,
    Places,
    around,
    is_target,
    leaves_of,
    with_texts,
)

# Functions of an operand, of an argument, and in place of a function of the shader.
_THROUGH = ("tanh({0})", "abs({0})", "exp({0})", "sqrt({0})", "(-{1})", "(1.0 - {1})", "max({0}, 0.0)",
            "min({0}, 0.0)", "clamp({0}, 0.0, 1.0)", "(1.0 / (1.0 + exp(-{1})))")  # fmt: skip
_ARGUMENT_THROUGH = ("sqrt({0})", "abs({0})", "exp({0})", "1.0 - {1}")
_BUILT_IN = ("tanh({0})", "max({0}, 0.0)", "1.0 / (1.0 + exp(-{1}))", "exp({0})", "sqrt({0})")
# Functions of a value whose sign may be forgotten, of one value, and of more.
_ENDS = frozenset({"max", "min"})
_OF_ONE = frozenset({"exp", "exp2", "tanh", "sinh", "atan", "log", "sqrt", "abs", "sin", "cos"})
_OF_MORE = frozenset({"mix", "pow", "clamp", "dot"})
_BOUNDS = _ENDS | {"clamp"}


class FunctionOfTheSum(ExpressionOperator, stage=TrialStage.FUNCTIONS, nodes=(BinaryExpression,), scalars="float"):
    """A function belongs to the result, or to the other operand: `exp(x) + y` becomes `exp(x + y)`."""

    def mutants(self, at: Place) -> Iterator[str]:
        left, right, sign = at.left, at.right, at.sign
        if sign not in SIGNS or is_matrix(at.of(left)) or is_matrix(at.of(right)):
            return
        for call, other, is_first in ((left, right, True), (right, left, False)):
            if (bounds := _bounds(call, at)) and at.of(bounds[0]) == at.of(other):
                both = [around(each) for each in ((bounds[0], other) if is_first else (other, bounds[0]))]
                ends = "".join(f", {each.text}" for each in bounds[1:])
                yield f"{function_called(call)}({f' {sign} '.join(both)}{ends})"
            given = _only_argument(call, at)
            if given is None or at.of(other) != at.of(given):
                continue
            name, parts = call.children[0].text, [given, other] if is_first else [other, given]
            yield f"{name}({f' {sign} '.join(around(each) for each in parts)})"
            if not isinstance(other, NumberLiteral):
                moved = [around(each) if each is given else f"{name}({each.text})" for each in parts]
                yield f"({f' {sign} '.join(moved)})"


def _bounds(call: SyntaxNode, at: Place) -> Sequence[SyntaxNode]:
    """Returns what is clamped, and the bounds, if these are written out."""
    given = arguments(call)
    if function_called(call) not in _BOUNDS or scalar_of(at.of(call)) != "float" or len(given) < 2:
        return ()
    are_written = all(isinstance(each, NumberLiteral) or _is_all_numbers(each) for each in given[1:])
    return given if are_written and at.of(given[0]) == at.of(call) else ()


def _is_all_numbers(call: SyntaxNode) -> bool:
    given = arguments(call)
    return bool(given) and all(isinstance(each, NumberLiteral) for each in given)


def _only_argument(call: SyntaxNode, at: Place) -> SyntaxNode | None:
    """Returns the only argument of a function with a result of the same type; no constructor, no read."""
    given, kind = arguments(call), at.of(call)
    if not isinstance(call, FunctionCall) or len(given) != 1 or scalar_of(kind) != "float" or kind != at.of(given[0]):
        return None
    is_read = at.scope.is_read(call) and not at.types.function(call.name)
    return None if is_read or call.name in ("FLOAT", "vec2", "vec3", "vec4") else given[0]


class DivisionRemoved(ExpressionOperator, stage=TrialStage.FUNCTIONS, nodes=(BinaryExpression,)):
    """A quotient is the number itself, or a bound another one: `i / 4` becomes `(i)`."""

    def mutants(self, at: Place) -> Iterator[str]:
        left, kind = at.left, at.of(at.left)
        if at.sign in ("/", "%") and at.scalar == "int" and kind == at.kind:
            yield f"({left.text})"
        if at.sign == "<" and isinstance(at.right, NumberLiteral) and kind == "int":
            for other in at.names("int")[: LIMITS.paired_names]:
                yield f"({left.text} <= {other})"


class FunctionOfAnOperand(ExpressionOperator, stage=TrialStage.FUNCTIONS, nodes=(FunctionCall,)):
    """A function or bound is one of a sum and belongs to an operand: `exp(x + y)` becomes `(exp(x) + y)`."""

    def mutants(self, at: Place) -> Iterator[str]:
        bounds, given = _bounds(at.node, at), _only_argument(at.node, at)
        inner = bounds[0] if bounds else given.inner if isinstance(given, Parenthesised) else given
        if isinstance(inner, BinaryExpression) and inner.operator in SIGNS:
            a, b, ends = inner.left, inner.right, "".join(f", {each.text}" for each in bounds[1:])
            if at.of(a) == at.of(b) == at.kind:
                yield f"({at.name}({a.text}{ends}) {inner.operator} {around(b)})"
                yield f"({around(a)} {inner.operator} {at.name}({b.text}{ends}))"


class WholeOfALane(ExpressionOperator, stage=TrialStage.FUNCTIONS, nodes=(BinaryExpression,)):
    """A sum or product of vectors has one lane of a vector for the whole: `v * u.x` becomes `v * u`."""

    def mutants(self, at: Place) -> Iterator[str]:
        if at.lanes < 2:
            return
        pending = [at.node]
        while pending:
            for child in pending.pop().named_children:
                if isinstance(child, BinaryExpression | Parenthesised):
                    pending.append(child)
                base = child.argument if isinstance(child, FieldAccess) else None
                if base is not None and at.of(base) == at.kind and lanes_of(at.of(child)) == 1:
                    yield with_texts(at.node, {child: base.text})


class IndexForNumbers(ExpressionOperator, stage=TrialStage.FUNCTIONS, nodes=(FunctionCall,), scalars="int"):
    """A vector of whole numbers stands for an index: `ivec2(0, 1)` becomes `p`."""

    def mutants(self, at: Place) -> Iterator[str]:
        yield from at.names()[: LIMITS.paired_names] if _is_all_numbers(at.node) else ()


class OperandRemoved(ExpressionOperator, nodes=(BinaryExpression,), stage=TrialStage.REMOVED, scalars="float int"):
    """A sum or product has an operand too many: `x * y + z` becomes `x + z`."""

    def mutants(self, at: Place) -> Iterator[Mutation]:
        left, right, sign = at.left, at.right, at.sign
        for kept, other in ((left, right), (right, left))[: 2 if sign in "+*" else 1] if sign in SIGNS else ():
            own = at.of(other)
            is_matched = at.of(kept) == at.kind and own and not is_matrix(own) and not is_all_there(at.node, kept)
            if not is_matched or (at.scalar == "int" and sign == "/"):
                continue
            inner = bare(kept) if at.is_apart else kept
            mutation = at.mutation("replaced" if at.scalar == "float" else "swapped", inner.text)
            nothing, place = f"{own}({int(sign in '*/')})", (other.start_byte, other.end_byte)
            yield replace(mutation, template=nothing, at=place)


class _Operand(ExpressionOperator, stage=TrialStage.OPERANDS):
    def takes(self, at: Place) -> bool:
        is_float = not at.kind or (at.scalar == "float" and not at.is_matrix)
        return is_float and not at.is_in_a_table


class MinusForgotten(_Operand, kind="replaced"):
    """An argument lacks its minus: `exp(x)` becomes `exp(-x)`, `max(x, 0.0)` becomes `max(-x, 0.0)`."""

    def mutants(self, at: Place) -> Iterator[str]:
        call = at.call
        if call is None or at.has(NumberLiteral, UnaryExpression):
            return
        is_of_one = len(call.arguments) == 1 and (at.called in _OF_ONE or bool(at.types.function(at.called)))
        # A macro's parameter has no type.
        if (at.called in _ENDS and at.node == call.arguments[0]) or (is_of_one and at.of(call) == at.kind != ""):
            yield f"-{_alone(at.node)}"


def _alone(node: SyntaxNode) -> str:
    return node.text if isinstance(node, (*OPERANDS, NumberLiteral)) else f"({node.text})"


class OtherFunctionOfOne(_Operand, nodes=(FunctionCall,)):
    """Another function of one value is right: `exp(x)` becomes `(1.0 / (1.0 + exp(-x)))`."""

    def mutants(self, at: Place) -> Iterator[str]:
        if len(at.given) != 1 or not at.kind or at.of(at.given[0]) != at.kind:
            return
        whole, alone = at.given[0].text, _alone(at.given[0])
        if at.types.function(at.name):
            yield from (form.format(whole, alone) for form in _BUILT_IN)
        elif at.name in _OF_ONE:
            yield from (f"{other}({whole})" for other in at.scope.of_one(at.kind, at.node)[: LIMITS.paired_names])
            yield f"(1.0 / (1.0 + exp(-{alone})))"


class SquareForgotten(_Operand):
    """A variable is a factor twice and stands there once: `x + y` becomes `x * x + y`."""

    def mutants(self, at: Place) -> Iterator[str]:
        if not at.lanes:
            return
        if at.name == "abs":
            yield f"pow({at.text}, 2.0)"
        if not at.has(*NAMED) or at.has(FunctionCall):
            return
        sign = at.around if isinstance(at.parent, BinaryExpression) else ""
        if sign in SIGNS:
            square = f"{at.text} * {at.text}"
            yield square if sign in ("+", "*") or (sign == "-" and not at.is_first) else f"({square})"
        elif _is_argument(at):
            yield f"{at.text} * {at.text}"


def _is_argument(at: Place) -> bool:
    """Whether it is an argument of a function that computes values: not of a read, not of a constructor."""
    call = at.call
    if call is None or not at.types.function(at.called):
        return at.called in _ENDS | _OF_ONE | _OF_MORE
    return len(call.arguments) == 1 and at.of(call) == at.of(call.arguments[0])


class FunctionForgotten(_Operand, nodes=OPERANDS, kind="put in"):
    """An operand lacks a function of it, a factor or a summand: `x + y` becomes `abs(x) + y`."""

    def mutants(self, at: Place) -> Iterator[str]:
        if not at.kind:
            return
        inner, scope, few = bare(at.node), at.scope, LIMITS.paired_names
        text, alone = inner.text, _alone(inner)
        own = scope.of_one(at.kind, at.node)[:few]
        is_choice = isinstance(at.parent, ConditionalExpression) and at.parent.condition != at.node
        if is_choice or (isinstance(at.parent, BinaryExpression) and at.around in SIGNS):
            yield from (form.format(text, alone) for form in _THROUGH)
            yield from (f"{name}({text})" for name in own)
            if at.lanes and not at.has(Identifier, Parenthesised):
                kinds = dict.fromkeys((at.kind, "float"))
                yield from (f"({text} - {other})" for kind in kinds for other in at.names(kind)[:few])
        elif _is_argument(at):
            yield from (form.format(text, alone) for form in _ARGUMENT_THROUGH)
            if at.called in _OF_ONE:
                yield from (f"{factor} * {alone}" for factor in ("0.5", "2.0"))
                yield from (f"{text} - {other}" for other in at.names()[:few] if other != text)
            yield from (f"{name}({text})" for name in own if name != at.called)


class SummandMoved(TextOperator, kind="replaced"):
    """A summand is added after a function, and belongs into its argument; where that is computed, or right before.

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
