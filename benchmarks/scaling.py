"""Whether cost grows as it should: the time of 3x3 convolutions against channels, size and layers.

    python -m benchmarks.scaling                    # a table for each, in at most six minutes
    python -m benchmarks.scaling --write docs       # and docs/pictures/scaling.svg, and the tables into docs/speed.md

A line of two parts is laid through each series: what a run costs in any case, and a cost for every product. What lies
a quarter or more off the line is explained by what was measured beside the time: how many cores were busy, and how many
with other programs, how large the target is, how many products a fragment sums, in how many draws a pass runs.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import onnx
import psutil
from onnx import TensorProto, helper, numpy_helper

from benchmarks.peers.table import put_between
from benchmarks.scaling_picture import picture
from texelscope import pipeline
from texelscope.pipeline.atomic_files import write_whole
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.device import Device
from texelscope.pipeline.gl.context import device_of
from texelscope.pipeline.target import DEFAULT_LAYOUT

CHANNELS = (16, 32, 64, 128, 256, 512, 1024)
SIZES = (32, 64, 128, 256, 512, 1024)
LAYERS = (1, 2, 5, 10, 20, 50, 100, 200)
# What the series hold still.
SIZE, WIDTH = 32, 16
SECONDS = 300.0
_LEAST_RUNS, _MOST_RUNS = 3, 200
# So far off the line a point is explained.
_OFF = 1.25
# Cores that other programs may keep busy without being told of.
_QUIET = 0.2


@dataclass(frozen=True)
class Point:
    """One model. `products` are summed in a run of it, `terms` of them for each element.

    `cores` were busy on average, the driver's threads included, and `others` with other programs; `target` is the last
    texture's width and height; `draws` are those of a run.
    """

    value: int
    products: int
    passes: int
    terms: int
    ms: float
    submit_ms: float
    first_ms: float
    cores: float
    others: float
    target: tuple[int, int]
    texture_bytes: int
    draws: int

    @property
    def gflops(self) -> float:
        """10⁹ operations a second: a product and a sum each."""
        return 2 * self.products / self.ms / 1e6


@dataclass(frozen=True)
class Line:
    """Milliseconds of a run in any case, and for 10⁹ products."""

    base_ms: float
    giga_ms: float

    def at(self, point: Point) -> float:
        """What the point should take."""
        return self.base_ms + self.giga_ms * point.products / 1e9


@dataclass(frozen=True)
class Series:
    """One thing that grows, the others held still. `on_cores`: the driver computes on the machine's own cores."""

    name: str
    still: str
    points: tuple[Point, ...]
    line: Line
    on_cores: bool


