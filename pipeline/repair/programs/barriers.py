"""Allows only edits of a compute shader with which all invocations of a work group pass each barrier equally often.

Otherwise a driver hangs or crashes. Whatever decides it must be uniform over the work group.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from texelscope.pipeline.gl.dispatching.held import declared
from texelscope.pipeline.glsl.semantics.block_text import controls_of, decisions, places_of_barriers, tainted_names
from texelscope.pipeline.glsl.semantics.expressions import Assignment, FunctionCall, Identifier
from texelscope.pipeline.glsl.semantics.questions import (
    declared_name,
    function_called,
    function_name,
    name_around,
    names_in,
    target_of,
    value_of,
)
from texelscope.pipeline.glsl.semantics.statements import (
    BreakStatement,
    ContinueStatement,
    FunctionDefinition,
    IfStatement,
    InitDeclarator,
    ReturnStatement,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode

_WORD = re.compile(r"\b[A-Za-z_]\w*")
_LEAVING = (ReturnStatement, BreakStatement, ContinueStatement)
_BARRIERS = frozenset({"barrier", "memoryBarrierShared", "groupMemoryBarrier"})


@dataclass(frozen=True)
class BarrierRegion:
    """A region is bytes `start` to `stop` of the text."""

    start: int
    stop: int

    def meets(self, start: int, stop: int) -> bool:
        """Whether it shares some bytes with others."""
        return start < self.stop and self.start < stop


class BarrierPlaces:
    """The barriers of a parsed shader, and the expressions that decide how often each is passed."""

    def __init__(self, root: SyntaxNode) -> None:
        functions = list(root.of_type(FunctionDefinition))
        handed = {declared_name(each) for function in functions for each in function.parameters}
        self._own = {function_name(function) for function in functions}
        self._tainted = {*tainted_names(root, {name.text for _, name in declared(root)}), *handed}
        self._passing = self._functions_with(root)
        calls = list(root.of_type(FunctionCall))
        self._calls = [each for each in calls if function_called(each) in (*_BARRIERS, *self._passing)]
        self._critical = [BarrierRegion(each.start_byte, each.end_byte) for each in self._deciding(root)]
        controls = (control for call in self._calls for control in controls_of(call))
        self.loops = frozenset(each.start_byte for each in controls if not isinstance(each, IfStatement))

    def allows(self, start: int, old: str, new: str, *, is_statement: bool) -> bool:
        """Whether `new` may replace `old`, from that byte on, without changing how barriers are passed."""
        words = {*_WORD.findall(new), *_WORD.findall(old)}
        if words & {*_BARRIERS, *self._passing}:
            return self._is_other_call(old, new)
        if not any(region.meets(start, start + len(old.encode())) for region in self._critical):
            return True
        return not is_statement and not {*_WORD.findall(new)} & {*self._tainted, *self._own}

    def _is_other_call(self, old: str, new: str) -> bool:
        """Whether one function with barriers is called in place of another, with the same arguments."""
        names = {text.partition("(")[0].strip() for text in (old, new)}
        return names <= self._passing and old.partition("(")[2] == new.partition("(")[2]

    def _functions_with(self, root: SyntaxNode) -> set[str]:
        """Returns functions of the shader, except `main`, that pass a barrier."""
        found: set[str] = set()
        count = -1
        while len(found) > count:
            count = len(found)
            for node in root.walk():
                if isinstance(node, FunctionCall) and function_called(node) in (*_BARRIERS, *found):
                    found.add(name_around(node))
        return found - {"main", ""}

    def _deciding(self, root: SyntaxNode) -> list[SyntaxNode]:
        """Returns parts of loops and conditions around barriers, conditions of earlier exits, and their values."""
        last: dict[str, int] = {}
        for call in self._calls:
            name = name_around(call)
            last[name] = max(last.get(name, 0), call.end_byte)
        leaving = [
            node
            for node in root.walk()
            if isinstance(node, _LEAVING)
            and node.start_byte < last.get(name_around(node), 0)
            and any(True for _ in controls_of(node))
        ]
        around = [control for node in (*self._calls, *leaving) for control in controls_of(node)]
        found = {part: part for part in (*leaving, *(part for control in around for part in decisions(control)))}
        names: set[str] = set()
        count = -1
        while len(names) > count:
            count = len(names)
            names |= {each.text for part in found.values() for each in part.of_type(Identifier)}
            for node in root.of_type(InitDeclarator, Assignment):
                target, value = target_of(node), value_of(node)
                if target is not None and value is not None and next(names_in(target), "") in names:
                    found[value] = value
        return list(found.values())


def barriers_put_in(root: SyntaxNode) -> Iterator[tuple[SyntaxNode, str]]:
    """Yields each statement that writes to shared memory, with a barrier after it, and before it."""
    for place in places_of_barriers(root):
        text = place.text
        yield from ((place, new) for new in (f"{text} barrier();", f"barrier(); {text}"))
