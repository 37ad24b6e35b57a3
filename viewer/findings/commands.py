"""Implements the commands that name causes, show findings, and try repairs."""

from __future__ import annotations

from imgui_bundle import imgui

from texelscope.pipeline.diagnose.naming import WRONG
from texelscope.viewer.app import App
from texelscope.viewer.command import Command, chord
from texelscope.viewer.findings.repairing import apply_repair, turn_trial
from texelscope.viewer.findings.showing import first_wrong, show_finding
from texelscope.viewer.memory.settings import REPAIR_BUDGETS
from texelscope.viewer.running.commands import observe


def _commands() -> tuple[Command, ...]:
    key = imgui.Key
    return (
        Command("first_wrong", first_wrong, "Go to the first wrong layer and its finding", "F4", chord(key.f4)),
        Command("name_cause", _name_cause, "Name the cause", "D", chord(key.d)),
        Command(
            "diagnose_all", _diagnose_all, "Name the causes of all wrong layers", "Shift+D", chord(key.d, shift=True)
        ),
        Command(
            "repair_budget", _repair_budget, "Change the time limit of repair searches", "Alt+D", chord(key.d, alt=True)
        ),
        Command("diagnose", _diagnose),
        Command("cancel_diagnosis", lambda app: app.analyses.diagnoses.cancel()),
        Command("show_finding", show_finding),
        Command("apply_repair", apply_repair),
        Command("turn_trial", turn_trial),
    )


def _diagnose(app: App, name: str) -> None:
    """Diagnoses a pass; a fused run is opened up first, because evidence needs every tensor."""
    if app.document.run.groups is not None:
        observe(app)
    app.analyses.diagnoses.ask(name)


def _diagnose_all(app: App) -> None:
    if app.document.run.groups is not None:
        observe(app)
    app.analyses.diagnoses.go_on()


def _name_cause(app: App) -> None:
    """Diagnoses the selected pass and shows the findings."""
    report = app.document.report_of(app.selected or "")
    app.state.wanted_panels.append("Findings")
    if report is not None and report.verdict in WRONG:
        app.send("diagnose", name=report.name)


def _repair_budget(app: App) -> None:
    """Chooses the next time budget for a layer's repairs; after the longest one, none."""
    settings = app.remembering.settings
    budgets = sorted({*REPAIR_BUDGETS, settings.repair_seconds})
    settings.repair_seconds = budgets[(budgets.index(settings.repair_seconds) + 1) % len(budgets)]
    app.remembering.save()
    seconds = app.analyses.diagnoses.repair_seconds = settings.repair_seconds
    budget = f"for {seconds:g} s per layer" if seconds else "on request only"
    app.log.add(f"Repairs are searched {budget}.")


COMMANDS = _commands()
