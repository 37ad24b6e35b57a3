"""Looks for the layouts of an open draft that does not match its model, in a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from texelscope.pipeline.crash_report.fault_log import told
from texelscope.pipeline.errors import CancelledError
from texelscope.pipeline.target import Target
from texelscope.pipeline.workers.apart import in_a_process
from texelscope.viewer.document.document import Document
from texelscope.viewer.document.jobs import Job, Worker
from texelscope.viewer.document.log import MessageLog
from texelscope.viewer.document.plan_kinds import as_drafted_plan

if TYPE_CHECKING:
    from texelscope.pipeline.draft_writing.settling import FoundLayouts

_SEARCH = "texelscope.pipeline.draft_writing.settling:found_layouts"


@dataclass(frozen=True)
class _Draft:
    """Names a draft: the shader, and the fields that a person filled in."""

    path: str
    values: frozenset[tuple[str, str]]


class LayoutSearch:
    """Searches once for each draft that is wrong; `is_under_way` while it does."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._worker: Worker[FoundLayouts] = Worker(wake)
        self._job: Job[FoundLayouts] | None = None
        self._draft: _Draft | None = None
        self._known: set[_Draft] = set()

    @property
    def is_under_way(self) -> bool:
        """Whether layouts are being tried."""
        return self._job is not None

    def update(self, document: Document, log: MessageLog) -> Mapping[str, str]:
        """Starts a search that is due; returns the fields that a finished one found for the open draft."""
        found = self._finished(document.target, log)
        if self._job is None and not found and _is_due(document):
            assert document.target is not None
            draft = _named(document.target)
            if draft not in self._known:
                self._known.add(draft)
                self._start(document.target)
        return found

    def cancel(self) -> None:
        """Ends the search."""
        if self._job is not None:
            self._job.cancel.set()

    def close(self) -> None:
        """Ends the thread."""
        self._worker.close()

    def _start(self, target: Target) -> None:
        options = target.options
        request = target.path, dict(options.dialect), dict(options.shapes), options.oracle
        self._job, self._draft = Job("Layouts", partial(_searched, request=request)), _named(target)
        self._worker.submit(self._job)

    def _finished(self, target: Target | None, log: MessageLog) -> Mapping[str, str]:
        for job in self._worker.finished():
            if job is not self._job:
                continue
            draft, self._job = self._draft, None
            if job.error is not None and not isinstance(job.error, CancelledError):
                log.add(told("the search for layouts", job.error), error=True)
            if job.result is None or target is None or _named(target) != draft:
                continue
            log.add(job.result.doubt or f"The layouts were found: {_matching(job.result.matched)} the model.")
            if job.result.values:
                values = {**target.options.dialect, **job.result.values}
                self._known.add(_Draft(target.path, frozenset(values.items())))
                return job.result.values
        return {}


def _is_due(document: Document) -> bool:
    """Reports whether the open draft has nothing left to fill in, and is wrong."""
    from texelscope.pipeline.draft.fields import Certainty

    plan = as_drafted_plan(document.session.plan) if document.session is not None else None
    comparison = document.comparison
    if plan is None or document.target is None or comparison is None:
        return False
    if plan.graph is None or plan.draft.count(Certainty.ASKED):
        return False
    return document.has_current_verdicts and any(each.verdict != "match" for each in comparison.report.passes)


def _named(target: Target) -> _Draft:
    return _Draft(target.path, frozenset(target.options.dialect.items()))


def _searched(
    _job: Job[FoundLayouts], *, request: tuple[str, dict[str, str], dict[str, tuple[int, ...]], str]
) -> FoundLayouts:
    from texelscope.pipeline.draft_writing.settling import FoundLayouts

    found = in_a_process(_SEARCH, request, "the search for layouts")
    assert isinstance(found, FoundLayouts)
    return found


def _matching(passes: tuple[str, ...]) -> str:
    return f"{', '.join(passes)} {'matches' if len(passes) == 1 else 'match'}"
