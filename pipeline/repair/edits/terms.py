"""Proposes other terms: another variable, sampler or function, one more or one less.

`swapped` uses something else of the same type; `put_in` adds an operation to a value where it is assigned, returned or
passed to a constructor: an activation, a factor, a bias, another tensor's read, a guard.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator

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
    Subscript,
)
from texelscope.pipeline.glsl.semantics.questions import argument_of, function_called, sides_of
from texelscope.pipeline.glsl.semantics.scope import NameScope
from texelscope.pipeline.glsl.semantics.statements import ForLoop, InitDeclarator, ReturnStatement
from texelscope.pipeline.glsl.semantics.tree import Comment, SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, is_in_a_table, is_matrix, lanes_of, scalar_of
from texelscope.pipeline.repair.text.mutation import NUMBER, Mutation, is_target, put, swap, with_texts

_FAMILIES = (
    ("sin", "cos", "tan"), ("floor", "ceil", "round", "trunc", "fract"), ("min", "max"), ("exp", "exp2"),
    ("log", "log2"), ("sqrt", "inversesqrt", "abs"), ("tanh", "atan", "sinh", "exp"),
    ("equal", "notEqual"), ("lessThan", "lessThanEqual", "greaterThan", "greaterThanEqual"), ("any", "all"),
)  # fmt: skip
# Functions of integers too, while the rest of the family needs floats.
_ALSO_WHOLE = frozenset({"abs"})
_OF_ONE = ("abs({0})", "-({0})", "({0}) * ({0})", "sqrt({0})", "inversesqrt({0})", "exp({0})", "1.0 / ({0})",
           "log({0})", "tanh({0})", "1.0 / (1.0 + exp(-({0})))", "floor({0})", "round({0})", "1.0 - ({0})")  # fmt: skip
_RECTIFIED = ("max({0}, 0.0)", "min({0}, 0.0)", "clamp({0}, 0.0, 1.0)", "clamp({0}, 0.0, 6.0)")
_SLOPES = (0.01, 0.1, 0.2, 0.25, 0.5)
_TURNED = ("yzwx", "wxyz", "zyxw", "wzyx", "yxwz", "zwxy", "xzyw", "yxzw", "xywz")
# At most this many variables and reads are inserted at one place.
_MOST_PUT_IN, _MOST_READS = 6, 6
# A sum or product of more numbers and variables has too many pairs of them.
_MOST_LEAVES = 10
# Nothing is wrapped around longer expressions.
_LONGEST = 400
_DIVIDING = frozenset({"/", "%", ">>", "&"})
_LANES = frozenset({"float", "int", "uint"})
_VALUES = (InitDeclarator, Assignment, ReturnStatement)


def swapped(node: SyntaxNode, types: Types, scope: NameScope) -> Iterator[Mutation]:
    """Proposes other variables or functions in place of a node."""
    text, kind = node.text, types.of(node)
    if is_target(node) or len(text) > _LONGEST or "#" in text:
        return
    if isinstance(node, Identifier | FieldAccess) and scalar_of(kind) and not is_matrix(kind):
        for other in scope.of_type(node, kind):
            if other != text and not (isinstance(node, FieldAccess) and other.rpartition(".")[0] == text[:-2]):
                yield swap(node, other)
        if isinstance(node, FieldAccess) and kind in _LANES:
            yield from (swap(node, other) for other in _lanes_by(node, types, scope))
    elif isinstance(node, NumberLiteral) and kind == "int" and _is_within(node):
        yield from (swap(node, other) for other in scope.of_type(node, kind))
    elif isinstance(node, FunctionCall | Subscript):
        taking = _of_call if isinstance(node, FunctionCall) else _of_arrays
        yield from (swap(node, new) for new in taking(node, types, scope))
    elif isinstance(node, ConditionalExpression):
        first, second = node.consequence.text, node.alternative.text
        swapped = f"{node.condition.text} ? {second} : {first}"
        yield from (swap(node, f"({new})") for new in (first, second, swapped))
    elif isinstance(node, BinaryExpression) and node.operator in ("&&", "||"):
        yield from (swap(node, f"({part.text})") for part in node.named_children if not isinstance(part, Comment))
    if node.parent is None or not isinstance(node.parent, BinaryExpression | Parenthesised):
        yield from (swap(node, new) for new in _exchanged(node, types))


def _exchanged(node: SyntaxNode, types: Types) -> Iterator[str]:
    """Yields a whole sum or product with two numbers, or two variables, exchanged: strides, sizes, indices.

    A quotient and its remainder too.
    """
    if not isinstance(node, BinaryExpression | FunctionCall | Subscript):
        return
    every = [*node.walk()]
    leaves = [each for each in every if isinstance(each, Identifier | NumberLiteral) and scalar_of(types.of(each))]
    pairs = [*itertools.combinations(leaves, 2)] if len(leaves) <= _MOST_LEAVES else []
    for first, second in pairs if not isinstance(node, Subscript) else ():
        is_alike = type(first) is type(second) and types.of(first) == types.of(second) and first.text != second.text
        if is_alike and not is_matrix(types.of(first)):
            yield _with_exchanged(node, first, second)
    divided = [each for each in every if each.operator in _DIVIDING]
    for one, other in itertools.combinations(divided, 2):
        is_of_one = one.named_children[0].text == other.named_children[0].text
        if is_of_one and {one.operator, other.operator} in ({"/", "%"}, {">>", "&"}):
            yield _with_exchanged(node, one, other)


def _with_exchanged(node: SyntaxNode, first: SyntaxNode, second: SyntaxNode) -> str:
    """Returns the text of a node with two of its parts exchanged."""
    return with_texts(node, {first: second.text, second: first.text})


def _of_arrays(node: SyntaxNode, types: Types, scope: NameScope) -> Iterator[str]:
    """Yields the same element of another array, or buffer, of that type."""
    base = node.named_children[0]
    kind, index = types.of(base), node.text[len(base.text) :]
    if not kind.endswith("[]"):
        return
    outside = [name for name, own in types.visible("") if own == kind and scope.is_known(name, node)]
    others = [each for each in dict.fromkeys((*scope.of_type(node, kind), *outside)) if each not in types.written]
    yield from (f"{each}{index}" for each in others[:_MOST_PUT_IN] if each != base.text)


def _lanes_by(node: SyntaxNode, types: Types, scope: NameScope) -> Iterator[str]:
    """Yields an index in place of a constant lane of a vector."""
    base = argument_of(node)
    lanes = lanes_of(types.of(base)) if base is not None else 0
    if base is not None and lanes > 1:
        for index in scope.of_type(node, "int")[:_MOST_PUT_IN]:
            yield f"{base.text}[{index} % {lanes}]"


def _is_within(number: SyntaxNode) -> bool:
    """Whether a number is used further: it is an operand, or an argument of the shader's functions."""
    parent = number.parent
    if parent is not None and isinstance(parent, ArgumentList):
        return not _is_constructor(parent.parent)
    return parent is not None and isinstance(parent, BinaryExpression)


