"""Marks lines of a shader in its editor: errors, findings and what led to a wrong read; returns the visible text."""

from __future__ import annotations

from imgui_bundle import imgui
from imgui_bundle import imgui_color_text_edit as text_edit

from texelscope.pipeline.errors import ShaderError
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.findings.lines import found_lines
from texelscope.viewer.shader_editor.model.pass_texts import PassText, error_lines
from texelscope.viewer.state import TextInSight

# Line, counted from 1, message, and kind.
Mark = tuple[int, str, str]
# Colour, and its opacity under the number and under the text.
_KINDS = {"error": (theme.BAD, 0.45, 0.25), "made": (theme.WARNING, 0.3, 0.22), "used": (theme.ACCENT, 0.25, 0.16),
          "behind": (theme.VIOLET, 0.3, 0.12)}  # fmt: skip


def file_of(shown: PassText) -> str:
    """Returns the text's name in errors, findings and reads."""
    return shown.file.path if shown.file is not None else shown.label


def marks_of(app: App, name: str, shown: PassText, error: ShaderError | None) -> tuple[Mark, ...]:
    """Returns the marks in a text of the pass called `name`."""
    diagnosis = app.analyses.diagnoses.diagnosis(app.document, name)
    is_looking = app.analyses.diagnoses.looks_for_line(app.document, name)
    found = (
        found_lines(diagnosis.findings, file_of(shown), diagnosis.repairs, is_looking=is_looking)
        if diagnosis is not None
        else ()
    )
    errors = ((line, message, "error") for line, message in error_lines(error, shown).items())
    trail = app.debugger.trail
    behind = trail.lines.items() if trail.origin is not None and trail.origin.name == name else ()
    return (
        *errors,
        *((each.line, each.message, each.kind) for each in found),
        *((line, text, "behind") for (file, line), text in behind if file == file_of(shown)),
    )


def mark(widget: text_edit.TextEditor, wanted: tuple[Mark, ...], before: tuple[Mark, ...]) -> None:
    """Marks these lines in place of those marked before; scrolls a new error into view.

    It does not scroll while the user types elsewhere.
    """
    is_typed = imgui.is_window_focused(int(imgui.FocusedFlags_.child_windows))
    if wanted == before:
        return
    widget.clear_markers()
    for each in wanted:
        line, message, kind = each
        colour, number, text = _KINDS[kind]
        widget.add_marker(line - 1, theme.packed(colour, number), theme.packed(colour, text), message, message)
        if kind == "error" and each not in before and not is_typed:
            widget.scroll_to_line(line - 1)


def in_sight(widget: text_edit.TextEditor, file: str, marks: tuple[Mark, ...]) -> TextInSight:
    """Returns the text that is visible at the moment; its editor has been drawn."""
    first, last = widget.get_first_visible_row(), widget.get_last_visible_row()
    rows = range(max(first, 0), min(last + 1, widget.get_line_count()))
    lines = {row + 1: widget.get_line_text(row) for row in rows}
    return TextInSight(file, lines, {line: kind for line, _, kind in marks if line in lines})
