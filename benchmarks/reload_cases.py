"""Defines the saves of the reloading benchmarks: which shaders, of which example, and how."""

from __future__ import annotations

import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from texelscope.pipeline.export.eject import eject
from texelscope.pipeline.target import OpenOptions

ROOT = Path(__file__).resolve().parent.parent
WEBGL_CNN = ROOT / "examples" / "webgl_cnn"
FACADES = ROOT / "examples" / "facades" / "facades.onnx"


@dataclass(frozen=True)
class Case:
    """Names shaders of a folder, or of a model ejected in `layout`, to save; `limit_ms` bounds the median first frame.

    `shaders` are files with the pass that shows what was saved.
    """

    name: str
    source: Path
    shaders: tuple[tuple[str, str], ...]
    limit_ms: float | None
    layout: str = "channel_tiles"


CASES = (
    Case(
        "webgl_cnn, a pass's own shader",
        WEBGL_CNN / "broken.toml",
        tuple((f"{name}.frag", name) for name in ("down1", "down2", "down3", "up1", "up2", "up3")),
        100.0,
    ),
    Case(
        "webgl_cnn, a shader of three passes",
        WEBGL_CNN / "fixed.toml",
        (("down.frag", "down1"), ("up.frag", "up1")),
        100.0,
    ),
    Case("facades, a pass in the middle", FACADES, (("shaders/up4.frag", "up4"),), 250.0, "channel_tiles_rgba"),
    Case("facades in channel_tiles, the same", FACADES, (("shaders/up4.frag", "up4"),), 250.0),
)


@contextmanager
def copied(source: Path, layout: str) -> Iterator[Path]:
    """Copies the folder of a pipeline file, or ejects the model; returns the pipeline file."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve() / "pipeline"
        if source.suffix == ".toml":
            shutil.copytree(source.parent, folder)
            yield folder / source.name
        else:
            eject(source, folder, OpenOptions(layout))
            yield folder / "pipeline.toml"


def write(path: Path, text: str) -> None:
    """Saves as an editor does: beside it, then in its place."""
    beside = path.with_name(path.name + "~")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def edited(text: str) -> str:
    """Returns the shader with another start of its sum, as no driver has seen it."""
    lines = text.split("\n")
    value = f"{(time.time_ns() % 10**9) * 1e-16:.12g}"
    for index, line in enumerate(lines):
        if re.match(r"\s*(?:float|vec4) sum = ", line):
            lines[index] = f"{line.partition(' + 1.0 * ')[0].rstrip(';')} + 1.0 * {value};"
            return "\n".join(lines)
    raise SystemExit("the shader has no sum to edit")
