"""Implements the commands of dialogs, themes, help and the tour, and the one that goes back or cancels.

One of them answers, once for each content, whether the Python in a pipeline's oracle file may run.
"""

from __future__ import annotations

from pathlib import Path

from imgui_bundle import ImVec2, imgui

from texelscope.pipeline.plan import OracleFile
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.command import Action, Command, MenuGroup, chord, toggle
from texelscope.viewer.leaving.commands import leave
from texelscope.viewer.reads.commands import go_back
from texelscope.viewer.shell.files import open_path, open_paths
from texelscope.viewer.shell.tour import end as end_tour
from texelscope.viewer.shell.tour import go_to_step, open_buggy_example
from texelscope.viewer.widgets.controls import as_label, entry_tooltip

_TITLE = "Run this pipeline's oracle?"


def draw_trust_question(app: App) -> None:
    """Draws the question, while it is open."""
    oracle = _untrusted(app)
    if oracle is None or oracle.digest in app.state.declined:
        return
    viewport = imgui.get_main_viewport()
    imgui.set_next_window_pos(ImVec2(viewport.size.x / 2, viewport.size.y * 0.3), 0, ImVec2(0.5, 0.0))
    imgui.set_next_window_size(ImVec2(560 * app.scale, 0))
    flags = imgui.WindowFlags_
    fixed = flags.no_collapse | flags.no_docking | flags.no_resize | flags.no_saved_settings
    imgui.push_style_var(int(imgui.StyleVar_.window_border_size), 1.0)
    imgui.begin(_TITLE, None, int(fixed))
    imgui.pop_style_var()
    imgui.push_text_wrap_pos(0.0)
    imgui.text_unformatted(
        f"{oracle.path} defines what each pass should give. It is Python code and can do whatever you can do on this "
        "computer. Without it the passes run too, but nothing is compared."
    )
    imgui.text_disabled("You will be asked again if the file changes.")
    imgui.pop_text_wrap_pos()
    imgui.spacing()
    if imgui.button("Run it"):
        app.send("trust_oracle", digest=oracle.digest)
    app.mark("trust oracle")
    imgui.same_line()
    if imgui.button("Not now"):
        app.state.declined.add(oracle.digest)
    app.mark("decline oracle")
    if imgui.tree_node("Show its contents"):
        imgui.push_font(app.display.fonts.mono, 0.0)
        imgui.begin_child("text", ImVec2(0, 260 * app.scale))
        imgui.text_unformatted(oracle.text)
        imgui.end_child()
        imgui.pop_font()
        imgui.tree_pop()
    imgui.end()


def trust_oracle(app: App, digest: str) -> None:
    """Allows the oracle file with that content to run, now and later, and compares with it."""
    app.remembering.settings.trust(digest)
    app.remembering.save()
    app.document.reopen()


def _untrusted(app: App) -> OracleFile | None:
    session = app.document.session
    oracle = session.plan.oracle_file if session is not None else None
    return oracle if oracle is not None and not oracle.trusted else None


def recent_menu(app: App) -> None:
    """Draws a submenu: the targets that were opened last."""
    recent = app.remembering.settings.recent
    is_open = imgui.begin_menu("Recent", bool(recent))
    app.mark("recent")
    if is_open:
        for number, path in enumerate(recent):
            place = Path(path)
            if imgui.menu_item(f"{as_label(f'{place.parent.name}/{place.name}')}##{path}", "", False)[0]:
                app.send("open_path", path=path)
            app.mark(f"recent {number}")
            entry_tooltip(app, path)
        imgui.end_menu()


def _commands() -> tuple[Command, ...]:
    key = imgui.Key
    return (
        Command("cancel", _cancel, "Go back, or cancel the present work", "Esc", chord(key.escape), False),
        Command("palette", toggle("palette_open"), "Command palette", "Ctrl+P", chord(key.p, ctrl=True)),
        Command("goto", toggle("goto_open"), "Go to a texel or tensor index …", "Ctrl+G", chord(key.g, ctrl=True)),
        Command("open_dialog", toggle("open_dialog"), "Open …", "Ctrl+O", chord(key.o, ctrl=True)),
        Command("open_path", open_path),
        Command("open_paths", open_paths),
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
    if idle and app.saving.recording.progress is not None:  # asked for, unlike a diagnosis that began by itself
        app.saving.recording.cancel()
        app.log.add("Writing the report: cancelled.")
    elif idle and app.analyses.diagnoses.current is not None:
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
MENUS = (
    MenuGroup("File", 10, ("open_dialog", "open_demo", recent_menu)),
    MenuGroup("Run", 70, ("cancel",)),
    MenuGroup("Tools", 10, ("palette", "reload")),
    MenuGroup("Help", 10, ("help_keys", "help_documentation", "help_versions")),
    MenuGroup("Help", 20, ("tour", "open_demo", "open_buggy_example")),
)
