"""Diagnoses in one call, for the command line, scripts and tests; a window runs the parts one by one.

```python
output = comparer.wrong_output(capture, name)          # worker thread
wrong = comparer.wrong(capture, output)
beginning = Beginning(session, capture, output, wrong)   # GL thread: step() between frames until it answers False
diagnosis = beginning.diagnosis                        # known already if the weights in the text are all that is wrong
diagnosis = explain(beginning.evidence)                # else: worker thread, with progress and cancel
diagnosis = Locating(session, name, diagnosis).run()   # GL thread: or step() between frames
report = with_findings(report, name, diagnosis)
```
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from texelscope.pipeline.errors import CancelledError, TexelscopeError
from texelscope.pipeline.plan import Plan

if TYPE_CHECKING:
    from texelscope.pipeline.compare.capture import Capture
    from texelscope.pipeline.compare.comparer import Comparer
    from texelscope.pipeline.compare.report import Report
    from texelscope.pipeline.diagnose.explain import Diagnosis
    from texelscope.pipeline.gl.session import Session

# Returns the diagnosis of the pass of that name.
One = Callable[[str], "Diagnosis"]

# Verdicts that a diagnosis can explain.
WRONG = frozenset({"mismatch", "not_its_meaning", "nan", "unwritten", "precision"})
# At most this many passes with faults of their own are named in one report.
MOST_PASSES = 6
# After this no further pass is begun.
FURTHER_SECONDS = 10.0
# Seconds of a repair search for a pass if repairs were requested, and if not.
REPAIR_SECONDS, PASSING_SECONDS = 20.0, 3.0
# The share of a limited pass's seconds in which causes are tried; the fewest seconds for these, and for repairs.
_OF_CAUSES, _FEWEST_SECONDS = 0.5, 1.0


def diagnose(  # noqa: PLR0913 - each is for one kind of caller
    session: Session,
    comparer: Comparer,
    capture: Capture,
    name: str,
    *,
    progress: Callable[[float], None] | None = None,
    cancel: threading.Event | None = None,
    repair_seconds: float = PASSING_SECONDS,
    seconds: float | None = None,
) -> Diagnosis:
    """Diagnoses the pass called `name` at once, with repairs found within some seconds.

    `seconds` limit all of it, evidence, causes and repairs, but for the step that is under way when they are over; a
    share of them is for the causes.

    Raises TexelscopeError, CancelledError.
    """
    from texelscope.pipeline.diagnose.beginning import Beginning  # not loaded if nothing is wrong
    from texelscope.pipeline.diagnose.explain import explain
    from texelscope.pipeline.diagnose.locating import Locating

    start = time.monotonic()
    output = comparer.wrong_output(capture, name)
    with closing(Beginning(session, capture, output, comparer.wrong(capture, output))) as beginning:
        while beginning.step():
            if cancel is not None and cancel.is_set():
                raise CancelledError
            if progress is not None:
                progress(0.5 * beginning.progress)
    if beginning.diagnosis is not None:
        if progress is not None:
            progress(1.0)
        return beginning.diagnosis
    later = None if progress is None else (lambda share: progress(0.5 + 0.4 * share))
    limit = None
    if seconds is not None:
        limit = max(min(_OF_CAUSES * seconds, seconds - (time.monotonic() - start)), _FEWEST_SECONDS)
    named = explain(beginning.evidence, progress=later, cancel=cancel, seconds=limit)
    if seconds is not None:
        repair_seconds = max(seconds - (time.monotonic() - start), _FEWEST_SECONDS) if seconds else 0.0
    if not repair_seconds:
        return dataclasses.replace(named, judge=None, single_fault_outputs=(), partners=None)
    with closing(Locating(session, name, named, repair_seconds, is_limited=seconds is not None)) as locating:
        while locating.step():
            if cancel is not None and cancel.is_set():
                raise CancelledError
    if progress is not None:
        progress(1.0)
    return locating.diagnosis


def with_findings(report: Report, name: str, diagnosis: Diagnosis) -> Report:
    """Returns the report with the findings of one pass, or with a message about what is known instead."""
    passes = tuple(
        dataclasses.replace(
            each,
            findings=diagnosis.findings,
            repairs=diagnosis.repairs,
            was_cut=diagnosis.was_cut and not diagnosis.repairs,
            message=" ".join(text for text in (each.message, diagnosis.unexplained) if text),
        )
        if each.name == name
        else each
        for each in report.passes
    )
    return dataclasses.replace(report, passes=passes)


@dataclasses.dataclass(frozen=True)
class DiagnosisRequest:
    """Chooses the wrong passes to diagnose: those named, however long it takes; without names the first few.

    `seconds` are shared out over the wrong passes (0: none); None means a few passes and seconds. With `repairs` every
    wrong pass is diagnosed, with a longer search for its repair. If the `first_takes_all`, each wrong pass may use all
    seconds that are left, and further ones may have none.
    """

    names: tuple[str, ...] = ()
    seconds: float | None = None
    repairs: bool = False
    first_takes_all: bool = False

    @property
    def limit(self) -> float:
        """Returns the seconds after which no further pass is begun."""
        if self.seconds is not None:
            return self.seconds
        return math.inf if self.repairs else FURTHER_SECONDS

    def repair_seconds(self, spent: float, left: int) -> float:
        """Returns how long the next pass may take, after so many seconds, with `left` passes to come.

        What a pass does not use is left for the others; of few seconds, the first ones get what is usual.
        """
        if self.seconds is None:
            return REPAIR_SECONDS if self.repairs or self.names else PASSING_SECONDS
        rest = max(self.seconds - spent, 0.0)
        return rest if self.first_takes_all else max(rest / max(left, 1), min(PASSING_SECONDS, rest))


def name_bugs(
    session: Session,
    comparer: Comparer,
    capture: Capture,
    report: Report,
    asked: DiagnosisRequest | None = None,
    cancel: threading.Event | None = None,
) -> Report:
    """Returns the report with findings for the first wrong pass and the next few while quick, or for those requested.

    See `name_each`. Raises TexelscopeError for a name of no pass, CancelledError once `cancel` is set.
    """

    asked, start = DiagnosisRequest() if asked is None else asked, time.monotonic()
    left = itertools.count(len(_wanted(session.plan, report, asked)), -1)

    def one(name: str) -> Diagnosis:
        seconds = asked.repair_seconds(time.monotonic() - start, next(left))
        limit = None if asked.seconds is None else seconds
        return diagnose(session, comparer, capture, name, cancel=cancel, repair_seconds=seconds, seconds=limit)

    return name_each(session.plan, report, one, lambda name: session.program_source(name).fragment, asked)


def name_each(
    plan: Plan, report: Report, one: One, shader_of: Callable[[str], str], asked: DiagnosisRequest | None = None
) -> Report:
    """Does the same as `name_bugs`, with `one` for the diagnosis of a pass: it may raise TexelscopeError.

    The first pass of each shader comes before further ones of the same shader, which mostly have the same bug. Skipped
    passes are listed in `undiagnosed`.
    """
    asked = DiagnosisRequest() if asked is None else asked
    wrong = [each.name for each in report.passes if each.verdict in WRONG]
    limit, names = asked.limit, _asked_for(plan, asked) or _wanted(plan, report, asked)
    report = _nothing_to_explain(report, [name for name in names if name not in wrong])
    names, late = [name for name in names if name in wrong], []
    end = time.monotonic() + limit
    for position, name in enumerate(_by_shader(names, shader_of)):
        is_free = bool(asked.names) or (position == 0 and limit != 0)
        if not is_free and (limit == 0 or time.monotonic() > end):
            late.append(name)
            if limit:
                reason = f"Not diagnosed: the passes before it took longer than {limit:g} s."
                report = with_findings(report, name, _none_found(reason))
            continue
        try:
            report = with_findings(report, name, one(name))
        except TexelscopeError as error:
            report = with_findings(report, name, _none_found(f"It could not be diagnosed: {error}"))
    rounded = {each.name for each in report.passes if each.verdict == "precision"}
    left = tuple(name for name in wrong if name not in rounded and (name not in names or name in late))
    return dataclasses.replace(report, undiagnosed=left)


def _wanted(plan: Plan, report: Report, asked: DiagnosisRequest) -> list[str]:
    """Returns the wrong passes that are diagnosed if time allows: those asked for, else all, or the first few."""
    wrong = [each.name for each in report.passes if each.verdict in WRONG]
    if asked.names:
        return [name for name in _asked_for(plan, asked) if name in wrong]
    return wrong[: MOST_PASSES if asked.seconds is None and not asked.repairs else None]


def _asked_for(plan: Plan, asked: DiagnosisRequest) -> list[str]:
    return list(dict.fromkeys(plan.pass_called(name).name for name in asked.names))


def _nothing_to_explain(report: Report, names: Sequence[str]) -> Report:
    for name in names:
        report = with_findings(report, name, _none_found("A diagnosis was requested, but nothing is wrong with it."))
    return report


def _by_shader(names: Sequence[str], shader_of: Callable[[str], str]) -> list[str]:
    seen: Counter[str] = Counter()
    turn: dict[str, int] = {}
    for name in names:
        shader = shader_of(name)
        turn[name] = seen[shader]
        seen[shader] += 1
    return sorted(names, key=lambda name: turn[name])


def _none_found(note: str) -> Diagnosis:
    from texelscope.pipeline.diagnose.explain import Diagnosis

    return Diagnosis((), note)
