"""Proposes other groupings and combinations of values, and other factors and divisors of them.

A function is over another part, a division is dropped, or a forgotten factor is one of a summand, of a product or of
the whole sum. A sum has the number of loop iterations that made it for its divisor. Values that are written out are
combined by their maximum, minimum, sum or mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from texelscope.pipeline.glsl.semantics.expressions import (
    BinaryExpression,
    ConditionalExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    NumberLiteral,
    Parenthesised,
    Subscript,
    UpdateExpression,
)
from texelscope.pipeline.glsl.semantics.questions import (
    arguments,
    bare,
    declared_name,
    function_around,
    function_called,
    sides_of,
)
from texelscope.pipeline.glsl.semantics.scope import NameScope
from texelscope.pipeline.glsl.semantics.statements import ForLoop, InitDeclarator
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, is_in_a_table, is_matrix, scalar_of
from texelscope.pipeline.repair.indices.index import enclosed
from texelscope.pipeline.repair.indices.lanes import whole_of_a_lane
from texelscope.pipeline.repair.text.mutation import Mutation, around, is_target, put, swap

_MOST_FACTORS = 4
_SUMS, _PRODUCTS = frozenset("+-"), frozenset("*/")
_ALONE = (Identifier, FieldAccess, FunctionCall, Parenthesised, Subscript)  # fmt: skip
# The nearest so many loops before a quotient, and the deepest nesting.
_MOST_LOOPS, _DEEPEST = 3, 3
# Sizes of a written-out window; other operators exchange two values.
_FEWEST, _MOST_LISTED = 3, 16
_LONGEST_LIST = 400
_ENDS = ("max", "min")
_SIGNS, _BOUNDS = ("+", "-", "*", "/"), frozenset({"max", "min", "clamp"})
# The nearest so many other integers.
_MOST_INTEGERS = 4
_LONGEST = 200


def factors(node: SyntaxNode, types: Types, scope: NameScope) -> Iterator[Mutation]:
    """Proposes replacements of a node that is a computed number."""
    text, kind, parent = node.text, types.of(node), node.parent
    if parent is None or is_target(node) or len(text) > _LONGEST or "#" in text or "//" in text:
        return
    if scalar_of(kind) != "float" or is_matrix(kind) or is_in_a_table(node):
        return
    if isinstance(node, BinaryExpression):
        yield from _regrouped(node)
    if isinstance(node, _ALONE):
        yield from _as_an_operand(node, kind, types, scope)


def _regrouped(node: SyntaxNode) -> Iterator[Mutation]:
    """Turns a * b - c into the product a * (b - c)."""
    (left, right), sign = sides_of(node), node.operator
    if sign in _SUMS and left is not None and right is not None and left.operator == "*":
        first, second = sides_of(left)
        if first is not None and second is not None:
            yield swap(node, f"{first.text} * ({second.text} {sign} {right.text})")


def _as_an_operand(node: SyntaxNode, kind: str, types: Types, scope: NameScope) -> Iterator[Mutation]:
    """Proposes a factor of an operand: a known variable, or one that its product has already."""
    parent, text = node.parent, node.text
    if parent is None:
        return
    if parent.operator in _SUMS:
        own = {each.text for each in parent.walk() if isinstance(each, Identifier | FieldAccess)}
        near = [name for name in scope.of_type(node, kind)[: 2 * _MOST_FACTORS] if name != text]
        for name in sorted(near, key=lambda name: name not in own)[:_MOST_FACTORS]:
            yield put(node, f"{text} * {name}")
    if parent.operator in _PRODUCTS and node is sides_of(parent)[1]:
        whole = _product(parent)
        factors = {each.text for each in whole.of_type(Identifier) if types.of(each) == kind}
        for name in sorted(factors)[:_MOST_FACTORS]:
            if parent.operator == "*":
                yield put(node, f"{text} * {name}")


def _product(node: SyntaxNode) -> SyntaxNode:
    """Returns the whole product that an operand belongs to."""
    for each in node.ancestors():
        if each.operator != "*":
            break
        node = each
    return node


def turns(node: SyntaxNode, types: Types, scope: NameScope) -> Iterator[Mutation]:
    """Proposes replacements of a divisor."""
    parent, function = node.parent, function_around(node)
    is_divisor = isinstance(parent, BinaryExpression) and parent.operator == "/" and parent.right is node
    if not is_divisor or function is None or types.of(node) != "float":
        return
    before = _loops(function, node.start_byte)
    known = {name for name, _ in scope.variables(node)} | {name for name, _ in types.visible("")} | {*types.macros}
    for loop in before[-_MOST_LOOPS:]:
        factors = [*_turns_of(loop)]
        names = {each.text for factor in factors for part in factor[:2] for each in part.walk()
                 if isinstance(each, Identifier) and scalar_of(types.of(each))}  # fmt: skip
        if factors and names <= known:
            counts = [_count(*factor) for factor in factors]
            new = counts[0] if len(counts) == 1 else " * ".join(f"({each})" if " " in each else each for each in counts)
            is_float = types.of(factors[0][1]) == "float"
            yield swap(node, f"({new})" if is_float else f"float({new})")


def _loops(function: SyntaxNode, stop: int) -> list[ForLoop]:
    """Returns outermost loops of a function that end before a byte."""
    every = [each for each in function.of_type(ForLoop) if each.end_byte <= stop]
    return [each for each in every if not any(outer in every for outer in each.ancestors())]


def _turns_of(loop: ForLoop) -> Iterator[tuple[SyntaxNode, SyntaxNode, SyntaxNode]]:
    """Yields begin, end and condition of a loop, and of the loops nested in it."""
    for _ in range(_DEEPEST):
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
    end = enclosed(last) if isinstance(last, ConditionalExpression) else last.text
    begins = bare(first).text.strip("0.") != ""
    count = f"{end} - {enclosed(first)}" if begins else end
    return f"{count} + 1" if asked.operator == "<=" else count


def gathered(node: SyntaxNode, types: Types) -> Iterator[Mutation]:
    """Proposes replacements of a whole expression."""
    text, kind = node.text, types.of(node)
    if is_target(node) or scalar_of(kind) != "float" or is_matrix(kind) or len(text) > _LONGEST_LIST or "#" in text:
        return
    parent = node.parent
    if parent is not None and isinstance(parent, BinaryExpression | Parenthesised):
        return
    yield from (swap(node, new) for new in _lengths(node, types, kind))
    own, members = _members(node, types, kind)
    if not _FEWEST <= len(members) <= _MOST_LISTED:
        return
    for name in _ENDS:
        if name != own:
            yield swap(node, _nested(name, members))
    whole = " + ".join(members)
    if own != "mean":
        yield swap(node, f"({whole}) / {float(len(members))}")
    if own in _ENDS:
        yield swap(node, f"({whole})")


def _lengths(node: SyntaxNode, types: Types, kind: str) -> Iterator[str]:
    """Yields the root of the sum of squares for |a| + |b|, and the other way round."""
    is_root = isinstance(node, FunctionCall) and function_called(node) == "sqrt"
    found = _of_sum(bare(arguments(node)[0] if is_root and len(arguments(node)) == 1 else node))
    if len(found) < 2 or any(types.of(each) != kind for each in found):
        return
    if is_root:
        pairs = [[part.text for part in each.named_children] for each in found if each.operator == "*"]
        if len(pairs) == len(found) and all(len(pair) == 2 and pair[0] == pair[1] for pair in pairs):
            yield " + ".join(f"abs({pair[0]})" for pair in pairs)
        return
    sides = [
        (arguments(each)[0]).text
        for each in found
        if isinstance(each, FunctionCall) and function_called(each) == "abs" and len(arguments(each)) == 1
    ]
    if len(sides) == len(found):
        yield f"sqrt({' + '.join(f'{side} * {side}' for side in (_enclosed(each) for each in sides))})"


def _members(node: SyntaxNode, types: Types, kind: str) -> tuple[str, list[str]]:
    """Returns by what an expression combines values of its own type, and these."""
    name = function_called(node) if isinstance(node, FunctionCall) else ""
    if name in _ENDS:
        return name, _of_calls(node, name)
    inner, is_mean = bare(node), False
    (left, right), sign = sides_of(inner), inner.operator
    if sign in ("*", "/") and left is not None and right is not None:
        for one, other in ((left, right), (right, left))[: 1 if sign == "/" else 2]:
            if isinstance(other, NumberLiteral):
                inner, is_mean = bare(one), True
                break
    found = _of_sum(inner)
    are_alike = all(types.of(each) == kind and not isinstance(each, NumberLiteral) for each in found)
    return ("mean" if is_mean else "sum"), [each.text for each in found] if are_alike else []


def _of_calls(node: SyntaxNode, name: str) -> list[str]:
    given = arguments(node)
    if not isinstance(node, FunctionCall) or function_called(node) != name or len(given) != 2:
        return [node.text] if not isinstance(node, NumberLiteral) else []
    return [each for part in given for each in _of_calls(part, name)]


def _of_sum(node: SyntaxNode) -> list[SyntaxNode]:
    left, right = sides_of(node)
    if node.operator != "+" or left is None or right is None:
        return [node]
    return [*_of_sum(left), *_of_sum(right)]


def _nested(name: str, members: list[str]) -> str:
    if len(members) == 1:
        return members[0]
    half = len(members) // 2
    return f"{name}({_nested(name, members[:half])}, {_nested(name, members[half:])})"


def _enclosed(text: str) -> str:
    return text if all(letter.isalnum() or letter in "._" for letter in text) else f"({text})"


def regrouped(node: SyntaxNode, types: Types, scope: NameScope) -> Iterator[Mutation]:
    """Proposes replacements of an expression."""
    text = node.text
    if is_target(node) or len(text) > _LONGEST or "#" in text or "//" in text:
        return
    for new in dict.fromkeys(_otherwise(node, types, scope)):
        if new != text:
            yield Mutation(node.start_byte, node.end_byte, text, new, "swapped", f"({new})")


def _otherwise(node: SyntaxNode, types: Types, scope: NameScope) -> Iterator[str]:
    left, right = sides_of(node)
    sign = node.operator
    kind = types.of(node)
    if left is not None and right is not None and not is_matrix(types.of(left)) and not is_matrix(types.of(right)):
        if sign in _SIGNS and scalar_of(kind) == "float":
            yield from _through(left, sign, right, types, scope)
        if sign in ("/", "%") and scalar_of(kind) == "int" and types.of(left) == kind:
            yield f"({left.text})"
        if sign == "<" and isinstance(right, NumberLiteral) and types.of(left) == "int":
            for other in scope.of_type(node, "int")[:_MOST_INTEGERS]:
                yield f"({left.text} <= {other})"
    yield from _out_of_bounds(node, types)
    yield from whole_of_a_lane(node, types)
    given = _only_argument(node, types, scope)
    if given is not None:
        inner = given.named_children[0] if isinstance(given, Parenthesised) else given
        a, b = sides_of(inner)
        inside = inner.operator
        if isinstance(inner, BinaryExpression) and a is not None and b is not None and inside in _SIGNS:
            name = node.children[0].text
            if types.of(a) == types.of(b) == kind:
                yield f"({name}({a.text}) {inside} {around(b)})"
                yield f"({around(a)} {inside} {name}({b.text}))"
    if isinstance(node, FunctionCall) and kind and _is_all_numbers(node):
        yield from (each for each in scope.of_type(node, kind)[:_MOST_INTEGERS] if scalar_of(kind) == "int")


def _through(left: SyntaxNode, sign: str, right: SyntaxNode, types: Types, scope: NameScope) -> Iterator[str]:
    """Turns f(a) + b into the function of the sum, and into the sum with the function of the other operand."""
    for call, other, is_first in ((left, right, True), (right, left, False)):
        if (bounds := _bounds(call, types)) and types.of(bounds[0]) == types.of(other):
            value, ends = around(bounds[0]), ", ".join(each.text for each in bounds[1:])
            both = f"{value} {sign} {around(other)}" if is_first else f"{around(other)} {sign} {value}"
            yield f"{function_called(call)}({both}, {ends})"
        given = _only_argument(call, types, scope)
        if given is None or types.of(other) != types.of(given):
            continue
        name = call.children[0].text
        first, second = (given, other) if is_first else (other, given)
        yield f"{name}({around(first)} {sign} {around(second)})"
        if not isinstance(other, NumberLiteral):
            moved = (around(given), f"{name}({other.text})")
            yield f"({' '.join((moved[0], sign, moved[1]) if is_first else (moved[1], sign, moved[0]))})"


def _out_of_bounds(node: SyntaxNode, types: Types) -> Iterator[str]:
    """Turns max(a + b, 0) into a sum with the bound at one summand."""
    bounds = _bounds(node, types)
    inner = bounds[0] if bounds else None
    if not isinstance(inner, BinaryExpression) or (sign := inner.operator) not in _SIGNS:
        return
    a, b = inner.left, inner.right
    if types.of(a) == types.of(b) == types.of(node):
        name, ends = function_called(node), ", ".join(each.text for each in bounds[1:])
        yield f"({name}({a.text}, {ends}) {sign} {around(b)})"
        yield f"({around(a)} {sign} {name}({b.text}, {ends}))"


def _bounds(call: SyntaxNode, types: Types) -> Sequence[SyntaxNode]:
    """Returns what is clamped, and the bounds, if these are written out."""
    if (
        not isinstance(call, FunctionCall)
        or function_called(call) not in _BOUNDS
        or scalar_of(types.of(call)) != "float"
    ):
        return []
    given = arguments(call)
    are_written = all(isinstance(each, NumberLiteral) or _is_all_numbers(each) for each in given[1:])
    return given if len(given) > 1 and are_written and types.of(given[0]) == types.of(call) else []


def _only_argument(call: SyntaxNode, types: Types, scope: NameScope) -> SyntaxNode | None:
    """Returns the only argument of a function with a result of the same type; no constructor, no read."""
    given = arguments(call) if isinstance(call, FunctionCall) else []
    if len(given) != 1 or scalar_of(types.of(call)) != "float" or types.of(call) != types.of(given[0]):
        return None
    name = call.children[0].text
    return (
        None
        if name in ("FLOAT", "vec2", "vec3", "vec4") or (scope.is_read(call) and not types.function(name))
        else given[0]
    )


def _is_all_numbers(call: SyntaxNode) -> bool:
    given = arguments(call)
    return bool(given) and all(isinstance(each, NumberLiteral) for each in given)
