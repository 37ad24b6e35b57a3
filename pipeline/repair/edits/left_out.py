"""Proposes missing statements: an unused variable, a sum without a step, a quotient without its remainder.

Each is inserted before the next statement, or at a block's end. Of statements that differ only in numbers, arguments or
lanes one may be missing, and one may deviate: if taps are written out with their offsets, or lanes line by line, the
others show what the last one should be.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
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
    function_called,
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
    Preprocessor,
    WhileLoop,
)
from texelscope.pipeline.glsl.semantics.tree import Comment, SyntaxNode
from texelscope.pipeline.glsl.semantics.types import ALPHABETS, Types, is_matrix, lanes_of, scalar_of
from texelscope.pipeline.repair.text.mutation import Mutation

# Sizes of a family; the most missing members that still count as forgotten; places to insert them.
_FEWEST, _MOST_MEMBERS, _MOST_MISSING, _MOST_PLACES = 3, 64, 2, 4
_LONGEST = 400
_LANE = re.compile(r"(?<=\.)[xyzwrgbastpq]\b|(?<=\[)\d(?=\])")
_NUMBER = re.compile(r"(?<![\w.])\d(?![\w.])")
# A statement to insert after, or to replace, with the new text.
_Placed = tuple[SyntaxNode, str]
# At most this many sums of a function are combined with this many variables.
_MOST_SUMS, _MOST_VARIABLES = 3, 4
_LOOPS = (ForLoop, WhileLoop)
_STEPS = {"++": "--", "--": "++"}
_WRITES = (Assignment, UpdateExpression)
_VALUES = (NumberLiteral, FunctionCall, UnaryExpression)
# A node and the text that is inserted before it.
_Put = tuple[SyntaxNode, str]


@dataclass(frozen=True)
class _Member:
    """A statement, the lane that it assigns ("" for none), and the arguments of the function in it."""

    node: SyntaxNode
    lane: str
    given: tuple[str, ...]


def missing(body: SyntaxNode, types: Types) -> Iterator[_Placed]:
    """Yields missing statements of families in a function's body, with those that they may follow."""
    for (form, base, lanes), members in _families(body, types).items():
        places = [*{each.node.parent: each.node for each in members if each.node.parent is not None}.values()]
        made = [*_in_the_grid(form, members, lanes)]
        if lanes and base and len({each.lane for each in members}) == len(members) >= 2:
            made += [new for lane in _lanes_left(members, lanes) for new in _as_sisters(members, lane)]
        yield from ((place, new) for place in places[-_MOST_PLACES:] for new in dict.fromkeys(made))


def otherwise(body: SyntaxNode, types: Types) -> Iterator[_Placed]:
    """Yields statements of lanes that deviate from their siblings, with the siblings' form."""
    for members in _of_lanes(body, types).values():
        for each in members if len({one.lane for one in members}) == len(members) >= _FEWEST else ():
            sisters = [one for one in members if one != each]
            yield from ((each.node, new) for new in _as_sisters(sisters, each.lane) if new != each.node.text)


def _families(body: SyntaxNode, types: Types) -> dict[tuple[str, str, int], list[_Member]]:
    """Groups statements that call one function, by what they do with the result."""
    found: dict[tuple[str, str, int], list[_Member]] = {}
    for node in _statements(body):
        inner = node.named_children[0]
        left, right = sides_of(inner)
        call = inner if isinstance(inner, FunctionCall) else right
        if not isinstance(call, FunctionCall):
            continue
        given = tuple(each.text for each in arguments(call))
        base, lane, lanes = _lane_of(left, types) if left is not None else ("", "", 0)
        if isinstance(inner, FunctionCall) or lane:
            sign = inner.operator
            form = f"{base}{{}} {sign} {function_called(call)}({{}});" if lane else f"{function_called(call)}({{}});"
            found.setdefault((form, base, lanes), []).append(_Member(node, lane, given))
    return found


def _of_lanes(body: SyntaxNode, types: Types) -> dict[tuple[str, str], list[_Member]]:
    """Groups statements that assign lanes of one vector."""
    found: dict[tuple[str, str], list[_Member]] = {}
    for node in _statements(body):
        inner = node.named_children[0]
        left, _ = sides_of(inner)
        base, lane, _ = _lane_of(left, types) if left is not None else ("", "", 0)
        if lane:
            sign = inner.operator
            found.setdefault((base, sign), []).append(_Member(node, lane, ()))
    return found


