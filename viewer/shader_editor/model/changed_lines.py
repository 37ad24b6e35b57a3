"""Finds the lines that differ between two texts, so that one edit replaces them and nothing else moves."""

from __future__ import annotations

from dataclasses import dataclass

from texelscope.pipeline.compare.common_ends import common_ends


@dataclass(frozen=True)
class ChangedLines:
    """An edit: `text`, with its last line's end, replaces the lines from `first` up to `stop`, both counted from 0."""

    first: int
    stop: int
    text: str


def changed_lines(before: str, after: str) -> ChangedLines:
    """Returns the edit that turns `before` into `after`; both end in a line end, as an editor returns texts."""
    old, new = (text.split("\n")[:-1] for text in (before, _ended(after)))
    first, same = common_ends(old, new)
    return ChangedLines(first, len(old) - same, "".join(f"{line}\n" for line in new[first : len(new) - same]))


def _ended(text: str) -> str:
    return text if text.endswith("\n") else f"{text}\n"
