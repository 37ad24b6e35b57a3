"""The Why panel lists the way of an error, from the value asked about back to the operand that is wrong first."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from texelscope.layouts.outside_text import in_cell
from texelscope.pipeline.stepping.reads import index_text
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.panel import Panel
from texelscope.viewer.why.model.trail import Trail, step_words, verdict_words
from texelscope.viewer.widgets.controls import shortened


class WhyPanel(Panel):
    """Lists the steps of an error and what is wrong first; a click goes to a step's texel."""

    title = "Why"
    place = "bottom_left"
    order = 2
    comes_and_goes = True

    def is_there(self, app: App) -> bool:
        """Returns whether somebody asked about a value."""
        return app.debugger.trail.is_there

    def draw(self, app: App) -> None:
        """Draws the conclusion, then a block for each step."""
        trail = app.debugger.trail
        if imgui.button("Close"):
            app.send("why_end")
        app.mark("why close")
        imgui.set_item_tooltip("Forgets this way; Q asks about the picked texel again")
        if trail.is_following or trail.waits:
            imgui.same_line()
            doing = "Following the error …" if trail.is_following else "Comparing the sum with the oracle's …"
            imgui.text_disabled(doing)
        if trail.conclusion:
            colour = theme.BAD if trail.steps[-1].is_wrong else theme.QUIET
            imgui.push_style_color(int(imgui.Col_.text), theme.packed(colour))
            imgui.text_wrapped(trail.conclusion)
            imgui.pop_style_color()
            app.mark("why conclusion")
        imgui.separator()
        imgui.begin_child("steps")
        for place in range(len(trail.steps)):
            _step(app, trail, place)
        imgui.end_child()


def _step(app: App, trail: Trail, place: int) -> None:
    step = trail.steps[place]
    stored = app.document.stored(step.key)
    if stored is None:
        return
    is_here = place == len(trail.steps) - 1 and not trail.is_following
    room = imgui.get_content_region_avail().x
    corner, line = imgui.get_cursor_screen_pos(), imgui.get_text_line_height_with_spacing()
    if imgui.selectable(f"##step{place}", is_here, 0, ImVec2(0, 2 * line))[0]:
        app.send("why_go_to", number=place)
    app.mark(f"why step {place}")
    title = f"{place + 1}  {in_cell(index_text(stored, step.element))}"
    imgui.set_item_tooltip("\n".join((title, *step_words(step), "Click to see this texel and what it reads.")))
    draw_list, indent = imgui.get_window_draw_list(), imgui.calc_text_size("0  ").x
    colour = theme.BAD if step.is_made_here else theme.QUIET
    draw_list.add_text(corner, theme.packed(theme.TEXT), shortened(title, room))
    below = ImVec2(corner.x + indent, corner.y + line)
    draw_list.add_text(below, theme.packed(colour), shortened(verdict_words(step), room - indent))


PANEL = WhyPanel()
