"""Replaces the text in an editor's widget: one edit that can be undone, within limits of memory."""

from __future__ import annotations

from dataclasses import dataclass

from imgui_bundle import imgui_color_text_edit as text_edit

from texelscope.pipeline.compare.repairs import common_ends

# The widget keeps all it ever replaced: about a hundred versions of a whole shader saved by other programs.
MOST_LETTERS = 1 << 18

_Place = text_edit.TextEditor.DocPos


class Replacing:
    """Puts texts into `widget`; `letters` estimates how much its undo steps hold of loaded texts."""

    def __init__(self, widget: text_edit.TextEditor, most_letters: int = MOST_LETTERS) -> None:
        self._widget = widget
        self._most = most_letters
        self.letters = 0

    def take(self, text: str) -> None:
        """Shows a text that another program saved; after very many of them earlier steps cannot be undone any more."""
        if self.letters > self._most:
            self.begin(text)
            return
        before = self._widget.get_text()
        lines = self.write(text)
        gone = before.split("\n")[lines.first : lines.stop]
        self.letters += len(lines.text) + sum(map(len, gone))

    def begin(self, text: str) -> None:
        """Shows the first text, with nothing to undo."""
        self._widget.set_text(text)
        self.letters = 0

    def write(self, text: str) -> ChangedLines:
        """Shows another text as one edit, and returns that edit."""
        before = self._widget.get_text()
        lines = changed_lines(before, text)
        # The text that the widget returns ends its last line, whether the original does or not.
        if not text or self._widget.get_line_count() <= before.count("\n"):
            lines = ChangedLines(0, before.count("\n"), text)
            self._widget.select_all()
        else:
            self._widget.select_region(_Place(lines.first, 0), _Place(lines.stop, 0))
        self._widget.replace_text_in_current_cursor(lines.text)
        return lines


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
