"""Records what the interpreter runs: one entry a statement, as a trace has them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from texelscope.pipeline.glsl.lines import Line


@dataclass
class Ran:
    """Describes one execution of a statement; fields as those of `pipeline.step_trace.trace.Step`.

    `lane` is that of the output for which generated text asked, None where it asked for all at once. `assigned`
    holds (name, numbers) of scalars, vectors and matrices, those of arrays and structs one by one.
    """

    line: Line
    function: str
    turns: tuple[int, ...]
    lane: int | None = None
    assigned: list[tuple[str, tuple[Any, ...]]] = field(default_factory=list)
    branch: bool | None = None
    end: str = ""
    returned: tuple[Any, ...] = ()
    reads: int = 0
