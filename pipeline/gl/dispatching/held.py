"""A compute shader whose indices into shared memory are held inside its arrays, so that any text may be run.

Software drivers ask for no bounds there: an index that is off writes over whatever lies beside. So every array has one
element more, to which all reads beyond it go; what is in there shows. Writes beyond it spoil its first element.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import tree_sitter

from texelscope.pipeline.glsl.block_text import written
from texelscope.pipeline.glsl.comments import without_comments
from texelscope.pipeline.glsl.lines import behind_head
from texelscope.pipeline.glsl.syntax import Edits, constructors_as_calls, function_name, parents, parse, text_of, walk

_SHARED = re.compile(r"\bshared\b")
_WORD = re.compile(r"\b[A-Za-z_]\w*")
_HELD = "texelscope_held"
_HEAD = f"int {_HELD}(int at, int size, int beyond) {{ return at < 0 || at > size ? beyond : at; }}"
# A number that shows in sums and maxima, of any type.
_SHOWS = "2000000000.0"


def shares_memory(text: str) -> bool:
    """Whether a compute shader has memory that its work groups share."""
    return bool(_SHARED.search(without_comments(text)))


@dataclass(frozen=True)
class _Array:
    """A variable in shared memory: the type of an element, and the sizes of its array, the outermost first."""

    kind: str
    sizes: tuple[str, ...]

    @property
    def last(self) -> tuple[str, ...]:
        """The last index of each subscript: one beyond the array's own, or a vector's last lane."""
        return (*self.sizes, *((str(int(self.kind[-1]) - 1),) if self.kind[:-1].endswith("vec") else ()))

    def shows(self, name: str) -> str:
        """What puts numbers that show wherever they are taken into the elements beyond its own."""
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
    """The shader with every index into shared memory held inside; None where one cannot be seen from the text."""
    if _HELD in text:
        return text
    source = text.encode()
    root = parse(constructors_as_calls(source))
    main = next((each for each in root.named_children if function_name(each) == "main"), root)
    body = main.child_by_field_name("body")
    named = {name.id for _, name in declared(root)}
    arrays = {text_of(name): _array(source, node, name) for node, name in declared(root)}
    if body is None or any("mat" in array.kind for array in arrays.values()):
        return None
    edits = Edits()
    for name, array in arrays.items():
        edits.insert(body.start_byte + 1, array.shows(name))
    for node in walk(root):
        if node.type == "preproc_arg" and set(_WORD.findall(text_of(node))) & arrays.keys():
            return None
        if node.type != "identifier" or text_of(node) not in arrays:
            continue
        if node.id in named:
            for around in (each for each in parents(node) if each.type == "array_declarator"):
                edits.insert(around.named_children[1].start_byte, "(")
                edits.insert(around.named_children[1].end_byte, ") + 1")
        elif not _hold(edits, node, arrays[text_of(node)]):
            return None
    return behind_head(edits.apply(source), _HEAD)


def _hold(edits: Edits, name: tree_sitter.Node, array: _Array) -> bool:
    """Holds the indices behind a name inside; False where an array stands there as a whole."""
    outer = name
    for number, last in enumerate(array.last):
        around = outer.parent
        if around is None or around.type != "subscript_expression" or around.named_children[0] != outer:
            return number >= len(array.sizes)
        index, is_written = around.named_children[1], written(around) is not None
        edits.insert(index.start_byte, f"{_HELD}(int(")
        edits.insert(index.end_byte, f"), {last}, {0 if is_written else last})")
        outer = around
    return True


def declared(root: tree_sitter.Node) -> Iterator[tuple[tree_sitter.Node, tree_sitter.Node]]:
    """Declarations of shared memory with the name of each variable."""
    for node in root.named_children:
        if node.type == "declaration" and any(text_of(child) == "shared" for child in node.children):
            for declarator in node.children_by_field_name("declarator"):
                while (inner := declarator.child_by_field_name("declarator")) is not None:
                    declarator = inner
                yield node, declarator


def _array(source: bytes, declaration: tree_sitter.Node, name: tree_sitter.Node) -> _Array:
    around = (each.named_children[1] for each in parents(name) if each.type == "array_declarator")
    sizes = tuple(f"({source[size.start_byte : size.end_byte].decode()})" for size in around)
    kind = declaration.child_by_field_name("type")
    return _Array(text_of(kind) if kind is not None else "", sizes)
