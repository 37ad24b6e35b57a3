"""Decodes a log into steps: each with its statement, call and loop turns, and its entries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from texelscope.pipeline.step_trace.log import LogEnd, TraceLog
from texelscope.pipeline.step_trace.rewriting.sites import READ_TYPE, TYPES, TraceSite
from texelscope.pipeline.step_trace.trace import Assigned, End, Number, TexelRead, TraceStep


@dataclass
class _Open:
    """Holds a step under way."""

    number: int
    site: TraceSite
    call: int
    depth: int
    turns: tuple[int, ...]
    assigned: list[Assigned] = field(default_factory=list)
    reads: list[TexelRead] = field(default_factory=list)
    branch: bool | None = None
    end: End = ""
    returned: tuple[Number, ...] = ()
    watched: dict[str, tuple[Number, ...]] = field(default_factory=dict)

    def closed(self) -> TraceStep:
        """Returns the finished step."""
        site = self.site
        return TraceStep(
            self.number, site.line, site.function, self.call, self.depth, self.turns, site.text, tuple(self.assigned),
            tuple(self.reads), self.branch, self.end, self.returned, self.watched,
        )  # fmt: skip


@dataclass
class _Frame:
    """Holds a call under way: its start (a site; -1: main), number, depth, step and loops."""

    definition: int
    call: int
    depth: int
    step: _Open | None
    turns: dict[int, int] = field(default_factory=dict)


class Decoder:
    """Decodes the logs of one run's windows, in order; see `steps`, `before` and the rest for the results."""

    def __init__(self, sites: Sequence[TraceSite], parts: Sequence[str], later: frozenset[int]) -> None:
        """`later` are the parts that another part of the same struct precedes."""
        self._sites, self._parts = sites, parts
        self._later = later
        self._loops: dict[int, set[int]] = {}
        for site in sites:
            if site.enters is not None:
                self._loops.setdefault(site.definition, set()).add(site.enters)
        self._returning: _Open | None = None
        self._frames = [_Frame(-1, 0, 0, None)]
        self._calls = 0
        self._begun = 0
        self._indices: dict[int, Number] = {}
        self._steps: list[_Open] = []
        self._before: dict[tuple[str, str], Assigned] = {}
        self._watched: dict[str, tuple[Number, ...]] = {}
        self._loose: list[Assigned] = []
        self.outputs: dict[str, tuple[Number, ...]] = {}
        self.constants: dict[str, tuple[Number, ...]] = {}

    @property
    def steps(self) -> tuple[TraceStep, ...]:
        """The steps that were decoded to be kept."""
        return tuple(each.closed() for each in self._steps)

    @property
    def before(self) -> tuple[Assigned, ...]:
        """The last value of each variable from before the first of them, and older steps' later assignments."""
        return tuple(
            sorted([*self._before.values(), *self._loose], key=lambda each: (each.begun, each.function, each.name))
        )

    def skip(self, log: TraceLog) -> None:
        """Skips `log`, keeping only its state at the end: values of variables, calls and turns."""
        past = LogEnd(log, self._sites, self._later, self._indices)
        calls = self._calls
        for each in past.assignments():
            site, part = self._sites[each.site], int(log.parts[each.entry])
            value = log.value(each.entry)
            name = _filled(site.name, each.indices) + self._parts[part]
            call = calls + each.call + 1 if each.call >= 0 else self._call_of(site.definition)
            made = Assigned(
                name, TYPES[int(log.kinds[each.entry]) - 1], _stepped(value, site.step) if site.step else value,
                self._begun + each.begun, _owner(site), call,
            )  # fmt: skip
            self._before[_owner(site), name] = made
        self.constants.update((self._sites[site].name, log.value(entry)) for site, entry in past.last("constant"))
        self._indices.update((site, log.value(entry)[0]) for site, entry in past.last("index"))
        self._begun += past.steps
        del self._frames[len(self._frames) - past.left :]
        for frame in self._frames:
            self._turn(frame, past, 0)
        for number in past.open_calls():
            entry = int(past.enters[number])
            self._frames.append(_Frame(int(log.sites[entry]), calls + number + 1, len(self._frames), None))
            self._turn(self._frames[-1], past, entry)
        self._calls += len(past.enters)

    def _call_of(self, definition: int) -> int:
        return next((each.call for each in reversed(self._frames) if each.definition == definition), 0)

    def _turn(self, frame: _Frame, past: LogEnd, start: int) -> None:
        for loop in self._loops.get(frame.definition, ()):
            entered, turns = past.turns(loop, start)
            if entered or turns:
                frame.turns[loop] = turns + (-1 if entered else frame.turns.get(loop, -1))

    def decode(self, log: TraceLog, reads: Sequence[Sequence[TexelRead]]) -> None:
        """Continues with `log`; `reads` are its reads."""
        values, next_read = log.values, iter(reads)
        sites = self._sites
        columns = zip(log.sites.tolist(), log.kinds.tolist(), log.parts.tolist(), values, strict=True)
        for number, kind, part, value in columns:
            if kind == READ_TYPE:
                texels, step = next(next_read, ()), self._frames[-1].step
                if step is not None:
                    step.reads.extend(texels)
                continue
            site = sites[number]
            if site.what == "step" or (site.begins and part not in self._later):
                self._begin(site)
            if site.what == "assign":
                self._assign(site, kind, part, value)
            elif site.what == "branch":
                self._branch(bool(value[0]))
            elif site.what == "index":
                self._indices[number] = value[0]
            elif site.what != "step":
                self._event(number, site, part, value)

    def _begin(self, site: TraceSite) -> None:
        frame = self._frames[-1]
        if site.enters is not None:
            frame.turns[site.enters] = -1
        if site.turns is not None:
            frame.turns[site.turns] = frame.turns.get(site.turns, -1) + 1
        turns = tuple([frame.turns.get(loop, 0) for loop in site.loops])
        step = _Open(self._begun, site, frame.call, frame.depth, turns)
        self._begun += 1
        step.watched, self._watched = self._watched, {}
        frame.step = step
        self._steps.append(step)
        step.end = site.end

    def _branch(self, taken: bool) -> None:  # noqa: FBT001 - a value, not a choice
        step = self._frames[-1].step
        if step is not None:
            step.branch = taken

    def _assign(self, site: TraceSite, kind: int, part: int, value: tuple[Number, ...]) -> None:
        if site.step:
            value = _stepped(value, site.step)
        self._keep(_owner(site), site.name, site.indices, kind, part, value)

    def _keep(
        self, function: str, name: str, indices: Sequence[int], kind: int, part: int, value: tuple[Number, ...]
    ) -> None:
        frame = self._frames[-1]
        name = _filled(name, [self._indices.get(index, 0) for index in indices]) + self._parts[part]
        made = Assigned(name, TYPES[kind - 1], value, self._begun, function, frame.call)
        step = frame.step
        if step is not None:
            step.assigned.append(made)
        else:
            self._loose.append(made)

    def _event(self, number: int, site: TraceSite, part: int, value: tuple[Number, ...]) -> None:
        if site.what == "enter":
            self._calls += 1
            around = self._frames[-1]
            self._frames.append(_Frame(number, self._calls, around.depth + 1, around.step))
        elif site.what == "exit":
            self._leave()
        elif site.what == "return":
            self._return(part, value)
        elif site.what == "mark":
            self._mark(site)
        elif site.what == "watch":
            self._watched[site.name] = self._watched.get(site.name, ()) + value if part in self._later else value
        elif site.what == "constant":
            self.constants[site.name] = value
        elif site.what == "output":
            self.outputs[site.name] = value

    def _mark(self, site: TraceSite) -> None:
        turns = self._frames[-1].turns
        if site.enters is not None:
            turns[site.enters] = -1
        if site.turns is not None:
            turns[site.turns] = turns.get(site.turns, -1) + 1

    def _return(self, part: int, value: tuple[Number, ...]) -> None:
        """Records a returned value: of a struct member by member, and the call ends with the first."""
        if part in self._later and self._returning is not None:
            self._returning.returned += value
            return
        self._returning = self._frames[-1].step
        if self._returning is not None:
            self._returning.returned = value
        self._leave()

    def _leave(self) -> None:
        if len(self._frames) > 1:
            self._frames.pop()


def _filled(name: str, indices: Sequence[Number]) -> str:
    if not indices:
        return name
    rest: Iterator[Number] = iter(indices)
    return "".join(str(int(next(rest, 0))) if letter == "#" else letter for letter in name)


def _stepped(value: tuple[Number, ...], by: int) -> tuple[Number, ...]:
    """Returns the value of a variable after `x++`, which logs the value before, by the arithmetic of its type."""
    if isinstance(value[0], float):
        return tuple(np.add(np.array(value, np.float32), np.float32(by)).tolist())
    return tuple(np.add(np.array(value, np.int64), by).astype(np.int32).tolist())


def _owner(site: TraceSite) -> str:
    """Returns the function whose variable is logged; empty for a global one."""
    return "" if site.is_shared else site.function
