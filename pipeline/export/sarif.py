"""Writes SARIF 2.1.0, which code review and editors read: one result for each finding, with its repairs as fixes.

The format: https://docs.oasis-open.org/sarif/sarif/v2.1.0. Lines and columns count from 1, columns in code points.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from texelscope.layouts.outside_text import in_json, one_line
from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.compare.report import UNBLAMED, Finding, PassReport, Report, plain, ratio_text
from texelscope.pipeline.compare.words import (
    finding_words,
    name_of_cause,
    other_repairs,
    repairs_of,
    surety_words,
    tried_words,
    whole_words,
)
from texelscope.pipeline.crash_report.fault_log import program_version
from texelscope.pipeline.device import DeviceInfo
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.hypotheses.registry import cause_called
from texelscope.pipeline.runs.difference import DIFFERENT, RunDifference

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "%SRCROOT%"

# Rules beside the causes: what is known of a wrong pass that no cause explains. Names to one line of help.
_OTHER_RULES = {
    "unexplained": "The pass is wrong, and no known cause explains it. Step through a wrong texel to find the line.",
    "not_diagnosed": "The pass is wrong, and was not diagnosed: others were, or there was no time.",
    "did_not_run": "The pass could not run. Its message says why.",
    "differs": "The tensor differs from that of the other run. Compare both with the oracle to see which is wrong.",
}
# A sentence of a driver or of a parser that begins with a place.
_PLACED = re.compile(r"(?P<file>[^\s:]+):(?P<line>\d+)\b")

TextOf = Callable[[str], "str | None"]


@dataclass(frozen=True)
class ReviewedFiles:
    """Says where a target's files are: in `folder`, seen from `root`, the checkout that a review is of.

    `text_of` returns the text of an author's file by its path relative to `folder`; None if there is no such file.
    """

    target: Path
    folder: Path
    root: Path
    text_of: TextOf

    def uri(self, path: Path) -> dict[str, str]:
        """Returns the location of a file: relative to the root where it lies in there."""
        if path.is_relative_to(self.root):
            return {"uri": quote(os.fsencode(path.relative_to(self.root).as_posix())), "uriBaseId": _ROOT}
        return {"uri": path.as_uri()}

    def place(self, file: str, line: int | None) -> dict[str, Any] | None:
        """Returns a line of an author's file, with its text; None where that is no file of the author's."""
        text = self.text_of(file)
        if text is None:
            return None
        found: dict[str, Any] = {"artifactLocation": self.uri(self.folder / file)}
        lines = text.split("\n")
        if line is not None and 1 <= line <= len(lines):
            found["region"] = {"startLine": line, "snippet": {"text": _bare(lines[line - 1])}}
        return found

    def place_of_pass(self, name: str) -> dict[str, Any]:
        """Returns the line of a pipeline file that names a pass; the target without a line where there is none."""
        lines = (self.text_of(self.target.name) or "").split("\n") if self.target.suffix == ".toml" else []
        named = re.compile(rf"\s*name\s*=\s*([\"']){re.escape(name)}\1")
        line = next((number for number, text in enumerate(lines, 1) if named.match(text)), None)
        whole = {"artifactLocation": self.uri(self.target)}
        return whole if line is None else self.place(self.target.name, line) or whole


@dataclass(frozen=True)
class _Result:
    rule: str
    level: str
    message: str
    name: str
    file: str = ""
    line: int | None = None
    used: tuple[str, int] | None = None
    repairs: tuple[Repair, ...] = ()
    figures: tuple[tuple[str, Any], ...] = ()


def sarif_of_report(report: Report, files: ReviewedFiles) -> str:
    """Returns the JSON of a comparison with the oracle; passes that are right have no result."""
    varying = {each.name for each in report.repeated or () if each.reason != "inherited"}
    left = report.undiagnosed
    results = [
        result
        for each in report.passes
        for result in _of_pass(each, varies=each.name in varying, is_diagnosed=each.name not in left)
    ]
    stuck = [each for each in report.passes if each.verdict == "not_run"]
    notes = [f"Pass '{each.name}' did not run. {each.message}".strip() for each in stuck]
    return _text(results, files, report.device, notes, whole_words(report))


def sarif_of_difference(found: RunDifference, files: ReviewedFiles) -> str:
    """Returns the JSON of two runs: one result for each tensor that differs."""
    results = []
    for each in found.tensors:
        if each.sameness in DIFFERENT:
            more = f"{each.atol:.3g} + {each.rtol:.3g}·|there|"
            far = f"{each.beyond:,} of {each.count:,} elements differ by more than {more}."
            said = far if each.count else "It has another shape there."
            results.append(_Result("differs", "error", f"Tensor '{each.name}': {said}", each.name))
    device = DeviceInfo(found.here.renderer, found.here.version)
    return _text(results, files, device, [], f"Against {found.there.target} on {found.there.renderer}.")


def _of_pass(each: PassReport, *, varies: bool, is_diagnosed: bool) -> Iterator[_Result]:
    """Yields the findings of a pass, the first of which fails a check; one result where it is wrong without any."""
    is_wrong = each.verdict not in UNBLAMED or varies
    left = other_repairs(each.findings, each.repairs)
    for position, found in enumerate(each.findings):
        fails = is_wrong or found.cause == causes.MISSING_BARRIER.name
        level = "error" if fails and position == 0 else "note"
        yield _of_finding(each, found, level, () if position else left)
    if each.findings or not is_wrong:
        return
    if each.verdict == "error":
        placed = _PLACED.search(each.message)
        file, line = (placed["file"], int(placed["line"])) if placed else ("", None)
        yield _Result("did_not_run", "error", f"Pass '{each.name}' did not run. {each.message}", each.name, file, line)
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
    yield _Result(rule, "error", message, each.name, file, line, repairs=left)


def _of_finding(each: PassReport, found: Finding, level: str, others: tuple[Repair, ...]) -> _Result:
    surety = surety_words(found)
    head = (
        f"Pass '{each.name}': {finding_words(found)} explains {found.explained:.1%}{f', {surety}' if surety else ''}."
    )
    file, line = found.to_change
    used = (found.shader, found.line) if found.line is not None and (file, line) != (found.shader, found.line) else None
    figures = ("explained", found.explained), ("residual", found.residual), ("parameters", dict(found.parameters))
    return _Result(
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


def _text(results: Sequence[_Result], files: ReviewedFiles, device: DeviceInfo, notes: Sequence[str], said: str) -> str:
    names = list(dict.fromkeys(each.rule for each in results))
    told = [{"level": "error", "message": {"text": one_line(note)}} for note in notes]
    run: dict[str, Any] = {
        "tool": {"driver": _driver(names)},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"uri": f"{files.root.as_uri().rstrip('/')}/"}},
        "automationDetails": {"id": f"texelscope/{files.uri(files.target)['uri']}/"},
        "invocations": [{"executionSuccessful": not notes, "toolExecutionNotifications": told}],
        "results": [_result(each, names.index(each.rule), files) for each in results],
        "properties": {"renderer": device.renderer, "version": device.version, "whole": said},
    }
    return in_json(plain({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}), indent=1) + "\n"


def _driver(names: Sequence[str]) -> dict[str, Any]:
    return {"name": "Texelscope", "version": program_version(), "rules": [_rule(name) for name in names]}


def _rule(name: str) -> dict[str, Any]:
    readable = name_of_cause(name)
    if name in _OTHER_RULES:
        meaning = help_text = _OTHER_RULES[name]
        family = "other"
    else:
        cause = cause_called(name)
        sign = f"Sign: {cause.known_by}" if cause.known_by else ""
        meaning, family = cause.meaning or readable, cause.family
        help_text = " ".join(filter(None, [meaning, sign, cause.remedy]))
    return {
        "id": name,
        "name": "".join(part.capitalize() for part in re.split(r"\W|_", name)),
        "shortDescription": {"text": readable},
        "fullDescription": {"text": meaning},
        "help": {"text": help_text, "markdown": f"**{readable}.** {help_text}"},
        "defaultConfiguration": {"level": "error"},
        "properties": {"tags": ["shader", family]},
    }


def _result(each: _Result, rule: int, files: ReviewedFiles) -> dict[str, Any]:
    logical = {"name": each.name, "kind": "function", "fullyQualifiedName": f"{files.target.name}::{each.name}"}
    place, message = files.place(each.file, each.line) if each.file else None, each.message
    if each.file and place is None:
        where = f"{each.file}:{each.line}" if each.line is not None else each.file
        message = f"{message} In {where}, which is no file of its author's."
    told = f"{each.name}\0{each.rule}\0{each.file}"
    found: dict[str, Any] = {
        "ruleId": each.rule,
        "ruleIndex": rule,
        "level": each.level,
        "message": {"text": one_line(message)},
        "locations": [{"physicalLocation": place or files.place_of_pass(each.name), "logicalLocations": [logical]}],
        "partialFingerprints": {"passCauseFile/v1": hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()[:32]},
        "properties": {"pass": each.name, **dict(each.figures)},
    }
    used = files.place(*each.used) if each.used is not None else None
    if used is not None:
        words = {"text": "The wrong value is used here."}
        found["relatedLocations"] = [{"id": 1, "physicalLocation": used, "message": words}]
    fixes = [fix for repair in each.repairs if (fix := _fix(repair, files)) is not None]
    if fixes:
        found["fixes"] = fixes
    return found


def _fix(repair: Repair, files: ReviewedFiles) -> dict[str, Any] | None:
    """Returns the edits of a repair; None where they are not in files of the author's, as those are now."""
    changes = []
    for file in dict.fromkeys(edit.file for edit in repair.in_file):
        text = files.text_of(file)
        replacements = [_replacement(edit, text) for edit in repair.in_file if edit.file == file] if text else [None]
        if None in replacements:
            return None
        changes.append({"artifactLocation": files.uri(files.folder / file), "replacements": replacements})
    return {"description": {"text": f"With this change {tried_words(repair)}."}, "artifactChanges": changes}


