"""Draws the values of a pipeline file's passes, a row each, with fields to change them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

from imgui_bundle import ImVec2, imgui

from texelscope.layouts.outside_text import in_cell
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.parameters.hook_rows import LIVE_MS
from texelscope.viewer.parameters.model import NUMBERS_IN_LINE, count_shown, lines_of
from texelscope.viewer.parameters.number_field import NumberFields
from texelscope.viewer.widgets.controls import checkbox, shortened, wrapped_tooltip

if TYPE_CHECKING:
    from texelscope.pipeline.pipeline_values.pass_values import PassValue

# All passes are unfolded at first where they have no more values than this together; else the selected one is.
_MOST_UNFOLDED = 24
# Width of the columns of names and of fields.
_NAME_WIDTH, _FIELD_WIDTH, _LEAST_FIELD = 190.0, 330.0, 30.0
# In a narrower panel what stands beside the fields is in tooltips alone, and names have this share at most.
_NARROW, _SHARE_OF_NAMES = 620.0, 0.34
_KINDS = {"defines": "#define ", "push": "push ", "specialization": "constant "}
_OWN = "the shader's own"


class ValueRows:
    """Draws the rows of all passes; holds what is dragged or typed until it runs."""

    def __init__(self) -> None:
        self._fields = NumberFields()
        self._texts: dict[str, str] = {}
        self._moved = ""
        self._selected: str | None = None
        self._is_wide = True

    def let_go(self) -> None:
        """Forgets what is dragged or typed."""
        self._fields.let_go()
        self._texts = {}

    def draw(self, app: App, values: Sequence[PassValue], changed: frozenset[str]) -> None:
        """Draws a table of the values, by pass; those of the keys `changed` differ from the file's."""
        flags = imgui.TableFlags_.sizing_fixed_fit | imgui.TableFlags_.row_bg | imgui.TableFlags_.scroll_y
        style, size = imgui.get_style(), imgui.get_content_region_avail()
        reset = imgui.calc_text_size("Reset").x + 2 * style.frame_padding.x
        room = size.x - reset - style.scrollbar_size - 6 * style.cell_padding.x
        self._is_wide = room >= _NARROW * app.scale
        name_width = min(_NAME_WIDTH * app.scale, room * _SHARE_OF_NAMES)
        field_width = min(_FIELD_WIDTH * app.scale, room - name_width)
        if not imgui.begin_table("values", 4 if self._is_wide else 3, int(flags), ImVec2(0, size.y)):
            return
        fixed = int(imgui.TableColumnFlags_.width_fixed)
        imgui.table_setup_column("name", fixed, name_width)
        imgui.table_setup_column("value", fixed, field_width)
        imgui.table_setup_column("reset", fixed, reset)
        if self._is_wide:
            imgui.table_setup_column("about", int(imgui.TableColumnFlags_.width_stretch))
        for name, group in itertools.groupby(values, key=lambda each: each.name.of_pass):
            if self._heading(app, name, unfolded=len(values) <= _MOST_UNFOLDED):
                for each in group:
                    self._row(app, each, is_changed=each.key in changed)
                imgui.tree_pop()
        self._selected = app.selected
        imgui.end_table()

    def _heading(self, app: App, name: str, *, unfolded: bool) -> bool:
        """Draws a pass's row, with the error of its shader; returns whether its values are shown."""
        imgui.table_next_row()
        imgui.table_next_column()
        if name == app.selected != self._selected:  # selected just now
            imgui.set_next_item_open(True)
        else:
            imgui.set_next_item_open(unfolded, int(imgui.Cond_.once))
        flags = imgui.TreeNodeFlags_.span_avail_width | imgui.TreeNodeFlags_.frame_padding
        is_open = imgui.tree_node_ex(f"{in_cell(name)}###{name}", int(flags))
        app.mark(f"values of {name}")
        imgui.table_set_column_index(3 if self._is_wide else 1)
        error = app.document.session.shader_error(name) if app.document.session is not None else None
        if error is not None:
            imgui.align_text_to_frame_padding()
            room = imgui.get_content_region_avail().x
            text = f"{error.file}:{error.line}: {error.message}"
            imgui.text_colored(theme.BAD, shortened(text, room))
            app.mark(f"error of values of {name}")
            if imgui.is_item_hovered():
                wrapped_tooltip(app, f"{text}. The last good program runs.")
        return is_open

    def _row(self, app: App, value: PassValue, *, is_changed: bool) -> None:
        imgui.push_id(value.key)
        imgui.table_next_row()
        imgui.table_next_column()
        imgui.align_text_to_frame_padding()
        title = f"{_KINDS.get(value.name.table, '')}{in_cell(value.name.name)}"
        shown = shortened(title, imgui.get_content_region_avail().x)
        imgui.text_colored(theme.WARNING if is_changed else theme.TEXT, shown)
        app.mark(f"name of {value.key}")
        if imgui.is_item_hovered():
            wrapped_tooltip(app, _about(value, is_changed=is_changed))
        imgui.table_next_column()
        if value.numbers is not None:
            self._numbers(app, value)
        elif value.kind == "tensor":
            imgui.align_text_to_frame_padding()
            imgui.text_disabled(f"the numbers of {in_cell(value.text)}")
        else:
            self._word(app, value)
        imgui.table_next_column()
        imgui.begin_disabled(not is_changed)
        if imgui.button("Reset"):
            app.send("set_values", values={value.key: None})
        app.mark(f"reset {value.key}")
        imgui.end_disabled()
        if self._is_wide:
            imgui.table_next_column()
            imgui.align_text_to_frame_padding()
            imgui.text_disabled(shortened(_beside(value), imgui.get_content_region_avail().x))
            if imgui.is_item_hovered():
                wrapped_tooltip(app, _about(value, is_changed=is_changed))
        imgui.pop_id()

    def _numbers(self, app: App, value: PassValue) -> None:
        assert value.numbers is not None
        lines = lines_of(value)
        gap, room = imgui.get_style().item_inner_spacing.x, imgui.get_content_region_avail().x
        most = max(map(len, lines), default=1)
        width = max((room - gap * (most - 1)) / most, _LEAST_FIELD * app.scale)
        for line in lines:
            for column, place in enumerate(line):
                if column:
                    imgui.same_line(0, gap)
                self._number(app, value, place, width)
        left_out = len(value.numbers) - count_shown(lines)
        if left_out:
            imgui.text_disabled(f"and {left_out} more, which the file says")

    def _number(self, app: App, value: PassValue, place: int, width: float) -> None:
        assert value.numbers is not None
        number = value.numbers[place]
        called = f"value {value.key}" if len(value.numbers) == 1 else f"value {value.key} {place}"
        imgui.push_id(place)
        if value.kind == "bool":
            is_moved, is_on = checkbox("##flag", bool(number))
            app.mark(called)
            imgui.same_line(0, max(width - imgui.get_frame_height(), 0.0))
            imgui.dummy(ImVec2(0, 0))
            if is_moved:
                app.send("set_values", values={value.key: value.with_number(place, is_on)})
            imgui.pop_id()
            return
        edit = self._fields.draw(app, (value.key, place), number, value.kind, width)
        app.mark(called)
        imgui.pop_id()
        if edit is None:
            return
        if edit.how == "typed":
            self._moved = ""
            app.send("type_value", key=value.key, place=place, typed=edit.text)
        elif edit.how == "dropped" or _is_quick(app, value):
            if edit.number != number:
                app.send(
                    "set_values",
                    values={value.key: value.with_number(place, edit.number)},
                    goes_on=self._moved == called,
                )
            self._moved = "" if edit.how == "dropped" else called

    def _word(self, app: App, value: PassValue) -> None:
        """Draws an expression, a define that is no number, or a constant whose number only the shader has."""
        shown = self._texts.get(value.key, value.text)
        imgui.set_next_item_width(-1.0)
        flags = int(imgui.InputTextFlags_.enter_returns_true)
        entered, typed = imgui.input_text_with_hint("##word", _OWN, shown, flags)
        app.mark(f"value {value.key}")
        if typed == value.text:
            self._texts.pop(value.key, None)
        else:
            self._texts[value.key] = typed
        if entered and typed.strip() and typed != value.text:
            self._texts.pop(value.key, None)
            app.send("set_values", values={value.key: typed.strip()})