def _of_call(node: SyntaxNode, types: Types, scope: NameScope) -> Iterator[str]:
    if not isinstance(node, FunctionCall):
        return
    name, given, given_as = node.name, node.arguments, node.argument_list.text
    for family in _FAMILIES:
        if name in family and (scalar_of(types.of(node)) != "int" or name not in _ALSO_WHOLE):
            yield from (f"{other}{given_as}" for other in family if other != name)
    yield from (f"{other}{given_as}" for other in scope.alike(name, node)[:_MOST_PUT_IN])
    for place, argument in enumerate(given):
        kind = types.of(argument)
        if "sampler" in kind and isinstance(argument, Identifier):
            for other, own in scope.samplers:
                if own == kind and other != argument.text and scope.is_known(other, node):
                    texts = [other if i == place else each.text for i, each in enumerate(given)]
                    yield f"{name}({', '.join(texts)})"
    if name == "FLOAT" and len(given) == 1 and isinstance(given[0], BinaryExpression) and given[0].operator == "/":
        yield " / ".join(f"FLOAT({part.text})" for part in given[0].named_children)
    if name == "INT" and len(given) == 1 and types.of(given[0]) == "float":
        yield from (f"INT({other}({given[0].text}))" for other in ("floor", "round", "ceil"))
    if is_matrix(types.of(node)) and "x" not in types.of(node):
        yield f"transpose({node.text})"


