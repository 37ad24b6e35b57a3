"""Makes a shader's constants mutable at run time: without `const`, or, in GLSL ES, as macros."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

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
from texelscope.pipeline.glsl.source_text import Edits

_NAMES = (Identifier, FieldName, TypeName)


def loosened(root: SyntaxNode) -> dict[int, tuple[int, int]]:
    """Returns by the start of each removable `const` its end, and the declaration. No array size depends on it."""
    return {word.start_byte: (word.end_byte, node.end_byte) for node, word, _ in _loose(root)}


def hanging(root: SyntaxNode) -> dict[int, frozenset[int]]:
    """Returns for each such declaration those of all constants computed from it, and itself."""
    loose = _loose(root)
    used = [{*names_in(node)} - names for node, _, names in loose]
    found: dict[int, frozenset[int]] = {}
    for _, word, names in loose:
        known, starts = {*names}, {word.start_byte}
        for (_, other, own), inside in zip(loose, used, strict=True):  # in text order
            if inside & known:
                known |= own
                starts.add(other.start_byte)
        found[word.start_byte] = frozenset(starts)
    return found


@dataclass(frozen=True)
class AsMacro:
    """A constant outside all functions has a name, the bytes of its value, and the byte after its declaration."""

    name: str
    start: int
    end: int
    stop: int

    def insert_into(self, made: Edits, declaration: int) -> None:
        """Rewrites the declaration at that byte as `#define name (value)`; the rest becomes comments."""
        made.insert(declaration, f"#define {self.name} (/*", (-2,))
        made.insert(self.start, "*/", (-2,))
        made.insert(self.end, ") /*", (2,))
        made.insert(self.stop, "*/", (2,))


def as_macros(root: SyntaxNode) -> dict[int, AsMacro]:
    """Returns, by start, each declaration that may become a macro: alone on its line, with a unique name.

    GLSL ES requires the value of such a declaration to be constant.
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
    """Returns declarations with their `const` and their names, on none of which a size depends."""
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
    # A size depends on all constants that go into it.
    for node, _, names in reversed(declared):
        if names & sizes:
            sizes.update(each.text for each in node.of_type(Identifier))
    return [each for each in declared if not each[2] & sizes]
