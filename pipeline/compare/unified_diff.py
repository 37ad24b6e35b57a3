"""Edits of an author's file as text: the file as it is then, and the same as a unified diff, byte for byte.

Line ends, a byte order mark and a missing line end at the end stay as the author has them, so that `patch -p1` and
`git apply` take the diff.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from texelscope.pipeline.compare.repairs import LineEdit

_CONTEXT = 3
_MARK = "\ufeff"
_NO_END = "\\ No newline at end of file\n"
# A line of the old text or the new, or of both: " ", "-" or "+", then the line with its end.
_Row = tuple[str, str]


def edited(text: str, edits: Sequence[LineEdit]) -> str | None:
    """`text` with `edits` made; None where one of them does not find its line as it was."""
    rows = _rows(text, edits)
    return None if rows is None else "".join(line for sign, line in rows if sign != "-")


def unified(path: str, text: str, edits: Sequence[LineEdit]) -> str | None:
    """The diff of a file whose `path` is written with `/`; None where an edit does not find its line as it was."""
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
    """The diffs of all files that edits are of, one behind the other by their paths; None where one takes them not."""
    parts = []
    for path in sorted({edit.file for edit in edits}):
        text = text_of(path)
        parts.append(None if text is None else unified(path, text, [edit for edit in edits if edit.file == path]))
    return None if None in parts else "".join(filter(None, parts))


def _rows(text: str, edits: Sequence[LineEdit]) -> list[_Row] | None:
    if "\r" in text.replace("\r\n", ""):
        return None  # lines end otherwise than for any tool that would take the diff
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
    """First row and the one behind the last, of each run of changes with what stands around it."""
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


def _quoted(path: str) -> str:
    """A path as `patch` and `git` read it: one with blanks ends in a tab, one with quotes is quoted as in C."""
    if any(letter in '"\\' or ord(letter) < 32 for letter in path):
        inner = "".join(f"\\{ord(c):03o}" if ord(c) < 32 else f"\\{c}" if c in '"\\' else c for c in path)
        return f'"{inner}"'
    return f"{path}\t" if " " in path else path
