"""Inserts statements that are missing: an unused variable, a step of a sum, a remainder, one of a family.

Each comes before the next statement, or at a block's end. Of statements that differ only in numbers, arguments or lanes
one may be missing, and one may deviate: if taps are written out with their offsets, or lanes line by line, the others
show what the last one should be.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from texelscope.pipeline.glsl.semantics.expressions import (
    Assignment,
    BinaryExpression,
    FunctionCall,
    Identifier,
    NumberLiteral,
    UnaryExpression,
    UpdateExpression,
)
from texelscope.pipeline.glsl.semantics.questions import (
    argument_of,
    arguments,
    names_in,
    sides_of,
    target_of,
)
from texelscope.pipeline.glsl.semantics.scope import declared
from texelscope.pipeline.glsl.semantics.statements import (
    CompoundStatement,
    Declaration,
    ExpressionStatement,
    ForLoop,
    FunctionDefinition,
    IfStatement,
    InitDeclarator,
    WhileLoop,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import ALPHABETS, Types, is_matrix, lanes_of, scalar_of
from texelscope.pipeline.repair.operators.limits import LIMITS
from texelscope.pipeline.repair.operators.operator import FunctionOperator
from texelscope.pipeline.repair.operators.place import Shader

_LANE = re.compile(r"(?<=\.)[xyzwrgbastpq]\b|(?<=\[)\d(?=\])")
_NUMBER = re.compile(r"(?<![\w.])\d(?![\w.])")
# A node and the text that is inserted behind it.
_Put = tuple[SyntaxNode, str]


@dataclass(frozen=True)
class _Given:
    """A declaration gives a name its value."""

    name: str
    value: SyntaxNode
    node: Declaration


def _given(body: SyntaxNode) -> Iterator[_Given]:
    for node in body.of_type(Declaration):
        for name, each in zip(declared(node), node.declarators, strict=False):
            if isinstance(node.parent, CompoundStatement) and isinstance(each, InitDeclarator) and name:
                yield _Given(name, each.value, node)


def _written(body: SyntaxNode) -> dict[str, list[SyntaxNode]]:
    """Returns for each variable where it is changed, wholly or in part."""
    found: dict[str, list[SyntaxNode]] = {}
    for node in body.of_type(Assignment, UpdateExpression):
        if (target := target_of(node)) is not None:
            found.setdefault(next(names_in(target), ""), []).append(node)
    return found


def _is_used_behind(body: SyntaxNode, each: _Given, name: str) -> bool:
    return any(node.text == name and node.start_byte > each.node.end_byte for node in body.of_type(Identifier))


def _is_a_float(kind: str) -> bool:
    return scalar_of(kind) == "float" and not is_matrix(kind)


class RemainderMissing(FunctionOperator):
    """A quotient is not taken off: `int k = i / 4; x = a[i];` becomes `int k = i / 4; i -= k * 4; x = a[i];`."""

    def mutants(self, function: FunctionDefinition, shader: Shader) -> Iterator[_Put]:
        body = function.body
        written = _written(body)
        for each in _given(body):
            (a, b), sign = sides_of(each.value), each.value.operator
            if a is None or b is None or not isinstance(a, Identifier) or sign not in ("/", "%"):
                continue
            number, divisor = a.text, b.text if not isinstance(b, BinaryExpression) else f"({b.text})"
            is_changed = any(write.start_byte > each.node.start_byte for write in written.get(number, ()))
            if shader.types.of(each.value) != "int" or is_changed or number == each.name:
                continue
            if _is_used_behind(body, each, number):
                yield each.node, f"{number} -= {each.name} * {divisor};" if sign == "/" else f"{number} /= {divisor};"


class UnusedVariable(FunctionOperator):
    """A value is used nowhere and belongs to a sum: `x += y; float k = z;` becomes `x += y; float k = z; x += k;`."""

    def mutants(self, function: FunctionDefinition, shader: Shader) -> Iterator[_Put]:
        counts, types = Counter(names_in(function)), shader.types
        idle = [each for each in _given(function.body) if counts[each.name] == 1]
        writes = _written(function.body).items()
        sums = [name for name, some in writes if any(map(_is_sum, some))][: LIMITS.sums]
        for each in idle[: 2 * LIMITS.paired_names]:
            kind = types.at(each.node, each.name)
            for total in sums if _is_a_float(kind) else ():
                own = types.at(each.node, total)
                if own == kind:
                    yield from ((each.node, f"{total} {sign} {each.name};") for sign in ("+=", "-=", "*=", "="))
                for other in idle:
                    is_behind = other.node.start_byte > each.node.start_byte
                    if other.name == each.name or types.at(other.node, other.name) != kind or is_behind:
                        continue
                    if own == kind:
                        yield each.node, f"{total} += {other.name} * {each.name};"
                    if own == "float" and lanes_of(kind) > 1:
                        yield each.node, f"{total} += dot({other.name}, {each.name});"


def _is_sum(write: SyntaxNode) -> bool:
    return isinstance(write, Assignment) and isinstance(write.left, Identifier) and write.operator == "+="


class UpdateMissing(FunctionOperator):
    """A variable starts as a number and never changes: a loop has to gather it.

    `float sum = 0.0; for (int k = 0; k < n; k++) { float t = a[k]; } x = sum;` becomes
    `float sum = 0.0; for (int k = 0; k < n; k++) { float t = a[k]; sum += t; } x = sum;`.
    """

    def mutants(self, function: FunctionDefinition, shader: Shader) -> Iterator[_Put]:
        body, types = function.body, shader.types
        written = _written(body)
        for each in _given(body):
            is_number = isinstance(each.value, NumberLiteral | FunctionCall | UnaryExpression)
            if not is_number or each.name in written or each.node.has_word("const"):
                continue
            if not _is_used_behind(body, each, each.name):
                continue
            kind = types.at(each.node, each.name)
            for loop in body.of_type(ForLoop, WhileLoop):
                inside = loop.body
                if not isinstance(inside, CompoundStatement) or loop.start_byte < each.node.end_byte:
                    continue
                own = [(one, types.at(one.node, one.name)) for one in _given(inside)]
                alike = [(one, its) for one, its in own if its in (kind, "float")][-LIMITS.paired_names :]
                for one, its in alike if _is_a_float(kind) else ():
                    yield one.node, f"{each.name} += {one.name};"
                    if its == kind:
                        yield one.node, f"{each.name} = max({each.name}, {one.name});"
                if kind == "int" and inside.named_children:
                    yield inside.named_children[-1], f"{each.name} += 1;"


class DecrementMissing(FunctionOperator):
    """An increment is not undone: `if (i++ < n) x = y; z = x;` becomes `if (i++ < n) x = y; --i; z = x;`."""

    def mutants(self, function: FunctionDefinition, shader: Shader) -> Iterator[_Put]:
        for node in function.body.of_type(IfStatement):
            for each in node.condition.of_type(UpdateExpression):
                if (step := {"++": "--", "--": "++"}.get(each.operator)) is not None:
                    yield node, f"{step}{each.argument.text};"


@dataclass(frozen=True)
class _Member:
    """A statement, the lane that it assigns ("" for none), and the arguments of the function in it."""

    node: SyntaxNode
    lane: str
    given: tuple[str, ...]


class MemberMissing(FunctionOperator):
    """One of several statements alike is missing: a tap, a lane.

    `v.x = half_of(u.x); v.y = half_of(u.y); v.z = half_of(u.z); u = v;` becomes
    `v.x = half_of(u.x); v.y = half_of(u.y); v.z = half_of(u.z); v.w = half_of(u.w); u = v;`.
    """

    def mutants(self, function: FunctionDefinition, shader: Shader) -> Iterator[_Put]:
        for (form, base, lanes), members in _families(function.body, shader.types).items():
            places = [*{each.node.parent: each.node for each in members if each.node.parent is not None}.values()]
            made = [*_in_the_grid(form, members, lanes)]
            if lanes and base and len({each.lane for each in members}) == len(members) >= 2:
                made += [new for lane in _lanes_left(members, lanes) for new in _as_siblings(members, lane)]
            some = dict.fromkeys(made)
            yield from ((place, new) for place in places[-LIMITS.paired_names :] for new in some)


class MemberDeviates(FunctionOperator, kind="statement"):
    """One of several statements alike has another form than its siblings.

    `v.x = u.x * x; v.y = u.y * x; v.z = u.z * x; v.w = u.w + x;` becomes
    `v.x = u.x * x; v.y = u.y * x; v.z = u.z * x; v.w = u.w * x;`.
    """

    def mutants(self, function: FunctionDefinition, shader: Shader) -> Iterator[_Put]:
        families: dict[tuple[str, str], list[_Member]] = {}
        for node, inner in _assigning(function.body):
            base, lane, _ = _lane_of(sides_of(inner)[0], shader.types)
            if lane:
                families.setdefault((base, inner.operator), []).append(_Member(node, lane, ()))
        for members in families.values():
            are_apart = len({one.lane for one in members}) == len(members) >= LIMITS.fewest_members
            for each in members if are_apart else ():
                siblings = [one for one in members if one != each]
                yield from ((each.node, new) for new in _as_siblings(siblings, each.lane) if new != each.node.text)


def _families(body: SyntaxNode, types: Types) -> dict[tuple[str, str, int], list[_Member]]:
    """Groups statements that call one function, by what they do with the result."""
    found: dict[tuple[str, str, int], list[_Member]] = {}
    for node, inner in _assigning(body):
        left, right = sides_of(inner)
        call = inner if isinstance(inner, FunctionCall) else right
        base, lane, lanes = _lane_of(left, types)
        if isinstance(call, FunctionCall) and (call is inner or lane):
            form = f"{base}{{}} {inner.operator} {call.name}({{}});" if lane else f"{call.name}({{}});"
            given = tuple(each.text for each in arguments(call))
            found.setdefault((form, base, lanes), []).append(_Member(node, lane, given))
    return found


def _assigning(body: SyntaxNode) -> Iterator[tuple[SyntaxNode, SyntaxNode]]:
    """Yields short statements with the one expression of each."""
    for node in body.of_type(ExpressionStatement):
        is_short = node.end_byte - node.start_byte <= LIMITS.wrapped_characters
        if len(node.named_children) == 1 and not node.has_error and is_short and "#" not in node.text:
            yield node, node.named_children[0]


def _lane_of(target: SyntaxNode | None, types: Types) -> tuple[str, str, int]:
    """Returns the vector that is assigned, the lane as written, and the number of lanes."""
    base = argument_of(target) if target is not None else None
    if target is None or base is None:
        return "", "", 0
    lanes, text = lanes_of(types.of(base)), target.text[len(base.text) :]
    return (base.text, text, lanes) if lanes > 1 and _LANE.search(text) else ("", "", 0)


def _in_the_grid(form: str, members: Sequence[_Member], lanes: int) -> Iterator[str]:
    """Yields missing combinations of a function's arguments."""
    said = {each.given for each in members}
    is_many = LIMITS.fewest_members <= len(members) <= LIMITS.most_members
    if not is_many or len({len(each.given) for each in members}) != 1 or len(said) != len(members):
        return
    values = [[*dict.fromkeys(column)] for column in zip(*(each.given for each in members), strict=True)]
    if not 0 < math.prod(map(len, values)) - len(said) <= LIMITS.missing_members:
        return
    left = _lanes_left(members, lanes) if lanes else [""]
    for given in (each for each in itertools.product(*values) if each not in said):
        yield from (form.format(*((lane,) if lanes else ()), ", ".join(given)) for lane in left)