def _is_quick(app: App, value: PassValue) -> bool:
    """Reports whether a change is made while a number is dragged: nothing is compiled, and it takes little time."""
    return not value.is_compiled and app.document.varied_ms <= LIVE_MS


def _beside(value: PassValue) -> str:
    """Returns a few words about a value: its type, whether the file has it, and what depends on it."""
    words = [value.type] if value.type else []
    if value.now and len(value.now) <= NUMBERS_IN_LINE:
        words.append(f"now {', '.join(f'{each:.6g}' for each in value.now)}")
    if not value.is_set:
        words.append("not in the file" if value.numbers is None else "not in the file: 0")
    if value.oracle:
        words.append("shader only" if value.oracle.startswith("Only") else "shader and oracle")
    return "  ·  ".join(words)


def _about(value: PassValue, *, is_changed: bool) -> str:
    """Returns what a value is in sentences."""
    kinds = {"defines": "a #define", "push": "a push constant", "specialization": "a specialization constant"}
    kind = kinds.get(value.name.table, "a uniform")
    sentences = [
        f"{value.name.name} of '{value.name.of_pass}' is {kind}{f' of type {value.type}' if value.type else ''}."
    ]
    if value.is_compiled:
        sentences.append("The shader is compiled again for another value.")
    if not value.is_set:
        sentences.append("The file does not set it; a change is written as a new line.")
    if value.oracle:
        sentences.append(value.oracle)
    if is_changed:
        sentences.append("It is changed here and not saved.")
    return " ".join(sentences)
