"""What a repair says was wrong: which element is taken, what is done with a value, or which number is written.

What the pass computes tells numbers apart: the count of a mean, the constant that keeps a division from zero.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

import tree_sitter

from pipeline.compare.common_ends import common_ends
from pipeline.compare.repairs import LineEdit, Repair
from pipeline.glsl.lines import line_map
from pipeline.glsl.syntax import (
    OTHER_READS,
    READS,
    constructors_as_calls,
    function_called,
    function_name,
    parents,
    parse,
    text_of,
    walk,
)
from pipeline.plan import ProgramSource
from pipeline.repair.edits.macros import macros_of
from pipeline.repair.edits.proposals import EXPRESSIONS
from pipeline.repair.edits.types import Types, lanes_of, scalar_of
from pipeline.repair.text.patch import applied

Meaning = Literal[
    "element", "tensor", "function", "number", "applied", "taken away", "count", "epsilon", "half texel", "lanes",
    "left out", "setting",
]  # fmt: skip
# What is a kind of something else: repairs that say one or the other say alike.
_KINDS: Mapping[Meaning, Meaning] = {"half texel": "element", "count": "number", "epsilon": "number"}
_TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|\.\d[\w.]*|\S")
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?[fF]?")
# Functions of a value that are taken for one another.
_OF_VALUES = frozenset(
    {
        "min", "max", "abs", "exp", "exp2", "log", "log2", "sqrt", "inversesqrt", "sin", "cos", "tan", "tanh", "sinh",
        "atan", "floor", "ceil", "round", "trunc", "fract", "sign",
    }
)  # fmt: skip
# The constant that keeps a division from zero is one up to this.
_SMALL = 0.1
_ROOTS = frozenset({"sqrt", "inversesqrt", "pow"})
# Between the numbers of a row.
_BETWEEN = frozenset("+-,")
# Not all lanes of a vector.
_FIRST_LANES = frozenset({"x", "xy", "xyz", "r", "rg", "rgb"})
# What is between the parts of a text that are put together otherwise.
_PUNCTUATION = frozenset("()")
_MEANS = frozenset({"ReduceMean", "AveragePool", "GlobalAveragePool", "Mean", "LayerNormalization",
                    "InstanceNormalization", "GroupNormalization", "RMSNormalization", "ReduceSumSquare"})  # fmt: skip
# Parts of statements that ask whether, or how often.
_ASKED = ("condition", "update")


def meaning(
    program: ProgramSource, repairs: Sequence[Repair], operators: frozenset[str] = frozenset()
) -> Meaning | None:
    """What the shortest repair says was wrong with `program`, unless another says otherwise; None if it says nothing.

    An element: an index, an address or a lane is another one, or a value that goes by another name; a half texel: an
    address is off by that. A tensor: another sampler is read. A function: one of values is called in place of another,
    is applied or taken away. A number: one that is written, of what is worked out; a count: that of a mean, where
    `operators` of the pass take one; an epsilon: one that keeps a division from zero, or where that stands. Lanes: some
    of a vector are not taken; left out: what is read is not used; a setting: a whole number of the pipeline file.
    """
    found = [[_meaning(program, edit, repair, operators) for edit in repair.edits] for repair in repairs]
    known = [each for some in found for each in some if each is not None]
    is_alike = len({_KINDS.get(each, each) for each in known}) == 1
    return known[0] if is_alike and any(each is not None for each in found[0]) else None


def meanings(
    program: ProgramSource, repair: Repair, operators: frozenset[str] = frozenset()
) -> tuple[tuple[Meaning, LineEdit], ...]:
    """What each edit of one repair says, with that edit; nothing where one says nothing, or all say the same."""
    each = [(_meaning(program, edit, repair, operators), edit) for edit in repair.edits]
    known = tuple((said, edit) for said, edit in each if said is not None)
    return known if len(known) == len(each) and len({said for said, _ in known}) > 1 else ()


def is_of_values(program: ProgramSource, repair: Repair) -> bool:
    """Whether each edit of a repair says what is worked out of numbers, and not where, whether or how often."""
    for edit in repair.edits:
        if edit.before is None or edit.after is None:
            return False
        before, after = _TOKEN.findall(edit.before), _TOKEN.findall(edit.after)
        head, tail = common_ends(before, after)
        places = [each.start() for each in _TOKEN.finditer(edit.after)][head : len(after) - tail]
        new = after[head : len(after) - tail]
        words = [at for text, at in zip(new, places, strict=True) if text[0].isalnum() or text[0] in "_."]
        found = _changed(program, edit, repair, words or places) if places else []
        if not found:
            return False
        mended = _Mended(found[0])
        if not all(mended.is_a_value(_called(node, edit.before)) for node in found[1:]):
            return False
    return True


def _called(node: tree_sitter.Node, before: str) -> tree_sitter.Node:
    """The call around a name of a function; around a part of a call that stood there before, that call."""
    around = node.parent
    if around is not None and around.type == "call_expression" and around.child_by_field_name("function") == node:
        node = around
    for each in (node, *parents(node)):
        if each.type == "call_expression" and text_of(each) in before:
            return each
    return node


def _meaning(program: ProgramSource, edit: LineEdit, repair: Repair, operators: frozenset[str]) -> Meaning | None:
    if edit.before is None or edit.after is None:
        return None
    before, after = _TOKEN.findall(edit.before), _TOKEN.findall(edit.after)
    head, tail = common_ends(before, after)
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    if edit.file not in {file.path for file in program.files}:  # the pipeline file's; a whole number may be an index
        return _of_the_file(old, new)
    places = [each.start() for each in _TOKEN.finditer(edit.after)]
    of_new = places[head : len(after) - tail]
    words = [at for text, at in zip(new, of_new, strict=True) if text[0].isalnum() or text[0] in "_."]
    found = _changed(program, edit, repair, words or of_new or places[head - 1 : head])
    if not found:
        return None
    mended = _Mended(found[0])
    if len(old) == len(new) == 1 and mended.are_samplers(old[0], new[0]):
        return "tensor"
    if all(mended.is_of_an_element(node) for node in found[1:]):
        return "half texel" if _is_half(old, new) else "element"
    if (said := _of_calls(before, after)) is not None:
        return said
    if len(old) != 1 or len(new) != 1:
        return "number" if _is_a_row(old) and _is_a_row(new) else None
    if {*old, *new} <= _OF_VALUES:
        return "function"
    if _are_numbers(*old, *new):
        return mended.number(found[1], (old[0], new[0]), operators)
    if not mended.are_values(found[1], *old, *new):
        return None
    return "left out" if mended.is_a_read_unused_before(found[1], old[0], new[0]) else "element"


def _of_the_file(old: Sequence[str], new: Sequence[str]) -> Meaning | None:
    """What a number of the pipeline file is: a whole one may be an index, a size or a step as well."""
    if not len(old) == len(new) == 1 or not _are_numbers(old[0], new[0]):
        return None
    return "number" if "." in old[0] + new[0] else "setting"


def _is_a_row(texts: Sequence[str]) -> bool:
    """Whether a text is numbers beside one another, which are no indices."""
    numbers = [each for each in texts if each not in _BETWEEN]
    return len(numbers) > 1 and _are_numbers(*numbers) and all("." in each for each in numbers)


def _is_with_more_lanes(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether the same is done with vectors of which only the first lanes were taken before."""
    place, cut = 0, 0
    for text in after:
        while text != "." and list(before[place : place + 1]) == ["."]:
            if before[place + 1 : place + 2] and before[place + 1] not in _FIRST_LANES:
                return False
            place, cut = place + 2, cut + 1
        if list(before[place : place + 1]) != [text]:
            return False
        place += 1
    return cut > 0 and place == len(before)


