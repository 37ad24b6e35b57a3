"""The tour: five steps, each beside the panel that it is about. Shown at the first start, and from the Help menu."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from imgui_bundle import ImVec2, imgui

from texelscope.pipeline.target import Target
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.commands.planted_bug import PASS, is_planted

_TITLE = "Tour"
_WIDTH = 380.0


@dataclass(frozen=True)
class TourStep:
    """`panel` is the title of the panel that a step points at."""

    panel: str
    title: str
    text: str


STEPS = (
    TourStep(
        "Layers",
        "Every pass, in order",
        "The network runs as framebuffer passes, one below the other. The sign before a name says how a pass compares "
        "with the numpy oracle: a disc for a match, a cross for a mismatch. At the right are its GPU time and its "
        "error, as a multiple of what rounding explains. F4 goes to the first wrong pass.",
    ),
    TourStep(
        "Texture",
        "The tensor as the texture that it is",
        "Four channels are a tile, one in each lane: R, G, B and A show them apart, 'as' gives each a tile of its own. "
        "The wheel zooms at the pointer, dragging moves, F fits; far enough in, every texel shows its value. Keys 1 to "
        "6 change between actual, oracle, their difference and more.",
    ),
    TourStep(
        "Taps",
        "What one texel reads",
        "Click a texel: the texels that it reads light up in every input. Green is read as expected, red is read and "
        "should not be, yellow should be read and is not.",
    ),
    TourStep(
        "Shader",
        "The shader that made it",
        "Change it here or in any editor: Ctrl+S compiles it, and the network runs again from this pass on. Errors "
        "stand on their lines, while the last good program goes on.",
    ),
    TourStep(
        "Findings",
        "What the bug is called",
        "For a pass that is wrong, this names the cause, the share of wrong values that it explains and, a moment "
        "later, the line that mends it: Apply tries that out and saves nothing. A click on a finding goes to the "
        "place. Ctrl+P lists everything else there is to do.",
    ),
)


def draw(app: App) -> None:
    """The present step, if the tour is on, and an outline around its panel."""
    number = app.state.tour
    if number is None:
        return
    step = STEPS[number]
    if app.state.tour_shown != number:
        app.state.tour_shown = number
        _show(app, step)
    area = app.places.get(f"inside {step.panel}")
    if area is None:
        area = (0.0, 0.0, imgui.get_main_viewport().size.x, imgui.get_main_viewport().size.y)
    _outline(area, app.scale)
    imgui.set_next_window_pos(_beside(area, app.scale))
    imgui.set_next_window_size(ImVec2(_WIDTH * app.scale, 0))
    flags = imgui.WindowFlags_
    fixed = flags.no_decoration | flags.no_docking | flags.no_saved_settings | flags.no_move
    imgui.push_style_var(int(imgui.StyleVar_.window_border_size), 1.0)
    imgui.push_style_color(int(imgui.Col_.border), theme.packed(theme.ACCENT))
    imgui.begin(_TITLE, None, int(fixed | flags.no_focus_on_appearing))
    imgui.pop_style_color()
    imgui.pop_style_var()
    imgui.internal.bring_window_to_display_front(imgui.internal.get_current_window())
    _words(app, step)
    _buttons(app, number)
    imgui.end()
    if imgui.is_key_pressed(imgui.Key.escape):
        app.send("end_tour")


def _show(app: App, step: TourStep) -> None:
    """Brings a step's panel to the front, with a pass to look at."""
    app.state.shown_panels.pop(step.panel, None)
    imgui.set_window_focus(step.panel)
    session = app.document.session
    if step is not STEPS[0] and session is not None and app.selected in session.plan.inputs and app.document.passes:
        app.send("select", name=PASS if is_planted(app) else app.document.passes[0].name)


def _words(app: App, step: TourStep) -> None:
    imgui.push_font(app.fonts.bold, theme.FONT_PIXELS * 1.15)
    imgui.text_unformatted(step.title)
    imgui.pop_font()
    imgui.push_text_wrap_pos(0.0)
    imgui.text_unformatted(step.text)
    if step is STEPS[-1] and is_planted(app):
        imgui.text_unformatted(f"{PASS} has a bug for you to see; 'Back to the original' in its shader takes it out.")
    imgui.pop_text_wrap_pos()
    imgui.dummy(ImVec2(0, 4 * app.scale))


def _buttons(app: App, number: int) -> None:
    last = number == len(STEPS) - 1
    if last and app.demo is not None:
        if imgui.button("Open shaders with bugs of their own"):
            app.send("open_buggy_example")
            app.send("end_tour")
        app.mark("tour example")
    if imgui.button("Done" if last else "Next"):
        if last:
            app.send("end_tour")
        else:
            app.send("tour", step=number + 1)
    app.mark("tour next")
    if number > 0:
        imgui.same_line()
        if imgui.button("Back"):
            app.send("tour", step=number - 1)
    if not last:
        imgui.same_line()
        if imgui.button("Skip the tour"):
            app.send("end_tour")
        app.mark("tour skip")
    imgui.same_line()
    imgui.align_text_to_frame_padding()
    imgui.text_disabled(f"{number + 1} of {len(STEPS)}")


def go_to_step(app: App, step: int = 0) -> None:
    """Shows a step of the tour."""
    app.state.tour = min(max(step, 0), len(STEPS) - 1)
    app.state.tour_shown = None


def end(app: App) -> None:
    """Ends the tour; it does not come by itself again."""
    app.state.tour = None
    app.remembering.settings.toured = True
    app.remembering.save()


def open_buggy_example(app: App) -> None:
    """The bundled shaders with a known bug."""
    if app.demo is not None:
        examples = Path(app.demo.path).resolve().parent.parent
        app.send("open", target=Target(str(examples / "webgl_cnn" / "as_written" / "pipeline.toml")))


def _outline(area: tuple[float, float, float, float], scale: float) -> None:
    left, top, width, height = area
    draw_list = imgui.get_foreground_draw_list()
    inset = 1.5 * scale
    draw_list.add_rect(
        ImVec2(left + inset, top + inset),
        ImVec2(left + width - inset, top + height - inset),
        theme.packed(theme.ACCENT),
        4.0 * scale,
        2.0 * scale,
    )


def _beside(area: tuple[float, float, float, float], scale: float) -> ImVec2:
    """Where the words stand: right of a panel at the left edge, else over its upper part or above a low one."""
    left, top, width, height = area
    screen = imgui.get_main_viewport().size
    wide, gap, high = _WIDTH * scale, 14 * scale, 235 * scale
    if left < 4 and left + width + gap + wide < screen.x / 2 + wide:
        x = left + width + gap
    else:
        x = min(max(left + (width - wide) / 2, gap), screen.x - wide - gap)
    y = top - high - gap if top > screen.y / 2 else top + min(height * 0.18, 90 * scale)
    return ImVec2(x, max(y, gap))