def _lanes_left(members: Sequence[_Member], lanes: int) -> list[str]:
    """Returns lanes that are never assigned, spelled like the others."""
    said = {each.lane for each in members}
    if members[0].lane.startswith("["):
        every = [f"[{number}]" for number in range(lanes)]
    else:
        alphabet = next((each for each in ALPHABETS if all(lane[1:] in each for lane in said)), "")
        every = [f".{letter}" for letter in alphabet[:lanes]]
    return [each for each in every if each not in said][: LIMITS.missing_members]


def _as_siblings(siblings: Sequence[_Member], lane: str) -> Iterator[str]:
    """Yields a statement for a lane in the form of its siblings, if two of them agree."""
    for are_numbers in (False, True):
        for one, other in itertools.permutations(siblings, 2):
            if _for_lane(one, other.lane, are_numbers=are_numbers) == other.node.text:
                yield _for_lane(one, lane, are_numbers=are_numbers)
                break


def _for_lane(member: _Member, lane: str, *, are_numbers: bool) -> str:
    """Returns a statement with its lane replaced everywhere, and its number too if that is the lane's."""
    own, new = member.lane.strip(".[]"), lane.strip(".[]")
    text = _LANE.sub(lambda match: new if match[0] == own else match[0], member.node.text)
    if are_numbers:
        place, number = _place(own), _place(new)
        text = _NUMBER.sub(lambda match: number if match[0] == place else match[0], text)
    return text


def _place(lane: str) -> str:
    """Returns the index of a lane."""
    return lane if lane.isdigit() else str(next((each.index(lane) for each in ALPHABETS if lane in each), 0))
