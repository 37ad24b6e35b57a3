"""Implements the commands of texture tabs: mode, zoom, pick, overlays, lanes, and the tabs themselves."""

from __future__ import annotations

from imgui_bundle import imgui

from texelscope.viewer.app import App
from texelscope.viewer.colour.shown_as import layouts_for, texel_in
from texelscope.viewer.command import Action, Command, MenuGroup, chord, toggle
from texelscope.viewer.state import View, ViewMode


def _commands() -> tuple[Command, ...]:
    """Returns these commands."""
    return (*_modes(), *_moving(), *_marking(), *_lanes(), *_tabs())


def _modes() -> tuple[Command, ...]:
    """Returns the commands that choose what a texture tab shows."""
    key = imgui.Key
    modes = ((ViewMode.ACTUAL, "actual", key._1), (ViewMode.ORACLE, "oracle", key._2),
             (ViewMode.DIFFERENCE, "difference", key._3),
             (ViewMode.RATIO, "error over its bound", key._4), (ViewMode.SPLIT, "split view", key._5),
             (ViewMode.FLICKER, "flicker", key._6))  # fmt: skip
    return tuple(
        Command(
            f"mode_{mode.name.lower()}",
            lambda app, mode=mode: _set_mode(app, mode),
            f"Show {label}",
            str(i + 1),
            chord(k),
        )
        for i, (mode, label, k) in enumerate(modes)
    )


def _moving() -> tuple[Command, ...]:
    """Returns the commands that zoom and that move the pick."""
    key = imgui.Key
    return (
        Command("fit", _fit, "Fit the texture", "F", chord(key.f)),
        Command("one_to_one", _one_to_one, "One pixel per texel", "Ctrl+1", chord(key._1, ctrl=True)),
        Command("zoom_in", _zoom(2.0), "Zoom in", "=", chord(key.equal)),
        Command("zoom_out", _zoom(0.5), "Zoom out", "-", chord(key.minus)),
        Command("pick_left", _move_pick(-1, 0), "Pick the texel to the left", "Left", chord(key.left_arrow)),
        Command("pick_right", _move_pick(1, 0), "Pick the texel to the right", "Right", chord(key.right_arrow)),
        Command("pick_up", _move_pick(0, -1), "Pick the texel above", "Up", chord(key.up_arrow)),
        Command("pick_down", _move_pick(0, 1), "Pick the texel below", "Down", chord(key.down_arrow)),
        Command("worst", _go_to_worst, "Go to the worst element", "W", chord(key.w)),
        Command("go_to", go_to),
        Command("go_to_element", go_to_element),
    )


def _marking() -> tuple[Command, ...]:
    """Returns the commands of overlays."""
    key = imgui.Key
    return (
        Command("grid", _toggle_view("grid"), "Tile grid", "G", chord(key.g)),
        Command("labels", _toggle_view("labels"), "Tile labels", "L", chord(key.l)),
        Command("negative", _toggle_view("mark_negative"), "Mark negative values blue", "N", chord(key.n)),
        Command(
            "mark_outside",
            _toggle_view("mark_outside"),
            "Mark values outside black and white",
            "Shift+N",
            chord(key.n, shift=True),
        ),
        Command("filter_over", toggle("filter_over"), "Filter over its input", "O", chord(key.o)),
    )


def _lanes() -> tuple[Command, ...]:
    """Returns a command for each lane, Alt and its letter, and for the lane alone, with Shift."""
    found = []
    for lane, (letter, key) in enumerate(
        zip("RGBA", (imgui.Key.r, imgui.Key.g, imgui.Key.b, imgui.Key.a), strict=True)
    ):
        own, alone = chord(key, alt=True), chord(key, shift=True, alt=True)
        found.append(Command(f"lane_{lane}", _toggle_lane(lane), f"Lane {letter}", f"Alt+{letter}", own))
        keys = f"Alt+Shift+{letter}"
        found.append(Command(f"only_lane_{lane}", _only_lane(lane), f"Only lane {letter}, or all", keys, alone))
    return tuple(found)


def _tabs() -> tuple[Command, ...]:
    """Returns the commands of locked tabs."""
    key = imgui.Key
    return (
        Command("lock", _lock_view, "New tab locked to this layer", "Ctrl+T", chord(key.t, ctrl=True)),
        Command("close_view", _close_view, "Close this locked tab", "Ctrl+W", chord(key.w, ctrl=True)),
        Command("next_view", _next_view, "Next tab", "Ctrl+PageDown", chord(key.page_down, ctrl=True)),
        Command("side_by_side", toggle("side_by_side"), "Tabs side by side", "S", chord(key.s)),
        Command("linked", toggle("linked"), "Link views side by side", "K", chord(key.k)),
        Command("set_mode", _set_mode),
        Command("show_as", _show_as),
        Command("next_shown", _next_shown, "Show the tensor in the next layout", "Shift+S", chord(key.s, shift=True)),
    )


