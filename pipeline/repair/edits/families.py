"""Finds statements that differ only in numbers, arguments or lanes: a missing one, and one that deviates.

If taps are written out with their offsets, or lanes line by line, the others show what the last one should be.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from texelscope.pipeline.glsl.semantics.expressions import FunctionCall
from texelscope.pipeline.glsl.semantics.questions import argument_of, arguments, function_called, sides_of
from texelscope.pipeline.glsl.semantics.statements import ExpressionStatement
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import ALPHABETS, Types, lanes_of

# Sizes of a family; the most missing members that still count as forgotten; places to insert them.
_FEWEST, _MOST, _MOST_MISSING, _MOST_PLACES = 3, 64, 2, 4
_LONGEST = 400
_LANE = re.compile(r"(?<=\.)[xyzwrgbastpq]\b|(?<=\[)\d(?=\])")
_NUMBER = re.compile(r"(?<![\w.])\d(?![\w.])")
# A statement to insert after, or to replace, with the new text.
_Put = tuple[SyntaxNode, str]


@dataclass(frozen=True)
class _Member:
    """A statement, the lane that it assigns ("" for none), and the arguments of the function in it."""

    node: SyntaxNode
    lane: str
    given: tuple[str, ...]


def missing(body: SyntaxNode, types: Types) -> Iterator[_Put]:
    """Yields missing statements of families in a function's body, with those that they may follow."""
    for (form, base, lanes), members in _families(body, types).items():
        places = [*{each.node.parent: each.node for each in members if each.node.parent is not None}.values()]
        made = [*_in_the_grid(form, members, lanes)]
        if lanes and base and len({each.lane for each in members}) == len(members) >= 2:
            made += [new for lane in _lanes_left(members, lanes) for new in _as_sisters(members, lane)]
        yield from ((place, new) for place in places[-_MOST_PLACES:] for new in dict.fromkeys(made))


def otherwise(body: SyntaxNode, types: Types) -> Iterator[_Put]:
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
    if not _FEWEST <= len(members) <= _MOST or len(counts) != 1:
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
