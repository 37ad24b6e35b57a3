"""The Input panel feeds an input: a file, a test pattern, a painted picture, or a folder, video or camera."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import moderngl
import numpy as np
from imgui_bundle import ImVec2, imgui

from texelscope.layouts.outside_text import in_cell
from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.inputs.sources import PATTERNS, RULE, source_words
from texelscope.pipeline.plan import StoredTensor
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.inputs.model.brush import LiveStroke
from texelscope.viewer.inputs.model.painting import Planes, as_rgb, is_paintable
from texelscope.viewer.key_names import with_keys
from texelscope.viewer.panel import Panel
from texelscope.viewer.texture.paint import button_width, draw_radius, run_live, step_pieces, swatch_piece, swatches_of
from texelscope.viewer.widgets.controls import RowPiece, as_label, draw_row, shortened

# The meaning of the number after a pattern's colon; other patterns take none.
_ARGUMENTS = {"random": "seed", "normal": "seed", "checker": "side", "one-hot": "element", "one-channel": "channel"}
# The name of the panel's canvas, for the stroke that is painted on it.
_CANVAS = "input"


class InputPanel(Panel):
    """Chooses the source of a network's input."""

    title = "Input"
    place = "bottom"
    order = 6
    key = "9"

    def __init__(self) -> None:
        self._name = ""
        self._path = ""
        self._folder = ""
        self._pattern = "random"
        self._argument = 0
        self._paint = _Paint()

    def draw(self, app: App) -> None:
        """Draws the sources at the left and the canvas at the right."""
        document = app.document
        session, target = document.session, document.target
        if session is None or target is None or not session.plan.inputs:
            imgui.text_disabled("Nothing is open." if session is None else "This pipeline has no input.")
            return
        name = self._choose(app)
        stored = session.plan.textures[name]
        source = target.inputs.get(name, "")
        paintable = is_paintable(stored.shape)
        if paintable:
            imgui.begin_child("sources", ImVec2(imgui.get_content_region_avail().x * 0.55, 0))
        shape = "×".join(map(str, stored.shape)) or "scalar"
        imgui.text_unformatted(f"{in_cell(name)}  {shape}")
        imgui.same_line()
        about = (
            app.inputs.playback.about(source) or app.inputs.painted.about(source) or source_words(source, stored.shape)
        )
        imgui.text_disabled(shortened(about, imgui.get_content_region_avail().x))
        imgui.set_item_tooltip(about)
        self._file(app, name)
        self._patterns(app, name)
        self._live(app, name)
        if paintable:
            imgui.end_child()
            imgui.same_line()
            imgui.begin_child("paint")
            self._paint.draw(app, name, stored)
            imgui.end_child()

    def _choose(self, app: App) -> str:
        assert app.document.session is not None
        names = app.document.session.plan.inputs
        if app.selected in names:
            self._name = app.selected or ""
        if self._name not in names:
            self._name = names[0]
        if len(names) > 1:
            imgui.set_next_item_width(200 * app.scale)
            if imgui.begin_combo("##which", as_label(self._name)):
                for number, name in enumerate(names):
                    if imgui.selectable(f"{as_label(name)}##{number}", name == self._name)[0]:
                        self._name = name
                imgui.end_combo()
        return self._name

    def _file(self, app: App, name: str) -> None:
        entered, self._path = _line(app, "File", "##file", "picture or .npy; or drop one here", self._path)
        pressed = _button(app, "Load")
        if (pressed or entered) and self._path.strip():
            app.send("set_input", name=name, source=str(Path(self._path.strip()).expanduser()))
        elif pressed:
            app.send("select", name=name)  # the chosen file goes into the selected input
            app.send("open_dialog")
        imgui.set_item_tooltip(with_keys("Loads the file; without a path, lists files to choose from (Ctrl+O)"))

    def _patterns(self, app: App, name: str) -> None:
        _label(app, "Pattern")
        imgui.set_next_item_width(110 * app.scale)
        changed = False
        if imgui.begin_combo("##pattern", self._pattern, int(imgui.ComboFlags_.height_large)):
            for pattern in PATTERNS:
                if imgui.selectable(pattern, pattern == self._pattern)[0]:
                    self._pattern, changed = pattern, True
                app.mark(f"pattern {pattern}")
            imgui.end_combo()
        else:
            app.mark("pattern")
        argument = _ARGUMENTS.get(self._pattern)
        if argument is not None:
            imgui.same_line()
            imgui.set_next_item_width(84 * app.scale)
            moved, value = imgui.drag_int("##argument", self._argument, 0.2, 0, 2**31 - 1, f"{argument} %d")
            app.mark("pattern argument")
            imgui.set_item_tooltip(f"{argument.capitalize()}: drag, or double-click and type")
            self._argument, changed = max(value, 0), changed or moved
        if _button(app, "Set") or changed:
            suffix = f":{self._argument}" if argument is not None else ""
            app.send("set_input", name=name, source=f"{self._pattern}{suffix}")

    def _live(self, app: App, name: str) -> None:
        entered, self._folder = _line(app, "Live", "##folder", "a folder, GIF, video, or camera:0", self._folder)
        pressed = _button(app, "Play")
        imgui.set_item_tooltip(f"Pictures are {RULE.format(width='the input’s width', height='height')}.")
        if (pressed or entered) and self._folder.strip():
            app.send("play", name=name, folder=self._folder.strip())
        if app.inputs.playback.playing:
            _playing(app)
        _label(app, "Pace")
        imgui.set_next_item_width(120 * app.scale)
        playback = app.inputs.playback
        _, playback.seconds_per_frame = imgui.slider_float("##pace", playback.seconds_per_frame, 0.0, 3.0, "")
        imgui.same_line()
        imgui.text_disabled(f"{playback.seconds_per_frame:.2f} s per frame at least")


