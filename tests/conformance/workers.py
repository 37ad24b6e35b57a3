"""Shares cases out to processes, each with its own GL context."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.queues import SimpleQueue
from typing import TypeVar
from unittest import mock

import moderngl

from tests.conformance.cases import Case
from tests.conformance.opsets import Tried, run_trial
from tests.conformance.runner import LAYOUTS, Outcome, run_case
from tests.conformance.trials import history, trials
from texelscope.pipeline.gl.program import ProgramCache
from texelscope.pipeline.oracle.reference import Reference
from texelscope.pipeline.plan import Backend, ProgramSource

_Result = TypeVar("_Result", Outcome, Tried)


def run_all(
    cases: Sequence[Case],
    *,
    processes: int,
    layouts: Sequence[str] = LAYOUTS,
    backend: Backend = "auto",
    done: Callable[[Outcome], None] = lambda _: None,
) -> list[Outcome]:
    """The outcomes, in the cases' order. `done` hears of each as it comes."""
    # Forked, so that the cases need not travel; no GL library may have started a thread in this process yet.
    forked = multiprocessing.get_context("fork")
    queue: SimpleQueue[Outcome | None] = forked.SimpleQueue()
    workers = [
        forked.Process(target=_work, args=(share, tuple(layouts), backend, queue), daemon=True)
        for share in shares(cases, processes)
    ]
    for worker in workers:
        worker.start()
    outcomes: dict[str, Outcome] = {}
    for outcome in _received(queue, len(workers)):
        outcomes[outcome.case] = outcome
        done(outcome)
    return [outcomes[case.name] for case in cases]


def run_trials(
    operators: Collection[str] | None = None, *, processes: int, done: Callable[[Tried], None] = lambda _: None
) -> list[Tried]:
    """What became of the operators, or of every one, at every opset, in the order of their names."""
    forked = multiprocessing.get_context("fork")
    queue: SimpleQueue[Tried | None] = forked.SimpleQueue()
    chosen = sorted(history() if operators is None else history().keys() & set(operators))
    workers = [
        forked.Process(target=_try, args=(chosen[first::processes], queue), daemon=True) for first in range(processes)
    ]
    for worker in workers:
        worker.start()
    found: list[Tried] = []
    for each in _received(queue, len(workers)):
        found.append(each)
        done(each)
    return sorted(found, key=lambda each: (each.operator, each.version))


def _try(operators: Sequence[str], queue: SimpleQueue[Tried | None]) -> None:
    os.environ.setdefault("LIBGL_ALWAYS_SOFTWARE", "1")
    from texelscope.pipeline.gl.context import headless_context

    context, reference = headless_context(), Reference()
    with shared_programs(context):
        for operator in operators:
            for trial in trials(operator):
                try:
                    queue.put(run_trial(trial, context, reference))
                except Exception as error:  # noqa: BLE001
                    reason = f"{type(error).__name__}: {error}"
                    queue.put(Tried(trial.operator, trial.version, trial.name, reason))
    queue.put(None)


def shares(cases: Sequence[Case], count: int) -> list[list[Case]]:
    """The cases in `count` parts of about as many nodes; an operator stays in one, for its cases share programs."""
    by_operator: dict[str, list[Case]] = {}
    for case in cases:
        by_operator.setdefault(case.operator, []).append(case)
    heaviest_first = sorted(by_operator.values(), key=_nodes, reverse=True)
    parts: list[list[Case]] = [[] for _ in range(count)]
    for group in heaviest_first:
        min(parts, key=_nodes).extend(group)
    return parts


def _nodes(cases: Sequence[Case]) -> int:
    return sum(len(case.model.graph.node) for case in cases)


def _received(queue: SimpleQueue[_Result | None], pending: int) -> Iterator[_Result]:
    while pending:
        outcome = queue.get()
        if outcome is None:
            pending -= 1
        else:
            yield outcome


def _work(
    cases: Sequence[Case], layouts: tuple[str, ...], backend: Backend, queue: SimpleQueue[Outcome | None]
) -> None:
    os.environ.setdefault("LIBGL_ALWAYS_SOFTWARE", "1")
    from texelscope.pipeline.gl.context import headless_context

    context = headless_context()
    with shared_programs(context):
        for case in cases:
            queue.put(outcome_of(case, context, layouts, backend))
    queue.put(None)


def outcome_of(case: Case, context: moderngl.Context, layouts: Sequence[str], backend: Backend = "auto") -> Outcome:
    """Runs `run_case`; a crash of a case is its own failure, and does not hide the others."""
    try:
        return run_case(case, context, layouts, backend)
    except Exception as error:  # noqa: BLE001
        reason = f"{type(error).__name__}: {error}"
        return Outcome(case.name, case.operator, case.expanded, case.opset, "failed", reason)


class _KeptPrograms(ProgramCache):
    def release(self, source: ProgramSource) -> bool:
        """Keeps the program: the next case may have the same."""
        return False

    def release_compute(self, source: ProgramSource) -> bool:
        """Releases as `release` does."""
        return False


@contextmanager
def shared_programs(context: moderngl.Context) -> Iterator[None]:
    """Sessions inside share their programs: six of seven are alike, and compiling is what takes the time."""
    programs = _KeptPrograms(context)
    with mock.patch("texelscope.pipeline.gl.passes.ProgramCache", return_value=programs):
        yield
