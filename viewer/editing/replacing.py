"""Another text in an editor's widget: lines that differ are replaced as one edit, which can be undone within bounds."""

from __future__ import annotations

from imgui_bundle import imgui_color_text_edit as text_edit

from texelscope.viewer.editing.changed_lines import ChangedLines, changed_lines

# The widget keeps all that it ever replaced: of what other programs save, about a hundred versions of a whole shader.
MOST_LETTERS = 1 << 18

_Place = text_edit.TextEditor.DocPos


class Replacing:
    """Puts texts into `widget`; `letters` says how much, about, its undo steps hold of those that were taken up."""

    def __init__(self, widget: text_edit.TextEditor, most_letters: int = MOST_LETTERS) -> None:
        self._widget = widget
        self._most = most_letters
        self.letters = 0

    def take(self, text: str) -> None:
        """Shows a text that somebody else saved; after very many of them what came before cannot be undone any more."""
        if self.letters > self._most:
            self.begin(text)
            return
        before = self._widget.get_text()
        lines = self.write(text)
        gone = before.split("\n")[lines.first : lines.stop]
        self.letters += len(lines.text) + sum(map(len, gone))

    def begin(self, text: str) -> None:
        """Shows a text as the first one: there is nothing to undo."""
        self._widget.set_text(text)
        self.letters = 0

    def write(self, text: str) -> ChangedLines:
        """Shows another text, as one edit: what that was."""
        before = self._widget.get_text()
        lines = changed_lines(before, text)
        # The text that is given back ends its last line, whether that is ended or not.
        if not text or self._widget.get_line_count() <= before.count("\n"):
            lines = ChangedLines(0, before.count("\n"), text)
            self._widget.select_all()
        else:
            self._widget.select_region(_Place(lines.first, 0), _Place(lines.stop, 0))
        self._widget.replace_text_in_current_cursor(lines.text)
        return lines
