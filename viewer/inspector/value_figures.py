"""Draws the range of a layer's numbers: actual, oracle, difference, and how many are not finite."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.canvas.spread import Spread
from texelscope.viewer.state import ViewMode
from texelscope.viewer.texture.controls import odd_text
from texelscope.viewer.texture.shown import expected_of, spread
from texelscope.viewer.widgets.short_text import short_number

_LABEL_WIDTH = 78.0


def draw(app: App, name: str) -> None:
    """Draws the figures of the layer called `name`, if it has run."""
    stored, session = app.document.stored(name), app.document.session
    if stored is None or session is None or not session.is_valid(stored.key):
        return
    rows = [("actual", spread(app, stored, ViewMode.ACTUAL))]
    if expected_of(app, stored.key) is not None:
        rows.append(("oracle", spread(app, stored, ViewMode.ORACLE)))
        rows.append(("difference", spread(app, stored, ViewMode.DIFFERENCE)))
    imgui.dummy(ImVec2(0, 4 * app.scale))
    imgui.separator_text("Values")
    if not imgui.begin_table("values", 2, int(imgui.TableFlags_.sizing_fixed_fit)):
        return
    imgui.table_setup_column("what", int(imgui.TableColumnFlags_.width_fixed), _LABEL_WIDTH * app.scale)
    imgui.table_setup_column("value", int(imgui.TableColumnFlags_.width_stretch))
    for label, found in rows:
        imgui.table_next_row()
        imgui.table_next_column()
        imgui.text_disabled(label)
        imgui.table_next_column()
        imgui.text_wrapped(run_text(found))
        app.mark(f"values {label}")
        odd = odd_text(found)
        if odd:
            imgui.text_colored(theme.BAD, f"and {odd}")
    imgui.end_table()


def run_text(found: Spread) -> str:
    """Returns the range from the least finite number to the greatest, in words."""
    if found.low > found.high:
        return "no finite number"
    if found.low == found.high:
        return f"all {short_number(found.low)}"
    return f"{short_number(found.low)} to {short_number(found.high)}"
