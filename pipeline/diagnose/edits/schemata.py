"""One program that runs any of many edits: a uniform says which, so that all cost one compilation.

`x + 1.0` becomes `(u_edit == 7 ? (x) : (x + 1.0))`. What GLSL wants constant is left alone or made a variable.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import tree_sitter

from pipeline.diagnose.edits.proposals import EXPRESSIONS, NUMBER, Proposal, proposals
from pipeline.diagnose.edits.types import Types, scalar_of
from pipeline.diagnose.edits.weight import Weights
from pipeline.glsl.lines import Line, behind_head, line_map
from pipeline.glsl.syntax import (
    Edits,
    constructors_as_calls,
    declared_name,
    function_around,
    parents,
    parse,
    text_of,
    walk,
)
from pipeline.glsl.versions import is_es
from pipeline.plan import ProgramSource

# The uniform that chooses; 0 chooses the text as it is.
CHOICE = "u_texelscope_edit"
_FUNCTIONS = "function_definition"
# What of a node is a value, where another part is a name.
_VALUE_OF = {
    "field_expression": "argument",
    "init_declarator": "value",
    "parameter_declaration": "value",
    "declaration": "value",
    "function_declarator": "value",
    "update_expression": "value",
}
_CONSTANT = frozenset({"array_declarator", "layout_specification", "case_statement", "preproc_if", "preproc_elif"})


@dataclass(frozen=True)
class Edit:
    """A proposal with the line that its author finds it on, and its number in the program that runs it.

    `weight` is about how many operations it adds to that program. `is_setting`: it is of what a constant outside all
    functions is given.
    """

    line: Line
    proposal: Proposal
    number: int
    weight: int
    is_setting: bool = False


@dataclass(frozen=True)
class Schemata:
    """A program in which `CHOICE` chooses one of `edits`."""

    program: ProgramSource
    edits: tuple[Edit, ...]


class EditableText:
    """A parsed shader and what may be edited in it."""

    def __init__(self, program: ProgramSource) -> None:
        self._program = program
        self._source = program.fragment.encode()
        self._root = parse(constructors_as_calls(self._source))
        self._types = Types(self._root)
        self._weights = Weights(self._root)
        self._lines = line_map(program)
        self._unfixed = dict(self._loosened())

    def edits(self, numbers: tuple[float, ...]) -> tuple[Edit, ...]:
        """Every single edit that has a type, in the order of the text, numbered from 1."""
        found: list[tuple[Line, Proposal, int, bool]] = []
        for node in walk(self._root):
            if node.type in EXPRESSIONS and self._is_free(node):
                line = self._lines[node.start_point[0]]
                weight, is_setting = self._weights.of(node), function_around(node) is None
                found.extend((line, each, weight, is_setting) for each in proposals(node, self._types, numbers))
        branches: dict[tuple[int, int, str], int] = {}
        return tuple(
            Edit(
                line,
                self._as_written(each),
                branches.setdefault((each.start, each.stop, each.template), len(branches) + 1),
                weight,
                is_setting,
            )
            for line, each, weight, is_setting in found
        )

    def schemata(self, edits: Sequence[Edit]) -> Schemata:
        """The program in which each of `edits` can be chosen by its number."""
        of: dict[tuple[int, int], dict[int, str]] = {}
        for edit in edits:
            place = edit.proposal.start, edit.proposal.stop
            of.setdefault(place, {})[edit.number] = edit.proposal.template
        made = Edits()
        # Of nested places the outer one opens first and closes last.
        for place in sorted(of, key=lambda place: (place[0], -place[1])):
            made.insert(place[0], "".join(f"({CHOICE} == {number} ? {new} : " for number, new in of[place].items()))
        for place in sorted(of, key=lambda place: (place[1], -place[0])):
            made.insert(place[1], ")" * len(of[place]))
        touched = {start for start, _ in of}
        for start, (end, stop) in self._unfixed.items():
            if any(start <= place < stop for place in touched):
                made.insert(start, "/*")
                made.insert(end, "*/")
        head = (f"uniform highp int {CHOICE};", f"uniform highp vec2 {NUMBER};")
        text = behind_head(made.apply(self._source), *head)
        return Schemata(dataclasses.replace(self._program, fragment=text), tuple(edits))

    def _as_written(self, proposal: Proposal) -> Proposal:
        """With the capitals of the parser's text taken back."""
        old = self._source[proposal.start : proposal.stop].decode()
        new, template = _without_capitals(proposal.new), _without_capitals(proposal.template)
        return dataclasses.replace(proposal, old=old, new=new, template=template)

    def _is_free(self, node: tree_sitter.Node) -> bool:
        """Whether an expression may be one that is worked out as the shader runs."""
        parent = node.parent
        if node.has_error or parent is None or self._is_passed_by_reference(node):
            return False
        part = _VALUE_OF.get(parent.type)
        if part is not None and parent.child_by_field_name(part) != node:
            return False
        if parent.type == "call_expression" and parent.child_by_field_name("function") == node:
            return False
        inside = False
        for each in parents(node):
            if each.type in _CONSTANT or (each.type == "declaration" and self._is_fixed(each)):
                return False
            around = each.parent
            if each.type == "subscript_expression" and around is not None and around.type == "call_expression":
                return False  # the size in an array's constructor
            inside = inside or each.type == "init_declarator"
            if each.type == _FUNCTIONS:
                return True
        return inside

    def _is_passed_by_reference(self, node: tree_sitter.Node) -> bool:
        """Whether it is a whole argument that a function may write, or one that is no value: a sampler, an array."""
        if node.type not in ("identifier", "field_expression", "subscript_expression"):
            return False
        if not scalar_of(self._types.of(node)):
            return True
        is_argument = node.parent is not None and node.parent.type == "argument_list"
        return is_argument and self._written

    @cached_property
    def _written(self) -> bool:
        """Whether a function writes to a parameter."""
        parameters = (node for node in walk(self._root) if node.type == "parameter_declaration")
        return any(child.type in ("out", "inout") for node in parameters for child in node.children)

    def _is_fixed(self, declaration: tree_sitter.Node) -> bool:
        """Whether what a declaration gives has to be a constant."""
        kinds = {child.type for child in declaration.children}
        if "uniform" in kinds or "in" in kinds:
            return True
        is_outside = not any(each.type == _FUNCTIONS for each in parents(declaration))
        if is_outside and is_es(self._program.fragment):
            return True
        constant = any(text_of(child) == "const" for child in declaration.children)
        return constant and not any(start >= declaration.start_byte and stop <= declaration.end_byte
                                    for start, (_, stop) in self._unfixed.items())  # fmt: skip

    def _loosened(self) -> Iterator[tuple[int, tuple[int, int]]]:
        """`const` that may be left out: where it starts, ends, and its declaration ends. No size hangs on it."""
        sizes: set[str] = set()
        declared: list[tuple[tree_sitter.Node, tree_sitter.Node, set[str]]] = []
        for node in walk(self._root):
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
        for node, word, names in declared:
            if not names & sizes:
                yield word.start_byte, (word.end_byte, node.end_byte)


def _without_capitals(text: str) -> str:
    return re.sub(r"\b(INT|UINT|FLOAT|DOUBLE|BOOL)(?=\s*\()", lambda match: match[0].lower(), text)
