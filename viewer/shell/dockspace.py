"""Where panels stand at first: layers left, texture in the middle, inspector right, the rest below."""

from __future__ import annotations

from collections.abc import Container

from imgui_bundle import ImVec2, imgui

from viewer.panels.registry import Panel
from viewer.state import ViewState

LEFT_SHARE, RIGHT_SHARE, BOTTOM_SHARE = 0.205, 0.24, 0.27
# In a small window the list of layers takes more of it, to stay legible: so many times the text's height, this share.
LEFT_WIDTH, MOST_LEFT = 15.0, 0.29

# A panel that has just come has its tab after so many frames: before, it cannot be brought to the front.
TAB_FRAMES = 4


class Front:
    """Brings panels to the front of those that stand in the same place, one after the other."""

    def __init__(self) -> None:
        self._waiting: dict[str, int] = {}

    def bring(self, state: ViewState, there: Container[str]) -> int:
        """Those that `state` wants, closed ones too; how many frames more that takes.

        Call in a frame, before the panels are drawn; those `there` were drawn in the last one.
        """
        for title in state.wanted_panels:
            state.shown_panels.pop(title, None)
            self._waiting[title] = 1 if title in there else TAB_FRAMES
        state.wanted_panels.clear()
        for title, left in list(self._waiting.items()):
            imgui.set_window_focus(title)
            if left > 1:  # the keyboard is one panel's: the next one waits
                self._waiting[title] = left - 1
                break
            del self._waiting[title]
        return sum(self._waiting.values())


def arrange(dockspace: int, size: ImVec2, panels: tuple[Panel, ...]) -> None:
    """Lays the panels out anew in the dock space, which has `size` in pixels."""
    builder = imgui.internal
    builder.dock_builder_remove_node(dockspace)
    builder.dock_builder_add_node(dockspace, int(imgui.internal.DockNodeFlagsPrivate_.dock_space))
    builder.dock_builder_set_node_size(dockspace, size)
    below, above = _split(dockspace, imgui.Dir.down, BOTTOM_SHARE)
    share = min(max(LEFT_SHARE, LEFT_WIDTH * imgui.get_font_size() / max(size.x, 1.0)), MOST_LEFT)
    left, rest = _split(above, imgui.Dir.left, share)
    right, centre = _split(rest, imgui.Dir.right, RIGHT_SHARE / (1 - share))
    taken = {panel.place for panel in panels}
    places = {"left": left, "right": right, "centre": centre, "bottom": below}
    if "bottom_left" in taken:
        places["bottom_left"], places["bottom"] = _split(below, imgui.Dir.left, 0.5)
    for panel in panels:
        builder.dock_builder_dock_window(panel.title, places[panel.place])
    builder.dock_builder_finish(dockspace)


def stands_in(dockspace: int) -> bool:
    """Whether the present window is docked there, and does not float, alone or with others."""
    if not imgui.is_window_docked():
        return False
    node = imgui.internal.dock_builder_get_node(imgui.get_window_dock_id())
    return bool(imgui.internal.dock_node_get_root_node(node).id_ == dockspace)


def _split(node: int, side: imgui.Dir, share: float) -> tuple[int, int]:
    """The identifiers of the part at `side`, which gets `share` of the node, and of the rest."""
    parts = imgui.internal.dock_builder_split_node_py(node, side, share)
    return parts[1], parts[2]
