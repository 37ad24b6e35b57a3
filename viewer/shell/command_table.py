"""Every action by name, with title and shortcut: what menus, buttons, keys and the palette all do.

A command changes state between two frames; its arguments come from the panel that sent it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from imgui_bundle import imgui

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.roofline.peaks import PeakMeasurement
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.commands.bundle_actions import bundle_place, save_bundle
from texelscope.viewer.commands.capture_actions import close_capture, open_capture
from texelscope.viewer.commands.command import Action, Command, chord
from texelscope.viewer.commands.explaining import explaining_commands
from texelscope.viewer.commands.export_actions import export_layers, save_report, save_view, snapshot
from texelscope.viewer.commands.files import open_path
from texelscope.viewer.commands.folder_actions import save_folder
from texelscope.viewer.commands.injecting import inject
from texelscope.viewer.commands.input_actions import input_actions
from texelscope.viewer.commands.repairing import apply_repair, turn_trial
from texelscope.viewer.commands.running.choices import run_choices
from texelscope.viewer.commands.running.gradients import gradient_commands
from texelscope.viewer.commands.running.modes import observe, open_up, run_modes
from texelscope.viewer.commands.running.training import training_commands
from texelscope.viewer.commands.selecting import first_wrong, select, show_finding
from texelscope.viewer.commands.shader_edits import save_shader, try_shader
from texelscope.viewer.commands.stepping_commands import stepping_commands
from texelscope.viewer.commands.tap_actions import go_back, show_line, show_tensor, trace_taps
from texelscope.viewer.commands.view_commands import view_commands
from texelscope.viewer.leaving.leaving import go, leave, save_all, stay
from texelscope.viewer.looking.colour_commands import colour_commands
from texelscope.viewer.looking.texel_commands import texel_commands
from texelscope.viewer.shell.failures import Failures
from texelscope.viewer.shell.panel_commands import panel_commands
from texelscope.viewer.shell.tour import end as end_tour
from texelscope.viewer.shell.tour import go_to_step, open_buggy_example
from texelscope.viewer.shell.trust_question import trust_oracle


def run_queue(app: App, failures: Failures) -> bool:
    """Does all commands that were sent; True if there were any. One that fails says so in the log."""
    done = False
    while app.queue:
        name, arguments = app.queue.popleft()
        done = True
        try:
            COMMANDS[name].action(app, **arguments)
        except TexelscopeError as error:
            app.log.add(str(error), error=True)
        except Exception as error:  # noqa: BLE001 - the window tells it and goes on
            failures.tell(f"'{COMMANDS[name].title or name}'", error, each_time=True)
    return done


def in_menu() -> bool:
    """Whether a menu, or the list of a choice, is open."""
    return imgui.is_popup_open("", int(imgui.PopupFlags_.any_popup))


def poll_shortcuts(app: App) -> None:
    """Sends the commands whose keys were pressed. Call within a frame."""
    state = app.state
    typing = imgui.get_io().want_text_input or state.palette_open or state.goto_open or state.open_dialog
    typing = typing or app.leave is not None
    menu_is_open = in_menu()
    for command in COMMANDS.values():
        if command.chord == int(imgui.Key.escape) and (menu_is_open or state.tour is not None):
            continue  # closes that
        if command.chord and command.is_there(app) and not (typing and command.types):
            flags = imgui.InputFlags_.route_global | imgui.InputFlags_.repeat
            if imgui.shortcut(command.chord, int(flags)):
                app.send(command.name)


def _choose(app: App, name: str) -> None:
    """A click on a layer: its texture is to be seen, not only that of a locked tab; one inside of a form opens up."""
    select(app, name)
    app.state.wanted_view = 0
    open_up(app, name)


def _move_selection(by: int) -> Action:
    def action(app: App) -> None:
        names = app.layer_names()
        current = app.selected
        if current is not None:
            select(app, names[min(max(names.index(current) + by, 0), len(names) - 1)])

    return action


def _select_end(position: int) -> Action:
    def action(app: App) -> None:
        names = app.layer_names()
        if names:
            select(app, names[position])

    return action


def _step(forward: bool) -> Action:  # noqa: FBT001 - two commands from one body
    def action(app: App) -> None:
        document = app.document
        if forward:
            document.run.forward()
        else:
            document.run.back()
        if document.passes:
            index = min(
                max(document.run.position - (0 if document.run.is_under_way else 1), 0), len(document.passes) - 1
            )
            select(app, document.passes[index].name)

    return action


def _run_to(app: App, name: str | None = None) -> None:
    names = [each.name for each in app.document.passes]
    wanted = name or app.selected
    if wanted in names:
        app.document.run.up_to(names.index(wanted))


def _toggle_continuous(app: App) -> None:
    app.document.run.continuous = not app.document.run.continuous
    app.log.add(f"Continuous run {'on' if app.document.run.continuous else 'off'}.")


def _cancel(app: App) -> None:
    """The nearest thing that there is to leave: a tensor that is looked at, a problem, else what is under way."""
    if app.state.visit is not None:
        go_back(app)
        return
    if app.stepping.problem:  # read, and put away
        app.stepping.end()
        return
    idle = app.document.job is None and not app.document.run.is_under_way
    if idle and app.diagnoses.current is not None:
        app.diagnoses.cancel()
    elif idle and app.background.job is not None:
        app.background.cancel()
    else:
        app.document.cancel()


def _toggle(attribute: str) -> Action:
    def action(app: App) -> None:
        setattr(app.state, attribute, not getattr(app.state, attribute))

    return action


def _diagnose(app: App, name: str) -> None:
    """Evidence takes every tensor: a fused run is opened up first, and the pass looked into when that is compared."""
    if app.document.run.groups is not None:
        observe(app)
    app.diagnoses.ask(name)


def _diagnose_all(app: App) -> None:
    if app.document.run.groups is not None:
        observe(app)
    app.diagnoses.go_on()


def _open_demo(app: App) -> None:
    if app.demo is not None:
        leave(app, app.demo)


def _measure_device(app: App) -> None:
    session = app.document.session
    if session is not None:
        app.roofline.measure(PeakMeasurement(session.context))


def _show_help(name: str) -> Action:
    """Opens one of the windows of the Help menu in place of another, or closes it."""

    def action(app: App) -> None:
        app.state.help_shown = "" if app.state.help_shown == name else name

    return action


def _change_look(app: App) -> None:
    """From dark to light ground, or back."""
    settings = app.remembering.settings
    settings.look = "dark" if settings.look == "light" else "light"
    theme.show(settings.look)
    app.remembering.save()


def _running() -> tuple[Command, ...]:
    """Running, stepping and choosing a layer."""
    key = imgui.Key
    return (
        Command("run_all", lambda app: app.document.run.everything(), "Run all", "F5", chord(key.f5), False),
        Command("run_here", _run_to, "Run to the selected layer", "F6", chord(key.f6)),
        Command("reload", lambda app: app.document.reload(), "Read the files again", "F7", chord(key.f7)),
        Command("step_back", _step(forward=False), "Back one pass", "Alt+PageUp", chord(key.page_up, alt=True)),
        Command("step_forward", _step(forward=True), "Run one pass", "Alt+PageDown", chord(key.page_down, alt=True)),
        Command("continuous", _toggle_continuous, "Run continuously", "F8", chord(key.f8)),
        Command("cancel", _cancel, "Go back, or cancel what is under way", "Esc", chord(key.escape), False),
        Command("previous", _move_selection(-1), "Previous layer", "Ctrl+Left", chord(key.left_arrow, ctrl=True)),
        Command("next", _move_selection(1), "Next layer", "Ctrl+Right", chord(key.right_arrow, ctrl=True)),
        Command("first", _select_end(0), "First layer", "Home", chord(key.home)),
        Command("last", _select_end(-1), "Last layer", "End", chord(key.end)),
        Command("inject", inject, "Inject a value", "Ctrl+I", chord(key.i, ctrl=True)),
        Command(
            "diagnose_all", _diagnose_all, "Name the causes of all wrong layers", "Shift+D", chord(key.d, shift=True)
        ),
        Command("first_wrong", first_wrong, "Go to the first wrong layer and its finding", "F4", chord(key.f4)),
    )


def _whole() -> tuple[Command, ...]:
    """The small windows and the whole."""
    key = imgui.Key
    return (
        Command("chained", _toggle("chained"), "Compare end to end (chained)", "C", chord(key.c)),
        Command("palette", _toggle("palette_open"), "Command palette", "Ctrl+P", chord(key.p, ctrl=True)),
        Command("goto", _toggle("goto_open"), "Go to a texel or tensor index …", "Ctrl+G", chord(key.g, ctrl=True)),
        Command("open_dialog", _toggle("open_dialog"), "Open …", "Ctrl+O", chord(key.o, ctrl=True)),
        Command("open_capture_dialog", _toggle("open_dialog"), "Open a capture …", "Ctrl+Shift+O",
                chord(key.o, ctrl=True, shift=True)),
        Command("close_capture", close_capture, "Close the capture", "Ctrl+Shift+W",
                chord(key.w, ctrl=True, shift=True)),
        Command("open_demo", _open_demo, "Open the demo", "Ctrl+D", chord(key.d, ctrl=True)),
        Command("open_buggy_example", open_buggy_example, "Open the example with a bug", "Ctrl+B",
                chord(key.b, ctrl=True)),
        Command("look", _change_look, "Light theme", "Ctrl+Shift+T", chord(key.t, ctrl=True, shift=True)),
        *(
            Command(f"help_{name}", _show_help(name), title, keys, code)
            for name, title, keys, code in (
                ("keys", "List of keys", "Ctrl+F1", chord(key.f1, ctrl=True)),
                ("documentation", "Documentation", "Shift+F1", chord(key.f1, shift=True)),
                ("versions", "Versions", "Alt+F1", chord(key.f1, alt=True)),
            )
        ),
        Command("tour", go_to_step, "Take the tour", "F1", chord(key.f1)),
        Command("end_tour", end_tour),
        Command("quit", leave, "Quit", "Ctrl+Q", chord(key.q, ctrl=True)),
    )  # fmt: skip


def _from_panels() -> tuple[Command, ...]:
    """What panels send, most of it with arguments."""
    return (
        Command("select", _choose),
        Command("reopen", lambda app, **changes: app.document.reopen(**changes)),
        Command("follow", lambda app, op_type, convention: app.document.follow(op_type, convention)),
        Command("measure_device", _measure_device),
        Command("save_shader", save_shader),
        Command("try_shader", try_shader),
        Command("apply_repair", apply_repair),
        Command("turn_trial", turn_trial),
        Command("diagnose", _diagnose),
        Command("cancel_diagnosis", lambda app: app.diagnoses.cancel()),
        Command("trace_taps", trace_taps),
        Command("show_tensor", show_tensor),
        Command("go_back", go_back, "Go back to the texel that reads this", "Backspace", chord(imgui.Key.backspace)),
        Command("show_line", show_line),
        Command("show_finding", show_finding),
        Command("trust_oracle", trust_oracle),
        Command("snapshot", snapshot, "Snapshot of the selected layer", "Ctrl+E", chord(imgui.Key.e, ctrl=True)),
        Command("export_layers", export_layers),
        Command("save_view", save_view),
        Command("save_report", save_report),
        Command("cancel_export", lambda app: app.exports.cancel()),
        Command("open_path", open_path),
        Command("open_capture", open_capture),
        Command("open", leave),
        Command("leave_saving", save_all),
        Command("leave_anyway", go),
        Command("stay", stay),
        Command("keep_in_bundle", lambda app: save_bundle(app, path=bundle_place(app))),
        Command(
            "save_folder",
            save_folder,
            "Save as a folder of shaders",
            "Ctrl+Shift+F",
            chord(imgui.Key.f, ctrl=True, shift=True),
        ),
    )


COMMANDS: Mapping[str, Command] = MappingProxyType(
    {
        command.name: command
        for command in (
            *_running(),
            *run_modes(),
            *stepping_commands(),
            *explaining_commands(),
            *run_choices(),
            *training_commands(),
            *gradient_commands(),
            *input_actions(),
            *_whole(),
            *view_commands(),
            *colour_commands(),
            *texel_commands(),
            *panel_commands(),
            *_from_panels(),
        )
    }
)