def _replacement(edit: LineEdit, text: str) -> dict[str, Any] | None:
    """Returns what one edit deletes and inserts; None where the line is another one by now."""
    lines, end = text.split("\n"), "\r\n" if "\r\n" in text else "\n"
    bare = [_bare(line) for line in lines]
    if edit.before is None:
        if not 1 <= edit.line <= len(lines):
            return None
        return _replaced(edit.line, 1, edit.line, 1, f"{edit.after}{end}")
    if not 1 <= edit.line <= len(lines) or bare[edit.line - 1] != edit.before:
        return None
    stop = len(bare[edit.line - 1]) + 1
    if edit.after is not None:
        return _replaced(edit.line, 1, edit.line, stop, edit.after)
    if edit.line < len(lines):
        return _replaced(edit.line, 1, edit.line + 1, 1, "")
    if edit.line == 1:
        return _replaced(1, 1, 1, stop, "")
    return _replaced(edit.line - 1, len(bare[edit.line - 2]) + 1, edit.line, stop, "")


def _replaced(line: int, column: int, end_line: int, end_column: int, text: str) -> dict[str, Any]:
    region = {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
    return {"deletedRegion": region, **({"insertedContent": {"text": text}} if text else {})}


def _bare(line: str) -> str:
    return line.removesuffix("\r").removeprefix("\ufeff")


def _sentence(text: str) -> str:
    """Returns a clause as a sentence: it begins with a capital and ends in a full stop."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}" if text else ""
