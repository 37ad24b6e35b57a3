"""Right files to begin with: those of the examples and tests of this tree."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from pathlib import Path

from tests.checkout import ROOT

# A model of megabytes only takes time.
_MOST_BYTES = 40_000


@functools.cache
def models() -> tuple[bytes, ...]:
    """Small models of many tools."""
    files = [
        *sorted((ROOT / "tests" / "models").glob("*.onnx")),
        ROOT / "examples" / "convolution_twice" / "model.onnx",
    ]
    return tuple(path.read_bytes() for path in files if path.stat().st_size <= _MOST_BYTES)


@functools.cache
def folder(name: str) -> Mapping[str, bytes]:
    """Returns the files of an example, by their path in it.

    Of a folder with several pipeline files `name` ends in that of one, which becomes `pipeline.toml` beside the files
    that it names: a change to any other would change nothing.
    """
    top, variant = ROOT / "examples" / name, ""
    if not top.is_dir():
        top, variant = top.parent, f"{top.name}.toml"
    files = [path for path in sorted(top.rglob("*")) if path.is_file() and path.suffix not in (".py", ".md")]
    found = {path.relative_to(top).as_posix(): path.read_bytes() for path in files}
    if variant:
        chosen = found[variant]
        named = set(re.findall(r'"([\w/]+\.\w+)"', chosen.decode()))
        found = {path: content for path, content in found.items() if path in named}
        found["pipeline.toml"] = chosen
    return found


@functools.cache
def texts(pattern: str) -> tuple[str, ...]:
    """Returns texts of the tree whose paths match."""
    return tuple(path.read_text(encoding="utf-8") for path in sorted(ROOT.glob(pattern)))


@functools.cache
def pictures() -> tuple[tuple[str, bytes], ...]:
    """Small pictures in all the formats that are read, by their ending."""
    import io

    from PIL import Image

    with Image.open(ROOT / "examples" / "webgl_cnn" / "inputs" / "townhouse.png") as opened:
        small = opened.convert("RGB").resize((9, 7))
    found = []
    for ending in ("png", "jpeg", "bmp", "gif", "webp", "tiff"):
        for mode in ("RGB", "L") if ending == "jpeg" else ("RGB", "L", "P"):
            file = io.BytesIO()
            small.convert(mode).save(file, ending)
            found.append((ending, file.getvalue()))
    return tuple(found)


def names_of(files: Mapping[str, bytes], ending: str) -> list[str]:
    """Returns the paths of those that end so."""
    return [name for name in files if Path(name).suffix == ending]
