"""Makes the patch that repairs a target, and a sentence on its contents and its test.

It has one repair for each wrong pass, none of which contradicts another on a line. To try it as a whole, all programs
run once more with all edits, and are compared.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from texelscope.layouts.outside_text import in_cell, one_line
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.repairs import LineEdit, Repair, unified_files
from texelscope.pipeline.compare.report import UNBLAMED, PassReport, Report
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.diagnose.naming import WRONG
from texelscope.pipeline.errors import ShaderError, TexelscopeError
from texelscope.pipeline.pipeline_file.folder import Folder
from texelscope.pipeline.plan import ProgramSource
from texelscope.pipeline.repair.pipeline_file_repairs.tried import planned_with
from texelscope.pipeline.repair.text.patch import applied
from texelscope.pipeline.untrusted_files import read_bytes


class AuthorsFiles:
    """Reads each file below the folder that a target lies in (or is) once, with its line ends.

    Files that run with another text have it in `replaced`, by their paths.
    """

    def __init__(self, target: str | Path, replaced: Mapping[str, str] = MappingProxyType({})) -> None:
        start = Path(target).resolve()
        self.folder = start if start.is_dir() else start.parent
        self._folder = Folder(self.folder)
        self._texts: dict[str, str | None] = dict(replaced)

    def takes(self, edits: Sequence[LineEdit]) -> bool:
        """Whether each of the edits finds its original line in a file of the folder."""
        return unified_files(edits, self.text) is not None

    def diff(self, edits: Sequence[LineEdit]) -> str:
        """Returns the unified diff of edits that the files take; paths are relative to the folder."""
        return unified_files(edits, self.text) or ""

    def text(self, path: str) -> str | None:
        """Returns the file's text, with its line ends; None if the folder has no such file, or it is no text."""
        if path not in self._texts:
            try:
                self._texts[path] = read_bytes(self._folder.file(path), inside=self._folder.path).decode()
            except (TexelscopeError, UnicodeDecodeError):
                self._texts[path] = None
        return self._texts[path]


@dataclass(frozen=True)
class RepairChoice:
    """Maps passes to repairs, in order; lists passes without one, and those whose repairs conflict with others."""

    repairs: tuple[tuple[str, Repair], ...]
    none_found: tuple[str, ...] = ()
    conflicting: tuple[str, ...] = ()
    no_files: tuple[str, ...] = ()

    @property
    def edits(self) -> tuple[LineEdit, ...]:
        """All edits, each once."""
        return tuple(dict.fromkeys(edit for _, repair in self.repairs for edit in repair.in_file))


def choose(wrong: Sequence[PassReport], takes: Callable[[Sequence[LineEdit]], bool]) -> RepairChoice:
    """Chooses repairs for `wrong` passes; `takes` says whether the author's files have the lines of those edits.

    Among the equally good repairs of a pass the first that is compatible with the earlier choices wins; one already
    chosen, for a pass of the same shader, comes before all.
    """
    chosen: dict[tuple[str, int], LineEdit] = {}
    repairs: list[tuple[str, Repair]] = []
    left: dict[str, list[str]] = {"none": [], "conflicting": [], "files": []}
    for each in wrong:
        known = _repairs(each)
        there = [repair for repair in known if takes(repair.in_file)]
        fitting = [repair for repair in there if all(_fits(edit, chosen) for edit in repair.in_file)]
        if not fitting:
            left["none" if not known else "conflicting" if there else "files"].append(each.name)
            continue
        best = next(
            (repair for repair in fitting if all(_place(edit) in chosen for edit in repair.in_file)), fitting[0]
        )
        repairs.append((each.name, best))
        chosen.update((_place(edit), edit) for edit in best.in_file)
    return RepairChoice(tuple(repairs), tuple(left["none"]), tuple(left["conflicting"]), tuple(left["files"]))