def _playing(app: App) -> None:
    """Draws pause, stop, and the position, with a slider if there is an end."""
    playback = app.inputs.playback
    _label(app, "")
    if imgui.button("Resume" if playback.paused else "Pause"):
        app.send("pause")
    app.mark("input pause")
    imgui.set_item_tooltip(with_keys("Ctrl+,"))
    imgui.same_line()
    if imgui.button("Stop"):
        app.send("stop_playing")
    app.mark("input stop")
    imgui.set_item_tooltip(with_keys("Ctrl+."))
    imgui.same_line()
    place, end = playback.position
    if not end:
        imgui.text_disabled(f"{playback.name}  {place:.1f} s")
        return
    imgui.set_next_item_width(-8.0 * app.scale)
    text = f"%.2f of {end:.2f} s" if playback.in_seconds else f"%.0f of {end:.0f}"
    moved, wanted = imgui.slider_float("##place", place, 0.0 if playback.in_seconds else 1.0, end, text)
    app.mark("input place")
    if moved:
        app.send("seek", place=wanted)


class _Paint:
    """The canvas: the network runs on a stroke while it is painted."""

    def __init__(self) -> None:
        self._planes: Planes | None = None
        self._of: object = None
        self._shown: Planes | None = None
        self._texture: moderngl.Texture | None = None

    def draw(self, app: App, name: str, stored: StoredTensor) -> None:
        """Draws colours, brush and clear, and below them the canvas, as large as fits."""
        _, _, height, width = as_nchw(stored.shape)
        draw_row(app, [swatch_piece(app, each) for each in swatches_of(app, stored)], "more colours")
        planes = self._current(app, name, stored)
        pieces = [
            RowPiece(22.0, partial(_colour, app)),
            RowPiece(84.0, partial(draw_radius, app, stored)),
            RowPiece(button_width(app, "Clear"), partial(_clear, app, name, planes)),
            *step_pieces(app, name, "paint"),
        ]
        draw_row(app, pieces, "more to paint")
        if planes is None:
            imgui.text_disabled("The input has no values yet.")
            return
        room = imgui.get_content_region_avail()
        zoom = max(min(room.x / width, room.y / height), 0.1)
        size = ImVec2(width * zoom, height * zoom)
        corner = imgui.get_cursor_screen_pos()
        imgui.image(imgui.ImTextureRef(self._picture(app, planes).glo), size)
        imgui.set_cursor_screen_pos(corner)
        imgui.invisible_button("canvas of paint", size)
        app.mark("paint")
        self._stroke(app, name, planes, (corner, zoom))

    def _stroke(self, app: App, name: str, planes: Planes, place: tuple[ImVec2, float]) -> None:
        """Paints with the mouse on the canvas, whose corner and zoom are given."""
        (corner, zoom), mouse = place, imgui.get_io().mouse_pos
        inputs, held = app.inputs, imgui.is_item_active()
        if held and inputs.stroke is None:
            inputs.stroke = LiveStroke.begin(name, _CANVAS, planes)
        if inputs.stroke is not None and inputs.stroke.canvas == _CANVAS:
            if held:
                inputs.stroke.go_to(((mouse.x - corner.x) / zoom, (mouse.y - corner.y) / zoom), inputs.brush)
                run_live(app, inputs.stroke)
            else:
                app.send("end_stroke")
        if imgui.is_item_hovered():
            draw_list = imgui.get_window_draw_list()
            draw_list.add_circle(mouse, inputs.brush.radius * zoom, theme.packed(theme.TEXT), 24, 1.5)

    def _current(self, app: App, name: str, stored: StoredTensor) -> Planes | None:
        """Returns the planes being painted, or those of the input as captured last."""
        stroke = app.inputs.stroke
        if stroke is not None and stroke.name == name:
            return stroke.after
        values, planes = app.document.present(name), as_nchw(stored.shape)[1:]
        if values is not None and values is not self._of:
            self._planes, self._of = np.asarray(values, dtype=np.float32).reshape(planes), values
        elif self._planes is not None and self._planes.shape != planes:
            self._planes = self._of = None
        return self._planes

    def _picture(self, app: App, planes: Planes) -> moderngl.Texture:
        _, height, width = planes.shape
        session = app.document.session
        assert session is not None
        if self._texture is None or self._texture.size != (width, height):
            if self._texture is not None:
                self._texture.release()
            self._texture = session.context.texture((width, height), 3, alignment=1)
            self._texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
            self._shown = None
        if self._shown is not planes:
            self._texture.write(as_rgb(planes).tobytes(), alignment=1)
            self._shown = planes
        return self._texture


