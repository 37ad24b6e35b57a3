"""Arranges the panels: layers left, texture in the middle, its shader right, the rest below.

A smaller window has layers and inspector in one place, and the shader below; a small one has just two places.
"""

from __future__ import annotations

from collections.abc import Collection, Container

from imgui_bundle import ImVec2, imgui

from texelscope.viewer.app import App
from texelscope.viewer.panel import Panel
from texelscope.viewer.state import Room, ViewState

# The shader has as much room as its texture: 25 lines or more in a window of 1000 pixels height.
LEFT_SHARE, RIGHT_SHARE, BOTTOM_SHARE, BOTTOM_LEFT_SHARE = 0.205, 0.5, 0.349, 0.52
# In a small window the list of layers takes a larger share, to stay legible: a multiple of the text's height, and
# the largest share.
LEFT_WIDTH, MOST_LEFT = 15.0, 0.29

# A new panel has its tab after this many frames: before, it cannot be brought to the front.
TAB_FRAMES = 4
# A dialog that closes in this many frames after a panel came hands the keyboard, and the front, to the newest panel.
_QUIET_FRAMES = 30


class FrontPanels:
    """Brings panels to the front of those that share a place, one after the other."""

    def __init__(self) -> None:
        self._waiting: dict[str, int] = {}
        self._tabs: dict[str, int] = {}
        self._quiet: dict[str, int] = {}  # the panels that came quietly, and for how many frames they stay behind
        # By place, the panel that was in front of it last, and the one in this frame.
        self._before: dict[int, str] = {}
        self._now: dict[int, str] = {}

    def bring(self, state: ViewState, there: Container[str]) -> None:
        """Brings the panels that `state` requests to the front, closed ones too.

        Call in a frame, before the panels are drawn; the panels `there` were drawn in the last one.
        """
        self._quiet = {title: left - 1 for title, left in self._quiet.items() if left > 1 and not _is_clicked()}
        for title in (*state.wanted_panels, *state.wanted_tabs):
            self._quiet.pop(title, None)
        for title in state.wanted_panels:
            state.shown_panels.pop(title, None)
            self._waiting[title] = max(self._waiting.get(title, 0), 1 if title in there else TAB_FRAMES)
        state.wanted_panels.clear()
        self._before.update(self._now)
        self._now = {}
        for title in state.wanted_tabs:
            self._tabs[title] = 1 if title in there else TAB_FRAMES
        state.wanted_tabs.clear()
        for title, left in list(self._tabs.items()):
            _put_in_front(title)
            self._tabs[title] = left - 1
            if left == 1:
                del self._tabs[title]
        for title, left in list(self._waiting.items()):
            imgui.set_window_focus(title)
            if left > 1:  # only one panel can have the keyboard: the next one waits
                self._waiting[title] = left - 1
                break
            del self._waiting[title]

    def frames_due(self) -> int:
        """Returns how many frames it needs at least; ask when the panels are drawn, which may have come with them."""
        return sum(self._waiting.values()) + max(self._tabs.values(), default=0)

    def note(self, title: str, *, is_visible: bool, comes: bool, quietly: bool) -> None:
        """Notes the panel whose window was just begun; one that `comes` `quietly` gives its place's front back.

        A new tab is in front of the others otherwise. It stays behind for some frames, unless somebody clicks.
        """
        place = imgui.get_window_dock_id()
        if comes and quietly and place in self._before:
            self._quiet[title] = _QUIET_FRAMES
        elif comes:
            self._before[place] = title
        if title in self._quiet and place in self._before:
            if comes or is_visible:
                self._tabs[self._before[place]] = TAB_FRAMES
        elif is_visible and not comes:
            self._now[place] = title


def _is_clicked() -> bool:
    return any(imgui.is_mouse_clicked(button) for button in range(imgui.MouseButton_.count))


# Below these sizes, at scale 1, there is room for two places only, or for all but the one at the right.
SMALL_WIDTH, SMALL_HEIGHT, SMALL_LEFT = 900.0, 480.0, 0.34
MIDDLE_WIDTH, MIDDLE_BOTTOM_SHARE = 1250.0, 0.27
# The first tabs are chosen this many frames after arranging.
_FRAMES_TO_DOCK = 2


class Docks:
    """Arranges panels for each size of window; the user's arrangement returns with the size.

    It also returns after the texture had most of the window.
    """

    def __init__(self) -> None:
        self._room: Room | None = None
        self._kept: dict[Room, str] = {}
        self._frames = 0
        self._texture_first = False

    def place(self, app: App, dockspace: int, size: ImVec2, panels: tuple[Panel, ...]) -> None:
        """Arranges the panels if the user requested it or the window's size class changed."""
        self._frames += 1
        if self._frames == _FRAMES_TO_DOCK:
            _put_all_in_front(panels)
        state = app.state
        before = self._room or state.room  # that of the arrangement that was restored
        self._room = state.room = room_of((size.x, size.y), app.scale)
        has_new_room = before is not None and before != self._room and not state.first_layout
        if before is not None and has_new_room:
            self._kept[before] = state.panels_before or imgui.save_ini_settings_to_memory()
            state.panels_before = ""
        is_first, self._texture_first = self._texture_first, state.texture_first
        if state.texture_first:
            if not is_first or has_new_room:
                known = self._kept.get(self._room, "") if has_new_room else imgui.save_ini_settings_to_memory()
                state.panels_before = "" if state.first_layout else known
                state.first_layout = False
                self._arrange(dockspace, size, panels, texture_first=True)
            return
        returning, state.panels_before = state.panels_before, ""
        if has_new_room:
            returning = self._kept.get(self._room, "")
        if returning and not state.first_layout:
            imgui.load_ini_settings_from_memory(returning)
        elif state.first_layout or has_new_room or is_first:
            state.first_layout = False
            self._arrange(dockspace, size, panels)

    def _arrange(self, dockspace: int, size: ImVec2, panels: tuple[Panel, ...], *, texture_first: bool = False) -> None:
        assert self._room is not None
        arrange(dockspace, size, panels, self._room, texture_first=texture_first)
        self._frames = 0


