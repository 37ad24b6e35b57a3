"""Series of times as pictures beside each other, on logarithmic axes, as one SVG for light and dark pages."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from texelscope.pipeline.roofline.chart import Axis, tick_text

# Value, measured milliseconds, milliseconds by the line.
Row = tuple[int, float, float]

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 320, 300, 58, 16, 28, 48
_STYLE = """
  svg { background: #ffffff; } text { fill: #4a525c; font: 12px sans-serif; }
  .title { fill: #1d2126; font-weight: 600; }
  .grid { stroke: #dddfe2; } .line { stroke: #8a6a00; fill: none; stroke-width: 1.5; } .point { fill: #1d5fb0; }
  @media (prefers-color-scheme: dark) {
    svg { background: #16181c; } text { fill: #9aa2ad; } .title { fill: #e4e6ea; }
    .grid { stroke: #343942; } .line { stroke: #d9b04a; } .point { fill: #7db4ff; }
  }
"""


def picture(series: Sequence[tuple[str, Sequence[Row]]]) -> str:
    """The SVG; all series have the same axis of milliseconds, so that their heights compare."""
    times = [ms for _, rows in series for _, measured, line in rows for ms in (measured, line) if ms > 0]
    y = Axis(10.0 ** math.floor(math.log10(min(times))), 10.0 ** math.ceil(math.log10(max(times))))
    width = _WIDTH * len(series)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {_HEIGHT}" width="{width}" height="{_HEIGHT}">',
        f"<style>{_STYLE}</style>",
    ]
    for number, (name, rows) in enumerate(series):
        parts.append(f'<g transform="translate({number * _WIDTH} 0)">')
        parts += _panel(name, rows, y, is_first=number == 0)
        parts.append("</g>")
    return "\n".join([*parts, "</svg>", ""])


def _panel(name: str, rows: Sequence[Row], y_axis: Axis, *, is_first: bool) -> list[str]:
    x_axis = Axis(rows[0][0] / 1.2, rows[-1][0] * 1.2)
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT

    def x(value: float) -> float:
        return _LEFT + (right - _LEFT) * x_axis.share(value)

    def y(ms: float) -> float:
        return bottom - (bottom - _TOP) * y_axis.share(ms)

    parts = [f'<text class="title" x="{_LEFT}" y="18">{name}</text>']
    for tick in y_axis.ticks():
        parts.append(f'<line class="grid" x1="{_LEFT}" y1="{y(tick):.1f}" x2="{right}" y2="{y(tick):.1f}"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick_text(tick)}</text>')
    for value in _shown([row[0] for row in rows], x):
        parts.append(f'<line class="grid" x1="{x(value):.1f}" y1="{_TOP}" x2="{x(value):.1f}" y2="{bottom}"/>')
        parts.append(f'<text x="{x(value):.1f}" y="{bottom + 18}" text-anchor="middle">{value:,}</text>')
    if is_first:
        parts.append(
            f'<text transform="translate(14 {(_TOP + bottom) / 2}) rotate(-90)" text-anchor="middle">ms</text>'
        )
    line = " ".join(f"{x(value):.1f},{y(ms):.1f}" for value, _, ms in rows)
    parts.append(f'<polyline class="line" points="{line}"/>')
    parts += [f'<circle class="point" cx="{x(value):.1f}" cy="{y(ms):.1f}" r="4"/>' for value, ms, _ in rows]
    return parts


def _shown(values: Sequence[int], x: Callable[[float], float]) -> list[int]:
    """Values with a number below: all that leave room for the next, the last in any case."""
    shown = [values[-1]]
    for value in reversed(values[:-1]):
        if x(shown[-1]) - x(value) > 26:
            shown.append(value)
    return shown