def put_in(
    node: SyntaxNode, types: Types, scope: NameScope, numbers: tuple[float, ...], sizes: tuple[float, ...] = ()
) -> Iterator[Mutation]:
    """Proposes additional operations on the whole value of a node."""
    parent, text, kind = node.parent, node.text, types.of(node)
    scalar = scalar_of(kind)
    is_read_off = isinstance(node, NumberLiteral) and is_in_a_table(node)
    if parent is None or not scalar or is_matrix(kind) or len(text) > _LONGEST or "#" in text or "//" in text:
        return
    is_value = isinstance(parent, _VALUES) and sides_of(parent)[0] is not node
    is_part = isinstance(parent, ArgumentList) and _is_constructor(parent.parent)
    if is_read_off or not (is_value or is_part):
        return
    if scalar == "float" and isinstance(node, NumberLiteral):
        yield from (put(node, new) for new in _for_a_number(node, kind, scope))
        return
    if scalar == "float":
        yield from _of_floats(node, kind, numbers, sizes)
        yield from (put(node, f"{name}({text})") for name in scope.of_one(kind, node)[:_MOST_PUT_IN])
    elif scalar in ("int", "uint"):
        for number in dict.fromkeys((2.0, 4.0, *numbers)):
            if number.is_integer() and 1 < number < 1 << 16:
                for sign in "*/%":
                    one = f"{scalar}({NUMBER}.x)"
                    shown = f"({text}) {sign} {int(number)}" + "u" * (scalar == "uint")
                    yield put(node, shown, f"(({text}) {sign} {one})", (number, number))
    if scalar == "bool":
        if kind == "bool":
            yield put(node, f"!({text})")
        return
    yield from _with_variables(node, kind, scope, is_value=is_value)
    if scalar == "float":
        yield from _reads(node, kind, types, scope)


def _for_a_number(node: SyntaxNode, kind: str, scope: NameScope) -> Iterator[str]:
    """Yields variables in place of a literal float: a function of it would be just another number."""
    yield from scope.of_type(node, kind)[:_MOST_PUT_IN]
    for unused in scope.unused(node, kind):
        yield from (unused, f"{node.text} + {unused}", f"{node.text} - {unused}")


def _with_variables(node: SyntaxNode, kind: str, scope: NameScope, *, is_value: bool) -> Iterator[Mutation]:
    """Proposes a variable, or its square, as addend or factor; scalar factors of vectors too."""
    text, scalar = node.text, scalar_of(kind)
    others = [each for each in scope.of_type(node, kind)[:_MOST_PUT_IN] if each != text]
    for other in others:
        yield from (put(node, f"{text} {sign} {other}") for sign in "+-")
        yield from (put(node, f"({text}) {sign} {other}") for sign in ("*/" if scalar == "float" else "*"))
        if scalar == "float" and is_value:
            yield put(node, f"{text} - {other} * {other}")
    if scalar == "float" and kind != "float":
        for other in scope.of_type(node, "float")[:_MOST_PUT_IN]:
            yield from (put(node, f"({text}) {sign} {other}") for sign in "*/+-")


