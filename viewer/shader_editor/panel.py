"""The Shader panel shows the selected pass's source as written and as generated, and edits it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePath

from imgui_bundle import ImVec2, imgui
from imgui_bundle import imgui_color_text_edit as text_edit

from texelscope.pipeline.errors import ShaderError
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.glsl.lines import GENERATED
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.debugger.source import text_marks, text_menu, tool_row
from texelscope.viewer.debugger.source.text_marks import EditorPage
from texelscope.viewer.debugger.source.text_menu import Gutter, TextMenu, caret_line
from texelscope.viewer.export import where_kept
from texelscope.viewer.key_names import with_keys
from texelscope.viewer.palettes import Look
from texelscope.viewer.panel import Panel
from texelscope.viewer.shader_editor.line_marks import Mark, file_of, in_sight, mark, marks_of
from texelscope.viewer.shader_editor.model.drafts import Draft, Key, TextOfTrial, Writing
from texelscope.viewer.shader_editor.model.pass_texts import (
    VERTEX,
    PassText,
    error_lines,
    first_line,
    form_texts,
    how_it_runs,
    texts_of,
)
from texelscope.viewer.shader_editor.model.replacing import Replacing
from texelscope.viewer.widgets.controls import shortened

# The widget loses carriage returns alone, which old systems ended lines with.
_NOT_HELD = "This file has characters that this editor would lose: edit it in another editor"

_REPAIRED = with_keys("The repair is running but not saved: Save writes it to the file, Ctrl+Z undoes it")


@dataclass
class _Editor:
    """The widget of a draft; `seen` is the undo step whose text the draft has."""

    widget: text_edit.TextEditor
    draft: Draft
    seen: int = 0
    look: Look | None = None
    is_touched: bool = False
    marked: tuple[Mark, ...] = ()

    def __post_init__(self) -> None:
        self.texts = Replacing(self.widget)

    def wear(self, look: Look) -> None:
        """Sets the text's colours for dark or light ground."""
        self.look = look
        kinds = text_edit.TextEditor
        self.widget.set_palette(kinds.get_light_palette() if look == "light" else kinds.get_dark_palette())

    def touch(self) -> None:
        """Records that the widget's text has changed."""
        self.is_touched = True

    def show_line(self, line: int) -> None:
        """Selects a line, counted from 1, and scrolls it into view."""
        self.widget.select_line(line - 1)
        self.widget.scroll_to_line(line - 1)

    def take(self, text: str) -> None:
        """Shows another text as an edit that can be undone; the caret stays in its line."""
        row, caret = self.widget.get_first_visible_row(), self.widget.get_main_cursor_position()
        is_kept = self.draft.text and not self.widget.is_read_only_enabled()
        (self.texts.take if is_kept else self.texts.begin)(text)
        last = self.widget.get_line_count() - 1
        self.widget.set_cursor(text_edit.TextEditor.DocPos(min(caret.line, last), caret.index))
        self.widget.scroll_to_line(row, text_edit.TextEditor.Scroll.align_top)
        self.seen = self.widget.get_undo_index()
        self.draft.taken(text, self.widget.get_text())

    def write(self, writing: Writing) -> None:
        """Replaces lines as one edit, if the text has not changed since the request."""
        self.update_draft()
        if self.draft.text != writing.before and self.draft.base != writing.before:
            return
        before = self.draft.text
        first = self.texts.write(writing.after).first
        self.widget.set_cursor(text_edit.TextEditor.DocPos(first, 0))
        self.widget.scroll_to_line(first)
        self.widget.set_focus()
        self.touch()
        self.update_draft()
        self.draft.tried = TextOfTrial(before, self.draft.text, writing.trial)

    def type(self, text: str) -> None:
        """Shows another text as if it had been typed."""
        self.widget.select_all()
        self.widget.replace_text_in_current_cursor(text)
        self.widget.set_cursor(text_edit.TextEditor.DocPos(0, 0))
        self.touch()
        self.update_draft()

    def update_draft(self) -> None:
        """Updates the draft with what is typed by now."""
        if self.is_touched or self.widget.get_undo_index() != self.seen:
            self.seen, self.is_touched = self.widget.get_undo_index(), False
            self.draft.text = self.widget.get_text()


