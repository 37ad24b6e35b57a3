"""Makes a shader's constants mutable at run time: without `const`, or, in GLSL ES, as macros."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import tree_sitter

from texelscope.pipeline.glsl.syntax import Edits, declared_name, function_around, text_of, walk

_NAMES = frozenset({"identifier", "field_identifier", "type_identifier"})


def loosened(root: tree_sitter.Node) -> dict[int, tuple[int, int]]:
    """Returns by the start of each removable `const` its end, and the declaration. No array size depends on it."""
    return {word.start_byte: (word.end_byte, node.end_byte) for node, word, _ in _loose(root)}


def hanging(root: tree_sitter.Node) -> dict[int, frozenset[int]]:
    """Returns for each such declaration those of all constants computed from it, and itself."""
    loose = _loose(root)
    used = [{text_of(each) for each in walk(node) if each.type == "identifier"} - names for node, _, names in loose]
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


def as_macros(root: tree_sitter.Node) -> dict[int, AsMacro]:
    """Returns, by start, each declaration that may become a macro: alone on its line, with a unique name.

    GLSL ES requires the value of such a declaration to be constant.
    """
    declared = Counter(
        name
        for node in walk(root)
        if node.type in ("declaration", "parameter_declaration")
        for each in node.children_by_field_name("declarator")
        for name in {declared_name(each) or text_of(each)}
    )
    fields = {text_of(node) for node in walk(root) if node.type == "field_identifier"}
    lines, found = (root.text or b"").decode().split("\n"), dict[int, AsMacro]()
    for node, _, names in _loose(root):
        each = node.child_by_field_name("declarator")
        value = each.child_by_field_name("value") if each is not None else None
        name = next(iter(names), "")
        if value is None or each is None or len(names) != 1 or function_around(node) is not None:
            continue
        inner = each.child_by_field_name("declarator")
        rest = lines[node.start_point[0]].strip().removeprefix(text_of(node)).lstrip()
        is_alone = (not rest or rest.startswith("//")) and "/*" not in text_of(node)
        is_own = declared[name] == 1 and name not in fields and inner is not None and inner.type == "identifier"
        if is_alone and is_own and node.start_point[0] == node.end_point[0]:
            found[node.start_byte] = AsMacro(name, value.start_byte, value.end_byte, node.end_byte)
    return found


def _loose(root: tree_sitter.Node) -> list[tuple[tree_sitter.Node, tree_sitter.Node, set[str]]]:
    """Returns declarations with their `const` and their names, on none of which a size depends."""
    sizes: set[str] = set()
    declared: list[tuple[tree_sitter.Node, tree_sitter.Node, set[str]]] = []
    for node in walk(root):
        if node.type == "array_declarator" and (size := node.child_by_field_name("size")) is not None:
            sizes.update(text_of(each) for each in walk(size) if each.type == "identifier")
        elif node.type in ("case_statement", "layout_specification"):
            sizes.update(text_of(each) for each in node.children if each.type == "identifier")
        elif node.type == "call_expression" and node.children[0].type == "subscript_expression":
            sizes.update(text_of(each) for each in walk(node.children[0]) if each.type == "identifier")
        elif node.type == "declaration":
            word = next((child for child in node.children if text_of(child) == "const"), None)
            if word is not None:
                names = {declared_name(each) or text_of(each.children[0]) for each in
                         node.children_by_field_name("declarator")}  # fmt: skip
                declared.append((node, word, names))
    # A size depends on all constants that go into it.
    for node, _, names in reversed(declared):
        if names & sizes:
            sizes.update(text_of(each) for each in walk(node) if each.type == "identifier")
    return [each for each in declared if not each[2] & sizes]
