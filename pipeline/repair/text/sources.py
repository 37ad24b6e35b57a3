"""Finds the definitions of the values that a line uses: of two repairs the one at a definition is preferred.

Both fix the pass if a value is used once; its author wrote it at its definition.
"""

from __future__ import annotations

from collections.abc import Sequence

from texelscope.pipeline.compare.repairs import Repair
from texelscope.pipeline.glsl.lines import Line, line_map
from texelscope.pipeline.glsl.semantics.expressions import Assignment, Identifier
from texelscope.pipeline.glsl.semantics.parsing import constructors_as_calls, parse, without_precisions
from texelscope.pipeline.glsl.semantics.questions import (
    READS,
    declared_name,
    function_around,
    function_name,
    names_in,
    target_of,
)
from texelscope.pipeline.glsl.semantics.statements import FunctionDefinition, InitDeclarator
from texelscope.pipeline.plan import ProgramSource
from texelscope.pipeline.repair.text.length import length

# A repair at a definition comes first if it is at most this many times as long as the shortest.
_LONGER = 1.25
# Steps from a use to its definition, and on to what that uses.
_STEPS = 2
_GIVING = (InitDeclarator, Assignment)


class Sources:
    """The names that each line of one shader defines, those that it uses, and the function around it."""

    def __init__(self, program: ProgramSource) -> None:
        lines = line_map(program)
        self._made: dict[Line, set[str]] = {}
        self._used: dict[Line, set[str]] = {}
        self._functions: dict[Line, str] = {}
        for node in parse(constructors_as_calls(without_precisions(program.fragment.encode()))).walk():
            line = lines[node.row]
            if isinstance(node, Identifier):
                self._used.setdefault(line, set()).add(node.text)
            elif (
                isinstance(node, _GIVING)
                and function_around(node) is not None
                and node.operator not in ("+=", "-=", "*=", "/=")
            ):
                target = target_of(node)
                names = [*names_in(target)] if target is not None else []
                name = names[0] if names else declared_name(node)
                self._made.setdefault(line, set()).add(name)
            elif isinstance(node, FunctionDefinition):
                name = function_name(node)
                within = range(node.row, node.end_row + 1)
                self._functions.update({lines[number]: name for number in within if name != "main"})

    def behind(self, lines: Sequence[Line]) -> tuple[Line, ...]:
        """Returns some lines, and those that define what they use, up to so many steps.

        For a line in a function also its calls, which have the arguments.
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
        """Moves a repair to the front if it is at a definition that the first one uses, and of as many lines."""
        first = 0
        for place, each in enumerate(repairs):
            is_short = length(each.edits)[1] <= _LONGER * length(repairs[0].edits)[1]
            if len(each.edits) == len(repairs[first].edits) == 1 and is_short and self._makes_for(each, repairs[first]):
                first = place
        return (repairs[first], *repairs[:first], *repairs[first + 1 :]) if repairs else ()

    def _makes_for(self, one: Repair, other: Repair) -> bool:
        """Whether the line of one repair defines what that of the other one uses."""
        line, behind = (one.file, one.line), (other.file, other.line)
        used = self._used.get(behind, set())
        if line == behind or _reads(other):
            return False
        is_made = bool(self._made.get(line, set()) & used)
        is_mutual = bool(self._made.get(behind, set()) & self._used.get(line, set()))
        function = self._functions.get(line, "")
        return (is_made and not is_mutual) or (function in used and function != self._functions.get(behind, ""))


def _reads(repair: Repair) -> bool:
    """Whether it adds a read: a forgotten term is added where the others are."""
    return any(
        sum((edit.after or "").count(f"{name}(") - (edit.before or "").count(f"{name}(") for name in READS) > 0
        for edit in repair.edits
    )