def _set_mode(app: App, mode: ViewMode) -> None:
    app.state.view.mode = mode


def _show_as(app: App, layout: str | None) -> None:
    """Shows tensors in the layout of that name, or, without one, as they are stored."""
    view = app.state.view
    before = app.shown_in(view)
    view.shown_as = layout
    after = app.shown_in(view)
    if before is not None and after is not None and view.pick is not None:
        view.pick = texel_in(before, view.pick, after)
    view.hover = view.echo = None


def _next_shown(app: App) -> None:
    view = app.state.view
    stored = app.document.stored(view.locked or app.selected or "")
    if stored is None:
        return
    others = [name for name in layouts_for(stored, app.display.canvas.most_texels) if name != stored.layout.name]
    choices = [None, *others]
    now = view.shown_as if view.shown_as in others else None
    _show_as(app, choices[(choices.index(now) + 1) % len(choices)])


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
        stored = app.shown_in(view)
        if stored is None:
            return
        height, width = stored.texture_shape
        x, y = view.pick or (0, 0)
        view.pick = (min(max(x + dx, 0), width - 1), min(max(y + dy, 0), height - 1)) if view.pick else (x, y)
        _keep_in_sight(app, view)

    return action


def _keep_in_sight(app: App, view: View) -> None:
    """Moves a view as little as needed to show its pick."""
    place = app.display.places.get("canvas")
    if place is None or view.pick is None:
        return
    half = place[2] / view.zoom / 2.0, place[3] / view.zoom / 2.0
    view.centre = tuple(  # type: ignore[assignment]
        min(max(centre, at + 1.0 - reach), at + reach) if reach > 1.0 else at + 0.5
        for centre, at, reach in zip(view.centre, view.pick, half, strict=True)
    )


def go_to(app: App, tx: int, ty: int) -> None:
    """Picks a texel of the active tab, centres it and zooms in far enough."""
    view = app.state.view
    view.pick = (tx, ty)
    view.centre = (tx + 0.5, ty + 0.5)
    view.zoom = max(view.zoom, 16.0)


def go_to_element(app: App, element: int) -> None:
    """Picks the texel that holds an element of the active tab's tensor, given by its linear index, as `go_to` does."""
    stored = app.showing(app.state.view, element)
    if stored is not None:
        tx, ty, _ = stored.layout.texel_of(stored.shape, element)
        go_to(app, tx, ty)


def _lock_view(app: App, name: str | None = None) -> None:
    """Opens a tab locked to a layer, by default the selected one, or activates the existing one."""
    name = name or app.selected
    if name is None:
        return
    locked = [view.locked for view in app.state.views]
    if name not in locked:
        app.state.views.append(View(locked=name))
    app.state.wanted_view = locked.index(name) if name in locked else len(locked)
    app.state.wanted_panels.append("Texture")


def _close_view(app: App, index: int | None = None) -> None:
    """Closes a locked tab, by default the active one; the tab that follows the selection stays."""
    index = app.state.active_view if index is None else index
    if 0 < index < len(app.state.views):
        app.state.views.pop(index)
        app.state.active_view = app.state.wanted_view = 0


def _next_view(app: App) -> None:
    app.state.active_view = app.state.wanted_view = (app.state.active_view + 1) % len(app.state.views)


def _go_to_worst(app: App) -> None:
    """Picks the element of the present comparison with the largest error over its rounding bound."""
    name = app.state.view.locked or app.selected or ""
    report = app.document.report_of(name)
    figures = None if report is None else report.chained if app.state.chained else report.isolated
    if figures is not None:
        go_to_element(app, figures.worst)


def _toggle_lane(lane: int) -> Action:
    def action(app: App) -> None:
        lanes = app.state.view.lanes
        lanes[lane] = not lanes[lane]
        if not any(lanes):
            lanes[lane] = True

    return action


def _only_lane(lane: int) -> Action:
    def action(app: App) -> None:
        lanes = app.state.view.lanes
        alone = lanes[lane] and sum(lanes) == 1
        lanes[:] = [True] * 4 if alone else [other == lane for other in range(4)]

    return action


def _toggle_view(attribute: str) -> Action:
    def action(app: App) -> None:
        setattr(app.state.view, attribute, not getattr(app.state.view, attribute))

    return action


COMMANDS = _commands()
MENUS = (
    MenuGroup("View", 10, ("mode_actual", "mode_oracle", "mode_difference", "mode_ratio", "mode_split",
              "mode_flicker")),
    MenuGroup("View", 20, ("fit", "one_to_one", "zoom_in", "zoom_out", "goto")),
    MenuGroup("View", 30, ("grid", "labels", "negative", "mark_outside", "filter_over", "reset_range", "fit_range",
              "range_of_tile", "range_in_sight", "next_odd")),
    MenuGroup("View", 60, ("lock", "close_view", "next_view", "side_by_side", "linked")),
)  # fmt: skip
