"""Statements that read alike but for numbers, arguments or lanes: the one that is missing, one that reads otherwise.

Where taps are written out each with its offsets, or lanes each on a line, the others say what the last one was to be.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import tree_sitter

from texelscope.pipeline.glsl.syntax import arguments, function_called, text_of, walk
from texelscope.pipeline.repair.words.types import ALPHABETS, Types, lanes_of

# Members of a family; what is missing of one, more of which are none that was forgotten; places for it.
_FEWEST, _MOST, _MOST_MISSING, _MOST_PLACES = 3, 64, 2, 4
_LONGEST = 400
_LANE = re.compile(r"(?<=\.)[xyzwrgbastpq]\b|(?<=\[)\d(?=\])")
_NUMBER = re.compile(r"(?<![\w.])\d(?![\w.])")
# What is put behind a statement; what stands in place of one.
_Put = tuple[tree_sitter.Node, str]


@dataclass(frozen=True)
class _Member:
    """A statement, the lane that it gives a value, "" of none, and what the function in it is called with."""

    node: tree_sitter.Node
    lane: str
    given: tuple[str, ...]


def missing(body: tree_sitter.Node, types: Types) -> Iterator[_Put]:
    """Of families in a function's body the statements that are missing, with those that they may stand behind."""
    for (form, base, lanes), members in _families(body, types).items():
        places = [*{each.node.parent.id: each.node for each in members if each.node.parent is not None}.values()]
        made = [*_in_the_grid(form, members, lanes)]
        if lanes and base and len({each.lane for each in members}) == len(members) >= 2:
            made += [new for lane in _lanes_left(members, lanes) for new in _as_sisters(members, lane)]
        yield from ((place, new) for place in places[-_MOST_PLACES:] for new in dict.fromkeys(made))


def otherwise(body: tree_sitter.Node, types: Types) -> Iterator[_Put]:
    """Of families of lanes the statements that read otherwise than their sisters do, with how these read."""
    for members in _of_lanes(body, types).values():
        for each in members if len({one.lane for one in members}) == len(members) >= _FEWEST else ():
            sisters = [one for one in members if one != each]
            yield from ((each.node, new) for new in _as_sisters(sisters, each.lane) if new != text_of(each.node))


def _families(body: tree_sitter.Node, types: Types) -> dict[tuple[str, str, int], list[_Member]]:
    """Statements that call one function, for what they do with it."""
    found: dict[tuple[str, str, int], list[_Member]] = {}
    for node in _statements(body):
        inner = node.named_children[0]
        left, right = inner.child_by_field_name("left"), inner.child_by_field_name("right")
        call = inner if inner.type == "call_expression" else right
        if call is None or call.type != "call_expression":
            continue
        given = tuple(text_of(each) for each in arguments(call))
        base, lane, lanes = _lane_of(left, types) if left is not None else ("", "", 0)
        if inner.type == "call_expression" or lane:
            sign = next((text_of(each) for each in inner.children if each.type.endswith("=")), "")
            form = f"{base}{{}} {sign} {function_called(call)}({{}});" if lane else f"{function_called(call)}({{}});"
            found.setdefault((form, base, lanes), []).append(_Member(node, lane, given))
    return found


def _of_lanes(body: tree_sitter.Node, types: Types) -> dict[tuple[str, str], list[_Member]]:
    """Statements that give lanes of one vector their values."""
    found: dict[tuple[str, str], list[_Member]] = {}
    for node in _statements(body):
        inner = node.named_children[0]
        left = inner.child_by_field_name("left")
        base, lane, _ = _lane_of(left, types) if left is not None else ("", "", 0)
        if lane:
            sign = next((text_of(each) for each in inner.children if each.type.endswith("=")), "")
            found.setdefault((base, sign), []).append(_Member(node, lane, ()))
    return found


def _statements(body: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    for node in walk(body):
        is_one = node.type == "expression_statement" and node.named_child_count == 1 and not node.has_error
        if is_one and node.end_byte - node.start_byte <= _LONGEST and "#" not in text_of(node):
            yield node


def _lane_of(target: tree_sitter.Node, types: Types) -> tuple[str, str, int]:
    """The vector that something is given to, the lane as it is written, and how many lanes there are."""
    base = target.child_by_field_name("argument")
    lanes = lanes_of(types.of(base)) if base is not None else 0
    text = text_of(target)[len(text_of(base)) :] if base is not None else ""
    return (text_of(base), text, lanes) if base is not None and lanes > 1 and _LANE.search(text) else ("", "", 0)


def _in_the_grid(form: str, members: Sequence[_Member], lanes: int) -> Iterator[str]:
    """What is missing of all combinations of what a function is called with."""
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
    """Lanes that nothing is given to, as the others are written."""
    said = {each.lane for each in members}
    first = members[0].lane
    if first.startswith("["):
        every = [f"[{number}]" for number in range(lanes)]
    else:
        alphabet = next((each for each in ALPHABETS if all(lane[1:] in each for lane in said)), "")
        every = [f".{letter}" for letter in alphabet[:lanes]]
    return [each for each in every if each not in said][:_MOST_MISSING]


def _as_sisters(sisters: Sequence[_Member], lane: str) -> Iterator[str]:
    """A statement for a lane as its sisters have it for theirs, where two of them read alike."""
    for are_numbers in (False, True):
        for one, other in itertools.permutations(sisters, 2):
            if _for_lane(one, other.lane, are_numbers=are_numbers) == text_of(other.node):
                yield _for_lane(one, lane, are_numbers=are_numbers)
                break


def _for_lane(member: _Member, lane: str, *, are_numbers: bool) -> str:
    """The text of a statement with another lane for its own wherever that stands, and its number too if it is so."""
    own, new = member.lane.strip(".[]"), lane.strip(".[]")
    text = _LANE.sub(lambda match: new if match[0] == own else match[0], text_of(member.node))
    if are_numbers:
        place, number = _place(own), _place(new)
        text = _NUMBER.sub(lambda match: number if match[0] == place else match[0], text)
    return text


def _place(lane: str) -> str:
    """The number of a lane."""
    return lane if lane.isdigit() else str(next((each.index(lane) for each in ALPHABETS if lane in each), 0))
