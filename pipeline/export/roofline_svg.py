"""Draws a roofline as SVG inside a page: no script, colours of the page's style, names as titles."""

from __future__ import annotations

import math
from collections.abc import Sequence

from texelscope.layouts.outside_text import in_html
from texelscope.pipeline.roofline.chart import (
    Box,
    Chart,
    Roof,
    RooflinePoint,
    beside_points,
    free,
    roof_text,
    tick_text,
)
from texelscope.pipeline.short_text import BEGINNING, cut

_WIDTH, _HEIGHT = 920, 460
_LEFT, _RIGHT, _TOP, _BOTTOM = 72, 24, 20, 56
# Letters of a name beside its point, and their size in units of the picture.
_MOST_LETTERS, _LETTER, _LINE = 28, 6.6, 15
_RADIUS = 4.5


# Where along a line its name may stand, in order of preference, and a sufficient distance in pixels.
_ALONG = (0.7, 0.5, 0.85, 0.3, 0.4, 0.6, 0.2)
_ENOUGH_ROOM = 22.0
# From x, y to x, y.
_Segment = tuple[float, float, float, float]
_FRAME = Box(_LEFT, 0, _WIDTH - _RIGHT, _HEIGHT - _BOTTOM)


def svg(chart: Chart) -> str:
    """Returns the picture; its style is in the page (`templates/report.html`)."""
    parts = [
        f'<svg class="roofline" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="Roofline of the passes">',
        *_grid(chart),
        *_roofs(chart),
        *(_stem(chart, point) for point in chart.named),
        *_names(chart),
        *(_mark(chart, point) for point in reversed(chart.points)),
        "</svg>",
    ]
    return "\n".join(parts)


def _x(chart: Chart, intensity: float) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * chart.x.share(intensity)


def _y(chart: Chart, gflops: float) -> float:
    return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * chart.y.share(gflops)


def _grid(chart: Chart) -> list[str]:
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    parts = []
    for value in chart.x.ticks():
        x = _x(chart, value)
        parts.append(f'<line class="grid-line" x1="{x:.1f}" y1="{_TOP}" x2="{x:.1f}" y2="{bottom}"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{tick_text(value)}</text>')
    for value in chart.y.ticks():
        y = _y(chart, value)
        parts.append(f'<line class="grid-line" x1="{_LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{tick_text(value)}</text>')
    middle = (_TOP + bottom) / 2
    parts.append(f'<text x="{(_LEFT + right) / 2}" y="{bottom + 42}" text-anchor="middle">operations a byte</text>')
    parts.append(f'<text transform="translate(16 {middle}) rotate(-90)" text-anchor="middle">GFLOP/s</text>')
    return parts


def _roofs(chart: Chart) -> list[str]:
    """Draws each line in the picture, with its name along it; arithmetic from where the fastest textures feed it."""
    top = max(roof.gflops or 0.0 for roof in chart.roofs)
    fastest = max(roof.gbytes or 1e-12 for roof in chart.roofs)
    parts, named = [], list[_Segment]()
    for roof, box in zip(chart.roofs, _flat_names(chart), strict=True):
        text = in_html(roof_text(roof))
        if roof.gflops is None or box is None:
            parts += _slope(chart, roof, top, text, named)
            continue
        y, left, right = _y(chart, roof.gflops), _x(chart, roof.gflops / fastest), _WIDTH - _RIGHT
        parts.append(f'<line class="roof" x1="{left:.1f}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}"/>')
        parts.append(f'<text class="roof-name" x="{right - 4}" y="{box.y1 - 4:.1f}" text-anchor="end">{text}</text>')
    return parts


def _flat_names(chart: Chart) -> list[Box | None]:
    """Returns the places of names of arithmetic lines, at their right ends; None for other lines."""
    found: list[Box | None] = []
    reach = _RADIUS + 1
    places = [(_x(chart, point.intensity), _y(chart, point.gflops)) for point in chart.points]
    marks = [Box(x - reach, y - reach, x + reach, y + reach) for x, y in places]
    for roof in chart.roofs:
        if roof.gflops is None:
            found.append(None)
            continue
        y, right = _y(chart, roof.gflops), _WIDTH - _RIGHT
        box = Box(right - _LETTER * len(roof_text(roof)), y - _LINE, right, y)
        taken = [*marks, *(each for each in found if each is not None)]
        found.append(free([box.moved(0, step) for step in (0, _LINE + 4, -_LINE)], taken, _FRAME))
    return found


