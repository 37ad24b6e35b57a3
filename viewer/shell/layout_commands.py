"""Implements kept layouts of the panels: a submenu of View that names, restores and forgets them."""

from __future__ import annotations

from imgui_bundle import imgui

from texelscope.viewer.app import App
from texelscope.viewer.command import Command
from texelscope.viewer.memory.settings import LONGEST_NAME, MOST_LAYOUTS, KeptLayout
from texelscope.viewer.widgets.controls import as_label

_NAME_WIDTH = 180.0


def layout_menu(app: App) -> None:
    """Draws the submenu: a name to keep the present layout under, and the kept ones."""
    is_open = imgui.begin_menu("Layouts of panels")
    app.mark("menu layouts")
    if not is_open:
        return
    kept = app.remembering.settings.layouts
    imgui.set_next_item_width(_NAME_WIDTH * app.scale)
    flags = int(imgui.InputTextFlags_.enter_returns_true)
    entered, name = imgui.input_text_with_hint("##layout name", "Name", app.state.layout_name, flags)
    app.state.layout_name = name[:LONGEST_NAME]
    app.mark("layout name")
    imgui.same_line()
    if imgui.button("Keep this layout") or entered:
        app.send("keep_layout", name=app.state.layout_name)
        app.state.layout_name = ""
    app.mark("keep layout")
    if kept:
        imgui.separator()
    for name in kept:
        if imgui.menu_item(as_label(name), "", False)[0]:
            app.send("use_layout", name=name)
        app.mark(f"kept layout {name}")
    if kept and imgui.begin_menu("Forget"):
        for name in kept:
            if imgui.menu_item(f"{as_label(name)}##forget", "", False)[0]:
                app.send("forget_layout", name=name)
            app.mark(f"forget layout {name}")
        imgui.end_menu()
    imgui.end_menu()


def keep_layout(app: App, name: str = "") -> None:
    """Keeps the present layout under a name, in place of one of that name; without a name it gets a number."""
    settings = app.remembering.settings
    name = name.strip()[:LONGEST_NAME]
    free = (f"Layout {number}" for number in range(1, MOST_LAYOUTS + 2))
    name = name or next(each for each in free if each not in settings.layouts)
    if name not in settings.layouts and len(settings.layouts) >= MOST_LAYOUTS:
        app.log.add(
            f"{MOST_LAYOUTS} layouts of panels are kept: forget one of them (View) to keep another.", warning=True
        )
        return
    hidden = [title for title, shown in app.state.shown_panels.items() if not shown]
    settings.layouts[name] = KeptLayout(imgui.save_ini_settings_to_memory(), hidden)
    app.remembering.save()
    app.log.add(f"Kept this layout of the panels as '{as_label(name)}'.")


def use_layout(app: App, name: str) -> None:
    """Arranges the panels as they were when the layout was kept."""
    found = app.remembering.settings.layouts.get(name)
    if found is None:
        return
    app.state.shown_panels = dict.fromkeys(found.hidden, False)
    app.state.texture_first, app.state.panels_before = False, found.layout


def forget_layout(app: App, name: str) -> None:
    """Removes a kept layout; the panels stay where they are."""
    app.remembering.settings.layouts.pop(name, None)
    app.remembering.save()


def _next(app: App) -> None:
    """Goes to the kept layout after the one that was used last."""
    names = list(app.remembering.settings.layouts)
    if not names:
        app.log.add("No layout of panels is kept: View, Layouts of panels, keeps this one.")
        return
    last = app.state.layout_used
    app.state.layout_used = names[(names.index(last) + 1) % len(names)] if last in names else names[0]
    use_layout(app, app.state.layout_used)


COMMANDS = (
    Command("keep_layout", keep_layout, "Keep this layout of the panels"),
    Command("next_kept_layout", _next, "Next kept layout of the panels"),
    Command("use_layout", use_layout),
    Command("forget_layout", forget_layout),
)
