"""Draws a repair as a diff of the author's lines, what it was tried on, and buttons to apply and copy it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from imgui_bundle import ImVec2, imgui

from texelscope.layouts.outside_text import printable, printable_lines
from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.compare.words import tried_words
from texelscope.pipeline.short_text import DOTS
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.findings.lines import place_words
from texelscope.viewer.key_names import with_keys

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
    """Draws the present line and the changed one on different grounds; cut at the panel's edge."""
    imgui.push_font(app.display.fonts.mono, theme.FONT_PIXELS)
    padding, height = _PADDING * app.scale, imgui.get_text_line_height_with_spacing()
    letter = imgui.calc_text_size("m").x
    width = max(imgui.get_content_region_avail().x, 8 * letter)
    for line in shown_lines(edit, int((width - 2 * padding) / letter) - 2):
        colour, strength = _GROUNDS[line.kind]
        corner = imgui.get_cursor_screen_pos()
        draw_list = imgui.get_window_draw_list()
        draw_list.add_rect_filled(corner, ImVec2(corner.x + width, corner.y + height), theme.packed(colour, strength))
        top = corner.y + (height - imgui.get_text_line_height()) / 2
        draw_list.add_text(
            ImVec2(corner.x + padding, top), theme.packed(theme.TEXT), f"{_SIGNS[line.kind]} {line.text}"
        )
        imgui.dummy(ImVec2(width, height))
        imgui.set_item_tooltip((edit.before if line.kind == "gone" else edit.after or "") or " ")
        imgui.set_cursor_screen_pos(ImVec2(corner.x, corner.y + height))
    imgui.dummy(ImVec2(0, 0))
    imgui.pop_font()


def _counted(count: int) -> str:
    return "1 other is" if count == 1 else f"{count} others are"
