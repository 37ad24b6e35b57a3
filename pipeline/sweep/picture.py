"""A sweep as a picture, SVG or PNG: a row a layout and precision, a mark a size, shapes beside colours.

Marks stand along the first brace, on a scale of its logarithm where it spans much.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from texelscope.layouts.outside_text import in_html
from texelscope.pipeline.atomic_files import write_text_whole, write_whole
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.sweep.points import State, SweepPoint
from texelscope.pipeline.sweep.sweeping import Sweep, SweepRow
from texelscope.pipeline.sweep.text import conclusion

_LEFT, _TOP, _ROW, _WIDTH, _RIGHT, _BOTTOM = 260, 64, 34, 640, 40, 76
_MARK = 5
# A logarithmic scale from here on.
_WIDE = 8
_COLOURS: dict[State, str] = {"right": "#1a7f5a", "wrong": "#c0392b", "not run": "#8a8f98"}
_INK, _FAINT, _PAPER = "#23272e", "#d8dce2", "#ffffff"
SUFFIXES = (".svg", ".png")
# Pixels of a PNG for each unit.
_SCALE = 2


@dataclass(frozen=True)
class _Line:
    x0: float
    y0: float
    x1: float
    y1: float
    colour: str
    width: float = 1.0


@dataclass(frozen=True)
class _Circle:
    x: float
    y: float
    radius: float
    colour: str
    filled: bool


@dataclass(frozen=True)
class _Text:
    x: float
    y: float
    text: str
    anchor: str = "start"
    colour: str = _INK


_Shape = _Line | _Circle | _Text


def save_picture(sweep: Sweep, path: Path) -> None:
    """Writes the picture, whole or not at all. Raises TexelscopeError for another ending and where it cannot be."""
    check_suffix(path)
    width, height, shapes = _drawn(sweep)
    if path.suffix.lower() == ".svg":
        write_text_whole(path, _svg(width, height, shapes))
    else:
        write_whole(path, lambda unfinished: _png(width, height, shapes).save(unfinished, format="PNG"))


def check_suffix(path: Path) -> None:
    """Raises TexelscopeError for a path that ends otherwise than a picture of these."""
    if path.suffix.lower() not in SUFFIXES:
        raise TexelscopeError(
            f"--plot {path}", f"a file ending in {' or '.join(SUFFIXES)}", f"'{path.suffix}'", "Change its ending."
        )


def _drawn(sweep: Sweep) -> tuple[int, int, list[_Shape]]:
    """Width, height and what is drawn, in units of a pixel of the SVG, y downwards."""
    place = _scale(sweep)
    bottom = _TOP + _ROW * len(sweep.rows)
    line = conclusion(sweep)
    shapes: list[_Shape] = [_Text(16, 28, line)]
    for value in _ticks(sweep):
        shapes.append(_Line(place(value), _TOP - 8, place(value), bottom, _FAINT))
        shapes.append(_Text(place(value), bottom + 18, str(value), "middle"))
    for number, row in enumerate(sweep.rows):
        shapes += _row(sweep, row, _TOP + _ROW * number + _ROW / 2, place)
    name = f"{{{sweep.braces[0].text}}}" if sweep.braces else "as it is"
    shapes.append(_Text(_LEFT + _WIDTH / 2, bottom + 40, f"size {name}", "middle"))
    shapes += _legend(bottom + 60)
    return max(_LEFT + _WIDTH + _RIGHT, 32 + 7 * len(line)), bottom + _BOTTOM, shapes


def _row(sweep: Sweep, row: SweepRow, y: float, place: Callable[[int], float]) -> list[_Shape]:
    shapes: list[_Shape] = [_Line(_LEFT, y, _LEFT + _WIDTH, y, _FAINT)]
    shapes.append(_Text(_LEFT - 16, y + 4, _label(sweep, row), "end"))
    for point in row.points:
        shapes += _mark(place(_value(sweep, point)), y, point.state)
    if row.smallest is not None and sweep.braces:
        x = place(_value(sweep, row.smallest))
        shapes.append(_Line(x, y - 12, x, y + 12, _COLOURS["wrong"], 2))
        shapes.append(_Text(x + 6, y - 7, f"{_value(sweep, row.smallest)}", colour=_COLOURS["wrong"]))
    return shapes


def _label(sweep: Sweep, row: SweepRow) -> str:
    """Layout and precision, and the device where there are several."""
    several = len({each.device for each in sweep.rows}) > 1
    return f"{row.layout}, {row.precision}{', ' + row.device.renderer[:20] if several else ''}"


def _mark(x: float, y: float, state: State) -> list[_Shape]:
    colour = _COLOURS[state]
    if state != "wrong":
        return [_Circle(x, y, _MARK, colour, filled=state == "right")]
    return [
        _Line(x - _MARK, y - _MARK, x + _MARK, y + _MARK, colour, 2),
        _Line(x - _MARK, y + _MARK, x + _MARK, y - _MARK, colour, 2),
    ]


def _legend(y: float) -> list[_Shape]:
    shapes: list[_Shape] = []
    for number, state in enumerate(_COLOURS):
        x = _LEFT + 90 * number
        shapes += [*_mark(x, y - 4, state), _Text(x + 12, y, state)]
    return shapes


def _value(sweep: Sweep, point: SweepPoint) -> int:
    return point.sizes[sweep.braces[0].text] if sweep.braces else 0


def _scale(sweep: Sweep) -> Callable[[int], float]:
    """From a size to x."""
    values = [_value(sweep, point) for row in sweep.rows for point in row.points] or [0]
    low, high = min(values), max(values)
    if low == high:
        return lambda _value: _LEFT + _WIDTH / 2
    if low and high >= _WIDE * low:
        return lambda value: _LEFT + _WIDTH * math.log(value / low) / math.log(high / low)
    return lambda value: _LEFT + _WIDTH * (value - low) / (high - low)


def _ticks(sweep: Sweep) -> list[int]:
    """Sizes with a number below: the probes, fewer where they are many."""
    if not sweep.braces:
        return []
    probes = sweep.braces[0].probes
    step = -(-len(probes) // 14)
    found = [*probes[::step]]
    far = [value for value in found if abs(_scale(sweep)(value) - _scale(sweep)(probes[-1])) > 40]
    return [*far, probes[-1]]


def _svg(width: int, height: int, shapes: list[_Shape]) -> str:
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="{_PAPER}"/>',
    ]
    for each in shapes:
        if isinstance(each, _Line):
            lines.append(
                f'<line x1="{each.x0:.1f}" y1="{each.y0:.1f}" x2="{each.x1:.1f}" y2="{each.y1:.1f}" '
                f'stroke="{each.colour}" stroke-width="{each.width:g}"/>'
            )
        elif isinstance(each, _Circle):
            fill = each.colour if each.filled else _PAPER
            lines.append(
                f'<circle cx="{each.x:.1f}" cy="{each.y:.1f}" r="{each.radius:g}" '
                f'fill="{fill}" stroke="{each.colour}"/>'
            )
        else:
            lines.append(
                f'<text x="{each.x:.1f}" y="{each.y:.1f}" text-anchor="{each.anchor}" fill="{each.colour}">'
                f"{in_html(each.text)}</text>"
            )
    return "\n".join([*lines, "</svg>"]) + "\n"


def _png(width: int, height: int, shapes: list[_Shape]) -> Image.Image:
    picture = Image.new("RGB", (width * _SCALE, height * _SCALE), _PAPER)
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(12 * _SCALE)
    anchors = {"start": "ls", "middle": "ms", "end": "rs"}
    for each in shapes:
        if isinstance(each, _Line):
            ends = [each.x0 * _SCALE, each.y0 * _SCALE, each.x1 * _SCALE, each.y1 * _SCALE]
            draw.line(ends, fill=each.colour, width=round(each.width * _SCALE))
        elif isinstance(each, _Circle):
            corners = [(each.x - each.radius) * _SCALE, (each.y - each.radius) * _SCALE]
            corners += [(each.x + each.radius) * _SCALE, (each.y + each.radius) * _SCALE]
            draw.ellipse(corners, fill=each.colour if each.filled else _PAPER, outline=each.colour, width=_SCALE)
        else:
            draw.text((each.x * _SCALE, each.y * _SCALE), each.text, each.colour, font, anchors[each.anchor])
    return picture
