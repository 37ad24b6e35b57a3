"""Implements the commands of dialogs, themes, help and the tour, and the one that goes back or cancels."""

from __future__ import annotations

from imgui_bundle import imgui

from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.command import Action, Command, chord, toggle
from texelscope.viewer.leaving.commands import leave
from texelscope.viewer.reads.commands import go_back
from texelscope.viewer.shell.files import open_path
from texelscope.viewer.shell.tour import end as end_tour
from texelscope.viewer.shell.tour import go_to_step, open_buggy_example
from texelscope.viewer.shell.trust_question import trust_oracle


def _commands() -> tuple[Command, ...]:
    key = imgui.Key
    return (
        Command("cancel", _cancel, "Go back, or cancel the present work", "Esc", chord(key.escape), False),
        Command("palette", toggle("palette_open"), "Command palette", "Ctrl+P", chord(key.p, ctrl=True)),
        Command("goto", toggle("goto_open"), "Go to a texel or tensor index …", "Ctrl+G", chord(key.g, ctrl=True)),
        Command("open_dialog", toggle("open_dialog"), "Open …", "Ctrl+O", chord(key.o, ctrl=True)),
        Command("open_path", open_path),
        Command("open_demo", _open_demo, "Open the demo", "Ctrl+D", chord(key.d, ctrl=True)),
        Command("open_buggy_example", open_buggy_example, "Open the example with a bug", "Ctrl+B",
                chord(key.b, ctrl=True)),
        Command("look", _change_look, "Light theme", "Ctrl+Shift+T", chord(key.t, ctrl=True, shift=True)),
        Command("help_keys", _show_help("keys"), "List of keys", "Ctrl+F1", chord(key.f1, ctrl=True)),
        Command("help_documentation", _show_help("documentation"), "Documentation", "Shift+F1",
                chord(key.f1, shift=True)),
        Command("help_versions", _show_help("versions"), "Versions", "Alt+F1", chord(key.f1, alt=True)),
        Command("tour", go_to_step, "Take the tour", "F1", chord(key.f1)),
        Command("end_tour", end_tour),
        Command("trust_oracle", trust_oracle),
    )  # fmt: skip


def _cancel(app: App) -> None:
    """Leaves the nearest thing: a visited tensor, a problem message, or the work under way."""
    if app.state.visit is not None:
        go_back(app)
        return
    if app.debugger.stepping.problem:  # dismisses the message
        app.debugger.stepping.end()
        return
    idle = app.document.job is None and not app.document.run.is_under_way
    if idle and app.analyses.diagnoses.current is not None:
        app.analyses.diagnoses.cancel()
    elif idle and app.saving.background.job is not None:
        app.saving.background.cancel()
    else:
        app.document.cancel()


def _open_demo(app: App) -> None:
    if app.demo is not None:
        leave(app, app.demo)


def _show_help(name: str) -> Action:
    """Returns an action that opens one of the windows of the Help menu in place of another, or closes it."""

    def action(app: App) -> None:
        app.state.help_shown = "" if app.state.help_shown == name else name

    return action


def _change_look(app: App) -> None:
    """Switches between dark and light."""
    settings = app.remembering.settings
    settings.look = "dark" if settings.look == "light" else "light"
    theme.show(settings.look)
    app.remembering.save()


COMMANDS = _commands()
