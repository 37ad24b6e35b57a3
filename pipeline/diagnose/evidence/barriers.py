"""Adds barriers around writes to shared memory in a compute shader: if that helps, one was missing.

`barrier()` may stand only where all invocations of a work group reach it. So each goes beside the innermost statement
around a write whose loops and conditions are all uniform: none depends on an invocation's index, on anything computed
from it, or on shared memory.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from texelscope.pipeline.glsl.lines import Line, line_map
from texelscope.pipeline.glsl.semantics.block_text import accesses, places_of_barriers
from texelscope.pipeline.glsl.semantics.parsing import constructors_as_calls, parse
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.source_text import Edits
from texelscope.pipeline.plan import ProgramSource

_BARRIER = "memoryBarrierShared(); barrier();"
# At most this many places are tried one by one.
_MOST_PLACES = 6


@dataclass(frozen=True)
class BarrierVariants:
    """Holds the shader with a barrier before and after every place, and variants with a single one, which locate it."""

    every: ProgramSource
    single: tuple[tuple[ProgramSource, str, Line], ...]


def with_barriers(program: ProgramSource) -> BarrierVariants | None:
    """Returns the variants of a compute shader; None if no barrier applies."""
    source = program.fragment.encode()
    root = parse(constructors_as_calls(source))
    places = places_of_barriers(root)
    if not places:
        return None
    lines = line_map(program)
    names = ", ".join(f"'{name}'" for name in accesses(root).shared_writes)
    single = []
    for place in places[:_MOST_PLACES]:
        line = lines[place.end_row]
        single.append((_with(program, source, [place], after=True), f"after the write to {names}", line))
        line = lines[place.row]
        single.append((_with(program, source, [place], before=True), f"before the write to {names}", line))
    every = _with(program, source, places, before=True, after=True)
    return BarrierVariants(every, tuple(single))


def _with(
    program: ProgramSource, source: bytes, places: list[SyntaxNode], *, before: bool = False, after: bool = False
) -> ProgramSource:
    edits = Edits()
    for place in places:
        edits.insert(place.start_byte, f"{{ {_BARRIER if before else ''} ")
        edits.insert(place.end_byte, f" {_BARRIER if after else ''} }}")
    return dataclasses.replace(program, fragment=edits.apply(source))
