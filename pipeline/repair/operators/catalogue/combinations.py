"""Combines values otherwise: by another function, with another factor, as a mean over another count, on other lanes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import (
    ArgumentList,
    BinaryExpression,
    ConditionalExpression,
    FunctionCall,
    Identifier,
    NumberLiteral,
    Parenthesised,
    Subscript,
    UpdateExpression,
)
from texelscope.pipeline.glsl.semantics.questions import (
    argument_of,
    arguments,
    bare,
    declared_name,
    function_around,
    function_called,
    sides_of,
)
from texelscope.pipeline.glsl.semantics.statements import ForLoop, InitDeclarator
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import scalar_of
from texelscope.pipeline.repair.operators.limits import LIMITS
from texelscope.pipeline.repair.operators.operator import ExpressionOperator, Made, TrialStage
from texelscope.pipeline.repair.operators.place import Place, Shader
from texelscope.pipeline.repair.operators.spelling import PRODUCTS, SIGNS, SUMS
from texelscope.pipeline.repair.text.mutation import LEAVES, OPERANDS, VALUES, enclosed, summands

_ENDS = ("max", "min")
# Each lane of a row or of a column twice, in both alphabets, and all swizzles that use lanes so.
_TWICE = ("xyxy", "zwzw", "xxzz", "yyww")
_TO_RGBA = str.maketrans("xyzw", "rgba")
_PACKED = re.compile(r"\.(?:xyxy|zwzw|xxzz|yyww|xxyy|zzww|rgrg|baba|rrbb|ggaa|rrgg|bbaa)\b")


class _Combined(ExpressionOperator, stage=TrialStage.COMBINED, scalars="float"):
    def takes(self, at: Place) -> bool:
        return super().takes(at) and not isinstance(at.parent, BinaryExpression | Parenthesised)


class OtherLength(_Combined):
    """A length is a root of squares, or a sum: `abs(x) + abs(y)` becomes `sqrt(x * x + y * y)`."""

    def mutants(self, at: Place) -> Iterator[str]:
        is_root = at.name == "sqrt"
        parts = summands(bare(at.given[0] if is_root and len(at.given) == 1 else at.node))
        if len(parts) < 2 or any(at.of(each) != at.kind for each in parts):
            return
        if is_root:
            pairs = [[part.text for part in each.named_children] for each in parts if each.operator == "*"]
            if len(pairs) == len(parts) and all(len(pair) == 2 and pair[0] == pair[1] for pair in pairs):
                yield " + ".join(f"abs({pair[0]})" for pair in pairs)
            return
        calls = [arguments(each) if function_called(each) == "abs" else () for each in parts]
        if all(len(given) == 1 for given in calls):
            sides = (given[0].text for given in calls)
            bound = [side if re.fullmatch(r"[\w.]+", side) else f"({side})" for side in sides]
            yield f"sqrt({' + '.join(f'{side} * {side}' for side in bound)})"


class OtherCombination(_Combined):
    """Values have another maximum, sum or mean: `x + y + z` becomes `max(x, max(y, z))`."""

    def mutants(self, at: Place) -> Iterator[str]:
        own, members = _members(at)
        if not LIMITS.fewest_combined <= len(members) <= LIMITS.most_combined:
            return
        yield from (_nested(name, members) for name in _ENDS if name != own)
        whole = " + ".join(members)
        if own != "mean":
            yield f"({whole}) / {float(len(members))}"
        if own in _ENDS:
            yield f"({whole})"


def _members(at: Place) -> tuple[str, list[str]]:
    """Returns by what an expression combines values of its own type, and these."""
    if at.name in _ENDS:
        return at.name, _of_calls(at.node, at.name)
    inner = bare(at.node)
    (left, right), own = sides_of(inner), "sum"
    if left is not None and right is not None and inner.operator in PRODUCTS:
        for one, other in ((left, right), (right, left))[: 1 if inner.operator == "/" else 2]:
            if isinstance(other, NumberLiteral):
                inner, own = bare(one), "mean"
                break
    parts = summands(inner)
    are_alike = all(at.of(each) == at.kind and not isinstance(each, NumberLiteral) for each in parts)
    return own, [each.text for each in parts] if are_alike else []


def _of_calls(node: SyntaxNode, name: str) -> list[str]:
    given = arguments(node)
    if function_called(node) != name or len(given) != 2:
        return [node.text] if not isinstance(node, NumberLiteral) else []
    return [each for part in given for each in _of_calls(part, name)]


def _nested(name: str, members: list[str]) -> str:
    if len(members) == 1:
        return members[0]
    half = len(members) // 2
    return f"{name}({_nested(name, members[:half])}, {_nested(name, members[half:])})"


class _Letters:
    """Whether a shader uses lanes twice anywhere, and with which letters."""

    def __init__(self, shader: Shader) -> None:
        source = shader.source
        self.are_doubled = _PACKED.search(source) is not None
        self.are_colours = len(re.findall(r"\.[rgba]{1,4}\b", source)) > len(re.findall(r"\.[xyzw]{1,4}\b", source))


class LanesDoubled(ExpressionOperator, stage=TrialStage.LANES, types="vec4"):
    """A texel of two rows and columns has other lanes: `vec4(v.x)` becomes `vec4(v.xy, v.xy)`."""

    def takes(self, at: Place) -> bool:
        return super().takes(at) and not at.is_in_a_table

    def mutants(self, at: Place) -> Iterator[str]:
        base = argument_of(at.given[0]) if at.name == "vec4" and len(at.given) == 1 else None
        if base is not None and at.of(base) == "vec4" and at.of(at.given[0]) == "float":
            is_colour = at.given[0].text.rpartition(".")[2] in "rgba"
            yield base.text
            for four in (each.translate(_TO_RGBA) if is_colour else each for each in _TWICE):
                yield f"vec4({base.text}.{four[:2]}, {base.text}.{four[2:]})"
        letters = at.shader.fact(_Letters)
        if letters.are_doubled and at.has(Identifier, FunctionCall, Subscript):
            is_operand = isinstance(at.parent, BinaryExpression) and at.around in SIGNS
            for four in _TWICE if is_operand or isinstance(at.parent, (*VALUES, ArgumentList)) else ():
                yield f"{at.text}.{four.translate(_TO_RGBA) if letters.are_colours else four}"


class _Factor(ExpressionOperator, stage=TrialStage.FACTORS, scalars="float"):
    def takes(self, at: Place) -> bool:
        return super().takes(at) and not at.is_in_a_table


class FactorOfTheDifference(_Factor, nodes=(BinaryExpression,)):
    """A factor of the first summand belongs to the sum: `x * y - z` becomes `x * (y - z)`."""

    def mutants(self, at: Place) -> Iterator[str]:
        product = at.left
        if at.sign in SUMS and isinstance(product, BinaryExpression) and product.operator == "*":
            yield f"{product.left.text} * ({product.right.text} {at.sign} {at.right.text})"


class FactorForgotten(_Factor, nodes=OPERANDS, kind="put in"):
    """An operand lacks a factor that is known, or that its product has: `x + y` becomes `x + y * z`."""

    def mutants(self, at: Place) -> Iterator[str]:
        parent, few = at.parent, LIMITS.paired_names
        if at.around in SUMS:
            own = {each.text for each in parent.of_type(*LEAVES)}
            near = [name for name in at.names()[: 2 * few] if name != at.text]
            yield from (f"{at.text} * {name}" for name in sorted(near, key=lambda name: name not in own)[:few])
        if at.around == "*" and not at.is_first:
            whole = parent
            for each in parent.ancestors():
                if each.operator != "*":
                    break
                whole = each
            factors = {each.text for each in whole.of_type(Identifier) if at.of(each) == at.kind}
            yield from (f"{at.text} * {name}" for name in sorted(factors)[:few])


class CountOfALoop(ExpressionOperator, stage=TrialStage.COUNTS, types="float"):
    """A mean has another divisor than the number of iterations that made its sum.

    `for (int k = 0; k < n; k++) x += y; z = x / 4.0;` becomes
    `for (int k = 0; k < n; k++) x += y; z = x / float(n);`.
    """

    def takes(self, at: Place) -> bool:
        return isinstance(at.parent, BinaryExpression) and at.around == "/" and not at.is_first and super().takes(at)

    def mutants(self, at: Place) -> Iterator[Made]:
        function = function_around(at.node)
        every = [each for each in function.of_type(ForLoop) if each.end_byte <= at.node.start_byte] if function else []
        outermost = [each for each in every if not any(outer in every for outer in each.ancestors())]
        if not outermost:
            return
        outside = {name for name, _ in at.types.visible("")} | {*at.types.macros}
        known = {name for name, _ in at.scope.variables(at.node)} | outside
        for loop in outermost[-LIMITS.loop_depth :]:
            factors = [*_turns_of(loop)]
            names = {each.text for factor in factors for part in factor[:2] for each in part.of_type(Identifier)
                     if scalar_of(at.of(each))}  # fmt: skip
            if factors and names <= known:
                counts = [_count(*factor) for factor in factors]
                is_one = len(counts) == 1
                new = counts[0] if is_one else " * ".join(f"({each})" if " " in each else each for each in counts)
                yield f"({new})" if at.of(factors[0][1]) == "float" else f"float({new})"


def _turns_of(loop: ForLoop) -> Iterator[tuple[SyntaxNode, SyntaxNode, SyntaxNode]]:
    """Yields begin, end and condition of a loop, and of the loops nested in it."""
    for _ in range(LIMITS.loop_depth):
        start, asked, step = loop.initializer, loop.condition, loop.update
        begun = next(start.of_type(InitDeclarator), None) if start is not None else None
        left, last = sides_of(asked) if asked is not None else (None, None)
        if begun is None or asked is None or left is None or last is None or step is None:
            return
        is_one = isinstance(step, UpdateExpression) or step.text.replace(" ", "").endswith(("+=1", "+=1.0"))
        if not is_one or asked.operator not in ("<", "<=") or left.text != declared_name(begun):
            return
        yield begun.value, last, asked
        inner = next((each for each in loop.of_type(ForLoop) if each != loop), None)
        if inner is None:
            return
        loop = inner


def _count(first: SyntaxNode, last: SyntaxNode, asked: SyntaxNode) -> str:
    count = enclosed(last) if isinstance(last, ConditionalExpression) else last.text
    if bare(first).text.strip("0.") != "":
        count = f"{count} - {enclosed(first)}"
    return f"{count} + 1" if asked.operator == "<=" else count
