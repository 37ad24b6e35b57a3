"""Opens, runs, compares and diagnoses a folder, to see whether it fails as the target does."""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from texelscope.pipeline.arithmetic.workers import single_threaded_blas
from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.report import UNBLAMED, Finding, PassReport, Verdict
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.diagnose.evidence.evidence import Evidence
from texelscope.pipeline.diagnose.evidence.gather import Gathering
from texelscope.pipeline.diagnose.explain import explain
from texelscope.pipeline.diagnose.hypotheses.registry import by_cause
from texelscope.pipeline.diagnose.naming import WRONG
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.judging import try_out
from texelscope.pipeline.errors import CancelledError, TexelscopeError
from texelscope.pipeline.export.eject import PIPELINE
from texelscope.pipeline.opening import open_session
from texelscope.pipeline.reduce.written import FolderContents
from texelscope.pipeline.target import OpenOptions, Trust

if TYPE_CHECKING:
    import moderngl

T = TypeVar("T")

# A candidate is small: what is not found in this time is not found.
DIAGNOSE_SECONDS = 4.0


@dataclass(frozen=True)
class Failure:
    """Describes how a pass fails: its verdict, its findings and where it is farthest off."""

    verdict: Verdict
    report: PassReport
    findings: tuple[Finding, ...] = ()

    @property
    def cause(self) -> str:
        """The first finding's cause; empty where nothing explains it."""
        return self.findings[0].cause if self.findings else ""

    @property
    def rivals(self) -> frozenset[str]:
        """The causes that explain as much as the first does."""
        most = self.findings[0].explained if self.findings else 1.0
        return frozenset(found.cause for found in self.findings if found.explained >= most)

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters of the first finding."""
        return self.findings[0].parameters if self.findings else {}


@dataclass(frozen=True)
class ExpectedFailure:
    """What a candidate has to show: the verdict, and the cause first among its findings, or anywhere among them.

    Given `parameters` have to stay, and only given `rivals` may explain as much: on few numbers too many causes explain
    too much.
    """

    verdict: Verdict
    cause: str
    anywhere: bool = False
    parameters: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    rivals: frozenset[str] | None = None

    def is_met(self, failure: Failure) -> bool:
        """Whether it fails as it should."""
        if failure.verdict != self.verdict:
            return False
        findings = failure.findings if self.anywhere else failure.findings[:1]
        if not self.cause:
            return True
        if self.rivals is not None and not failure.rivals <= self.rivals:
            return False
        return any(
            found.cause == self.cause
            and all(found.parameters.get(name) == value for name, value in self.parameters.items())
            for found in findings
        )


def failure_of(
    session: DebugSession,
    name: str,
    seconds: float = DIAGNOSE_SECONDS,
    *,
    cause: str = "",
    capture: Capture | None = None,
) -> Failure | None:
    """Returns how the pass called `name` fails in a session that ran; None if it does not. `capture` is of that run.

    Where a `cause` is given and its generators explain nothing there, nothing else is searched: no findings.
    """
    capture, comparer = capture or session.capture(), Comparer(session.plan)
    report = comparer.alone(capture, name)
    if report.verdict in UNBLAMED:
        return None
    if report.verdict not in WRONG:
        return Failure(report.verdict, report)
    cancel = threading.Event()
    timer = threading.Timer(seconds, cancel.set)
    timer.start()
    try:
        evidence = _evidence(session, comparer, capture, name)
        found = () if cause and not may_be(cause, evidence) else explain(evidence, cancel=cancel).findings
        return Failure(report.verdict, report, found)
    except (CancelledError, TexelscopeError):
        return Failure(report.verdict, report)
    finally:
        timer.cancel()


def shows(session: DebugSession, name: str, failure: Failure) -> bool:
    """Whether the pass has the verdict of a failure, and may have its cause."""
    capture, comparer = session.capture(), Comparer(session.plan)
    if comparer.alone(capture, name).verdict != failure.verdict:
        return False
    return not failure.cause or may_be(failure.cause, _evidence(session, comparer, capture, name))


def _evidence(session: DebugSession, comparer: Comparer, capture: Capture, name: str) -> Evidence:
    output = comparer.wrong_output(capture, name)
    gathering = Gathering(session, capture, output, comparer.wrong(capture, output))
    while gathering.step():
        pass
    return gathering.evidence


def may_be(cause: str, evidence: Evidence) -> bool:
    """Whether what one cause proposes explains a part of the wrong elements, or of unwritten ones.

    Trying that takes a hundredth of trying what all causes propose.
    """
    with np.errstate(all="ignore"), single_threaded_blas():
        case = FailingPass(evidence)
        if not case.wrong.any():
            return True
        hypotheses = (each for generator in by_cause()[cause] for each in generator.propose(case))
        scores = (try_out(case, hypothesis) for hypothesis in hypotheses)
        return any(score is not None and (score.is_whole or score.is_part) for score in scores)


class CandidateRunner:
    """Tries candidates in one GL context, a temporary folder each."""

    def __init__(self, context: moderngl.Context, trust: Trust) -> None:
        self.context = context
        self._trust = trust

    def failure(self, written: FolderContents, name: str, *, cause: str = "") -> Failure | None:
        """Returns how the folder fails when it is opened, see `failure_of`; None if it does not, or does not open."""
        return self._asked(written, lambda session: failure_of(session, name, cause=cause))

    def shows(self, written: FolderContents, name: str, failure: Failure) -> bool:
        """Whether the folder quickly shows that failure; see `shows`."""
        return bool(self._asked(written, lambda session: shows(session, name, failure)))

    def _asked(self, written: FolderContents, question: Callable[[DebugSession], T]) -> T | None:
        """Returns the answer to a question about the folder, opened and run; None where it does not open."""
        folder = Path(tempfile.mkdtemp(prefix="texelscope-"))
        try:
            written.save(folder)
            with open_session(str(folder / PIPELINE), OpenOptions(trust=self._trust), self.context) as session:
                session.run()
                return question(session)
        except TexelscopeError:
            return None
        finally:
            shutil.rmtree(folder, ignore_errors=True)
