"""Keeps unsaved edits every few seconds, and offers those of a window that ended without a question."""

from __future__ import annotations

import difflib
import itertools
import time
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from imgui_bundle import ImVec2, imgui

from texelscope.layouts.outside_text import in_cell, printable_lines
from texelscope.pipeline.target import OpenOptions, Target
from texelscope.pipeline.untrusted_files.door import real_path
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.command import Command
from texelscope.viewer.leaving.commands import leave
from texelscope.viewer.leaving.model.kept_edits import EditedText, EditsFile, KeptEdits, remove
from texelscope.viewer.parameters.commands import set_values
from texelscope.viewer.parameters.model import unsaved_values
from texelscope.viewer.widgets.question import begin_question

# What is typed is in a file at most this long after.
SECONDS = 3.0
# Lines of the offered changes.
_MOST_LINES = 400
_TITLE = "Restore unsaved edits?"


class Recovery:
    """Writes the edits of this window, and holds those that another one left until they are restored or discarded."""

    def __init__(self, file: EditsFile, clock: Callable[[], float] = time.monotonic) -> None:
        self._file = file
        self._clock = clock
        self._next = 0.0
        self._written: KeptEdits | None = None

    def update(self, app: App) -> bool:
        """Writes changed edits now and then, and puts restored ones into an opened target; True if it did that."""
        restored = self._restore(app)
        if self._clock() >= self._next:
            self._next = self._clock() + SECONDS
            edits = edits_of(app)
            if edits != self._written:
                self._written = edits
                self._file.write(edits)
        return restored

    def end(self) -> None:
        """Forgets the edits of this window, which was left on purpose."""
        self._file.remove()

    def _restore(self, app: App) -> bool:
        """Shows the edits to restore as typed, once their target is open."""
        edits, document = app.saving.restoring, app.document
        if edits is None or document.session is None or document.opening:
            return False
        if not _are_of_present(app, edits):
            return False
        app.saving.restoring = None
        for each in edits.texts:
            app.saving.drafts.retype(each.name, each.file, each.text)
        if edits.texts:
            app.state.select(edits.texts[0].name)
        app.state.wanted_tabs.append("Shader" if edits.texts else "Parameters")
        if edits.values:
            set_values(app, edits.values)
        app.log.add(f"Restored {_count(edits)}; nothing is saved yet.")
        self._next = self._clock()
        if edits.place is not None:
            self._written = edits_of(app)
            self._file.write(self._written)
            remove(edits.place)
        return True


def edits_of(app: App) -> KeptEdits:
    """Returns everything that is typed or tried and in no file, nor in the open bundle."""
    drafts, document = app.saving.drafts, app.document
    session, target = document.session, document.target
    if session is None or target is None:
        return KeptEdits("", ())
    texts = {
        (draft.name, draft.file.path): EditedText(draft.name, draft.file.path, draft.clean, draft.text)
        for draft in drafts.unsaved
        if draft.file is not None
    }
    for name, file, text in drafts.texts():
        found = session.plan.find(name)
        files = found.program.files if found is not None else ()
        base = next((each.text for each in files if each.path == file), "")
        texts.setdefault((name, file), EditedText(name, file, base, text))
    unsaved = tuple(each for each in texts.values() if (each.name, each.file, each.text) not in drafts.kept)
    shapes = {name: tuple(shape) for name, shape in target.options.shapes.items()}
    origin = str(real_path(document.origin or target.path))
    return KeptEdits(origin, unsaved, shapes, values=unsaved_values(app))


def restore(app: App) -> None:
    """Opens the target of the offered edits, which are then shown as typed."""
    if not app.saving.left_behind:
        return
    edits, *others = app.saving.left_behind
    app.saving.left_behind, app.saving.restoring = tuple(others), edits
    if not _are_of_present(app, edits):
        leave(app, Target(edits.target, OpenOptions(shapes=edits.shapes)))


def _are_of_present(app: App, edits: KeptEdits) -> bool:
    """Returns whether edits are of the target that is open."""
    origin = app.document.origin
    return origin is not None and real_path(origin) == real_path(edits.target)


def discard(app: App) -> None:
    """Removes the offered edits."""
    if app.saving.left_behind:
        edits, *others = app.saving.left_behind
        app.saving.left_behind = tuple(others)
        if edits.place is not None:
            remove(edits.place)


def _later(app: App) -> None:
    """Leaves the offered edits for the next start."""
    app.saving.left_behind = app.saving.left_behind[1:]


def draw_offer(app: App) -> None:
    """Draws the question about the edits that a window left, with what would change."""
    if not app.saving.left_behind or app.saving.leave is not None:
        return
    edits = app.saving.left_behind[0]
    if not begin_question(app, _TITLE, 760.0):
        return
    imgui.push_text_wrap_pos(0.0)
    imgui.text_unformatted(f"A window on {edits.target} ended before {_count(edits)} could be saved:")
    imgui.pop_text_wrap_pos()
    imgui.push_font(app.display.fonts.mono, 0.0)
    tall = min(320 * app.scale, imgui.get_main_viewport().size.y * 0.4)
    imgui.begin_child("changes", ImVec2(0, tall), int(imgui.ChildFlags_.borders))
    for line in (*_changes(edits.texts), *(f"+{key} = {text}" for key, text in _shown(edits.values))):
        colour = theme.GOOD if line.startswith("+") else theme.BAD if line.startswith("-") else theme.QUIET
        imgui.text_colored(colour, line)
    imgui.end_child()
    imgui.pop_font()
    for label, command, keys in (
        ("Restore  (R)", "restore_edits", (imgui.Key.r, imgui.Key.enter)),
        ("Discard  (D)", "discard_edits", (imgui.Key.d,)),
        ("Later  (Esc)", "later_edits", (imgui.Key.escape,)),
    ):
        is_pressed = imgui.button(label)
        app.mark(command)
        if is_pressed or any(imgui.is_key_pressed(each, False) for each in keys):
            app.send(command)
            imgui.close_current_popup()
        imgui.same_line()
    imgui.text_disabled("Restored edits stand in the editor; no file changes until you save.")
    imgui.end_popup()


@lru_cache(maxsize=1)  # drawn in every frame
def _changes(texts: tuple[EditedText, ...]) -> tuple[str, ...]:
    """Returns the lines that the edits take away and add."""
    lines: list[str] = []
    for each in texts:
        before, after = each.base.splitlines(), each.text.splitlines()
        changed = list(difflib.unified_diff(before, after, n=1, lineterm=""))[2:]
        lines += [f"{Path(each.file).name} of '{each.name}'", *changed, ""]
    return tuple(printable_lines("\n".join(lines)).split("\n")[:_MOST_LINES])


def _shown(values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yields as many changed values as a person reads, as they may be shown."""
    for key, text in itertools.islice(values.items(), _MOST_LINES):
        yield in_cell(key), in_cell(text)


def _count(edits: KeptEdits) -> str:
    files, values = len(edits.texts), len(edits.values)
    of_texts = "the edit of one shader" if files == 1 else f"edits of {files} shaders"
    of_values = "one changed value" if values == 1 else f"{values} changed values"
    return " and ".join([of_texts] * bool(files) + [of_values] * bool(values))


COMMANDS = (
    Command("restore_edits", restore),
    Command("discard_edits", discard),
    Command("later_edits", _later),
)
