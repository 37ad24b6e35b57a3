"""Implements the commands of the Shared memory panel: recording the work group, and going from barrier to barrier."""

from __future__ import annotations

from imgui_bundle import imgui

from texelscope.viewer.app import App
from texelscope.viewer.command import Command, MenuGroup, chord


def _commands() -> tuple[Command, ...]:
    """Returns these commands."""
    later, earlier = "Shared memory at the next barrier", "Shared memory at the barrier before"
    after, before = chord(imgui.Key.right_arrow, alt=True), chord(imgui.Key.left_arrow, alt=True)
    return (
        Command("next_barrier", lambda app: _by(app, 1), later, "Alt+Right", after),
        Command("previous_barrier", lambda app: _by(app, -1), earlier, "Alt+Left", before),
        Command("record_group", record_group),
    )


def record_group(app: App, name: str, element: int) -> None:
    """Records the work group that writes an element of a pass's output."""
    session = app.document.session
    if session is not None:
        app.debugger.work_group.record(session, name, element)


def _by(app: App, count: int) -> None:
    group = app.debugger.work_group
    if group.memory is None:
        app.log.add("No work group is recorded: pick a texel of a compute pass and open Shared memory.", warning=True)
        return
    group.go_to(group.phase + count)
    app.state.wanted_tabs.append("Shared memory")


COMMANDS = _commands()
MENUS = (MenuGroup("Step", 45, ("next_barrier", "previous_barrier")),)
