"""The patch that mends a target, and a sentence that says what it holds and what it was tried on."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from texelscope.layouts.outside_text import in_cell, one_line
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.report import UNBLAMED, Report
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.diagnose.naming import WRONG
from texelscope.pipeline.patches.authors_files import AuthorsFiles
from texelscope.pipeline.patches.choosing import RepairChoice, choose, without
from texelscope.pipeline.patches.trying import tried

_NAMED = 3


@dataclass(frozen=True)
class Patch:
    """`text` is a unified diff with paths relative to the target's folder, empty where nothing is mended.

    `says` is a sentence on what is in it, or why nothing is.
    """

    text: str
    says: str


def make_patch(session: DebugSession, comparer: Comparer, report: Report, target: str | Path) -> Patch:
    """The patch of every wrong pass for which a repair was found.

    All of it runs once more, as a whole: repairs that are at odds with each other, or that make a pass wrong which has
    the same file, are left out. GL thread.
    """
    files = AuthorsFiles(target)
    wrong = [each for each in report.passes if each.verdict in WRONG and each.verdict != "precision"]
    if not wrong:
        return Patch("", nothing_wrong_words(report))
    choice = choose(wrong, files.takes)
    after = report
    while choice.repairs:
        after = tried(session, comparer, choice.edits)
        spoilt = _spoilt(session, choice, report, after)
        if not spoilt:
            break
        choice = without(choice, spoilt)
    return Patch(
        files.diff(choice.edits), one_line(patch_words(choice, after, wrong_count=len(wrong), target=str(target)))
    )


def _spoilt(session: DebugSession, choice: RepairChoice, before: Report, after: Report) -> list[str]:
    """Passes whose repairs are to go: their own pass is still wrong, or another of the file has become so."""
    was = {each.name: each.verdict for each in before.passes}
    bad = {each.name for each in after.passes if each.verdict not in UNBLAMED}
    mended = {name for name, _ in choice.repairs}
    worse = {name for name in bad if was[name] in UNBLAMED or name in mended}
    touched = {file.path for name in worse for file in session.plan.pass_called(name).program.files}
    at_fault = [
        name for name, repair in choice.repairs if name in bad or any(edit.file in touched for edit in repair.edits)
    ]
    return at_fault if worse else []


def nothing_wrong_words(report: Report) -> str:
    """Why there is nothing to mend: no pass is wrong, of those that ran and could be compared."""
    stuck = [each.name for each in report.passes if each.verdict in ("error", "not_run")]
    if stuck:
        return f"No pass that ran is wrong; {_names(stuck)} did not run, which is not mended. The patch is empty."
    return "No pass is wrong: the patch is empty."


def patch_words(choice: RepairChoice, after: Report, *, wrong_count: int, target: str) -> str:
    """What a patch holds, how the passes come out `after` it, and why something is not in it."""
    parts = []
    if choice.repairs:
        lines = len({(edit.file, edit.line) for edit in choice.edits})
        files = len({edit.file for edit in choice.edits})
        right = sum(each.verdict in ("match", "precision") for each in after.passes)
        parts.append(
            f"{_counted(lines, 'line')} of {_counted(files, 'file')} for {len(choice.repairs)} of {wrong_count} wrong "
            f"passes; with that {right} of {len(after.passes)} passes match."
        )
    if choice.none_found:
        parts.append(f"No repair was found for {_names(choice.none_found)}.")
    if choice.conflicting:
        parts.append(f"Left out, as it is at odds with another pass of the same file: {_names(choice.conflicting)}.")
    if choice.no_files:
        parts.append(f"{_names(choice.no_files)} can be mended, but not in a file of yours: {_way_out(target)}")
    if not choice.repairs:
        parts.append("The patch is empty.")
    return " ".join(parts)


def _way_out(target: str) -> str:
    if Path(target).suffix.lower() == ".onnx":
        return f"`texelscope eject {shlex.quote(target)} --to DIR` writes the shaders as files, DIR/pipeline.toml."
    return "its shaders are made from other text, which stays as it is; the report has the repair."


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _names(names: Sequence[str]) -> str:
    shown = ", ".join(f"'{in_cell(name)}'" for name in names[:_NAMED])
    more = len(names) - _NAMED
    return f"{shown} and {more} more" if more > 0 else shown
