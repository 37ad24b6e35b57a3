"""Other things that a shader may have meant to take or to do: another variable, sampler or function, one more or less.

`swapped` takes something of the same type in place of what is there; `put_in` does something more with a value where it
is assigned, returned or given to a constructor: an activation, a factor, a bias, another tensor's read, a guard.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator

import tree_sitter

from texelscope.pipeline.glsl.syntax import function_called, text_of, walk
from texelscope.pipeline.repair.words.mutation import NUMBER, Mutation, is_target, put, sign_of, swap
from texelscope.pipeline.repair.words.scope import NameScope
from texelscope.pipeline.repair.words.types import Types, is_in_a_table, is_matrix, lanes_of, scalar_of

_FAMILIES = (
    ("sin", "cos", "tan"), ("floor", "ceil", "round", "trunc", "fract"), ("min", "max"), ("exp", "exp2"),
    ("log", "log2"), ("sqrt", "inversesqrt", "abs"), ("tanh", "atan", "sinh", "exp"),
    ("equal", "notEqual"), ("lessThan", "lessThanEqual", "greaterThan", "greaterThanEqual"), ("any", "all"),
)  # fmt: skip
# Of whole numbers too, where the others of its family are of floats alone.
_ALSO_WHOLE = frozenset({"abs"})
_OF_ONE = ("abs({0})", "-({0})", "({0}) * ({0})", "sqrt({0})", "inversesqrt({0})", "exp({0})", "1.0 / ({0})",
           "log({0})", "tanh({0})", "1.0 / (1.0 + exp(-({0})))", "floor({0})", "round({0})", "1.0 - ({0})")  # fmt: skip
_RECTIFIED = ("max({0}, 0.0)", "min({0}, 0.0)", "clamp({0}, 0.0, 1.0)", "clamp({0}, 0.0, 6.0)")
_SLOPES = (0.01, 0.1, 0.2, 0.25, 0.5)
_TURNED = ("yzwx", "wxyz", "zyxw", "wzyx", "yxwz", "zwxy", "xzyw", "yxzw", "xywz")
# Of variables and of reads, at most so many are put in at one place.
_MOST_PUT_IN, _MOST_READS = 6, 6
# A sum or product of more numbers and variables than this has too many pairs of them.
_MOST_LEAVES = 10
# An expression that something is put around is no longer than this.
_LONGEST = 400
_DIVIDING = frozenset({"/", "%", ">>", "&"})
_LANES = frozenset({"float", "int", "uint"})
_VALUES = frozenset({"init_declarator", "assignment_expression", "return_statement"})


def swapped(node: tree_sitter.Node, types: Types, scope: NameScope) -> Iterator[Mutation]:
    """What is taken or called in place of what a node says."""
    text, kind = text_of(node), types.of(node)
    if is_target(node) or len(text) > _LONGEST or "#" in text:
        return
    if node.type in ("identifier", "field_expression") and scalar_of(kind) and not is_matrix(kind):
        for other in scope.of_type(node, kind):
            if other != text and not (node.type == "field_expression" and other.rpartition(".")[0] == text[:-2]):
                yield swap(node, other)
        if node.type == "field_expression" and kind in _LANES:
            yield from (swap(node, other) for other in _lanes_by(node, types, scope))
    elif node.type == "number_literal" and kind == "int" and _is_within(node):
        yield from (swap(node, other) for other in scope.of_type(node, kind))
    elif node.type in ("call_expression", "subscript_expression"):
        taking = _of_call if node.type == "call_expression" else _of_arrays
        yield from (swap(node, new) for new in taking(node, types, scope))
    elif node.type == "conditional_expression":
        parts = [node.child_by_field_name(name) for name in ("condition", "consequence", "alternative")]
        if all(part is not None for part in parts):
            asked, first, second = (text_of(part) for part in parts if part is not None)
            yield from (swap(node, f"({new})") for new in (first, second, f"{asked} ? {second} : {first}"))
    elif node.type == "binary_expression" and sign_of(node) in ("&&", "||"):
        yield from (swap(node, f"({text_of(part)})") for part in node.named_children if part.type != "comment")
    if node.parent is None or node.parent.type not in ("binary_expression", "parenthesized_expression"):
        yield from (swap(node, new) for new in _exchanged(node, types))


def _exchanged(node: tree_sitter.Node, types: Types) -> Iterator[str]:
    """Two numbers, or two variables, of a whole sum or product exchanged: strides, sizes, an index for another.

    A quotient and its remainder too.
    """
    if node.type not in ("binary_expression", "call_expression", "subscript_expression"):
        return
    every = [*walk(node)]
    leaves = [each for each in every if each.type in ("identifier", "number_literal") and scalar_of(types.of(each))]
    pairs = [*itertools.combinations(leaves, 2)] if len(leaves) <= _MOST_LEAVES else []
    for first, second in pairs if node.type != "subscript_expression" else ():
        is_alike = first.type == second.type and types.of(first) == types.of(second) and first.text != second.text
        if is_alike and not is_matrix(types.of(first)):
            yield _with_exchanged(node, first, second)
    divided = [each for each in every if sign_of(each) in _DIVIDING]
    for first, second in itertools.combinations(divided, 2):
        is_of_one = first.named_children[0].text == second.named_children[0].text
        if is_of_one and {sign_of(first), sign_of(second)} in ({"/", "%"}, {">>", "&"}):
            yield _with_exchanged(node, first, second)


def _with_exchanged(node: tree_sitter.Node, first: tree_sitter.Node, second: tree_sitter.Node) -> str:
    """The text of a node with two parts of it in each other's place, of which the first one stands before the other."""
    whole, start = node.text or b"", node.start_byte
    a, b, c, d = (each - start for each in (first.start_byte, first.end_byte, second.start_byte, second.end_byte))
    return (whole[:a] + whole[c:d] + whole[b:c] + whole[a:b] + whole[d:]).decode()


