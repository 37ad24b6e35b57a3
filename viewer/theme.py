"""How the window looks: fonts, colours, and the sign of each verdict (a shape and a colour, never colour alone)."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from imgui_bundle import ImVec2, ImVec4, imgui

FONT_PIXELS = 16.0

# RGBA in [0, 1].
BACKGROUND = (0.078, 0.086, 0.102, 1.0)
PANEL = (0.102, 0.114, 0.137, 1.0)
RAISED = (0.157, 0.176, 0.212, 1.0)
LINE = (0.235, 0.259, 0.306, 1.0)
TEXT = (0.898, 0.910, 0.929, 1.0)
QUIET = (0.604, 0.635, 0.690, 1.0)
ACCENT = (0.337, 0.612, 0.894, 1.0)
GOOD = (0.310, 0.745, 0.655, 1.0)
WARNING = (0.929, 0.745, 0.322, 1.0)
BAD = (0.941, 0.463, 0.353, 1.0)
FAINT = (0.42, 0.45, 0.51, 1.0)
# The line of a shader that runs next: neither an error, nor a warning, nor a selection.
CURRENT = (0.800, 0.860, 0.300, 1.0)

Colour = tuple[float, float, float, float]


@dataclass(frozen=True)
class Sign:
    """How a verdict is drawn: `shape` is disc, half, ring, cross, bar or bang."""

    shape: str
    colour: Colour
    word: str


SIGNS: Mapping[str, Sign] = MappingProxyType(
    {
        "match": Sign("disc", GOOD, "match"),
        "precision": Sign("half", WARNING, "precision"),
        "mismatch": Sign("cross", BAD, "mismatch"),
        "nan": Sign("cross", BAD, "NaN"),
        "unwritten": Sign("cross", BAD, "unwritten"),
        "error": Sign("bang", BAD, "error"),
        "not_compared": Sign("ring", QUIET, "not compared"),
        "not_run": Sign("ring", FAINT, "not run"),
        "inherited": Sign("half", WARNING, "inherited"),
        "injected": Sign("ring", WARNING, "injected"),
        "waiting": Sign("ring", QUIET, "comparing"),
        "inside": Sign("bar", QUIET, "inside of a form"),
    }
)


@dataclass(frozen=True)
class Fonts:
    """Text for people and text in columns."""

    text: imgui.ImFont
    bold: imgui.ImFont
    mono: imgui.ImFont


def apply(scale: float = 1.0) -> Fonts:
    """Sets colours, spacing and fonts for a display of `scale` (1 at 96 dpi). Call once, before the first frame."""
    style = imgui.get_style()
    imgui.style_colors_dark()
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
    for name, colour in _PALETTE.items():
        style.set_color_(int(getattr(imgui.Col_, name)), ImVec4(*colour))
    style.scale_all_sizes(scale)
    style.font_scale_dpi = scale
    style.font_size_base = FONT_PIXELS
    regular, bold, mono = "Roboto/Roboto-Regular.ttf", "Roboto/Roboto-Bold.ttf", "Inconsolata-Medium.ttf"
    # The second font has what the first lacks: arrows in one case, Greek letters in the other.
    return Fonts(text=_font(regular, mono), bold=_font(bold, mono), mono=_font(mono, regular))


def packed(colour: Colour, alpha: float = 1.0) -> int:
    """A colour for draw lists."""
    return int(imgui.get_color_u32(ImVec4(colour[0], colour[1], colour[2], colour[3] * alpha)))


def draw_sign(draw_list: imgui.ImDrawList, x: float, y: float, radius: float, sign: Sign) -> None:
    """The sign of a verdict, centred at (x, y) in pixels."""
    colour = packed(sign.colour)
    centre = ImVec2(x, y)
    thickness = max(radius * 0.35, 1.5)
    if sign.shape == "disc":
        draw_list.add_circle_filled(centre, radius, colour, 16)
    elif sign.shape == "ring":
        draw_list.add_circle(centre, radius - 0.5, colour, 16, thickness * 0.8)
    elif sign.shape == "half":
        draw_list.add_circle(centre, radius - 0.5, colour, 16, thickness * 0.8)
        draw_list.path_arc_to(centre, radius, 1.5708, 4.7124, 12)
        draw_list.path_fill_convex(colour)
    elif sign.shape == "cross":
        reach = radius * 0.9
        draw_list.add_line(ImVec2(x - reach, y - reach), ImVec2(x + reach, y + reach), colour, thickness * 1.2)
        draw_list.add_line(ImVec2(x - reach, y + reach), ImVec2(x + reach, y - reach), colour, thickness * 1.2)
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


_PALETTE: Mapping[str, Colour] = MappingProxyType(
    {
        "text": TEXT,
        "text_disabled": QUIET,
        "window_bg": PANEL,
        "child_bg": (0.0, 0.0, 0.0, 0.0),
        "popup_bg": (0.125, 0.141, 0.169, 0.98),
        "border": LINE,
        "frame_bg": RAISED,
        "frame_bg_hovered": (0.204, 0.227, 0.271, 1.0),
        "frame_bg_active": (0.235, 0.263, 0.314, 1.0),
        "title_bg": BACKGROUND,
        "title_bg_active": BACKGROUND,
        "menu_bar_bg": BACKGROUND,
        "scrollbar_bg": (0.0, 0.0, 0.0, 0.0),
        "button": RAISED,
        "button_hovered": (0.224, 0.251, 0.302, 1.0),
        "button_active": (0.275, 0.310, 0.373, 1.0),
        "header": (0.204, 0.290, 0.392, 1.0),
        "header_hovered": (0.231, 0.333, 0.451, 1.0),
        "header_active": (0.263, 0.376, 0.506, 1.0),
        "separator": LINE,
        "tab": BACKGROUND,
        "tab_hovered": (0.231, 0.333, 0.451, 1.0),
        "tab_selected": PANEL,
        "tab_selected_overline": ACCENT,
        "tab_dimmed": BACKGROUND,
        "tab_dimmed_selected": PANEL,
        "tab_dimmed_selected_overline": LINE,
        "docking_preview": (0.337, 0.612, 0.894, 0.6),
        "docking_empty_bg": BACKGROUND,
        "modal_window_dim_bg": (0.0, 0.0, 0.0, 0.5),
        "check_mark": ACCENT,
        "slider_grab": ACCENT,
        "slider_grab_active": ACCENT,
        "plot_histogram": (0.204, 0.400, 0.604, 1.0),  # of progress bars: white words stand on it
        "text_selected_bg": (0.204, 0.353, 0.529, 1.0),
        "nav_cursor": ACCENT,
        "table_header_bg": RAISED,
        "table_border_light": LINE,
        "table_row_bg_alt": (1.0, 1.0, 1.0, 0.02),
    }
)
