"""Writes SARIF 2.1.0, which code review and editors read: one result for each finding, with its repairs as fixes.

The format: https://docs.oasis-open.org/sarif/sarif/v2.1.0. Lines and columns count from 1, columns in code points.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from texelscope.layouts.outside_text import in_json, one_line
from texelscope.pipeline.compare.repairs import Repair, TextReplacement, bare, replacement
from texelscope.pipeline.compare.report import Report, plain
from texelscope.pipeline.compare.words import name_of_cause, tried_words, whole_words
from texelscope.pipeline.crash_report.fault_log import program_version
from texelscope.pipeline.device import DeviceInfo
from texelscope.pipeline.diagnose.hypotheses.registry import cause_called
from texelscope.pipeline.export.review_results import (
    OTHER_RULES,
    ReviewResult,
    results_of_difference,
    results_of_report,
)
from texelscope.pipeline.pipeline_file.bound_lines import line_naming
from texelscope.pipeline.runs.difference import RunDifference

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "%SRCROOT%"

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
            found["region"] = {"startLine": line, "snippet": {"text": bare(lines[line - 1])}}
        return found

    def place_of_pass(self, name: str) -> dict[str, Any]:
        """Returns the line of a pipeline file that names a pass; the target without a line where there is none."""
        text = (self.text_of(self.target.name) or "") if self.target.suffix == ".toml" else ""
        line = line_naming(text, name)
        whole = {"artifactLocation": self.uri(self.target)}
        return whole if line is None else self.place(self.target.name, line) or whole


def sarif_of_report(report: Report, files: ReviewedFiles) -> str:
    """Returns the JSON of a comparison with the oracle; passes that are right have no result."""
    stuck = [each for each in report.passes if each.verdict == "not_run"]
    notes = [f"Pass '{each.name}' did not run. {each.message}".strip() for each in stuck]
    return _text(results_of_report(report), files, report.device, notes, whole_words(report))


def sarif_of_difference(found: RunDifference, files: ReviewedFiles) -> str:
    """Returns the JSON of two runs: one result for each tensor that differs."""
    device = DeviceInfo(found.here.renderer, found.here.version)
    said = f"Against {found.there.target} on {found.there.renderer}."
    return _text(results_of_difference(found), files, device, [], said)


def _text(
    results: Sequence[ReviewResult], files: ReviewedFiles, device: DeviceInfo, notes: Sequence[str], said: str
) -> str:
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
    if name in OTHER_RULES:
        meaning = help_text = OTHER_RULES[name]
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


def _result(each: ReviewResult, rule: int, files: ReviewedFiles) -> dict[str, Any]:
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
        found = [replacement(edit, text) for edit in repair.in_file if edit.file == file] if text else [None]
        written = [_written(each) for each in found if each is not None]
        if len(written) < len(found):
            return None
        changes.append({"artifactLocation": files.uri(files.folder / file), "replacements": written})
    return {"description": {"text": f"With this change {tried_words(repair)}."}, "artifactChanges": changes}


def _written(each: TextReplacement) -> dict[str, Any]:
    (line, column), (end_line, end_column) = each.start, each.stop
    region = {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
    return {"deletedRegion": region, **({"insertedContent": {"text": each.text}} if each.text else {})}
