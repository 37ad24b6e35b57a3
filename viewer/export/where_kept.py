"""Draws a row that says where edited shaders are saved, if not in the user's files, and offers to save them."""

from __future__ import annotations

from pathlib import Path

from imgui_bundle import imgui

from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.export.bundle import bundle_place
from texelscope.viewer.export.folder import folder_place
from texelscope.viewer.export.work import unsaved_work
from texelscope.viewer.widgets.short_text import as_label, shortened


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
