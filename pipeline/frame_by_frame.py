"""Compares a run of several frames with the oracle, frame by frame, and diagnoses the first frame that is wrong.

Each frame is judged twice. *Isolated*, on the state that the device handed on: so the first mismatch is where something
goes wrong, and not where it shows. *Chained*, on the state that the oracle itself has come to since frame 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.report import UNBLAMED, FrameMismatch, FramesCompared, Report
from texelscope.pipeline.deadline import check
from texelscope.pipeline.diagnose.naming import DiagnosisRequest, name_bugs
from texelscope.pipeline.gl.frame_session import FrameSession
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import Plan

# Gets a frame that was compared, while the session is in it, and returns its report, or one that says more.
Look = Callable[["ComparedFrame"], Report]


@dataclass(frozen=True)
class ComparedFrame:
    """Holds one frame's comparison, with what it was made of."""

    frame: int
    plan: Plan
    comparer: Comparer
    capture: Capture
    report: Report

    @property
    def first_wrong(self) -> FrameMismatch | None:
        """The first pass that is wrong in this frame, on its own inputs."""
        wrong = (each.name for each in self.report.passes if each.verdict not in UNBLAMED)
        return next((FrameMismatch(self.frame, name) for name in wrong), None)


@dataclass(frozen=True)
class FrameComparison:
    """Holds the reports of all frames in order. That of the first mismatch, and no other, has findings."""

    reports: tuple[Report, ...]
    planned: int
    first_mismatch: FrameMismatch | None

    @property
    def shown(self) -> Report:
        """The report of the first mismatch; that of the last frame without any."""
        frame = self.first_mismatch.frame if self.first_mismatch is not None else len(self.reports) - 1
        frames = FramesCompared(len(self.reports), self.planned, frame, self.first_mismatch)
        return replace(self.reports[frame], frames=frames)


def compare_frames(
    session: FrameSession, capture: Callable[[], Capture], count: int, comparer: Comparer, look: Look
) -> FrameComparison:
    """Runs `count` frames from frame 0 on and compares each; `look` gets the first mismatch, or else the last frame.

    `capture` reads the session's present frame back. It ends before if a frame did not compute what the next one reads.
    """
    reports: list[Report] = []
    first: FrameMismatch | None = None
    for each in _compared(session, capture, count, comparer):
        report, wrong = each.report, each.first_wrong
        is_first, is_last = first is None and wrong is not None, each.frame == count - 1 or not session.can_go_on
        if is_first or (first is None and is_last):
            report = look(each)
            _restore(session, each.frame)
        first = wrong if is_first else first
        reports.append(report)
    return FrameComparison(tuple(reports), count, first)


def _restore(session: FrameSession, frame: int) -> None:
    """Computes the frame again: whoever looked at it may have run it with edits."""
    if session.frame == frame:
        session.run()
        return
    session.restart()
    session.run(frames=frame + 1)


def with_findings_of(session: FrameSession, asked: DiagnosisRequest | None = None) -> Look:
    """Returns a `Look` that diagnoses the frame's wrong passes."""

    def look(each: ComparedFrame) -> Report:
        return name_bugs(session, each.comparer, each.capture, each.report, asked)

    return look


def _compared(
    session: FrameSession, capture: Callable[[], Capture], count: int, comparer: Comparer
) -> Iterator[ComparedFrame]:
    """Yields each frame when it was run and compared."""
    carried: Mapping[str, Expected] = {}
    session.restart()
    for frame in range(count):
        check()
        session.run(frames=1)
        plan, comparer = session.plan, comparer.in_frame(session.plan)
        captured = capture()
        report = comparer.compare(captured, carried=carried)
        yield ComparedFrame(frame, plan, comparer, captured, report)
        if not session.can_go_on:
            return
        carried = _handed_on(plan, comparer.chained_values())


def _handed_on(plan: Plan, chained: Mapping[str, Expected]) -> dict[str, Expected]:
    """Returns by name the oracle's tensors that the next frame reads, without those that it does not know."""
    textures = plan.textures
    pairs = ((textures[each.key].tensor, textures[each.of].tensor) for each in plan.frames.carried)
    return {read: chained[made] for read, made in pairs if made in chained}
