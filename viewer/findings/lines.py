"""Finds the shader lines of findings: where a wrong number is made, and where it is used."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from texelscope.pipeline.compare.repairs import Repair
from texelscope.pipeline.compare.report import Finding
from texelscope.pipeline.compare.words import cause_words, detail_words, edit_words
from texelscope.viewer.app import App

Place = tuple[str, int]
# What is said beside a line that only uses the wrong number.
LOOKING, USED = "looking for the line to change …", "where it shows"


@dataclass(frozen=True)
class FoundLine:
    """A line, counted from 1, and what a finding says about it."""

    line: int
    kind: Literal["made", "used"]
    message: str


def made_at(finding: Finding) -> Place | None:
    """Returns file and line to look at first: where the wrong number is made, or, if that is unknown, used."""
    return finding.made or used_at(finding)


def used_at(finding: Finding) -> Place | None:
    """Returns file and line where the wrong number is used."""
    return (finding.shader, finding.line) if finding.line is not None else None


def search_words(finding: Finding, repairs: Sequence[Repair], *, is_looking: bool) -> str:
    """Says that the line of a finding is not known to be the one to change; empty where that is known.

    `is_looking`: a repair is still searched for, and with it the line to change.
    """
    if finding.made is not None or finding.repair is not None or repairs:
        return ""
    if is_looking:
        return LOOKING
    return USED if finding.line is not None else ""


def words_beside_line(app: App, name: str, finding: Finding) -> str:
    """Returns the `search_words` of a finding on the pass called `name`, by what is known of it now."""
    diagnoses, document = app.analyses.diagnoses, app.document
    known = diagnoses.diagnosis(document, name)
    repairs = known.repairs if known is not None else ()
    return search_words(finding, repairs, is_looking=diagnoses.looks_for_line(document, name))


def place_words(place: Place | None) -> str:
    """Formats a place as file name and line; empty without one."""
    return f"{place[0].rpartition('/')[2]}:{place[1]}" if place is not None else ""


def share_words(finding: Finding) -> str:
    """Returns how much of the error a finding explains; never rounded up to all."""
    return "all of it" if finding.explained >= 1.0 else f"{min(finding.explained, 0.999):.1%}"


def finding_text(name: str, finding: Finding) -> str:
    """Returns a finding on the pass called `name` as text to paste elsewhere."""
    details = detail_words(finding)
    about = f" ({details})" if details else ""
    places = dict.fromkeys(place_words(place) for place in (made_at(finding), used_at(finding)) if place is not None)
    first = ", ".join([f"{name}: {cause_words(finding)}{about} explains {share_words(finding)}", *places])
    return "\n".join((first, finding.evidence, finding.remedy))


def found_lines(
    findings: Iterable[Finding], file: str, repairs: Sequence[Repair] = (), *, is_looking: bool = False
) -> tuple[FoundLine, ...]:
    """Returns the lines of a file that the findings name, one entry each; made wins over used.

    Lines that repairs change are included, with their replacement. `is_looking`: as in `search_words`.
    """
    found: dict[int, FoundLine] = {}
    for finding in findings:
        made, used = finding.made, used_at(finding)
        if made is not None and made[0] == file:
            found[made[1]] = FoundLine(made[1], "made", f"{cause_words(finding)} is made here. {finding.remedy}")
        if used is not None and used[0] == file and used[1] not in found:
            found[used[1]] = FoundLine(used[1], "used", _said_of_use(finding, repairs, is_looking=is_looking))
    for repair in repairs:
        for edit in (each for each in repair.in_file if each.file == file):
            known = found.get(edit.line)
            said = f"{known.message} " if known is not None and known.kind == "made" else ""
            found[edit.line] = FoundLine(edit.line, "made", f"{said}It matches when written as {edit_words(edit)}.")
    return tuple(found[line] for line in sorted(found))


def _said_of_use(finding: Finding, repairs: Sequence[Repair], *, is_looking: bool) -> str:
    """Says that a line uses the wrong number, and what is known of the line that makes it."""
    if finding.made is not None:
        return f"{cause_words(finding)} is used here; it is made in {place_words(finding.made)}"
    more = (
        " Looking for the line to change." if search_words(finding, repairs, is_looking=is_looking) == LOOKING else ""
    )
    return f"{cause_words(finding)} shows here.{more} {finding.remedy}"
