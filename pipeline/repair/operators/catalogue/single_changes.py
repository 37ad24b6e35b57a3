"""Changes a sign, an order, a lane or a number, groups what it adds and multiplies anew, or takes an operation away."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import (
    Assignment,
    BinaryExpression,
    BooleanLiteral,
    FieldAccess,
    FunctionCall,
    Identifier,
    NumberLiteral,
    Parenthesised,
    UnaryExpression,
)
from texelscope.pipeline.glsl.semantics.questions import (
    argument_of,
    arguments,
    bare,
    condition_of,
    function_called,
    names_in,
)
from texelscope.pipeline.glsl.semantics.statements import CompoundStatement, ForLoop, InitDeclarator
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import ALPHABETS, is_matrix, lanes_of, scalar_of, vector
from texelscope.pipeline.repair.operators.limits import LIMITS
from texelscope.pipeline.repair.operators.operator import ExpressionOperator, Made, TrialStage
from texelscope.pipeline.repair.operators.place import Place
from texelscope.pipeline.repair.operators.spelling import COMPARING, SUMS, as_number, number_in, outside
from texelscope.pipeline.repair.text.mutation import EXPRESSIONS, LEAVES, LOOPS, NUMBER, Mutation, Numbered

_SIGNS = {
    "+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",), "%": ("/",), "<": ("<=",), "<=": ("<",), ">": (">=",),
    ">=": (">",), "==": ("!=",), "!=": ("==",), "&&": ("||",), "||": ("&&",),
}  # fmt: skip
_WHOLE = ("int", "uint")
# The largest number, as people write it.
_LARGEST = 3.4e38
_FACTORS = frozenset("*/%")
# What a product takes without parentheses.
_ALONE = (*LEAVES, NumberLiteral, FunctionCall, Parenthesised)
_ADDED_TO = tuple(each for each in EXPRESSIONS if each not in (Parenthesised, NumberLiteral, BooleanLiteral))
_WHOLE_NUMBER = re.compile(r"(?P<value>\d+)(?P<ending>[uU]?)")
_HOLDING = (BinaryExpression, UnaryExpression, FunctionCall)


class _Single(ExpressionOperator, stage=TrialStage.SINGLE, kind="replaced"):
    def takes(self, at: Place) -> bool:
        return super().takes(at) and not at.has_effects

    def mutation(self, at: Place, made: Made) -> Mutation:
        """Leaves parentheses out where the author needs none; the schema keeps them."""
        return at.mutation(self.kind, _bare(made, at), made) if isinstance(made, str) else super().mutation(at, made)


def _bare(new: str, at: Place) -> str:
    """Removes the parentheses around a new text if it needs none here."""
    is_within = new.startswith("(") and new.endswith(")") and not outside(new)
    needs_none = is_within and (at.is_apart or re.fullmatch(r"[\w.]+(\([^()]*\))?", new[1:-1]))
    return new[1:-1] if needs_none else new


class _OfTwo(_Single, nodes=(BinaryExpression,)):
    def takes(self, at: Place) -> bool:
        return super().takes(at) and "" not in (at.kind, at.of(at.left), at.of(at.right))


class QuotientRoundedUp(_OfTwo):
    """A count in fours, or in tiles, is rounded down instead of up: `i / 4` becomes `(i + 3) / 4`."""

    def mutants(self, at: Place) -> Iterator[str]:
        left, step = at.left, at.right.text
        if at.sign != "/" or scalar_of(at.of(left)) not in _WHOLE or not isinstance(left, _ALONE):
            return
        number = _WHOLE_NUMBER.fullmatch(step)
        if number is not None and int(number["value"]) > 1:
            yield f"(({left.text} + {int(number['value']) - 1}{number['ending']}) / {step})"
        elif isinstance(at.right, Identifier) and at.shader.is_size(step):
            yield f"(({left.text} + {step} - 1{'u' * (at.kind == 'uint')}) / {step})"


class OtherSign(_OfTwo):
    """A sign, a comparison or a logical operator is another one: `x + y` becomes `x - y`."""

    def mutants(self, at: Place) -> Iterator[str]:
        sign, kinds = at.sign, [at.of(at.left), at.of(at.right)]
        scalar = scalar_of(kinds[0])
        # A quotient of whole numbers is 0 where small: that takes a summand away, which any line might.
        if any(map(is_matrix, kinds)) or (sign == "*" and scalar in _WHOLE):
            return
        if sign in ("<", ">") and scalar == "uint" and _is_turning(at.node):
            return
        for other in (*_SIGNS.get(sign, ()), *(("%",) if sign == "/" and scalar in _WHOLE else ())):
            new = f"{at.left.text} {other} {at.right.text}"
            yield f"({new})" if other == "||" else new  # other operators bind like the one they replace


def _is_turning(node: SyntaxNode) -> bool:
    """Whether the node is, or is in, the condition of a loop."""
    loop = next((each for each in node.ancestors() if isinstance(each, LOOPS)), None)
    return loop is not None and any(each is condition_of(loop) for each in (node, *node.ancestors()))


class OtherFactor(_OfTwo):
    """A factor is at the wrong summand, or one of a sum, or of a summand alone.

    `i * n + j` becomes `j * n + i`, `x + y * z` becomes `(x + y) * z`, `(x + y) * z` becomes `x + y * z`.
    A summand belongs under a root: `sqrt(x) + 1e-5` becomes `sqrt(x + 1e-5)`.
    """

    def takes(self, at: Place) -> bool:
        sides = (bare(side) for side in (at.left, at.right))
        parts = (part for side in sides for part in ((side.left, side.right) if isinstance(side, BinaryExpression)
                                                     else (side,)))  # fmt: skip
        return super().takes(at) and not any(is_matrix(at.of(part)) for part in parts)

    def mutants(self, at: Place) -> Iterator[str]:
        left, right, sign = at.left, at.right, at.sign
        for product, other in ((left, right), (right, left)) if sign == "+" else ():
            if isinstance(product, BinaryExpression) and product.operator == "*":
                alone = other.text if isinstance(other, _ALONE) else f"({other.text})"
                yield f"({alone} * {product.right.text} + {product.left.text})"
        if sign in SUMS and isinstance(right, BinaryExpression) and right.operator in _FACTORS:
            yield f"(({left.text} {sign} {right.left.text}) {right.operator} {right.right.text})"
        if sign in SUMS and function_called(left) == "sqrt":
            yield f"sqrt({next((each.text for each in arguments(left)), '')} {sign} {right.text})"
        inner = left.inner if isinstance(left, Parenthesised) else None
        if sign in _FACTORS and isinstance(inner, BinaryExpression) and inner.operator in SUMS:
            first, second = inner.left, inner.right.text
            yield f"({first.text} {inner.operator} {second} {sign} {right.text})"
            alone = first.text if first.operator not in SUMS else f"({first.text})"
            yield f"({alone} {sign} {right.text} {inner.operator} {second})"


class OperandsExchanged(_OfTwo):
    """Two operands are in the wrong order: `x - y` becomes `(y) - (x)`."""

    def mutants(self, at: Place) -> Iterator[str]:
        first, second = at.of(at.left), at.of(at.right)
        is_ordered = at.sign in ("-", "/", "%") and (first == second or 1 in (lanes_of(first), lanes_of(second)))
        if is_ordered or (is_matrix(first) != is_matrix(second) and at.sign == "*"):
            yield f"(({at.right.text}) {at.sign} ({at.left.text}))"


class OtherField(_Single, nodes=(FieldAccess,)):
    """Another lane, order of lanes or field is right: `v.x` becomes `v.y`, `v.xyz` becomes `v.zyx`."""

    def mutants(self, at: Place) -> Iterator[str]:
        if isinstance(at.node, FieldAccess) and not at.is_target:
            yield from (f"{at.node.argument.text}.{each}" for each in self._fields(at, at.node))

    @staticmethod
    def _fields(at: Place, node: FieldAccess) -> Iterator[str]:
        base, letters = node.argument, node.field.text
        fields = at.types.fields(at.of(base))
        yield from (other for other, kind in fields.items() if kind == fields.get(letters) and other != letters)
        members, before = at.types.members, f"{base.text}."
        if (own := members.get(at.text)) is not None:
            yield from (
                name.removeprefix(before) for name, kind in members.items() if kind == own and name.startswith(before)
            )
            return
        lanes, count = lanes_of(at.of(base)), len(letters)
        alphabet = next((each for each in ALPHABETS if {*letters} <= {*each}), "")
        if not alphabet or not lanes:
            return
        if count <= 2:
            yield from map("".join, itertools.product(alphabet[:lanes], repeat=count))
            return
        yield letters[::-1]
        if len({*letters}) == 1:  # one lane for all
            yield alphabet[:count]
        for a, b in itertools.combinations(range(count), 2):
            moved = list(letters)
            moved[a], moved[b] = moved[b], moved[a]
            yield "".join(moved)
        yield from (letters[turn:] + letters[:turn] for turn in range(1, count))
        yield letters[2::-1] + letters[3:]


class ArgumentsExchanged(_Single, nodes=(FunctionCall,)):
    """Arguments are in the wrong order, or have too few lanes: `pow(x, y)` becomes `pow(y, x)`."""

    def mutants(self, at: Place) -> Iterator[str]:
        name, given = at.name, at.given
        if not 2 <= len(given) <= 4 or not at.scalar:
            return
        texts, kinds = [each.text for each in given], [at.of(each) for each in given]
        base, _, letters = texts[0].rpartition(".")
        is_field = isinstance(given[0], FieldAccess)
        if name == "dot" and all(isinstance(each, FieldAccess) for each in given):
            yield f"dot({', '.join(text.rpartition('.')[0] for text in texts)})"
        if name == "dot" and is_field and (ones := _all_ones(given[1])):
            yield f"dot({base}, {ones})"
        is_padded = is_field and len(given) == 2 and isinstance(given[1], NumberLiteral)
        if is_padded and name == f"vec{len(letters) + 1}" and letters in ("xyz", "rgb", "xy", "rg"):
            yield f"{base}{'' if name == 'vec4' else '.xyz'}"
        places = tuple(range(len(given)))
        pairs = itertools.combinations(places, 2)
        for order in (*(tuple({a: b, b: a}.get(each, each) for each in places) for a, b in pairs), places[::-1]):
            if (all(kinds) or not any(kinds)) and [kinds[each] for each in order] == kinds:  # a macro's have no types
                yield f"{name}({', '.join(texts[each] for each in order)})"


def _all_ones(node: SyntaxNode) -> str:
    """Returns vec4(1.0) for a vector of ones, the factor that sums lanes; empty for anything else."""
    numbers = arguments(node) if function_called(node) in ("vec2", "vec3") else ()
    return f"vec4({numbers[0].text})" if len(numbers) == 1 and isinstance(numbers[0], NumberLiteral) else ""


class OppositeTruth(_Single, nodes=(BooleanLiteral,)):
    """A Boolean is the wrong one: `true` becomes `false`."""

    def mutants(self, at: Place) -> Iterator[str]:
        yield "false" if at.text == "true" else "true"


class OperationRemoved(_Single, nodes=_HOLDING):
    """An operation is one too many: `abs(x)` becomes `x`, `x - 1.0` becomes `x`."""

    def mutants(self, at: Place) -> Iterator[str]:
        if at.has(UnaryExpression) and at.sign == "-" and not at.kind:  # of a macro's parameter
            yield from (child.text for child in at.node.named_children)
        if _is_moved(at.node) or not at.kind:
            return
        pending = [(child, 1) for child in _expressions_in(at.node)]
        while pending:
            inner, depth = pending.pop(0)
            if at.of(inner) == at.kind and is_all_there(at.node, inner):
                yield f"({inner.text})"
            if depth < LIMITS.hoisted_depth:
                pending.extend((child, depth + 1) for child in _expressions_in(inner))


def is_all_there(node: SyntaxNode, inner: SyntaxNode) -> bool:
    """Whether the part beside `inner` uses no variable that `inner` lacks: a number, a repetition."""
    kept = {*names_in(inner)}
    return all(each.text in kept or isinstance(each.parent, FunctionCall) for each in node.of_type(Identifier))


def _expressions_in(node: SyntaxNode) -> list[SyntaxNode]:
    if isinstance(node, FunctionCall):
        return list(node.arguments)
    return [child for child in node.named_children if isinstance(child, EXPRESSIONS)]


def _is_moved(node: SyntaxNode) -> bool:
    """Whether the node alone is a loop's step: other steps are proposed separately."""
    inner = node
    for each in node.ancestors():
        if isinstance(each, LOOPS):
            return each.update == inner if isinstance(each, ForLoop) else True
        if isinstance(each, CompoundStatement):
            break
        inner = each
    return False


