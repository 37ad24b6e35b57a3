"""Draws the menu of a right-click in a texture: copy the picked texel, go to its pass, set the range, lock, export."""

from __future__ import annotations

from imgui_bundle import imgui

from texelscope.viewer.app import App
from texelscope.viewer.export.model.exports import folder_for
from texelscope.viewer.key_names import with_keys
from texelscope.viewer.state import View
from texelscope.viewer.texture.shown import ShownTensor
from texelscope.viewer.texture.texel_commands import exact, maker_of, picked_lanes

NAME = "texel menu"


def draw(app: App, view: View, shown: ShownTensor) -> None:
    """Draws the menu while it is open; `imgui.open_popup(NAME)` opens it."""
    if not imgui.begin_popup(NAME):
        return
    _texts(app, view)
    imgui.separator()
    maker = maker_of(app)
    _entry(app, f"Go to the pass that made it{f': {maker}' if maker else ''}", "go_to_maker", on=maker is not None)
    _entry(app, "Trace what it reads", "trace_here", on=maker is not None and view.pick is not None)
    _entry(app, "Step through this texel", "step_texel", on=maker is not None and view.pick is not None)
    imgui.separator()
    _entry(app, "Range from this tile", "range_of_tile", on=view.pick is not None)
    _entry(app, "Range from the visible part", "range_in_sight")
    _entry(app, "Range from the data", "reset_range", on=not shown.chosen.follows)
    _entry(app, "Next NaN or infinity", "next_odd", on=bool(shown.odd.nan or shown.odd.infinite))
    _entry(app, "Next value outside black and white", "next_outside", on=bool(shown.odd.below or shown.odd.above))
    imgui.separator()
    _entry(app, "As stored" if shown.is_picture else "As a picture", "picture")
    name = view.locked or app.selected
    if imgui.menu_item(
        "Lock a tab to this layer", with_keys("Ctrl+T"), False, name is not None and view.locked is None
    )[0]:
        app.send("lock", name=name)
    app.mark("texel lock")
    if imgui.menu_item("Export this view …", with_keys("Ctrl+Shift+V"), False, app.document.origin is not None)[0]:
        app.send("save_view", folder=folder_for(app.document.origin or ""))
    app.mark("texel export")
    imgui.end_popup()


def _texts(app: App, view: View) -> None:
    """Draws the entries that copy parts of the picked texel."""
    lanes = picked_lanes(app, view, view.pick) if view.pick is not None else ()
    actual = ", ".join(exact(lane.actual) for lane in lanes if lane.actual is not None)
    oracle = ", ".join(exact(lane.oracle) for lane in lanes if lane.oracle is not None)
    index = "  ".join(" ".join(map(str, lane.index)) for lane in lanes)
    texel = f"{view.pick[0]} {view.pick[1]}" if view.pick is not None else ""
    _entry(app, f"Copy the value  {actual}", "copy_value", on=bool(actual))
    _entry(app, f"Copy the oracle's value  {oracle}", "copy_oracle", on=bool(oracle))
    _entry(app, f"Copy the index  {index}", "copy_index", on=bool(index))
    _entry(app, f"Copy the texel  {texel}", "copy_texel", on=bool(texel))


def _entry(app: App, label: str, command: str, *, on: bool = True) -> None:
    if imgui.menu_item(label, with_keys(_KEYS.get(command, "")), False, on)[0]:
        app.send(command)
    app.mark(f"texel {command}")


_KEYS = {
    "copy_value": "Ctrl+C", "copy_oracle": "Alt+C", "copy_index": "Ctrl+Shift+C", "copy_texel": "Shift+C",
    "go_to_maker": "Shift+M", "trace_here": "Shift+T", "step_texel": "F10", "range_of_tile": "T",
    "range_in_sight": "V", "reset_range": "R", "next_odd": "X", "picture": "I",
}  # fmt: skip