def _colour(app: App) -> None:
    """Draws the choice of any other colour."""
    brush, no_inputs = app.inputs.brush, imgui.ColorEditFlags_.no_inputs | imgui.ColorEditFlags_.no_label
    changed, edited = imgui.color_edit3("colour", list(brush.colour), int(no_inputs))
    if changed:
        brush.colour = (edited[0], edited[1], edited[2])
    imgui.set_item_tooltip("Any other colour")


def _clear(app: App, name: str, planes: Planes | None) -> None:
    """Draws the button that paints over everything with zeros."""
    if imgui.button("Clear") and planes is not None:
        app.send("paint", name=name, before=planes, after=np.zeros_like(planes))
    app.mark("paint clear")


def _label(app: App, text: str) -> None:
    imgui.align_text_to_frame_padding()
    imgui.text_disabled(text)
    imgui.same_line(64 * app.scale)


def _line(app: App, label: str, name: str, hint: str, text: str) -> tuple[bool, str]:
    _label(app, label)
    imgui.set_next_item_width(-64.0 * app.scale)
    entered, text = imgui.input_text_with_hint(name, hint, text, int(imgui.InputTextFlags_.enter_returns_true))
    app.mark(f"input {label.lower()}")
    return bool(entered), text


def _button(app: App, label: str) -> bool:
    imgui.same_line()
    pressed = imgui.button(label)
    app.mark(f"input {label.lower()}")
    return bool(pressed)


PANEL = InputPanel()
