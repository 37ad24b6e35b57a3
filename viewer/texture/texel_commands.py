"""Implements the commands on the picked texel: copy its values, index and place, go to its pass, trace its reads."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from imgui_bundle import imgui

from texelscope.viewer.app import App
from texelscope.viewer.canvas.overlay import shown_value
from texelscope.viewer.canvas.readout import LaneReadout
from texelscope.viewer.command import Command, chord
from texelscope.viewer.state import ViewMode
from texelscope.viewer.texture.numbers import exact, picked_lanes

# Functions that return the text to copy for each lane of a texel.
Text = Callable[[LaneReadout], str | None]


def _commands() -> tuple[Command, ...]:
    """Returns these commands."""
    key = imgui.Key
    copy, both = chord(key.c, ctrl=True), chord(key.c, ctrl=True, shift=True)
    return (
        Command("copy_value", copy_value, "Copy the picked value", "Ctrl+C", copy),
        Command("copy_oracle", partial(_copy, text=_oracle, what="the oracle's value"),
                "Copy the oracle's value of the picked texel", "Alt+C", chord(key.c, alt=True)),
        Command("copy_index", partial(_copy, text=_index, what="the index", between="  "),
                "Copy the tensor index of the picked texel", "Ctrl+Shift+C", both),
        Command("copy_texel", copy_texel, "Copy the position of the picked texel", "Shift+C", chord(key.c, shift=True)),
        Command("go_to_maker", go_to_maker, "Go to the pass that made this texture", "Shift+M",
                chord(key.m, shift=True)),
        Command("trace_here", trace_here, "Trace what the picked texel reads", "Shift+T", chord(key.t, shift=True)),
    )  # fmt: skip


def copy_value(app: App) -> None:
    """Copies the numbers of the picked texel, each in the fewest digits that identify the float32."""
    mode = app.state.view.mode
    mode = mode if mode in (ViewMode.ORACLE, ViewMode.DIFFERENCE, ViewMode.RATIO) else ViewMode.ACTUAL

    def text(lane: LaneReadout) -> str | None:
        value = shown_value(lane, mode)
        value = lane.actual if value is None else value
        return None if value is None else exact(value)

    _copy(app, text=text, what="the value")


def copy_texel(app: App) -> None:
    """Copies column and row of the picked texel, as Ctrl+G accepts them."""
    texel = app.state.view.pick or app.state.view.hover
    _put(app, f"{texel[0]} {texel[1]}" if texel is not None else "", "the texel")


def go_to_maker(app: App) -> None:
    """Selects the pass that wrote the active tab's texture, in the tab that follows the selection."""
    name = maker_of(app)
    if name is not None:
        app.send("select", name=name)


def maker_of(app: App) -> str | None:
    """Returns the pass that wrote the active tab's texture; None for inputs and weights."""
    stored, session = app.shown_in(app.state.view), app.document.session
    found = session.plan.find(stored.key) if stored is not None and session is not None else None
    return found.name if found is not None else None


def trace_here(app: App) -> None:
    """Brings the taps panel, which traces the picked texel, to the front."""
    app.state.wanted_panels.append("Taps")


def _copy(app: App, text: Text, what: str, between: str = ", ") -> None:
    view = app.state.view
    texel = view.pick or view.hover
    lanes = picked_lanes(app, view, texel) if texel is not None else ()
    _put(app, between.join(each for lane in lanes if (each := text(lane)) is not None), what)


def _put(app: App, text: str, what: str) -> None:
    if not text:
        app.log.add(f"Cannot copy {what}: pick a texel of a layer that has run.", warning=True)
        return
    imgui.set_clipboard_text(text)
    app.log.add(f"Copied {what}: {text}")


def _oracle(lane: LaneReadout) -> str | None:
    return None if lane.oracle is None else exact(lane.oracle)


def _index(lane: LaneReadout) -> str:
    return " ".join(map(str, lane.index)) if lane.index else f"#{lane.element}"


COMMANDS = _commands()
