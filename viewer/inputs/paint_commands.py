"""Implements the commands that paint on inputs: strokes, the brush, the input beside the output."""

from __future__ import annotations

from imgui_bundle import imgui

from texelscope.pipeline.errors import TexelscopeError
from texelscope.viewer.app import App
from texelscope.viewer.colour.picture import has_picture
from texelscope.viewer.command import Command, MenuGroup, chord
from texelscope.viewer.inputs.model.painting import Planes, is_paintable
from texelscope.viewer.state import View
from texelscope.viewer.undoing.model import StrokeDeed


def _paint(app: App, name: str, before: Planes, after: Planes) -> None:
    app.inputs.painted.paint(app.document, name, before, after)
    app.deeds.note(StrokeDeed())


def _paint_live(app: App) -> None:
    """Runs the network on the stroke as far as it is painted, if it has run on what was before.

    Nothing runs before the end of a stroke where every run is another frame.
    """
    stroke, session = app.inputs.stroke, app.document.session
    if stroke is None or session is None or app.document.run.is_under_way:
        return
    planes = stroke.to_send()
    if planes is not None and not session.plan.has_frames:
        app.inputs.painted.show(app.document, stroke.name, planes)


def _end_stroke(app: App) -> None:
    stroke, app.inputs.stroke = app.inputs.stroke, None
    if stroke is not None:
        _paint(app, stroke.name, stroke.before, stroke.after)


def _brush(app: App) -> None:
    _end_stroke(app)
    app.inputs.brush.on = not app.inputs.brush.on


def _paint_beside(app: App) -> None:
    """Shows the input beside the output. Raises TexelscopeError if one of them is no picture."""
    if not input_beside_output(app):
        raise TexelscopeError(
            "input beside output",
            "a model with a picture as input and a picture as output",
            "a model without" if app.document.session is not None else "nothing open",
            "Open one, such as the demo (Ctrl+D).",
        )


def input_beside_output(app: App) -> bool:
    """Shows an input that can be painted on beside the output, both whole; returns False if one is no picture."""
    state, session = app.state, app.document.session
    if session is None:
        return False
    plan = session.plan
    given = next((name for name in plan.inputs if is_paintable(plan.textures[name].shape)), None)
    makers = (plan.find(key) for key in plan.outputs if has_picture(plan.textures[key].shape))
    output = next((maker.name for maker in makers if maker is not None), None)
    if given is None or output is None:
        return False
    state.visit = None
    if state.selected not in plan.inputs:
        state.selected = given
    if output not in [view.locked for view in state.views]:
        state.views.append(View(locked=output))
    state.side_by_side, state.active_view, state.wanted_view = True, 0, 0
    return True


COMMANDS = (
    Command("paint", _paint),
    Command("paint_live", _paint_live),
    Command("end_stroke", _end_stroke),
    Command("brush", _brush, "Paint on the input, or put the brush away", "E", chord(imgui.Key.e)),
    Command("paint_beside", _paint_beside, "Input beside output, to paint", "Shift+E",
            chord(imgui.Key.e, shift=True)),
)  # fmt: skip
MENUS = (MenuGroup("Run", 61, ("brush", "paint_beside")),)