def _slope(chart: Chart, roof: Roof, top: float, text: str, named: list[_Segment]) -> list[str]:
    """Draws a line of bytes from the edge of the picture to the highest peak, its name along it."""
    rate = roof.gbytes or 1e-12
    low = max(chart.x.low, chart.y.low / rate)
    high = min(chart.x.high, top / rate)
    if high <= low:
        return []
    x0, y0, x1, y1 = _x(chart, low), _y(chart, low * rate), _x(chart, high), _y(chart, high * rate)
    length, half = math.hypot(x1 - x0, y1 - y0), _LETTER * len(text) / 2
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    places = [(x0 + (x1 - x0) * along, y0 + (y1 - y0) * along) for along in _ALONG]
    segments = [(x - dx * half, y - dy * half, x + dx * half, y + dy * half) for x, y in places]
    segment = _clear(segments, chart, named)
    named.append(segment)
    x, y, angle = (segment[0] + segment[2]) / 2, (segment[1] + segment[3]) / 2, math.degrees(math.atan2(dy, dx))
    return [
        f'<line class="roof" x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}"/>',
        f'<text class="roof-name" transform="translate({x:.1f} {y:.1f}) rotate({angle:.1f})" '
        f'dy="-5" text-anchor="middle">{text}</text>',
    ]


def _clear(segments: Sequence[_Segment], chart: Chart, named: Sequence[_Segment]) -> _Segment:
    """Returns the place with the most room to points and other names, up to a sufficient distance."""
    points = [(_x(chart, point.intensity), _y(chart, point.gflops)) for point in chart.points]
    for x0, y0, x1, y1 in named:
        points += [(x0 + (x1 - x0) * share, y0 + (y1 - y0) * share) for share in (0.0, 0.25, 0.5, 0.75, 1.0)]

    def room(segment: _Segment) -> float:
        return min((_distance(segment, *point) for point in points), default=_ENOUGH_ROOM)

    return max(segments, key=lambda segment: min(room(segment), _ENOUGH_ROOM))


def _distance(segment: _Segment, x: float, y: float) -> float:
    """Returns the distance from a point to a segment."""
    x0, y0, x1, y1 = segment
    share = ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / ((x1 - x0) ** 2 + (y1 - y0) ** 2)
    share = min(max(share, 0.0), 1.0)
    return math.hypot(x - x0 - share * (x1 - x0), y - y0 - share * (y1 - y0))


def _stem(chart: Chart, point: RooflinePoint) -> str:
    """Draws a line from a pass up to its own limit."""
    x, y, limit = _x(chart, point.intensity), _y(chart, point.gflops), _y(chart, point.limit_gflops)
    return f'<path class="stem" d="M{x:.1f} {y:.1f}V{limit:.1f}M{x - 6:.1f} {limit:.1f}H{x + 6:.1f}"/>'


def _mark(chart: Chart, point: RooflinePoint) -> str:
    kind = "counted" if point.is_counted else "moving"
    x, y = _x(chart, point.intensity), _y(chart, point.gflops)
    title = f"<title>{in_html(point.text)}</title>"
    return f'<circle class="pass {kind}" cx="{x:.1f}" cy="{y:.1f}" r="{_RADIUS}">{title}</circle>'


def _names(chart: Chart) -> list[str]:
    """Draws the names of the slowest passes."""
    names = [cut(point.name, _MOST_LETTERS, beginning=BEGINNING) for point in chart.named]
    places = [(_x(chart, point.intensity), _y(chart, point.gflops)) for point in chart.points]
    texts = [box for box in _flat_names(chart) if box is not None]
    boxes = beside_points(places, [(_LETTER * len(name), _LINE) for name in names], _FRAME, _RADIUS + 1, texts)
    return [
        f'<text class="pass-name" x="{box.x0:.1f}" y="{box.y1 - 3.5:.1f}">{in_html(name)}</text>'
        for name, box in zip(names, boxes, strict=True)
    ]
