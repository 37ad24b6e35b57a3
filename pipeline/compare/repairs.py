"""Holds repairs as data, and applies their edits to an author's file: its new text, and a unified diff, byte for byte.

Line ends, a byte order mark and a missing final line end are preserved, so that `patch -p1` and
`git apply` accept the diff.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar


@dataclass(frozen=True)
class LineEdit:
    """Changes one line of a shader: `line` is its number (from 1) in `file`, before any edit.

    `before` and `after` are the whole line without its line end; None as `before` inserts a line before `line`, None
    as `after` removes the line.
    """

    file: str
    line: int
    before: str | None
    after: str | None


@dataclass(frozen=True)
class Repair:
    """Edits that together make every counted element of the pass right, tried on the driver; nothing was saved.

    `diff` is the same as a unified diff of the files as their author has them, with paths relative to the target's
    folder. `elements` counts the right ones, on each of `inputs_tried` inputs. It is right at `sizes_tried` sizes of
    the pass, this one included; `sizes_not_tried` is the reason where that is the only one. It is never
    `out_of_bounds`: what reads or writes outside of what it indexes, where the wrong shader does not, is no repair.
    `file` and `line` are those of the first edit. Where a pass runs the translation of its author's text, `edits` are
    of that, and `in_translated` the same in the author's file; `diff` is of those.
    """

    edits: tuple[LineEdit, ...]
    diff: str
    elements: int
    inputs_tried: int
    sizes_tried: int = 1
    sizes_not_tried: str = ""
    out_of_bounds: bool = False
    in_translated: tuple[LineEdit, ...] = ()
    file: str = field(init=False)
    line: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "file", self.edits[0].file)
        object.__setattr__(self, "line", self.edits[0].line)

    @property
    def in_file(self) -> tuple[LineEdit, ...]:
        """The edits of the author's file."""
        return self.in_translated or self.edits


_Some = TypeVar("_Some", bound=Sequence[Any])


@dataclass(frozen=True)
class TextReplacement:
    """Replaces what lies from `start` to `stop` by `text`: (line, column), both from 1, columns in code points."""

    start: tuple[int, int]
    stop: tuple[int, int]
    text: str


def replacement(edit: LineEdit, text: str) -> TextReplacement | None:
    """Returns what one edit replaces in a file's text; None where the line is another one by now."""
    lines, end = text.split("\n"), "\r\n" if "\r\n" in text else "\n"
    if not 1 <= edit.line <= len(lines):
        return None
    line, own = edit.line, bare(lines[edit.line - 1])
    if edit.before is None:
        return TextReplacement((line, 1), (line, 1), f"{edit.after}{end}")
    if own != edit.before:
        return None
    stop = len(own) + 1
    if edit.after is not None:
        return TextReplacement((line, 1), (line, stop), edit.after)
    if line < len(lines):
        return TextReplacement((line, 1), (line + 1, 1), "")
    if line == 1:
        return TextReplacement((1, 1), (1, stop), "")
    return TextReplacement((line - 1, len(bare(lines[line - 2])) + 1), (line, stop), "")


def bare(line: str) -> str:
    """Returns a line without its carriage return and the file's byte order mark."""
    return line.removesuffix("\r").removeprefix("\ufeff")


def common_ends(old: Sequence[Any], new: Sequence[Any]) -> tuple[int, int]:
    """Returns the lengths of the common prefix and of the common suffix of the rest."""
    both = min(len(old), len(new))
    head = next((i for i in range(both) if old[i] != new[i]), both)
    return head, next((i for i in range(both - head) if old[-1 - i] != new[-1 - i]), both - head)


def apart(old: _Some, new: _Some) -> tuple[_Some, _Some]:
    """Returns the differing middle parts of two sequences, without their common prefix and suffix."""
    head, tail = common_ends(old, new)
    return old[head : len(old) - tail], new[head : len(new) - tail]  # type: ignore[return-value]


_CONTEXT = 3
_MARK = "\ufeff"
_NO_END = "\\ No newline at end of file\n"
# A line of the old text, the new text or both: "-", "+" or " ", then the line with its end.
_Row = tuple[str, str]


def edited(text: str, edits: Sequence[LineEdit]) -> str | None:
    """Returns `text` with `edits` applied; None where one of them does not find its line unchanged."""
    rows = _rows(text, edits)
    return None if rows is None else "".join(line for sign, line in rows if sign != "-")


