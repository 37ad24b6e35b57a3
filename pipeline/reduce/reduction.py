"""Reduces a failing target: the culprit alone, then smaller, then as a folder with the text of an issue."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

import numpy as np

from texelscope.pipeline.atomic_files import new_folder
from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.report import UNBLAMED, PassReport, Report
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.diagnose.naming import name_bugs
from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.export.eject import PIPELINE
from texelscope.pipeline.graph import Graph
from texelscope.pipeline.importers.onnx_model import asked_for, load, load_beside
from texelscope.pipeline.opening import Prepare, open_and_run, open_session
from texelscope.pipeline.pipeline_file.build import model_shapes
from texelscope.pipeline.pipeline_file.file_plan import FilePlan
from texelscope.pipeline.pipeline_file.schema import PipelineEntries
from texelscope.pipeline.plan import Pass, StoredTensor
from texelscope.pipeline.reduce.issue_text import IssueFacts, Sizes, issue_text, title
from texelscope.pipeline.reduce.making import Making, making_of
from texelscope.pipeline.reduce.search import ReductionSearch, Say, SmallestCandidate
from texelscope.pipeline.reduce.trial import CandidateRunner, ExpectedFailure, Failure, failure_of
from texelscope.pipeline.resizing.axes import groups
from texelscope.pipeline.resizing.subject import PassSubject, cut_out
from texelscope.pipeline.target import OpenOptions, Target

ISSUE = "issue.md"
DEFAULT_SECONDS = 120.0
# The whole target is diagnosed once, and may take this long.
_FIRST_SECONDS = 30.0


@dataclass(frozen=True)
class ReductionRequest:
    """A person's request: a pass other than the culprit, a time limit, and how strictly the cause stays.

    With `anywhere` the cause has to be among the findings, not the first of them. `frame` is the one to reduce, 0 if
    None.
    """

    name: str | None = None
    seconds: float = DEFAULT_SECONDS
    anywhere: bool = False
    frame: int | None = None


@dataclass(frozen=True)
class ReductionResult:
    """Holds the result: the files, the folder's own report, and shapes before and now, the outputs' last."""

    files: tuple[Path, ...]
    report: Report
    sizes: tuple[Sizes, ...]
    tried: int
    seconds: float
    notes: tuple[str, ...]

    @property
    def title(self) -> str:
        """The fault in a line."""
        return title(self.report.passes[0])


def reduce(
    target: Target, folder: Path, asked: ReductionRequest | None = None, *, say: Say = lambda _line: None,
    prepare: Prepare | None = None,
) -> ReductionResult:  # fmt: skip
    """Reduces the target into `folder`, which is new or empty. `prepare` gets the session before the run, `say` lines.

    Raises TexelscopeError for a target without a wrong pass, and where the pass does not fail alone.
    """
    asked = asked or ReductionRequest()
    started = time.monotonic()
    with new_folder(folder) as unfinished, open_and_run(target, prepare, frame=asked.frame) as session:
        capture = session.capture()
        name, failure = _failing(session, capture, asked.name, say)
        each = _drawn(session.plan.pass_called(name))
        entries = session.plan.entries if isinstance(session.plan, FilePlan) else None
        conventions = {**(entries.conventions if entries is not None else {}), **target.options.conventions}
        program = session.program_source(name)
        subject = cut_out(session.plan, capture.tensors, each, program, lambda: _whole(target, entries), conventions)
        del capture
        making = making_of(subject, session.plan)
        bench = CandidateRunner(session.context, target.options.trust)
        search = ReductionSearch(
            subject, making, bench, ExpectedFailure(failure.verdict, failure.cause, asked.anywhere), 0.0, say
        )
        alone = _alone(search, failure, say)
        search.end = time.monotonic() + asked.seconds
        best = search.smallest(alone, lambda left: groups(left, making.is_valid))
        notes = _notes(making, search, best, (subject, failure))
        paths = best.written.save(unfinished)
        facts = _facts(unfinished, search, subject, target, notes, time.monotonic() - started)
        (unfinished / ISSUE).write_text(issue_text(facts), encoding="utf-8", errors="backslashreplace")
    files = tuple(folder / path.relative_to(unfinished) for path in (*paths, unfinished / ISSUE))
    return ReductionResult(files, facts.report, tuple(facts.sizes), search.tried, time.monotonic() - started, notes)


def _drawn(shader_pass: Pass) -> Pass:
    """Returns a pass that is drawn. Raises TexelscopeError for a dispatched one."""
    if shader_pass.dispatch is not None:
        raise TexelscopeError(
            f"reduce of pass '{shader_pass.name}'", "a pass that is drawn", "one that is dispatched",
            "Its work groups depend on the shape: make 'shape' and 'dispatch' smaller by hand.",
        )  # fmt: skip
    return shader_pass


def _whole(target: Target, entries: PipelineEntries | None) -> Graph | None:
    """Returns the original model of a target; None for a pipeline without one."""
    path = Path(target.path)
    if entries is None:
        options = target.options
        return asked_for(load(path, options.shapes), options.conventions, options.gradients, options.wrt)
    if entries.model is None:
        return None
    graph = load_beside(path.parent / entries.model, model_shapes(entries), target.options.values)
    return asked_for(graph, entries.conventions, entries.gradients, entries.wrt)


def _failing(session: DebugSession, capture: Capture, asked: str | None, say: Say) -> tuple[str, Failure]:
    """Returns the pass to reduce and how it fails."""
    comparer = Comparer(session.plan)
    reports = [comparer.alone(capture, each.name) for each in session.plan.passes]
    wrong = [each.name for each in reports if each.verdict not in UNBLAMED]
    if not wrong:
        raise _nothing_wrong(session.plan.name, reports)
    name = session.plan.pass_called(asked).name if asked is not None else wrong[0]
    if name not in wrong:
        raise TexelscopeError(f"--pass {asked}", "a pass that is wrong", "one that is not", nearest(name, wrong))
    say(f"{len(wrong)} of {len(reports)} passes are wrong, {name!r} is reduced")
    failure = failure_of(session, name, _FIRST_SECONDS, capture=capture)
    assert failure is not None
    say(f"its verdict is {failure.verdict}, its cause {failure.cause or 'unknown'}")
    return name, failure


def _nothing_wrong(name: str, reports: Sequence[PassReport]) -> TexelscopeError:
    """Says why there is nothing to reduce: all passes match, or none could be judged."""
    matching = sum(each.verdict == "match" for each in reports)
    unjudged = next((each for each in reports if each.verdict in ("not_compared", "not_run")), None)
    if unjudged is not None and not matching:
        return TexelscopeError(name, "a pass that is wrong", "none that could be compared", unjudged.message)
    return TexelscopeError(
        name,
        "a pass that is wrong",
        f"{matching} of {len(reports)} that match and none wrong",
        "There is nothing to reduce; other inputs, a --layout or a --shape may show it ('sweep' looks for them).",
    )


def _alone(search: ReductionSearch, failure: Failure, say: Say) -> SmallestCandidate:
    """Runs the pass on what it read, at full size; its failure there is the one that candidates have to show."""
    found = _first_alone(search, failure)
    if found is None:
        raise TexelscopeError(
            f"pass '{search.subject.name}' alone, on what it read", "the failure that it has in the target", "none",
            "It comes of what ran before it, of state or of old textures, which a folder cannot hold.",
        )  # fmt: skip
    alone = found.failure
    if (alone.verdict, alone.cause) == (failure.verdict, failure.cause):
        say(f"alone it fails as it did, on {search.subject.elements} numbers")
    else:
        say(f"alone it is {alone.verdict}, {alone.cause or 'unexplained'}: that is reduced")
    kinds = {name: value for name, value in alone.parameters.items() if isinstance(value, str)}
    wanted = replace(search.wanted, verdict=alone.verdict, cause=alone.cause, parameters=MappingProxyType(kinds))
    search.wanted = wanted
    return found


def _first_alone(search: ReductionSearch, failure: Failure) -> SmallestCandidate | None:
    """Returns the pass as a folder that fails; quickly as in the target, where nothing more is to be found out."""
    name = search.subject.name
    for written in search.making.folders(search.subject):
        search.tried += 1
        if search.bench.shows(written, name, failure):
            search.sole_cause = failure.cause
            return SmallestCandidate(search.subject, {}, written, failure)
        alone = search.bench.failure(written, name)
        if alone is not None:
            return SmallestCandidate(search.subject, {}, written, alone)
    return None


def _notes(
    making: Making, search: ReductionSearch, best: SmallestCandidate, whole: tuple[PassSubject, Failure]
) -> tuple[str, ...]:
    """Notes how far the reduction went."""
    (subject, failure), notes = whole, []
    if best.failure.cause != failure.cause:
        notes.append(
            f"In the target the pass is named {failure.cause or 'not at all'}, alone {best.failure.cause or 'not'}."
        )
    if best.subject.elements == subject.elements:
        notes.append(f"Its shapes are those of the target: {making.keeps}")
    if search.ended:
        notes.append("Time ran out before everything was tried; --seconds gives it more.")
    return tuple(notes)


def _facts(
    folder: Path,
    search: ReductionSearch,
    whole: PassSubject,
    target: Target,
    notes: tuple[str, ...],
    seconds: float,
) -> IssueFacts:
    """Returns the issue's facts about the folder, opened as anybody will open it."""
    options = OpenOptions(trust=target.options.trust)
    with open_session(str(folder / PIPELINE), options, search.bench.context) as session:
        session.run()
        capture, comparer = session.capture(), Comparer(session.plan)
        report = name_bugs(session, comparer, capture, comparer.compare(capture))
        each = session.plan.passes[0]
        expected = comparer.isolated_values().get(each.output)
        got = capture.tensors.get(each.output, np.zeros(0, np.float32))
        sizes = [
            Sizes(stored.tensor, before.shape, stored.shape)
            for key, stored in session.plan.textures.items()
            if (before := _stored(whole, stored.tensor)) is not None
        ]
        return IssueFacts(
            target.path,
            report,
            np.asarray(expected.value) if expected is not None else np.zeros_like(got),
            got,
            comparer.wrong(capture, each.name),
            sizes,
            f"{search.tried} candidates were run and diagnosed in {seconds:.0f} s.",
            notes,
            whole.oracle_file is not None,
        )


def _stored(subject: PassSubject, tensor: str) -> StoredTensor | None:
    return next((stored for stored in subject.stored.values() if stored.tensor == tensor), None)
