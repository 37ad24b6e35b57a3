"""A shader with all that mutants and traces of it depend on, as plain data that can be kept in a file."""

from __future__ import annotations

import dataclasses
import gzip
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

# What the text is: GLSL that a pass runs, or a file of an engine that becomes passes.
Stage = Literal["fragment", "compute", "mpv", "ncnn"]
Row = tuple[float, ...]
# How names of shaders begin that bugs are planted in, and of those without a bug.
_PLANTED = frozenset({"seen", "held_out", "practice", "fresh"})


@dataclass(frozen=True)
class File:
    """A file that the text was put together from, with its source-string number."""

    number: int
    path: str
    text: str


@dataclass(frozen=True)
class Shader:
    """One shader by a stable name.

    `is_shown`: whether people who change rules may read it. `samplers` are the names that textures, buffers and images
    are bound by. `sizes`, `rows` and `scalars` are the numbers of its model that mutants are made of, `operators`
    the ONNX operators that the pass computes.
    """

    name: str
    fragment: str
    stage: Stage = "fragment"
    files: tuple[File, ...] = ()
    vertex: str | None = None
    supplied_lines: int = 0
    samplers: tuple[str, ...] = ()
    sizes: tuple[float, ...] = ()
    rows: tuple[Row, ...] = ()
    scalars: tuple[float, ...] = ()
    operators: tuple[str, ...] = ()
    is_shown: bool = True

    @property
    def is_variant(self) -> bool:
        """Whether it is a shader with a bug planted in it: but for that it is like the shader without."""
        top, *rest = self.name.split("/")
        return top in _PLANTED and not {"right", "healthy"} & {*rest[:1], *rest[1:2]}

    @cached_property
    def key(self) -> str:
        """SHA-256 of all but the name: shaders with the same key have the same mutants and traces."""
        values = dataclasses.asdict(dataclasses.replace(self, name="", is_shown=True))
        return digest([json.dumps(values, sort_keys=True)])


def digest(lines: Iterable[str]) -> str:
    """SHA-256 of some lines, as the first 16 hexadecimal digits."""
    made = hashlib.sha256()
    for line in lines:
        made.update(line.encode("utf-8", "surrogateescape") + b"\n")
    return made.hexdigest()[:16]


def write_shaders(shaders: Sequence[Shader], path: Path) -> None:
    """Keeps shaders in a compressed file, so that another version of the code can be asked about the same ones."""
    with gzip.open(path, "wt", encoding="utf-8") as file:
        json.dump([dataclasses.asdict(shader) for shader in shaders], file)


def read_shaders(path: Path) -> list[Shader]:
    """The shaders of a file that `write_shaders` wrote."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [_shader(values) for values in json.load(file)]


def _shader(values: dict[str, Any]) -> Shader:
    tuples = {name: tuple(values[name]) for name in ("samplers", "sizes", "scalars", "operators")}
    files = tuple(File(**each) for each in values["files"])
    return Shader(**{**values, **tuples, "files": files, "rows": tuple(tuple(row) for row in values["rows"])})
