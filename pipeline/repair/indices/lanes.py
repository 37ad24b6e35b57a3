"""Other lanes of a vector, and other fields of a structure, than those that a shader takes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import tree_sitter

from texelscope.pipeline.glsl.syntax import text_of
from texelscope.pipeline.repair.words.mutation import NUMBER, Numbered, is_target
from texelscope.pipeline.repair.words.types import ALPHABETS, Types, lanes_of


def of_field(node: tree_sitter.Node, types: Types) -> Iterator[str]:
    """What is taken of the same vector or structure in place of a node, which is a field expression."""
    base, field = node.child_by_field_name("argument"), node.child_by_field_name("field")
    if base is None or field is None or is_target(node):
        return
    fields = types.fields(types.of(base))
    yield from (
        f"{text_of(base)}.{other}"
        for other, kind in fields.items()
        if kind == fields.get(text_of(field)) and other != text_of(field)
    )
    if (own := types.members.get(text_of(node))) is not None:
        around = f"{text_of(base)}."
        yield from (name for name, kind in types.members.items() if kind == own and name.startswith(around))
        return
    letters, lanes = text_of(field), lanes_of(types.of(base))
    alphabet = next((each for each in ALPHABETS if set(letters) <= set(each)), "")
    if not alphabet or not lanes:
        return
    if len(letters) == 1:
        yield from (f"{text_of(base)}.{letter}" for letter in alphabet[:lanes])
        return
    if len(letters) == 2:
        yield from (f"{text_of(base)}.{''.join(each)}" for each in itertools.product(alphabet[:lanes], repeat=2))
        return
    yield f"{text_of(base)}.{letters[::-1]}"
    if len({*letters}) == 1:  # one lane for all
        yield f"{text_of(base)}.{alphabet[: len(letters)]}"
    for a, b in itertools.combinations(range(len(letters)), 2):
        moved = list(letters)
        moved[a], moved[b] = moved[b], moved[a]
        yield f"{text_of(base)}.{''.join(moved)}"
    yield from (f"{text_of(base)}.{letters[turn:]}{letters[:turn]}" for turn in range(1, len(letters)))
    yield f"{text_of(base)}.{letters[2::-1]}{letters[3:]}"


def whole_of_a_lane(node: tree_sitter.Node, types: Types) -> Iterator[str]:
    """A sum or product of vectors with a vector where it takes one lane of it."""
    kind, whole = types.of(node), node.text or b""
    if node.type != "binary_expression" or lanes_of(kind) < 2:
        return
    pending = [node]
    while pending:
        for child in pending.pop().named_children:
            if child.type in ("binary_expression", "parenthesized_expression"):
                pending.append(child)
            base = child.child_by_field_name("argument") if child.type == "field_expression" else None
            if base is not None and types.of(base) == kind and lanes_of(types.of(child)) == 1:
                at, end = base.end_byte - node.start_byte, child.end_byte - node.start_byte
                yield (whole[:at] + whole[end:]).decode()


def of_twos(node: tree_sitter.Node, types: Types) -> Iterator[Numbered]:
    """Of four lanes any two, each doubled or in turn, as products of blocks take them."""
    base, field = node.child_by_field_name("argument"), node.child_by_field_name("field")
    if node.type != "field_expression" or base is None or field is None or base.type != "identifier" or is_target(node):
        return
    letters, name = text_of(field), text_of(base)
    alphabet = next((each for each in ALPHABETS if set(letters) <= set(each)), "")
    if len(letters) != 4 or types.of(base) != "vec4" or not alphabet:
        return
    low, high = (
        tuple(f"{name}[int({part})]" for part in (f"mod({NUMBER}.{lane}, 4.0)", f"{NUMBER}.{lane} / 4.0"))
        for lane in "xy"
    )
    template = f"vec4({low[0]}, {low[1]}, {high[0]}, {high[1]})"
    for a, b in itertools.product(range(4), repeat=2):
        for four in ((a, a, b, b), (a, b, a, b)):
            new = "".join(alphabet[each] for each in four)
            if new != letters:
                yield f"{name}.{new}", template, (float(four[0] + 4 * four[1]), float(four[2] + 4 * four[3]))