def _statements(body: SyntaxNode) -> Iterator[SyntaxNode]:
    for node in body.walk():
        is_one = isinstance(node, ExpressionStatement) and len(node.named_children) == 1 and not node.has_error
        if is_one and node.end_byte - node.start_byte <= _LONGEST and "#" not in node.text:
            yield node


def _lane_of(target: SyntaxNode, types: Types) -> tuple[str, str, int]:
    """Returns the vector that is assigned, the lane as written, and the number of lanes."""
    base = argument_of(target)
    lanes = lanes_of(types.of(base)) if base is not None else 0
    text = target.text[len(base.text) :] if base is not None else ""
    return (base.text, text, lanes) if base is not None and lanes > 1 and _LANE.search(text) else ("", "", 0)


def _in_the_grid(form: str, members: Sequence[_Member], lanes: int) -> Iterator[str]:
    """Yields missing combinations of a function's arguments."""
    counts = {len(each.given) for each in members}
    if not _FEWEST <= len(members) <= _MOST_MEMBERS or len(counts) != 1:
        return
    values = [[*dict.fromkeys(column)] for column in zip(*(each.given for each in members), strict=True)]
    size = 1
    for column in values:
        size *= len(column)
    said = {each.given for each in members}
    if not 0 < size - len(said) <= _MOST_MISSING or len(said) != len(members):
        return
    left = _lanes_left(members, lanes) if lanes else [""]
    for given in (each for each in itertools.product(*values) if each not in said):
        yield from (form.format(*((lane,) if lanes else ()), ", ".join(given)) for lane in left)


def _lanes_left(members: Sequence[_Member], lanes: int) -> list[str]:
    """Returns lanes that are never assigned, spelled like the others."""
    said = {each.lane for each in members}
    first = members[0].lane
    if first.startswith("["):
        every = [f"[{number}]" for number in range(lanes)]
    else:
        alphabet = next((each for each in ALPHABETS if all(lane[1:] in each for lane in said)), "")
        every = [f".{letter}" for letter in alphabet[:lanes]]
    return [each for each in every if each not in said][:_MOST_MISSING]


def _as_sisters(sisters: Sequence[_Member], lane: str) -> Iterator[str]:
    """Yields a statement for a lane in the form of its siblings, if two of them agree."""
    for are_numbers in (False, True):
        for one, other in itertools.permutations(sisters, 2):
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


def left_out(root: SyntaxNode, types: Types) -> Iterator[tuple[SyntaxNode, Mutation]]:
    """Yields statements to insert in each function, with the statement that they follow."""
    for function in root.walk():
        body = function.body if isinstance(function, FunctionDefinition) else None
        if body is None or function.has_error:
            continue
        made = itertools.chain(
            _rests(body, types), _idle(function, body, types), _sums(body, types), _steps(body), missing(body, types)
        )
        for behind, new in dict.fromkeys(made):
            place = _behind(behind)
            if place is not None:
                yield behind, Mutation(place, place, "", f"{new} ", "left out", new)
        for node, new in dict.fromkeys(otherwise(body, types)):
            yield node, Mutation(node.start_byte, node.end_byte, node.text, new, "statement", new)


def _behind(statement: SyntaxNode) -> int | None:
    """Returns the byte after a statement; None if it is inside another one."""
    around = statement.parent
    if around is None or not isinstance(around, CompoundStatement):
        return None
    after = statement.next_named_sibling
    while after is not None and isinstance(after, Comment):
        after = after.next_named_sibling
    place = after.start_byte if after is not None else around.end_byte - 1
    return place if place > statement.end_byte and (after is None or not isinstance(after, Preprocessor)) else None


def _rests(body: SyntaxNode, types: Types) -> Iterator[_Put]:
    """Yields k -= c * n after c = k / n, if k is used later; after c = k % n it yields k /= n."""
    written = _written(body)
    for name, value, statement in _given(body):
        (a, b), sign = sides_of(value), value.operator
        if (
            sign not in ("/", "%")
            or a is None
            or b is None
            or not isinstance(a, Identifier)
            or types.of(value) != "int"
        ):
            continue
        number, divisor = a.text, b.text if not isinstance(b, BinaryExpression) else f"({b.text})"
        if any(each.start_byte > statement.start_byte for each in written.get(number, ())) or number == name:
            continue
        if any(each.start_byte > statement.end_byte for each in _uses(body, number)):
            yield statement, f"{number} -= {name} * {divisor};" if sign == "/" else f"{number} /= {divisor};"


