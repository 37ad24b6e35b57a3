"""Proposes other lanes of a vector, and other fields of a structure."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import BinaryExpression, FieldAccess, Identifier, Parenthesised
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import ALPHABETS, Types, lanes_of
from texelscope.pipeline.repair.words.mutation import NUMBER, Numbered, is_target


def of_field(node: SyntaxNode, types: Types) -> Iterator[str]:
    """Yields other fields of the same vector or structure in place of a field expression."""
    if not isinstance(node, FieldAccess) or is_target(node):
        return
    base, field = node.argument, node.field
    fields = types.fields(types.of(base))
    yield from (
        f"{base.text}.{other}"
        for other, kind in fields.items()
        if kind == fields.get(field.text) and other != field.text
    )
    if (own := types.members.get(node.text)) is not None:
        around = f"{base.text}."
        yield from (name for name, kind in types.members.items() if kind == own and name.startswith(around))
        return
    letters, lanes = field.text, lanes_of(types.of(base))
    alphabet = next((each for each in ALPHABETS if set(letters) <= set(each)), "")
    if not alphabet or not lanes:
        return
    if len(letters) == 1:
        yield from (f"{base.text}.{letter}" for letter in alphabet[:lanes])
        return
    if len(letters) == 2:
        yield from (f"{base.text}.{''.join(each)}" for each in itertools.product(alphabet[:lanes], repeat=2))
        return
    yield f"{base.text}.{letters[::-1]}"
    if len({*letters}) == 1:  # one lane for all
        yield f"{base.text}.{alphabet[: len(letters)]}"
    for a, b in itertools.combinations(range(len(letters)), 2):
        moved = list(letters)
        moved[a], moved[b] = moved[b], moved[a]
        yield f"{base.text}.{''.join(moved)}"
    yield from (f"{base.text}.{letters[turn:]}{letters[:turn]}" for turn in range(1, len(letters)))
    yield f"{base.text}.{letters[2::-1]}{letters[3:]}"


def whole_of_a_lane(node: SyntaxNode, types: Types) -> Iterator[str]:
    """Yields a sum or product of vectors with a vector where it has one lane of it."""
    kind, whole = types.of(node), node.text.encode()
    if not isinstance(node, BinaryExpression) or lanes_of(kind) < 2:
        return
    pending: list[SyntaxNode] = [node]
    while pending:
        for child in pending.pop().named_children:
            if isinstance(child, BinaryExpression | Parenthesised):
                pending.append(child)
            base = child.argument if isinstance(child, FieldAccess) else None
            if base is not None and types.of(base) == kind and lanes_of(types.of(child)) == 1:
                at, end = base.end_byte - node.start_byte, child.end_byte - node.start_byte
                yield (whole[:at] + whole[end:]).decode()


def of_twos(node: SyntaxNode, types: Types) -> Iterator[Numbered]:
    """Yields any two of four lanes, each doubled or in turn, as block products use them."""
    if not isinstance(node, FieldAccess) or not isinstance(node.argument, Identifier) or is_target(node):
        return
    base = node.argument
    letters, name = node.field.text, base.text
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
