"""A pipeline of one input, x of [1, 3, 8, 8], in its own folder: the head of its file is the same for every test."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from onnx import ModelProto, save

HEAD = """\
[pipeline]
model = "model.onnx"
[[input]]
name = "x"
shape = [1, 3, 8, 8]
layout = "{layout}"
source = "random:1"
"""


def small_pipeline(folder: Path, model: ModelProto, shaders: Mapping[str, str], layout: str, passes: str) -> Path:
    """Writes model, shaders by name, and the file, in which `{tensor}` is the shape and layout of what a pass makes."""
    save(model, folder / "model.onnx")
    for name, text in shaders.items():
        (folder / name).write_text(text, encoding="utf-8")
    tensor = f'shape = [1, 3, 8, 8], layout = "{layout}"'
    path = folder / "pipeline.toml"
    path.write_text(HEAD.replace("{layout}", layout) + passes.replace("{tensor}", tensor), encoding="utf-8")
    return path
