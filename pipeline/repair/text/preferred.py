"""Decides which repairs are preferred: shorter ones, and of two repairs the one at a value's definition.

The shorter a repair is, the likelier it is what the author meant. An exchange of words is as long as another one,
however long they are and however far apart. Of two lines, both fix the pass if a value is used once; its author wrote
it at its definition.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from difflib import SequenceMatcher

from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.glsl.lines import Line, line_map
from texelscope.pipeline.glsl.semantics.expressions import Assignment, Identifier
from texelscope.pipeline.glsl.semantics.parsing import constructors_as_calls, parse, without_precisions
from texelscope.pipeline.glsl.semantics.questions import (
    READS,
    WORD,
    declared_name,
    function_around,
    function_name,
    names_in,
    target_of,
)
from texelscope.pipeline.glsl.semantics.statements import FunctionDefinition, InitDeclarator
from texelscope.pipeline.plan import ProgramSource

_NUMBER = re.compile(r"\d[\w.]*|\.\d[\w.]*")
# An added number costs this many letters more, unless it is a common one.
_OUT_OF_NOWHERE = 2.0
_COMMON = frozenset({0.0, 0.5, 1.0, 2.0})
# A removal costs at most this: less than another letter.
_TAKEN_AWAY = 1.5
# Each word of an exchange costs this.
_EXCHANGED = 2.0
# A repair at a definition comes first if it is at most this many times as long as the shortest.
_LONGER = 1.25
# Steps from a use to its definition, and on to what that uses.
_STEPS = 2
_GIVING = (InitDeclarator, Assignment)


def length(edits: Sequence[LineEdit]) -> tuple[int, float]:
    """Returns how much a repair changes: lines, then letters; removals cost less, and little if alone."""
    letters = 0.0
    for edit in edits:
        before, after = (WORD.findall(text or "") for text in (edit.before, edit.after))
        new, old = 0.0, 0
        if _is_exchange(before, after):
            letters += _EXCHANGED * sum(word != other for word, other in zip(before, after, strict=True))
            continue
        for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
            if tag != "equal":
                old += sum(map(len, before[a:b]))
                new += sum(map(len, after[c:d])) + _OUT_OF_NOWHERE * _new_numbers(before[a:b], after[c:d])
        letters += 2.0 * new + 0.25 * max(old - new, 0) if new else min(0.25 * old, _TAKEN_AWAY)
    return len(edits), letters


def _is_exchange(before: Sequence[str], after: Sequence[str]) -> bool:
    return before != after and sorted(before) == sorted(after)


def _new_numbers(before: Sequence[str], after: Sequence[str]) -> int:
    """Counts added numbers that replace none and are not among the common ones."""
    old = [text for text in before if _NUMBER.fullmatch(text)]
    new = [text for text in after if _NUMBER.fullmatch(text) and not _is_common(text)]
    return max(len(new) - len(old), 0)


def _is_common(text: str) -> bool:
    try:
        return float(text.rstrip("fFuU")) in _COMMON
    except ValueError:  # a number of another base
        return False


class Sources:
    """The names that each line of one shader defines, those that it uses, and the function around it."""

    def __init__(self, program: ProgramSource) -> None:
        lines = line_map(program)
        self._made: dict[Line, set[str]] = {}
        self._used: dict[Line, set[str]] = {}
        self._functions: dict[Line, str] = {}
        self._parameters: dict[str, tuple[str, ...]] = {}
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
                self._parameters[name] = tuple(declared_name(each) for each in node.parameters)

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

    def ordered(self, repairs: Sequence[Repair], blamed: Collection[Line] = ()) -> tuple[Repair, ...]:
        """Moves a repair to the front if it is at a definition that the first one uses, and of as many lines.

        An exchange on a `blamed` line stays first: the definition may serve more than one tensor.
        """
        if repairs and any(_exchanges(edit) and (edit.file, edit.line) in blamed for edit in repairs[0].edits):
            return tuple(repairs)
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
        is_called = function in used and function != self._functions.get(behind, "") and not self.reorders(one)
        return (is_made and not is_mutual) or is_called

    def reorders(self, repair: Repair) -> bool:
        """Whether a function's line has its parameters in their order, and with the repair in another one.

        An address takes them as they are declared: those of the call are wrong.
        """
        parameters = self._parameters.get(self._functions.get((repair.file, repair.line), ""), ())
        before, after = (
            [parameters.index(word) for word in dict.fromkeys(WORD.findall(text or "")) if word in parameters]
            for text in (repair.edits[0].before, repair.edits[0].after)
        )
        return before == sorted(before) and after != sorted(after)


def _exchanges(edit: LineEdit) -> bool:
    return _is_exchange(WORD.findall(edit.before or ""), WORD.findall(edit.after or ""))


def _reads(repair: Repair) -> bool:
    """Whether it adds a read: a forgotten term is added where the others are."""
    return any(
        sum((edit.after or "").count(f"{name}(") - (edit.before or "").count(f"{name}(") for name in READS) > 0
        for edit in repair.edits
    )
