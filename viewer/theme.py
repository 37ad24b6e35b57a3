"""Defines fonts, colours, and the sign of each verdict (a shape and a colour, never colour alone)."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from imgui_bundle import ImVec2, ImVec4, imgui

from texelscope.viewer.palettes import DARK, LOOKS, RGBA, Look

FONT_PIXELS = 16.0


class Ink(list[float]):
    """Holds a colour by its role: red, green, blue and opacity in [0, 1], in the present look.

    The values of this object change when the look does.
    """

    def __init__(self, role: str) -> None:
        super().__init__(DARK[role])
        self.role = role


BACKGROUND = Ink("background")
PANEL = Ink("panel")
RAISED = Ink("raised")
LINE = Ink("line")
TEXT = Ink("text")
QUIET = Ink("quiet")
FAINT = Ink("faint")
ACCENT = Ink("accent")
GOOD = Ink("good")
WARNING = Ink("warning")
BAD = Ink("bad")
CHOSEN = Ink("chosen")
# The line of a shader that runs next: neither an error, nor a warning, nor a selection.
CURRENT = Ink("current")
HEADER = Ink("header")
ORANGE = Ink("orange")
CYAN = Ink("cyan")
VIOLET = Ink("violet")
_INKS = (BACKGROUND, PANEL, RAISED, LINE, TEXT, QUIET, FAINT, ACCENT, GOOD, WARNING, BAD, CHOSEN, CURRENT, HEADER,
         ORANGE, CYAN, VIOLET)  # fmt: skip

Colour = Ink | RGBA
# Colours over pictures, which are the same in both looks: text, the picked texel, the one under the mouse.
ON_PICTURE, PICKED, POINTED = DARK["text"], DARK["accent"], DARK["quiet"]


@dataclass(frozen=True)
class Sign:
    """How a verdict is drawn: `shape` is disc, half, ring, dots, cross, down, bar or bang. `meaning` is a sentence."""

    shape: str
    colour: Colour
    word: str
    meaning: str = ""


SIGNS: Mapping[str, Sign] = MappingProxyType(
    {
        "match": Sign("disc", GOOD, "match", "The values are the oracle's, within rounding."),
        "precision": Sign(
            "half",
            WARNING,
            "precision",
            "The values are right for the number format that stores them, but not for the precision that was declared.",
        ),
        "mismatch": Sign(
            "cross",
            BAD,
            "mismatch",
            "This pass is wrong by itself: from the inputs that it had, the oracle computes other values.",
        ),
        "not_its_meaning": Sign(
            "cross",
            BAD,
            "not what the kernel means",
            "The values are those of the recording, but the kernel's name promises others.",
        ),
        "nan": Sign("cross", BAD, "NaN", "The pass gives NaN where the oracle gives a number."),
        "unwritten": Sign("cross", BAD, "unwritten", "No fragment wrote some of the elements."),
        "error": Sign("bang", BAD, "error", "The pass could not run or is wired wrongly; the log says why."),
        "not_compared": Sign("ring", QUIET, "not compared", "The pass has run, but nothing was compared with it."),
        "not_run": Sign("ring", FAINT, "not run", "The pass has not run."),
        "inherited": Sign(
            "down",
            WARNING,
            "inherited",
            "The values are wrong because those of an earlier pass are: from "
            "the inputs that it had, this pass computes the right ones.",
        ),
        "injected": Sign("ring", WARNING, "injected", "The oracle's values stand in this pass's place."),
        "waiting": Sign("dots", QUIET, "comparing", "The pass has run; the comparison with the oracle is under way."),
        "inside": Sign(
            "bar",
            QUIET,
            "inside a fused pass",
            "A fused run computes this pass with others and does not store its values.",
        ),
    }
)


@dataclass(frozen=True)
class Fonts:
    """Holds the font of text, and the monospaced font of columns."""

    text: imgui.ImFont
    bold: imgui.ImFont
    mono: imgui.ImFont


def show(look: Look) -> None:
    """Draws everything from now on in the colours of that look."""
    colours = LOOKS[look]
    for ink in _INKS:
        ink[:] = colours[ink.role]
    if look == "light":
        imgui.style_colors_light()
    else:
        imgui.style_colors_dark()
    style = imgui.get_style()
    for name, role in _STYLE.items():
        style.set_color_(int(getattr(imgui.Col_, name)), ImVec4(*colours[role]))
    for name in ("child_bg", "scrollbar_bg"):
        style.set_color_(int(getattr(imgui.Col_, name)), ImVec4(0.0, 0.0, 0.0, 0.0))


def apply(scale: float = 1.0) -> Fonts:
    """Loads the fonts, and sets all sizes as `resize` does. Call once, before the first frame, then `show`."""
    resize(scale)
    regular, bold, mono = "Roboto/Roboto-Regular.ttf", "Roboto/Roboto-Bold.ttf", "Inconsolata-Medium.ttf"
    # The second font has what the first lacks: arrows in one case, Greek letters in the other.
    return Fonts(text=_font(regular, mono), bold=_font(bold, mono), mono=_font(mono, regular))


def resize(scale: float) -> None:
    """Sets spacing and the size of text for a display of `scale`, 1 at 96 dpi; call it between two frames."""
    style, first = imgui.get_style(), imgui.Style()
    for name in dir(first):  # imgui scales what it finds, and rounds it: sizes that were scaled before would drift
        if not name.startswith("_") and isinstance(value := getattr(first, name), float | ImVec2):
            setattr(style, name, value)
    style.window_padding = ImVec2(10, 8)
    style.frame_padding = ImVec2(8, 4)
    style.item_spacing = ImVec2(8, 5)
    style.window_rounding = style.child_rounding = 0.0
    style.frame_rounding = style.grab_rounding = style.tab_rounding = 3.0
    style.popup_rounding = 5.0
    style.window_border_size = style.tab_border_size = 0.0
    style.popup_border_size = 1.0
    style.scrollbar_size = 12.0
    style.docking_separator_size = 2.0
    style.scale_all_sizes(scale)
    style.font_scale_dpi = scale
    style.font_size_base = FONT_PIXELS


def packed(colour: Colour, alpha: float = 1.0) -> int:
    """Packs a colour for draw lists."""
    return int(imgui.get_color_u32(ImVec4(colour[0], colour[1], colour[2], colour[3] * alpha)))


def draw_sign(draw_list: imgui.ImDrawList, x: float, y: float, radius: float, sign: Sign) -> None:
    """Draws the sign of a verdict, centred at (x, y) in pixels."""
    colour = packed(sign.colour)
    centre = ImVec2(x, y)
    thickness = max(radius * 0.35, 1.5)
    if sign.shape == "disc":
        draw_list.add_circle_filled(centre, radius, colour, 16)
    elif sign.shape == "ring":
        draw_list.add_circle(centre, radius - 0.5, colour, 16, thickness * 0.8)
    elif sign.shape == "dots":
        for offset in (-0.75, 0.0, 0.75):
            draw_list.add_circle_filled(ImVec2(x + offset * radius, y), max(radius * 0.24, 1.0), colour, 8)
    elif sign.shape == "half":
        draw_list.add_circle(centre, radius - 0.5, colour, 16, thickness * 0.8)
        draw_list.path_arc_to(centre, radius, 1.5708, 4.7124, 12)
        draw_list.path_fill_convex(colour)
    elif sign.shape == "cross":
        reach = radius * 0.9
        draw_list.add_line(ImVec2(x - reach, y - reach), ImVec2(x + reach, y + reach), colour, thickness * 1.2)
        draw_list.add_line(ImVec2(x - reach, y + reach), ImVec2(x + reach, y - reach), colour, thickness * 1.2)
    elif sign.shape == "down":  # what is wrong comes from above
        reach = radius * 0.95
        corners = ImVec2(x - reach, y - reach * 0.7), ImVec2(x + reach, y - reach * 0.7), ImVec2(x, y + reach)
        draw_list.add_triangle(*corners, colour, thickness * 0.9)
    elif sign.shape == "bar":
        draw_list.add_line(ImVec2(x - radius * 0.8, y), ImVec2(x + radius * 0.8, y), colour, thickness * 1.2)
    else:
        draw_list.add_line(ImVec2(x, y - radius), ImVec2(x, y + radius * 0.3), colour, thickness * 1.4)
        draw_list.add_circle_filled(ImVec2(x, y + radius * 0.85), thickness * 0.75, colour, 8)


def _font(name: str, fallback: str) -> imgui.ImFont:
    fonts, folder = imgui.get_io().fonts, _font_folder()
    font = fonts.add_font_from_file_ttf(str(folder / name), FONT_PIXELS)
    merged = imgui.ImFontConfig()
    merged.merge_mode = True
    fonts.add_font_from_file_ttf(str(folder / fallback), FONT_PIXELS, merged)
    return font


def _font_folder() -> Path:
    spec = importlib.util.find_spec("imgui_bundle")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "assets" / "fonts"


# The colours of imgui's own parts, by role.
_STYLE: Mapping[str, str] = MappingProxyType(
    {
        "text": "text",
        "text_disabled": "quiet",
        "window_bg": "panel",
        "popup_bg": "popup",
        "border": "line",
        "frame_bg": "raised",
        "frame_bg_hovered": "raised_hovered",
        "frame_bg_active": "raised_active",
        "title_bg": "background",
        "title_bg_active": "background",
        "menu_bar_bg": "background",
        "button": "raised",
        "button_hovered": "raised_hovered",
        "button_active": "raised_active",
        "header": "header",
        "header_hovered": "header_hovered",
        "header_active": "header_active",
        "separator": "line",
        "tab": "background",
        "tab_hovered": "header_hovered",
        "tab_selected": "header",
        "tab_selected_overline": "accent",
        "tab_dimmed": "background",
        "tab_dimmed_selected": "raised",
        "tab_dimmed_selected_overline": "quiet",
        "docking_preview": "accent",
        "docking_empty_bg": "background",
        "modal_window_dim_bg": "dim",
        "check_mark": "accent",
        "slider_grab": "accent",
        "slider_grab_active": "accent",
        "plot_histogram": "progress",
        "text_selected_bg": "chosen",
        "nav_cursor": "accent",
        "table_header_bg": "raised",
        "table_border_light": "line",
        "table_row_bg_alt": "stripe",
    }
)
