"""Diagnosis in one call, for the command line, scripts and tests; a window takes the parts one by one.

```python
output = comparer.wrong_output(capture, name)          # worker thread
wrong = comparer.wrong(capture, output)
gathering = Gathering(session, capture, output, wrong)   # GL thread: step() between frames until it answers False
diagnosis = explain(gathering.evidence)                # worker thread, with progress and cancel
diagnosis = Locating(session, name, diagnosis).run()   # GL thread: or step() between frames
report = with_findings(report, name, diagnosis)
```
"""

from __future__ import annotations

import dataclasses
import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.report import Report
from texelscope.pipeline.errors import CancelledError, TexelscopeError
from texelscope.pipeline.plan import Plan

if TYPE_CHECKING:
    from texelscope.pipeline.diagnose.explain import Diagnosis
    from texelscope.pipeline.gl.session import Session

# Gives the diagnosis of the pass of that name.
One = Callable[[str], "Diagnosis"]

# Verdicts that have something to explain.
WRONG = frozenset({"mismatch", "nan", "unwritten", "precision"})
# Passes that are wrong on their own account and named in one report.
MOST_PASSES = 6
# After this no further pass is begun.
FURTHER_SECONDS = 10.0
# So long repairs of a pass are looked for where they are asked for, and where they may be found in passing.
REPAIR_SECONDS, PASSING_SECONDS = 20.0, 3.0


def diagnose(
    session: Session,
    comparer: Comparer,
    capture: Capture,
    name: str,
    *,
    progress: Callable[[float], None] | None = None,
    cancel: threading.Event | None = None,
    repair_seconds: float = PASSING_SECONDS,
) -> Diagnosis:
    """The diagnosis of the pass called `name`, here and now, with repairs that are found in so many seconds.

    Raises TexelscopeError, CancelledError.
    """
    from texelscope.pipeline.diagnose.evidence.gather import Gathering  # where nothing is wrong, nobody waits for it
    from texelscope.pipeline.diagnose.explain import explain
    from texelscope.pipeline.diagnose.made import Locating

    output = comparer.wrong_output(capture, name)
    gathering = Gathering(session, capture, output, comparer.wrong(capture, output))
    while gathering.step():
        if cancel is not None and cancel.is_set():
            raise CancelledError
        if progress is not None:
            progress(0.5 * gathering.progress)
    later = None if progress is None else (lambda share: progress(0.5 + 0.4 * share))
    named = explain(gathering.evidence, progress=later, cancel=cancel)
    if not repair_seconds:
        return dataclasses.replace(named, judge=None, halves=(), partners=None)
    locating = Locating(session, name, named, seconds=repair_seconds)
    while locating.step():
        if cancel is not None and cancel.is_set():
            raise CancelledError
    if progress is not None:
        progress(1.0)
    return locating.diagnosis


def with_findings(report: Report, name: str, diagnosis: Diagnosis) -> Report:
    """The report with the findings of one pass, or what is known in their place as its message."""
    passes = tuple(
        dataclasses.replace(
            each,
            findings=diagnosis.findings,
            repairs=diagnosis.repairs,
            message=" ".join(text for text in (each.message, diagnosis.unexplained) if text),
        )
        if each.name == name
        else each
        for each in report.passes
    )
    return dataclasses.replace(report, passes=passes)


@dataclasses.dataclass(frozen=True)
class DiagnosisRequest:
    """Which wrong passes to diagnose: those of these names, however long it takes; without names the first few.

    `seconds` is when no further pass is begun and no repair is looked for any more (0 diagnoses none); None stands for
    a few passes and seconds. With `repairs` every wrong pass is looked into, and longer at each for what mends it.
    """

    names: tuple[str, ...] = ()
    seconds: float | None = None
    repairs: bool = False

    @property
    def limit(self) -> float:
        """Seconds after which no further pass is begun."""
        if self.seconds is not None:
            return self.seconds
        return math.inf if self.repairs else FURTHER_SECONDS

    def repair_seconds(self, spent: float) -> float:
        """For how long to look for repairs of the next pass, after so many seconds."""
        each = REPAIR_SECONDS if self.repairs or self.names else PASSING_SECONDS
        return each if self.seconds is None or self.names else min(each, max(self.seconds - spent, 0.0))


def name_bugs(
    session: Session, comparer: Comparer, capture: Capture, report: Report, asked: DiagnosisRequest | None = None
) -> Report:
    """The report with findings for the first wrong pass, and for the next few while that is quick, or for those asked.

    See `name_each`. Raises TexelscopeError for the name of no pass.
    """

    asked, start = DiagnosisRequest() if asked is None else asked, time.monotonic()

    def one(name: str) -> Diagnosis:
        seconds = asked.repair_seconds(time.monotonic() - start)
        return diagnose(session, comparer, capture, name, repair_seconds=seconds)

    return name_each(session.plan, report, one, lambda name: session.program_source(name).fragment, asked)


def name_each(
    plan: Plan, report: Report, one: One, shader_of: Callable[[str], str], asked: DiagnosisRequest | None = None
) -> Report:
    """As `name_bugs`, where `one` gives the diagnosis of a pass: it may raise TexelscopeError.

    The first pass of each shader comes before the next of the same one, which has the same bug more often than not.
    What was left out stands in `undiagnosed`.
    """
    asked = DiagnosisRequest() if asked is None else asked
    wrong = [each.name for each in report.passes if each.verdict in WRONG]
    limit, is_short = asked.limit, asked.seconds is None and not asked.repairs
    names = _asked_for(plan, asked) or wrong[: MOST_PASSES if is_short else None]
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


def _asked_for(plan: Plan, asked: DiagnosisRequest) -> list[str]:
    return list(dict.fromkeys(plan.pass_called(name).name for name in asked.names))


def _nothing_to_explain(report: Report, names: Sequence[str]) -> Report:
    for name in names:
        report = with_findings(report, name, _none_found("It was to be diagnosed, and nothing is wrong with it."))
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
