"""Write the models of all pipelines: `python -m tests.faults.fresh.coordinate_nets._make_models`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.faults.fresh.coordinate_nets.graph import Graph

HOME = Path(__file__).parent


def _centres(height: int, width: int) -> NDArray[np.float32]:
    """The centres of texels from 0 to 1, x and y as channels: float32[1, 2, height, width]."""
    y, x = np.mgrid[0:height, 0:width]
    return np.stack([(x + 0.5) / width, (y + 0.5) / height])[None].astype(np.float32)


def painting() -> None:
    """A picture as a function of warped places: octaves, two sine layers, a skip, and colours."""
    graph = Graph("painting", 31)
    warp = graph.input("warp", 1, 2, 27, 44)
    step = graph.op("Mul", graph.op("Sub", warp, graph.number(0.5)), graph.number(0.12))
    place = graph.op("Add", graph.constant("centres", _centres(27, 44)), step)
    waves = []
    for octave in range(4):
        angle = graph.op("Mul", place, graph.number(np.pi * 2**octave))
        waves += [graph.op("Sin", angle), graph.op("Cos", angle)]
    code = graph.op("Concat", *waves, place, to="code", axis=1)
    angle = graph.op("Mul", graph.conv(code, "l0", (16, 18, 1, 1)), graph.number(3.0))
    first = graph.op("Sin", angle, to="siren0")
    second = graph.op("Add", first, graph.op("Sin", graph.conv(first, "l1", (16, 16, 1, 1), 1.5)), to="siren1")
    skip = graph.op("Concat", second, code, axis=1)
    third = graph.op("LeakyRelu", graph.conv(skip, "l2", (12, 34, 1, 1), 1.5), to="trunk", alpha=0.1)
    graph.op("Sigmoid", graph.conv(third, "rgb", (3, 12, 1, 1), 2.0), to="colour")
    graph.save(HOME / "painting", "colour", 1, 3, 27, 44)


def material() -> None:
    """A material in two grids of features: both scaled, a small network, and the maps that it holds, in light."""
    graph = Graph("material", 47)
    fine_grid, coarse_grid = graph.input("lat0", 1, 8, 12, 18), graph.input("lat1", 1, 4, 6, 9)
    sun = graph.input("sun", 1, 3, 1, 1)
    fine = graph.op("Resize", fine_grid, "", "", graph.whole(1, 8, 24, 36), to="fine", mode="linear")
    corners = "align_corners"
    sizes = graph.whole(1, 4, 24, 36)
    coarse = graph.op(
        "Resize", coarse_grid, "", "", sizes, to="coarse", mode="linear", coordinate_transformation_mode=corners
    )
    y, x = np.mgrid[0:24, 0:36]
    waves = np.abs(np.stack([x, y]) / 8.0 % 1.0 * 2.0 - 1.0)[None].astype(np.float32)
    code = graph.op("Concat", fine, coarse, graph.constant("waves", waves), axis=1)
    embed = graph.op("HardSwish", graph.conv(code, "embed", (20, 14, 1, 1), 2.0), to="embed")
    mixed = graph.op("Relu", graph.conv(embed, "mix", (20, 4, 1, 1), 1.6, group=5))
    parts = graph.op("Reshape", mixed, graph.whole(1, 5, 4, 24, 36))
    turned = graph.op("Transpose", parts, perm=[0, 2, 1, 3, 4])
    shuffled = graph.op("Reshape", turned, graph.whole(1, 20, 24, 36), to="mix")
    albedo, rough, slope, height = graph.split(graph.conv(shuffled, "maps", (7, 20, 1, 1), 2.0), 3, 1, 2, 1)
    albedo, slope = graph.op("Sigmoid", albedo), graph.op("Tanh", slope)
    rough = graph.op("HardSigmoid", rough, alpha=0.2, beta=0.5)
    maps = graph.op("Concat", albedo, rough, slope, height, to="maps", axis=1)
    _light(graph, maps, sun)
    graph.save(HOME / "material", "lit", 1, 3, 24, 36)


def _light(graph: Graph, maps: str, sun: str) -> None:
    """Diffuse light and a highlight on the maps, through a gamma curve."""
    albedo, rough, slope, height = graph.split(maps, 3, 1, 2, 1)
    rest = graph.op("Sub", graph.number(1.0), graph.op("ReduceSumSquare", slope, graph.whole(1), keepdims=1))
    z = graph.op("Sqrt", graph.op("Max", rest, graph.number(0.04)))
    normal = graph.op("LpNormalization", graph.op("Concat", slope, z, axis=1), axis=1, p=2)
    towards = graph.op("Mul", normal, graph.op("LpNormalization", sun, axis=1, p=2))
    cosine = graph.op("Relu", graph.op("ReduceSum", towards, graph.whole(1), keepdims=1))
    gloss = graph.op("Sub", graph.number(1.0), rough)
    power = graph.op("Add", graph.op("Mul", gloss, graph.number(7.0)), graph.number(1.0))
    highlight = graph.op("Mul", graph.op("Pow", cosine, power), graph.number(0.3))
    hollow = graph.op("Sigmoid", height)
    diffuse = graph.op("Add", graph.op("Mul", cosine, hollow), graph.number(0.15))
    light = graph.op("Add", graph.op("Mul", albedo, diffuse), highlight)
    graph.op("Pow", light, graph.number(1 / 2.2), to="lit")


def lichen() -> None:
    """A step of a cellular automaton: what a cell senses, what it thinks, how it grows, and whether it lives."""
    graph = Graph("lichen", 59)
    cells, dice = graph.input("seed", 1, 12, 22, 30), graph.input("dice", 1, 1, 22, 30)
    sobel = np.outer([1, 2, 1], [-1, 0, 1]).astype(np.float32) / 8
    around = graph.op("Pad", cells, graph.whole(0, 0, 1, 1, 0, 0, 1, 1), mode="wrap")
    slopes = [
        graph.op("Conv", around, graph.constant(f"sobel_{axis}", np.tile(kernel, (12, 1, 1, 1))), group=12)
        for axis, kernel in (("x", sobel), ("y", sobel.T))
    ]
    sense = graph.op("Concat", cells, *slopes, to="sense", axis=1)
    think = graph.op("Relu", graph.conv(sense, "think", (24, 36, 1, 1), 1.8), to="think")
    weight = graph.random.normal(0.0, 0.2, (12, 24, 1, 1)).round(3).astype(np.float32)
    step = graph.op("Conv", think, graph.constant("grow.weight", weight))
    fires = graph.cast(graph.op("Less", dice, graph.number(0.5)), "fires")
    step = graph.op("Mul", graph.op("Mul", step, graph.number(0.7)), fires)
    grown = graph.op("Add", cells, step, to="grow")
    lives = graph.op("And", _alive(graph, cells), _alive(graph, grown))
    alive = graph.cast(lives, "alive")
    state = graph.op("Mul", grown, alive, to="state")
    colour, alpha, _ = graph.split(state, 3, 1, 8)
    paper = graph.op("Sub", graph.number(1.0), alpha)
    graph.op("Clip", graph.op("Add", colour, paper), graph.number(0.0), graph.number(1.0), to="view")
    graph.save(HOME / "lichen", "view", 1, 3, 22, 30)
    _write_seed(HOME / "lichen" / "seed.npy")


def _alive(graph: Graph, cells: str) -> str:
    """Whether a cell, or one around it, has an alpha of more than 0.1."""
    alpha = graph.op("Slice", cells, graph.whole(3), graph.whole(4), graph.whole(1))
    around = graph.op("Pad", alpha, graph.whole(0, 0, 1, 1, 0, 0, 1, 1), mode="wrap")
    return graph.op("Greater", graph.op("MaxPool", around, kernel_shape=[3, 3]), graph.number(0.1))


def _write_seed(file: Path) -> None:
    """Writes cells with features everywhere, of which some lichens live."""
    random = np.random.default_rng(60)
    cells = random.normal(0.0, 0.6, (1, 12, 22, 30))
    cells[:, 3] = np.where(random.random((1, 22, 30)) < 0.12, 0.6, 0.05) * random.random((1, 22, 30))
    np.save(file, cells.astype(np.float32))


def denoise() -> None:
    """A noisy picture and its G-buffer: light without texture, a small U-Net, kernels a pixel, texture again."""
    graph = Graph("denoise", 71)
    noisy, albedo = graph.input("noisy", 1, 3, 26, 38), graph.input("albedo", 1, 3, 26, 38)
    normal, depth = graph.input("normal", 1, 3, 26, 38), graph.input("depth", 1, 1, 26, 38)
    safe = graph.op("Add", albedo, graph.number(0.01))
    light = graph.op("Add", graph.op("Div", noisy, safe), graph.number(1.0))
    light = graph.op("Log", light, to="light")
    features = graph.op("Concat", light, normal, depth, axis=1)
    enc0 = graph.op("Relu", graph.conv(features, "enc0", (8, 7, 5, 5), 1.6, pads=[2] * 4), to="enc0")
    enc1 = graph.conv(enc0, "enc1", (12, 8, 3, 3), 1.6, pads=[1] * 4, strides=[2, 2])
    enc1 = graph.op("LeakyRelu", enc1, to="enc1", alpha=0.1)
    middle = graph.op("Relu", graph.conv(enc1, "mid", (12, 12, 3, 3), 1.6, pads=[2] * 4, dilations=[2, 2]))
    middle = graph.op("Add", enc1, middle, to="mid")
    twice = graph.constant("twice", np.array([1, 1, 2, 2], np.float32))
    up = graph.op(
        "Resize", middle, "", twice, mode="nearest", nearest_mode="floor", coordinate_transformation_mode="asymmetric"
    )
    skip = graph.op("Concat", up, enc0, axis=1)
    dec0 = graph.op("Relu", graph.conv(skip, "dec0", (8, 20, 3, 3), 1.6, pads=[1] * 4), to="dec0")
    kernel = graph.op("Softmax", graph.conv(dec0, "kern", (9, 8, 1, 1), 2.0), to="kern", axis=1)
    around = graph.op("Pad", light, graph.whole(0, 0, 1, 1, 0, 0, 1, 1), mode="edge")
    terms = []
    for tap, share in enumerate(graph.split(kernel, *[1] * 9)):
        y, x = divmod(tap, 3)
        moved = graph.op("Slice", around, graph.whole(y, x), graph.whole(y + 26, x + 38), graph.whole(2, 3))
        terms.append(graph.op("Mul", moved, share))
    clean = graph.op("Sum", *terms, to="clean")
    bright = graph.op("Sub", graph.op("Exp", clean), graph.number(1.0))
    graph.op("Mul", bright, safe, to="beauty")
    graph.save(HOME / "denoise", "beauty", 1, 3, 26, 38)


def supersample() -> None:
    """A frame in half the size and the frames before it: features, four pixels from one, and history that moved."""
    graph = Graph("supersample", 83)
    now, depth = graph.input("now", 1, 3, 16, 25), graph.input("depth", 1, 1, 16, 25)
    motion, history = graph.input("motion", 1, 2, 16, 25), graph.input("history", 1, 3, 32, 50)
    edge = graph.whole(0, 0, 1, 1, 0, 0, 1, 1)
    seen = graph.op("Pad", graph.op("Concat", now, depth, axis=1), edge, mode="edge")
    feat = graph.op("Relu", graph.conv(seen, "feat", (12, 4, 3, 3), 2.0), to="feat")
    local = graph.conv(feat, "local", (12, 1, 3, 3), 2.0, group=12, pads=[1] * 4)
    local = graph.op("Clip", local, graph.number(0.0), graph.number(6.0), to="local")
    spread = graph.op("DepthToSpace", graph.conv(local, "spread", (16, 12, 1, 1)), blocksize=2, mode="CRD")
    detail, trust = graph.split(spread, 3, 1)
    fresh = graph.op("Concat", graph.op("Add", detail, _twice(graph, now)), trust, to="fresh", axis=1)
    warp = _warped(graph, history, motion)
    window: dict[str, Any] = {"kernel_shape": [3, 3], "pads": [1] * 4}
    low = graph.op("Neg", graph.op("MaxPool", graph.op("Neg", now), **window), to="low")
    high = graph.op("MaxPool", now, to="high", **window)
    tamed = graph.op("Min", graph.op("Max", warp, _twice(graph, low)), _twice(graph, high), to="tamed")
    colour, trust = graph.split(fresh, 3, 1)
    change = graph.op("Mul", graph.op("Sub", colour, tamed), graph.op("Sigmoid", trust))
    resolved = graph.op("Pad", graph.op("Add", tamed, change, to="resolve"), edge, mode="edge")
    cross = np.array([[0, -1, 0], [-1, 8, -1], [0, -1, 0]], np.float32) / 4
    cross_of_three = graph.constant("cross", np.tile(cross, (3, 1, 1, 1)))
    sharp = graph.op("Conv", resolved, cross_of_three, group=3)
    graph.op("Clip", sharp, graph.number(0.0), graph.number(1.0), to="sharp")
    graph.save(HOME / "supersample", "sharp", 1, 3, 32, 50)
    moved = np.random.default_rng(84).normal(0.0, 0.04, (1, 2, 16, 25))
    np.save(HOME / "supersample" / "motion.npy", moved.astype(np.float32))


def _twice(graph: Graph, source: str) -> str:
    """Every texel as a block of two by two."""
    scales = graph.constant(f"scales_of_{source}", np.array([1, 1, 2, 2], np.float32))
    floor, corner = "floor", "asymmetric"
    return graph.op(
        "Resize", source, "", scales, mode="nearest", nearest_mode=floor, coordinate_transformation_mode=corner
    )


def _warped(graph: Graph, history: str, motion: str) -> str:
    """The history, read where each pixel was a frame ago."""
    place = graph.op("Sub", graph.constant("centres", _centres(32, 50)), _twice(graph, motion))
    grid = graph.op("Sub", graph.op("Mul", place, graph.number(2.0)), graph.number(1.0))
    grid = graph.op("Transpose", grid, perm=[0, 2, 3, 1])
    return graph.op("GridSample", history, grid, to="warp", padding_mode="border", align_corners=0)


if __name__ == "__main__":
    for make in (painting, material, lichen, denoise, supersample):
        make()
