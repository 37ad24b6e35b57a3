"""Computes a roofline chart: passes by operations a byte and a second, under lines of the device's peaks.

Both axes are logarithmic (Williams, Waterman, Patterson: Roofline, Communications of the ACM 52(4), 2009). A pass whose
operations are not counted stands at one for every element that it makes.

Names stand beside their points: in the picture, on no point and on no other name, if there is room.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from texelscope.pipeline.plan import Plan
from texelscope.pipeline.roofline.peaks import TEXEL_BYTES, Peaks
from texelscope.pipeline.roofline.work import By, PassWork, limit_of, work_of


@dataclass(frozen=True)
class Box:
    """Bounds a rectangle in units of the picture, y downwards."""

    x0: float
    y0: float
    x1: float
    y1: float

    def moved(self, dx: float, dy: float) -> Box:
        """Returns the box elsewhere."""
        return Box(self.x0 + dx, self.y0 + dy, self.x1 + dx, self.y1 + dy)

    def meets(self, other: Box) -> bool:
        """Whether there is more than an edge in common."""
        return self.x0 < other.x1 and other.x0 < self.x1 and self.y0 < other.y1 and other.y0 < self.y1

    def is_inside(self, other: Box) -> bool:
        """Whether all of it lies inside the other."""
        return other.x0 <= self.x0 and self.x1 <= other.x1 and other.y0 <= self.y0 and self.y1 <= other.y1


def free(places: Sequence[Box], taken: Sequence[Box], frame: Box) -> Box:
    """Returns the first of the places that lies in the frame and meets no taken box; the first where none does."""
    for box in places:
        if box.is_inside(frame) and not any(box.meets(other) for other in taken):
            return box
    return places[0]


def beside_points(
    points: Sequence[tuple[float, float]],
    sizes: Sequence[tuple[float, float]],
    frame: Box,
    radius: float,
    texts: Sequence[Box] = (),
) -> list[Box]:
    """Returns a box for the name of each of the first points, of these widths and heights; marks are `radius` large.

    `texts` are the boxes already taken.
    """
    taken = [*texts, *(Box(x - radius, y - radius, x + radius, y + radius) for x, y in points)]
    found = []
    for (x, y), (width, height) in zip(points, sizes, strict=False):
        gap = radius + 3
        right = Box(x + gap, y - height / 2, x + gap + width, y + height / 2)
        sides = (0.0, -width - 2 * gap, -gap - width / 2)
        places = [right.moved(dx, dy * height) for dy in (0, 1, -1, 2, 3, 4, -2, -3) for dx in sides]
        box = free(places, taken, frame)
        taken.append(box)
        found.append(box)
    return found


# The slowest passes have their names beside them; others show theirs under the pointer.
MOST_NAMES = 5


@dataclass(frozen=True)
class RooflinePoint:
    """Places one pass: `intensity` in operations a byte, `gflops` that it achieves and those of its limit."""

    name: str
    operator: str
    intensity: float
    gflops: float
    limit_gflops: float
    limited_by: By
    gpu_ms: float
    is_counted: bool

    @property
    def text(self) -> str:
        """The text under the pointer."""
        rate = f"{self.gflops:.3g} GFLOP/s, " if self.is_counted else ""
        share = self.gflops / self.limit_gflops
        return (
            f"{self.name} ({self.operator}): {self.gpu_ms:.3g} ms, {rate}{share:.1%} of its limit by {self.limited_by}"
        )


@dataclass(frozen=True)
class Roof:
    """A peak: of arithmetic, `gflops` at any intensity; of textures, `gbytes` a second, which rises with it."""

    label: str
    gflops: float | None = None
    gbytes: float | None = None

    def at(self, intensity: float) -> float:
        """Returns the GFLOP/s that it allows there."""
        return self.gflops if self.gflops is not None else intensity * (self.gbytes or 0.0)


@dataclass(frozen=True)
class Axis:
    """Spans a logarithmic axis from one power of ten to another."""

    low: float
    high: float

    def ticks(self) -> tuple[float, ...]:
        """Powers of ten, every second or third one where they are many."""
        first, last = round(math.log10(self.low)), round(math.log10(self.high))
        step = 1 + (last - first) // 8
        return tuple(10.0**power for power in range(first, last + 1, step))

    def share(self, value: float) -> float:
        """Returns where a value stands: 0 at the low end, 1 at the high one, not beyond them."""
        place = math.log(max(value, 1e-300) / self.low) / math.log(self.high / self.low)
        return min(max(place, 0.0), 1.0)


@dataclass(frozen=True)
class Chart:
    """Holds points with the slowest first, roofs, and axes that cover all of them."""

    points: tuple[RooflinePoint, ...]
    roofs: tuple[Roof, ...]
    x: Axis
    y: Axis

    @property
    def named(self) -> tuple[RooflinePoint, ...]:
        """The slowest passes."""
        return self.points[:MOST_NAMES]


def tick_text(value: float) -> str:
    """Formats a power of ten for people: 0.001, 0.1, 1, 1,000."""
    return f"{value:,.0f}" if value >= 1.0 else f"{value:.{round(-math.log10(value))}f}"


def chart_of(
    plan: Plan,
    gpu_ms: Mapping[str, float | None],
    peaks: Peaks,
    *,
    works: Mapping[str, PassWork] | None = None,
    in_compute: Collection[str] = (),
) -> Chart | None:
    """The passes that have a time, in milliseconds by name; None if none has.

    `works` are those known already; passes `in_compute` have its limits, and the lines of bytes are its own then.
    """
    points = []
    for each in plan.passes:
        took = gpu_ms.get(each.name)
        if took:
            work = works[each.name] if works is not None and each.name in works else work_of(plan, each)
            count = work.operations if work.operations is not None else work.elements
            limit = limit_of(work, peaks, in_compute=each.name in in_compute)
            found = RooflinePoint(
                each.name,
                each.operator,
                count / max(work.bytes, 1),
                count / took / 1e6,
                count / max(limit.ms, 1e-12) / 1e6,
                limit.by,
                took,
                work.operations is not None,
            )
            points.append(found)
    if not points:
        return None
    points.sort(key=lambda point: point.gpu_ms, reverse=True)
    roofs = roofs_of(peaks, in_compute=bool(in_compute))
    ridge = max(roof.gflops or 0.0 for roof in roofs) / min(roof.gbytes for roof in roofs if roof.gbytes)
    tops = [roof.gflops for roof in roofs if roof.gflops is not None]
    x = _axis([*(point.intensity for point in points), ridge])
    y = _axis([*(point.gflops for point in points), *(point.limit_gflops for point in points), *tops])
    return Chart(tuple(points), roofs, x, y)


def roofs_of(peaks: Peaks, *, in_compute: bool = False) -> tuple[Roof, ...]:
    """Returns the lines: arithmetic in fragments and in compute; textures read from memory and caches, and filled."""
    found = [Roof("fragments", gflops=peaks.fragment.gflops)]
    rates = peaks.compute if in_compute and peaks.compute is not None else peaks.fragment
    if peaks.compute is not None:
        found.append(Roof("compute", gflops=peaks.compute.gflops))
    return (
        *found,
        Roof("reads, memory", gbytes=rates.read_gbytes),
        Roof("reads, caches", gbytes=rates.fetch_gtexels * TEXEL_BYTES),
        Roof("writes", gbytes=rates.fill.rgba32f * TEXEL_BYTES),
    )


def roof_text(roof: Roof) -> str:
    """Returns a line's name with its figure."""
    if roof.gflops is not None:
        return f"{roof.label} {roof.gflops:,.0f} GFLOP/s"
    rate = roof.gbytes or 0.0
    return f"{roof.label} {f'{rate:,.0f}' if rate >= 100.0 else f'{rate:.3g}'} GB/s"


def _axis(values: Sequence[float]) -> Axis:
    """Spans from the power of ten below the least to the one above the largest."""
    known = [value for value in values if value > 0.0]
    low, high = math.floor(math.log10(min(known))), math.ceil(math.log10(max(known)))
    return Axis(10.0**low, 10.0 ** max(high, low + 1))
