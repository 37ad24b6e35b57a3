"""Implements running: all passes, up to one, step by step; every tensor stored, or fused; other options of opening."""

from __future__ import annotations

from typing import get_args

from imgui_bundle import imgui

from texelscope.pipeline.importers.registry import may_choose
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.plan import Backend
from texelscope.pipeline.planning import layout_choice
from texelscope.viewer.app import App
from texelscope.viewer.command import Action, Command, MenuGroup, chord, toggle


def _running() -> tuple[Command, ...]:
    """Returns the commands that run, and that step from pass to pass."""
    key = imgui.Key
    return (
        Command("run_all", lambda app: app.document.run.everything(), "Run all", "F5", chord(key.f5), False),
        Command("run_here", _run_to, "Run to the selected layer", "F6", chord(key.f6)),
        Command("reload", lambda app: app.document.reload(), "Reload the files", "F7", chord(key.f7)),
        Command("step_back", _step(forward=False), "Step back one pass", "Alt+PageUp", chord(key.page_up, alt=True)),
        Command("step_forward", _step(forward=True), "Run one pass", "Alt+PageDown", chord(key.page_down, alt=True)),
        Command("continuous", _toggle_continuous, "Run continuously", "F8", chord(key.f8)),
        Command("next_frame", _next_frame, "Run the next frame", "Shift+F8", chord(key.f8, shift=True)),
        Command("restart", _restart, "Go back to frame 0", "Alt+F8", chord(key.f8, alt=True)),
    )


def _opening() -> tuple[Command, ...]:
    """Returns the commands that open the target with another layout, precision, backend or convention."""
    key = imgui.Key
    return (
        Command("follow", lambda app, op_type, convention: app.document.follow(op_type, convention)),
        Command("chained", toggle("chained"), "Compare end to end (chained)", "C", chord(key.c)),
        Command("next_layout", _next_layout, "Next layout", "Shift+L", chord(key.l, shift=True)),
        Command("next_precision", _next_precision, "Store as float16 or float32", "Shift+P", chord(key.p, shift=True)),
        Command("next_backend", _next_backend, "Compute by draws or dispatches", "Shift+B", chord(key.b, shift=True)),
    )


def _modes() -> tuple[Command, ...]:
    """Returns the commands of the two run modes, and of what a fused run stores."""
    key = imgui.Key
    return (
        Command("observe", observe, "Observe everything: store every tensor", "Alt+F5", chord(key.f5, alt=True)),
        Command("fused", _fuse, "Run fused, in as few steps as possible", "Shift+F5", chord(key.f5, shift=True), False),
        Command("open_up", open_up, "Open up the selected layer in fused runs", "U", chord(key.u)),
        Command("fuse_again", _fuse_again, "Fuse the selected layer again", "Shift+U", chord(key.u, shift=True)),
    )


def observe(app: App) -> None:
    """Stores every tensor from now on."""
    _go(app, fused=False)
    app.log.add("Observing everything: the tensor of every pass is stored.")


def _fuse(app: App) -> None:
    _go(app, fused=True)
    run = app.document.run
    if app.document.session is None:
        return
    if run.groups is None:
        app.log.add("Passes do not fuse while a layer has an injected value.", warning=True)
    elif not any(isinstance(item, Lowering) and len(item.covers) > 1 for item in run.items):
        app.log.add("No passes of this target can be fused: each runs separately.", warning=True)
    else:
        inside = len(run.groups.inside)
        app.log.add(
            f"Fused: {len(run.passes)} passes in {len(run.items)} steps; {inside} are not stored. Click to open one up."
        )


def _go(app: App, *, fused: bool) -> None:
    app.document.run.go_fused(fused=fused)
    app.remembering.settings.fused = fused
    app.remembering.save()


def open_up(app: App, name: str | None = None) -> None:
    """Makes fused runs store the output of a layer, by default of the selected one."""
    wanted = name or app.selected or ""
    if app.document.run.is_inside(wanted):
        app.document.run.open_up(wanted)
        app.log.add(f"'{wanted}' is opened up: fused runs store it from now on.")


def _fuse_again(app: App) -> None:
    session, wanted = app.document.session, app.selected or ""
    found = session.plan.find(wanted) if session is not None else None
    if found is not None and found.output in app.document.run.opened:
        app.document.run.open_up(found.name, is_open=False)
        app.log.add(f"'{wanted}' is fused again, and not stored.")


def _run_to(app: App, name: str | None = None) -> None:
    names = [shader_pass.name for shader_pass in app.document.passes]
    wanted = name or app.selected
    if wanted in names:
        app.document.run.up_to(names.index(wanted))


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
            app.state.select(document.passes[index].name)

    return action


def _toggle_continuous(app: App) -> None:
    app.document.run.continuous = not app.document.run.continuous
    app.log.add(f"Continuous run {'on' if app.document.run.continuous else 'off'}.")


def _next_frame(app: App) -> None:
    if _has_frames(app):
        app.document.next_frame()


def _restart(app: App) -> None:
    if _has_frames(app):
        app.document.restart()


def _has_frames(app: App) -> bool:
    """Whether the frames of what is open may differ; says so where they do not."""
    session = app.document.session
    if session is None or session.plan.has_frames:
        return session is not None
    app.log.add("Every frame is the same: no pass reads the frame before, or changes with it.", warning=True)
    return False


def point(app: App) -> None:
    """Hands the mouse to the frames to come: the texel under it, and the one where its button was pressed last."""
    session, texel = app.document.session, app.state.view.hover
    if session is None or texel is None or not session.plan.has_frames:
        return
    at = (float(texel[0]), float(texel[1]))
    pressed = at if imgui.is_mouse_down(imgui.MouseButton_.left) else session.mouse[2:]
    session.point((*at, *pressed))


def _next_layout(app: App) -> None:
    target, names = app.document.target, layout_choice.names()
    if target is not None and may_choose(target.path, "takes_layout"):
        app.send("reopen", layout=names[(names.index(target.options.layout) + 1) % len(names)])


def _next_precision(app: App) -> None:
    target = app.document.target
    if target is not None and may_choose(target.path, "takes_precision"):
        app.send("reopen", precision="float16" if target.options.precision == "float32" else "float32")


def _next_backend(app: App) -> None:
    target, names = app.document.target, get_args(Backend)
    if target is not None and may_choose(target.path, "takes_backend"):
        backend = names[(names.index(target.options.backend) + 1) % len(names)]
        app.remembering.settings.backend = backend
        app.send("reopen", backend=backend)


COMMANDS = (*_running(), *_modes(), *_opening())
MENUS = (
    MenuGroup("Run", 10, ("run_all", "run_here", "step_back", "step_forward", "continuous")),
    MenuGroup("Run", 15, ("next_frame", "restart")),
    MenuGroup("Run", 20, ("observe", "fused", "open_up", "fuse_again")),
    MenuGroup("Layers", 40, ("chained", "next_layout", "next_precision", "next_backend")),
)
