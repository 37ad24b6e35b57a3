"""Which lines of a text are others in another: so much of it is replaced in one edit, and nothing else moves."""

from __future__ import annotations

from dataclasses import dataclass

from texelscope.pipeline.compare.common_ends import common_ends


@dataclass(frozen=True)
class ChangedLines:
    """`text`, with its last line's end, in place of the lines from `first` up to `stop`, both counted from 0."""

    first: int
    stop: int
    text: str


def changed_lines(before: str, after: str) -> ChangedLines:
    """What makes `after` of `before`; both end in a line end, as an editor gives texts back."""
    old, new = (text.split("\n")[:-1] for text in (before, _ended(after)))
    first, same = common_ends(old, new)
    return ChangedLines(first, len(old) - same, "".join(f"{line}\n" for line in new[first : len(new) - same]))


def _ended(text: str) -> str:
    return text if text.endswith("\n") else f"{text}\n"
