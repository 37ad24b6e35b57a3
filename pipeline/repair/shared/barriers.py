"""Edits of a compute shader under which all invocations of a work group pass every barrier as often as each other.

A driver waits without end, or dies, where some pass one more often. What decides that may only be made of what all of
them have alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import tree_sitter

from texelscope.pipeline.diagnose.evidence.barriers import decisions, places_of_barriers, tainted_names
from texelscope.pipeline.gl.dispatching.held import declared
from texelscope.pipeline.glsl.block_text import controls_of
from texelscope.pipeline.glsl.syntax import (
    declared_name,
    function_around,
    function_called,
    function_name,
    parameters,
    text_of,
    walk,
)

_WORD = re.compile(r"\b[A-Za-z_]\w*")
_LEAVING = frozenset({"return_statement", "break_statement", "continue_statement"})
_BARRIERS = frozenset({"barrier", "memoryBarrierShared", "groupMemoryBarrier"})


@dataclass(frozen=True)
class BarrierRegion:
    """Bytes `start` to `stop` of the text."""

    start: int
    stop: int

    def meets(self, start: int, stop: int) -> bool:
        """Whether other bytes share some with these."""
        return start < self.stop and self.start < stop


class BarrierPlaces:
    """Where the barriers of a parsed shader are, and what decides how often one is passed."""

    def __init__(self, root: tree_sitter.Node) -> None:
        functions = [node for node in walk(root) if node.type == "function_definition"]
        handed = {declared_name(each) for function in functions for each in parameters(function)}
        self._own = {function_name(function) for function in functions}
        self._tainted = {*tainted_names(root, {text_of(name) for _, name in declared(root)}), *handed}
        self._passing = self._functions_with(root)
        calls = [each for each in walk(root) if each.type == "call_expression"]
        self._calls = [each for each in calls if function_called(each) in (*_BARRIERS, *self._passing)]
        self._critical = [BarrierRegion(each.start_byte, each.end_byte) for each in self._deciding(root)]
        controls = (control for call in self._calls for control in controls_of(call))
        self.loops = frozenset(each.start_byte for each in controls if each.type != "if_statement")

    def allows(self, start: int, old: str, new: str, *, is_statement: bool) -> bool:
        """Whether `new` may stand in place of `old`, from that byte on: the barriers are passed as before."""
        words = {*_WORD.findall(new), *_WORD.findall(old)}
        if words & {*_BARRIERS, *self._passing}:
            return self._is_other_call(old, new)
        if not any(region.meets(start, start + len(old.encode())) for region in self._critical):
            return True
        return not is_statement and not {*_WORD.findall(new)} & {*self._tainted, *self._own}

    def _is_other_call(self, old: str, new: str) -> bool:
        """Whether one function with barriers is called for another, of the same arguments."""
        names = {text.partition("(")[0].strip() for text in (old, new)}
        return names <= self._passing and old.partition("(")[2] == new.partition("(")[2]

    def _functions_with(self, root: tree_sitter.Node) -> set[str]:
        """Functions of the shader, but `main`, in which a barrier is passed."""
        found: set[str] = set()
        count = -1
        while len(found) > count:
            count = len(found)
            for node in walk(root):
                if node.type == "call_expression" and function_called(node) in (*_BARRIERS, *found):
                    found.add(function_name(function_around(node)))
        return found - {"main", ""}

    def _deciding(self, root: tree_sitter.Node) -> list[tree_sitter.Node]:
        """Parts of loops and conditions around barriers, conditions to leave before one, and values that go there."""
        last: dict[str, int] = {}
        for call in self._calls:
            name = function_name(function_around(call))
            last[name] = max(last.get(name, 0), call.end_byte)
        leaving = [
            node
            for node in walk(root)
            if node.type in _LEAVING
            and node.start_byte < last.get(function_name(function_around(node)), 0)
            and any(True for _ in controls_of(node))
        ]
        around = [control for node in (*self._calls, *leaving) for control in controls_of(node)]
        found = {part.id: part for part in (*leaving, *(part for control in around for part in decisions(control)))}
        names: set[str] = set()
        count = -1
        while len(names) > count:
            count = len(names)
            names |= {text_of(each) for part in found.values() for each in walk(part) if each.type == "identifier"}
            for node in walk(root):
                target, value = _assigned(node)
                if target is not None and value is not None and _first_name(target) in names:
                    found[value.id] = value
        return list(found.values())


def _first_name(node: tree_sitter.Node) -> str:
    return next((text_of(each) for each in walk(node) if each.type == "identifier"), "")


def _assigned(node: tree_sitter.Node) -> tuple[tree_sitter.Node | None, tree_sitter.Node | None]:
    if node.type == "init_declarator":
        return node.child_by_field_name("declarator"), node.child_by_field_name("value")
    if node.type == "assignment_expression":
        return node.child_by_field_name("left"), node.child_by_field_name("right")
    return None, None


def barriers_put_in(root: tree_sitter.Node) -> Iterator[tuple[tree_sitter.Node, str]]:
    """Each statement that writes to shared memory, and it with a barrier behind, and before."""
    for place in places_of_barriers(root):
        text = text_of(place)
        yield from ((place, new) for new in (f"{text} barrier();", f"barrier(); {text}"))
