"""Where a wrong number was made: the one line that, written otherwise, makes every value of the pass right.

A finding says what is wrong and which line uses it. Here the shader's own text is asked: each operand, sign, number,
swizzle and order is written otherwise, one at a time, and drawn (`trying`). Where that helps on one line alone, the
wrong number was made there. What helps is proof of that and no more: on two lines nothing is said.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pipeline.diagnose.edits.schemata import Edit, EditableText
from pipeline.diagnose.edits.trying import cured_by_a_uniform, curing
from pipeline.diagnose.explain import Diagnosis
from pipeline.diagnose.trial.scoring import WHOLE
from pipeline.glsl.lines import GENERATED, Line
from pipeline.plan import Pass

if TYPE_CHECKING:
    from pipeline.gl.session import Session

# What the plan may have done as well as the text: what is bound, in which layout, how it is sampled and drawn.
_OF_THE_PLAN = frozenset(
    {
        "wrong_input", "wrong_layout", "linear_filtering", "stale_tensor", "feedback_loop", "viewport_mismatch",
        "blend_enabled", "unwritten_texels",
    }
)  # fmt: skip
# Numbers of a finding that are looked for in the text.
_MOST_NUMBERS = 8


class Locating:
    """Looks for the line behind a diagnosis, a little at a time: call `step` until it answers False. GL thread."""

    def __init__(self, session: Session, name: str, diagnosis: Diagnosis) -> None:
        self._session = session
        self._diagnosis = diagnosis
        self._pass = session.plan.pass_called(name)
        self._made: Line | None = None
        self._steps = self._locate()

    def step(self) -> bool:
        """Does a little; False when there is nothing left."""
        self._session.make_current()
        return next(self._steps, self) is not self

    def run(self) -> Diagnosis:
        """All steps at once."""
        while self.step():
            pass
        return self.diagnosis

    def close(self) -> None:
        """Gives up."""
        self._steps.close()

    @property
    def diagnosis(self) -> Diagnosis:
        """The diagnosis with the line in the findings that explain everything; without what it was judged by."""
        findings = tuple(
            dataclasses.replace(each, made=self._made) if self._made is not None and _is_whole(each) else each
            for each in self._diagnosis.findings
        )
        return dataclasses.replace(self._diagnosis, findings=findings, judge=None)

    def _locate(self) -> Generator[None, None, None]:
        diagnosis, each = self._diagnosis, self._pass
        judge, first = diagnosis.judge, next(iter(diagnosis.findings), None)
        if judge is None or first is None or not _is_whole(first) or first.line is None or not _is_drawn(each):
            return
        if any(finding.cause in _OF_THE_PLAN for finding in diagnosis.findings):
            return
        numbers = _numbers(first.parameters)
        text = EditableText(self._session.program_source(each.name))
        edits = [edit for edit in text.edits(numbers) if edit.line[0] != GENERATED or edit.is_setting]
        for kind in ("replaced", "added"):
            some = [edit for edit in edits if edit.proposal.kind == kind]
            found = yield from curing(self._session, each, some, text, judge)
            made = _one_line(found)
            if made is not None and not (yield from cured_by_a_uniform(self._session, each, text, judge, numbers)):
                self._made = made
            if found:
                return


def _is_whole(finding: Any) -> bool:
    return bool(finding.explained >= WHOLE)


def _is_drawn(each: Pass) -> bool:
    return each.dispatch is None


def _one_line(edits: Sequence[Edit]) -> Line | None:
    """The line of all of them, if that is one and somebody wrote it."""
    lines = list({edit.line for edit in edits})
    return lines[0] if len(lines) == 1 and lines[0][0] != GENERATED else None


def _numbers(parameters: Mapping[str, Any]) -> tuple[float, ...]:
    """The numbers that a finding names, in their order."""
    found = dict.fromkeys(_flat(parameters.values()))
    return tuple(found)[:_MOST_NUMBERS]


def _flat(values: Any) -> Iterator[float]:
    for value in values:
        if isinstance(value, Mapping):
            yield from _flat(value.values())
        elif isinstance(value, list | tuple):
            yield from _flat(value)
        elif isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e6:
            yield float(value)