def room_of(size: tuple[float, float], scale: float) -> Room:
    """Returns the size class of a dock space of `size` in pixels: the texture's place is kept longest."""
    if size[0] < SMALL_WIDTH * scale or size[1] < SMALL_HEIGHT * scale:
        return "small"
    return "middle" if size[0] < MIDDLE_WIDTH * scale else "large"


def arrange(
    dockspace: int, size: ImVec2, panels: tuple[Panel, ...], room: Room = "large", *, texture_first: bool = False
) -> None:
    """Arranges the panels in the dock space, which has `size` in pixels.

    With `texture_first` all but those at the left stand behind the texture.
    """
    builder = imgui.internal
    builder.dock_builder_remove_node(dockspace)
    builder.dock_builder_add_node(dockspace, int(imgui.internal.DockNodeFlagsPrivate_.dock_space))
    builder.dock_builder_set_node_size(dockspace, size)
    if texture_first:
        places = _texture_places(dockspace, size, room)
    else:
        places = _small_places(dockspace) if room == "small" else _places(dockspace, size, room)
    for panel in panels:
        builder.dock_builder_dock_window(panel.title, places[panel.place])
    _share_alike(places["centre"])
    builder.dock_builder_finish(dockspace)


def _share_alike(centre: int) -> None:
    """Makes all places grow and shrink with the window; else only the central one would."""
    node = imgui.internal.dock_builder_get_node(centre)
    central = int(imgui.internal.DockNodeFlagsPrivate_.central_node)
    node.set_local_flags(node.local_flags & ~central)


def _small_places(dockspace: int) -> dict[str, int]:
    left, rest = _split(dockspace, imgui.Dir.left, SMALL_LEFT)
    return {"left": left, "bottom_left": left, "centre": rest, "right": rest, "bottom": rest}


def _texture_places(dockspace: int, size: ImVec2, room: Room) -> dict[str, int]:
    if room == "small":
        return dict.fromkeys(("left", "bottom_left", "centre", "right", "bottom"), dockspace)
    left, rest = _split(dockspace, imgui.Dir.left, _left_share(size))
    bottom_left, left = _split(left, imgui.Dir.down, BOTTOM_LEFT_SHARE) if room == "large" else (left, left)
    return {"left": left, "bottom_left": bottom_left, "centre": rest, "right": rest, "bottom": rest}


def _left_share(size: ImVec2) -> float:
    return min(max(LEFT_SHARE, LEFT_WIDTH * imgui.get_font_size() / max(size.x, 1.0)), MOST_LEFT)


def _places(dockspace: int, size: ImVec2, room: Room) -> dict[str, int]:
    left, rest = _split(dockspace, imgui.Dir.left, _left_share(size))
    if room == "middle":
        below, centre = _split(rest, imgui.Dir.down, MIDDLE_BOTTOM_SHARE)
        right, bottom = _split(below, imgui.Dir.left, 0.5)
        return {"left": left, "bottom_left": left, "centre": centre, "right": right, "bottom": bottom}
    below, above = _split(rest, imgui.Dir.down, BOTTOM_SHARE)
    right, centre = _split(above, imgui.Dir.right, RIGHT_SHARE)
    bottom_left, left = _split(left, imgui.Dir.down, BOTTOM_LEFT_SHARE)
    return {"left": left, "bottom_left": bottom_left, "centre": centre, "right": right, "bottom": below}


def _put_all_in_front(panels: tuple[Panel, ...]) -> None:
    """Selects the front tabs, once imgui has created them. Where a small window has one place for all, the centre's."""
    in_front = (panel for panel in panels if panel.in_front)
    last = ""
    for panel in sorted(in_front, key=lambda panel: panel.place == "centre"):
        _put_in_front(panel.title)
        last = panel.title
    if last:  # if no panel had the keyboard, the first menu would hand it to the newest when it closes
        imgui.set_window_focus(last)


def _put_in_front(title: str) -> None:
    """Selects the tab of a panel, which does not get the keyboard by that."""
    window = imgui.internal.find_window_by_name(title)
    node = getattr(window, "dock_node", None)  # a floating window has none
    bar = getattr(node, "tab_bar", None)
    if bar is not None:
        bar.next_selected_tab_id = window.tab_id


def first_flags(docked: Collection[str], *, quietly: bool) -> int:
    """Returns a panel's flags, where those `docked` were drawn in the last frame; one may come `quietly`.

    Panels that appear together at the start do not take the keyboard, nor the front of their place, from each other.
    """
    keeps_off = quietly or not docked
    return int(imgui.WindowFlags_.no_focus_on_appearing if keeps_off else imgui.WindowFlags_.none)


def stands_in(dockspace: int) -> bool:
    """Returns whether the present window is docked there and does not float, alone or with others."""
    if not imgui.is_window_docked():
        return False
    node = imgui.internal.dock_builder_get_node(imgui.get_window_dock_id())
    return bool(imgui.internal.dock_node_get_root_node(node).id_ == dockspace)


def _split(node: int, side: imgui.Dir, share: float) -> tuple[int, int]:
    """Returns the identifiers of the part at `side`, which gets `share` of the node, and of the rest."""
    parts = imgui.internal.dock_builder_split_node_py(node, side, share)
    return parts[1], parts[2]
