"""A mended text as a tree, and what a place of it is: an index, a value worked out, a number, a part of a loop."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

import tree_sitter

from texelscope.pipeline.glsl.syntax import OTHER_READS, READS, function_called, function_name, parents, text_of, walk
from texelscope.pipeline.repair.words.macros import macros_of, reading_macros
from texelscope.pipeline.repair.words.scope import NameScope
from texelscope.pipeline.repair.words.types import Types, lanes_of, scalar_of

# The constant that keeps a division from zero is one up to this.
SMALL = 0.1
ROOTS = frozenset({"sqrt", "inversesqrt", "pow"})
# Functions that keep a straight line one.
_STRAIGHT = frozenset({"float", "vec2", "vec3", "vec4", "float2", "float3", "float4", "mix", "lerp", "dot", "fma"})
# Parts of statements that ask whether, or how often.
_ASKED = ("condition", "update")
_HEAD_OF_A_LOOP = ("initializer", "condition", "update")
_ORDER = frozenset({"<", ">", "<=", ">="})
_WAYS_OUT = frozenset({"return_statement", "continue_statement", "break_statement"})
_DOWN = frozenset({"--", "-=", "-", "/=", "/", ">>=", ">>"})
_LANES_OF_A_PLACE = 2
# What a list of numbers alone is made of.
_OF_A_NUMBER = frozenset({"number_literal", "-", "+", "(", ",", ")"})
# What makes one number of another.
_MAKING = frozenset({"float", "int", "vec2", "vec3", "vec4", "ivec2", "ivec3", "ivec4"})
# What holds a number within bounds.
_HOLDING = frozenset({"min", "max", "clamp"})


class Mended:
    """A mended text: its types, and the names that say where something is read."""

    def __init__(self, root: tree_sitter.Node) -> None:
        self.types = Types(root)
        #: Names of those that the author wrote.
        self.functions = frozenset(function_name(each) for each in walk(root) if each.type == "function_definition")
        self._macros = reading_macros(root)
        list(macros_of(root, text_of(root), self.types, NameScope(root, self.types)))
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

    def number(
        self, node: tree_sitter.Node, texts: tuple[str, str], *, of_a_mean: bool
    ) -> Literal["count", "epsilon", "number"] | None:
        """What a number is that is written otherwise: a count, an epsilon or any other; None of indices."""
        if self.types.of(node) != "float" or self.is_begun(node):
            return None
        values, around = [abs(float(each.rstrip("fF"))) for each in texts], node.parent
        signs = {child.type for child in around.children} if around is not None else set[str]()
        is_divisor = around is not None and around.child_by_field_name("right") == node and "/" in signs
        if is_divisor and all(each.is_integer() and each > 1.0 for each in values):
            dividend = around.child_by_field_name("left") if around is not None else None
            if of_a_mean or self._is_added_up(dividend):
                return "count"
        is_rooted = any(each.type == "call_expression" and function_called(each) in ROOTS for each in parents(node))
        return "epsilon" if is_rooted and "+" in signs and max(values) <= SMALL else "number"

    def is_of_a_count(self, node: tree_sitter.Node, words: Sequence[str], *, of_a_mean: bool) -> bool:
        """Whether a sum is divided by `words` at a node, or by a variable that they are given to: how many it is of.

        Of a mean, or of what was added up here; a root of a number is a factor, and no count.
        """
        if not self.are_fixed(node, words, counted=True):
            return False
        inner = node
        for each in parents(node):
            if each.type == "call_expression" and function_called(each).lower() not in _MAKING | _HOLDING:
                return False
            if self._divides(each, inner):
                return of_a_mean or self._is_added_up(each.child_by_field_name("left"))
            if each.type == "init_declarator" or (each.type == "assignment_expression" and _target(each) not in words):
                name = _target(each)
                divided = [
                    around.child_by_field_name("left") for around in walk(self._root) if self._is_by(around, name)
                ]
                return any(of_a_mean or self._is_added_up(left) for left in divided)
            if each.type == "compound_statement":
                return False
            inner = each
        return False

    def are_fixed(self, node: tree_sitter.Node, words: Sequence[str], *, counted: bool = False) -> bool:
        """Whether all names among words are of what is the same for all elements, or where `counted` of whole numbers.

        A variable to which numbers alone are added counts.
        """
        fixed = self.types.uniforms | self.types.constants | self.types.sizes | {*self.types.macros}
        names = [word for last, word in pairwise(["", *words]) if (word[0].isalpha() or word[0] == "_") and last != "."]
        for word in names:
            is_whole = scalar_of(self.types.at(node, word)) in ("int", "uint") or self._is_counted(word)
            is_made = word in _MAKING | _HOLDING | ROOTS
            if word not in fixed and not is_made and not (counted and is_whole):
                return False
        return True

    def is_a_share(self, node: tree_sitter.Node) -> bool:
        """Whether a node says how much of two values is taken of the other one."""
        inner = node
        for each in parents(node):
            if each.type == "argument_list":
                is_of_two = each.parent is not None and function_called(each.parent) == "mix"
                return is_of_two and inner == each.named_children[-1]
            inner = each
        return False

    def are_turns(self, node: tree_sitter.Node, *names: str) -> bool:
        """Whether all names are of numbers that loops around a node count."""
        loops = (each.child_by_field_name("initializer") for each in parents(node) if each.type == "for_statement")
        heads = [head for head in loops if head is not None]
        counted = {_target(each) for head in heads for each in walk(head) if each.type == "init_declarator"}
        return {*names} <= counted

    def takes_one_more(self, node: tree_sitter.Node) -> bool:
        """Whether a node compares whole numbers for what is to be taken, as no loop and no way out does."""
        sides = [node.child_by_field_name(side) for side in ("left", "right")]
        if not any(child.type in _ORDER for child in node.children) or None in sides:
            return False
        inner, is_whole = node, all(scalar_of(self.types.of(side)) == "int" for side in sides if side is not None)
        for each in parents(node):
            if each.type == "if_statement":
                has_more = each.child_by_field_name("alternative") is not None
                return is_whole and not has_more and not any(part.type in _WAYS_OUT for part in walk(each))
            if each.type not in ("parenthesized_expression", "condition_clause", "binary_expression"):
                values = [text_of(value) for value in each.named_children if value != inner]
                is_kept = each.type == "conditional_expression" and values[-1:] in (["0.0"], ["0"])
                return is_whole and (is_kept or each.type == "init_declarator")
            inner = each
        return False

    def is_of_a_choice(self, node: tree_sitter.Node) -> bool:
        """Whether a node is one of two values between which whole numbers choose."""
        inner = node
        for each in parents(node):
            if each.type == "conditional_expression":
                condition = each.child_by_field_name("condition")
                names = [name for name in walk(condition) if name.type == "identifier"] if condition else []
                kinds = {scalar_of(self.types.of(name)) for name in names}
                return condition != inner and bool(kinds) and kinds <= {"int", "uint"}
            if each.type != "parenthesized_expression":
                return False
            inner = each
        return False

    def is_longer_with_more(self, node: tree_sitter.Node, part: str) -> bool:
        """Whether a loop takes more turns where a number at a node, in some part of its head, is larger."""
        around = [*parents(node)]
        loop = next(each for each in around if each.type == "for_statement")
        update = loop.child_by_field_name("update")
        if part == "update":
            return False
        within = around[: around.index(loop)]
        is_divisor = any(self._divides(outer, inner) for inner, outer in pairwise([node, *within]))
        is_down = update is not None and any(child.type in _DOWN for child in walk(update))
        return ((part == "condition") != is_down) != is_divisor

    def is_bent(self, node: tree_sitter.Node) -> bool:
        """Whether a node is in a branch, or goes into a function that may be none of a straight line."""
        calls = (function_called(each).lower() for each in parents(node) if each.type == "call_expression")
        return self.is_in_a_branch(node) or any(name not in _STRAIGHT for name in calls)

    def is_a_factor(self, node: tree_sitter.Node) -> bool:
        """Whether a node is a factor or a divisor, itself, its root or as a number made of it."""
        for each in parents(node):
            if each.type in ("binary_expression", "assignment_expression"):
                return any(child.type in ("*", "/", "*=", "/=") for child in each.children)
            called = function_called(each) if each.type == "call_expression" else ""
            if called and called not in ROOTS and called.lower() not in _MAKING:
                return False
        return False

    def is_in_a_branch(self, node: tree_sitter.Node) -> bool:
        """Whether a node is in one of two values between which is chosen, or what chooses."""
        return any(each.type == "conditional_expression" for each in parents(node))

    def is_of_a_curve(self, node: tree_sitter.Node, factor: Sequence[str]) -> bool:
        """Whether a product around a node is in a branch, or is of a factor and something that is made of the same."""
        product = node
        for each in parents(node):
            if each.type == "binary_expression" and {child.type for child in each.children} & {"*", "/"}:
                product = each
        names = [text_of(each) for each in walk(product) if each.type == "identifier"]
        floats = [word for word in factor if scalar_of(self.types.at(node, word)) == "float"]
        own = [word for word in floats if not self.are_fixed(node, [word])]
        return self.is_in_a_branch(node) or any(names.count(word) > factor.count(word) for word in own)

    def _divides(self, around: tree_sitter.Node, inner: tree_sitter.Node) -> bool:
        """Whether `inner` is the divisor of a quotient."""
        is_quotient = any(child.type in ("/", "/=", ">>", ">>=") for child in around.children)
        return is_quotient and around.child_by_field_name("right") == inner

    def _is_by(self, around: tree_sitter.Node, name: str) -> bool:
        """Whether a quotient has a variable as divisor, or a number made of it."""
        right = around.child_by_field_name("right")
        if right is None or not self._divides(around, right):
            return False
        called = function_called(right) if right.type == "call_expression" else ""
        return called not in ROOTS and any(text_of(each) == name for each in walk(right) if each.type == "identifier")

    def _is_added_up(self, node: tree_sitter.Node | None) -> bool:
        """Whether something is added to a variable in an expression."""
        names = {text_of(each) for each in walk(node) if each.type == "identifier"} if node is not None else set[str]()
        return any(_target(each) in names for each in walk(self._root) if _is_adding(each))

    def _is_counted(self, name: str) -> bool:
        """Whether a variable is given numbers alone, in steps."""
        steps = [each for each in walk(self._root) if _is_adding(each) and _target(each) == name]
        values = [each.child_by_field_name("right") for each in steps]
        return bool(steps) and all(value is not None and value.type == "number_literal" for value in values)

    def loop_part(self, node: tree_sitter.Node) -> str:
        """Which part of a loop's head a node is in, with no read around it: initializer, condition or update; or ""."""
        inner = node
        for each in parents(node):
            if self._is_address(each, inner):
                return ""
            if each.type == "for_statement":
                return next((part for part in _HEAD_OF_A_LOOP if each.child_by_field_name(part) == inner), "")
            if each.type == "compound_statement":
                return ""
            inner = each
        return ""

    def are_samplers(self, *names: str) -> bool:
        """Whether both names are of textures."""
        return all("sampler" in self.types.name("", name) for name in names)

    def are_values(self, node: tree_sitter.Node, *names: str) -> bool:
        """Whether a node is a variable of numbers that were worked out, as what went by the other name."""
        if self._is_of_a_place(node):
            return True
        if node.type != "identifier" or scalar_of(self.types.of(node)) != "float":
            return False
        kinds = {self.types.at(node, name) for name in names}
        fixed = self.types.uniforms | self.types.constants | {*self.types.macros}
        return len(kinds) == 1 and not fixed & {*names}

    def are_places(self, node: tree_sitter.Node, *names: str) -> bool:
        """Whether all names are of whole numbers that are worked out, as where an element lies."""
        fixed = self.types.uniforms | self.types.constants | {*self.types.macros}
        return all(scalar_of(self.types.at(node, name)) == "int" and name not in fixed for name in names)

    def compares_places(self, node: tree_sitter.Node) -> bool:
        """Whether a node compares where one element lies with where another does, and no bound."""
        sides = [node.child_by_field_name(side) for side in ("left", "right")]
        names = [[text_of(each) for each in walk(side) if each.type == "identifier"] for side in sides if side]
        is_order = any(child.type in _ORDER for child in node.children)
        return is_order and all(some and self.are_places(node, *some) for some in names)

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

    def is_of_numbers(self, node: tree_sitter.Node) -> bool:
        """Whether a node takes lanes of a vector of numbers that are written there."""
        base = node.child_by_field_name("argument") if node.type == "field_expression" else None
        while base is not None and base.type == "parenthesized_expression":
            base = base.named_child(0)
        values = base.child_by_field_name("arguments") if base is not None and base.type == "call_expression" else None
        return values is not None and {each.type for each in walk(values) if not each.named_children} <= _OF_A_NUMBER

    def _is_a_lane(self, node: tree_sitter.Node) -> bool:
        """Whether it is a lane, or lanes, of a vector of numbers that has one for each channel."""
        return self._lanes_of_base(node) > _LANES_OF_A_PLACE

    def _is_of_a_place(self, node: tree_sitter.Node) -> bool:
        """Whether it is a lane of two numbers: of a place, a step or a share along x and y."""
        return self._lanes_of_base(node) == _LANES_OF_A_PLACE

    def _lanes_of_base(self, node: tree_sitter.Node) -> int:
        base = node.child_by_field_name("argument") if node.type == "field_expression" else None
        kind = self.types.of(base) if base is not None else ""
        return lanes_of(kind) if scalar_of(kind) == "float" else 0

    def _is_address(self, around: tree_sitter.Node, inner: tree_sitter.Node) -> bool:
        """Whether what is inside says where `around` reads."""
        if around.type == "subscript_expression":
            return around.child_by_field_name("argument") != inner
        if around.type != "argument_list" or around.parent is None:
            return False
        name = function_called(around.parent)
        if name in READS or name in OTHER_READS or name in self._macros:
            return True
        return name in self.functions and scalar_of(self.types.of(inner)) in ("int", "uint")

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
            and not _is_head(each)  # where a loop begins is of how much is read
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


def _is_adding(node: tree_sitter.Node) -> bool:
    return node.type == "assignment_expression" and any(child.type == "+=" for child in node.children)


def _is_declared(name: tree_sitter.Node) -> bool:
    """Whether a name stands where it is declared."""
    return name.parent is not None and name in name.parent.children_by_field_name("declarator")


def _is_head(node: tree_sitter.Node) -> bool:
    """Whether it is what a loop begins with."""
    around = next((each for each in parents(node) if each.type != "declaration"), None)
    return around is not None and around.type == "for_statement"
