"""Shows the tour: five steps, each beside its panel, at the first start and from the Help menu."""

from __future__ import annotations

from dataclasses import dataclass

from imgui_bundle import ImVec2, imgui

from texelscope.pipeline.target import Target
from texelscope.pipeline.untrusted_files.door import real_path
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.key_names import with_keys
from texelscope.viewer.shader_editor.commands import run_text
from texelscope.viewer.shell.example_commands import folder_of

_TITLE = "Tour"
_WIDTH = 380.0

# The bug that the tour plants in the demo: in this pass, whose shader is one of these files, depending on the layout.
PASS = "down2"
FILES = ("shaders/operators/conv.channel_tiles_rgba.glsl", "shaders/operators/conv.glsl")
# It forgets the padding at the left: the whole layer reads one column too far to the right.
RIGHT, WRONG = "- ivec2(PAD_TOP, PAD_LEFT)", "- ivec2(PAD_TOP, 0)"


@dataclass(frozen=True)
class TourStep:
    """A step of the tour; `panel` is the title of the panel that it points at."""

    panel: str
    title: str
    text: str


STEPS = (
    TourStep(
        "Layers",
        "Every pass, in order",
        "The network runs as framebuffer passes, listed in order. The sign before a name says how a pass compares "
        "with the numpy oracle: a disc for a match, a cross for a mismatch. At the right are its GPU time and its "
        "error, as a multiple of its rounding bound. F4 goes to the first wrong pass.",
    ),
    TourStep(
        "Texture",
        "The tensor as a texture",
        "A tile holds four channels, one in each lane: R, G, B and A show them separately, 'as' shows another layout. "
        "The wheel zooms at the pointer, dragging moves, F fits; zoomed in, every texel shows its value. Keys 1 to "
        "6 switch between actual, oracle, their difference and more.",
    ),
    TourStep(
        "Taps",
        "The reads of one texel",
        "Click a texel: the texels that it reads light up in every input. Green ones are read as expected, red ones "
        "are read but should not be, yellow ones should be read but are not.",
    ),
    TourStep(
        "Shader",
        "The shader that made it",
        with_keys(
            "Edit it here or in any editor: Ctrl+S compiles it, and the network runs again from this pass on. Errors "
            "are shown on their lines, while the last good program keeps running."
        ),
    ),
    TourStep(
        "Findings",
        "The name of the bug",
        with_keys(
            "For a wrong pass, this panel names the cause, the share of wrong values that it explains and, a moment "
            "later, the line that repairs it: Apply tries that out and saves nothing. Click a finding to go to its "
            "place. Ctrl+P lists all other commands."
        ),
    ),
)


def draw(app: App) -> None:
    """Draws the present step, if the tour is on, and an outline around its panel."""
    number = app.state.tour
    if number is None:
        return
    step = STEPS[number]
    if app.state.tour_shown != number:
        app.state.tour_shown = number
        _show(app, step)
    area = app.display.places.get(f"inside {step.panel}")
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
    """Brings a step's panel to the front, with a pass to show."""
    app.state.shown_panels.pop(step.panel, None)
    imgui.set_window_focus(step.panel)
    session = app.document.session
    if step is not STEPS[0] and session is not None and app.selected in session.plan.inputs and app.document.passes:
        app.send("select", name=PASS if is_planted(app) else app.document.passes[0].name)


def _words(app: App, step: TourStep) -> None:
    imgui.push_font(app.display.fonts.bold, theme.FONT_PIXELS * 1.15)
    imgui.text_unformatted(step.title)
    imgui.pop_font()
    imgui.push_text_wrap_pos(0.0)
    imgui.text_unformatted(step.text)
    if step is STEPS[-1] and is_planted(app):
        imgui.text_unformatted(f"{PASS} has a planted bug; 'Back to the original' in its shader removes it.")
    imgui.pop_text_wrap_pos()
    imgui.dummy(ImVec2(0, 4 * app.scale))


def _buttons(app: App, number: int) -> None:
    last = number == len(STEPS) - 1
    if last and app.demo is not None:
        if imgui.button("Open an example with other bugs"):
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
            if is_demo(app):
                app.send("paint_beside")
        app.mark("tour skip")
    imgui.same_line()
    imgui.align_text_to_frame_padding()
    imgui.text_disabled(f"{number + 1} of {len(STEPS)}")


def go_to_step(app: App, step: int = 0) -> None:
    """Shows a step of the tour."""
    app.state.tour = min(max(step, 0), len(STEPS) - 1)
    app.state.tour_shown = None


def end(app: App) -> None:
    """Ends the tour; it does not start automatically again."""
    app.state.tour = None
    app.remembering.settings.toured = True
    app.remembering.save()


def open_buggy_example(app: App) -> None:
    """Opens the bundled shaders with a known bug."""
    examples = folder_of(app)
    if examples is not None:
        app.send("open", target=Target(str(examples / "webgl_cnn" / "as_written.toml")))


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
    """Returns where the text is placed: right of a panel at the left edge, else over its upper part or above it."""
    left, top, width, height = area
    screen = imgui.get_main_viewport().size
    wide, gap, high = _WIDTH * scale, 14 * scale, 235 * scale
    if left < 4 and left + width + gap + wide < screen.x / 2 + wide:
        x = left + width + gap
    else:
        x = min(max(left + (width - wide) / 2, gap), screen.x - wide - gap)
    y = top - high - gap if top > screen.y / 2 else top + min(height * 0.18, 90 * scale)
    return ImVec2(x, max(y, gap))


def plant(app: App) -> None:
    """Makes one pass of the open demo run with a wrong shader text; nothing is saved."""
    session = app.document.session
    found = session.plan.find(PASS) if session is not None else None
    file = next((each for each in found.program.files if each.path in FILES), None) if found is not None else None
    if file is None or RIGHT not in file.text:
        return
    run_text(app, PASS, file, file.text.replace(RIGHT, WRONG))
    app.log.add(f"'{PASS}' has a bug, planted for the tour: 'Back to the original' in the shader panel removes it.")


def is_demo(app: App) -> bool:
    """Returns whether the bundled demo is open."""
    origin = app.document.origin
    return app.demo is not None and origin is not None and real_path(origin) == real_path(app.demo.path)


def is_planted(app: App) -> bool:
    """Returns whether the planted bug is still there."""
    session = app.document.session
    if session is None or session.plan.find(PASS) is None:
        return False
    return any(each.path in FILES and WRONG in each.text for each in session.program_source(PASS).files)