def chain(*, channels: int, size: int, layers: int) -> onnx.ModelProto:
    """So many 3x3 convolutions with bias of `channels` to as many, of [1, channels, size, size], one after another."""
    random = np.random.default_rng(0)
    nodes, weights = [], []
    for layer in range(layers):
        shape = (channels, channels, 3, 3)
        kernel = random.normal(0, (1 / (channels * 9)) ** 0.5, shape).astype(np.float32)
        weights += [numpy_helper.from_array(kernel, f"w{layer}")]
        weights += [numpy_helper.from_array(np.zeros(channels, np.float32), f"b{layer}")]
        inputs = [f"x{layer}", f"w{layer}", f"b{layer}"]
        nodes.append(helper.make_node("Conv", inputs, [f"x{layer + 1}"], name=f"conv{layer}", pads=[1, 1, 1, 1]))
    shape4 = [1, channels, size, size]
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape4) for name in ("x0", f"x{layers}")]
    graph = helper.make_graph(nodes, f"chain{channels}x{size}x{layers}", ends[:1], ends[1:], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def measure(value: int, layout: str, seconds: float, *, channels: int, size: int, layers: int) -> tuple[Point, Device]:
    """Medians of warm runs for about `seconds`, of tuned forms."""
    started = time.perf_counter()
    with pipeline.open(chain(channels=channels, size=size, layers=layers), layout=layout) as session:
        session.set_input("x0", np.random.default_rng(1).random((1, channels, size, size), np.float32))
        session.run()
        session.finish()
        first_ms = (time.perf_counter() - started) * 1e3
        while session.tune(after=1):
            pass
        submits, times, used = [], list[float](), time.process_time()
        busy, began = _busy_seconds(), time.perf_counter()
        with session.untimed():
            while len(times) < _LEAST_RUNS or (len(times) < _MOST_RUNS and time.perf_counter() - began < seconds):
                start = time.perf_counter()
                session.run()
                submits.append((time.perf_counter() - start) * 1e3)
                session.finish()
                times.append((time.perf_counter() - start) * 1e3)
        passed = time.perf_counter() - began
        cores = (time.process_time() - used) / passed
        others = max((_busy_seconds() - busy) / passed - cores, 0.0)
        last = session.plan.textures[session.plan.outputs[0]]
        height, width = last.texture_shape
        point = Point(
            value,
            products=layers * channels * channels * 9 * size * size,
            passes=layers,
            terms=channels * 9,
            ms=statistics.median(times),
            submit_ms=statistics.median(submits),
            first_ms=first_ms,
            cores=cores,
            others=others,
            target=(width, height),
            texture_bytes=sum(_bytes(session, key) for key in session.plan.textures),
            draws=_draws(session),
        )
        return point, device_of(session.context)


def _bytes(session: DebugSession, key: str) -> int:
    stored = session.plan.textures[key]
    height, width = stored.texture_shape
    return height * width * stored.layout.lanes * (4 if stored.storage == "float32" else 2)


def _busy_seconds() -> float:
    """What all cores together have worked since the machine started, for whatever program."""
    times = psutil.cpu_times()
    return float(times.user + times.system)


def _draws(session: DebugSession) -> int:
    forms = [session.form(each.name) for each in session.plan.passes]
    return sum(1 if form is None else len(form.steps) for form in forms)


def line_through(points: Sequence[Point]) -> Line:
    """Of the lines through two of the points, or through one from nothing, that with the least relative errors.

    A few points far off the others do not bend it, as they would bend one of least squares. No part is below zero.
    """
    candidates = [Line(0.0, point.ms / point.products * 1e9) for point in points]
    for first, second in combinations(points, 2):
        if first.products != second.products:
            giga_ms = (second.ms - first.ms) / (second.products - first.products) * 1e9
            candidates.append(Line(first.ms - giga_ms * first.products / 1e9, giga_ms))
    sound = [line for line in candidates if line.base_ms >= 0.0 and line.giga_ms >= 0.0]
    return min(sound, key=lambda line: sum(abs(math.log(line.at(each) / each.ms)) for each in points))


def explanation(series: Series, point: Point) -> str:
    """Why a point lies off the line, in words from what was measured; empty for one that does not."""
    off = point.ms / series.line.at(point)
    if 1 / _OFF < off < _OFF:
        return ""
    off_words = f"{off:.1f} times the line" if off > 1 else f"{1 / off:.1f} times faster than the line"
    reasons = _reasons(series, point, is_slow=off > 1)
    return f"{off_words}: {'; '.join(reasons) or 'nothing that was measured beside it tells why'}"


def _reasons(series: Series, point: Point, *, is_slow: bool) -> list[str]:
    """What sets a point apart from the others of its series, and pulls the way that it lies."""
    others = [each for each in series.points if each is not point]

    def usual(of: Callable[[Point], float]) -> float:
        return statistics.median(map(of, others))

    cores, handing_over = usual(lambda each: each.cores), usual(lambda each: each.submit_ms / each.ms)
    rate, own_rate = usual(_core_rate), _core_rate(point)
    mib = point.texture_bytes / 2**20
    reasons = []
    if is_slow and point.others > _QUIET:
        reasons.append(f"other programs kept {point.others:.1f} cores busy meanwhile")
    if series.on_cores and is_slow and point.cores < 0.8 * cores:
        width, height = point.target
        reasons.append(f"{point.cores:.1f} cores are busy, in the others {cores:.1f}; its target is {width}x{height}")
    if series.on_cores and not is_slow and point.cores > 1.2 * cores:
        reasons.append(f"{point.cores:.1f} cores are busy, in the others {cores:.1f}")
    if is_slow and point.submit_ms / point.ms > max(0.5, 1.3 * handing_over):
        reasons.append(f"{point.submit_ms / point.ms:.0%} of it is handing over to the driver")
    if is_slow and point.draws / point.passes > usual(lambda each: each.draws / each.passes):
        reasons.append(f"a pass takes {point.draws / point.passes:g} draws, in the others fewer")
    if is_slow and point.terms < min(each.terms for each in others):
        reasons.append(f"an element sums only {point.terms} products, and what it costs beside them weighs more")
    if series.on_cores and (own_rate < 0.8 * rate if is_slow else own_rate > 1.2 * rate):
        reasons.append(
            f"a busy core does {own_rate:.0f} GFLOP/s, in the others {rate:.0f}, with {mib:.1f} MiB of textures"
        )
    return reasons


def _core_rate(point: Point) -> float:
    """GFLOP/s of a busy core."""
    return point.gflops / max(point.cores, 0.1)


def run(layout: str, seconds: float) -> tuple[tuple[Series, ...], Device]:
    """All three series, within about so many seconds."""
    wanted = [
        ("channels", f"one layer of {SIZE}x{SIZE}", [(c, c, SIZE, 1) for c in CHANNELS]),
        ("size", f"one layer of {WIDTH} channels", [(s, WIDTH, s, 1) for s in SIZES]),
        ("layers", f"{WIDTH} channels of {SIZE}x{SIZE}", [(n, WIDTH, SIZE, n) for n in LAYERS]),
    ]
    left = sum(len(cases) for _, _, cases in wanted)
    end, found = time.perf_counter() + seconds, []
    for name, still, cases in wanted:
        points = []
        for value, channels, size, layers in cases:
            # A third of a point's share is for opening it and for its first run.
            share = max(end - time.perf_counter(), 0.0) / left * 0.6
            point, device = measure(value, layout, min(share, 3.0), channels=channels, size=size, layers=layers)
            points.append(point)
            left -= 1
            print(f"{name} {value}: {point.ms:.2f} ms, {point.gflops:.2f} GFLOP/s", flush=True)
        on_cores = "llvmpipe" in device.renderer or "softpipe" in device.renderer
        found.append(Series(name, still, tuple(points), line_through(points), on_cores))
    return tuple(found), device


def section(series: Sequence[Series], device: Device, layout: str) -> str:
    """The tables as Markdown, with what explains each point off its line."""
    lines = [
        f"3x3 convolutions in `{layout}` on {device.renderer} (OpenGL {device.version}), warm runs, medians.",
        "",
        "![Time against channels, size and layers, with the line through each](pictures/scaling.svg)",
    ]
    busy = max(point.others for each in series for point in each.points)
    if busy > _QUIET:
        lines += [
            "",
            f"Other programs kept up to {busy:.1f} cores busy meanwhile: on a quiet machine less is off the line.",
        ]
    for each in series:
        line = each.line
        lines += [
            "",
            f"**{each.name.capitalize()}**, {each.still}: {line.base_ms:.3g} ms in any case and {line.giga_ms:.3g} ms "
            "for 10⁹ products.",
            "",
            f"| {each.name} | ms | line | GFLOP/s | cores busy | draws | first run ms | steps away from the line |",
            "|---:|---:|---:|---:|---:|---:|---:|---|",
            *(
                f"| {p.value:,} | {p.ms:.2f} | {line.at(p):.2f} | {p.gflops:.2f} | {p.cores:.1f} | {p.draws} "
                f"| {p.first_ms:.0f} | {explanation(each, p)} |"
                for p in each.points
            ),
        ]
    return "\n".join(lines)


def main() -> None:
    """Measures, prints and writes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--layout", default=DEFAULT_LAYOUT)
    parser.add_argument("--seconds", type=float, default=SECONDS, help=f"for everything ({SECONDS:.0f})")
    parser.add_argument("--write", type=Path, metavar="DOCS", help="write the picture and the tables into this folder")
    options = parser.parse_args()
    series, device = run(options.layout, options.seconds)
    text = section(series, device, options.layout)
    print(text)
    if options.write is not None:
        drawn = picture([(s.name, [(p.value, p.ms, s.line.at(p)) for p in s.points]) for s in series])
        write_whole(options.write / "pictures" / "scaling.svg", lambda new: new.write_text(drawn, encoding="utf-8"))
        put_between(options.write / "speed.md", "scaling", text)


if __name__ == "__main__":
    main()
