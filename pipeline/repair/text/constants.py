"""Constants of a shader that may be worked out as it runs: without `const`, or in GLSL ES as what a macro says."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import tree_sitter

from texelscope.pipeline.glsl.syntax import Edits, declared_name, function_around, text_of, walk

_NAMES = frozenset({"identifier", "field_identifier", "type_identifier"})


def loosened(root: tree_sitter.Node) -> dict[int, tuple[int, int]]:
    """By where a `const` starts that may be left out where it ends, and its declaration. No size hangs on it."""
    return {word.start_byte: (word.end_byte, node.end_byte) for node, word, _ in _loose(root)}


def hanging(root: tree_sitter.Node) -> dict[int, frozenset[int]]:
    """By where the `const` of such a declaration starts those of all that are made of what it gives, and it alone."""
    loose = _loose(root)
    used = [{text_of(each) for each in walk(node) if each.type == "identifier"} - names for node, _, names in loose]
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


def as_macros(root: tree_sitter.Node) -> dict[int, AsMacro]:
    """By where it starts each declaration that may be a macro: alone on its line, of a name that is nothing else's.

    GLSL ES wants what it gives such a constant to be constant.
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
    """Declarations with their `const` and the names that they declare, on none of which a size hangs."""
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
    # What a size hangs on hangs on the constants that make it.
    for node, _, names in reversed(declared):
        if names & sizes:
            sizes.update(text_of(each) for each in walk(node) if each.type == "identifier")
    return [each for each in declared if not each[2] & sizes]
