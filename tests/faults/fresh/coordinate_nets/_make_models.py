"""Write the models of all pipelines: `python -m tests.faults.fresh.coordinate_nets._make_models`."""

from __future__ import annotations

from pathlib import Path

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


if __name__ == "__main__":
    painting()
