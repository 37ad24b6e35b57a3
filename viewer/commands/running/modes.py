"""How everything is run: every tensor stored, so that all of it can be seen, or fused; and what is opened up then."""

from __future__ import annotations

from imgui_bundle import imgui

from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.viewer.app import App
from texelscope.viewer.commands.command import Command, chord


def run_modes() -> tuple[Command, ...]:
    """The two modes, and what is stored in the second one."""
    key = imgui.Key
    return (
        Command("observe", observe, "Observe everything: open all", "Alt+F5", chord(key.f5, alt=True)),
        Command("fused", _fuse, "Run fused, in as few steps as it takes", "Shift+F5", chord(key.f5, shift=True), False),
        Command("open_up", open_up, "Open up the selected layer in fused runs", "U", chord(key.u)),
        Command("fuse_again", _fuse_again, "Do not open it up any more", "Shift+U", chord(key.u, shift=True)),
    )


def observe(app: App) -> None:
    """Every tensor stored from now on."""
    _go(app, fused=False)
    app.log.add("Observing everything: the tensor of every pass is there.")


def _fuse(app: App) -> None:
    _go(app, fused=True)
    run = app.document.run
    if app.document.session is None:
        return
    if run.groups is None:
        app.log.add("Passes run by themselves while an injected value stands in for a layer.", warning=True)
    elif not any(isinstance(item, Lowering) and len(item.covers) > 1 for item in run.items):
        app.log.add("Nothing of this fuses here: every pass runs by itself.", warning=True)
    else:
        inside = len(run.groups.inside)
        app.log.add(
            f"Fused: {len(run.passes)} passes in {len(run.items)} steps; {inside} are not stored. A click opens one up."
        )


def _go(app: App, *, fused: bool) -> None:
    app.document.run.go_fused(fused=fused)
    app.remembering.settings.fused = fused
    app.remembering.save()


def open_up(app: App, name: str | None = None) -> None:
    """Has fused runs store what a layer makes, the selected one by default."""
    wanted = name or app.selected or ""
    if app.document.run.is_inside(wanted):
        app.document.run.open_up(wanted)
        app.log.add(f"'{wanted}' is opened up: fused runs store it from now on.")


def _fuse_again(app: App) -> None:
    session, wanted = app.document.session, app.selected or ""
    found = session.plan.find(wanted) if session is not None else None
    if found is not None and found.output in app.document.run.opened:
        app.document.run.open_up(found.name, is_open=False)
        app.log.add(f"'{wanted}' is left inside again.")
