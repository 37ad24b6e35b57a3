"""Prepares a shader's text for mutants: its constants, the offsets of its reads, and the precision of its values.

Constants become mutable at run time: without `const`, or, in GLSL ES, as macros. A read at an offset, which GLSL
requires to be constant, becomes one with an offset that is computed as the shader runs.

Values of low precision in GLSL ES are kept at full precision while mutants run. Integers are of medium precision by
default, and in WebGL 1 so are positions and colours. A driver may compute a choice between two values with as few
bits, if one of them comes from such an integer or position, or is an output: the author's own text has no such choice.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from texelscope.pipeline.glsl.semantics.expressions import FieldName, FunctionCall, Identifier, Subscript
from texelscope.pipeline.glsl.semantics.questions import (
    arguments,
    declared_name,
    function_around,
    function_called,
    names_in,
)
from texelscope.pipeline.glsl.semantics.statements import (
    ArrayDeclarator,
    CaseLabel,
    Declaration,
    InitDeclarator,
    LayoutQualifier,
    ParameterDeclaration,
    ParameterMacro,
    TypeName,
    declarators_of,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.source_text import Edits, version_of, without_comments

_NAMES = (Identifier, FieldName, TypeName)
# The prefix of such a read; for each one its replacement, and its number of arguments.
LOOSE = "texelscope_"
_READS = {
    "textureOffset": (3, "(t, p, o) texture(t, (p) + vec2(o) / vec2(textureSize(t, 0)))"),
    "textureLodOffset": (4, "(t, p, l, o) textureLod(t, (p) + vec2(o) / vec2(textureSize(t, int(l))), l)"),
    "texelFetchOffset": (4, "(t, p, l, o) texelFetch(t, (p) + (o), l)"),
}
_WHOLE = "precision highp int;"
_OUTPUT, _KEPT, _MAIN = "gl_FragColor", "texelscope_color", "texelscope_main"
# An unset uniform: with it added, a position is a sum at full precision.
_PLACE, _NOTHING = "gl_FragCoord", "u_texelscope_nothing"


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


@dataclass(frozen=True)
class Offsets:
    """The reads at offsets of one shader: the bytes where they begin, and the ranges of their offsets."""

    reads: tuple[int, ...]
    places: tuple[tuple[int, int], ...]
    lines: tuple[str, ...]

    def are_in(self, places: Iterable[int]) -> bool:
        """Whether one of some places is in an offset."""
        return any(start <= place < stop for place in places for start, stop in self.places)


def offsets_of(root: SyntaxNode, bodies: Iterable[tuple[SyntaxNode, int]]) -> Offsets:
    """Finds them; `bodies` are macros' bodies, each with its offset in bytes."""
    found = [(node, 0) for node in _reads_in(root)]
    found += [(node, shift) for body, shift in bodies for node in _reads_in(body)]
    made = [(arguments(node)[-1], shift) for node, shift in found]
    places = [(each.start_byte + shift, each.end_byte + shift) for each, shift in made]
    named = {node.name for node in root.of_type(ParameterMacro) if _is_reading(node)}
    for node in root.walk():
        if isinstance(node, FunctionCall) and function_called(node) in named:
            places.append((node.start_byte, node.end_byte))
    names = dict.fromkeys(function_called(node) for node, _ in found)
    return Offsets(
        tuple(node.start_byte + shift for node, shift in found),
        tuple(places),
        tuple(f"#define {LOOSE}{name}{_READS[name][1]}" for name in names),
    )


def _reads_in(root: SyntaxNode) -> Iterator[SyntaxNode]:
    for node in root.walk():
        name = function_called(node) if isinstance(node, FunctionCall) else ""
        if name in _READS and len(arguments(node)) == _READS[name][0]:
            yield node


def _is_reading(macro: ParameterMacro) -> bool:
    """Whether a macro reads at an offset."""
    return macro.body is not None and any(f"{name}(" in macro.body.text for name in _READS)


@dataclass(frozen=True)
class Outputs:
    """Lines to put before a shader's text, and after it; none if the precision is full anyway."""

    head: tuple[str, ...] = ()
    behind: str = ""


def outputs_of(source: str) -> Outputs:
    """Returns those of a fragment shader."""
    version = version_of(source)
    if version is None or not version.is_es:
        return Outputs()
    if version.number != 100:
        return Outputs((_WHOLE,))
    head = (_WHOLE, f"uniform highp float {_NOTHING};", f"#define {_PLACE} ({_PLACE} + {_NOTHING})")
    if not re.search(rf"\b{_OUTPUT}\b", without_comments(source)):
        return Outputs(head)
    return Outputs(
        (*head, f"highp vec4 {_KEPT};", f"#define {_OUTPUT} {_KEPT}", f"#define main {_MAIN}"),
        f"\n#undef {_OUTPUT}\n#undef main\nvoid main() {{ {_MAIN}(); {_OUTPUT} = {_KEPT}; }}\n",
    )
