"""Pipeline folders for tests, written file by file."""

from __future__ import annotations

from pathlib import Path

import onnx

from tests.small_models import one_convolution
from texelscope import pipeline
from texelscope.pipeline.plan import Plan

COPY = """\
#version 330 core
uniform sampler2D t_X;
out vec4 Y;

void main() {
    Y = texelFetch(t_X, ivec2(gl_FragCoord.xy), 0);
}
"""

INPUT = """
[[input]]
name = "image"
shape = [1, 3, 8, 8]
layout = "channel_tiles"
source = "random:1"
"""

PASS = """
[[pass]]
name = "copy"
shader = "copy.frag"
output = { shape = [1, 3, 8, 8], layout = "channel_tiles" }
textures.t_X = "image"
"""


def write_folder(folder: Path, toml: str, **files: str) -> Path:
    """Writes pipeline.toml, copy.frag, model.onnx and `files` (`_` before the last part is the dot)."""
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(one_convolution(), folder / "model.onnx")
    (folder / "copy.frag").write_text(COPY, encoding="utf-8")
    for name, text in files.items():
        stem, _, suffix = name.rpartition("_")
        (folder / f"{stem}.{suffix}").write_text(text, encoding="utf-8")
    path = folder / "pipeline.toml"
    path.write_text(toml, encoding="utf-8")
    return path


def plan_of(folder: Path, toml: str, **files: str) -> Plan:
    """The plan of a folder with these files."""
    return pipeline.plan_of(write_folder(folder, toml, **files))
