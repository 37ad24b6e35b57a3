"""diff: run everything, compare every pass with the oracle, name the culprit."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pipeline.commands.injection import inject_missing
from pipeline.commands.table import render
from pipeline.compare.capture import Capture
from pipeline.compare.comparer import Comparer
from pipeline.compare.convention_fits import advice_of, convention_fits
from pipeline.compare.report import UNBLAMED, Report
from pipeline.diagnose.naming import Asked, name_bugs
from pipeline.export.html_report import render as render_page
from pipeline.opening import Prepare, open_and_run
from pipeline.plan import Plan
from pipeline.target import Target

# Exit codes: no pass is wrong; at least one is; it could not run.
MATCH, MISMATCH, FAILED = 0, 1, 2


@dataclass(frozen=True)
class Outcome:
    """What one comparison gave: the report, and the page about it if it was asked for."""

    report: Report
    page: str | None = None


def diff(
    target: Target,
    *,
    with_page: bool = False,
    prepare: Prepare | None = None,
    asked: Asked | None = None,
) -> Outcome:
    """One run of the target, compared. Raises TexelscopeError if it could not run.

    `prepare` gets the session before the run, to change what a test or a script wants changed; `asked` says which wrong
    passes to diagnose.
    """
    with open_and_run(target, prepare) as session:
        comparer = Comparer(session.plan)
        if target.inject:
            inject_missing(session, comparer)
        capture = session.capture()
        report = name_bugs(session, comparer, capture, comparer.compare(capture), asked)
        report = _with_conventions(report, session.plan, capture)
        page = render_page(report, session.plan, capture, comparer.isolated_values()) if with_page else None
    return Outcome(report, page)


def _with_conventions(report: Report, plan: Plan, capture: Capture) -> Report:
    """Says of wrong passes whose definition of their operator they follow, where that is another than the plan's."""
    passes = []
    for each in report.passes:
        advice = advice_of(plan, convention_fits(plan, capture, each.name)) if each.verdict == "mismatch" else ""
        passes.append(replace(each, message=f"{advice} {each.message}".strip()) if advice else each)
    return replace(report, passes=tuple(passes))


def exit_code(report: Report) -> int:
    """0 if no pass is wrong (what the storage rounds is not), 1 if one is, 2 if some could not run or none be compared.

    Passes that the oracle cannot judge are no mismatch; the report counts them.
    """
    verdicts = {each.verdict for each in report.passes}
    if verdicts - UNBLAMED:
        return MISMATCH
    return FAILED if "not_run" in verdicts or verdicts == {"not_compared"} else MATCH


def text(report: Report, width: int | None = None) -> str:
    """The report for a terminal, in rows of at most `width` letters."""
    return render(report, width)