class NothingSummed(_Single):
    """A sum has a summand too many: `x += y;` becomes `x += float(0);`."""

    def mutants(self, at: Place) -> Iterator[str]:
        is_summed = isinstance(at.parent, Assignment) and not at.is_first and at.around in ("+=", "-=")
        if is_summed and at.scalar and not at.is_matrix:
            yield f"{at.kind}(0)"


class OtherNumber(_Single, nodes=(NumberLiteral,)):
    """A number is another one, near it or expected: `x * 2.0` becomes `x * 0.5`."""

    def mutants(self, at: Place) -> Iterator[Numbered]:
        if (value := number_in(at.text)) is None:
            return
        is_added, expected = isinstance(at.parent, BinaryExpression) and at.around in SUMS, at.expected
        given = (*expected.numbers, *expected.sizes, *expected.scalars)
        # Omitting an operand has the same effect as a neutral number.
        is_operand = isinstance(at.parent, BinaryExpression)
        neutral = {"+": 0.0, "-": 0.0, "*": 1.0, "/": 1.0}.get(at.around) if is_operand else None
        if at.kind in _WHOLE:
            near = (value - 1, value + 1, 0, 1, 2, value * 2, -value, value // 2, *given)
            lowest = 0 if at.kind == "uint" or is_added else -(1 << 23)
            for each in dict.fromkeys(near):
                is_whole = float(each).is_integer() and lowest <= each < 1 << 23
                if is_whole and each > -(1 << 23) and each not in (value, neutral):
                    yield str(int(each)), f"{at.kind}({NUMBER}.x)", (float(each), 0.0)
            return
        # A table would give thousands of mutants and no constants.
        for each in dict.fromkeys(expected.numbers if at.is_in_a_table else (*self._near(at, value), *given,
                                  *((value * 10, value / 10) if value not in (0.0, 1.0) else ()))):  # fmt: skip
            if float(each) != value and not (each < 0 and is_added) and each != neutral:
                yield as_number(each), f"{NUMBER}.x", (float(each), 0.0)

    @staticmethod
    def _near(at: Place, value: float) -> tuple[float, ...]:
        # A running maximum, or a minimum, starts at the lowest, or the highest.
        ends = (-_LARGEST, _LARGEST) if isinstance(at.parent, InitDeclarator) else ()
        return (*ends, value - 1, value + 1, value - 0.5, value + 0.5, 0, 1, 0.5, 2, value * 2, value / 2, -value)


class TwoLanesDoubled(_Single, nodes=(FieldAccess,), kind="swapped"):
    """Two of four lanes, as block products use them, are other ones: `v.xxyy` becomes `v.zzww`."""

    def mutants(self, at: Place) -> Iterator[Numbered]:
        base = argument_of(at.node)
        if not isinstance(at.node, FieldAccess) or not isinstance(base, Identifier) or at.is_target:
            return
        letters, name = at.node.field.text, base.text
        alphabet = next((each for each in ALPHABETS if {*letters} <= {*each}), "")
        if len(letters) != 4 or at.of(base) != "vec4" or not alphabet:
            return
        lanes = (f"{name}[int({each})]" for lane in "xy" for each in (f"mod({NUMBER}.{lane}, 4.0)",
                                                                      f"{NUMBER}.{lane} / 4.0"))  # fmt: skip
        template = f"vec4({', '.join(lanes)})"
        for a, b in itertools.product(range(4), repeat=2):
            for four in ((a, a, b, b), (a, b, a, b)):
                new = "".join(alphabet[each] for each in four)
                if new != letters:
                    yield f"{name}.{new}", template, (float(four[0] + 4 * four[1]), float(four[2] + 4 * four[3]))


class NumberAdded(_Single, nodes=_ADDED_TO, scalars="int float", kind="added"):
    """A whole value lacks a small or an expected addend: `exp(x)` becomes `exp(x) - 1.0`."""

    def takes(self, at: Place) -> bool:
        if not super().takes(at) or _is_moved(at.node) or at.is_target:
            return False
        if isinstance(at.parent, BinaryExpression) and at.around in SUMS:
            return False  # the sum is the same
        # A uniform's value is its owner's.
        return not (at.has(*LEAVES) and next(names_in(at.node), "") in at.types.uniforms)

    def mutants(self, at: Place) -> Iterator[Numbered]:
        is_float, text, numbers = at.scalar == "float", at.text, at.expected.numbers
        pair = (f"{NUMBER}.xy" if is_float else f"ivec2({NUMBER}.xy)") if at.lanes == 2 else at.one
        ones = (1.0, -1.0, *numbers, *(-each for each in numbers), *((0.5, -0.5) if is_float else ()))
        for each in dict.fromkeys(ones):
            if is_float or (each.is_integer() and abs(each) < 1 << 20):
                number = repr(each) if is_float else str(int(each))
                shown = f"{text} - {number[1:]}" if each < 0 else f"{text} + {number}"
                yield self._bound(at, shown), f"({text} + {pair})", (each, each)
        for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1)) if at.lanes == 2 else ():
            shown = f"{text} + {vector(at.scalar, 2)}({x}, {y})"
            yield self._bound(at, shown), f"({text} + {pair})", (float(x), float(y))

    @staticmethod
    def _bound(at: Place, shown: str) -> str:
        """Returns the sum in parentheses where it needs them."""
        is_read_off = argument_of(at.parent) is at.node
        needs_none = not is_read_off and (at.is_apart or at.around in COMPARING)
        return shown if needs_none else f"({shown})"