def bounded(node: SyntaxNode, types: Types, scope: NameScope) -> Iterator[Mutation]:
    """Proposes the other bound of a condition: v < 0 || v >= size, v >= 0 && v < size; or a farther one."""
    if not isinstance(node, BinaryExpression) or types.of(node.left) != "int":
        return
    left, right = node.left, node.right
    sign, asked, end = node.operator, node.text, right.text
    if not isinstance(left, Identifier | FieldAccess):
        return
    if sign in ("<", "<=") and node.parent is not None and isinstance(node.parent, ForLoop):
        yield from _turning(node, (left, right), types, scope)
    if sign in ("<", ">=") and end == "0":
        for size in scope.of_type(node, "int"):
            if size != left.text:
                other = f"|| {left.text} >= {size}" if sign == "<" else f"&& {left.text} < {size}"
                yield put(node, f"({asked} {other})")
    elif sign in (">=", "<"):
        yield put(node, f"({left.text} < 0 || {asked})" if sign == ">=" else f"({left.text} >= 0 && {asked})")


def _turning(
    node: SyntaxNode, sides: tuple[SyntaxNode, SyntaxNode], types: Types, scope: NameScope
) -> Iterator[Mutation]:
    """Proposes other ends of a loop: one size more, or a variable with that."""
    counted, end = sides[0].text, sides[1].text
    fixed = types.uniforms | types.constants | {*types.macros}
    others = [each for each in scope.of_type(node, "int") if each not in (counted, end)]
    yield from (put(sides[1], f"{end} + {each}") for each in others if each in fixed)
    if node.operator == "<":
        yield from (put(node, f"{counted} <= {each}") for each in others if each not in fixed)


def _of_floats(node: SyntaxNode, kind: str, numbers: tuple[float, ...], sizes: tuple[float, ...]) -> Iterator[Mutation]:
    text = node.text
    yield from (put(node, form.format(text, kind)) for form in (*_RECTIFIED, *_OF_ONE))
    for slope in dict.fromkeys((*(each for each in numbers if 0 < each < 1), *_SLOPES)):
        form = "max({0}, {1} * ({0}))"
        yield put(node, form.format(text, repr(slope)), form.format(text, f"{NUMBER}.x"), (slope, slope))
    for number in dict.fromkeys((2.0, 0.5, *numbers, *(1.0 / each for each in numbers if each))):
        yield put(node, f"({text}) * {number!r}", f"(({text}) * {NUMBER}.x)", (number, number))
    for size in sizes:
        root = math.sqrt(size)
        yield put(node, f"({text}) / {size!r}", f"(({text}) * {NUMBER}.x)", (1.0 / size, 1.0 / size))
        yield put(node, f"({text}) / sqrt({size!r})", f"(({text}) * {NUMBER}.x)", (1.0 / root, 1.0 / root))
    if lanes_of(kind) == 4:
        yield from (put(node, f"({text}).{letters}") for letters in _TURNED)


def _reads(node: SyntaxNode, kind: str, types: Types, scope: NameScope) -> Iterator[Mutation]:
    """Proposes a read of another tensor, like an existing read or by an unused function, as addend or factor."""
    text, seen = node.text, set[str]()
    for unused in scope.unused(node, kind):
        yield put(node, unused)
        yield from (put(node, f"{text} {sign} {unused}") for sign in "+-")
        yield put(node, f"({text}) * {unused}")
    for new in scope.in_place(node) if kind == "vec4" else ():
        seen.add(new)
        yield from (put(node, f"{text} {sign} {new}") for sign in "+-")
    for call in scope.reads(node):
        own = types.of(call)
        ending = "" if own == kind else ".x" if (kind, own) == ("float", "vec4") else None
        if ending is None:
            continue
        for new in (call.text, *_of_call(call, types, scope)):
            if new not in seen and len(seen) < _MOST_READS and "INT(" not in new:
                seen.add(new)
                yield from (put(node, f"{text} {sign} {new}{ending}") for sign in "+-")
                yield put(node, f"({text}) * {new}{ending}")


def _is_constructor(call: SyntaxNode | None) -> bool:
    return call is not None and re.fullmatch(r"[iu]?vec[234]|FLOAT|INT|UINT", function_called(call)) is not None
