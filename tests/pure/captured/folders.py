"""Captures as another program would write them, of a small network, from numpy alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.pure.models import array, model, node, value
from texelscope import pipeline
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.plan import Plan

X = np.abs(array(1, 3, 6, 5, seed=1))
DEVICE = {"renderer": "Mali-G72", "version": "OpenGL ES 3.2"}


def plan() -> Plan:
    """x [1, 3, 6, 5] → Conv 'conv' → a [1, 5, 6, 5] → Relu 'act' → y, both in channel_tiles."""
    nodes = [node("Conv", "x w", "a", "conv", pads=[1, 1, 1, 1]), node("Relu", "a", "y", "act")]
    made = model(nodes, [value("x", X.shape)], [value("y", (1, 5, 6, 5))], weights={"w": array(5, 3, 3, 3, seed=2)})
    return pipeline.plan_of(made, layout="channel_tiles")


def right(of: Plan) -> dict[str, NDArray[np.float32]]:
    """Every tensor as it should be, by name."""
    assert of.graph is not None
    return {name: np.asarray(each.value, np.float32) for name, each in GraphOracle(of.graph).chained({"x": X}).items()}


def texels(of: Plan, name: str) -> NDArray[np.float32]:
    """A tensor's texture [height, width, lanes], right."""
    return of.textures[name].layout.encode(right(of)[name])


def write(folder: Path, *tensors: dict[str, Any], **top: Any) -> Path:
    """A folder with a manifest of those entries; the input is given in x.npy."""
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / "x.npy", X)
    entries = {
        "version": 1, "device": DEVICE, "tensors": list(tensors), "inputs": [{"name": "x", "file": "x.npy"}], **top
    }  # fmt: skip
    text = json.dumps({key: item for key, item in entries.items() if item is not None})
    (folder / "capture.json").write_text(text, encoding="utf-8")
    return folder


def raw(folder: Path, values: NDArray[Any], file: str = "a.raw") -> str:
    """Writes numbers as they lie in memory; the file's name."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / file).write_bytes(np.ascontiguousarray(values).tobytes())
    return file
