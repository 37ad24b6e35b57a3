"""Where panels stand at first: layers left, texture in the middle, its shader right, the rest below."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from viewer.panels.registry import Panel

# The shader has as much room as its texture: 25 lines and more where the window is 1000 pixels high.
LEFT_SHARE, RIGHT_SHARE, BOTTOM_SHARE, BOTTOM_LEFT_SHARE = 0.205, 0.5, 0.34, 0.56
# In a small window the list of layers takes more of it, to stay legible: so many times the text's height, this share.
LEFT_WIDTH, MOST_LEFT = 15.0, 0.29


def arrange(dockspace: int, size: ImVec2, panels: tuple[Panel, ...]) -> None:
    """Lays the panels out anew in the dock space, which has `size` in pixels."""
    builder = imgui.internal
    builder.dock_builder_remove_node(dockspace)
    builder.dock_builder_add_node(dockspace, int(imgui.internal.DockNodeFlagsPrivate_.dock_space))
    builder.dock_builder_set_node_size(dockspace, size)
    share = min(max(LEFT_SHARE, LEFT_WIDTH * imgui.get_font_size() / max(size.x, 1.0)), MOST_LEFT)
    left, rest = _split(dockspace, imgui.Dir.left, share)
    below, above = _split(rest, imgui.Dir.down, BOTTOM_SHARE)
    right, centre = _split(above, imgui.Dir.right, RIGHT_SHARE)
    places = {"left": left, "right": right, "centre": centre, "bottom": below}
    if any(panel.place == "bottom_left" for panel in panels):
        places["bottom_left"], places["left"] = _split(left, imgui.Dir.down, BOTTOM_LEFT_SHARE)
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
