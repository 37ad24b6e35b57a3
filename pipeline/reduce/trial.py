"""A folder is opened, run, compared and diagnosed: does it fail as the target does?"""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pipeline.compare.comparer import Comparer
from pipeline.compare.report import UNBLAMED, Finding, PassReport, Verdict
from pipeline.debug_session import DebugSession
from pipeline.diagnose.naming import WRONG, diagnose
from pipeline.errors import CancelledError, TexelscopeError
from pipeline.export.eject import PIPELINE
from pipeline.opening import open_session
from pipeline.reduce.written import Written
from pipeline.target import OpenOptions, Trust

if TYPE_CHECKING:
    import moderngl

# A candidate is small: what is not found in this time is not found.
DIAGNOSE_SECONDS = 6.0


@dataclass(frozen=True)
class Failure:
    """How a pass fails: its verdict, its findings and where it is farthest off."""

    verdict: Verdict
    report: PassReport
    findings: tuple[Finding, ...] = ()

    @property
    def cause(self) -> str:
        """The first finding's cause; empty where nothing explains it."""
        return self.findings[0].cause if self.findings else ""

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Those of the first finding."""
        return self.findings[0].parameters if self.findings else {}


@dataclass(frozen=True)
class Wanted:
    """What a candidate has to show: the verdict, and the cause first among its findings, or anywhere among them.

    `parameters` are those that have to stay as they are.
    """

    verdict: Verdict
    cause: str
    anywhere: bool = False
    parameters: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    def is_met(self, failure: Failure) -> bool:
        """Whether it fails as it should."""
        if failure.verdict != self.verdict:
            return False
        findings = failure.findings if self.anywhere else failure.findings[:1]
        if not self.cause:
            return True
        return any(
            found.cause == self.cause
            and all(found.parameters.get(name) == value for name, value in self.parameters.items())
            for found in findings
        )


def failure_of(session: DebugSession, name: str, seconds: float = DIAGNOSE_SECONDS) -> Failure | None:
    """How the pass called `name` fails in a session that ran; None if it does not."""
    capture, comparer = session.capture(), Comparer(session.plan)
    report = comparer.alone(capture, name)
    if report.verdict in UNBLAMED:
        return None
    if report.verdict not in WRONG:
        return Failure(report.verdict, report)
    cancel = threading.Event()
    timer = threading.Timer(seconds, cancel.set)
    timer.start()
    try:
        return Failure(report.verdict, report, diagnose(session, comparer, capture, name, cancel=cancel).findings)
    except (CancelledError, TexelscopeError):
        return Failure(report.verdict, report)
    finally:
        timer.cancel()


class Bench:
    """Where candidates are tried: one GL context, a temporary folder each."""

    def __init__(self, context: moderngl.Context, trust: Trust) -> None:
        self.context = context
        self._trust = trust

    def failure(self, written: Written, name: str, seconds: float = DIAGNOSE_SECONDS) -> Failure | None:
        """How the folder fails when it is opened; None if it does not, or does not open."""
        folder = Path(tempfile.mkdtemp(prefix="texelscope-"))
        try:
            written.save(folder)
            with open_session(str(folder / PIPELINE), OpenOptions(trust=self._trust), self.context) as session:
                session.run()
                return failure_of(session, name, seconds)
        except TexelscopeError:
            return None
        finally:
            shutil.rmtree(folder, ignore_errors=True)