def _of_arrays(node: tree_sitter.Node, types: Types, scope: NameScope) -> Iterator[str]:
    """The same element of another array, or buffer, of elements of that type."""
    base = node.named_children[0]
    kind, index = types.of(base), text_of(node)[len(text_of(base)) :]
    if not kind.endswith("[]"):
        return
    outside = [name for name, own in types.visible("") if own == kind and scope.is_known(name, node)]
    others = [each for each in dict.fromkeys((*scope.of_type(node, kind), *outside)) if each not in types.written]
    yield from (f"{each}{index}" for each in others[:_MOST_PUT_IN] if each != text_of(base))


def _lanes_by(node: tree_sitter.Node, types: Types, scope: NameScope) -> Iterator[str]:
    """In place of one lane of a vector that which an index says."""
    base = node.child_by_field_name("argument")
    lanes = lanes_of(types.of(base)) if base is not None else 0
    if base is not None and lanes > 1:
        for index in scope.of_type(node, "int")[:_MOST_PUT_IN]:
            yield f"{text_of(base)}[{index} % {lanes}]"


def _is_within(number: tree_sitter.Node) -> bool:
    """Whether more is made of a number than what it says: it is an operand, or what a function of the shader takes."""
    parent = number.parent
    if parent is not None and parent.type == "argument_list":
        return not _is_constructor(parent.parent)
    return parent is not None and parent.type == "binary_expression"


def _of_call(node: tree_sitter.Node, types: Types, scope: NameScope) -> Iterator[str]:
    name, arguments = function_called(node), node.child_by_field_name("arguments")
    if arguments is None:
        return
    given = arguments.named_children
    for family in _FAMILIES:
        if name in family and (scalar_of(types.of(node)) != "int" or name not in _ALSO_WHOLE):
            yield from (f"{other}{text_of(arguments)}" for other in family if other != name)
    yield from (f"{other}{text_of(arguments)}" for other in scope.alike(name, node)[:_MOST_PUT_IN])
    for place, argument in enumerate(given):
        kind = types.of(argument)
        if "sampler" in kind and argument.type == "identifier":
            for other, own in scope.samplers:
                if own == kind and other != text_of(argument) and scope.is_known(other, node):
                    texts = [other if i == place else text_of(each) for i, each in enumerate(given)]
                    yield f"{name}({', '.join(texts)})"
    if name == "FLOAT" and len(given) == 1 and given[0].type == "binary_expression" and sign_of(given[0]) == "/":
        yield " / ".join(f"FLOAT({text_of(part)})" for part in given[0].named_children)
    if name == "INT" and len(given) == 1 and types.of(given[0]) == "float":
        yield from (f"INT({other}({text_of(given[0])}))" for other in ("floor", "round", "ceil"))
    if is_matrix(types.of(node)) and "x" not in types.of(node):
        yield f"transpose({text_of(node)})"


