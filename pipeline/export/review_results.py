"""Lists what a review says of a comparison: one result for each finding, with its place and its repairs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from texelscope.pipeline.compare.repairs import Repair
from texelscope.pipeline.compare.report import UNBLAMED, Finding, PassReport, Report, ratio_text
from texelscope.pipeline.compare.words import finding_words, other_repairs, repairs_of, surety_words
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.runs.difference import DIFFERENT, RunDifference

# Rules beside the causes: what is known of a wrong pass that no cause explains. Names to one line of help.
OTHER_RULES: Mapping[str, str] = MappingProxyType(
    {
        "unexplained": "The pass is wrong, and no known cause explains it. Step through a wrong texel to see why.",
        "not_diagnosed": "The pass is wrong, and was not diagnosed: others were, or there was no time.",
        "did_not_run": "The pass could not run. Its message says why.",
        "differs": "The tensor differs from that of the other run. Compare both with the oracle to see which is wrong.",
    }
)
Level = Literal["error", "note"]
# A sentence of a driver or of a parser that begins with a place.
_PLACED = re.compile(r"(?P<file>[^\s:]+):(?P<line>\d+)\b")


@dataclass(frozen=True)
class ReviewResult:
    """Says what is wrong with the pass or tensor `name`, by the rule `rule`: a cause, or one of OTHER_RULES.

    `file` and `line` are the place to change, relative to the target's folder; empty and None where it is unknown.
    `used` is where the wrong value is used, if that is elsewhere. `figures` are names and values for programs.
    """

    rule: str
    level: Level
    message: str
    name: str
    file: str = ""
    line: int | None = None
    used: tuple[str, int] | None = None
    repairs: tuple[Repair, ...] = ()
    figures: tuple[tuple[str, Any], ...] = ()


def results_of_report(report: Report) -> list[ReviewResult]:
    """Returns the results of a comparison with the oracle; passes that are right have none."""
    varying = {each.name for each in report.repeated or () if each.reason != "inherited"}
    left = report.undiagnosed
    return [
        result
        for each in report.passes
        for result in _of_pass(each, varies=each.name in varying, is_diagnosed=each.name not in left)
    ]


def results_of_difference(found: RunDifference) -> list[ReviewResult]:
    """Returns the results of two runs: one for each tensor that differs."""
    results = []
    for each in found.tensors:
        if each.sameness in DIFFERENT:
            more = f"{each.atol:.3g} + {each.rtol:.3g}·|there|"
            far = f"{each.beyond:,} of {each.count:,} elements differ by more than {more}."
            said = far if each.count else "It has another shape there."
            results.append(ReviewResult("differs", "error", f"Tensor '{each.name}': {said}", each.name))
    return results


def _of_pass(each: PassReport, *, varies: bool, is_diagnosed: bool) -> Iterator[ReviewResult]:
    """Yields the findings of a pass, the first of which fails a check; one result where it is wrong without any."""
    is_wrong = each.verdict not in UNBLAMED or varies
    left = other_repairs(each.findings, each.repairs)
    for position, found in enumerate(each.findings):
        fails = is_wrong or found.cause == causes.MISSING_BARRIER.name
        level: Level = "error" if fails and position == 0 else "note"
        yield _of_finding(each, found, level, () if position else left)
    if each.findings or not is_wrong:
        return
    if each.verdict == "error":
        placed = _PLACED.search(each.message)
        file, line = (placed["file"], int(placed["line"])) if placed else ("", None)
        yield ReviewResult(
            "did_not_run", "error", f"Pass '{each.name}' did not run. {each.message}", each.name, file, line
        )
        return
    rule, clause = "unexplained", "is wrong, and no known cause explains it"
    if varies:
        rule, clause = "nondeterministic", "changes from run to run"
    elif not is_diagnosed:
        rule, clause = "not_diagnosed", "is wrong"
    said = [f"Pass '{each.name}' {clause}."]
    if each.isolated is not None:
        figures = each.isolated
        far = f"{figures.mismatched:,} of {figures.count:,} elements are beyond their rounding bound, the worst"
        said.append(f"{far} {ratio_text(figures.bound_ratio)} times.")
    file, line = (left[0].in_file[0].file, left[0].in_file[0].line) if left else ("", None)
    message = " ".join([*said, each.message]).strip()
    yield ReviewResult(rule, "error", message, each.name, file, line, repairs=left)


def _of_finding(each: PassReport, found: Finding, level: Level, others: tuple[Repair, ...]) -> ReviewResult:
    surety = surety_words(found)
    head = (
        f"Pass '{each.name}': {finding_words(found)} explains {found.explained:.1%}{f', {surety}' if surety else ''}."
    )
    file, line = found.to_change
    used = (found.shader, found.line) if found.line is not None and (file, line) != (found.shader, found.line) else None
    figures = ("explained", found.explained), ("residual", found.residual), ("parameters", dict(found.parameters))
    return ReviewResult(
        rule=found.cause,
        level=level,
        message=" ".join([head, _sentence(found.evidence), _sentence(found.remedy)]).strip(),
        name=each.name,
        file=file,
        line=line,
        used=used,
        repairs=repairs_of(found, each.repairs) or others,
        figures=(("sure", found.sure), *figures),
    )


def _sentence(text: str) -> str:
    """Returns a clause as a sentence: it begins with a capital and ends in a full stop."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}" if text else ""
