"""Draws the row above the graph: the search, and what shows more of the graph or folds it."""

from __future__ import annotations

from dataclasses import dataclass

from imgui_bundle import imgui

from texelscope.viewer.app import App
from texelscope.viewer.graph.model.scopes import LayerScopes
from texelscope.viewer.graph.model.search import GraphSearch, next_of

_SEARCH_WIDTH = 200.0


@dataclass(frozen=True)
class Asked:
    """What the row asks for: to `go_to` a layer, or to show as much as can be read (`fits`) or everything."""

    go_to: str = ""
    fits: bool = False
    shows_all: bool = False


class ToolRow:
    """The row, with the words that are sought."""

    def __init__(self) -> None:
        self.sought = ""

    def draw(self, app: App, search: GraphSearch, scopes: LayerScopes) -> Asked:
        """Draws the row; returns what it asks for."""
        imgui.set_next_item_width(_SEARCH_WIDTH * app.scale)
        flags = int(imgui.InputTextFlags_.enter_returns_true)
        entered, self.sought = imgui.input_text_with_hint("##sought", "Find in the graph", self.sought, flags)
        app.mark("graph search")
        imgui.set_item_tooltip(
            "A name, an operator, an attribute or a shape; Enter goes to the next, Shift+Enter to the one before"
        )
        found, go_to = search.found(self.sought), ""
        if entered:
            imgui.set_keyboard_focus_here(-1)
            go_to = next_of(found, app.selected, -1 if imgui.get_io().key_shift else 1) if found else ""
        fits = _button(app, "Fit", "As much as can be read (F)")
        shows_all = _button(app, "All", "The whole graph, however small")
        _folding(app, scopes)
        if self.sought:
            imgui.same_line()
            imgui.text_disabled(f"{len(found)} found" if found else "Nothing found")
            app.mark(f"graph found {len(found)}")
        return Asked(go_to, fits, shows_all)


def _button(app: App, label: str, tip: str) -> bool:
    imgui.same_line()
    pressed = imgui.button(label)
    app.mark(f"graph {label.lower()}")
    imgui.set_item_tooltip(tip)
    return bool(pressed)


def _folding(app: App, scopes: LayerScopes) -> None:
    """Draws the button that lists to what depth the graph can be folded."""
    imgui.begin_disabled(not scopes.depth)
    if _button(app, "Fold", "Draw one box for all layers whose names begin alike, such as encoder/block1"):
        imgui.open_popup("folding")
    imgui.end_disabled()
    if not imgui.begin_popup("folding"):
        return
    for depth in range(1, scopes.depth + 2):
        title = "Fold all" if depth == 1 else "Unfold all" if depth > scopes.depth else f"Fold to depth {depth}"
        keys = "Shift+Z" if depth == 1 else "Alt+Z" if depth > scopes.depth else ""
        if imgui.menu_item(f"{title}  ({scopes.count_at(depth)} boxes)", keys, False)[0]:
            app.send("fold_to", depth=depth)
        app.mark(f"graph depth {depth}")
    imgui.separator()
    if imgui.menu_item("Unfold or fold around the selected layer", "Z", False)[0]:
        app.send("fold")
    app.mark("graph fold here")
    imgui.end_popup()
