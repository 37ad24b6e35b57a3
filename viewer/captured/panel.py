"""The Captured panel compares the selected layer on another device with this one, and shows the difference."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from imgui_bundle import ImVec2, imgui
from numpy.typing import NDArray

from texelscope.pipeline.compare.report import Finding, PassReport, ratio_text
from texelscope.pipeline.compare.words import cause_words, detail_words
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import StoredTensor
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.canvas.canvas import Picture
from texelscope.viewer.captured.model import ShownCapture
from texelscope.viewer.colour.ranges import Range, shown_range
from texelscope.viewer.panel import Panel
from texelscope.viewer.state import ViewMode
from texelscope.viewer.widgets.controls import shortened

_NO_DIFFERENCE = 1e-6
_GAP, _SMALLEST = 10.0, 60
# Pictures take this part of the panel's height, text the rest.
_PICTURES = 0.68


@dataclass(frozen=True)
class _Beside:
    """A layer on both devices. `ours` are this session's values, in the tensor's shape, None before they exist."""

    key: str
    stored: StoredTensor
    theirs: NDArray[np.float32]
    ours: NDArray[np.float32] | None
    generation: int
    values: tuple[float, float]
    difference: float


class CapturedPanel(Panel):
    """Shows both devices' textures, the difference, verdicts and causes."""

    title = "Captured"
    place = "centre"
    order = 1
    key = "["
    comes_and_goes = True

    def __init__(self) -> None:
        self._known: tuple[tuple[int, int, str], _Beside] | None = None

    def is_there(self, app: App) -> bool:
        """Returns whether a capture is open."""
        return app.analyses.captured.shown_beside(app.document.session) is not None

    def draw(self, app: App) -> None:
        """Draws the device and its verdict, three pictures, and the known cause."""
        shown, name = app.analyses.captured.shown_beside(app.document.session), app.selected
        if shown is None or name is None:
            return
        report = shown.report.find(name)
        _heading(app, shown, name, report)
        own = app.document.stored(name)
        if own is None or shown.stored(own.key) is None:
            imgui.text_disabled("This layer was not captured.")
            return
        beside = self._beside(app, shown, own)
        room = imgui.get_content_region_avail()
        gap = _GAP * app.scale
        side = max(int((room.x - 2 * gap) / 3), _SMALLEST)
        high = max(int(room.y * _PICTURES - imgui.get_text_line_height_with_spacing()), _SMALLEST)
        for number, (title, legend) in enumerate(_titles(beside)):
            if number:
                imgui.same_line(0, gap)
            imgui.begin_group()
            imgui.text_unformatted(title)
            imgui.same_line()
            imgui.text_disabled(legend)
            _picture(app, shown, beside, number, (side, high))
            imgui.end_group()
        imgui.begin_child("causes", ImVec2(0, 0))
        _causes(shown, report)
        imgui.end_child()

    def _beside(self, app: App, shown: ShownCapture, own: StoredTensor) -> _Beside:
        """Collects values and ranges, once for each time that a texture is written."""
        session, stored = app.document.session, shown.stored(own.key)
        assert session is not None
        assert stored is not None
        generation = session.generation(own.key)
        asked = (shown.number, generation, own.key)
        if self._known is None or self._known[0] != asked:
            theirs, ours = shown.captured.capture.tensors[own.key], app.document.values(own.key)
            self._known = (
                asked,
                _Beside(
                    own.key, stored, theirs, ours, generation, _range(theirs, ours), _largest_difference(theirs, ours)
                ),
            )
        return self._known[1]


def _titles(beside: _Beside) -> tuple[tuple[str, str], ...]:
    low, high = beside.values
    values = f"{low:.3g} … {high:.3g}"
    return ("There", values), ("Here", values), ("There − here", _difference_text(beside.difference))


def _difference_text(difference: float) -> str:
    return "none" if difference <= _NO_DIFFERENCE else f"±{difference:.3g}"


def _heading(app: App, shown: ShownCapture, name: str, report: PassReport | None) -> None:
    """Draws whose verdicts these are, and both verdicts on the selected layer."""
    under_way = f"  {app.analyses.captured.job.title} …" if app.analyses.captured.job is not None else ""
    imgui.push_font(app.display.fonts.bold, 0.0)
    room = imgui.get_content_region_avail().x - imgui.calc_text_size(under_way).x
    imgui.text_colored(theme.ACCENT, shortened(shown.renderer, room))
    imgui.pop_font()
    imgui.set_item_tooltip(f"{shown.renderer}, {shown.report.device.version}\n{shown.captured.path}")
    if under_way:
        imgui.same_line(0, 0)
        imgui.text_disabled(under_way)
    here = app.document.report_of(name)
    for word, found in (("there", report), ("here", here)):
        if found is None:
            continue
        sign, at = theme.SIGNS[found.verdict], imgui.get_cursor_screen_pos()
        middle = at.y + imgui.get_text_line_height() / 2
        theme.draw_sign(imgui.get_window_draw_list(), at.x + 6 * app.scale, middle, 5.5 * app.scale, sign)
        imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + 16 * app.scale)
        ratio = f", {ratio_text(found.isolated.bound_ratio)}× its bound" if found.isolated is not None else ""
        imgui.text_unformatted(f"{word}: {sign.word}{ratio}")
        app.mark(f"captured {word}")
        imgui.same_line(0, 24 * app.scale)
    imgui.new_line()


