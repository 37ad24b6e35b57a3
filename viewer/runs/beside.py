"""Shows another run beside the present one: a tab of the other run, and one of the difference of both."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from imgui_bundle import imgui

from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.canvas.readout import read_out
from texelscope.viewer.runs.model.kept import KeptRun
from texelscope.viewer.state import View, ViewMode
from texelscope.viewer.widgets.controls import as_label, shortened

PAIR_WIDTH = 130.0


@contextmanager
def pane(app: App, view: View) -> Iterator[None]:
    """Makes the document answer as the run that a tab shows, and the canvas keep its textures apart, inside `with`."""
    document, canvas = app.document, app.display.canvas
    if not view.is_of_run:
        yield
        return
    before = document.shown, document.reference, canvas.pane
    if view.run is not None:
        document.shown, document.reference = app.analyses.runs.seen(document, view.run), None
    if view.against is not None:
        document.reference = app.analyses.runs.seen(document, view.against)
    canvas.pane = f"run {view.run} {view.against} "
    try:
        yield
    finally:
        document.shown, document.reference, canvas.pane = before


@contextmanager
def present(app: App) -> Iterator[None]:
    """Makes the document answer as the present run inside `with`, in a pane of another one too."""
    document, canvas = app.document, app.display.canvas
    before = document.shown, document.reference, canvas.pane
    document.shown = document.reference = None
    canvas.pane = ""
    try:
        yield
    finally:
        document.shown, document.reference, canvas.pane = before


def open_views(app: App, number: int) -> None:
    """Opens a tab of the run of that number and one of the difference, beside the present one, linked."""
    close_views(app, number)
    mode = app.state.views[0].mode
    app.state.views.append(View(run=number, mode=mode))
    app.state.views.append(View(against=number, mode=ViewMode.DIFFERENCE))
    app.state.side_by_side = app.state.linked = True
    app.state.active_view = app.state.wanted_view = 0
    app.state.wanted_panels.append("Texture")


def close_views(app: App, number: int | None = None) -> None:
    """Closes the tabs of the run of that number; without one those of runs that are not kept any more."""
    kept = {each.number for each in app.analyses.runs.shelf.runs} - {number}
    views = [each for each in app.state.views if {each.run, each.against} <= {*kept, None}]
    if len(views) < len(app.state.views):
        app.state.views = views
        app.state.active_view = app.state.wanted_view = 0


def run_of(app: App, view: View) -> KeptRun | None:
    """Returns the run that a tab is about, as a whole or as a difference."""
    number = view.run if view.run is not None else view.against
    return app.analyses.runs.shelf.find(number) if number is not None else None


def heading(app: App, view: View) -> str:
    """Returns what a tab shows beside the layer's name; empty while no run is beside the present one."""
    run = run_of(app, view)
    if run is None:
        return "now" if any(each.is_of_run for each in app.state.views) else ""
    return run.title if view.run is not None else f"now − {run.title}"


def verdict(app: App, view: View, name: str) -> str:
    """Returns the name of the sign of a layer in the run that a tab shows: the oracle's verdict; empty if unknown."""
    stored = app.document.stored(name)
    if view.against is not None or stored is None:
        return ""
    if view.run is None:
        report = app.document.report_of(name)
    else:
        report = app.analyses.runs.report_beside(app.document, view.run, stored.key)
    return "" if report is None else "inherited" if report.inherited else report.verdict


def pair_choice(app: App, view: View, name: str, width: float) -> None:
    """Draws the choice of the tensor of the other run that is shown beside a layer, `width` pixels wide."""
    run, stored = run_of(app, view), app.document.stored(name)
    if run is None or view.run is None or stored is None:
        return
    seen = app.analyses.runs.seen(app.document, run.number)
    held = seen.tensors.get(stored.key) if seen is not None else None
    shown = held.name if held is not None else "none of this shape"
    imgui.set_next_item_width(width)
    if imgui.begin_combo("##pair", shortened(shown, width - 34 * app.scale)):
        for place, each in enumerate(run.run.tensors):
            fits = each.values.shape == stored.shape
            if fits and imgui.selectable(f"{as_label(each.name)}##{place}", each.name == shown)[0]:
                app.send("pair_layer", number=run.number, key=stored.key, there=each.name)
            if fits:
                app.mark(f"pair {each.name}")
        imgui.end_combo()
    app.mark("pair")
    imgui.set_item_tooltip(f"The tensor of {run.title} that is shown beside {name}")


def draw_values(app: App) -> None:
    """Draws the values of the picked texel in every run that is beside the present one."""
    if any(each.is_of_run for each in app.state.views):
        for index, view in enumerate(app.state.views):
            _value(app, view, index)


def _value(app: App, view: View, index: int) -> None:
    words = texel_words(app, view)
    if words:
        imgui.text_colored(theme.QUIET, shortened(heading(app, view), 130 * app.scale))
        imgui.same_line(140 * app.scale)
        imgui.text_unformatted(words)
        app.mark(f"value beside {index}")


def texel_words(app: App, view: View) -> str:
    """Returns the values of a tab's texel, lane by lane, with the oracle's; empty without any."""
    texel, stored = view.pick, app.shown_in(view)
    if texel is None or stored is None:
        return ""
    with pane(app, view):
        readout = read_out(app.document, stored, *texel, chained=app.state.chained)
    if readout is None:
        return ""
    lanes = [each for each in readout.lanes if each.element >= 0]
    if view.against is not None:
        return ", ".join(f"{each.error:.5g}" for each in lanes if each.error is not None)
    return ", ".join(
        f"{each.actual:.5g}" + (f" (oracle {each.oracle:.5g})" if each.oracle is not None else "")
        for each in lanes
        if each.actual is not None
    )