def without(choice: RepairChoice, names: Sequence[str]) -> RepairChoice:
    """Returns the choice without the repairs of those passes, which conflicted with the others."""
    kept = tuple((name, repair) for name, repair in choice.repairs if name not in names)
    return RepairChoice(kept, choice.none_found, (*choice.conflicting, *names), choice.no_files)


def _repairs(each: PassReport) -> list[Repair]:
    """Returns all of a pass, the best first."""
    first = [found.repair for found in each.findings if found.repair is not None]
    return list(dict.fromkeys([*first, *each.repairs]))


def _place(edit: LineEdit) -> tuple[str, int]:
    return edit.file, edit.line


def _fits(edit: LineEdit, chosen: dict[tuple[str, int], LineEdit]) -> bool:
    return chosen.get(_place(edit), edit) == edit


def tried(session: DebugSession, comparer: Comparer, edits: Sequence[LineEdit]) -> Report:
    """Returns the report of a run in which every program has the edits of its files. Restores the session afterwards.

    Edits of a pipeline file are planned as if read. A program that the driver refuses is left unchanged, and its pass
    wrong.
    """
    before: dict[str, ProgramSource] = {}
    planned, as_edited = session.plan, planned_with(session.plan, edits)
    if as_edited is not None:
        session.adopt(as_edited)
        comparer = Comparer(session.plan)
    try:
        for each in session.plan.passes:
            source = session.program_source(each.name)
            changed = applied(source, edits)
            if changed.fragment == source.fragment:
                continue
            before[each.name] = source
            try:
                session.replace_program(each.name, changed)
            except ShaderError:
                del before[each.name]
        session.run()
        session.finish()
        return comparer.compare(session.capture())
    finally:
        for name, source in before.items():
            session.replace_program(name, source)
        if as_edited is not None:
            session.adopt(planned)


_NAMED = 3


@dataclass(frozen=True)
class Patch:
    """Holds `text`, a unified diff with paths relative to the target's folder, empty if nothing is repaired.

    `says` is a sentence on what is in it, or why nothing is.
    """

    text: str
    says: str


def make_patch(
    session: DebugSession,
    comparer: Comparer,
    report: Report,
    target: str | Path,
    replaced: Mapping[str, str] = MappingProxyType({}),
) -> Patch:
    """Makes the patch of every wrong pass for which a repair was found.

    It is one of the texts in `replaced`, by the paths of their files, and else of the author's files. All of it runs
    once more, as a whole: repairs that conflict with each other, or that make a pass of the same file wrong, are left
    out. GL thread.
    """
    files = AuthorsFiles(target, replaced)
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
    """Returns the passes whose repairs are to go: their pass is still wrong, or another of the file has become so."""
    was = {each.name: each.verdict for each in before.passes}
    bad = {each.name for each in after.passes if each.verdict not in UNBLAMED}
    mended = {name for name, _ in choice.repairs}
    worse = {name for name in bad if was[name] in UNBLAMED or name in mended}
    touched = {file.path for name in worse for file in session.plan.pass_called(name).program.files}
    at_fault = [
        name for name, repair in choice.repairs if name in bad or any(edit.file in touched for edit in repair.in_file)
    ]
    return at_fault if worse else []


def nothing_wrong_words(report: Report) -> str:
    """Says why there is nothing to fix: no pass is wrong, of those that ran and could be compared."""
    stuck = [each.name for each in report.passes if each.verdict in ("error", "not_run")]
    if stuck:
        return f"No pass that ran is wrong; {_names(stuck)} did not run, which no patch fixes. The patch is empty."
    return "No pass is wrong: the patch is empty."


def patch_words(choice: RepairChoice, after: Report, *, wrong_count: int, target: str) -> str:
    """Says what a patch holds, how the passes match `after` it, and why something is not in it."""
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
        parts.append(f"Left out, as it conflicts with another pass of the same file: {_names(choice.conflicting)}.")
    if choice.no_files:
        parts.append(f"{_names(choice.no_files)} can be fixed, but not in a file of yours: {_way_out(target)}")
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
