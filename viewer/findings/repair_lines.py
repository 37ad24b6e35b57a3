"""Shortens the lines of a repair for display: without common indentation, and cut to the room there is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from texelscope.layouts.outside_text import printable
from texelscope.pipeline.compare.repairs import LineEdit
from texelscope.pipeline.short_text import DOTS

# Letters kept before the first difference, where a line is cut at its beginning.
_BEFORE = 12


@dataclass(frozen=True)
class ShownLine:
    """One line of a diff, and whether it is removed or added."""

    kind: Literal["gone", "new"]
    text: str


def shown_lines(edit: LineEdit, letters: int) -> tuple[ShownLine, ...]:
    """Returns removed and added lines, each cut to `letters` letters around what differs."""
    texts = [text.expandtabs(4) for text in (edit.before, edit.after) if text is not None]
    indented = min((len(text) - len(text.lstrip()) for text in texts if text.strip()), default=0)
    bare = [text[indented:].rstrip() for text in texts]
    first = max(_same(*bare) - _BEFORE, 0) if len(bare) == 2 else 0
    first = min(first, max(len(text) for text in bare) - letters + 1) if bare else 0
    shown = [_cut(text, max(first, 0), max(letters, 2)) for text in bare]
    first_goes = edit.before is not None
    return tuple(
        ShownLine("gone" if first_goes and not number else "new", printable(text)) for number, text in enumerate(shown)
    )


def _same(one: str, other: str) -> int:
    """Returns how many letters both begin with."""
    least = min(len(one), len(other))
    return next((i for i in range(least) if one[i] != other[i]), least)


def _cut(text: str, first: int, letters: int) -> str:
    if len(text) <= letters:
        return text
    shown = DOTS + text[first + 1 :] if first else text
    return shown if len(shown) <= letters else shown[: letters - 1] + DOTS
