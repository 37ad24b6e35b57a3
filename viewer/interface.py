"""Draws one frame of the window: menus and tools, the docked panels, and the windows above them."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.document.log import Failures
from texelscope.viewer.help.windows import HelpWindows
from texelscope.viewer.leaving.commands import draw_question
from texelscope.viewer.leaving.recovery_commands import draw_offer
from texelscope.viewer.panel import Panel, all_panels, present
from texelscope.viewer.shell import tour
from texelscope.viewer.shell.command_table import poll_shortcuts
from texelscope.viewer.shell.commands import draw_trust_question
from texelscope.viewer.shell.dialogs import Dialogs
from texelscope.viewer.shell.dockspace import Docks, FrontPanels, first_flags, stands_in
from texelscope.viewer.shell.notice import Notice
from texelscope.viewer.shell.toolbar import menu_bar, tool_bar


class WindowInterface:
    """Holds what stays from one frame of the interface to the next. Failing panels are reported to `failures`."""

    def __init__(self, failures: Failures) -> None:
        self._failures = failures
        self._dialogs = Dialogs()
        self._help = HelpWindows()
        self._notice = Notice()
        self._docks, self._front = Docks(), FrontPanels()
        self._docked: dict[str, bool] = {}

    def seconds_left(self) -> float:
        """Returns how long the window may sleep before the notice that is shown goes; infinity without one."""
        return self._notice.seconds_left()

    def draw(self, app: App) -> int:
        """Draws one frame of everything; returns how many further frames are due at least."""
        menu_bar(app)
        viewport = imgui.get_main_viewport()
        top, size = viewport.work_pos, viewport.work_size
        bar_height = imgui.get_frame_height() + 14 * app.scale
        flags = imgui.WindowFlags_
        still = flags.no_decoration | flags.no_docking | flags.no_move | flags.no_saved_settings
        fixed = int(still | flags.no_bring_to_front_on_focus | flags.no_nav_focus)
        imgui.set_next_window_pos(top)
        imgui.set_next_window_size(ImVec2(size.x, bar_height))
        imgui.push_style_var(int(imgui.StyleVar_.window_padding), ImVec2(10 * app.scale, 7 * app.scale))
        imgui.begin("tools", None, fixed | int(flags.no_background))
        tool_bar(app)
        imgui.end()
        imgui.pop_style_var()
        imgui.set_next_window_pos(ImVec2(top.x, top.y + bar_height))
        room = ImVec2(size.x, size.y - bar_height)
        imgui.set_next_window_size(room)
        imgui.push_style_var(int(imgui.StyleVar_.window_padding), ImVec2(0, 0))
        imgui.begin("docks", None, fixed | int(flags.no_background))
        imgui.pop_style_var()
        dockspace = imgui.get_id("dockspace")
        self._docks.place(app, dockspace, room, all_panels())
        imgui.dock_space(dockspace, ImVec2(0, 0))
        imgui.end()
        docked, self._docked = self._docked, {}
        self._front.bring(app.state, docked)
        for panel in present(app):
            if docked.get(panel.title, True):
                # The cleared frame has a panel's colour: filling it again is half of a software driver's work.
                imgui.set_next_window_bg_alpha(0.0)
            comes, quietly = bool(docked) and panel.title not in docked, panel.comes_quietly(app)
            visible, stays = imgui.begin(panel.title, True, first_flags(docked, quietly=comes and quietly))
            app.mark(f"panel {panel.title}")
            self._front.note(panel.title, is_visible=visible, comes=comes, quietly=quietly)
            self._docked[panel.title] = stands_in(dockspace)
            if visible:
                corner, inside = imgui.get_window_pos(), imgui.get_window_size()
                app.display.places[f"inside {panel.title}"] = (corner.x, corner.y, inside.x, inside.y)
                self._draw_panel(app, panel)
            imgui.end()
            if not stays:
                app.state.shown_panels[panel.title] = False
        self._dialogs.draw(app)
        self._help.draw(app)
        draw_trust_question(app)
        if app.saving.leave is None:
            tour.draw(app)
            self._notice.draw(app)
        draw_question(app)
        draw_offer(app)
        poll_shortcuts(app)
        return self._front.frames_due()

    def _draw_panel(self, app: App, panel: Panel) -> None:
        """Draws a panel; a failing one is reported in its place and in the log, and the window goes on."""
        state = imgui.internal.ErrorRecoveryState()
        imgui.internal.error_recovery_store_state(state)
        try:
            panel.draw(app)
        except Exception as error:  # noqa: BLE001 - the window reports it and goes on
            imgui.internal.error_recovery_try_to_recover_state(state)
            line = self._failures.report(f"panel '{panel.title}'", error)
            imgui.push_text_wrap_pos(0.0)
            imgui.text_colored(theme.BAD, line)
            imgui.pop_text_wrap_pos()