def put_in(
    node: tree_sitter.Node, types: Types, scope: NameScope, numbers: tuple[float, ...], sizes: tuple[float, ...] = ()
) -> Iterator[Mutation]:
    """What is done beside with a value that a node gives as a whole."""
    parent, text, kind = node.parent, text_of(node), types.of(node)
    scalar = scalar_of(kind)
    is_read_off = node.type == "number_literal" and is_in_a_table(node)
    if parent is None or not scalar or is_matrix(kind) or len(text) > _LONGEST or "#" in text or "//" in text:
        return
    is_value = parent.type in _VALUES and parent.child_by_field_name("left") != node
    is_part = parent.type == "argument_list" and _is_constructor(parent.parent)
    if is_read_off or not (is_value or is_part):
        return
    if scalar == "float" and node.type == "number_literal":
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


def _for_a_number(node: tree_sitter.Node, kind: str, scope: NameScope) -> Iterator[str]:
    """What was meant where a float is written out: a function of it would be another number."""
    yield from scope.of_type(node, kind)[:_MOST_PUT_IN]
    for unused in scope.unused(node, kind):
        yield from (unused, f"{text_of(node)} + {unused}", f"{text_of(node)} - {unused}")


def _with_variables(node: tree_sitter.Node, kind: str, scope: NameScope, *, is_value: bool) -> Iterator[Mutation]:
    """A variable added or taken off, or its square; a factor, of a vector a scalar one too."""
    text, scalar = text_of(node), scalar_of(kind)
    others = [each for each in scope.of_type(node, kind)[:_MOST_PUT_IN] if each != text]
    for other in others:
        yield from (put(node, f"{text} {sign} {other}") for sign in "+-")
        yield from (put(node, f"({text}) {sign} {other}") for sign in ("*/" if scalar == "float" else "*"))
        if scalar == "float" and is_value:
            yield put(node, f"{text} - {other} * {other}")
    if scalar == "float" and kind != "float":
        for other in scope.of_type(node, "float")[:_MOST_PUT_IN]:
            yield from (put(node, f"({text}) {sign} {other}") for sign in "*/+-")


def bounded(node: tree_sitter.Node, types: Types, scope: NameScope) -> Iterator[Mutation]:
    """A bound at the other end beside one that is there: v < 0 || v >= size, v >= 0 && v < size; a farther one."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if node.type != "binary_expression" or left is None or right is None or types.of(left) != "int":
        return
    sign, asked, end = sign_of(node), text_of(node), text_of(right)
    if left.type not in ("identifier", "field_expression"):
        return
    if sign in ("<", "<=") and node.parent is not None and node.parent.type == "for_statement":
        yield from _turning(node, (left, right), types, scope)
    if sign in ("<", ">=") and end == "0":
        for size in scope.of_type(node, "int"):
            if size != text_of(left):
                other = f"|| {text_of(left)} >= {size}" if sign == "<" else f"&& {text_of(left)} < {size}"
                yield put(node, f"({asked} {other})")
    elif sign in (">=", "<"):
        yield put(node, f"({text_of(left)} < 0 || {asked})" if sign == ">=" else f"({text_of(left)} >= 0 && {asked})")


def _turning(
    node: tree_sitter.Node, sides: tuple[tree_sitter.Node, tree_sitter.Node], types: Types, scope: NameScope
) -> Iterator[Mutation]:
    """How long a loop may have been meant to go on: for one size more, or up to a variable with that."""
    counted, end = text_of(sides[0]), text_of(sides[1])
    fixed = types.uniforms | types.constants | {*types.macros}
    others = [each for each in scope.of_type(node, "int") if each not in (counted, end)]
    yield from (put(sides[1], f"{end} + {each}") for each in others if each in fixed)
    if sign_of(node) == "<":
        yield from (put(node, f"{counted} <= {each}") for each in others if each not in fixed)


def _of_floats(
    node: tree_sitter.Node, kind: str, numbers: tuple[float, ...], sizes: tuple[float, ...]
) -> Iterator[Mutation]:
    text = text_of(node)
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


def _reads(node: tree_sitter.Node, kind: str, types: Types, scope: NameScope) -> Iterator[Mutation]:
    """Another tensor, read as one that is read already or by a function that nothing calls; added, or a factor."""
    text, seen = text_of(node), set[str]()
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
        for new in (text_of(call), *_of_call(call, types, scope)):
            if new not in seen and len(seen) < _MOST_READS and "INT(" not in new:
                seen.add(new)
                yield from (put(node, f"{text} {sign} {new}{ending}") for sign in "+-")
                yield put(node, f"({text}) * {new}{ending}")


def _is_constructor(call: tree_sitter.Node | None) -> bool:
    return call is not None and re.fullmatch(r"[iu]?vec[234]|FLOAT|INT|UINT", function_called(call)) is not None