def _idle(function: SyntaxNode, body: SyntaxNode, types: Types) -> Iterator[_Put]:
    """Yields additions of an unused computed value to a sum of its function: alone, and times another one."""
    counts = Counter(each.text for each in function.of_type(Identifier))
    idle = [(name, statement) for name, _, statement in _given(body) if counts[name] == 1]
    sums = [name for name, some in _written(body).items() if any(_is_sum(each) for each in some)][:_MOST_SUMS]
    for name, statement in idle[: 2 * _MOST_VARIABLES]:
        kind = types.at(statement, name)
        for total in sums if scalar_of(kind) == "float" and not is_matrix(kind) else ():
            own = types.at(statement, total)
            if own == kind:
                yield from ((statement, f"{total} {sign} {name};") for sign in ("+=", "-=", "*=", "="))
            for other, before in idle:
                if other == name or types.at(before, other) != kind or before.start_byte > statement.start_byte:
                    continue
                if own == kind:
                    yield statement, f"{total} += {other} * {name};"
                if own == "float" and lanes_of(kind) > 1:
                    yield statement, f"{total} += dot({other}, {name});"


def _sums(body: SyntaxNode, types: Types) -> Iterator[_Put]:
    """Yields updates of a variable that starts as a number and never changes: accumulated at the end of a loop."""
    written = _written(body)
    for name, value, statement in _given(body):
        is_used = any(each.start_byte > statement.end_byte for each in _uses(body, name))
        if not isinstance(value, _VALUES) or name in written or not is_used or _is_fixed(statement):
            continue
        kind = types.at(statement, name)
        for loop in body.walk():
            inside = loop.body if isinstance(loop, _LOOPS) else None
            if inside is None or not isinstance(inside, CompoundStatement) or loop.start_byte < statement.end_byte:
                continue
            own = [(each, at) for each, _, at in _given(inside) if types.at(at, each) in (kind, "float")]
            for each, at in own[-_MOST_VARIABLES:] if scalar_of(kind) == "float" and not is_matrix(kind) else ():
                yield at, f"{name} += {each};"
                if types.at(at, each) == kind:
                    yield at, f"{name} = max({name}, {each});"
            if kind == "int" and inside.named_children:
                yield inside.named_children[-1], f"{name} += 1;"


def _steps(body: SyntaxNode) -> Iterator[_Put]:
    """Yields the decrement of an index after a condition that increments it."""
    for node in body.walk():
        asked = node.condition if isinstance(node, IfStatement) else None
        for each in asked.of_type(UpdateExpression) if asked is not None else ():
            if each.operator in _STEPS:
                yield node, f"{_STEPS[each.operator]}{each.argument.text};"


def _given(body: SyntaxNode) -> Iterator[tuple[str, SyntaxNode, SyntaxNode]]:
    """Yields name, value and statement of declarations."""
    for node in body.walk():
        if isinstance(node, Declaration) and node.parent is not None and isinstance(node.parent, CompoundStatement):
            names = [*declared(node)]
            for name, each in zip(names, node.declarators, strict=False):
                value = each.value if isinstance(each, InitDeclarator) else None
                if value is not None and name:
                    yield name, value, node


def _written(body: SyntaxNode) -> dict[str, list[SyntaxNode]]:
    """Returns for each variable where it is changed, wholly or in part."""
    found: dict[str, list[SyntaxNode]] = {}
    for node in body.walk():
        if isinstance(node, _WRITES) and (target := target_of(node)) is not None:
            found.setdefault(next(names_in(target), ""), []).append(node)
    return found


def _uses(body: SyntaxNode, name: str) -> Iterable[SyntaxNode]:
    return (each for each in body.of_type(Identifier) if each.text == name)


def _is_sum(write: SyntaxNode) -> bool:
    return isinstance(write, Assignment) and isinstance(write.left, Identifier) and write.operator == "+="


def _is_fixed(declaration: SyntaxNode) -> bool:
    return declaration.has_word("const")
