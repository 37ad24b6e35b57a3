"""Lists why a model does not learn, with the evidence; a click selects the layer that shows it."""

from __future__ import annotations

from imgui_bundle import imgui

from texelscope.layouts.outside_text import in_cell
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.widgets.short_text import as_label


def draw(app: App) -> None:
    """Draws a row for each finding of the training, with its evidence below; nothing without findings."""
    for number, finding in enumerate(app.training.findings):
        imgui.push_style_color(int(imgui.Col_.text), theme.packed(theme.WARNING))
        title = f"{as_label(finding.cause)}: {as_label(finding.tensor)}##finding {number}"
        clicked, _ = imgui.selectable(title, p_selected=False)
        imgui.pop_style_color()
        app.mark(f"train finding {number}")
        if clicked and (layer := _layer(app, finding.tensor)) is not None:
            app.send("select", name=layer)
        imgui.indent(12 * app.scale)
        imgui.push_style_color(int(imgui.Col_.text), theme.packed(theme.QUIET))
        imgui.text_wrapped(in_cell(f"It {finding.evidence}"))
        imgui.pop_style_color()
        imgui.unindent(12 * app.scale)


def _layer(app: App, tensor: str) -> str | None:
    """Returns the input or pass that has the tensor."""
    session = app.document.session
    if session is None:
        return None
    if tensor in session.plan.inputs:
        return tensor
    return next((each.name for each in session.plan.passes if tensor in each.outputs), None)
