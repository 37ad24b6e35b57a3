"""Turns errors and findings into what an editor underlines: a line of a file, a sentence, and changes that help."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from texelscope.pipeline.compare.repairs import Repair, TextReplacement, replacement
from texelscope.pipeline.compare.report import Report
from texelscope.pipeline.compare.words import edit_words, tried_words
from texelscope.pipeline.errors import ShaderError, TexelscopeError, one_line
from texelscope.pipeline.export.review_results import ReviewResult, results_of_report
from texelscope.pipeline.pipeline_file.bound_lines import line_naming, named_keys
from texelscope.pipeline.pipeline_file.table import PipelineFileError, Problem

Severity = Literal["error", "warning", "information"]
TextOf = Callable[[Path], "str | None"]
# The code of marks that say why something does not run at all.
REFUSED = "refused"
_PLACED = re.compile(r"'(?P<file>[^'\n]+)' line (?P<line>\d+)")
_AT_LINE = re.compile(r"\bline (?P<line>\d+)\b")
_QUOTED = re.compile(r"'([^']*)'")


@dataclass(frozen=True)
class TextFix:
    """Changes that were run and make a pass right. `changes` are of the text that the file had then."""

    title: str
    changes: tuple[tuple[Path, TextReplacement], ...]


@dataclass(frozen=True)
class EditorMark:
    """Says something of `line` (from 1) of a file. `code` is a cause, or another rule; `used` is a second place."""

    path: Path
    line: int
    text: str
    severity: Severity = "error"
    code: str = ""
    used: tuple[Path, int] | None = None
    repairs: tuple[Repair, ...] = ()


def marks_of_error(error: TexelscopeError, target: Path, text_of: TextOf) -> Iterator[EditorMark]:
    """Yields the places of an error: in a shader, in the pipeline file, or on the target's first line."""
    if isinstance(error, PipelineFileError):
        for problem in error.problems:
            yield _of_problem(problem, target, text_of)
        return
    if isinstance(error, ShaderError):
        path = target.parent / error.file
        if text_of(path) is not None:
            yield EditorMark(path, max(error.line, 1), error.message, code=REFUSED)
        else:
            yield EditorMark(target, 1, str(error), code=REFUSED)
        return
    yield _placed(str(error), error.who, error.got, target, text_of)


def _placed(said: str, who: str, got: str, target: Path, text_of: TextOf) -> EditorMark:
    placed = _PLACED.search(who)
    if placed is not None and text_of(target.parent / placed["file"]) is not None:
        return EditorMark(target.parent / placed["file"], int(placed["line"]), said, code=REFUSED)
    at_line = _AT_LINE.search(got)
    return EditorMark(target, int(at_line["line"]) if at_line is not None else 1, said, code=REFUSED)


def _of_problem(problem: Problem, target: Path, text_of: TextOf) -> EditorMark:
    text = text_of(target) or ""
    quoted = _QUOTED.search(problem.table)
    name, (kind, _, key) = quoted[1] if quoted is not None else "", problem.key.partition(".")
    own = (
        each for each in named_keys(text) if each.pass_name == name and each.kind == kind and key.startswith(each.name)
    )
    found = next(own, None)
    line = found.line if found is not None and key else line_naming(text, name)
    placed = _placed(problem.text, problem.got, problem.got, target, text_of)
    if placed.path != target or line is None:
        return placed
    return EditorMark(target, line, problem.text, code=REFUSED)


def marks_of_report(report: Report, target: Path, text_of: TextOf) -> list[EditorMark]:
    """Returns a mark for each finding, on the line to change; for a pass without one on the line that names it."""
    return [_of_result(each, target, text_of) for each in results_of_report(report)]


def _of_result(each: ReviewResult, target: Path, text_of: TextOf) -> EditorMark:
    path, line = _place(each, target, text_of)
    used = (target.parent / each.used[0], each.used[1]) if each.used is not None else None
    if used is not None and text_of(used[0]) is None:
        used = None
    severity: Severity = "error" if each.level == "error" else "information"
    return EditorMark(path, line, one_line(each.message), severity, each.rule, used, each.repairs)


def _place(each: ReviewResult, target: Path, text_of: TextOf) -> tuple[Path, int]:
    path = target.parent / each.file if each.file else target
    if path != target and text_of(path) is not None:
        return path, each.line or 1
    return target, line_naming(text_of(target) or "", each.name) or 1


def fixes_of(mark: EditorMark, target_folder: Path, text_of: TextOf) -> list[TextFix]:
    """Returns the repairs of a mark that the present texts still take."""
    return [fix for each in mark.repairs if (fix := _fix(each, target_folder, text_of)) is not None]


def _fix(repair: Repair, folder: Path, text_of: TextOf) -> TextFix | None:
    changes: list[tuple[Path, TextReplacement]] = []
    for edit in repair.in_file:
        text = text_of(folder / edit.file)
        found = replacement(edit, text) if text is not None else None
        if found is None:
            return None
        changes.append((folder / edit.file, found))
    words = ", ".join(edit_words(edit) for edit in repair.in_file)
    return TextFix(one_line(f"{words}: {tried_words(repair)}"), tuple(changes))


def each_once(marks: Sequence[EditorMark]) -> list[EditorMark]:
    """Returns marks without those that say the same of the same line."""
    found: dict[tuple[Path, int, str], EditorMark] = {}
    for each in marks:
        found.setdefault((each.path, each.line, each.text), each)
    return list(found.values())
