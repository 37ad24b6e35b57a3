"""Finds work that would be lost, in no file or a temporary folder, and offers to save edited shaders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from imgui_bundle import imgui

from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.export.folder import bundle_place, folder_place
from texelscope.viewer.parameters.model import unsaved_values
from texelscope.viewer.widgets.controls import as_label, shortened

_MOST_LETTERS = 40


@dataclass(frozen=True)
class UnsavedWork:
    """One piece of unsaved work: what it is, and why it would be lost. `path` is the user's file for it, if any."""

    what: str
    why: str
    path: Path | None = None


def unsaved_work(app: App) -> tuple[UnsavedWork, ...]:
    """Returns all unsaved work: values and typed texts first, then tried texts, then files of a bundle."""
    drafts = app.saving.drafts
    found = [*_unsaved_values(app)]
    found += [
        UnsavedWork(draft.label, f"changed here, not saved to {draft.path}", draft.path)
        for draft in drafts.unsaved
        if draft.path is not None
    ]
    found += [
        UnsavedWork(f"{Path(file).name} of '{name}'", "typed here, neither tried nor saved")
        for name, file, text in drafts.untried()
        if (name, file, text) not in drafts.kept
    ]
    found += [
        UnsavedWork(f"{Path(file).name} of '{name}'", "tried here, in no file")
        for (name, file), text in drafts.tried.items()
        if (name, file, text) not in drafts.kept
    ]
    origin = Path(app.document.origin or "").name
    found += [UnsavedWork(path.name, f"saved, but not into {origin} yet") for path in drafts.changed_files()]
    return tuple(found)


def _unsaved_values(app: App) -> Iterator[UnsavedWork]:
    target = app.document.target
    if target is None:
        return
    for key, text in unsaved_values(app).items():
        path = None if app.document.is_unpacked else Path(target.path)
        yield UnsavedWork(key, f"changed to {_short(text)} here, not saved to {target.path}", path)


def _short(text: str) -> str:
    """Returns the text of a value, without the end of a long one."""
    return text if len(text) <= _MOST_LETTERS else f"{text[:_MOST_LETTERS]}…"


def needs_bundle(app: App) -> bool:
    """Returns whether some work has no file of the user, so that a bundle must hold it."""
    unpacked = app.document.is_unpacked
    return any(each.path is None or unpacked for each in unsaved_work(app))


def draw(app: App) -> None:
    """Draws nothing for the user's own files, and for unchanged shaders of a model."""
    unpacked = app.document.is_unpacked
    work = [each for each in unsaved_work(app) if unpacked or each.path is None]
    if not unpacked and not (
        work and app.saving.drafts.tried
    ):  # a row that appears at the first key would be in the way
        return
    origin = Path(app.document.origin or "").name
    imgui.begin_disabled(app.saving.background.job is not None)
    if imgui.button(f"Save into {as_label(origin)}" if unpacked else "Save as a bundle"):
        app.send("keep_in_bundle")
    app.mark("keep in bundle")
    imgui.set_item_tooltip(f"{bundle_place(app)}: one file that reopens all of this")
    imgui.same_line()
    if imgui.button("Save as a folder"):
        app.send("save_folder")
    app.mark("keep in folder")
    imgui.set_item_tooltip(f"{folder_place(app)}: writes every shader as a file of yours, then opens that folder")
    imgui.end_disabled()
    imgui.same_line()
    if unpacked:
        text = f"{origin} was unpacked into a temporary folder, which is deleted with the window"
        text += f": {_count(len(work))} not in it yet" if work else ""
    else:
        text = f"{_count(len(work))} in no file"
    imgui.text_colored(theme.WARNING if work else theme.QUIET, shortened(text, imgui.get_content_region_avail().x))
    imgui.set_item_tooltip("\n".join((text, *(f"{each.what}: {each.why}" for each in work))))
    app.mark("where kept")


def _count(changes: int) -> str:
    return "1 change is" if changes == 1 else f"{changes} changes are"
