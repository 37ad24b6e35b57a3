"""Diagnoses all wrong passes one after the other: gathers evidence between frames, explains it in a thread.

Then it searches for repairs, between frames too, and shows what is found so far. What was found for the same pass, with
the same values, in an earlier session or before an edit that was undone, is there at once.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import moderngl

from texelscope.pipeline.compare.report import Finding, Report
from texelscope.pipeline.crash_report.fault_log import told
from texelscope.pipeline.diagnose.naming import REPAIR_SECONDS, WRONG
from texelscope.pipeline.errors import CancelledError, TexelscopeError
from texelscope.viewer.document.comparison import Comparison
from texelscope.viewer.document.document import Document
from texelscope.viewer.document.jobs import Job, Worker
from texelscope.viewer.document.run import RUN_BUDGET_MS
from texelscope.viewer.findings.model.inquiry import Inquiry
from texelscope.viewer.findings.model.recall import Recall

if TYPE_CHECKING:  # imported with the first pass that is wrong
    from texelscope.pipeline.diagnose.beginning import Beginning
    from texelscope.pipeline.diagnose.evidence.evidence import Evidence
    from texelscope.pipeline.diagnose.explain import Diagnosis
    from texelscope.pipeline.diagnose.locating import Locating

# A frame for every step of the progress bar would take time from the search.
REPORT_EVERY_SECONDS = 0.4


class Diagnoses:
    """What is known about the wrong passes of the open document.

    Inquiries start by themselves while nobody uses the window. The selected pass is named first, and its repair is
    searched: somebody looks at it. Then the others are named, and their repairs are searched, in order. After one was
    cancelled, none starts until the user asks for one or something changes. `repair_seconds` limits the search for the
    repairs of one pass; 0 disables it. `kept_in` is the folder that has diagnoses of earlier sessions, and gets those
    of this one.
    """

    def __init__(
        self, wake: Callable[[], None], repair_seconds: float = REPAIR_SECONDS, kept_in: Path | None = None
    ) -> None:
        self._worker: Worker[Diagnosis] = Worker(wake, report_every=REPORT_EVERY_SECONDS)
        self._inquiries: dict[str, Inquiry] = {}
        self._current: Inquiry | None = None
        self._waiting: str | None = None
        self._held = -1  # the revision in which nothing starts by itself
        self._wrong: tuple[Comparison | None, tuple[str, ...]] = (None, ())
        self._recall = Recall(kept_in) if kept_in is not None else None
        self.waits = False  # for the user to pause, to start the next one
        self.repair_seconds = repair_seconds

    @property
    def current(self) -> Inquiry | None:
        """The inquiry under way."""
        return self._current

    def inquiry(self, document: Document, name: str) -> Inquiry | None:
        """Returns the inquiry about the pass called `name`, if it is about the present revision."""
        found = self._inquiries.get(name)
        return found if found is not None and found.revision == document.revision else None

    def diagnosis(self, document: Document, name: str) -> Diagnosis | None:
        """Returns the diagnosis of the pass called `name` in the present revision; None before there is one."""
        found = self.inquiry(document, name)
        return found.diagnosis if found is not None else None

    def looks_for_line(self, document: Document, name: str) -> bool:
        """Returns whether a repair of the pass called `name` is being searched for, or will be without being asked."""
        found = self.inquiry(document, name)
        if found is None or not found.has_more_to_find:
            return False
        is_wanted = found.asked or (bool(self.repair_seconds) and not self.holds(document))
        return found.is_under_way or is_wanted

    def wrong(self, document: Document) -> tuple[str, ...]:
        """Returns the names of the passes that are wrong by themselves and can be diagnosed, in order."""
        comparison, session = document.comparison, document.session
        if comparison is None or session is None or not document.is_compared:
            return ()
        if self._wrong[0] is not comparison:
            found = (session.plan.find(each.name) for each in comparison.report.passes if each.verdict in WRONG)
            there = comparison.isolated.keys() & comparison.capture.tensors.keys()
            self._wrong = comparison, tuple(each.name for each in found if each is not None and each.output in there)
        return self._wrong[1]

    def findings_at(self, revision: int) -> dict[str, tuple[Finding, ...]]:
        """Returns the findings by pass of that revision of the document, as far as they are kept."""
        return {
            name: each.diagnosis.findings
            for name, each in self._inquiries.items()
            if each.revision == revision and each.diagnosis is not None
        }

    def named(self, document: Document, report: Report) -> Report:
        """Returns the report with the findings so far."""
        passes = []
        for each in report.passes:
            found = self.diagnosis(document, each.name)
            passes.append(replace(each, findings=found.findings, repairs=found.repairs) if found is not None else each)
        return replace(report, passes=tuple(passes))

    def ask(self, name: str) -> None:
        """Diagnoses the pass called `name` next, again if that was cancelled or failed; or searches its repairs.

        An inquiry that nobody asked for is postponed.
        """
        self._waiting, self._held = name, -1
        known, current = self._inquiries.get(name), self._current
        if known is not None and known.problem:
            del self._inquiries[name]
        elif known is not None and (known.named is not None or known.is_kept):
            known.asked, known.looked, known.given_up = True, bool(known.repairs), False
        if current is not None and not current.asked and current.name != name:
            self._give_way(current)

    def cancel(self) -> None:
        """Cancels the inquiry under way; results so far stay."""
        current = self._current
        if current is None:
            return
        self._held = current.revision
        if current.locating is not None:
            self._end_search(current, given_up=True)
        else:
            self._end(current, "Cancelled.")

    def go_on(self) -> None:
        """Resumes all wrong passes, also those that were cancelled or failed."""
        self._held = -1
        self._inquiries = {name: each for name, each in self._inquiries.items() if not each.problem}
        for each in self._inquiries.values():
            each.looked, each.given_up = each.looked and not each.given_up, False

    def holds(self, document: Document) -> bool:
        """Returns whether the remaining passes wait for the user, because one was cancelled."""
        return self._held == document.revision

    def close(self) -> None:
        """Ends the thread."""
        self._worker.close()

    def advance(
        self, document: Document, budget_ms: float, *, selected: str | None = None, at_rest: bool = True
    ) -> bool:
        """Does a piece of the work; True if something has changed. Uses GL: call in the window's thread.

        `at_rest` means that nobody uses the window now; only then does an inquiry start that nobody asked for.
        """
        changed, self.waits = self._take_results(document), False
        for each in self._inquiries.values():
            if each.revision != document.revision:
                each.named = None  # also drops the expected and actual tensors
        budget_ms = budget_ms if at_rest else min(budget_ms, RUN_BUDGET_MS)
        current = self._current
        if current is not None and current.revision != document.revision:
            self._forget(current)
            return True
        if document.run.is_under_way or document.run.continuous or not document.is_compared:
            return changed
        if self._recalled(document, budget_ms):
            return True
        if current is None:
            current = self._begin(document, selected, at_rest=at_rest)
        if current is not None and current.locating is not None:
            if not current.asked and selected != current.name and self._next(document, selected)[0] == selected:
                self._give_way(current)
                return True
            self.waits = not at_rest
            return changed if self.waits else self._locate(current, current.locating, budget_ms)
        if current is None or current.beginning is None:
            return changed
        self._begun(current, current.beginning, budget_ms)
        return True

    def _recalled(self, document: Document, budget_ms: float) -> bool:
        """Shows the kept diagnoses of wrong passes that have no inquiry yet; True until all are looked up."""
        if self._recall is None:
            return False
        names = [name for name in self.wrong(document) if self.inquiry(document, name) is None]
        left = self._recall.not_looked_up(document, names)
        recalled = self._recall.inquiries(document, left, budget_ms)
        self._inquiries.update({each.name: each for each in recalled})
        return bool(left)

    def _keep(self, inquiry: Inquiry) -> None:
        if self._recall is not None:
            self._recall.keep(inquiry)

    def _begin(self, document: Document, selected: str | None, *, at_rest: bool) -> Inquiry | None:
        """Starts the next inquiry: the requested pass, else the selected one, else the first without one."""
        from texelscope.pipeline.compare.comparer import most_wrong
        from texelscope.pipeline.compare.figures import wrong_elements

        comparison, session = document.comparison, document.session
        assert comparison is not None
        if session is None or comparison.capture.inside:  # evidence needs every tensor that the pass read
            return None
        wanted, is_asked = self._next(document, selected)
        self._waiting = None
        if wanted is None or (not is_asked and self.holds(document)):
            return None
        known = self.inquiry(document, wanted)
        if not at_rest and (known is not None or not is_asked):
            self.waits, self._waiting = True, wanted if is_asked else None
            return None
        if known is not None and known.named is not None:
            from texelscope.pipeline.diagnose.locating import Locating

            seconds = self.repair_seconds or REPAIR_SECONDS
            known.locating, self._current = Locating(session, wanted, known.named, seconds), known
            return known
        found = session.plan.pass_called(wanted)
        expected, made = comparison.isolated, comparison.capture.tensors
        wrong = {
            key: wrong_elements(made[key], expected[key]) for key in found.outputs if key in expected.keys() & made
        }
        output = most_wrong(wrong)
        inquiry = known
        if inquiry is None:
            key = self._recall.key(found.name) if self._recall is not None else None
            inquiry = Inquiry(found.name, document.revision, asked=is_asked, key=key)
        self._inquiries[inquiry.name] = self._current = inquiry
        from texelscope.pipeline.diagnose.beginning import Beginning

        name = inquiry.name if output == found.output else output
        inquiry.beginning = Beginning(session, comparison.capture, name, wrong[output])
        return inquiry

    def _next(self, document: Document, selected: str | None) -> tuple[str | None, bool]:
        """Returns the pass to name, or to search repairs of, and whether the user asked for it."""
        unnamed, unrepaired = [], []
        for name in self.wrong(document):
            known = self.inquiry(document, name)
            if known is None:
                unnamed.append(name)
            elif known.has_more_to_find and (self.repair_seconds or known.asked):
                unrepaired.append(name)
        asked = [name for name in unrepaired if self._inquiries[name].asked]
        for wanted in (self._waiting, *asked):
            if wanted in unnamed or wanted in unrepaired:
                return wanted, True
        if selected in unrepaired:
            return selected, False
        first = unnamed or unrepaired  # of the others the number of bugs matters more than a repair of one
        return selected if selected in first else next(iter(first), None), False

    def _begun(self, inquiry: Inquiry, beginning: Beginning, budget_ms: float) -> None:
        end = time.perf_counter() + budget_ms / 1e3
        try:
            while beginning.step():
                if time.perf_counter() > end:
                    return
        except (TexelscopeError, moderngl.Error) as error:
            self._end(inquiry, str(error))
            return
        inquiry.beginning = None
        if beginning.diagnosis is not None:
            inquiry.diagnosis, inquiry.looked, inquiry.is_kept = beginning.diagnosis, True, False
            self._current = None
            self._keep(inquiry)
            return
        inquiry.job = Job(f"Diagnosing {inquiry.name}", partial(self._explain, evidence=beginning.evidence))
        self._worker.submit(inquiry.job)

    def _explain(self, job: Job[Diagnosis], *, evidence: Evidence) -> Diagnosis:
        from texelscope.pipeline.diagnose.explain import explain

        return explain(evidence, progress=lambda share: self._worker.report(job, share), cancel=job.cancel)

    def _locate(self, inquiry: Inquiry, locating: Locating, budget_ms: float) -> bool:
        end = time.perf_counter() + budget_ms / 1e3
        try:
            while goes_on := locating.step():
                if time.perf_counter() > end:
                    break
        except (TexelscopeError, moderngl.Error):  # results so far stay
            goes_on = False
        found = locating.diagnosis
        shown = inquiry.diagnosis
        is_other = shown is None or (found.repairs, found.findings) != (shown.repairs, shown.findings)
        if is_other and (found.repairs or not inquiry.repairs):  # kept repairs stay until this search has some
            inquiry.diagnosis = found
            self._keep(inquiry)
        if not goes_on:
            self._end_search(inquiry)
        return True

    def _end_search(self, inquiry: Inquiry, *, given_up: bool = False) -> None:
        """Ends the search; a cancelled one may be requested again."""
        self._close_search(inquiry)
        inquiry.looked, inquiry.given_up, self._current = True, given_up, None
        if not given_up:
            self._keep(inquiry)
        if inquiry.repairs:
            inquiry.named = None

    def _close_search(self, inquiry: Inquiry) -> None:
        if inquiry.locating is not None:
            with suppress(TexelscopeError, moderngl.Error):  # textures that a reload has replaced
                inquiry.locating.close()
        inquiry.locating = None

    def _take_results(self, document: Document) -> bool:
        done = False
        for job in self._worker.finished():
            inquiry = self._current
            if inquiry is None or inquiry.job is not job:
                continue
            done = True
            if job.result is not None and document.session is not None and inquiry.revision == document.revision:
                inquiry.job = self._current = None
                inquiry.named = job.result
                if not inquiry.repairs:
                    inquiry.diagnosis = replace(job.result, judge=None, single_fault_outputs=())
                inquiry.looked, inquiry.is_kept = job.result.judge is None, False
                self._keep(inquiry)
            elif job.result is None:
                given_up = isinstance(job.error, CancelledError)
                self._end(inquiry, "Cancelled." if given_up or job.error is None else told("the diagnosis", job.error))
        return done

    def drop(self) -> None:
        """Drops unfinished work before the session runs, changes or closes, so that its textures are clean."""
        inquiry = self._current
        if inquiry is not None and (inquiry.beginning is not None or inquiry.locating is not None):
            self._give_way(inquiry)

    def _give_way(self, inquiry: Inquiry) -> None:
        """Postpones what is under way: a search starts anew later, an unnamed pass is forgotten."""
        if inquiry.locating is None:
            self._forget(inquiry)
            return
        self._close_search(inquiry)
        self._current = None

    def _forget(self, inquiry: Inquiry) -> None:
        """Forgets an inquiry as if it had never started."""
        self._end(inquiry, "")
        if not inquiry.is_kept:
            del self._inquiries[inquiry.name]

    def _end(self, inquiry: Inquiry, problem: str) -> None:
        if problem and inquiry.is_kept:  # what is known of it stays
            inquiry.looked = inquiry.given_up = True
        else:
            inquiry.problem = problem
        if inquiry.beginning is not None:
            with suppress(TexelscopeError, moderngl.Error):  # textures that a reload has replaced
                inquiry.beginning.close()
        inquiry.beginning = None
        self._close_search(inquiry)
        if inquiry.job is not None:
            inquiry.job.cancel.set()
        inquiry.job = self._current = None
