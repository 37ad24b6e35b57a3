"""Diagnoses of all wrong passes, one after the other: evidence gathered between frames, explained in a thread."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import moderngl

from pipeline.compare.figures import wrong_elements
from pipeline.compare.report import Finding, Report
from pipeline.diagnose.naming import WRONG
from pipeline.errors import CancelledError, TexelscopeError
from pipeline.unforeseen.fault_log import told
from viewer.document.comparison import Comparison
from viewer.document.document import Document
from viewer.document.jobs import Job, Worker

if TYPE_CHECKING:  # imported with the first pass that is wrong
    from pipeline.diagnose.evidence.evidence import Evidence
    from pipeline.diagnose.evidence.gather import Gathering
    from pipeline.diagnose.explain import Diagnosis
    from pipeline.diagnose.made import Locating

# A frame for every step of the bar would take from the search what it needs.
REPORT_EVERY_SECONDS = 0.4
# Of the whole progress, so much is done when the evidence is gathered, and when that is explained.
_GATHERED, _EXPLAINED = 0.5, 0.9


@dataclass
class Inquiry:
    """One pass being diagnosed, or diagnosed. `revision` is that of the document then; `asked` says that somebody did.

    What is done holds no evidence: that is as large as all that the pass reads.
    """

    name: str
    revision: int
    asked: bool = False
    gathering: Gathering | None = None
    job: Job[Diagnosis] | None = None
    locating: Locating | None = None
    diagnosis: Diagnosis | None = None
    problem: str = ""

    @property
    def is_done(self) -> bool:
        """Whether there is nothing more to come."""
        return self.diagnosis is not None or bool(self.problem)

    @property
    def progress(self) -> float:
        """Share of the work that is done, about."""
        if self.is_done:
            return 1.0
        if self.locating is not None:
            return _EXPLAINED
        if self.job is not None:
            return _GATHERED + (_EXPLAINED - _GATHERED) * self.job.progress
        return _GATHERED * self.gathering.progress if self.gathering is not None else 0.0


class Diagnoses:
    """What is known of the wrong passes of the open document.

    They are taken up by themselves: the selected one, then the others in order, each while nobody works the window.
    Once one of them was cancelled, no other is, until something is asked for or changes.
    """

    def __init__(self, wake: Callable[[], None]) -> None:
        self._worker: Worker[Diagnosis] = Worker(wake, report_every=REPORT_EVERY_SECONDS)
        self._inquiries: dict[str, Inquiry] = {}
        self._current: Inquiry | None = None
        self._waiting: str | None = None
        self._held = -1  # the revision in which nothing is taken up by itself
        self._wrong: tuple[Comparison | None, tuple[str, ...]] = (None, ())
        self.waits = False  # for a rest, to begin the next one

    @property
    def current(self) -> Inquiry | None:
        """The inquiry under way."""
        return self._current

    def inquiry(self, document: Document, name: str) -> Inquiry | None:
        """What is known of the pass called `name`, as it is now."""
        found = self._inquiries.get(name)
        return found if found is not None and found.revision == document.revision else None

    def diagnosis(self, document: Document, name: str) -> Diagnosis | None:
        """What was found about the pass called `name`, as it is now; None before that."""
        found = self.inquiry(document, name)
        return found.diagnosis if found is not None else None

    def wrong(self, document: Document) -> tuple[str, ...]:
        """Names of the passes that are wrong on their own account and can be diagnosed, in order."""
        comparison, session = document.comparison, document.session
        if comparison is None or session is None or not document.is_compared:
            return ()
        if self._wrong[0] is not comparison:
            found = (session.plan.find(each.name) for each in comparison.report.passes if each.verdict in WRONG)
            there = comparison.isolated.keys() & comparison.capture.tensors.keys()
            self._wrong = comparison, tuple(each.name for each in found if each is not None and each.output in there)
        return self._wrong[1]

    def findings_at(self, revision: int) -> dict[str, tuple[Finding, ...]]:
        """What was found by pass when the document was at that revision, as far as it is not forgotten."""
        return {
            name: each.diagnosis.findings
            for name, each in self._inquiries.items()
            if each.revision == revision and each.diagnosis is not None
        }

    def named(self, document: Document, report: Report) -> Report:
        """The report with the findings that are there by now."""
        passes = []
        for each in report.passes:
            found = self.diagnosis(document, each.name)
            passes.append(replace(each, findings=found.findings) if found is not None else each)
        return replace(report, passes=tuple(passes))

    def ask(self, name: str) -> None:
        """Has the pass called `name` diagnosed next, again if that was given up or failed.

        One that nobody asked for gives way, and has its turn later.
        """
        self._waiting, self._held = name, -1
        known, current = self._inquiries.get(name), self._current
        if known is not None and known.problem:
            del self._inquiries[name]
        if current is not None and not current.asked and current.name != name:
            self._forget(current)

    def cancel(self) -> None:
        """Gives up the inquiry under way."""
        if self._current is not None:
            self._held = self._current.revision
            self._end(self._current, "Cancelled.")

    def go_on(self) -> None:
        """Takes all wrong passes up again, those as well that were given up or failed."""
        self._held = -1
        self._inquiries = {name: each for name, each in self._inquiries.items() if not each.problem}

    def holds(self, document: Document) -> bool:
        """Whether the passes that are left wait to be asked for, because one was cancelled."""
        return self._held == document.revision

    def close(self) -> None:
        """Lets the thread go."""
        self._worker.close()

    def advance(
        self, document: Document, budget_ms: float, *, selected: str | None = None, at_rest: bool = True
    ) -> bool:
        """Does a piece of the work; True if something has changed. Touches GL: for the window's thread.

        `at_rest` says that nobody works the window just now: what nobody asked for is begun then alone.
        """
        changed, self.waits = self._take_results(document), False
        current = self._current
        if current is not None and current.revision != document.revision:
            self._forget(current)
            return True
        if document.run.is_under_way or document.run.continuous or not document.is_compared:
            return changed
        if current is None:
            current = self._begin(document, selected, at_rest=at_rest)
        if current is not None and current.locating is not None:
            self._locate(current, current.locating, budget_ms)
            return True
        if current is None or current.gathering is None:
            return changed
        self._gather(current, current.gathering, budget_ms)
        return True

    def _begin(self, document: Document, selected: str | None, *, at_rest: bool) -> Inquiry | None:
        """The next inquiry: the pass that was asked for, else the selected one, else the first that has had none."""
        comparison, session = document.comparison, document.session
        assert comparison is not None
        if session is None or comparison.capture.inside:  # evidence takes every tensor that the pass read
            return None
        asked, self._waiting = self._waiting, None
        left = [name for name in self.wrong(document) if self.inquiry(document, name) is None]
        wanted = asked if asked in left else selected if selected in left else left[0] if left else None
        if wanted is None or (wanted != asked and self.holds(document)):
            return None
        if wanted != asked and not at_rest:
            self.waits = True
            return None
        found = session.plan.pass_called(wanted)
        expected, actual = comparison.isolated[found.output], comparison.capture.tensors[found.output]
        inquiry = Inquiry(found.name, document.revision, asked=wanted == asked)
        self._inquiries[inquiry.name] = self._current = inquiry
        from pipeline.diagnose.evidence.gather import Gathering

        inquiry.gathering = Gathering(session, comparison.capture, inquiry.name, wrong_elements(actual, expected))
        return inquiry

    def _gather(self, inquiry: Inquiry, gathering: Gathering, budget_ms: float) -> None:
        end = time.perf_counter() + budget_ms / 1e3
        try:
            while gathering.step():
                if time.perf_counter() > end:
                    return
        except (TexelscopeError, moderngl.Error) as error:
            self._end(inquiry, str(error))
            return
        inquiry.gathering = None
        inquiry.job = Job(f"Diagnosing {inquiry.name}", partial(self._explain, evidence=gathering.evidence))
        self._worker.submit(inquiry.job)

    def _explain(self, job: Job[Diagnosis], *, evidence: Evidence) -> Diagnosis:
        from pipeline.diagnose.explain import explain

        return explain(evidence, progress=lambda share: self._worker.report(job, share), cancel=job.cancel)

    def _locate(self, inquiry: Inquiry, locating: Locating, budget_ms: float) -> None:
        end = time.perf_counter() + budget_ms / 1e3
        try:
            while locating.step():
                if time.perf_counter() > end:
                    return
        except (TexelscopeError, moderngl.Error) as error:
            self._end(inquiry, str(error))
            return
        inquiry.diagnosis = locating.diagnosis
        inquiry.locating = self._current = None

    def _take_results(self, document: Document) -> bool:
        done = False
        for job in self._worker.finished():
            inquiry = self._current
            if inquiry is None or inquiry.job is not job:
                continue
            done = True
            if job.result is not None and document.session is not None and inquiry.revision == document.revision:
                from pipeline.diagnose.made import Locating

                inquiry.job, inquiry.locating = None, Locating(document.session, inquiry.name, job.result)
            elif job.result is None:
                given_up = isinstance(job.error, CancelledError)
                self._end(inquiry, "Cancelled." if given_up or job.error is None else told("the diagnosis", job.error))
        return done

    def drop(self) -> None:
        """Before the session runs, changes or goes: nothing half done is left in its textures."""
        inquiry = self._current
        if inquiry is not None and (inquiry.gathering is not None or inquiry.locating is not None):
            self._forget(inquiry)

    def _forget(self, inquiry: Inquiry) -> None:
        """Gives it up as if it had never begun."""
        self._end(inquiry, "")
        del self._inquiries[inquiry.name]

    def _end(self, inquiry: Inquiry, problem: str) -> None:
        inquiry.problem = problem
        if inquiry.gathering is not None:
            with suppress(TexelscopeError, moderngl.Error):  # of textures that a reload has made anew
                inquiry.gathering.close()
        inquiry.gathering = None
        if inquiry.locating is not None:
            inquiry.locating.close()
        inquiry.locating = None
        if inquiry.job is not None:
            inquiry.job.cancel.set()
        inquiry.job = self._current = None
