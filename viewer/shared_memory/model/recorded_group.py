"""Holds the recorded work group of the picked texel, and what of it is shown: a phase, and an invocation."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import TexelscopeError

if TYPE_CHECKING:
    from texelscope.pipeline.read_trace.shared_contents import SharedVariable
    from texelscope.pipeline.read_trace.shared_memory import RecordedSharedMemory, SharedAccess, SharedPhase

_SHARED = re.compile(r"^\s*shared\s", re.MULTILINE)


@dataclass
class RecordedGroup:
    """The shared memory of the group that writes element `of[1]` of the pass `of[0]`; without it a `problem`.

    `phase` and `invocation` are numbers. `row_lengths` are those that a user set for arrays of one axis. `generation`
    is that of the pass's output when it was recorded.
    """

    of: tuple[str, int] | None = None
    generation: int = -1
    memory: RecordedSharedMemory | None = None
    problem: str = ""
    phase: int = 0
    invocation: int = 0
    row_lengths: dict[str, int] = field(default_factory=dict)

    def record(self, session: DebugSession, name: str, element: int) -> None:
        """Records the group that writes an element (linear index); keeps the phase if it exists there too."""
        found = session.plan.pass_called(name)
        self.of, self.generation, self.problem = (name, element), session.generation(found.output), ""
        try:
            self.memory = session.shared_memory(name, element)
        except TexelscopeError as error:
            self.memory, self.problem = None, str(error)
            return
        self.invocation = self.memory.invocation
        self.go_to(self.phase)

    def is_fresh(self, session: DebugSession, name: str, element: int) -> bool:
        """Returns whether the record is of this element, and its pass has not run again since."""
        found = session.plan.find(name)
        return self.of == (name, element) and found is not None and session.generation(found.output) == self.generation

    def go_to(self, phase: int) -> None:
        """Shows the phase with that number, or the nearest one."""
        count = len(self.memory.phases) if self.memory is not None else 0
        self.phase = min(max(phase, 0), max(count - 1, 0))

    @property
    def shown(self) -> SharedPhase | None:
        """The phase that is shown."""
        return self.memory.phases[self.phase] if self.memory is not None and self.memory.phases else None

    def own(self) -> tuple[SharedAccess, ...]:
        """Returns the accesses of the shown invocation in the shown phase, in order."""
        shown = self.shown
        return tuple(each for each in shown.accesses if each.invocation == self.invocation) if shown is not None else ()

    def extents(self, variable: SharedVariable, count: int) -> tuple[int, int]:
        """Returns rows and columns in which `count` elements are shown.

        The last axis lies along rows; an array of one axis gets rows of the chosen length, by default the square's.
        """
        if variable.axes == 1 and self.memory is not None:
            columns = self.row_lengths.get(variable.name) or row_length(count, self.memory.size)
        else:
            columns = self._last_extent(variable, count)
        columns = max(min(columns, count), 1)
        return math.ceil(count / columns), columns

    def _last_extent(self, variable: SharedVariable, count: int) -> int:
        held = self.shown.contents.get(variable.name) if self.shown is not None else None
        return int(held.shape[-2]) if held is not None and held.ndim > 1 else count


def row_length(count: int, size: tuple[int, int, int]) -> int:
    """Guesses how many elements of an array of one axis make a row: the side of a square, the group's width, or 16."""
    side = math.isqrt(count)
    if side * side == count:
        return side
    if size[0] > 1 and count % size[0] == 0:
        return size[0]
    return 16


def has_shared_memory(text: str) -> bool:
    """Returns whether a shader declares variables in shared memory."""
    return _SHARED.search(text) is not None


def who_words(memory: RecordedSharedMemory, invocation: int) -> str:
    """Formats an invocation: its place in the group, and its number."""
    x, y, z = memory.place_of(invocation)
    place = f"({x}, {y}, {z})" if memory.size[2] > 1 else f"({x}, {y})" if memory.size[1] > 1 else ""
    return f"{place} #{invocation}".strip()


def access_lines(
    memory: RecordedSharedMemory, accesses: Sequence[SharedAccess], name: str, element: int
) -> tuple[str, ...]:
    """Says who wrote and who read an element in a phase, a line for each place in the text."""
    found: dict[tuple[bool, str, int], Counter[int]] = {}
    for each in accesses:
        if (each.name, each.element) == (name, element):
            key = each.writes, each.site.file.rpartition("/")[2], each.site.line
            found.setdefault(key, Counter())[each.invocation] += 1
    lines = []
    for (writes, file, line), who in found.items():
        first = who_words(memory, next(iter(who)))
        others = f" and {len(who) - 1} others" if len(who) > 2 else " and one other" if len(who) == 2 else ""
        lines.append(f"{'written' if writes else 'read'} by {first}{others}, {file}:{line}")
    return tuple(lines)
