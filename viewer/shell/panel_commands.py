"""Commands of the panels: bringing one to the front, arranging them, and what their buttons do besides."""

from __future__ import annotations

from typing import get_args

from imgui_bundle import imgui

from texelscope.pipeline.diagnose.naming import WRONG
from texelscope.pipeline.plan import Backend
from texelscope.pipeline.planning import layout_choice
from texelscope.viewer.app import App
from texelscope.viewer.commands.bundle_actions import save_bundle
from texelscope.viewer.commands.command import Action, Command, chord
from texelscope.viewer.commands.export_actions import export_all, save_page, save_report, save_view
from texelscope.viewer.document.exports import folder_for
from texelscope.viewer.memory.settings import REPAIR_BUDGETS
from texelscope.viewer.panels.registry import Panel, all_panels

_PLACES = ("left", "centre", "right", "bottom_left", "bottom")


def panel_commands() -> tuple[Command, ...]:
    """All of them."""
    return (*_panels(), *_asking(), *_taking_away(), *_reopening())


def _panels() -> tuple[Command, ...]:
    """Alt and a number for each panel, from the left to the right, then below; then keys further right."""
    digits = [(str(number), getattr(imgui.Key, f"_{number}")) for number in (*range(1, 10), 0)]
    beside = (("-", "minus"), ("=", "equal"), ("[", "left_bracket"), ("]", "right_bracket"), (";", "semicolon"),
              ("'", "apostrophe"), (",", "comma"), ("/", "slash"))  # fmt: skip
    rows = [*digits, *((sign, getattr(imgui.Key, name)) for sign, name in beside)]
    panels = sorted(all_panels(), key=_rank)
    found = []
    for panel, (sign, key) in zip(panels, rows, strict=False):
        name, code = f"panel {panel.title}", chord(key, alt=True)
        found.append(Command(name, _bring(panel.title), f"Panel {panel.title}", f"Alt+{sign}", code))
    arrange = chord(imgui.Key.a, ctrl=True, shift=True)
    return (*found, Command("arrange", _arrange, "Arrange panels anew", "Ctrl+Shift+A", arrange))


def _rank(panel: Panel) -> tuple[object, ...]:
    """From left to right, then below; last what is not always there, so that others keep their keys."""
    return panel.comes_and_goes, _PLACES.index(panel.place), panel.order, panel.title


def _asking() -> tuple[Command, ...]:
    """Which layers are listed, and what is wrong with one."""
    key = imgui.Key
    return (
        Command("filter", _filter, "Filter the layers", "Ctrl+F", chord(key.f, ctrl=True)),
        Command("only_wrong", _only_wrong, "List only wrong layers", "Shift+W", chord(key.w, shift=True)),
        Command("name_cause", _name_cause, "Name the cause", "D", chord(key.d)),
        Command(
            "repair_budget", _repair_budget, "Look for repairs longer, or not at all", "Alt+D", chord(key.d, alt=True)
        ),
    )


def _taking_away() -> tuple[Command, ...]:
    """Files, where they go by default."""
    actions: tuple[tuple[str, Action, str, str], ...] = (
        ("export_all", export_all, "Export all layers", "E"),
        ("save_seen", _save_seen, "Save the view as seen", "V"),
        ("save_json", _save_json, "Save the report as JSON", "J"),
        ("save_page", save_page, "Save the report as a page", "R"),
        ("save_bundle", save_bundle, "Save a bundle, to reopen this state", "S"),
    )
    return tuple(
        Command(name, action, title, f"Ctrl+Shift+{letter}", chord(_key(letter), ctrl=True, shift=True))
        for name, action, title, letter in actions
    )


def _reopening() -> tuple[Command, ...]:
    """Another layout, storage or backend."""
    key = imgui.Key
    return (
        Command("next_layout", _next_layout, "Next layout", "Shift+L", chord(key.l, shift=True)),
        Command("next_precision", _next_precision, "Store as float16 or float32", "Shift+P", chord(key.p, shift=True)),
        Command("next_backend", _next_backend, "Compute by draws or dispatches", "Shift+B", chord(key.b, shift=True)),
    )


def _key(letter: str) -> imgui.Key:
    found: imgui.Key = getattr(imgui.Key, letter.lower())
    return found


def _bring(title: str) -> Action:
    def action(app: App) -> None:
        app.state.wanted_panels.append(title)

    return action


def _arrange(app: App) -> None:
    app.state.first_layout = True
    app.state.shown_panels.clear()


def _filter(app: App) -> None:
    app.state.wanted_panels.append("Layers")
    app.state.wanted_filter = True


def _only_wrong(app: App) -> None:
    app.state.only_wrong = not app.state.only_wrong


def _name_cause(app: App) -> None:
    """Has the selected pass diagnosed and shows what is found."""
    report = app.document.report_of(app.selected or "")
    app.state.wanted_panels.append("Findings")
    if report is not None and report.verdict in WRONG:
        app.send("diagnose", name=report.name)


def _repair_budget(app: App) -> None:
    """The next of the budgets for what mends a layer; after the longest none."""
    settings = app.remembering.settings
    budgets = sorted({*REPAIR_BUDGETS, settings.repair_seconds})
    settings.repair_seconds = budgets[(budgets.index(settings.repair_seconds) + 1) % len(budgets)]
    app.remembering.save()
    seconds = app.diagnoses.repair_seconds = settings.repair_seconds
    told = f"for {seconds:g} s a layer" if seconds else "where somebody asks for them alone"
    app.log.add(f"Repairs are looked for {told}.")


def _save_seen(app: App) -> None:
    if app.document.origin is not None:
        save_view(app, folder_for(app.document.origin))


def _save_json(app: App) -> None:
    if app.document.origin is not None:
        save_report(app, folder_for(app.document.origin))


def _next_layout(app: App) -> None:
    target, names = app.document.target, layout_choice.names()
    if target is not None and target.path.endswith(".onnx"):
        app.document.reopen(layout=names[(names.index(target.options.layout) + 1) % len(names)])


def _next_precision(app: App) -> None:
    target = app.document.target
    if target is not None and target.path.endswith(".onnx"):
        app.document.reopen(precision="float16" if target.options.precision == "float32" else "float32")


def _next_backend(app: App) -> None:
    target, names = app.document.target, get_args(Backend)
    if target is not None and target.path.endswith(".onnx"):
        backend = names[(names.index(target.options.backend) + 1) % len(names)]
        app.remembering.settings.backend = backend
        app.document.reopen(backend=backend)
