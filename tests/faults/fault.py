"""A planted bug as data: subject, changes, and what a diagnosis has to say."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import moderngl
import numpy as np

from tests.faults.changes import Change, Edit
from tests.faults.faulty_session import FaultySession
from tests.faults.subjects import Subject
from texelscope.pipeline.glsl.lines import line_map
from texelscope.pipeline.plan import Plan, ProgramSource

Family = Literal["reading", "computing", "storing", "numbers"]
Line = tuple[str, int]


@dataclass(frozen=True)
class Planted:
    """A session that has run with its fault; `lines` are the places (file, 1-based line) of the fault, none if it is
    not in a shader. `changed` are those of them whose text is another one."""

    session: FaultySession
    name: str
    lines: frozenset[Line]
    changed: frozenset[Line]


@dataclass(frozen=True)
class Fault:
    """A bug and its name.

    `parameters` have to be among those of the finding (numbers to three digits); None asserts nothing. The
    lines that count are those that `changes` edit and those with one of the snippets `where`: the read that
    an edited index ends up in, or the statement that lacks what was taken away. `alternatives` are causes
    that are as true; the reason stands beside each. A fault is shown after `earlier` runs on other
    inputs and `runs` runs on the subject's. A bug that no cause describes has an empty `cause`; `alternatives`
    are then what is true of a part of it. `limit` says why a diagnosis does not name the bug as it should; no test
    asks it to, until the text is taken away.
    """

    name: str
    cause: str
    subject: Callable[[], Subject]
    changes: tuple[Change, ...]
    parameters: Mapping[str, Any] | None = None
    where: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    earlier: int = 0
    runs: int = 1
    seen_at: str = ""
    limit: str = ""

    def plant(self, context: moderngl.Context) -> Planted:
        """The session, run; the caller releases it."""
        subject = self.subject()
        plan = subject.plan
        for change in self.changes:
            plan = change.to_plan(plan, subject.name)
        session = FaultySession(plan, context, subject.name)
        try:
            for change in self.changes:
                change.to_session(session, subject.name)
            for number in range(self.earlier):
                self._feed(session, {key: other_values(value, number) for key, value in subject.inputs.items()})
                session.run()
            self._feed(session, subject.inputs)
            for _ in range(self.runs):
                session.run()
        except BaseException:
            session.release()
            raise
        changed = self._changed(subject.plan, plan, subject.name)
        after = plan.passes[plan.position(subject.name)].program
        return Planted(session, subject.name, changed | lines_with(after, self.where), changed)

    def _feed(self, session: FaultySession, inputs: Mapping[str, Any]) -> None:
        for key, value in inputs.items():
            session.set_input(key, value)
        for change in self.changes:
            change.to_inputs(session, session.name)

    def _changed(self, healthy: Plan, faulty: Plan, name: str) -> frozenset[Line]:
        if not any(isinstance(change, Edit) for change in self.changes):
            return frozenset()
        before = healthy.passes[healthy.position(name)].program
        after = faulty.passes[faulty.position(name)].program
        return frozenset(changed_lines(before, after))


def changed_lines(before: ProgramSource, after: ProgramSource) -> set[Line]:
    """Lines of `after` that differ from `before`; beside a deletion, the line on either side of it."""
    old, new = before.fragment.split("\n"), after.fragment.split("\n")
    places = line_map(after)
    found: set[Line] = set()
    for kind, _, _, start, stop in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "delete":
            found.update(places[max(start - 1, 0) : start + 1])
        elif kind != "equal":
            found.update(places[start:stop])
    return found


def lines_with(program: ProgramSource, snippets: tuple[str, ...]) -> set[Line]:
    """The lines of `program` in which one of the snippets stands; one of them has to stand somewhere."""
    texts = enumerate(program.fragment.split("\n"))
    places = line_map(program)
    found = {places[i] for i, text in texts if any(snippet in text for snippet in snippets)}
    assert found or not snippets, f"none of {snippets} is in the shader"
    return found


def other_values(value: Any, number: int) -> Any:
    """Other values of the same kind: shuffled, moved and of other sign."""
    shuffled = np.random.default_rng(number).permutation(value.reshape(-1)).reshape(value.shape)
    return (0.4 - 0.9 * shuffled).astype(value.dtype)
