"""The Export panel saves layers as files, the texture as shown, the report, and bundles."""

from __future__ import annotations

from pathlib import Path

from imgui_bundle import ImVec2, imgui

from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.export.model.exports import FORMATS, folder_for
from texelscope.viewer.key_names import with_keys
from texelscope.viewer.panel import Panel
from texelscope.viewer.widgets.controls import checkbox

_MEANING = {
    "png": "The flattened texture as a picture, in colours",
    "npy": "The tensor as a numpy array, in its logical shape",
    "exr": "The flattened texture in floats, for picture tools",
    "npz": "All layers in one numpy archive",
}


class ExportPanel(Panel):
    """Saves layers as PNG, NPY, NPZ or EXR, the view as shown, the report as JSON or a page, and bundles."""

    title = "Export"
    place = "bottom"
    order = 8
    key = "0"

    def __init__(self) -> None:
        self._chosen = {"png", "npy"}
        self._folder: str | None = None
        self._target = ""

    def draw(self, app: App) -> None:
        """Draws what to export, where to, and the outcome."""
        target, session = app.document.target, app.document.session
        if target is None or session is None:
            imgui.text_disabled("Nothing is open.")
            return
        if self._folder is None or self._target != target.path:
            self._target, self._folder = target.path, str(folder_for(target.path))
        imgui.align_text_to_frame_padding()
        imgui.text_unformatted("Folder")
        imgui.same_line()
        imgui.set_next_item_width(min(imgui.get_content_region_avail().x, 420 * app.scale))
        _, self._folder = imgui.input_text("##folder", self._folder)
        app.mark("export folder")
        if app.display.file_dialog.is_available:
            imgui.same_line()
            if imgui.button("Browse …"):
                app.display.file_dialog.ask_for_folder("Export into", str(Path(self._folder).absolute()), self._choose)
            app.mark("browse folder")
        for name in FORMATS:
            changed, on = checkbox(name.upper(), name in self._chosen)
            imgui.set_item_tooltip(_MEANING[name])
            if changed:
                self._chosen = self._chosen | {name} if on else self._chosen - {name}
            imgui.same_line(0, 14 * app.scale)
        imgui.new_line()
        self._buttons(app, Path(self._folder.strip() or ".").expanduser())
        self._outcome(app)

    def _choose(self, folder: str) -> None:
        self._folder = folder

    def _buttons(self, app: App, folder: Path) -> None:
        passes = [each.name for each in app.document.passes]
        selected = [app.selected] if app.selected in passes else []
        formats = [name for name in FORMATS if name in self._chosen]
        for label, names in ((f"Layer {selected[0]}" if selected else "This layer", selected), ("All layers", passes)):
            imgui.begin_disabled(not names or not formats or app.saving.exports.is_running)
            if imgui.button(f"{label}##{'one' if names is selected else 'all'}"):
                app.send("export_layers", folder=folder, names=names, formats=formats)
            app.mark("export one" if names is selected else "export all")
            imgui.end_disabled()
            imgui.same_line()
        if imgui.button("View as seen"):
            app.send("save_view", folder=folder)
        app.mark("export view")
        imgui.set_item_tooltip("The texture panel with its grid, labels and marks, as PNG")
        imgui.same_line()
        imgui.begin_disabled(not app.document.is_compared)
        if imgui.button("Report (JSON)"):
            app.send("save_report", folder=folder)
        app.mark("export report")
        imgui.set_item_tooltip("The comparison of all passes, as JSON")
        imgui.same_line()
        imgui.begin_disabled(app.saving.background.job is not None or app.saving.recording.progress is not None)
        if imgui.button("Report (HTML page)"):
            app.send("save_page", folder=folder)
        app.mark("export page")
        imgui.set_item_tooltip(
            with_keys("The comparison as one HTML page to debug in, with texels, reads and executions (Ctrl+Shift+R)")
        )
        imgui.end_disabled()
        imgui.end_disabled()
        imgui.same_line()
        imgui.begin_disabled(app.saving.background.job is not None)
        if imgui.button("Bundle"):
            app.send("save_bundle", folder=folder)
        app.mark("export bundle")
        imgui.set_item_tooltip(
            with_keys("One file that reopens this state: model, shaders, inputs and views (Ctrl+Shift+S)")
        )
        imgui.end_disabled()

    def _outcome(self, app: App) -> None:
        exports = app.saving.exports
        if exports.is_running:
            imgui.progress_bar(
                exports.done / exports.count, ImVec2(260 * app.scale, 0), f"{exports.done} of {exports.count}"
            )
            imgui.same_line()
            if imgui.button("Cancel"):
                app.send("cancel_export")
        elif exports.problem:
            imgui.push_style_color(int(imgui.Col_.text), theme.packed(theme.BAD))
            imgui.text_wrapped(exports.problem)
            imgui.pop_style_color()
        elif exports.files:
            count = len(exports.files)
            place = exports.files[0] if count == 1 else f"{count} files in {exports.files[0].parent}"
            imgui.text_wrapped(f"Wrote {place}")


PANEL = ExportPanel()