class ShaderPanel(Panel):
    """Shows source of the selected pass, as written and as generated; errors on their lines."""

    title = "Shader"
    place = "right"
    key = "4"

    def __init__(self) -> None:
        self._editors: dict[Key, _Editor] = {}
        # By file, the pass whose part of the file was scrolled into view last.
        self._brought: dict[Key, str] = {}
        self._gutter, self._menu = Gutter(), TextMenu()

    def draw(self, app: App) -> None:
        """Draws a tab for each text, with the state of the program above it."""
        app.state.text_in_sight = None
        document, name = app.document, app.selected
        session, target = document.session, document.target
        found = session.plan.find(name) if session is not None and name is not None else None
        if session is None or target is None or found is None:
            is_missing = session is not None and session.plan.missing(name or "") is not None
            without = "No shader runs this node." if is_missing else "Inputs have no shader. Select a pass."
            imgui.text_disabled(without if session else "Nothing is open.")
            return
        tool_row.draw(app, found.name)
        form = app.document.run.form_of(found.name)
        _runs(app, *how_it_runs(session, found.name, form))
        where_kept.draw(app)
        texts = (*texts_of(session, found.name, target.path), *form_texts(form))
        if not imgui.begin_tab_bar("texts", int(imgui.TabBarFlags_.fitting_policy_scroll)):
            return
        for text in texts:
            editor = self._editors.get(_key(found.name, str(target.path), text))
            is_changed = editor is not None and editor.draft.is_changed
            flags = imgui.TabItemFlags_.unsaved_document if is_changed else imgui.TabItemFlags_.none
            wanted = _to_write(app, found.name) or app.state.wanted_line or app.state.wanted_sight
            file = wanted[0] if wanted is not None else text_marks.wanted_file(app, found.name)
            if file is not None and _is_in(text, file):
                flags |= imgui.TabItemFlags_.set_selected
            is_shown = imgui.begin_tab_item(text.label, None, int(flags))[0]
            app.mark(f"shader tab {text.label}")
            if is_shown:
                self._text(app, found.name, str(target.path), text)
                imgui.end_tab_item()
        imgui.end_tab_bar()

    def _text(self, app: App, name: str, target: str, shown: PassText) -> None:
        editor = self._editor(app, name, _key(name, target, shown), shown)
        session = app.document.session
        assert session is not None
        error = session.shader_error(name)
        self._state(app, name, shown, editor, error)
        marks = marks_of(app, name, shown, error)
        mark(editor.widget, marks, editor.marked)
        editor.marked = marks
        if shown.path is not None and self._brought.get(_key(name, target, shown)) != name:
            self._brought[_key(name, target, shown)] = name
            start = first_line(session.program_source(name), shown.file) if shown.file is not None else 1
            if start > 1:
                editor.widget.scroll_to_line(start - 1, text_edit.TextEditor.Scroll.align_top)
        wanted = app.state.wanted_line
        if wanted is not None and _is_in(shown, wanted[0]):
            editor.show_line(wanted[1])
            app.state.shown_line, app.state.wanted_line = wanted, None
        elif app.state.wanted_sight is not None and not editor.draft.is_changed:
            editor.widget.scroll_to_line(app.state.wanted_sight[1] - 1)
            app.state.shown_line = app.state.wanted_sight
        app.state.wanted_sight = None
        imgui.push_font(app.display.fonts.mono, theme.FONT_PIXELS)
        page = self._page(session, name, shown, editor)
        text_marks.prepare(app, page)
        editor.widget.render(f"##{shown.label}", ImVec2(0, 0))
        app.mark("shader text")
        app.mark(f"shader text of {shown.label}")
        self._over(app, page, f"##{shown.label}")
        imgui.pop_font()
        editor.update_draft()
        tried = editor.draft.tried
        turned = tried.wanted(editor.draft.text) if tried is not None else None
        if tried is not None and turned is not None:  # undo and redo turn the trial off and on
            app.send("turn_trial", trial=tried.trial, on=turned)
        app.state.text_in_sight = in_sight(editor.widget, file_of(shown), editor.marked)
        if shown.editable and imgui.is_window_focused(int(imgui.FocusedFlags_.child_windows)):
            for key in (imgui.Key.s, imgui.Key.enter):
                # Plain integers: early releases of Python 3.11 cannot join these enum members.
                if imgui.is_key_chord_pressed(int(imgui.Key.mod_ctrl) | int(key)):
                    _take_up(app, name, shown, editor)

    def _page(self, session: Session, name: str, shown: PassText, editor: _Editor) -> EditorPage:
        """Returns the text as the debugger needs it, with whether it is the text that runs."""
        running = {file.path: file.text for file in session.program_source(name).files}
        is_as_run = shown.file is None or (running.get(shown.file.path) == shown.text and not editor.draft.is_changed)
        return EditorPage(editor.widget, shown.file.path if shown.file is not None else shown.label, name, is_as_run)

    def _over(self, app: App, page: EditorPage, title: str) -> None:
        """Draws the debugger's marks and handles its clicks, in the editor's child window."""
        if not imgui.is_item_visible():
            return
        imgui.begin_child(title)
        text_marks.draw(app, page)
        self._gutter.work(app, page)
        self._menu.work(app, page, self._gutter)
        text_menu.draw(app, page)
        imgui.end_child()
        app.debugger.stepping.caret = caret_line(page)

    def _editor(self, app: App, name: str, key: Key, shown: PassText) -> _Editor:
        editor = self._editors.get(key)
        # The pass runs the text by now: a built-in file shows it already, and must keep its old text as an undo step.
        writing = next(
            (each for each in app.saving.drafts.writing if _is_in(shown, each.file) and each.name == name), None
        )
        if editor is None or (shown.editable and app.saving.drafts.get(key) is not editor.draft):
            text = shown.text if writing is None else writing.before
            draft = Draft(shown.label, text, text, shown.path, name, shown.file)
            editor = self._editors[key] = _Editor(_widget(), draft)
            editor.widget.set_change_callback(editor.touch)
            editor.take(text)
            editor.widget.scroll_to_line(shown.first_line - 1, text_edit.TextEditor.Scroll.align_top)
            if shown.editable:
                app.saving.drafts.add(key, draft)
                typed = app.saving.drafts.take_typed(name, shown.file, shown.path) if shown.file is not None else None
                if typed is not None:
                    editor.type(typed)
        if editor.look != (look := app.remembering.settings.look):
            editor.wear(look)
        if writing is not None:
            app.saving.drafts.writing.remove(writing)
            editor.write(writing)
        if editor.draft.follow(shown.text):
            editor.take(shown.text)
        editor.widget.set_read_only_enabled(not shown.editable or not editor.draft.is_held)
        return editor

    def _state(self, app: App, name: str, shown: PassText, editor: _Editor, error: ShaderError | None) -> None:
        """Draws one row: buttons for the text, then its state or its error."""
        imgui.align_text_to_frame_padding()
        if editor.draft.is_changed:
            self._buttons(app, name, shown, editor)
        elif shown.file is not None and shown.original not in (None, shown.text):
            if imgui.button("Back to the original"):
                app.send("try_shader", name=name, file=shown.file, text=shown.original)
            app.mark("original shader")
            imgui.same_line()
        text, colour = _about(shown, error)
        if shown.editable and not editor.draft.is_held:
            text, colour = _NOT_HELD, theme.WARNING
        elif error is None and _runs_unsaved(editor.draft):
            text, colour = _REPAIRED, theme.WARNING
        imgui.text_colored(colour, text)
        app.mark("shader state")
        lines = error_lines(error, shown)
        if lines and imgui.is_item_clicked():
            editor.show_line(min(lines))
        imgui.set_item_tooltip(f"{text}\nClick to go there" if lines else text)

    def _buttons(self, app: App, name: str, shown: PassText, editor: _Editor) -> None:
        if editor.draft.other is not None:
            imgui.text_colored(theme.WARNING, "Another program has changed the file.")
            imgui.same_line()
            if imgui.button("Load that version"):
                editor.take(editor.draft.other)
            app.mark("take other")
            imgui.same_line()
            if imgui.button("Keep mine"):
                editor.draft.keep_mine()
            app.mark("keep mine")
        else:
            if imgui.button("Save" if shown.path is not None else "Try"):
                _take_up(app, name, shown, editor)
            app.mark("save shader")
            imgui.set_item_tooltip(with_keys("Ctrl+S: compiles, and runs again from this pass on"))
            imgui.same_line()
            if imgui.button("Revert"):
                editor.take(shown.text)
                if shown.path is None:  # forgets a rejected text
                    app.send("try_shader", name=name, file=shown.file, text=shown.text)
            app.mark("revert shader")
        imgui.same_line()


