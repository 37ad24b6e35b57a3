"""Draws a repair as a diff of the author's lines, what it was tried on, and buttons to apply, show and copy it."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from imgui_bundle import ImVec2, imgui

from texelscope.layouts.outside_text import printable, printable_lines
from texelscope.pipeline.compare.repairs import LineEdit, Repair, bare_lines
from texelscope.pipeline.compare.words import tried_words
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.findings.lines import place_words
from texelscope.viewer.key_names import with_keys

# How much further in the rest of a wrapped line begins, in letters.
_FURTHER_IN = 4


@dataclass(frozen=True)
class ShownLine:
    """One line of a diff, whole, in the rows that it takes, and whether it is removed or added."""

    kind: Literal["gone", "new"]
    rows: tuple[str, ...]


def shown_lines(edit: LineEdit, letters: int) -> tuple[ShownLine, ...]:
    """Returns removed and added lines without their common indentation, wrapped into rows of `letters` letters."""
    return tuple(
        ShownLine("gone" if sign == "-" else "new", _rows(printable(text), letters)) for sign, text in bare_lines(edit)
    )


def _rows(text: str, letters: int) -> tuple[str, ...]:
    """Wraps code at blanks where it can; what follows the first row is further in, if there is room."""
    further = " " * (_FURTHER_IN if letters > 2 * _FURTHER_IN else 0)
    rows = textwrap.wrap(text, max(letters, 1), subsequent_indent=further, break_on_hyphens=False)
    return tuple(rows) or ("",)


_GROUNDS = {"gone": (theme.BAD, 0.20), "new": (theme.GOOD, 0.22)}
_SIGNS = {"gone": "-", "new": "+"}
_PADDING = 6.0


def draw(app: App, name: str, repairs: Sequence[Repair], *, where: str = "") -> None:
    """Draws the repairs of the pass called `name`, the best in full, the others folded; nothing without any.

    `where` distinguishes the controls of two places.
    """
    if not repairs:
        return
    imgui.push_id(f"repairs {where}")
    _repair(app, name, repairs[0], where, 0)
    others = repairs[1:]
    if others:
        is_open = imgui.tree_node(f"{_counted(len(others))} as good###others")
        app.mark(f"{where}other repairs")
        if is_open:
            for number, repair in enumerate(others, 1):
                _repair(app, name, repair, where, number)
            imgui.tree_pop()
    imgui.pop_id()


def _repair(app: App, name: str, repair: Repair, where: str, number: int) -> None:
    imgui.push_id(number)
    called = f"{where}repair{f' {number}' if number else ''}"
    imgui.push_style_color(int(imgui.Col_.text), theme.packed(theme.GOOD))
    imgui.text_wrapped(f"With this change {tried_words(repair)}.")
    imgui.pop_style_color()
    app.mark(called)
    if imgui.button("Apply"):
        app.send("apply_repair", name=name, repair=repair)
    app.mark(f"apply {called}")
    imgui.set_item_tooltip(
        with_keys("Writes it into the editor and runs the pass with it. No file is saved; Ctrl+Z undoes it")
    )
    imgui.same_line()
    if imgui.button("Preview"):
        app.send("preview_repair", name=name, repair=repair)
    app.mark(f"preview {called}")
    imgui.set_item_tooltip(
        with_keys("Runs the pass with it, and shows the result beside the present one, with a seam (Shift+V)")
    )
    imgui.same_line()
    if imgui.button("Copy"):
        imgui.set_clipboard_text(printable_lines(repair.diff))
    app.mark(f"copy {called}")
    imgui.set_item_tooltip("Copies it as a unified diff, for patch -p1 or git apply")
    for position, edit in enumerate(repair.in_file):
        imgui.push_id(position)
        if not position:
            imgui.same_line()
            imgui.align_text_to_frame_padding()
        if imgui.text_link(place_words((edit.file, edit.line))):
            app.send("show_line", file=edit.file, line=edit.line)
        app.mark(f"line of {called}")
        _lines(app, edit)
        imgui.pop_id()
    imgui.spacing()
    imgui.pop_id()


def _lines(app: App, edit: LineEdit) -> None:
    """Draws the present line and the changed one on different grounds, whole: wrapped at the panel's edge."""
    imgui.push_font(app.display.fonts.mono, theme.FONT_PIXELS)
    padding, height = _PADDING * app.scale, imgui.get_text_line_height_with_spacing()
    letter = imgui.calc_text_size("m").x
    width = max(imgui.get_content_region_avail().x, 8 * letter)
    for line in shown_lines(edit, int((width - 2 * padding) / letter) - 2):
        colour, strength = _GROUNDS[line.kind]
        for number, row in enumerate(line.rows):
            corner = imgui.get_cursor_screen_pos()
            draw_list = imgui.get_window_draw_list()
            end = ImVec2(corner.x + width, corner.y + height)
            draw_list.add_rect_filled(corner, end, theme.packed(colour, strength))
            top = corner.y + (height - imgui.get_text_line_height()) / 2
            sign = _SIGNS[line.kind] if not number else " "
            draw_list.add_text(ImVec2(corner.x + padding, top), theme.packed(theme.TEXT), f"{sign} {row}")
            imgui.dummy(ImVec2(width, height))
            imgui.set_cursor_screen_pos(ImVec2(corner.x, corner.y + height))
    imgui.dummy(ImVec2(0, 0))
    imgui.pop_font()


def _counted(count: int) -> str:
    return "1 other is" if count == 1 else f"{count} others are"
