"""Where a value came from: the assignments behind it, as they ran, from the statement that used it backwards."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.glsl.lines import Line
from pipeline.trace.trace import Number


@dataclass(frozen=True)
class Link:
    """One assignment behind a value: to `name`, by the statement `text` on `line`, in step `step`; it became `value`.

    `depth` counts from 0 for what was asked for; a link's inputs follow it one deeper. A name that no step assigned
    (a uniform, a constant, `gl_FragCoord`) ends the chain: its `step` is -1 and its `line` that of its declaration,
    or ("", 0).
    """

    name: str
    text: str
    line: Line
    step: int
    value: tuple[Number, ...]
    depth: int = 0
