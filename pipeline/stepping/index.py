"""Indexes a trace: what each variable holds before any step, what a line assigned last, who called whom."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.stepping.unrun import unrun_lines

if TYPE_CHECKING:
    from texelscope.pipeline.step_trace.trace import Assigned, Number, Trace, TraceStep

# The identity of a variable: each call of a function has its own. A global one has call 0 and function "".
Key = tuple[int, str, str]

_VECTOR = re.compile(r"[biud]?vec([234])\Z")
_MATRIX = re.compile(r"d?mat([234])(?:x([234]))?\Z")
_PART = re.compile(r"(?P<whole>.+?)(?:\.(?P<lanes>[xyzw]{1,4}|[rgba]{1,4}|[stpq]{1,4})|\[(?P<index>[0-9]+)\])\Z")
_LANES = {letter: number for letters in ("xyzw", "rgba", "stpq") for number, letter in enumerate(letters)}


@dataclass(frozen=True)
class VariableValue:
    """Holds a variable's value, lane by lane, since the step that had begun as number `begun` - 1.

    An assigned part of a vector or matrix is merged into the whole, if that was known; else it is a separate variable
    (`w[3]`), as are all elements of arrays and members of structs. `step` is the number of the step that assigned it,
    -1 if that was before the recorded window.
    """

    name: str
    type: str
    value: tuple[Number, ...]
    begun: int
    step: int
    function: str
    call: int

    @property
    def key(self) -> Key:
        """Its identity among variables of the same name."""
        return (self.call, self.function, self.name) if self.function else (0, "", self.name)


@dataclass(frozen=True)
class CallFrame:
    """Describes a call in progress: its function and number, and its present line."""

    function: str
    call: int
    line: Line


class TraceIndex:
    """Indexes one trace; positions are numbers of steps, `end` follows the last recorded one."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.steps: Sequence[TraceStep] = trace.steps
        self.first = trace.first
        self.end = self.first + len(trace.steps)
        lines: dict[Line, int] = {}
        texts: dict[tuple[Line, str], int] = {}
        self.line_numbers, self.text_numbers = lines, texts
        self.lines = _ints([lines.setdefault(step.line, len(lines)) for step in self.steps])
        self.texts = _ints([texts.setdefault((step.line, step.text), len(texts)) for step in self.steps])
        self.depths = _ints([step.depth for step in self.steps])
        self.calls = _ints([step.call for step in self.steps])
        self.reads = np.array([bool(step.reads) for step in self.steps], bool)
        self.levels = _ints([len(step.turns) for step in self.steps])
        most = max((len(step.turns) for step in self.steps), default=0)
        # By step and loop, the turn; -1 where a step is in fewer loops.
        self.turns = np.array([(*step.turns, *(-1,) * (most - len(step.turns))) for step in self.steps], np.int64)
        self.turns = self.turns.reshape(len(self.steps), most)
        self._versions: dict[Key, list[VariableValue]] = {}
        self._begun: dict[Key, list[int]] = {}
        self._of_call: dict[int | None, list[Key]] = {}
        self._order: list[tuple[int, Key]] = []
        self._unrun: dict[str, frozenset[int]] = {}
        self._of_line: dict[Line, list[tuple[int, TraceStep]]] = {}
        self._note_assigned()

    def step(self, number: int) -> TraceStep | None:
        """Returns the step of that number, if it is recorded."""
        return self.steps[number - self.first] if self.first <= number < self.end else None

    @property
    def is_whole(self) -> bool:
        """Whether every step is recorded."""
        return len(self.steps) == self.trace.total

    # -- variables -----------------------------------------------------------------------------------------

    def variables(self, at: int, call: int | None = None) -> tuple[VariableValue, ...]:
        """Returns the variables of the function that runs before step `at`, then the global ones, in order of creation.

        With another `call` in progress, those of that call.
        """
        found = []
        for key in (*self._of_call.get(self.call_at(at) if call is None else call, ()), *self._of_call.get(None, ())):
            count = bisect_right(self._begun[key], at)
            if count:
                found.append(self._versions[key][count - 1])
        return tuple(found)

    def variable(self, name: str, at: int) -> VariableValue | None:
        """Returns the variable `name` in the scope of the function that runs before step `at`."""
        return next((each for each in self.variables(at) if each.name == name), None)

    def history(self, key: Key) -> tuple[VariableValue, ...]:
        """Returns all values of a variable, in order."""
        return tuple(self._versions.get(key, ()))

    def histories(self) -> tuple[tuple[VariableValue, ...], ...]:
        """Returns all values of every variable of every call, in order."""
        return tuple(map(tuple, self._versions.values()))

    def changed(self, since: int, at: int) -> frozenset[Key]:
        """Returns the variables assigned between two positions, in either order."""
        low, high = (bisect_right(self._order, end, key=lambda each: each[0]) for end in sorted((since, at)))
        return frozenset(key for _, key in self._order[low:high])

    # -- lines ---------------------------------------------------------------------------------------------

    def last_on(self, line: Line, at: int) -> TraceStep | None:
        """Returns the last step of a line that began before step `at`."""
        steps = self._of_line.get(line, ())
        count = bisect_right(steps, at - 1, key=lambda each: each[0])
        return steps[count - 1][1] if count else None

    def lines_of(self, file: str) -> Mapping[int, int]:
        """Returns how often each line of a file begins a recorded step, by its number from 1."""
        return {line[1]: len(steps) for line, steps in self._of_line.items() if line[0] == file}

    def unrun(self, file: str, text: Callable[[], str]) -> frozenset[int]:
        """Returns lines of a file with statements that the fragment never ran; calls `text` once."""
        if file not in self._unrun:
            run = {line[1] for line in self._of_line if line[0] == file}
            self._unrun[file] = unrun_lines(text(), run) if run else frozenset()
        return self._unrun[file]

    def values_on(self, line: Line, at: int) -> tuple[Assigned, ...]:
        """Returns the assignments by the last run of a line before step `at`, the last value of each name.

        Parameters of functions that it calls belong to those functions. A step of the line that assigns nothing (a
        condition) keeps what the step before it assigned.
        """
        steps = self._of_line.get(line, ())
        count = bisect_right(steps, at - 1, key=lambda each: each[0])
        for _, step in reversed(steps[max(count - 3, 0) : count]):
            own = (each for each in step.assigned if each.call == step.call or not each.function)
            found = {each.name: each for each in own if each.begun <= at}
            if found:
                return tuple(found.values())
        return ()

    # -- calls ---------------------------------------------------------------------------------------------

    def call_at(self, at: int) -> int:
        """Returns the number of the call that runs before step `at`; main's at the end."""
        step = self.step(at)
        return step.call if step is not None else 0

    def frames(self, at: int) -> tuple[CallFrame, ...]:
        """Returns the calls in progress before step `at`, the innermost first, as far as they are recorded."""
        step = self.step(at)
        if step is None:
            return ()
        found, row, depth = [CallFrame(step.function, step.call, step.line)], at - self.first, step.depth
        while depth > 0:
            outer = np.flatnonzero(self.depths[:row] < depth)
            if not len(outer):
                break
            row = int(outer[-1])
            caller = self.steps[row]
            found.append(CallFrame(caller.function, caller.call, caller.line))
            depth = caller.depth
        return tuple(found)

    # -- made once -----------------------------------------------------------------------------------------

    def _note_assigned(self) -> None:
        """Records assignments in the order of time: a call's own before that of its result."""
        for step in self.steps:
            self._of_line.setdefault(step.line, []).append((step.number, step))
        ordered = [
            (each.begun, -step.number, number, each) for step in self.steps for number, each in enumerate(step.assigned)
        ]
        ordered.sort(key=lambda each: each[:3])
        for each in self.trace.before:
            self._note(each, -1)
        for _, number, _, each in ordered:
            self._note(each, -number)

    def _note(self, assigned: Assigned, step: int) -> None:
        given = VariableValue(
            assigned.name, assigned.type, assigned.value, assigned.begun, step, assigned.function, assigned.call
        )
        made = self._merged(given)
        if made.key not in self._versions:
            self._versions[made.key], self._begun[made.key] = [], []
            self._of_call.setdefault(made.call if made.function else None, []).append(made.key)
        self._versions[made.key].append(made)
        self._begun[made.key].append(made.begun)
        self._order.append((made.begun, made.key))

    def _merged(self, part: VariableValue) -> VariableValue:
        """Returns the whole with its new part, if the whole is a known vector or matrix; else the part itself."""
        found = self._whole(part, part.name)
        if found is None or found[0].name == part.name or len(found[1]) != len(part.value):
            return part
        whole, lanes, _ = found
        value = list(whole.value)
        for lane, number in zip(lanes, part.value, strict=True):
            value[lane] = number
        return replace(whole, value=tuple(value), begun=part.begun, step=part.step)

    def _whole(self, of: VariableValue, name: str) -> tuple[VariableValue, tuple[int, ...], str] | None:
        """Returns the known variable that `name` is or is part of, with its lanes and their type."""
        known = self._versions.get((of.call, of.function, name) if of.function else (0, "", name))
        if known is not None:
            return known[-1], tuple(range(len(known[-1].value))), known[-1].type
        match = _PART.match(name)
        outer = self._whole(of, match["whole"]) if match is not None else None
        if match is None or outer is None:
            return None
        inside = _lanes_of(outer[2], match)
        if inside is None or max(inside) >= len(outer[1]):
            return None
        return outer[0], tuple(outer[1][lane] for lane in inside), f"vec{len(inside)}"


def _lanes_of(kind: str, match: re.Match[str]) -> tuple[int, ...] | None:
    """Returns which lanes of a type `match`, a part of its name, means; None if it has no such lanes."""
    if _VECTOR.match(kind) is not None:
        if match["index"] is not None:
            return (int(match["index"]),)
        return tuple(_LANES[letter] for letter in match["lanes"])
    matrix = _MATRIX.match(kind)
    if matrix is not None and match["index"] is not None:
        rows = int(matrix[2] or matrix[1])
        return tuple(range(int(match["index"]) * rows, (int(match["index"]) + 1) * rows))
    return None


def _ints(values: list[int]) -> NDArray[np.int64]:
    return np.array(values, np.int64)
