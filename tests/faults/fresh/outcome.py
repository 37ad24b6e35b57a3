"""What is said of one case, and whether that is right; nothing in it tells which case it was."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

import moderngl

from tests.faults.fresh.at_sizes import at_sizes
from tests.faults.fresh.case import Planted
from tests.faults.fresh.cases import Case, Kind
from tests.faults.fresh.planting import Lines, apply, changed_lines, planted, ran
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.repairs import Repair
from texelscope.pipeline.compare.report import Finding, PassReport, Report
from texelscope.pipeline.diagnose.naming import DiagnosisRequest, diagnose, name_bugs, with_findings
from texelscope.pipeline.errors import TexelscopeError

# Repairs as `app.py diff --fix` looks for them, as `app.py diff` does, or none.
Repairs = Literal["fix", "plain", "none"]

# Of a finding without `sure` this share of wrong elements reproduced counts as the whole.
WHOLE = 0.995
# A repair is run on so many inputs that nobody has seen, and of equally good ones so many are.
FRESH_INPUTS = 3
MOST_REPAIRS = 6


@dataclass(frozen=True)
class Outcome:
    """Flags of one case, None where it has no such question. `seconds` are those to a name, `total` to repairs.

    `sure_wrong` by the findings' own flag, any of them; `whole_wrong` of a first finding that explains the whole.
    `line` is that of the repair, of the first finding where none was found. `all_right`: of every repair offered.
    `sizes_right`, `sizes_wrong`: what the first repair is at sizes that its search did not see.
    """

    style: str
    kind: Kind
    broke: bool = False
    clean: bool | None = None
    culprit: bool | None = None
    cause: bool | None = None
    unnamed: bool | None = None
    sure_wrong: bool | None = None
    whole_wrong: bool | None = None
    both: bool | None = None
    line: bool | None = None
    offered: bool | None = None
    right: bool | None = None
    all_right: bool | None = None
    sizes_right: bool | None = None
    sizes_wrong: bool | None = None
    seconds: float | None = None
    total: float | None = None


def outcome(case: Case, context: moderngl.Context, repairs: Repairs = "fix") -> Outcome:
    """Plants the case, compares, diagnoses, looks for repairs, and tries those. Whatever is raised makes it `broke`."""
    try:
        return reported(case, context, repairs)[0]
    except Exception:  # noqa: BLE001 - what breaks is counted, and not told: its words would tell of the case
        return Outcome(case.style, case.kind, broke=True)


def reported(case: Case, context: moderngl.Context, repairs: Repairs = "fix") -> tuple[Outcome, Report]:
    """The outcome and what it was taken from. Whatever is raised is raised."""
    with planted(case.folder, case.swaps) as folder:
        return _outcome(case, folder, context, repairs)


def _outcome(case: Case, folder: Path, context: moderngl.Context, wanted: Repairs) -> tuple[Outcome, Report]:
    with ran(folder, context) as session:
        comparer, capture = Comparer(session.plan), session.capture()
        report = comparer.compare(capture)
        if not isinstance(case.what, Planted):
            report = name_bugs(session, comparer, capture, report)
            clean = report.verdict == "match" and not any(each.findings for each in report.passes)
            return Outcome(case.style, case.kind, clean=clean), report
        name = report.culprit or case.what.culprit
        start = time.perf_counter()
        report = with_findings(report, name, diagnose(session, comparer, capture, name, repair_seconds=0.0))
        seconds = time.perf_counter() - start
    total = seconds
    if wanted != "none":
        # In a session of its own, so that nothing is at hand that the names have taken time for.
        report, total = _with_repairs(folder, context, name, wanted)
    said = report.find(name)
    assert said is not None
    repairs = _repairs(said) if wanted != "none" else ()
    culprit = report.culprit == case.what.culprit
    lines = changed_lines(case.folder, folder, (swap.file for swap in case.swaps))
    rights = [_mends(folder, each, context) for each in repairs[:MOST_REPAIRS]]
    sized = at_sizes(case.folder, folder, repairs[0], name, context) if repairs else None
    first = said.findings[0] if said.findings else None
    true = {*case.what.causes, *case.what.others}
    nothing = "unexplained" in case.what.causes
    named = first if first is not None and first.cause != "unexplained" else None
    wrong = [each for each in said.findings if each.cause not in true]
    measured = Outcome(
        case.style,
        case.kind,
        culprit=culprit,
        cause=culprit and (nothing if named is None else named.cause in true),
        unnamed=named is None,
        sure_wrong=any(each.sure for each in wrong),
        whole_wrong=named is not None and named.cause not in true and named.explained >= WHOLE,
        both=_names_both(case.what, said.findings) if case.what.others else None,
        line=_reaches(repairs, first, lines) if case.what.in_text else None,
        offered=bool(repairs) if wanted != "none" else None,
        right=rights[0] if rights else None,
        all_right=all(rights) if rights else None,
        sizes_right=None if sized is None else sized == "right",
        sizes_wrong=None if sized is None else sized == "wrong",
        seconds=seconds,
        total=total if repairs else None,
    )
    return measured, report


def _with_repairs(folder: Path, context: moderngl.Context, name: str, wanted: Repairs) -> tuple[Report, float]:
    """The report of the pass with what mends it, as `app.py diff` looks for it, and the seconds for all of that."""
    with ran(folder, context) as session:
        comparer, capture = Comparer(session.plan), session.capture()
        report = comparer.compare(capture)
        start = time.perf_counter()
        asked = DiagnosisRequest(names=(name,), repairs=True) if wanted == "fix" else None
        return name_bugs(session, comparer, capture, report, asked), time.perf_counter() - start


def _repairs(said: PassReport) -> tuple[Repair, ...]:
    """The repairs of a pass, the best first."""
    return said.repairs or tuple(each.repair for each in said.findings if each.repair is not None)[:1]


def _names_both(what: Planted, findings: Sequence[Finding]) -> bool:
    said = {each.cause for each in findings}
    return bool(said & set(what.causes)) and bool(said & set(what.others))


def _reaches(repairs: Sequence[Repair], first: Finding | None, lines: Lines) -> bool:
    """Whether the line to change, of the repair or else of the finding, is a changed one or beside one."""
    if repairs:
        file, line = repairs[0].file, repairs[0].line
    elif first is not None and first.to_change[1] is not None:
        file, line = first.to_change[0], first.to_change[1]
    else:
        return False
    name = PurePosixPath(file).name
    return any(PurePosixPath(of).name == name and abs(line - each) <= 1 for of in lines for each in lines[of])


def _mends(folder: Path, repair: Repair, context: moderngl.Context) -> bool:
    """Whether all passes match on fresh inputs once the repair's edits are made in a copy of the folder."""
    with planted(folder, ()) as copy:
        try:
            apply(repair.in_file, copy)
            for seed in range(FRESH_INPUTS):
                with ran(copy, context, fresh=1000 + seed) as session:
                    if session.compare(findings=False).verdict != "match":
                        return False
        except (TexelscopeError, ValueError, IndexError):
            return False
    return True