def _runs(app: App, text: str, edited: bool) -> None:  # noqa: FBT001 - as `how_it_runs` answers
    """Draws how the pass runs, in a line that is cut at the panel's edge."""
    if not text:
        return
    shown = shortened(text, imgui.get_content_region_avail().x)
    imgui.text_colored(theme.WARNING if edited else theme.QUIET, shown)
    imgui.set_item_tooltip(text)
    app.mark("how it runs")


def _about(shown: PassText, error: ShaderError | None) -> tuple[str, theme.Colour]:
    if error is not None:
        return f"{PurePath(error.file).name}:{error.line}: {error.message} – the last good program runs", theme.BAD
    if shown.about:
        return shown.about, theme.QUIET
    if shown.label == GENERATED:
        return "The compiled text: the files, with generated accessors for their inputs and a main", theme.QUIET
    if shown.label == VERTEX:
        return "One triangle over the whole target", theme.QUIET
    if shown.path is None:
        return "A built-in shader: changes are tried in this pass, not saved", theme.QUIET
    here = Path.cwd()
    return str(shown.path.relative_to(here) if shown.path.is_relative_to(here) else shown.path), theme.QUIET


def _is_in(shown: PassText, file: str) -> bool:
    return file == file_of(shown)


def _runs_unsaved(draft: Draft) -> bool:
    """Returns whether passes run a repair that exists only in the editor."""
    tried = draft.tried
    return draft.path is not None and draft.is_changed and tried is not None and tried.trial.is_on


def _to_write(app: App, name: str) -> tuple[str, int] | None:
    """Returns the file of the pass into which something is to be written."""
    return next(((each.file, 0) for each in app.saving.drafts.writing if each.name == name), None)


def _key(name: str, target: str, shown: PassText) -> Key:
    if shown.path is not None:
        return (str(shown.path),)
    return (target, shown.label, name) if shown.editable else (shown.label,)


def _take_up(app: App, name: str, shown: PassText, editor: _Editor) -> None:
    """Saves a user's file, or tries a built-in file in the pass."""
    if editor.widget.is_read_only_enabled():
        return
    text = editor.draft.text
    if shown.path is not None:
        app.send("save_shader", path=shown.path, text=text)
    elif shown.file is not None:
        app.send("try_shader", name=name, file=shown.file, text=text)


def _widget() -> text_edit.TextEditor:
    widget = text_edit.TextEditor()
    widget.set_language(text_edit.TextEditor.Language.glsl())
    widget.set_show_whitespaces_enabled(False)
    widget.set_tab_size(4)
    widget.set_show_mini_map_enabled(False)
    return widget


PANEL = ShaderPanel()
