"""Bounds a compute shader's indices into shared memory by its arrays, so that any text may be run.

Software drivers do not check bounds there: a wrong index overwrites whatever lies beside. So every array has one
more element for all reads beyond its end, with conspicuous content. Writes beyond the end change its first element.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from texelscope.pipeline.glsl.lines import behind_head
from texelscope.pipeline.glsl.semantics.block_text import written
from texelscope.pipeline.glsl.semantics.expressions import Identifier, Subscript
from texelscope.pipeline.glsl.semantics.parsing import constructors_as_calls, parse
from texelscope.pipeline.glsl.semantics.statements import (
    ArrayDeclarator,
    Declaration,
    FunctionDefinition,
    MacroBody,
    declarator_in,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.source_text import Edits, without_comments

_SHARED = re.compile(r"\bshared\b")
_WORD = re.compile(r"\b[A-Za-z_]\w*")
_HELD = "texelscope_held"
_HEAD = f"int {_HELD}(int at, int size, int beyond) {{ return at < 0 || at > size ? beyond : at; }}"
# A conspicuous number in sums and maxima, of any type.
_SHOWS = "2000000000.0"


def shares_memory(text: str) -> bool:
    """Reports whether a compute shader has memory that its work groups share."""
    return bool(_SHARED.search(without_comments(text)))


@dataclass(frozen=True)
class _Array:
    """Describes a variable in shared memory: the type of an element, and its array's sizes, the outermost first."""

    kind: str
    sizes: tuple[str, ...]

    @property
    def last(self) -> tuple[str, ...]:
        """The last index of each subscript: one beyond the array's own, or a vector's last lane."""
        return (*self.sizes, *((str(int(self.kind[-1]) - 1),) if self.kind[:-1].endswith("vec") else ()))

    def shows(self, name: str) -> str:
        """Returns text that fills the elements beyond its own with conspicuous numbers."""
        at = [f"texelscope_{axis}" for axis in range(len(self.sizes))]
        text = ""
        for own in range(len(self.sizes)):
            for axis, size in enumerate(self.sizes):
                if axis != own:
                    text += f" for (int {at[axis]} = 0; {at[axis]} <= {size}; ++{at[axis]})"
            places = (size if axis == own else at[axis] for axis, size in enumerate(self.sizes))
            text += f" {name}{''.join(f'[{place}]' for place in places)} = {self.kind}({_SHOWS});"
        return text


def held_inside(text: str) -> str | None:
    """Returns the shader with every index into shared memory bounded; None if the text does not show one."""
    if _HELD in text:
        return text
    source = text.encode()
    root = parse(constructors_as_calls(source))
    functions = (each for each in root.named_children if isinstance(each, FunctionDefinition))
    body = next((each.body for each in functions if each.name == "main"), None)
    named = {name for _, name in declared(root)}
    arrays = {name.text: _array(source, node, name) for node, name in declared(root)}
    if body is None or any("mat" in array.kind for array in arrays.values()):
        return None
    edits = Edits()
    for name, array in arrays.items():
        edits.insert(body.start_byte + 1, array.shows(name))
    for node in root.walk():
        if isinstance(node, MacroBody) and set(_WORD.findall(node.text)) & arrays.keys():
            return None
        if not isinstance(node, Identifier) or node.text not in arrays:
            continue
        if node in named:
            for around in (each for each in node.ancestors() if isinstance(each, ArrayDeclarator)):
                edits.insert(around.named_children[1].start_byte, "(")
                edits.insert(around.named_children[1].end_byte, ") + 1")
        elif not _hold(edits, node, arrays[node.text]):
            return None
    return behind_head(edits.apply(source), _HEAD)


def _hold(edits: Edits, name: SyntaxNode, array: _Array) -> bool:
    """Bounds the indices after a name; False where a whole array is used."""
    outer = name
    for number, last in enumerate(array.last):
        around = outer.parent
        if around is None or not isinstance(around, Subscript) or around.named_children[0] != outer:
            return number >= len(array.sizes)
        index, is_written = around.named_children[1], written(around) is not None
        edits.insert(index.start_byte, f"{_HELD}(int(")
        edits.insert(index.end_byte, f"), {last}, {0 if is_written else last})")
        outer = around
    return True


def declared(root: SyntaxNode) -> Iterator[tuple[Declaration, SyntaxNode]]:
    """Returns declarations of shared memory with the name of each variable."""
    for node in root.named_children:
        if isinstance(node, Declaration) and node.has_word("shared"):
            for declarator in node.declarators:
                while (inner := declarator_in(declarator)) is not None:
                    declarator = inner
                yield node, declarator


def _array(source: bytes, declaration: Declaration, name: SyntaxNode) -> _Array:
    around = (each.named_children[1] for each in name.ancestors() if isinstance(each, ArrayDeclarator))
    sizes = tuple(f"({source[size.start_byte : size.end_byte].decode()})" for size in around)
    return _Array(declaration.type.text if declaration.type is not None else "", sizes)