def unified(path: str, text: str, edits: Sequence[LineEdit]) -> str | None:
    """Returns the diff of a file whose `path` is written with `/`; None if a line to edit has changed."""
    rows = _rows(text, edits)
    if rows is None:
        return None
    parts = [f"--- {_quoted(f'a/{path}')}\n", f"+++ {_quoted(f'b/{path}')}\n"]
    for first, stop in _hunks(rows):
        before = rows[:first]
        old, new = (sum(sign != other for sign, _ in before) for other in "+-")
        counts = [sum(sign != other for sign, _ in rows[first:stop]) for other in "+-"]
        ranges = (_range(start, count) for start, count in zip((old, new), counts, strict=True))
        parts.append("@@ -{} +{} @@\n".format(*ranges))
        parts += [sign + (line if line.endswith("\n") else f"{line}\n{_NO_END}") for sign, line in rows[first:stop]]
    return "".join(parts)


def unified_files(edits: Sequence[LineEdit], text_of: Callable[[str], str | None]) -> str | None:
    """Joins the diffs of all edited files, ordered by their paths; None where a file does not allow its edits."""
    parts = []
    for path in sorted({edit.file for edit in edits}):
        text = text_of(path)
        parts.append(None if text is None else unified(path, text, [edit for edit in edits if edit.file == path]))
    return None if None in parts else "".join(filter(None, parts))


def _rows(text: str, edits: Sequence[LineEdit]) -> list[_Row] | None:
    if "\r" in text.replace("\r\n", ""):
        return None  # its line ends suit no tool for diffs
    lines = text.split("\n")
    lines = [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    end = "\r\n" if "\r\n" in text else "\n"
    rows: list[_Row] = []
    of: dict[int, list[LineEdit]] = {}
    for edit in dict.fromkeys(edits):
        of.setdefault(edit.line, []).append(edit)
    if any(number not in range(1, len(lines) + 2) for number in of):
        return None
    for number in range(1, len(lines) + 2):
        line = lines[number - 1] if number <= len(lines) else None
        here = of.get(number, [])
        rows += [("+", f"{edit.after}{end}") for edit in here if edit.before is None]
        changes = [edit for edit in here if edit.before is not None]
        if line is None or not changes:
            if changes:
                return None
            rows += [(" ", line)] if line is not None else []
            continue
        (change, *others) = changes
        bare = line.rstrip("\r\n")
        mark = _MARK if number == 1 and bare.startswith(_MARK) else ""
        if others or bare.removeprefix(mark) != change.before:
            return None
        rows.append(("-", line))
        if change.after is not None:
            rows.append(("+", f"{mark}{change.after}{line[len(bare) :]}"))
    return rows


def _hunks(rows: Sequence[_Row]) -> list[tuple[int, int]]:
    """Yields the first row, and the row after the last, of each run of changes with its context."""
    hunks: list[tuple[int, int]] = []
    for position, (sign, _) in enumerate(rows):
        if sign == " ":
            continue
        first, stop = max(position - _CONTEXT, 0), min(position + _CONTEXT + 1, len(rows))
        if hunks and first <= hunks[-1][1]:
            hunks[-1] = hunks[-1][0], stop
        else:
            hunks.append((first, stop))
    return hunks


def _range(before: int, count: int) -> str:
    start = before + 1 if count else before
    return f"{start}" if count == 1 else f"{start},{count}"


def bare_lines(edit: LineEdit) -> tuple[tuple[str, str], ...]:
    """Returns the line before an edit, with "-", and the one after it, with "+"; one that is not there is left out.

    They have no common indentation, no blanks at their ends, and four blanks for a tab.
    """
    both = (("-", edit.before), ("+", edit.after))
    texts = [(sign, text.expandtabs(4)) for sign, text in both if text is not None]
    indented = min((len(text) - len(text.lstrip()) for _, text in texts if text.strip()), default=0)
    return tuple((sign, text[indented:].rstrip()) for sign, text in texts)


def _quoted(path: str) -> str:
    """Quotes a path for `patch` and `git`: with blanks it ends in a tab, with quotes it is quoted as in C."""
    if any(letter in '"\\' or ord(letter) < 32 for letter in path):
        inner = "".join(f"\\{ord(c):03o}" if ord(c) < 32 else f"\\{c}" if c in '"\\' else c for c in path)
        return f'"{inner}"'
    return f"{path}\t" if " " in path else path
