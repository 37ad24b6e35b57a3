"""Diagnoses of wrong passes, one after the other: evidence gathered between frames, explained in a thread."""

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
from viewer.document.document import Document
from viewer.document.jobs import Job, Worker

if TYPE_CHECKING:  # imported with the first pass that is wrong
    from pipeline.diagnose.evidence.evidence import Evidence
    from pipeline.diagnose.evidence.gather import Gathering
    from pipeline.diagnose.explain import Diagnosis
    from pipeline.diagnose.made import Locating

# Of the whole progress, gathering counts for this share.
_GATHERED = 0.5


@dataclass
class Inquiry:
    """One pass being diagnosed, or diagnosed. `revision` is that of the document then."""

    name: str
    revision: int
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
        if self.job is not None:
            return _GATHERED + (1.0 - _GATHERED) * self.job.progress
        return _GATHERED * self.gathering.progress if self.gathering is not None else 0.0


class Diagnoses:
    """What is known of the wrong passes of the open document; the first wrong one is taken up by itself."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._worker: Worker[Diagnosis] = Worker(wake)
        self._inquiries: dict[str, Inquiry] = {}
        self._current: Inquiry | None = None
        self._waiting: str | None = None

    @property
    def current(self) -> Inquiry | None:
        """The inquiry under way."""
        return self._current

    def inquiry(self, document: Document, name: str) -> Inquiry | None:
        """What is known of the pass called `name`, as it is now."""
        found = self._inquiries.get(name)
        return found if found is not None and found.revision == document.revision else None

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
            inquiry = self.inquiry(document, each.name)
            found = (
                inquiry.diagnosis.findings if inquiry is not None and inquiry.diagnosis is not None else each.findings
            )
            passes.append(replace(each, findings=found))
        return replace(report, passes=tuple(passes))

    def ask(self, name: str) -> None:
        """Has the pass called `name` diagnosed next, again if that was given up or failed."""
        self._waiting = name
        known = self._inquiries.get(name)
        if known is not None and known.problem:
            del self._inquiries[name]

    def cancel(self) -> None:
        """Gives up the inquiry under way."""
        if self._current is not None:
            self._end(self._current, "Cancelled.")

    def close(self) -> None:
        """Lets the thread go."""
        self._worker.close()

    def advance(self, document: Document, budget_ms: float) -> bool:
        """Does a piece of the work; True if something has changed. Touches GL: for the window's thread."""
        changed = self._take_results(document)
        current = self._current
        if current is not None and current.revision != document.revision:
            self._end(current, "")
            del self._inquiries[current.name]
            return True
        if document.run.is_under_way or document.run.continuous or not document.is_compared:
            return changed
        if current is None:
            current = self._begin(document)
        if current is not None and current.locating is not None:
            self._locate(current, current.locating, budget_ms)
            return True
        if current is None or current.gathering is None:
            return changed
        self._gather(current, current.gathering, budget_ms)
        return True

    def _begin(self, document: Document) -> Inquiry | None:
        """The next inquiry: the pass that was asked for, else the first wrong one."""
        comparison, session = document.comparison, document.session
        assert comparison is not None
        if comparison.capture.inside:  # evidence takes every tensor that the pass read
            return None
        wanted, self._waiting = self._waiting or comparison.report.culprit, None
        found = session.plan.find(wanted) if session is not None and wanted is not None else None
        if session is None or found is None or self.inquiry(document, found.name) is not None:
            return None
        report = comparison.report.find(found.name)
        expected = comparison.isolated.get(found.output)
        actual = comparison.capture.tensors.get(found.output)
        if report is None or report.verdict not in WRONG or expected is None or actual is None:
            return None
        inquiry = Inquiry(found.name, document.revision)
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

                inquiry.locating = Locating(document.session, inquiry.name, job.result)
            elif job.result is None:
                given_up = isinstance(job.error, CancelledError)
                self._end(inquiry, "Cancelled." if given_up else f"{type(job.error).__name__}: {job.error}")
        return done

    def drop(self) -> None:
        """Before the session runs, changes or goes: nothing half done is left in its textures."""
        inquiry = self._current
        if inquiry is not None and (inquiry.gathering is not None or inquiry.locating is not None):
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
        self._current = None