def _is_half(old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether a half is added or taken away, as the centre of a texel is."""
    shorter, longer = sorted((old, new), key=len)
    if len(shorter) == len(longer) == 1 and _are_numbers(*shorter, *longer):
        return abs(float(old[0].rstrip("fF")) - float(new[0].rstrip("fF"))) == 0.5
    return not shorter and len(longer) == 2 and longer[0] in "+-" and longer[1] in ("0.5", ".5")


def _of_calls(before: Sequence[str], after: Sequence[str]) -> Meaning | None:
    """A function that is put around a value, or taken away; a small constant that comes under a root; more lanes."""
    if _is_with_more_lanes(before, after):
        return "lanes"
    if _is_around(before, after):
        return "applied"
    if _is_around(after, before):
        return "taken away"
    is_rooted = any(each in _ROOTS for each in after)
    has_small = any(_are_numbers(each) and 0.0 < abs(float(each.rstrip("fF"))) <= _SMALL for each in after)
    parts = [sorted(each for each in texts if each not in _PUNCTUATION) for texts in (before, after)]
    return "epsilon" if is_rooted and has_small and parts[0] == parts[1] and list(before) != list(after) else None


def _is_around(inner: Sequence[str], outer: Sequence[str]) -> bool:
    """Whether `outer` is `inner` with one of the functions of a value around a part, and numbers beside that."""
    more = len(outer) - len(inner)
    start = next((i for i, (a, b) in enumerate(zip(inner, outer, strict=False)) if a != b), len(inner))
    if more < 3 or start + 1 >= len(outer) or outer[start] not in _OF_VALUES or outer[start + 1] != "(":
        return False
    rest, bare = list(outer[start + 2 :]), list(inner[start:])
    for stop in range(len(bare) + 1):
        ending = rest[stop : stop + more - 2]
        if rest[:stop] == bare[:stop] and rest[stop + more - 2 :] == bare[stop:] and stop:
            return ending[-1:] == [")"] and (len(ending) == 1 or (ending[0] == "," and _are_numbers(*ending[1:-1:2])))
    return False


def _are_numbers(*texts: str) -> bool:
    return all(_NUMBER.fullmatch(each) for each in texts)


def _changed(program: ProgramSource, edit: LineEdit, repair: Repair, columns: Sequence[int]) -> list[tree_sitter.Node]:
    """The root of the mended text, and in it the smallest expressions at some columns of a line; all or nothing."""
    text = applied(program, repair.edits).fragment
    lines = text.split("\n")
    places = zip(line_map(program), lines, strict=True)
    number = next(
        (i for i, (line, now) in enumerate(places) if line == (edit.file, edit.line) and now == edit.after), None
    )
    if number is None or not columns:
        return []
    root = parse(constructors_as_calls(text.encode()))
    start, found = sum(len(each.encode()) + 1 for each in lines[:number]), [root]
    for column in columns:
        place = start + len(lines[number][:column].encode())
        node = root.descendant_for_byte_range(place, place + 1)
        while node is not None and node.type not in EXPRESSIONS:
            node = node.parent
        if node is None:
            return []
        found.append(node)
    return found


class _Mended:
    """A mended text: its types, and the names that say where something is read."""

    def __init__(self, root: tree_sitter.Node) -> None:
        self.types = Types(root)
        self._functions = {function_name(each) for each in walk(root) if each.type == "function_definition"}
        self._macros = {
            text_of(name)
            for each in walk(root)
            if each.type == "preproc_function_def" and (name := each.child_by_field_name("name")) is not None
        }
        list(macros_of(root, text_of(root), self.types))
        self._root = root
        self._names = self._addresses()

    def is_of_an_element(self, node: tree_sitter.Node) -> bool:
        """Whether a node says which element or which lane is taken, and not whether, or how often."""
        if self._is_a_lane(node):
            return True
        inner = node
        for each in parents(node):
            if inner in (each.child_by_field_name(part) for part in _ASKED):
                return False
            if self._is_address(each, inner):
                return True
            if each.type in ("init_declarator", "assignment_expression"):
                return _target(each) in self._names and not _is_head(each)
            if each.type == "return_statement":
                return scalar_of(self.types.of(inner)) == "int"
            if each.type == "compound_statement":
                return False
            inner = each
        return False

    def is_a_value(self, node: tree_sitter.Node) -> bool:
        """Whether a node is worked out of numbers: no index, and nothing that is asked."""
        if scalar_of(self.types.of(node)) != "float" or self.is_of_an_element(node):
            return False
        inner = node
        for each in parents(node):
            if inner in (each.child_by_field_name(part) for part in _ASKED):
                return False
            inner = each
        return True

    def number(self, node: tree_sitter.Node, texts: tuple[str, str], operators: frozenset[str]) -> Meaning | None:
        """What a number is that is written otherwise: a count, an epsilon or any other; None of indices."""
        if self.types.of(node) != "float" or self.is_begun(node):
            return None
        values, around = [abs(float(each.rstrip("fF"))) for each in texts], node.parent
        signs = {child.type for child in around.children} if around is not None else set[str]()
        is_divisor = around is not None and around.child_by_field_name("right") == node and "/" in signs
        if is_divisor and operators & _MEANS and all(each.is_integer() and each > 1.0 for each in values):
            return "count"
        is_rooted = any(each.type == "call_expression" and function_called(each) in _ROOTS for each in parents(node))
        return "epsilon" if is_rooted and "+" in signs and max(values) <= _SMALL else "number"

    def are_samplers(self, *names: str) -> bool:
        """Whether both names are of textures."""
        return all("sampler" in self.types.name("", name) for name in names)

    def are_values(self, node: tree_sitter.Node, *names: str) -> bool:
        """Whether a node is a variable of numbers that were worked out, as what went by the other name."""
        if node.type != "identifier" or scalar_of(self.types.of(node)) != "float":
            return False
        kinds = {self.types.at(node, name) for name in names}
        fixed = self.types.uniforms | self.types.constants | {*self.types.macros}
        return len(kinds) == 1 and not fixed & {*names}

    def is_a_read_unused_before(self, node: tree_sitter.Node, old: str, new: str) -> bool:
        """Whether what is read as `new` is used at a node alone, where another read of the same texture was."""
        used = [each for each in walk(self._root) if each.type == "identifier" and text_of(each) == new]
        samplers = [self._read_by(name) for name in (old, new)]
        is_alone = len([each for each in used if not _is_declared(each)]) == 1
        return is_alone and samplers[0] == samplers[1] != set() and text_of(node) == new

    def _read_by(self, name: str) -> set[str]:
        """The textures that a variable is given something of."""
        values = [
            value
            for each in walk(self._root)
            if each.type == "init_declarator"
            and _target(each) == name
            and (value := each.child_by_field_name("value")) is not None
        ]
        names = {text_of(each) for value in values for each in walk(value) if each.type == "identifier"}
        return {each for each in names if "sampler" in self.types.name("", each)}

    def is_begun(self, node: tree_sitter.Node) -> bool:
        """Whether a node is what a variable begins with that is given other values later."""
        declaring = next((each for each in parents(node) if each.type == "init_declarator"), None)
        name = _target(declaring) if declaring is not None else ""
        return bool(name) and any(
            each.type == "assignment_expression" and _target(each) == name for each in walk(self._root)
        )

    def _is_a_lane(self, node: tree_sitter.Node) -> bool:
        """Whether it is a lane, or lanes, of a vector of numbers."""
        base = node.child_by_field_name("argument") if node.type == "field_expression" else None
        kind = self.types.of(base) if base is not None else ""
        return scalar_of(kind) == "float" and lanes_of(kind) > 1

    def _is_address(self, around: tree_sitter.Node, inner: tree_sitter.Node) -> bool:
        """Whether what is inside says where `around` reads."""
        if around.type == "subscript_expression":
            return around.child_by_field_name("argument") != inner
        if around.type != "argument_list" or around.parent is None:
            return False
        name = function_called(around.parent)
        if name in READS or name in OTHER_READS or name in self._macros:
            return True
        return name in self._functions and scalar_of(self.types.of(inner)) in ("int", "uint")

    def _addresses(self) -> frozenset[str]:
        """Names of variables that say where something is read, themselves or through others."""
        found: set[str] = set()
        for node in walk(self._root):
            if node.type == "identifier":
                inner = node
                for each in parents(node):
                    if self._is_address(each, inner):
                        found.add(text_of(node))
                    if each.type in ("compound_statement", "function_definition"):
                        break
                    inner = each
        given = [
            (_target(each), {text_of(name) for name in walk(value) if name.type == "identifier"})
            for each in walk(self._root)
            if each.type in ("init_declarator", "assignment_expression")
            and (value := each.child_by_field_name("value") or each.child_by_field_name("right")) is not None
        ]
        grown = True
        while grown:
            before = len(found)
            for name, used in given:
                if name in found:
                    found |= used
            grown = len(found) > before
        return frozenset(found)


def _target(node: tree_sitter.Node) -> str:
    """The variable that a declaration or an assignment gives a value."""
    left = node.child_by_field_name("declarator") or node.child_by_field_name("left")
    first = next((each for each in walk(left) if each.type == "identifier"), None) if left is not None else None
    return text_of(first) if first is not None else ""


def _is_declared(name: tree_sitter.Node) -> bool:
    """Whether a name stands where it is declared."""
    return name.parent is not None and name in name.parent.children_by_field_name("declarator")


def _is_head(node: tree_sitter.Node) -> bool:
    """Whether it is what a loop begins with."""
    around = next((each for each in parents(node) if each.type != "declaration"), None)
    return around is not None and around.type == "for_statement"
