"""Makes two related changes at once: a name in all its places, a stride with what it counts, a function written out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import (
    BinaryExpression,
    FieldAccess,
    FunctionCall,
    NumberLiteral,
    Parenthesised,
    Subscript,
)
from texelscope.pipeline.glsl.semantics.questions import argument_of, arguments, function_called
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import is_matrix, lanes_of, scalar_of
from texelscope.pipeline.repair.operators.limits import LIMITS
from texelscope.pipeline.repair.operators.operator import ExpressionOperator, TrialStage
from texelscope.pipeline.repair.operators.place import COUNTS, Place
from texelscope.pipeline.repair.operators.spelling import PRODUCTS, SUMS
from texelscope.pipeline.repair.text.mutation import LEAVES, around, leaves_of, summands, with_texts

# Functions of a value that layers have.
_FUNCTIONS = (
    "1.0 / (1.0 + exp(-{0}))", "tanh({0})", "max({0}, 0.0)", "clamp({0}, 0.0, 6.0)", "clamp({0} / 6.0 + 0.5, 0.0, 1.0)",
    "clamp(0.2 * {0} + 0.5, 0.0, 1.0)", "{0} / (1.0 + exp(-{0}))", "{0} * clamp({0} / 6.0 + 0.5, 0.0, 1.0)",
    "log(1.0 + exp({0}))", "{0} / (1.0 + abs({0}))", "{0} * tanh(log(1.0 + exp({0})))", "exp({0})", "abs({0})",
    "{0} * {0}", "sqrt({0})", "{0}", "{0} / (1.0 + exp(-1.702 * {0}))",
    "0.5 * {0} * (1.0 + tanh(0.7978845608 * ({0} + 0.044715 * {0} * {0} * {0})))",
)  # fmt: skip
_ALPHABETS = ("xyzw", "rgba")


class NameInAllPlaces(ExpressionOperator, stage=TrialStage.REWRITTEN, nodes=(BinaryExpression, FunctionCall)):
    """One name is wrong wherever an expression has it: `x * z + x` becomes `y * z + y`."""

    def mutants(self, at: Place) -> Iterator[str]:
        parts = at.node.argument_list if isinstance(at.node, FunctionCall) else at.node
        within = [[*leaves_of(part)] for part in parts.named_children]
        leaves = [leaf for some in within for leaf in some]
        counts = Counter(name for some in within for name in {leaf.text for leaf in some})
        for name in dict.fromkeys(leaf.text for leaf in leaves):
            places = [leaf for leaf in leaves if leaf.text == name]
            kind = at.of(places[0])
            if counts[name] < 2 or not scalar_of(kind) or is_matrix(kind):
                continue
            names = at.scope.of_type(at.node, kind)[: LIMITS.repeated_names]
            for other in dict.fromkeys((*(at.sizes if kind == "int" else ()), *names)):
                # An array's elements vary and may be absent.
                is_fixed = at.shader.is_size(other) and any(map(_is_index, places))
                if other != name and not is_fixed:
                    yield with_texts(at.node, dict.fromkeys(places, other))


def _is_index(node: SyntaxNode) -> bool:
    outer = node.parent
    while isinstance(outer, BinaryExpression | Parenthesised):
        outer = outer.parent
    return isinstance(outer, Subscript)


class OtherStride(ExpressionOperator, stage=TrialStage.REWRITTEN, nodes=(BinaryExpression,), types="int"):
    """An index counts along the wrong axis: `i * n + j` becomes `(j * u_size.x + i)`."""

    def mutants(self, at: Place) -> Iterator[str]:
        if at.sign != "+":
            return
        sizes = dict.fromkeys((*at.sizes, *(f"{each:g}" for each in COUNTS)))
        for product, other in ((at.left, at.right), (at.right, at.left)):
            if not isinstance(product, BinaryExpression) or product.operator != "*":
                continue
            factors = [each.text for each in product.named_children]
            is_alone = isinstance(other, (*LEAVES, FunctionCall, Parenthesised))
            outer = other.text if is_alone else f"({other.text})"
            for inner, stride in (factors, factors[::-1]):
                for size in sizes:
                    if size not in (inner, outer):
                        yield f"({outer} * {size} + {inner})"
                    if size not in (inner, stride, outer):
                        yield f"({inner} * {size} + {outer})"


class OtherGroups(ExpressionOperator, stage=TrialStage.REWRITTEN, nodes=(BinaryExpression,)):
    """A quotient or a factor is one of another part: `x / y + z` becomes `((x + z) / y)`."""

    def mutants(self, at: Place) -> Iterator[str]:
        left, right, sign = at.left, at.right, at.sign
        if not at.kind or any(
            is_matrix(at.of(each)) for each in (left, right, *left.named_children, *right.named_children)
        ):
            return
        if sign in SUMS and isinstance(left, BinaryExpression) and left.operator in PRODUCTS:
            a, k, other = left.left.text, left.right.text, around(right)
            yield f"(({a} {sign} {other}) {left.operator} {k})"
            yield f"({a} {left.operator} ({k} {sign} {other}))"
        inner = right.named_children[0] if isinstance(right, Parenthesised) and len(right.named_children) else None
        if not isinstance(inner, BinaryExpression) or inner.operator not in SUMS:
            return
        a, b = inner.left.text, around(inner.right)
        if sign == "/":
            yield f"({left.text} / {around(inner.left)} {inner.operator} {b})"
        if sign == "*":
            yield f"({a} {inner.operator} {left.text} * {b})"
            yield f"({left.text} * {around(inner.left)} {inner.operator} {b})"


class SizeRemoved(ExpressionOperator, stage=TrialStage.REWRITTEN, nodes=(BinaryExpression,), types="int"):
    """An index has a size added or subtracted that does not belong there: `i + n` becomes `i`."""

    def mutants(self, at: Place) -> Iterator[str]:
        if at.sign in SUMS and at.shader.is_size(at.right.text):
            yield at.left.text
        if at.sign == "+" and at.shader.is_size(at.left.text):
            yield at.right.text


class LanesLeftOut(
    ExpressionOperator, stage=TrialStage.REWRITTEN, nodes=(BinaryExpression, FunctionCall), scalars="float int"
):
    """A sum or maximum of lanes lacks some: `v.x + v.y + v.z` becomes `v.x + v.y + v.z + v.w`."""

    def mutants(self, at: Place) -> Iterator[str]:
        if at.lanes != 1:
            return
        parts = [*at.given] if at.name else summands(at.node)
        if at.name and (at.name not in ("max", "min") or at.kind != "float"):
            return
        while at.name and (inner := [each for each in parts if function_called(each) == at.name]):
            parts = [each for each in parts if each not in inner] + [each for part in inner for each in arguments(part)]
        base = argument_of(parts[0]) if parts else None
        if base is None or any(not isinstance(each, FieldAccess) for each in parts):
            return
        lanes = {each.text.rpartition(".")[2] for each in parts}
        bases = {each.text.rpartition(".")[0] for each in parts}
        if at.name:
            are_three = len({each.text for each in parts}) == len(parts) == 3 and len(bases) == 1
            for letters in _ALPHABETS if are_three and at.of(base) == "vec4" else ():
                if len(left := {*letters} - {each[-1] for each in lanes}) == 1:
                    yield f"{at.name}({at.text}, {base.text}.{left.pop()})"
        elif at.sign == "+" and not (isinstance(at.parent, BinaryExpression) and at.around == "+") and len(bases) == 1:
            for every in (letters[: lanes_of(at.of(base))] for letters in _ALPHABETS):
                if lanes < {*every}:
                    yield " + ".join(f"{base.text}.{letter}" for letter in every)


class OtherActivation(ExpressionOperator, stage=TrialStage.REWRITTEN, scalars="float"):
    """Another function of the one variable is right, as layers have it: `max(x, 0.0)` becomes `tanh(x)`."""

    def mutants(self, at: Place) -> Iterator[str]:
        is_part = lanes_of(at.called) > 1
        if (not is_part and not at.is_value) or at.has(*LEAVES, NumberLiteral):
            return
        leaves = [*leaves_of(at.node)]
        names = {leaf.text for leaf in leaves}
        if len(names) == 1 and all(at.of(leaf) == at.kind for leaf in leaves) and not names & at.types.uniforms:
            yield from (form.format(next(iter(names))) for form in _FUNCTIONS)


class ValueForANumber(ExpressionOperator, stage=TrialStage.REWRITTEN, nodes=(NumberLiteral,), scalars="float"):
    """A number of a quotient has to be a computed value: `x / 4.0` becomes `x / float(p.x * p.y)`."""

    def mutants(self, at: Place) -> Iterator[str]:
        if not isinstance(at.parent, BinaryExpression) or at.around not in PRODUCTS or at.is_in_a_table:
            return
        fixed, few = at.shader.fixed, LIMITS.divisors
        for kind, form in (("float", "{0}"), ("int", "float({0})")):
            names = [each for each in at.scope.of_type(at.node, kind) if each.split(".")[0] not in fixed]
            yield from (form.format(each) for each in names[:few])
        sides = [name for name, kind in at.scope.variables(at.node) if kind == "ivec2" and name not in fixed]
        yield from (f"float({name}.x * {name}.y)" for name in sides[:few])
