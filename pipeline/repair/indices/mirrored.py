"""Indices from the other end: what counts up where it is to count down, along one axis or along two."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import NamedTuple

import tree_sitter

from texelscope.pipeline.glsl.syntax import bare, parents, text_of, walk
from texelscope.pipeline.repair.indices.index import APART, Index, enclosed
from texelscope.pipeline.repair.words.mutation import Mutation, sign_of

# Of names of sizes the nearest so many.
_MOST = 3


class _Ends(NamedTuple):
    """Where a loop begins, where it ends, and whether it still takes that."""

    first: str
    last: str
    is_within: bool


def mirrored(index: Index) -> Iterator[Mutation]:
    """An index from the other end, and one that is so already as it counts up."""
    node = index.node
    if node.type == "identifier" and (ends := _ends(node)) is not None:
        yield index.as_index(_from_the_other_end(index.text, ends, index.scalar))
    if index.is_whole and node.type in ("binary_expression", "call_expression"):
        yield from (index.as_index(new) for new in _both(index))
    a, b = node.child_by_field_name("left"), node.child_by_field_name("right")
    if sign_of(node) == "-" and a is not None and b is not None and sign_of(a) == "+" and not index.is_fixed(b):
        before, last = a.named_children[0], a.named_children[-1]
        if index.is_fixed(last) and not index.is_fixed(before):
            yield index.as_index(f"{text_of(before)} + {text_of(b)}")
    is_turned = sign_of(node) == "-" and a is not None and index.is_fixed(a)
    if is_turned and b is not None and index.types.of(b) == index.kind and not index.is_fixed(b):
        yield index.as_index(text_of(b))
    if not index.is_whole or node.type == "number_literal" or index.is_fixed(node):
        return
    text, one = enclosed(node), index.shown(1)
    if index.kind == "int":
        for step in index.steps:
            yield index.as_moved(f"{step - 1} - {text}", f"{index.one} - {text}", step - 1.0)
    yield from (index.as_index(f"{size} - {one} - {text}") for size in index.sizes(_MOST))


def _both(index: Index) -> Iterator[str]:
    """With two variables of loops from the other end at once, whose loops have the same ends."""
    leaves = [each for each in walk(index.node) if each.type == "identifier"]
    ends = {text_of(leaf): found for leaf in leaves if (found := _ends(leaf)) is not None}
    for pair in itertools.combinations(ends, 2):
        some = [leaf for leaf in leaves if text_of(leaf) in pair]
        if ends[pair[0]] == ends[pair[1]]:
            yield _turned(index, some, ends[pair[0]])
        if ends[pair[0]].last == ends[pair[1]].last and ends[pair[0]].is_within == ends[pair[1]].is_within:
            yield _turned(index, some, ends[pair[0]]._replace(first="0"))


def _turned(index: Index, leaves: list[tree_sitter.Node], ends: _Ends) -> str:
    whole, start = index.node.text or b"", index.node.start_byte
    for leaf in sorted(leaves, key=lambda each: -each.start_byte):
        new = _from_the_other_end(text_of(leaf), ends, index.types.of(leaf))
        new = new if leaf.parent is not None and leaf.parent.type in APART else f"({new})"
        whole = whole[: leaf.start_byte - start] + new.encode() + whole[leaf.end_byte - start :]
    return whole.decode()


def _from_the_other_end(name: str, ends: _Ends, scalar: str) -> str:
    if re.sub(r"\s", "", ends.first) == f"-{ends.last}" and ends.is_within:
        return f"-{name}"
    last = ends.last if ends.is_within else f"{ends.last} - {'1.0' if scalar == 'float' else '1'}"
    return f"{last} - {name}" if re.fullmatch(r"0(\.0*)?", ends.first) else f"{ends.first} + {last} - {name}"


def _ends(name: tree_sitter.Node) -> _Ends | None:
    """Those of the loop whose variable it is; None of any other."""
    for loop in parents(name):
        if loop.type == "function_definition":
            break
        body, start, asked = (loop.child_by_field_name(part) for part in ("body", "initializer", "condition"))
        if loop.type != "for_statement" or body is None or start is None or asked is None:
            continue
        begun = [each for each in walk(start) if each.type == "init_declarator"]
        value = next((each.child_by_field_name("value") for each in begun
                      if text_of(each.child_by_field_name("declarator") or each) == text_of(name)), None)  # fmt: skip
        left, right, sign = asked.child_by_field_name("left"), asked.child_by_field_name("right"), sign_of(asked)
        is_inside = body.start_byte <= name.start_byte < body.end_byte
        if value is None or left is None or right is None or text_of(left) != text_of(name) or not is_inside:
            continue
        return _Ends(text_of(value), enclosed(bare(right)), sign == "<=") if sign in ("<", "<=") else None
    return None
