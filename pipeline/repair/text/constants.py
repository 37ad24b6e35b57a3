"""Constants of a shader that may be worked out as it runs: without `const`, or in GLSL ES as what a macro says."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from texelscope.pipeline.glsl.insertions import Edits
from texelscope.pipeline.glsl.semantics.expressions import FieldName, FunctionCall, Identifier, Subscript
from texelscope.pipeline.glsl.semantics.questions import declared_name, function_around, names_in
from texelscope.pipeline.glsl.semantics.statements import (
    ArrayDeclarator,
    CaseLabel,
    Declaration,
    InitDeclarator,
    LayoutQualifier,
    ParameterDeclaration,
    TypeName,
    declarators_of,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode

_NAMES = (Identifier, FieldName, TypeName)


def loosened(root: SyntaxNode) -> dict[int, tuple[int, int]]:
    """By where a `const` starts that may be left out where it ends, and its declaration. No size hangs on it."""
    return {word.start_byte: (word.end_byte, node.end_byte) for node, word, _ in _loose(root)}


def hanging(root: SyntaxNode) -> dict[int, frozenset[int]]:
    """By where the `const` of such a declaration starts those of all that are made of what it gives, and it alone."""
    loose = _loose(root)
    used = [{*names_in(node)} - names for node, _, names in loose]
    found: dict[int, frozenset[int]] = {}
    for _, word, names in loose:
        known, starts = {*names}, {word.start_byte}
        for (_, other, own), inside in zip(loose, used, strict=True):  # in the order of the text
            if inside & known:
                known |= own
                starts.add(other.start_byte)
        found[word.start_byte] = frozenset(starts)
    return found


@dataclass(frozen=True)
class AsMacro:
    """A constant outside all functions: its name, the bytes of its value, and the one behind its declaration."""

    name: str
    start: int
    end: int
    stop: int

    def insert_into(self, made: Edits, declaration: int) -> None:
        """Makes `#define name (value)` of the declaration that starts there; what else it says becomes comments."""
        made.insert(declaration, f"#define {self.name} (/*", (-2,))
        made.insert(self.start, "*/", (-2,))
        made.insert(self.end, ") /*", (2,))
        made.insert(self.stop, "*/", (2,))


def as_macros(root: SyntaxNode) -> dict[int, AsMacro]:
    """By where it starts each declaration that may be a macro: alone on its line, of a name that is nothing else's.

    GLSL ES wants what it gives such a constant to be constant.
    """
    declared = Counter(
        name
        for node in root.walk()
        if isinstance(node, Declaration | ParameterDeclaration)
        for each in declarators_of(node)
        for name in {declared_name(each) or each.text}
    )
    fields = {node.text for node in root.of_type(FieldName)}
    lines, found = root.text.split("\n"), dict[int, AsMacro]()
    for node, _, names in _loose(root):
        each = node.declarators[0] if node.declarators else None
        name = next(iter(names), "")
        if not isinstance(each, InitDeclarator) or len(names) != 1 or function_around(node) is not None:
            continue
        rest = lines[node.row].strip().removeprefix(node.text).lstrip()
        is_alone = (not rest or rest.startswith("//")) and "/*" not in node.text
        is_own = declared[name] == 1 and name not in fields and isinstance(each.declarator, Identifier)
        if is_alone and is_own and node.row == node.end_row:
            found[node.start_byte] = AsMacro(name, each.value.start_byte, each.value.end_byte, node.end_byte)
    return found


def _loose(root: SyntaxNode) -> list[tuple[Declaration, SyntaxNode, set[str]]]:
    """Declarations with their `const` and the names that they declare, on none of which a size hangs."""
    sizes: set[str] = set()
    declared: list[tuple[Declaration, SyntaxNode, set[str]]] = []
    for node in root.walk():
        if isinstance(node, ArrayDeclarator) and (size := node.size) is not None:
            sizes.update(each.text for each in size.of_type(Identifier))
        elif isinstance(node, CaseLabel | LayoutQualifier):
            sizes.update(each.text for each in node.children if isinstance(each, Identifier))
        elif isinstance(node, FunctionCall) and isinstance(node.children[0], Subscript):
            sizes.update(each.text for each in node.children[0].of_type(Identifier))
        elif isinstance(node, Declaration):
            word = next((child for child in node.children if child.text == "const"), None)
            if word is not None:
                names = {declared_name(each) or each.children[0].text for each in
                         node.declarators}  # fmt: skip
                declared.append((node, word, names))
    # What a size hangs on hangs on the constants that make it.
    for node, _, names in reversed(declared):
        if names & sizes:
            sizes.update(each.text for each in node.of_type(Identifier))
    return [each for each in declared if not each[2] & sizes]
