"""Implements diff: runs everything, compares every pass with the oracle, names the culprit."""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from texelscope.layouts.outside_text import logger
from texelscope.pipeline.commands.table import render
from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.convention_fits import advice_of, convention_fits
from texelscope.pipeline.compare.report import UNBLAMED, Report
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.naming import DiagnosisRequest, name_bugs
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.frame_by_frame import ComparedFrame, compare_frames
from texelscope.pipeline.opening import Prepare, last_frame, open_and_run
from texelscope.pipeline.plan import Plan, Tolerance
from texelscope.pipeline.start_marks import mark
from texelscope.pipeline.target import Target

if TYPE_CHECKING:
    from texelscope.pipeline.commands.injection import Say
    from texelscope.pipeline.debug_session import DebugSession
    from texelscope.pipeline.export.live_page.contents import PageSubject
    from texelscope.pipeline.patches.patch import Patch
    from texelscope.pipeline.roofline.chart import Chart

_LOG = logger(__name__)

# Exit codes: no pass is wrong; at least one is; the target could not run.
MATCH, MISMATCH, FAILED = 0, 1, 2


@dataclass(frozen=True)
class Outcome:
    """Holds the result of a comparison: the report, and the page and the patch if requested."""

    report: Report
    page: str | None = None
    patch: Patch | None = None


@dataclass(frozen=True)
class ComparisonExtras:
    """Lists the work of a comparison beside comparing.

    Which wrong passes to diagnose (if repairs are requested, the outcome has a patch of them), how often to run,
    where to save the run as a golden, the tolerances that replace rounding bounds by pass or tensor, and who gets a
    line for each injected or rejected tensor. `frames` are run and compared, by default those of the file. With
    `native` passes in WGSL also run untranslated. `replaced` has the texts with which files of shaders run, by their
    paths. With `page_if_wrong` there is no page of a run in which no pass is wrong.
    """

    asked: DiagnosisRequest | None = None
    runs: int = 1
    save_golden: Path | None = None
    tolerances: Mapping[str, Tolerance] = field(default_factory=lambda: MappingProxyType({}))
    say: Say = _LOG.warning
    frames: int | None = None
    native: bool = False
    replaced: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    page_if_wrong: bool = False


def diff(
    target: Target, *, with_page: bool = False, prepare: Prepare | None = None, extras: ComparisonExtras | None = None
) -> Outcome:
    """Runs and compares the target once. Raises TexelscopeError if it could not run.

    `prepare` gets the session before the run, so that a test or a script can change it.
    """
    extras = ComparisonExtras() if extras is None else extras
    with open_and_run(target, prepare) as session:
        frames = _frames(session, target, extras)
        if target.inject:
            from texelscope.pipeline.commands.injection import inject

            inject(session, target, extras.say)
        own = {session.plan.pass_called(name).name: each for name, each in extras.tolerances.items()}
        comparer = Comparer(session.plan, own)
        if frames == 1:
            capture = session.capture()
            if extras.save_golden is not None:
                from texelscope.pipeline.runs.against import held_run
                from texelscope.pipeline.runs.golden_file import save_golden

                save_golden(extras.save_golden, held_run(session, target), versions())
            report = comparer.compare(capture)
            mark("compared")
            compared = ComparedFrame(0, session.plan, comparer, capture, report)
            found = _looked_at(session, target, compared, extras, with_page=with_page)
            return found.outcome(found.report, session)
        looked: list[_LookedAt] = []

        def look(each: ComparedFrame) -> Report:
            looked.append(_looked_at(session, target, each, extras, with_page=with_page))
            return looked[0].report

        shown = compare_frames(session, session.capture, frames, comparer, look).shown
        return looked[0].outcome(shown, session)


def _frames(session: DebugSession, target: Target, extras: ComparisonExtras) -> int:
    """Returns how many frames to compare. Raises TexelscopeError for what cannot be done with so many."""
    frames = (
        session.plan.frames.count
        if extras.frames is None
        else last_frame(session.plan, extras.frames - 1, "--frames") + 1
    )
    others = {"--inject": bool(target.inject), "--repeat": extras.runs > 1, "--save-golden": extras.save_golden}
    for option, is_given in others.items():
        if is_given and frames > 1:
            raise TexelscopeError(option, "a run of one frame", f"{frames} frames", "Add --frames 1.")
    return frames