def _picture(app: App, shown: ShownCapture, beside: _Beside, number: int, room: tuple[int, int]) -> None:
    """Draws one of the three pictures, whole, with a read-out under the mouse."""
    session = app.document.session
    assert session is not None
    stored = replace(beside.stored, key=f"captured {beside.key}")
    height, width = stored.texture_shape
    zoom = min(room[0] / width, room[1] / height)
    size = (max(int(width * zoom), 1), max(int(height * zoom), 1))
    if number and beside.ours is None:
        imgui.dummy(ImVec2(*size))
        return
    low, high = (-beside.difference, beside.difference) if number == 2 else beside.values
    picture = Picture(
        key=stored.key, generation=shown.number if number != 1 else -beside.generation,
        mode=ViewMode.DIFFERENCE if number == 2 else ViewMode.ACTUAL, origin=(0.0, 0.0), pixels_per_texel=zoom,
        size=size,
        value_range=shown_range(Range(), low, high), lanes=(True,) * 4, seam=0.0, mark_negative=False,
        oracle=beside.generation if number == 2 else 0, colours=app.state.colours.map_of(signed=low < 0.0),
    )  # fmt: skip
    expected = Expected(beside.ours, None) if number == 2 and beside.ours is not None else None
    if number == 1:
        assert beside.ours is not None
        texture = app.display.canvas.hold("here", beside.generation, beside.stored.encode(beside.ours))
    else:
        texture = app.display.canvas.hold("there", _number(shown, beside.key), shown.texels(beside.key))
    drawn = app.display.canvas.draw(f"captured {number}", texture, stored, expected, picture)
    at = imgui.get_cursor_screen_pos()
    imgui.image(imgui.ImTextureRef(drawn.glo), ImVec2(*size))
    app.mark(f"captured {('there', 'here', 'difference')[number]} picture")
    if imgui.is_item_hovered():
        mouse = imgui.get_io().mouse_pos
        _read_out(beside, int((mouse.x - at.x) / zoom), int((mouse.y - at.y) / zoom))


def _number(shown: ShownCapture, key: str) -> int:
    """Returns a number that identifies a captured texture."""
    return shown.number * len(shown.captured.plan.textures) + list(shown.captured.plan.textures).index(key)


def _read_out(beside: _Beside, tx: int, ty: int) -> None:
    """Shows a texel's elements with both values."""
    layout, shape = beside.stored.layout, beside.stored.shape
    height, width = beside.stored.texture_shape
    if not (0 <= tx < width and 0 <= ty < height):
        return
    lines = [f"texel ({tx}, {ty})"]
    for lane in range(layout.lanes):
        element = layout.index_of(shape, tx, ty, lane)
        if element >= 0:
            ours = f", here {beside.ours.flat[element]:.6g}" if beside.ours is not None else ""
            index = tuple(int(place) for place in np.unravel_index(element, shape or (1,)))
            lines.append(f"{list(index)}: there {beside.theirs.flat[element]:.6g}{ours}")
    imgui.set_tooltip("\n".join(lines if len(lines) > 1 else [*lines, "padding"]))


def _causes(shown: ShownCapture, report: PassReport | None) -> None:
    """Draws the findings about the layer on that device."""
    if report is None:
        imgui.text_disabled("Inputs are those of the capture.")
        return
    for finding in report.findings:
        _finding(finding)
    if report.message:
        imgui.text_wrapped(report.message)
    elif report.verdict == "match":
        imgui.text_disabled("That device computes the right result for its inputs.")
    elif not shown.is_diagnosed:
        imgui.text_disabled("Looking for the cause …")


def _finding(finding: Finding) -> None:
    place = f"  {finding.place.rpartition('/')[2]}" if finding.line is not None else ""
    imgui.text_colored(theme.BAD, cause_words(finding))
    imgui.same_line()
    imgui.text_disabled(f"{detail_words(finding)}  explains {finding.explained:.1%}{place}")
    imgui.text_wrapped(finding.evidence)
    imgui.push_style_color(int(imgui.Col_.text), theme.packed(theme.ACCENT))
    imgui.text_wrapped(f"→ {finding.remedy}")
    imgui.pop_style_color()


def _range(theirs: NDArray[np.float32], ours: NDArray[np.float32] | None) -> tuple[float, float]:
    """Returns the smallest and largest finite value of both."""
    finite = [each[np.isfinite(each)] for each in (theirs, ours) if each is not None]
    found = np.concatenate([each.reshape(-1) for each in finite])
    return (float(found.min()), float(found.max())) if found.size else (0.0, 1.0)


def _largest_difference(theirs: NDArray[np.float32], ours: NDArray[np.float32] | None) -> float:
    if ours is None:
        return _NO_DIFFERENCE
    with np.errstate(all="ignore"):
        apart = np.abs(theirs.astype(np.float64) - ours)
    apart = apart[np.isfinite(apart)]
    return max(float(apart.max(initial=0.0)), _NO_DIFFERENCE)


PANEL = CapturedPanel()
