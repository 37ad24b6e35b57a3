"""Every action by name, with title and shortcut: what menus, buttons, keys and the palette all do.

A command changes state between two frames; its arguments come from the panel that sent it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from imgui_bundle import imgui

from layouts import LayoutError
from pipeline.errors import TexelscopeError
from viewer.app import App
from viewer.bundle_actions import save_bundle
from viewer.export_actions import export_layers, save_page, save_report, save_view, snapshot
from viewer.files import open_path
from viewer.finding_actions import show_finding
from viewer.injecting import inject
from viewer.shader_edits import save_shader, try_shader
from viewer.state import Mode, View
from viewer.tap_actions import show_line, show_tensor, trace_taps
from viewer.tour import end as end_tour
from viewer.tour import go_to_step, open_buggy_example
from viewer.trust_question import trust_oracle

_logger = logging.getLogger("texelscope.window")

Action = Callable[..., None]


@dataclass(frozen=True)
class Command:
    """`title` is empty for a command that only panels send, since it needs arguments."""

    name: str
    action: Action
    title: str = ""
    keys: str = ""
    chord: int = 0


def run_queue(app: App) -> bool:
    """Does all commands that were sent; True if there were any. One that fails says so in the log."""
    done = False
    while app.queue:
        name, arguments = app.queue.popleft()
        done = True
        try:
            COMMANDS[name].action(app, **arguments)
        except (TexelscopeError, LayoutError) as error:
            app.log.add(str(error), error=True)
        except Exception as error:
            app.log.add(f"'{COMMANDS[name].title or name}' failed: {type(error).__name__}: {error}", error=True)
            _logger.exception("command %s", name)
    return done


def poll_shortcuts(app: App) -> None:
    """Sends the commands whose keys were pressed. Call within a frame."""
    state = app.state
    typing = imgui.get_io().want_text_input or state.palette_open or state.goto_open or state.open_dialog
    in_menu = imgui.is_popup_open("", int(imgui.PopupFlags_.any_popup))
    for command in COMMANDS.values():
        if command.chord == int(imgui.Key.escape) and (in_menu or state.tour is not None):
            continue  # closes that
        if command.chord and not (typing and not command.chord & int(imgui.Key.mod_ctrl)):
            flags = imgui.InputFlags_.route_global | imgui.InputFlags_.repeat
            if imgui.shortcut(command.chord, int(flags)):
                app.send(command.name)


def _select(app: App, name: str) -> None:
    app.state.selected = name
    app.state.views[0].pick = None


def _choose(app: App, name: str) -> None:
    """A click on a layer: its texture is to be seen, not only that of a locked tab."""
    _select(app, name)
    app.state.wanted_view = 0


def _move_selection(by: int) -> Action:
    def action(app: App) -> None:
        names = app.layer_names()
        current = app.selected
        if current is not None:
            _select(app, names[min(max(names.index(current) + by, 0), len(names) - 1)])

    return action


def _select_end(position: int) -> Action:
    def action(app: App) -> None:
        names = app.layer_names()
        if names:
            _select(app, names[position])

    return action


def _step(forward: bool) -> Action:  # noqa: FBT001 - two commands from one body
    def action(app: App) -> None:
        document = app.document
        if forward:
            document.step_forward()
        else:
            document.step_back()
        if document.passes:
            index = min(max(document.position - (0 if document.running else 1), 0), len(document.passes) - 1)
            _select(app, document.passes[index].name)

    return action


def _run_to(app: App, name: str | None = None) -> None:
    names = [each.name for each in app.document.passes]
    wanted = name or app.selected
    if wanted in names:
        app.document.run_to(names.index(wanted))


def _toggle_continuous(app: App) -> None:
    app.document.continuous = not app.document.continuous
    app.log.add(f"Continuous run {'on' if app.document.continuous else 'off'}.")


def _cancel(app: App) -> None:
    idle = app.document.job is None and not app.document.running
    if idle and app.diagnoses.current is not None:
        app.diagnoses.cancel()
    elif idle and app.background.job is not None:
        app.background.cancel()
    else:
        app.document.cancel()


def _set_mode(app: App, mode: Mode) -> None:
    app.state.view.mode = mode


def _fit(app: App) -> None:
    app.state.view.fitted = None


def _one_to_one(app: App) -> None:
    app.state.view.zoom = 1.0


def _zoom(factor: float) -> Action:
    def action(app: App) -> None:
        view = app.state.view
        view.zoom_at(factor, view.centre)

    return action


def _move_pick(dx: int, dy: int) -> Action:
    def action(app: App) -> None:
        view = app.state.view
        stored = app.document.stored(view.locked or app.selected or "")
        if stored is None:
            return
        height, width = stored.texture_shape
        x, y = view.pick or (0, 0)
        view.pick = (min(max(x + dx, 0), width - 1), min(max(y + dy, 0), height - 1)) if view.pick else (x, y)

    return action


def _go_to(app: App, tx: int, ty: int) -> None:
    view = app.state.view
    view.pick = (tx, ty)
    view.centre = (tx + 0.5, ty + 0.5)
    view.zoom = max(view.zoom, 16.0)


def _lock_view(app: App, name: str | None = None) -> None:
    """A tab that keeps showing a layer, the selected one by default; the one that is there, if there is one."""
    name = name or app.selected
    if name is None:
        return
    locked = [view.locked for view in app.state.views]
    if name not in locked:
        app.state.views.append(View(locked=name))
    app.state.wanted_view = locked.index(name) if name in locked else len(locked)
    app.state.wanted_panels.append("Texture")


def _close_view(app: App, index: int | None = None) -> None:
    """Closes a locked tab, the active one by default; the one that follows stays."""
    index = app.state.active_view if index is None else index
    if 0 < index < len(app.state.views):
        app.state.views.pop(index)
        app.state.active_view = app.state.wanted_view = 0


def _next_view(app: App) -> None:
    app.state.active_view = app.state.wanted_view = (app.state.active_view + 1) % len(app.state.views)


def _first_wrong(app: App) -> None:
    comparison = app.document.comparison
    if comparison is not None and comparison.report.culprit:
        _select(app, comparison.report.culprit)


def _reset_range(app: App) -> None:
    app.state.view.range.follows = True


def _toggle(attribute: str) -> Action:
    def action(app: App) -> None:
        setattr(app.state, attribute, not getattr(app.state, attribute))

    return action


def _toggle_view(attribute: str) -> Action:
    def action(app: App) -> None:
        setattr(app.state.view, attribute, not getattr(app.state.view, attribute))

    return action


def _open_demo(app: App) -> None:
    if app.demo is not None:
        app.document.open(app.demo)


def _quit(app: App) -> None:
    app.closing = True


def _chord(key: imgui.Key, *, ctrl: bool = False, shift: bool = False) -> int:
    return int(key) | (int(imgui.Key.mod_ctrl) if ctrl else 0) | (int(imgui.Key.mod_shift) if shift else 0)


def _both(key: imgui.Key) -> int:
    return _chord(key, ctrl=True, shift=True)


def _running() -> tuple[Command, ...]:
    """Running, stepping and choosing a layer."""
    key = imgui.Key
    return (
        Command("run_all", lambda app: app.document.run_all(), "Run all", "F5", _chord(key.f5)),
        Command("run_here", _run_to, "Run to the selected layer", "F6", _chord(key.f6)),
        Command("reload", lambda app: app.document.reload(), "Read the files again", "F7", _chord(key.f7)),
        Command("step_back", _step(forward=False), "Step back", "F9", _chord(key.f9)),
        Command("step_forward", _step(forward=True), "Step forward", "F10", _chord(key.f10)),
        Command("continuous", _toggle_continuous, "Run continuously", "F8", _chord(key.f8)),
        Command("cancel", _cancel, "Cancel what is under way", "Esc", _chord(key.escape)),
        Command("previous", _move_selection(-1), "Previous layer", "Ctrl+Left", _chord(key.left_arrow, ctrl=True)),
        Command("next", _move_selection(1), "Next layer", "Ctrl+Right", _chord(key.right_arrow, ctrl=True)),
        Command("first", _select_end(0), "First layer", "Home", _chord(key.home)),
        Command("last", _select_end(-1), "Last layer", "End", _chord(key.end)),
        Command("inject", inject, "Inject the oracle's value", "Ctrl+I", _chord(key.i, ctrl=True)),
        Command("first_wrong", _first_wrong, "Go to the first wrong layer", "F4", _chord(key.f4)),
    )


def _modes() -> tuple[Command, ...]:
    """What a texture tab shows."""
    key = imgui.Key
    modes = ((Mode.ACTUAL, "actual", key._1), (Mode.ORACLE, "oracle", key._2), (Mode.DIFFERENCE, "difference", key._3),
             (Mode.RATIO, "error over its bound", key._4), (Mode.SPLIT, "split view", key._5),
             (Mode.FLICKER, "flicker", key._6))  # fmt: skip
    return tuple(
        Command(
            f"mode_{mode.name.lower()}",
            lambda app, mode=mode: _set_mode(app, mode),
            f"Show {label}",
            str(i + 1),
            _chord(k),
        )
        for i, (mode, label, k) in enumerate(modes)
    )


def _viewing() -> tuple[Command, ...]:
    """The view, the small windows and the whole."""
    key = imgui.Key
    return (
        Command("fit", _fit, "Fit the texture", "F", _chord(key.f)),
        Command("one_to_one", _one_to_one, "One pixel a texel", "Ctrl+1", _chord(key._1, ctrl=True)),
        Command("zoom_in", _zoom(2.0), "Zoom in", "=", _chord(key.equal)),
        Command("zoom_out", _zoom(0.5), "Zoom out", "-", _chord(key.minus)),
        Command("goto", _toggle("goto_open"), "Go to a texel or tensor index …", "Ctrl+G", _chord(key.g, ctrl=True)),
        Command("pick_left", _move_pick(-1, 0), "Pick the texel to the left", "Left", _chord(key.left_arrow)),
        Command("pick_right", _move_pick(1, 0), "Pick the texel to the right", "Right", _chord(key.right_arrow)),
        Command("pick_up", _move_pick(0, -1), "Pick the texel above", "Up", _chord(key.up_arrow)),
        Command("pick_down", _move_pick(0, 1), "Pick the texel below", "Down", _chord(key.down_arrow)),
        Command("grid", _toggle_view("grid"), "Tile grid", "G", _chord(key.g)),
        Command("labels", _toggle_view("labels"), "Tile labels", "L", _chord(key.l)),
        Command("negative", _toggle_view("mark_negative"), "Mark negative values blue", "N", _chord(key.n)),
        Command("reset_range", _reset_range, "Fit the value range to the data", "R", _chord(key.r)),
        Command("lock", _lock_view, "New tab locked to this layer", "Ctrl+T", _chord(key.t, ctrl=True)),
        Command("close_view", _close_view, "Close this locked tab", "Ctrl+W", _chord(key.w, ctrl=True)),
        Command("next_view", _next_view, "Next tab", "Ctrl+PageDown", _chord(key.page_down, ctrl=True)),
        Command("side_by_side", _toggle("side_by_side"), "Tabs side by side", "S", _chord(key.s)),
        Command("linked", _toggle("linked"), "Link views side by side", "K", _chord(key.k)),
        Command("chained", _toggle("chained"), "Compare end to end (chained)", "C", _chord(key.c)),
        Command("palette", _toggle("palette_open"), "Command palette", "Ctrl+P", _chord(key.p, ctrl=True)),
        Command("open_dialog", _toggle("open_dialog"), "Open …", "Ctrl+O", _chord(key.o, ctrl=True)),
        Command("tour", go_to_step, "Take the tour", "F1", _chord(key.f1)),
        Command("end_tour", end_tour),
        Command("open_buggy_example", open_buggy_example, "Open the example with a bug"),
        Command("quit", _quit, "Quit", "Ctrl+Q", _chord(key.q, ctrl=True)),
    )


def _from_panels() -> tuple[Command, ...]:
    """What panels send, most of it with arguments."""
    return (
        Command("select", _choose),
        Command("go_to", _go_to),
        Command("set_mode", _set_mode),
        Command("reopen", lambda app, **changes: app.document.reopen(**changes)),
        Command("follow", lambda app, op_type, convention: app.document.follow(op_type, convention)),
        Command("set_input", lambda app, name, source: app.document.set_input(name, source)),
        Command("play", lambda app, name, folder: app.playback.start(name, Path(folder).expanduser())),
        Command("stop_playing", lambda app: app.playback.stop(), "Stop playing a folder"),
        Command("save_shader", save_shader),
        Command("try_shader", try_shader),
        Command("diagnose", lambda app, name: app.diagnoses.ask(name)),
        Command("cancel_diagnosis", lambda app: app.diagnoses.cancel()),
        Command("trace_taps", trace_taps),
        Command("show_tensor", show_tensor),
        Command("show_line", show_line),
        Command("show_finding", show_finding),
        Command("trust_oracle", trust_oracle),
        Command("snapshot", snapshot, "Snapshot of the selected layer", "Ctrl+E", _chord(imgui.Key.e, ctrl=True)),
        Command("export_layers", export_layers),
        Command("save_view", save_view),
        Command("save_report", save_report),
        Command("save_page", save_page, "Save the report as a page", "Ctrl+Shift+R", _both(imgui.Key.r)),
        Command("save_bundle", save_bundle, "Save a bundle, to reopen this state", "Ctrl+Shift+S", _both(imgui.Key.s)),
        Command("cancel_export", lambda app: app.exports.cancel()),
        Command("open_demo", _open_demo, "Open the demo"),
        Command("open_path", open_path),
        Command("open", lambda app, target: app.document.open(target)),
    )


COMMANDS: Mapping[str, Command] = MappingProxyType(
    {command.name: command for command in (*_running(), *_modes(), *_viewing(), *_from_panels())}
)
