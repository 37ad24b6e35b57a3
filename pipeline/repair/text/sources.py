"""Where the values that a line uses are made: mistakes lie there as well, and of two repairs rather there.

Both mend the pass where a value is used once; its author wrote it out where it is made.
"""

from __future__ import annotations

from collections.abc import Sequence

from texelscope.pipeline.compare.repairs import Repair
from texelscope.pipeline.glsl.lines import Line, line_map
from texelscope.pipeline.glsl.syntax import (
    READS,
    constructors_as_calls,
    declared_name,
    function_around,
    function_name,
    parse,
    text_of,
    walk,
    without_precisions,
)
from texelscope.pipeline.plan import ProgramSource
from texelscope.pipeline.repair.text.length import length

# What stands where a value is made comes first up to so many times the length of the shortest.
_LONGER = 1.25
# From where something is used to where it is made, and what is used there.
_STEPS = 2
_GIVING = frozenset({"init_declarator", "assignment_expression"})


class Sources:
    """Of one shader: the names that each line makes, those that it uses, and the function that it is in."""

    def __init__(self, program: ProgramSource) -> None:
        lines = line_map(program)
        self._made: dict[Line, set[str]] = {}
        self._used: dict[Line, set[str]] = {}
        self._functions: dict[Line, str] = {}
        for node in walk(parse(constructors_as_calls(without_precisions(program.fragment.encode())))):
            line = lines[node.start_point[0]]
            if node.type == "identifier":
                self._used.setdefault(line, set()).add(text_of(node))
            elif (
                node.type in _GIVING
                and function_around(node) is not None
                and not any(child.type in ("+=", "-=", "*=", "/=") for child in node.children)
            ):
                target = next((node.child_by_field_name(part) for part in ("left", "name", "declarator")
                               if node.child_by_field_name(part) is not None), None)  # fmt: skip
                names = [text_of(each) for each in walk(target) if each.type == "identifier"] if target else []
                name = names[0] if names else declared_name(node)
                self._made.setdefault(line, set()).add(name)
            elif node.type == "function_definition":
                name = function_name(node)
                within = range(node.start_point[0], node.end_point[0] + 1)
                self._functions.update({lines[number]: name for number in within if name != "main"})

    def behind(self, lines: Sequence[Line]) -> tuple[Line, ...]:
        """Some lines, and those that make what is used there, and what is used there in turn, so many steps.

        Of a line in a function too where that is called: what it is asked for lies there.
        """
        found = dict.fromkeys(lines)
        for _ in range(_STEPS):
            around = {name for line in found if (name := self._functions.get(line, ""))}
            found.update(dict.fromkeys(line for line, names in self._used.items() if names & around))
        for _ in range(_STEPS):
            used = {name for line in found for name in self._used.get(line, ())}
            found.update(dict.fromkeys(line for line, names in self._made.items() if names & used))
        return tuple(found)

    def ordered(self, repairs: Sequence[Repair]) -> tuple[Repair, ...]:
        """The repairs with that before the first which is of what the first one uses, and as many lines; if any is."""
        first = 0
        for place, each in enumerate(repairs):
            is_short = length(each.edits)[1] <= _LONGER * length(repairs[0].edits)[1]
            if len(each.edits) == len(repairs[first].edits) == 1 and is_short and self._makes_for(each, repairs[first]):
                first = place
        return (repairs[first], *repairs[:first], *repairs[first + 1 :]) if repairs else ()

    def _makes_for(self, one: Repair, other: Repair) -> bool:
        """Whether the line of one repair makes what that of the other one uses."""
        line, behind = (one.file, one.line), (other.file, other.line)
        used = self._used.get(behind, set())
        if line == behind or _reads(other):
            return False
        is_made = bool(self._made.get(line, set()) & used)
        is_mutual = bool(self._made.get(behind, set()) & self._used.get(line, set()))
        function = self._functions.get(line, "")
        return (is_made and not is_mutual) or (function in used and function != self._functions.get(behind, ""))


def _reads(repair: Repair) -> bool:
    """Whether it reads something that was not read: what was forgotten is added where the rest is."""
    return any(
        sum((edit.after or "").count(f"{name}(") - (edit.before or "").count(f"{name}(") for name in READS) > 0
        for edit in repair.edits
    )