@dataclass(frozen=True)
class _LookedAt:
    """Holds what is known of a frame while the session is in it; the page is made when all frames are compared."""

    report: Report
    subject: PageSubject | None
    patch: Patch | None

    def outcome(self, report: Report, session: DebugSession) -> Outcome:
        """Returns the outcome with this report."""
        if self.subject is None:
            return Outcome(report, None, self.patch)
        from texelscope.pipeline.export.html_report import render as render_page

        return Outcome(report, render_page(replace(self.subject, report=report), _roofline(session)), self.patch)


def _looked_at(
    session: DebugSession, target: Target, each: ComparedFrame, extras: ComparisonExtras, *, with_page: bool
) -> _LookedAt:
    """Diagnoses and repairs the frame that the session is in."""
    report = name_bugs(session, each.comparer, each.capture, each.report, extras.asked)
    if extras.runs > 1:
        from texelscope.pipeline.runs.repeats import repeat, with_hazards, with_repeats

        report = with_hazards(with_repeats(report, repeat(session, extras.runs)), session)
    report = _with_conventions(report, session.plan, each.capture)
    if extras.native:
        from texelscope.pipeline.native.column import with_native

        report = with_native(report, session.plan, each.capture, each.comparer.isolated_values(), extras.tolerances)
    with_page = with_page and not (extras.page_if_wrong and exit_code(report) == MATCH)
    subject = _subject(session, each, report, extras) if with_page else None
    patch = None
    if extras.asked is not None and extras.asked.repairs:
        from texelscope.pipeline.patches.patch import make_patch

        patch = make_patch(session, each.comparer, report, target.path, extras.replaced)
    return _LookedAt(report, subject, patch)


def _subject(session: DebugSession, each: ComparedFrame, report: Report, extras: ComparisonExtras) -> PageSubject:
    """Returns what a page is made of, with reads and executions of wrong passes recorded in this frame."""
    from texelscope.pipeline.export.live_page.contents import PageSubject
    from texelscope.pipeline.export.live_page.recordings import PageRecorder

    values = dict(each.comparer.isolated_values())
    recordings = PageRecorder(session, report, each.capture, values).run()
    own = {session.plan.pass_called(name).name: given for name, given in extras.tolerances.items()}
    return PageSubject(report, each.plan, each.capture, values, recordings, own)


def _roofline(session: DebugSession) -> Chart | None:
    """Times the passes that ran once more: a first run compiles machine code."""
    from texelscope.pipeline.bench.timing import pass_times
    from texelscope.pipeline.roofline.chart import chart_of
    from texelscope.pipeline.roofline.peaks import quick_peaks
    from texelscope.pipeline.roofline.work import dispatched

    computed = dispatched(session)
    peaks = quick_peaks(session.context, with_compute=bool(computed))
    return chart_of(session.plan, pass_times(session, runs=1), peaks, in_compute=computed)


def _with_conventions(report: Report, plan: Plan, capture: Capture) -> Report:
    """Names the convention that a wrong pass follows, if it is another than the plan's."""
    passes = []
    for each in report.passes:
        is_wrong = each.verdict in ("mismatch", "not_its_meaning")
        advice = advice_of(plan, convention_fits(plan, capture, each.name)) if is_wrong else ""
        passes.append(replace(each, message=f"{advice} {each.message}".strip()) if advice else each)
    return replace(report, passes=tuple(passes))


def exit_code(report: Report) -> int:
    """Returns 0 if no pass is wrong (rounding by storage is not), 1 if one is, 2 if some did not run or none compared.

    Passes that the oracle cannot judge are no mismatch; the report counts them. A result that changes from run to run
    is wrong, and so is one that may change: shared memory without a barrier.
    """
    if any(each.reason != "inherited" for each in report.repeated or ()):
        return MISMATCH
    if any(found.cause == causes.MISSING_BARRIER.name for each in report.passes for found in each.findings):
        return MISMATCH
    verdicts = {each.verdict for each in report.passes}
    if verdicts - UNBLAMED:
        return MISMATCH
    return FAILED if "not_run" in verdicts or verdicts == {"not_compared"} else MATCH


def versions() -> dict[str, str]:
    """Returns versions of the program, of Python and of the packages behind the numbers."""
    names = ("texelscope", "numpy", "onnx", "moderngl")
    found = {"python": platform.python_version()}
    for name in names:
        with suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(name)
    return found


def text(report: Report, width: int | None = None) -> str:
    """Formats the report for a terminal, in rows of at most `width` letters."""
    return render(report, width)
