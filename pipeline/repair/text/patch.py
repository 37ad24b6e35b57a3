"""Converts edits of a program to edits of its author's lines, and to a unified diff."""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections.abc import Mapping, Sequence

from texelscope.pipeline.compare.repairs import LineEdit, common_ends
from texelscope.pipeline.front_ends.languages import language_of
from texelscope.pipeline.glsl.lines import GENERATED, Line, line_map
from texelscope.pipeline.plan import ProgramSource


def line_edits(program: ProgramSource, text: str) -> tuple[LineEdit, ...] | None:
    """Returns the author's lines that turn the program's fragment (or compute) shader into `text`.

    None if a changed line is not the author's: generated, supplied by an engine, or not in its file as it is here. Of
    translated text the lines are those of the translation.
    """
    old, new = program.fragment.split("\n"), text.split("\n")
    places, own = line_map(program), _lines_of(program)
    found: dict[Line, list[LineEdit]] = {}
    changes = _changes(old, new)
    if len(old) == len(new) and any(last - first > stop - start for _, start, stop, first, last in changes):
        # No line is inserted between an author's lines: both lines of a swap are replaced.
        changes = [("replace", at, at + 1, at, at + 1) for at in range(len(old)) if old[at] != new[at]]
    for _, start, stop, first, last in changes:
        for position in range(start, stop):
            file, number = places[position]
            if not (_is_own(program, own, places[position], old[position]) or _is_translated(own, places[position])):
                return None
            after = new[first + position - start] if first + position - start < last else None
            if after is not None and not after.strip() and old[position].strip():
                after = None
            edit = LineEdit(file, number, old[position], after)
            if found.setdefault((file, number), [edit]) != [edit]:
                return None  # one line of the author occurs twice and would become two different lines
        if last - first > stop - start:
            return None
    return tuple(edits[0] for _, edits in sorted(found.items())) or None


def row_edits(program: ProgramSource, rows: Mapping[int, str]) -> tuple[LineEdit, ...] | None:
    """Returns the author's lines that give the program's shader other rows, by their index, as `line_edits` does."""
    old, places, own = program.fragment.split("\n"), line_map(program), _lines_of(program)
    found: dict[Line, LineEdit] = {}
    for row, after in rows.items():
        edit = LineEdit(*places[row], old[row], after)
        if not _is_own(program, own, places[row], old[row]) or found.setdefault(places[row], edit) != edit:
            return None
    return tuple(edit for _, edit in sorted(found.items())) or None


def applied(program: ProgramSource, edits: Sequence[LineEdit]) -> ProgramSource:
    """Returns the program that the author's edited files give: every occurrence of an edited line is replaced."""
    changed = {(edit.file, edit.line): edit for edit in edits}
    lines = []
    for place, text in zip(line_map(program), program.fragment.split("\n"), strict=True):
        edit = changed.get(place)
        lines.append(text if edit is None or edit.before != text else edit.after if edit.after is not None else "")
    return dataclasses.replace(program, fragment="\n".join(lines))


def _changes(old: Sequence[str], new: Sequence[str]) -> list[tuple[str, int, int, int, int]]:
    """Returns the differences; equal beginnings and ends, which are most of a text, are skipped first."""
    head, tail = common_ends(old, new)
    matcher = difflib.SequenceMatcher(
        None, old[head : len(old) - tail], new[head : len(new) - tail], autojunk=False
    )  # fmt: skip
    return [
        (kind, start + head, stop + head, first + head, last + head)
        for kind, start, stop, first, last in matcher.get_opcodes()
        if kind != "equal"
    ]


def _lines_of(program: ProgramSource) -> Mapping[str, Sequence[str]]:
    found = {file.path: file.text.split("\n") for file in program.files}
    return {GENERATED: (), **found}


def _is_own(program: ProgramSource, own: Mapping[str, Sequence[str]], place: Line, text: str) -> bool:
    """Whether a line is its author's, and stands in its file as it is here."""
    file, number = place
    is_there = file != GENERATED and 0 < number <= len(own[file])
    return is_there and own[file][number - 1] == text and not _is_supplied(program, place)


def _is_translated(own: Mapping[str, Sequence[str]], place: Line) -> bool:
    """Whether a line is the translation of its author's, in another language."""
    file, number = place
    return file != GENERATED and language_of(file) is not None and 0 < number <= len(own[file])


def _is_supplied(program: ProgramSource, line: Line) -> bool:
    return bool(program.files) and line[0] == program.files[0].path and line[1] <= program.supplied_lines


def of_lines(text: str, ends: int) -> str:
    """Returns a text with that many line ends: repeating a part written on several lines gives it more."""
    more = text.count("\n") - ends
    if more > 0:
        text = re.sub(r"//[^\n]*", "", text).replace("\n", " ", more)
    return text + "\n" * -more
